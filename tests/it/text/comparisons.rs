//! Comparison words before and after a number, in both languages, with their inclusiveness.

use crate::text::{check, quantities};

#[test]
fn english_words_before_the_number() {
    check(
        &[
            ("at least 65 years old", ">=65 year(age)"),
            ("no less than 10 days", ">=10 day"),
            ("not less than 10 days", ">=10 day"),
            ("no fewer than three copies", ">=3 copy"),
            ("a minimum of 20 hours", ">=20 hour"),
            ("over 65 years old", ">65 year(age)"),
            ("over age 65", ">65 year(age)"),
            ("above 5%", ">5 percent"),
            ("more than 60 days", ">60 day"),
            ("greater than 3 metres", ">3 metre"),
            ("exceeding 12 weeks", ">12 week"),
            ("in excess of $500", ">500 dollar"),
            ("older than 18 years", ">18 year"),
            ("no more than HK$20", "<=20 HKD"),
            ("not more than 30 minutes", "<=30 minute"),
            ("up to 36 months", "<=36 month"),
            ("a maximum of five persons", "<=5 person"),
            ("at most 3 times", "<=3 time"),
            ("must not exceed £900", "<=900 GBP"),
            ("does not exceed 3 kg", "<=3 kilogram"),
            ("doesn’t exceed 3 kg", "<=3 kilogram"),
            ("may not be more than 3 kg", "<=3 kilogram"),
            ("is not over 3 kg", "<=3 kilogram"),
            ("cannot be less than 3 kg", ">=3 kilogram"),
            ("shall not be lower than 12 percent", ">=12 percent"),
            ("within 14 days", "<=14 day"),
            ("within a year", "<=1 year"),
            ("within twelve (12) months", "<=12 month"),
            ("no later than 14 days", "<=14 day"),
            ("under 18 years of age", "<18 year(age)"),
            ("under the age of 18", "<18 year(age)"),
            ("below 40%", "<40 percent"),
            ("less than half", "<0.5"),
            ("fewer than four children", "<4 child"),
            ("younger than 5 years", "<5 year"),
            ("exactly 7 days", "=7 day"),
            ("reached the age of 60", ">=60 year(age)"),
            ("when you turn 60", ">=60 year(age)"),
            ("before they turned 18", "<18 year(age)"),
            ("before turning 18", "<18 year(age)"),
            ("after reaching 26 years of age", ">=26 year(age)"),
            ("before age 55", "<55 year(age)"),
            ("until age 26", "<26 year(age)"),
            ("on or after their 55th birthday", ">=55 year(age)"),
            ("≥ 65 years", ">=65 year"),
            ("< HK$10,000", "<10000 HKD"),
            ("> 5 m", ">5"),
            ("<= 20%", "<=20 percent"),
            ("fails to reach 60 points", "<60 point"),
            ("without exceeding 60 points", "<=60 point"),
            ("as many as 12 lessons", "<=12"),
        ],
        quantities,
    );
}

#[test]
fn english_words_after_the_number() {
    check(
        &[
            ("aged 65 or over", ">=65 year(age)"),
            ("aged 65 and over", ">=65 year(age)"),
            ("65 years old or older", ">=65 year(age)"),
            ("65 years of age or older", ">=65 year(age)"),
            ("65 or above", ">=65"),
            ("65+", ">=65"),
            ("30% or more", ">=30 percent"),
            ("90 days or longer", ">=90 day"),
            ("one or more years", ">=1 year"),
            ("two or more children", ">=2 child"),
            ("HK$500 or less", "<=500 HKD"),
            ("20 degrees or less", "<=20 degree"),
            ("4 or fewer days", "<=4 day"),
            ("aged 17 or under", "<=17 year(age)"),
            ("12 and under", "<=12"),
            ("grade 4 or above", ">=4 grade"),
            ("a fee of $5 maximum", "<=5 dollar"),
            ("under 18 or over 65", "<18; >65"),
            (
                "under the age of 18 (or under the age of 23 if at school)",
                "<18 year(age); <23 year(age)",
            ),
        ],
        quantities,
    );
}

#[test]
fn chinese_words_before_the_number() {
    check(
        &[
            ("年滿六十五歲", ">=65 year(age)"),
            ("滿65歲", ">=65 year(age)"),
            ("至少十公尺", ">=10 metre"),
            ("最少五人", ">=5 person"),
            ("不少於三名", ">=3 person"),
            ("不得少於三名", ">=3 person"),
            ("不低於百分之十", ">=10 percent"),
            ("不得低於新臺幣五千元", ">=5000 TWD"),
            ("達四十小時", ">=40 hour"),
            ("達最低生活費一點五倍", ">=1.5 multiple"),
            ("超過二十日", ">20 day"),
            ("逾三個月", ">3 month"),
            ("高於五成", ">50 percent"),
            ("大於零點五公分", ">0.5 centimetre"),
            ("多於三次", ">3 time"),
            ("不超過三萬元", "<=30000 yuan"),
            ("未超過最低生活費之二點五倍", "<=2.5 multiple"),
            ("不得超過五人", "<=5 person"),
            ("不逾三十日", "<=30 day"),
            ("未逾三十日", "<=30 day"),
            ("至多三次", "<=3 time"),
            ("最多補助五人", "<=5 person"),
            ("最高補助新臺幣三萬元", "<=30000 TWD"),
            ("最長為一年", "<=1 year"),
            ("不高於百分之五", "<=5 percent"),
            ("未滿二十歲", "<20 year(age)"),
            ("不滿二十歲", "<20 year(age)"),
            ("不足三十日", "<30 day"),
            ("未達十五年", "<15 year"),
            ("低於百分之六十", "<60 percent"),
            ("少於三人", "<3 person"),
            ("过半数", ">0.5"),
            ("不得低于三万元", ">=30000 yuan"),
            ("未满十八岁", "<18 year(age)"),
            ("超过二百六十日或三次", ">260 day; >3 time"),
        ],
        quantities,
    );
}

