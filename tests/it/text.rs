//! The readers of `text/` through their public functions: numbers, units, comparisons, dates.

use countersign::text::amounts::comparator::Relation;
use countersign::text::amounts::quantity::{Quantity, read_all};
use countersign::text::numbers::number::{NumberToken, read_numbers};
use countersign::text::numbers::role::Role;

mod comparisons;
mod dates;
mod laws;
mod roles;
mod spellings;
mod standings;
mod units;

/// Runs a table and names every line that fails, not only the first.
fn check(table: &[(&str, &str)], told: impl Fn(&str) -> String) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(text, wanted)| {
            let found = told(text);
            (found != *wanted).then(|| format!("{text}\n    wanted: {wanted}\n    found:  {found}"))
        })
        .collect();
    assert!(table.len() > 4, "a table this short proves little");
    assert!(wrong.is_empty(), "{} of {} lines:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

/// The values of a text: `65 0.5 50%`.
fn values(text: &str) -> String {
    let all = read_numbers(text);
    let told: Vec<String> = all.iter().filter(|it| it.is_value()).map(spell).collect();
    told.join(" ")
}

fn spell(token: &NumberToken) -> String {
    use countersign::text::numbers::numeral_zh::Form;
    match token.form {
        Form::Percent => format!("{}%", token.value),
        Form::Permille => format!("{}‰", token.value),
        Form::Fraction(num, den) => format!("{num}/{den}"),
        Form::Plain if token.approximate => format!("~{}", token.value),
        Form::Plain => token.value.to_string(),
    }
}

/// The numbers of a text that are no values, with their roles: `reference 3, list 1`.
fn others(text: &str) -> String {
    let all = read_numbers(text);
    let told: Vec<String> = all
        .iter()
        .filter(|it| !it.is_value())
        .map(|it| format!("{} {}", role(it.role), it.value))
        .collect();
    told.join(", ")
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Value => "value",
        Role::Ordinal => "ordinal",
        Role::Reference => "reference",
        Role::ListMarker => "list",
        Role::DatePart => "date",
        Role::Clock => "clock",
        Role::WordPart => "word",
    }
}

/// The quantities of a text: `>=65 year(age); =20 HKD/month`.
fn quantities(text: &str) -> String {
    let told: Vec<String> = read_all(text).quantities.iter().map(tell).collect();
    told.join("; ")
}

fn tell(quantity: &Quantity) -> String {
    use countersign::text::amounts::unit::Family;
    let numbers: Vec<String> = quantity.numbers.iter().map(|it| it.value.to_string()).collect();
    let unit = quantity.unit.as_ref().map_or_else(String::new, |unit| {
        let age = if unit.family == Family::Age { "(age)" } else { "" };
        let per: String = unit.per.iter().map(|it| format!("/{it}")).collect();
        format!(" {}{age}{per}", unit.name)
    });
    format!("{}{}{unit}", sign(quantity.relation), numbers.join(".."))
}

fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "=",
        Relation::AtLeast => ">=",
        Relation::MoreThan => ">",
        Relation::AtMost => "<=",
        Relation::LessThan => "<",
        Relation::Between => "in ",
        Relation::Not => "!=",
    }
}

/// The dates of a text: `<=2027-03-04|2027-04-03`; parts that are not stated are left out.
fn dates(text: &str) -> String {
    let told: Vec<String> = read_all(text)
        .dates
        .iter()
        .map(|it| {
            let days: Vec<String> = it.dates.iter().map(date).collect();
            format!("{}{}", sign(it.relation), days.join(".."))
        })
        .collect();
    told.join("; ")
}

fn date(token: &countersign::text::dates::date::DateToken) -> String {
    let part = |it: Option<i16>, width: usize| {
        it.map_or_else(|| "_".to_owned(), |it| format!("{it:0width$}"))
    };
    let told: Vec<String> = token
        .candidates
        .iter()
        .map(|it| {
            format!(
                "{}-{}-{}",
                part(it.year, 4),
                part(it.month.map(i16::from), 2),
                part(it.day.map(i16::from), 2)
            )
        })
        .collect();
    told.join("|")
}
