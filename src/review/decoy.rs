//! Rows that are known to be false, mixed into a review so that the reviewer is watched too.
//!
//! Made from the item's own rows and chosen by the ask's own content, so a replay shows the same
//! ones. Each is refused by the gate, so code knows that it is false. None ever leaves the review.

use crate::ask::canonical::{canonical_json, hex_sha256};
use crate::ask::reply::ParsedExtract;
use crate::gate::judge::judge_parsed;
use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::model::ask::ExtractReply;
use crate::model::claim::{Claim, Value};
use crate::model::finding::Verdict;

/// Rows above this number get a second false one.
const ROWS_FOR_TWO: usize = 6;

/// A row as the reviewer is shown it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Place in the review's input; `None` for a false row.
    pub place: Option<usize>,
    pub claim: Claim,
}

/// Mixes false rows into `rows` and gives all of them ids of our own, in the order shown.
pub fn mix_in(rows: &[(usize, Claim)], page: &PageText, scope: &Scope<'_>) -> Vec<Shown> {
    let mut chance = Chance::new(rows);
    let mut wanted = match rows.len() {
        0 => 0,
        1..=ROWS_FOR_TWO => 1,
        _ => 2,
    };
    let mut shown: Vec<Shown> =
        rows.iter().map(|(at, claim)| Shown { place: Some(*at), claim: claim.clone() }).collect();
    let start = chance.below(rows.len());
    for step in 0..rows.len() {
        if wanted == 0 {
            break;
        }
        let model = &rows[(start + step) % rows.len()].1;
        if let Some(claim) = falsified(model, &mut chance, page, scope) {
            let at = chance.below(shown.len() + 1);
            shown.insert(at, Shown { place: None, claim });
            wanted -= 1;
        }
    }
    for (at, row) in shown.iter_mut().enumerate() {
        row.claim.id = format!("r{}", at + 1);
    }
    shown
}

/// The row with another number, or turned into its contrary; `None` where the gate would let it pass.
fn falsified(
    claim: &Claim,
    chance: &mut Chance,
    page: &PageText,
    scope: &Scope<'_>,
) -> Option<Claim> {
    let tries = [other_number(claim, chance), Some(contrary(claim, scope.language))];
    tries.into_iter().flatten().find(|it| is_refused(it, page, scope))
}

fn is_refused(claim: &Claim, page: &PageText, scope: &Scope<'_>) -> bool {
    let alone = Claim { group: None, join: None, ..claim.clone() };
    let reply = ExtractReply { rows: vec![alone], groups: vec![] };
    let judged = judge_parsed(page, &ParsedExtract::from(reply), scope);
    judged.rows.iter().all(|it| it.verdict() == Verdict::Fail) && !judged.rows.is_empty()
}

/// The number changed in its first digit, in the value and in the quote alike, so that only a look at
/// the page tells.
fn other_number(claim: &Claim, chance: &mut Chance) -> Option<Claim> {
    let Value::Number(number) = &claim.value else { return None };
    let stated: rust_decimal::Decimal = number.to_string().parse().ok()?;
    let (start, token) =
        digit_runs(&claim.snippet).find(|(_, run)| run.replace(',', "").parse() == Ok(stated))?;
    let digit = token.bytes().find(|it| (b'1'..=b'9').contains(it))?;
    let other = b'1' + (digit - b'1' + 1 + u8::try_from(chance.below(8)).unwrap_or(0)) % 9;
    let change = |text: &str| text.replacen(char::from(digit), &char::from(other).to_string(), 1);
    let value: serde_json::Number = change(&number.to_string()).parse().ok()?;
    let mut snippet = claim.snippet.clone();
    snippet.replace_range(start..start + token.len(), &change(token));
    Some(Claim { value: Value::Number(value), snippet, statement: None, ..claim.clone() })
}

/// Runs of ASCII digits with their separators, and where they start.
fn digit_runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |it: char| it.is_ascii_digit() || matches!(it, ',' | '.');
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(|it: char| it.is_ascii_digit())?;
        let len = text[start..].find(|it| !is_part(it)).unwrap_or(text.len() - start);
        rest = start + len;
        Some((start, text[start..rest].trim_end_matches([',', '.'])))
    })
}

/// The row turned into its contrary, quote and all.
fn contrary(claim: &Claim, language: &str) -> Claim {
    let not = if language.starts_with("zh") { "並非" } else { "not " };
    let value = match &claim.value {
        Value::Text(words) => Value::Text(format!("{not}{words}")),
        Value::Bool(it) => Value::Bool(!it),
        other => other.clone(),
    };
    Claim { value, snippet: format!("{not}{}", claim.snippet), statement: None, ..claim.clone() }
}

/// Choices that are the same for the same rows.
struct Chance {
    digest: String,
    at: usize,
}

impl Chance {
    fn new(rows: &[(usize, Claim)]) -> Self {
        let claims: Vec<&Claim> = rows.iter().map(|(_, claim)| claim).collect();
        let text = canonical_json(&claims).unwrap_or_default();
        Self { digest: hex_sha256(text.as_bytes()), at: 0 }
    }

    /// A number below `n`; 0 for 0.
    fn below(&mut self, n: usize) -> usize {
        let part = self.digest.get(self.at..self.at + 6).unwrap_or("0");
        let drawn = usize::from_str_radix(part, 16).unwrap_or(0);
        self.at = (self.at + 6) % 60;
        drawn.checked_rem(n).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::claim::Op;

    fn rows() -> Vec<(usize, Claim)> {
        let claim = |snippet: &str, value: Value, op| Claim {
            field: "other".to_owned(),
            snippet: snippet.to_owned(),
            subject: "you".to_owned(),
            value,
            op,
            ..Claim::default()
        };
        vec![
            (
                0,
                claim("savings of no more than 15,000 crowns", Value::Number(15000.into()), Op::Le),
            ),
            (2, claim("持有有效的渡輪卡", Value::Text("持有有效的渡輪卡".to_owned()), Op::Is)),
        ]
    }

    #[test]
    fn a_false_number_is_false_in_value_and_quote_alike() {
        let rows = rows();
        let found = other_number(&rows[0].1, &mut Chance::new(&rows)).unwrap();
        assert_ne!(found.value, rows[0].1.value);
        assert_ne!(found.snippet, rows[0].1.snippet);
        let digits: String = found.snippet.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(found.value.to_string(), digits);
        assert_eq!(other_number(&rows[1].1, &mut Chance::new(&rows)), None);
    }

    #[test]
    fn runs_of_digits_keep_their_separators() {
        let found: Vec<_> = digit_runs("共 1,200.50 元, 至多 3, 次").collect();
        assert_eq!(found, [(4, "1,200.50"), (25, "3")]);
    }

    #[test]
    fn the_same_rows_are_shown_the_same_false_rows_and_the_true_ones_stay() {
        let page = PageText::index(
            "You may have savings of no more than 15,000 crowns.\n\n並須持有有效的渡輪卡。",
        );
        let scope = Scope::default();
        let shown = mix_in(&rows(), &page, &scope);
        assert_eq!(shown, mix_in(&rows(), &page, &scope));
        assert_eq!(shown.len(), 3, "{shown:?}");
        let places: Vec<_> = shown.iter().filter_map(|it| it.place).collect();
        assert_eq!(places, [0, 2]);
        let ids: Vec<_> = shown.iter().map(|it| it.claim.id.as_str()).collect();
        assert_eq!(ids, ["r1", "r2", "r3"]);
        assert!(mix_in(&[], &page, &scope).is_empty());
    }
}
