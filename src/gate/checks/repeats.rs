//! Which rows say the same as an earlier one.
//!
//! It remembers no row whole: a digest of what is stated, the place, the name. It drops nothing.

use std::collections::BTreeMap;

use crate::gate::digest::digest_of;
use crate::gate::draft::Draft;
use crate::gate::places::stream::forms_of;
use crate::gate::values::value::{unit_of, wanted_of};
use crate::model::claim::Claim;
use crate::text::amounts::unit::Unit;
use crate::text::span::Span;

/// Rows of one statement are compared with this many neighbours before and behind them on the page.
const MAX_COMPARED: usize = 48;

/// More distinct rows than this are not remembered; their repeats stand as rows of their own.
pub const MAX_REMEMBERED: usize = 1_000_000;

/// The rows seen so far.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    /// What is stated, then where -> the row, in order of place.
    seen: BTreeMap<u128, BTreeMap<(Span, usize), Kept>>,
    count: usize,
}

#[derive(Clone, Debug)]
struct Kept {
    id: String,
    number: Option<Span>,
    unit: Option<(Unit, String)>,
}

impl Repeats {
    /// The name of the earlier row that says the same as this one at `span`; else the row is
    /// remembered. Rows are to be given in the order of the reply.
    pub fn take(&mut self, draft: &Draft, span: Span) -> Option<String> {
        let claim = &draft.claim;
        let key = statement_of(claim);
        let unit = unit_of(claim).map(|(unit, factor)| (unit, factor.to_string()));
        let kept = Kept { id: claim.id.clone(), number: draft.number, unit };
        if let Some(rows) = self.seen.get(&key) {
            let before = rows.range(..(span, usize::MAX)).rev().take(MAX_COMPARED);
            let behind = rows.range((span, usize::MAX)..).take(MAX_COMPARED);
            let same = before
                .chain(behind)
                .filter(|((place, _), it)| says_same((*place, it), (span, &kept)))
                .min_by_key(|((_, turn), _)| *turn);
            if let Some((_, first)) = same {
                return Some(first.id.clone());
            }
        }
        if self.count < MAX_REMEMBERED {
            self.seen.entry(key).or_default().insert((span, self.count), kept);
            self.count += 1;
        }
        None
    }

    /// True where a row could no longer be remembered.
    pub fn is_full(&self) -> bool {
        self.count == MAX_REMEMBERED
    }
}

/// Field, subject, operator, value, combination and force: all but unit and place.
fn statement_of(claim: &Claim) -> u128 {
    let subject = forms_of(&claim.subject).join(" ");
    let value = format!("{:?}", wanted_of(claim));
    let rule = format!("{:?} {:?} {:?}", claim.join, claim.force, claim.group);
    digest_of(&[&claim.field, &subject, claim.op.as_str(), &value, &rule])
}

/// From the same place of the page, in units that can be one.
fn says_same((here, one): (Span, &Kept), (there, two): (Span, &Kept)) -> bool {
    let is_same_place = match (one.number, two.number) {
        (Some(x), Some(y)) => x == y,
        _ => here.contains(there) || there.contains(here),
    };
    let units_agree = match (&one.unit, &two.unit) {
        (Some(a), Some(b)) => a.1 == b.1 && a.0.agrees_with(&b.0),
        _ => true,
    };
    is_same_place && units_agree
}
