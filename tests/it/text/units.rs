//! Units of page text and of a claim's unit field, and whether two of them can be one statement.

use countersign::text::amounts::unit::parse_unit;

use crate::text::{check, quantities};

#[test]
fn money_reads_with_currency_and_period() {
    check(
        &[
            ("HK$4,250 per month", "=4250 HKD/month"),
            ("HK$4,250 a month", "=4250 HKD/month"),
            ("HK$4,250/month", "=4250 HKD/month"),
            ("HK$4,250 each month", "=4250 HKD/month"),
            ("HK$4,250 monthly", "=4250 HKD/month"),
            ("HKD 4,250 per person per year", "=4250 HKD/person/year"),
            ("NT$50 each time", "=50 TWD/time"),
            ("NTD 2 million", "=2000000 TWD"),
            ("N.T.$10,000", "=10000 TWD"),
            ("US$12 a day", "=12 USD/day"),
            ("$12 an hour", "=12 dollar/hour"),
            ("£30 for each child", "=30 GBP/child"),
            ("€5.50", "=5.5 EUR"),
            ("30 Hong Kong dollars", "=30 HKD"),
            ("30 dollars", "=30 dollar"),
            ("20 pence", "=20 cent"),
            ("25p", "=25 cent"),
            ("新臺幣三千元", "=3000 TWD"),
            ("新台幣3,000元整", "=3000 TWD"),
            ("港幣三千元", "=3000 HKD"),
            ("三千港元", "=3000 HKD"),
            ("三千元", "=3000 yuan"),
            ("三萬六千圓", "=36000 yuan"),
            ("每月新臺幣一萬元", "=10000 TWD/month"),
            ("每人每月發給新臺幣三千元", "=3000 TWD/person/month"),
            ("按月發給三千元", "=3000 yuan/month"),
            ("每件繳納審查費新臺幣一百元", "=100 TWD/case"),
            ("每艘全年新臺幣九千元", "=9000 TWD/vessel/year"),
            ("三千元／人", "=3000 yuan/person"),
            ("美金五十元", "=50 USD"),
            ("人民币五十元", "=50 CNY"),
        ],
        quantities,
    );
}

#[test]
fn measures_read_with_canonical_names() {
    check(
        &[
            ("10 working days", "=10 working-day"),
            ("10 business days", "=10 working-day"),
            ("十個工作日", "=10 working-day"),
            ("五個營業日", "=5 working-day"),
            ("30 days", "=30 day"),
            ("三十天", "=30 day"),
            ("三十日", "=30 day"),
            ("兩個星期", "=2 week"),
            ("三週", "=3 week"),
            ("三周内", "<=3 week"),
            ("六個月", "=6 month"),
            ("一年半", "=1.5 year"),
            ("半年", "=0.5 year"),
            ("half a year", "=0.5 year"),
            ("80 hours a month", "=80 hour/month"),
            ("每週四十小時", "=40 hour/week"),
            ("20 minutes", "=20 minute"),
            ("a 90-day period", "=90 day"),
            ("24 continuous months", "=24 month"),
            ("the 18-year-old", "=18 year(age)"),
            ("aged 65", "=65 year(age)"),
            ("65 years of age", "=65 year(age)"),
            ("六十五歲", "=65 year(age)"),
            ("一點五倍", "=1.5 multiple"),
            ("每年一次", "=1 time/year"),
            ("twice a year", "=2 time/year"),
            ("三名", "=3 person"),
            ("三戶", "=3 household"),
            ("五件", "=5 case"),
            ("六十坪", "=60 ping"),
            ("五百平方公尺", "=500 square-metre"),
            ("三十公里", "=30 kilometre"),
            ("20 miles", "=20 mile"),
            ("6 feet", "=6 foot"),
            ("5 mg", "=5 milligram"),
            ("五公斤", "=5 kilogram"),
            ("5千克", "=5 kilogram"),
            ("二千四百立方公分", "=2400 cubic-centimetre"),
            ("十二學分", "=12 credit"),
            ("第一、二、三等級", "=2 grade; =3 grade"),
            ("10 or 20 days", "=10 day; =20 day"),
            ("十人工", ""),
        ],
        quantities,
    );
}