#[test]
fn chinese_words_after_the_number() {
    check(
        &[
            ("六十五歲以上", ">=65 year(age)"),
            ("六十五歲或以上", ">=65 year(age)"),
            ("65歲（含）以上", ">=65 year(age)"),
            ("達百分之七十以上", ">=70 percent"),
            ("年滿十五歲以上", ">=15 year(age)"),
            ("二人以上", ">=2 person"),
            ("有二以上雇主", ">=2"),
            ("二親等以內", "<=2 kinship-degree"),
            ("十五日內", "<=15 day"),
            ("三年以内", "<=3 year"),
            ("六十日期間內", "<=60 day"),
            ("七十萬元以下", "<=700000 yuan"),
            ("以三輛為限", "<=3 vehicle"),
            ("以二十四個月為上限", "<=24 month"),
            ("第二等級以上", ">=2 grade"),
            ("十人以上未滿五十人", ">=10 person; <50 person"),
            ("三萬元以上十五萬元以下", ">=30000 yuan; <=150000 yuan"),
            ("逾二十日而未滿三十日", ">20 day; <30 day"),
            ("三個學位以上", ">=3 piece"),
        ],
        quantities,
    );
}

#[test]
fn ranges_are_one_quantity() {
    check(
        &[
            ("18–25 years old", "in 18..25 year(age)"),
            ("aged 18 to 25", "in 18..25 year(age)"),
            ("between 18 and 25 years", "in 18..25 year"),
            ("between the ages of 18 and 25", "in 18..25 year(age)"),
            ("an 18-to-25-year-old", "in 18..25 year(age)"),
            ("from 2 to 8 months", "in 2..8 month"),
            ("HK$100 to HK$200", "in 100..200 HKD"),
            ("£10-£20", "in 10..20 GBP"),
            ("5% to 10%", "in 5..10 percent"),
            ("十八歲至二十五歲", "in 18..25 year(age)"),
            ("18至25歲", "in 18..25 year(age)"),
            ("18～25歲", "in 18..25 year(age)"),
            ("介於三萬元與五萬元之間", "in 30000..50000 yuan"),
            ("第八等級至第一等級", "in 1..8 grade"),
            ("5 and 10 days", "=5 day; =10 day"),
            ("1 month to 2 years", "=1 month; =2 year"),
        ],
        quantities,
    );
}

#[test]
fn a_word_does_not_reach_over_a_border_or_into_another_meaning() {
    check(
        &[
            ("at least 3 copies, 5 pages each", ">=3 copy; =5 page"),
            ("exceeds the limit in the past 12 months", "=12 month"),
            ("within the deadline they shall send four copies", "=4 copy"),
            ("不得超過規定，補助三萬元", "=30000 yuan"),
            ("不得低於約定前三個月之平均", "=3 month"),
            ("最近一年居住國內超過一百八十三日", "=1 year; >183 day"),
            ("最高等級再升二等級", "=2 grade"),
            ("至少每二年查核一次", "=2 year; =1 time/2 year"),
            ("每滿三個月", "=3 month"),
            ("逾期三十日", "=30 day"),
            ("內容三頁", "=3 page"),
            ("過去三年", "=3 year"),
            ("效期屆滿三個月前", "=3 month"),
            ("屆滿三個月者", ">=3 month"),
            ("前項三人", "=3 person"),
            ("at least 30 days before 5 people arrive", ">=30 day; =5 person"),
        ],
        quantities,
    );
}

#[test]
fn limits_in_other_words() {
    check(
        &[
            ("minimum age: 65", ">=65 year(age)"),
            ("the minimum age is 65", ">=65 year(age)"),
            ("a maximum monthly income of HK$9,000", "<=9000 HKD"),
            ("an income limit of HK$9,000", "<=9000 HKD"),
            ("a cap of 5 days", "<=5 day"),
            ("at or above 65", ">=65"),
            ("at or below 40%", "<=40 percent"),
            ("other than 5", "!=5"),
            ("not to exceed 5 kg", "<=5 kilogram"),
            ("for over-65s", ">65"),
            (
                "not less than 18 and not more than 25 years of age",
                ">=18 year(age); <=25 year(age)",
            ),
            ("over 16 and under 65 years old", ">16 year(age); <65 year(age)"),
            ("上限：五萬元", "<=50000 yuan"),
            ("最低年齡：十八歲", ">=18 year(age)"),
            ("不多於三人", "<=3 person"),
            ("年齡介乎18至65歲", "in 18..65 year(age)"),
            ("五成以上", ">=50 percent"),
            ("不超过3个月", "<=3 month"),
            ("不足18周岁", "<18 year(age)"),
            ("HK$3,000-$5,000", "in 3000..5000 HKD"),
            ("HK$3–5 million", "in 3000000..5000000 HKD"),
            ("3至5萬元", "in 30000..50000 yuan"),
            ("一至二十人", "in 1..20 person"),
            ("16- or 17-year-olds", "=16 year(age); =17 year(age)"),
            ("30 (thirty) days", "=30 day"),
            ("兩個半月", "=2.5 month"),
            ("三個半小時", "=3.5 hour"),
            ("$500 every 4 weeks", "=500 dollar/4 week; =4 week"),
            ("$500 per annum", "=500 dollar/year"),
            ("每兩個月500元", "=2 month; =500 yuan/2 month"),
            ("9折", "=90 percent"),
        ],
        quantities,
    );
}
