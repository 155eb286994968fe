//! What a number counts: unit families with canonical names, for page text and for a claim's unit field.
//! Never converts one unit into another: 24 months and 2 years are different statements.

use crate::text::amounts::money::{Currency, currency_named};
use crate::text::amounts::unit_table::{NOT_UNITS, STILL_UNITS, UNITS, family_of};
use crate::text::glyphs::letter::is_han;
use crate::text::lexeme::{LexKind, Lexemes, is_hyphen};

pub use crate::text::amounts::unit_table::Family;

/// A unit as read from a page or from a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What sort of thing is counted.
    pub family: Family,
    /// One name per unit: `year`, `working-day`, `person`, `TWD`; the noun itself for `Other`.
    pub name: String,
    /// For money.
    pub currency: Option<Currency>,
    /// What the amount is for each of, in canonical names, as worded: `["person", "month"]`.
    pub per: Vec<String>,
    /// True for the bare English "years", which may be a duration or an age.
    pub may_be_age: bool,
    /// True for the English "times", which may count occasions or multiply.
    pub may_be_multiple: bool,
}

impl Unit {
    /// A unit without "per".
    pub fn plain(family: Family, name: &str) -> Self {
        Self {
            family,
            name: name.to_owned(),
            currency: None,
            per: Vec::new(),
            may_be_age: false,
            may_be_multiple: false,
        }
    }

    /// An amount of money.
    pub fn money(currency: Currency) -> Self {
        let name = match currency {
            Currency::Code(code) => code,
            Currency::Dollar => "dollar",
            Currency::Yuan => "yuan",
            Currency::Yen => "yen",
            Currency::Cent => "cent",
        };
        Self { currency: Some(currency), ..Self::plain(Family::Money, name) }
    }

    /// Percent.
    pub fn percent() -> Self {
        Self::plain(Family::Percent, "percent")
    }

    /// True for persons, alone or in households.
    pub fn counts_people(&self) -> bool {
        let people = ["person", "child", "dependent", "employee", "household", "couple"];
        self.family == Family::Count && people.contains(&self.name.as_str())
    }

    /// True for times, grades, and things that are never persons.
    pub fn counts_no_people(&self) -> bool {
        const THINGS: &[&str] = &[
            "copy",
            "sheet",
            "page",
            "vehicle",
            "vessel",
            "instalment",
            "credit",
            "bed",
            "room",
            "floor",
            "share",
            "lesson",
            "animal",
            "tree",
            "course",
            "birth",
            "point",
        ];
        matches!(self.family, Family::Frequency | Family::Grade | Family::Multiple)
            || self.family == Family::Count && THINGS.contains(&self.name.as_str())
    }

    /// True where both can be the unit of one statement: the same unit, or a wider wording of it.
    /// What only one of them says (a period, the currency behind a bare `$`) is no disagreement.
    pub fn agrees_with(&self, other: &Unit) -> bool {
        self.core_agrees(other) && self.per_agrees(other)
    }

    fn core_agrees(&self, other: &Unit) -> bool {
        if self.family == Family::Other || other.family == Family::Other {
            return nouns_agree(&self.name, &other.name);
        }
        match (self.family, other.family) {
            (Family::Money, Family::Money) => match (self.currency, other.currency) {
                (Some(one), Some(two)) => one.agrees_with(two),
                _ => true,
            },
            (Family::Age, Family::Duration) => other.may_be_age && self.name == other.name,
            (Family::Duration, Family::Age) => self.may_be_age && self.name == other.name,
            // English says "1.5 times" for both 次 and 倍.
            (Family::Frequency, Family::Multiple) => self.may_be_multiple,
            (Family::Multiple, Family::Frequency) => other.may_be_multiple,
            (one, two) => one == two && self.name == other.name,
        }
    }

    /// Periods disagree only where both name one of the same sort: per month against per year.
    pub fn per_agrees(&self, other: &Unit) -> bool {
        let fits = |one: &String, two: &String| {
            let is_other_period = is_period(one) && is_period(two);
            let is_other_party = party(one).zip(party(two)).is_some_and(|(one, two)| one != two);
            let is_other_measure = is_physical(one) && is_physical(two);
            one == two || !is_other_period && !is_other_party && !is_other_measure
        };
        self.per
            .iter()
            .all(|one| other.per.contains(one) || other.per.iter().all(|two| fits(one, two)))
    }
}

/// Whom an amount is for each of: a person and a household are not the same.
fn party(name: &str) -> Option<u8> {
    match name {
        "person" => Some(1),
        "household" | "couple" => Some(2),
        "ping" | "square-metre" | "square-foot" | "hectare" | "acre" => Some(3),
        "kilometre" | "mile" => Some(4),
        "vehicle" | "vessel" => Some(5),
        "animal" | "tree" => Some(6),
        _ => None,
    }
}

/// True for names of length, area, volume and weight: per kilogram is not per tonne, per 100 litres not
/// per litre.
fn is_physical(name: &str) -> bool {
    let noun = name.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.').trim_start();
    matches!(family_of(noun), Some(Family::Length | Family::Area | Family::Volume | Family::Mass))
}

/// True for the names of lengths of time.
pub fn is_period(name: &str) -> bool {
    // "2 week" is every two weeks.
    let noun = name.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.').trim_start();
    matches!(
        noun,
        "year"
            | "half-year"
            | "quarter"
            | "month"
            | "week"
            | "fortnight"
            | "semester"
            | "decade"
            | "day"
            | "working-day"
            | "hour"
            | "minute"
            | "school-year"
    )
}

fn nouns_agree(one: &str, two: &str) -> bool {
    one == two || one.split(' ').any(|it| it.len() > 2 && two.split(' ').any(|other| other == it))
}

