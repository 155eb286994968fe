//! The `[[fields]]` of a source file: names, kinds, units, descriptions, examples; never a default.

use std::collections::BTreeMap;

use toml::de::DeValue;

use crate::sources::label::{check_label, is_field_name};
use crate::sources::mistakes::Mistakes;
use crate::sources::section::{Found, Section, shortened};
use crate::sources::suggest::{listed, nearest};
use crate::text::amounts::unit::{Family, parse_unit};

/// The keys of one entry.
pub const FIELD_KEYS: &[&str] = &["name", "type", "unit", "description", "examples"];

const KINDS: &[&str] =
    &["any", "number", "money", "percent", "duration", "date", "boolean", "text"];

/// Longest unit, in characters: `HKD/person/month` and `公頃/戶/年` are long ones.
const MAX_UNIT_CHARS: usize = 40;

/// Notes every mistake in the list of fields.
pub fn check_fields(root: &Section<'_, '_>, mistakes: &mut Mistakes<'_>) {
    let Some(list) = root.sections("fields", mistakes) else { return };
    if list.value.is_empty() && list_is_empty(root) {
        let help = "declare what a row may be about, one [[fields]] entry each";
        mistakes.add(list.at.clone(), list.mistake("at least one field", "none", help));
    }
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for field in &list.value {
        field.only(FIELD_KEYS, belongs_elsewhere, mistakes);
        if let Some(name) = check_name(field, mistakes) {
            let line = mistakes.line_of(name.at.start);
            if let Some(first) = lines.insert(name.value, line) {
                let help = format!("the first one is in line {first}");
                let found = format!("a second `{}`", name.value);
                mistakes
                    .add(name.at.clone(), name.mistake("each name to occur once", found, &help));
                lines.insert(name.value, first);
            }
        }
        let kind = check_kind(field, mistakes);
        check_unit(field, kind, mistakes);
        check_words(field, mistakes);
    }
}

fn list_is_empty(root: &Section<'_, '_>) -> bool {
    matches!(root.value("fields").map(|it| it.value), Some(DeValue::Array(it)) if it.is_empty())
}

fn check_name<'s>(field: &Section<'s, '_>, mistakes: &mut Mistakes<'_>) -> Option<Found<&'s str>> {
    if field.value("name").is_none() {
        field.missing("name", "small letters, digits and _, for example income_limit", mistakes);
    }
    let name = field.text("name", mistakes)?;
    if is_field_name(name.value) {
        return Some(name);
    }
    let help = "small letters a to z, digits and _, a letter first: income_limit";
    let found = format!("`{}`", shortened(name.value));
    mistakes.add(name.at.clone(), name.mistake("a field name", found, help));
    None
}

/// The kind, where one is named and known.
fn check_kind(field: &Section<'_, '_>, mistakes: &mut Mistakes<'_>) -> Option<&'static str> {
    let kind = field.text("type", mistakes)?;
    if let Some(known) = KINDS.iter().find(|it| **it == kind.value) {
        return Some(known);
    }
    let meant = match kind.value.to_ascii_lowercase().as_str() {
        "string" | "str" | "words" | "文字" => Some("text"),
        "int" | "integer" | "float" | "decimal" | "數字" => Some("number"),
        "bool" | "yes/no" => Some("boolean"),
        "currency" | "amount" | "price" | "金額" => Some("money"),
        "percentage" | "%" | "rate" => Some("percent"),
        "datetime" | "day" | "日期" => Some("date"),
        "period" | "time" | "期間" => Some("duration"),
        _ => nearest(kind.value, KINDS.iter().copied()),
    };
    let help = meant.map_or_else(String::new, |it| format!("did you mean `{it}`?"));
    let expected = format!("one of {}", listed(KINDS.iter().copied()));
    let found = format!("`{}`", shortened(kind.value));
    mistakes.add(kind.at.clone(), kind.mistake(&expected, found, &help));
    None
}

fn check_unit(field: &Section<'_, '_>, kind: Option<&str>, mistakes: &mut Mistakes<'_>) {
    const EXPECTED: &str = "a unit such as years, HKD/month, %, 歲 or 元";
    let Some(unit) = field.text("unit", mistakes) else { return };
    let found = if unit.value.trim().is_empty() {
        "nothing".to_owned()
    } else if unit.value.contains(char::is_control) || unit.value.trim() != unit.value {
        "white space around it or a line break".to_owned()
    } else if unit.value.chars().count() > MAX_UNIT_CHARS {
        format!("{} characters", unit.value.chars().count())
    } else if unit.value.chars().any(char::is_numeric) {
        format!("a number in `{}`", shortened(unit.value))
    } else if let Some(family) = parse_unit(unit.value).map(|it| it.family) {
        if kind.is_none_or(|it| kind_takes(it, family)) {
            return;
        }
        let kind = kind.unwrap_or_default();
        let found = format!("`{}`", shortened(unit.value));
        let expected = format!("a unit of the type `{kind}`");
        mistakes.add(unit.at.clone(), unit.mistake(&expected, found, "or another type"));
        return;
    } else {
        format!("`{}`", shortened(unit.value))
    };
    let help = "the unit alone; leave the key out where a field has none";
    mistakes.add(unit.at.clone(), unit.mistake(EXPECTED, found, help));
}

/// A noun that no table knows goes with every kind.
fn kind_takes(kind: &str, family: Family) -> bool {
    match (kind, family) {
        (_, Family::Other) => true,
        ("money", it) => it == Family::Money,
        ("percent", it) => it == Family::Percent,
        ("duration", it) => matches!(it, Family::Duration | Family::Age),
        ("date", it) => it == Family::Date,
        _ => true,
    }
}

fn check_words(field: &Section<'_, '_>, mistakes: &mut Mistakes<'_>) {
    if field.value("description").is_none() {
        let what = "what belongs here, in the words a reader needs to choose between fields";
        field.missing("description", what, mistakes);
    }
    if let Some(description) = field.text("description", mistakes)
        && description.value.trim().is_empty()
    {
        let help = "say what belongs here and what does not";
        let mistake = description.mistake("a description", "nothing", help);
        mistakes.add(description.at.clone(), mistake);
    }
    for example in field.texts("examples", mistakes).unwrap_or_default() {
        check_label(&example, mistakes);
    }
}

fn belongs_elsewhere(word: &str) -> Option<String> {
    let ours = match word {
        "id" | "key" | "field" | "名稱" => "name",
        "kind" | "value_type" | "類型" => "type",
        "units" | "單位" => "unit",
        "desc" | "help" | "說明" => "description",
        "example" | "例子" => "examples",
        _ => return None,
    };
    Some(format!("did you mean `{ours}`?"))
}
