//! The readers of `text/` over the labelled rows: is the value found, with its unit and comparison?
//!
//! What is left are labels that read more than the words say: "all 36 months" as at most 36, a
//! negation two clauses away, 最近三年 as at least three, 正 and 負 as more and less than nought.

use std::path::PathBuf;
use std::str::FromStr;

use countersign::text::amounts::comparator::Relation;
use countersign::text::amounts::quantity::{Quantity, Readings, read_all};
use countersign::text::amounts::standing::{
    DateStanding, Standing, parse_date, seek_date, seek_number, seek_range, unit_agrees,
};
use countersign::text::amounts::unit::{Unit, parse_unit};
use countersign::text::dates::date::DateToken;
use rust_decimal::Decimal;
use serde_json::Value;

#[derive(Default)]
struct Tally {
    rows: usize,
    found: usize,
    unit: usize,
    relation: usize,
    left: Vec<String>,
}

#[test]
fn labelled_values_are_found_with_their_unit_and_comparison() {
    for (file, rows_at_least) in [("va", 150), ("twlaw", 200), ("twlaw_en", 30)] {
        let mut tally = Tally::default();
        for row in rows(file) {
            count(&mut tally, &row);
        }
        println!(
            "{file}: {} rows, value found {}, unit agrees {}, comparison agrees {}\n  {}",
            tally.rows,
            tally.found,
            tally.unit,
            tally.relation,
            tally.left.join("\n  ")
        );
        assert!(tally.rows >= rows_at_least, "{file}: only {} rows were seen", tally.rows);
        let share = |part: usize, percent: usize| part * 100 >= tally.rows * percent;
        assert!(share(tally.found, 96), "{file}: values not found");
        assert!(share(tally.unit, 96), "{file}: units do not agree");
        assert!(share(tally.relation, 90), "{file}: comparisons do not agree");
    }
}

/// The rows of a file that are sure and state a number, a date, or a range of either.
fn rows(file: &str) -> Vec<Value> {
    let path = shared().join("gold").join(format!("{file}.jsonl"));
    let text =
        std::fs::read_to_string(&path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    let rows = text.lines().map(|it| serde_json::from_str::<Value>(it).unwrap());
    rows.filter(|it| it["unsure"] != true && !stated(it).is_empty()).collect()
}

fn shared() -> PathBuf {
    std::env::var_os("COUNTERSIGN_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")),
        PathBuf::from,
    )
}

/// The stated values as text; none where the value is words.
fn stated(row: &Value) -> Vec<String> {
    let one = |it: &Value| match it {
        Value::Number(it) => Some(it.to_string()),
        Value::String(it) => parse_date(it).map(|_| it.clone()),
        _ => None,
    };
    match &row["value"] {
        Value::Array(list) => list.iter().filter_map(one).collect(),
        it => one(it).into_iter().collect(),
    }
}

fn count(tally: &mut Tally, row: &Value) {
    let snippet = row["snippet"].as_str().unwrap();
    let readings = read_all(snippet);
    let values = stated(row);
    let wanted = relation(row["op"].as_str().unwrap());
    let unit = row["unit"].as_str().and_then(parse_unit);
    tally.rows += 1;
    let numbers: Option<Vec<Decimal>> =
        values.iter().map(|it| Decimal::from_str(it).ok()).collect();
    let (found, agrees, compares) = match numbers {
        Some(numbers) => number_row(&readings, &numbers, unit.as_ref(), wanted),
        None => date_row(&readings, &values, wanted),
    };
    tally.found += usize::from(found);
    tally.unit += usize::from(found && agrees);
    tally.relation += usize::from(found && agrees && compares);
    if !(found && agrees && compares) {
        tally.left.push(format!("{} {values:?} {} | {snippet}", row["op"], row["unit"]));
    }
}

fn number_row(
    readings: &Readings,
    values: &[Decimal],
    unit: Option<&Unit>,
    wanted: Relation,
) -> (bool, bool, bool) {
    if let [low, high] = values {
        let range = seek_range(readings, (*low, *high), unit).is_some();
        return (range, range, range);
    }
    match seek_number(readings, values[0], unit) {
        Standing::Year(_) => (true, true, true),
        Standing::Whole(found) => {
            let agreeing: Vec<&Quantity> =
                found.iter().filter(|it| unit_agrees(it, unit)).collect();
            (true, !agreeing.is_empty(), agreeing.iter().any(|it| it.relation == wanted))
        }
        _ => (false, false, false),
    }
}

fn date_row(readings: &Readings, values: &[String], wanted: Relation) -> (bool, bool, bool) {
    let dates: Vec<DateToken> = readings.dates.iter().flat_map(|it| it.dates.clone()).collect();
    let stands = |it: &String| {
        parse_date(it).is_some_and(|it| matches!(seek_date(&dates, it), DateStanding::Stands(_)))
    };
    let found = values.iter().all(stands);
    let first = parse_date(&values[0]).unwrap();
    let compares = readings.dates.iter().any(|it| {
        let same = it.dates.iter().any(|it| it.candidates.iter().any(|it| it.covers(first)));
        same && (it.relation == wanted || wanted == Relation::Equal && it.is_start)
    });
    (found, true, compares)
}

fn relation(op: &str) -> Relation {
    match op {
        "=" => Relation::Equal,
        ">=" => Relation::AtLeast,
        ">" => Relation::MoreThan,
        "<=" => Relation::AtMost,
        "<" => Relation::LessThan,
        "between" => Relation::Between,
        _ => Relation::Not,
    }
}
