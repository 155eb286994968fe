//! Rows that are known to be false, mixed into a review so that the reviewer is watched too.
//!
//! Made from the item's own rows and chosen by the ask's own content, so a replay shows the same
//! ones. The gate refuses each, or points at the exception that it lost, and the built-in reader objects
//! to it, so two readings of code say that it is false, and plainly so. The kinds are spread over what the
//! rows allow: those that few rows allow are drawn first where they can be made. None ever leaves the review.

use std::collections::BTreeSet;

use crate::ask::canonical::{canonical_json, hex_sha256};
use crate::ask::reply::ParsedExtract;
use crate::gate::judge::Bench;
use crate::gate::page::PageText;
use crate::gate::scope::Scope;
use crate::model::ask::ExtractReply;
use crate::model::claim::{Claim, Group};
use crate::plant::dice::Dice;
use crate::plant::falsehood::{Falsehood, Field};
use crate::reader::review::SecondLook;

/// Rows above this number get a second false one.
const ROWS_FOR_TWO: usize = 6;

/// A row as the reviewer is shown it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Place in the review's input; `None` for a false row.
    pub place: Option<usize>,
    pub claim: Claim,
    /// What is wrong with it; `None` for a row of the input.
    pub falsehood: Option<Falsehood>,
}

/// Mixes false rows into `rows` and gives all of them ids of our own, in the order shown. `text` is the
/// item as the reviewer sees it.
pub fn mix_in(
    rows: &[(usize, Claim)],
    groups: &[Group],
    (page, text): (&PageText, &str),
    scope: &Scope<'_>,
) -> Vec<Shown> {
    if rows.is_empty() {
        return Vec::new();
    }
    let claims: Vec<Claim> = rows.iter().map(|it| it.1.clone()).collect();
    let mut dice = Dice::new(0, &digest_of(&claims));
    let reply = ExtractReply { rows: claims.clone(), groups: groups.to_vec() };
    let parsed = ParsedExtract::from(reply);
    let field = Field::new(page, Bench::new(page, &parsed, *scope), &claims);
    let mut shown: Vec<Shown> = rows
        .iter()
        .map(|(at, claim)| Shown { place: Some(*at), claim: claim.clone(), falsehood: None })
        .collect();
    let look = SecondLook::new(text, scope.page_title, scope.heading_path);
    add_false_rows(&mut shown, (&field, &look), &mut dice);
    for (at, row) in shown.iter_mut().enumerate() {
        row.claim.id = format!("r{}", at + 1);
    }
    shown
}

/// One or two false rows, each of another kind and of another row, wherever they come to stand among the
/// others; with a true quote where any can be made.
fn add_false_rows(
    shown: &mut Vec<Shown>,
    (field, look): (&Field<'_>, &SecondLook<'_>),
    dice: &mut Dice,
) {
    let n_rows = shown.len();
    let wanted = if n_rows <= ROWS_FOR_TWO { 1 } else { 2 };
    let mut taken = BTreeSet::new();
    for falsehood in order_of_kinds(dice) {
        if taken.len() == wanted || (falsehood == Falsehood::Quote && !taken.is_empty()) {
            break;
        }
        let (start, to) = (dice.below(n_rows), dice.below(shown.len() + 1));
        let rows = (0..n_rows).map(|step| (start + step) % n_rows);
        let made = rows.filter(|at| !taken.contains(at)).find_map(|at| {
            let claim = field.falsify(at, falsehood, dice)?;
            let row = Shown { place: None, claim, falsehood: Some(falsehood) };
            is_seen(shown, (to, &row), look).then_some((at, row))
        });
        if let Some((at, row)) = made {
            taken.insert(at);
            shown.insert(to, row);
        }
    }
}

/// True where the built-in reader objects to the false row at its place among the others, and still to
/// those before it.
fn is_seen(shown: &[Shown], (to, row): (usize, &Shown), look: &SecondLook<'_>) -> bool {
    let mut all: Vec<&Shown> = shown.iter().collect();
    all.insert(to, row);
    let false_ones: Vec<usize> = (0..all.len()).filter(|at| all[*at].falsehood.is_some()).collect();
    let claims: Vec<Claim> = all.into_iter().map(|it| it.claim.clone()).collect();
    look.objects_to(&claims, &false_ones)
}

/// How often a kind is drawn before the others, where its turn comes. Few rows allow a wrong and/or, a
/// lost exception or a hardened hedge; nearly all rows in words allow a "not" too many or the words of
/// another row. Fitted to what the rows of three official sites and of the bundled one allow, so that no
/// kind outweighs the others among the rows shown.
const WEIGHTS: [(Falsehood, usize); 10] = [
    (Falsehood::Join, 240),
    (Falsehood::Exception, 240),
    (Falsehood::Hedge, 240),
    (Falsehood::Force, 80),
    (Falsehood::Unit, 24),
    (Falsehood::Operator, 24),
    (Falsehood::Value, 12),
    (Falsehood::Subject, 12),
    (Falsehood::Words, 3),
    (Falsehood::Negation, 1),
];