/// The unit that starts at `at`, of any family but money: the lexeme after it and the unit.
pub fn unit_at(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, Unit)> {
    if lexemes.kind(at) == LexKind::Han
        && NOT_UNITS.stands_at(lexemes, at)
        && !STILL_UNITS.stands_at(lexemes, at)
    {
        return None;
    }
    let (end, (family, name)) = UNITS.longest_at(lexemes, at)?;
    let spelled = lexemes.span(at, end).slice(lexemes.text()).unwrap_or_default();
    let mut unit = Unit::plain(family, name);
    unit.may_be_age =
        family == Family::Duration && matches!(name, "year" | "month") && spelled.is_ascii();
    unit.may_be_multiple = family == Family::Frequency && lexemes.is_word(at, "times");
    Some((end, unit))
}

/// The unit after a number that ends at `at`: white space, a hyphen and a few filler words between.
pub fn unit_after(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, usize, Unit)> {
    let mut start = lexemes.solid(at);
    let wrapped = lexemes.kind(at) == LexKind::Break;
    if wrapped && !lexemes.slice(start).starts_with(|it: char| it.is_lowercase() || is_han(it)) {
        return None;
    }
    if lexemes.kind(start) == LexKind::Mark && is_hyphen(lexemes.head(start)) {
        start = lexemes.solid(start + 1);
    }
    for _ in 0..3 {
        if let Some((end, unit)) = unit_at(lexemes, start) {
            return Some((start, end, unit));
        }
        if !lexemes.is_word_of(start, FILLERS) {
            return None;
        }
        start = lexemes.solid(start + 1);
        if is_hyphen(lexemes.head(start)) {
            start = lexemes.solid(start + 1);
        }
    }
    None
}

/// Words that may stand between a number and its unit.
const FILLERS: &[&str] = &[
    "continuous",
    "consecutive",
    "full",
    "complete",
    "whole",
    "more",
    "additional",
    "further",
    "extra",
    "other",
    "such",
    "of",
    "the",
    "separate",
    "different",
    "eligible",
    "adult",
    "adults",
    "minor",
    "consecutively",
    "entire",
    "successive",
    "dependent",
    "full-time",
];

/// Reads a claim's unit field: `years`, `HKD/month`, `TWD/人`, `次/季`, `%`, `working days`, `date`.
pub fn parse_unit(field: &str) -> Option<Unit> {
    let field = field.trim();
    if field.is_empty() {
        return None;
    }
    if let Some(tail) = field.strip_prefix("per ").or_else(|| field.strip_prefix("every ")) {
        let per = vec![per_name(tail)];
        return Some(Unit { per, ..Unit::plain(Family::Frequency, "time") });
    }
    let mut pieces = field.split(['/', '／']).map(str::trim);
    let head = pieces.next().unwrap_or_default();
    let mut unit = if head.is_empty() { Unit::plain(Family::Other, "") } else { whole_unit(head) };
    let (core, tail) = split_per(head);
    if !tail.is_empty() {
        unit = whole_unit(core);
        unit.per.extend(tail.iter().map(|it| per_name(it)));
    }
    unit.per.extend(pieces.filter(|it| !it.is_empty()).map(per_name));
    Some(unit)
}

/// `USD per month` and `每月元` come apart into the unit and what it is per.
fn split_per(head: &str) -> (&str, Vec<&str>) {
    for word in [" per ", " a ", " each ", " every "] {
        if let Some((core, tail)) = head.split_once(word)
            && !core.is_empty()
            && core != "%"
        {
            return (core.trim(), tail.split(word).map(str::trim).collect());
        }
    }
    (head, Vec::new())
}

fn per_name(piece: &str) -> String {
    let piece = piece.strip_prefix(['每']).unwrap_or(piece);
    let piece = piece.strip_prefix("per ").unwrap_or(piece);
    // "per 3 months" and "/4 weeks" are periods of several units.
    let digits = piece.len() - piece.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let (number, noun) = piece.split_at(digits);
    let name = whole_unit(noun.trim()).name;
    if number.is_empty() || number == "1" { name } else { format!("{number} {name}") }
}

fn whole_unit(word: &str) -> Unit {
    if let Some(money) = currency_named(word) {
        return Unit::money(money);
    }
    let lexemes = Lexemes::new(word);
    let wanted = lexemes.len();
    if matches!(word.to_lowercase().as_str(), "date" | "日期" | "iso date" | "yyyy-mm-dd") {
        return Unit::plain(Family::Date, "date");
    }
    if matches!(word.to_lowercase().as_str(), "age" | "aged" | "years (age)" | "年齡" | "年歲")
    {
        return Unit::plain(Family::Age, "year");
    }
    if matches!(word.to_lowercase().as_str(), "times as much" | "multiple" | "x" | "ratio") {
        return Unit::plain(Family::Multiple, "multiple");
    }
    match unit_at(&lexemes, 0) {
        Some((end, unit)) if end == wanted => unit,
        // "level of direct line blood relation": the head noun is the unit.
        Some((end, unit)) if lexemes.is_word(lexemes.solid(end), "of") => unit,
        _ => Unit::plain(Family::Other, &singular(word)),
    }
}

/// Lower case, each word without its plural s.
pub fn singular(words: &str) -> String {
    let one = |word: &str| {
        let lower = word.to_lowercase();
        match lower.strip_suffix("ies") {
            Some(stem) if stem.len() > 1 => format!("{stem}y"),
            _ if lower.ends_with("ss") || lower.len() < 4 => lower,
            _ => lower.strip_suffix('s').map_or_else(|| lower.clone(), str::to_owned),
        }
    };
    words.split_whitespace().map(one).collect::<Vec<_>>().join(" ")
}