fn told(field: &str) -> String {
    let Some(unit) = parse_unit(field) else { return "nothing".to_owned() };
    let per: String = unit.per.iter().map(|it| format!("/{it}")).collect();
    format!("{:?} {}{per}", unit.family, unit.name)
}

#[test]
fn a_claims_unit_field_reads_as_models_write_it() {
    check(
        &[
            ("years", "Duration year"),
            ("year", "Duration year"),
            ("Years", "Duration year"),
            ("歲", "Age year"),
            ("年", "Duration year"),
            ("years old", "Age year"),
            ("age", "Age year"),
            ("months", "Duration month"),
            ("月", "Duration month"),
            ("個月", "Duration month"),
            ("working days", "Duration working-day"),
            ("工作日", "Duration working-day"),
            ("days/year", "Duration day/year"),
            ("hours/month", "Duration hour/month"),
            ("hours per week", "Duration hour/week"),
            ("小時/週", "Duration hour/week"),
            ("HKD/month", "Money HKD/month"),
            ("HKD", "Money HKD"),
            ("HK$", "Money HKD"),
            ("TWD/人", "Money TWD/person"),
            ("TWD/件", "Money TWD/case"),
            ("元/月", "Money yuan/month"),
            ("新臺幣", "Money TWD"),
            ("新台幣元", "Money TWD"),
            ("USD/year", "Money USD/year"),
            ("USD/school year", "Money USD/school-year"),
            ("dollars", "Money dollar"),
            ("次/季", "Frequency time/quarter"),
            ("次/年", "Frequency time/year"),
            ("times", "Frequency time"),
            ("per year", "Frequency time/year"),
            ("%", "Percent percent"),
            ("percent", "Percent percent"),
            ("倍", "Multiple multiple"),
            ("date", "Date date"),
            ("日期", "Date date"),
            ("人", "Count person"),
            ("persons", "Count person"),
            ("children", "Count child"),
            ("親等", "Grade kinship-degree"),
            ("等級", "Grade grade"),
            ("公尺", "Length metre"),
            ("HP", "Physical horsepower"),
            ("widgets", "Other widget"),
            ("", "nothing"),
            ("  ", "nothing"),
        ],
        told,
    );
}

#[test]
fn units_agree_where_they_can_be_one_statement() {
    let agree = |pair: &str| {
        let (one, two) = pair.split_once(" ~ ").unwrap();
        let (one, two) = (parse_unit(one).unwrap(), parse_unit(two).unwrap());
        assert_eq!(one.agrees_with(&two), two.agrees_with(&one), "{pair} is lopsided");
        one.agrees_with(&two).to_string()
    };
    check(
        &[
            ("years ~ 歲", "true"),
            ("years ~ 年", "true"),
            ("年 ~ 歲", "false"),
            ("日 ~ days", "true"),
            ("天 ~ 日", "true"),
            ("month ~ 個月", "true"),
            ("months ~ years", "false"),
            ("days ~ working days", "false"),
            ("weeks ~ days", "false"),
            ("USD/year ~ USD", "true"),
            ("USD/year ~ USD/month", "false"),
            ("HKD/month ~ HKD/月", "true"),
            ("TWD/人 ~ TWD/年", "true"),
            ("HKD ~ TWD", "false"),
            ("$ ~ HKD", "true"),
            ("$ ~ GBP", "false"),
            ("元 ~ TWD", "true"),
            ("元 ~ HKD", "true"),
            ("元 ~ USD", "false"),
            ("元 ~ dollars", "true"),
            ("% ~ percent", "true"),
            ("% ~ months", "false"),
            ("% ~ 倍", "false"),
            ("times ~ 次", "true"),
            ("times ~ 倍", "true"),
            ("次 ~ 倍", "false"),
            ("persons ~ 人", "true"),
            ("人 ~ 戶", "false"),
            ("days/year ~ days", "true"),
            ("hours/week ~ hours/month", "false"),
            ("widgets ~ widget", "true"),
            ("widgets ~ gadgets", "false"),
        ],
        agree,
    );
}