/// The kinds in the order in which they are tried, drawn by the content; an altered quote, which is easily
/// seen, only where nothing else can be made.
fn order_of_kinds(dice: &mut Dice) -> Vec<Falsehood> {
    let mut left = WEIGHTS.to_vec();
    let mut order = Vec::with_capacity(left.len() + 1);
    while !left.is_empty() {
        let mut drawn = dice.below(left.iter().map(|it| it.1).sum());
        let at = left.iter().position(|it| {
            let is_here = drawn < it.1;
            drawn = drawn.saturating_sub(it.1);
            is_here
        });
        order.push(left.remove(at.unwrap_or(0)).0);
    }
    order.push(Falsehood::Quote);
    order
}

fn digest_of(claims: &[Claim]) -> String {
    hex_sha256(canonical_json(&claims).unwrap_or_default().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::judge::judge;
    use crate::model::claim::{Op, Value};
    use crate::model::finding::Verdict;

    const PAGE: &str = "# Harbour help\n\n## Ferry grant\n\nYou may have savings of no more than \
                        15,000 crowns. You must apply within 30 days.\n\n## Boat pass\n\n並須持有有效的渡輪卡。";

    fn claim(snippet: &str, value: Value, op: Op, unit: Option<&str>) -> Claim {
        Claim {
            field: "other".to_owned(),
            snippet: snippet.to_owned(),
            subject: "you".to_owned(),
            value,
            op,
            unit: unit.map(str::to_owned),
            ..Claim::default()
        }
    }

    fn rows() -> Vec<(usize, Claim)> {
        let savings = "savings of no more than 15,000 crowns";
        let days = "You must apply within 30 days";
        vec![
            (0, claim(savings, Value::Number(15_000.into()), Op::Le, Some("crowns"))),
            (1, claim(days, Value::Number(30.into()), Op::Le, Some("days"))),
            (3, claim("持有有效的渡輪卡", Value::Text("持有有效的渡輪卡".into()), Op::Is, None)),
        ]
    }

    #[test]
    fn the_same_rows_are_shown_the_same_false_rows_and_the_true_ones_stay() {
        let page = PageText::index(PAGE);
        let scope = Scope::default();
        let shown = mix_in(&rows(), &[], (&page, PAGE), &scope);
        assert_eq!(shown, mix_in(&rows(), &[], (&page, PAGE), &scope));
        assert_eq!(shown.len(), 4, "{shown:?}");
        let places: Vec<_> = shown.iter().filter_map(|it| it.place).collect();
        assert_eq!(places, [0, 1, 3]);
        let ids: Vec<_> = shown.iter().map(|it| it.claim.id.as_str()).collect();
        assert_eq!(ids, ["r1", "r2", "r3", "r4"]);
        assert!(mix_in(&[], &[], (&page, PAGE), &scope).is_empty());
    }

    #[test]
    fn a_false_row_quotes_the_page_and_is_refused_by_the_gate() {
        let page = PageText::index(PAGE);
        let scope = Scope::default();
        // Every subset of the rows is another ask, and so draws another false row.
        let mut seen = BTreeSet::new();
        for mask in 1..8_usize {
            let some: Vec<_> =
                rows().into_iter().filter(|it| mask & (1 << it.0.min(2)) > 0).collect();
            for it in mix_in(&some, &[], (&page, PAGE), &scope) {
                let Some(falsehood) = it.falsehood else { continue };
                let quotes_page = PAGE.contains(&it.claim.snippet);
                assert_eq!(quotes_page, falsehood != Falsehood::Quote, "{:?}", it.claim);
                let reply = ExtractReply { rows: vec![it.claim.clone()], groups: vec![] };
                let judged = judge(&page, &reply, &scope);
                assert_eq!(judged.rows[0].verdict(), Verdict::Fail, "{:?}", it.claim);
                seen.insert(falsehood.as_str());
            }
        }
        assert!(seen.len() > 2, "{seen:?}");
    }

    #[test]
    fn a_change_that_leaves_a_true_row_is_not_used() {
        // Both limits stand in the quote: an operator at the border or the other number is as true.
        let page = PageText::index("Open to those aged 60 or over, and over 60 in winter.");
        let both = claim(
            "aged 60 or over, and over 60 in winter",
            Value::Number(60.into()),
            Op::Ge,
            Some("years"),
        );
        for it in mix_in(&[(0, both)], &[], (&page, page.text()), &Scope::default()) {
            assert_ne!((it.falsehood, it.claim.op), (Some(Falsehood::Operator), Op::Gt));
        }
    }
}
