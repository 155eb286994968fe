//! Whether a claimed value stands in a text: whole, as a fragment, by computation, or not.

use countersign::text::amounts::quantity::read_all;
use countersign::text::amounts::standing::{
    DateStanding, Standing, parse_date, seek_date, seek_number, seek_range, unit_agrees,
};
use countersign::text::amounts::unit::parse_unit;
use countersign::text::dates::date::{DateToken, read_dates};

use crate::text::check;

/// `text <- value unit`: how the value stands in the text.
fn standing(line: &str) -> String {
    let (text, claim) = line.split_once(" <- ").unwrap();
    let (value, unit) = claim.split_once(' ').unwrap_or((claim, ""));
    let unit = parse_unit(unit);
    let readings = read_all(text);
    match seek_number(&readings, value.parse().unwrap(), unit.as_ref()) {
        Standing::Whole(found) if unit_agrees(&found[0], unit.as_ref()) => "whole",
        Standing::Whole(_) => "whole, other unit",
        Standing::Year(_) => "year",
        Standing::Computed(_) => "computed",
        Standing::Fragment(_) => "fragment",
        Standing::NotAValue(_) => "no value",
        Standing::Absent => "absent",
    }
    .to_owned()
}

#[test]
fn a_claimed_number_stands_whole_or_not_at_all() {
    check(
        &[
            ("aged 65 or over <- 65 years", "whole"),
            ("aged 65 or over <- 60 years", "absent"),
            ("須年滿六十五歲 <- 65 歲", "whole"),
            ("須年滿六十五歲 <- 65 years", "whole"),
            ("須年滿六十五歲 <- 65 年", "whole, other unit"),
            ("a fee of HK$1,500,000 <- 500000 HKD", "fragment"),
            ("a fee of HK$15 <- 5 HKD", "fragment"),
            ("a rate of 0.5 <- 5", "fragment"),
            ("a fee of 5,000 shells <- 5", "fragment"),
            ("a fee of HK$1,500,000 <- 1500000 HKD", "whole"),
            ("a fee of HK$1,500,000 <- 1500000 TWD", "whole, other unit"),
            ("12% for 6 months <- 12 months", "whole, other unit"),
            ("12% for 6 months <- 6 months", "whole"),
            ("for 2 years <- 24 months", "computed"),
            ("for 24 months <- 2 years", "computed"),
            ("two weeks <- 14 days", "computed"),
            ("三個月 <- 90 日", "computed"),
            ("HK$12,000 a year <- 1000 HKD/month", "computed"),
            ("每月新臺幣一萬元 <- 120000 TWD/年", "computed"),
            ("每月新臺幣一萬元 <- 10000 TWD/年", "whole, other unit"),
            ("每月新臺幣一萬元 <- 10000 TWD/月", "whole"),
            ("得領2.5萬元 <- 25000 元", "whole"),
            ("得領2.5萬元 <- 2.5 元", "fragment"),
            ("$1.2 million <- 1200000 USD", "whole"),
            ("one-half of it <- 50 %", "whole"),
            ("二分之一以上 <- 50 %", "whole"),
            ("三分之一 <- 33.33 %", "whole"),
            ("三分之一 <- 30 %", "absent"),
            ("50% of it <- 0.5", "whole"),
            ("五成 <- 50 %", "whole"),
            ("一年半 <- 1.5 年", "whole"),
            ("一年半 <- 18 月", "computed"),
            ("within a year <- 1 year", "whole"),
            ("第五條規定 <- 5", "no value"),
            ("由護老隊伍安排 <- 5 人", "no value"),
            ("see Section 3 <- 3", "no value"),
            ("the 30th copy <- 30", "no value"),
            ("第二等級以上 <- 2 等級", "whole"),
            ("your 55th birthday <- 55 years", "whole"),
            ("by the 10th day of the month <- 10 days", "whole"),
            ("dated before 1955 <- 1955", "year"),
            ("一百零二年度以後 <- 2013", "year"),
            ("dated before 1955 <- 1955 years", "no value"),
            ("10 working days <- 10 days", "whole, other unit"),
            ("twice a year <- 2 times", "whole"),
            ("1.5 times the cost <- 1.5 倍", "whole"),
            ("3 metres <- 300 centimetres", "computed"),
            ("nothing here <- 7", "absent"),
        ],
        standing,
    );
}

#[test]
fn a_claimed_range_stands_as_one_range_or_as_two_limits() {
    let told = |line: &str| {
        let (text, claim) = line.split_once(" <- ").unwrap();
        let parts: Vec<&str> = claim.split(' ').collect();
        let readings = read_all(text);
        let unit = parse_unit(parts[2]);
        let found = seek_range(
            &readings,
            (parts[0].parse().unwrap(), parts[1].parse().unwrap()),
            unit.as_ref(),
        );
        found.map_or_else(|| "no".to_owned(), |it| it.len().to_string())
    };
    check(
        &[
            ("aged 18 to 25 <- 18 25 years", "1"),
            ("between 18 and 25 years old <- 18 25 years", "1"),
            ("at least 16 years old but not older than 65 years old <- 16 65 years", "2"),
            ("十六歲以上六十五歲以下 <- 16 65 歲", "2"),
            ("十六歲以上未滿六十五歲 <- 16 65 歲", "no"),
            ("over 16 and not over 65 years <- 16 65 years", "no"),
            ("aged 18 to 25 <- 18 26 years", "no"),
            ("aged 18 and 25 kg <- 18 25 years", "no"),
        ],
        told,
    );
}

/// `text <- date`: how the date stands in the text.
fn date_standing(line: &str) -> String {
    let (text, claim) = line.split_once(" <- ").unwrap();
    let Some(claim) = parse_date(claim) else { return "no date".to_owned() };
    let dates: Vec<DateToken> = read_dates(text);
    match seek_date(&dates, claim) {
        DateStanding::Stands(_) => "stands",
        DateStanding::Ambiguous(_) => "ambiguous",
        DateStanding::Coarser(_) => "coarser",
        DateStanding::Absent => "absent",
    }
    .to_owned()
}

#[test]
fn a_claimed_date_stands_in_any_spelling_and_calendar() {
    check(
        &[
            ("on 7 September 1980 <- 1980-09-07", "stands"),
            ("on 7 September 1980 <- 1980-09", "stands"),
            ("on 7 September 1980 <- 1980", "stands"),
            ("on 7 September 1980 <- 1980-07-09", "absent"),
            ("in September 1980 <- 1980-09-01", "coarser"),
            ("in 1980 <- 1980-01-01", "coarser"),
            ("by 03/04/2027 <- 2027-04-03", "ambiguous"),
            ("by 03/04/2027 <- 2027-03-04", "ambiguous"),
            ("by 13/04/2027 <- 2027-04-13", "stands"),
            ("自中華民國一百十二年一月一日施行 <- 2023-01-01", "stands"),
            ("自112年1月1日起 <- 2023-01-01", "stands"),
            ("112年度 <- 2023", "stands"),
            ("112年度 <- 民國112年", "stands"),
            ("112年度 <- 2024", "absent"),
            ("每年四月一日 <- 2023-04-01", "coarser"),
            ("每年四月一日 <- --04-01", "stands"),
            ("on 7 September <- 1980-09-07", "coarser"),
            ("on 7 September 1980 <- soon", "no date"),
            ("on 7 September 1980 <- 7 Sept 1980", "stands"),
            ("on 7 September 1980 <- 03/04/1980", "no date"),
        ],
        date_standing,
    );
}
