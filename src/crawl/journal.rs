//! What an interrupted crawl left behind, checked before it is gone on with.

use jiff::Timestamp;

use crate::crawl::keep::Keep;
use crate::crawl::visit::{Captured, Ending, JournalHead, JournalLine, Visit};
use crate::model::page::Outcome;
use crate::model::snapshot::Part;

/// An interrupted crawl that can be gone on with.
#[derive(Clone, Debug)]
pub struct Resumed {
    pub started: Timestamp,
    /// Visits that stand: their evidence is in the store, whole.
    pub visits: Vec<Visit>,
}

/// Reads a journal. `None` where there is none, or one made under other rules.
pub fn read_journal(lines: &[String], head: &JournalHead, store: &dyn Keep) -> Option<Resumed> {
    let mut lines = lines.iter().map(|it| serde_json::from_str::<JournalLine>(it));
    let Some(Ok(JournalLine::Begin(begun))) = lines.next() else { return None };
    if begun.rules != head.rules {
        return None;
    }
    // Lines after one that cannot be read are not trusted.
    let visits = lines.map_while(Result::ok).filter_map(|line| match line {
        JournalLine::Visit(visit) if stands(&visit, store) => Some(*visit),
        _ => None,
    });
    Some(Resumed { started: begun.started, visits: visits.collect() })
}

/// A visit is made again where nothing was learned, or its evidence is not whole.
fn stands(visit: &Visit, store: &dyn Keep) -> bool {
    match &visit.ending {
        Ending::Captured(captured) | Ending::NotModified { reread: Some(captured) } => {
            is_stored(captured, store)
        }
        Ending::Failed(failed) => failed.outcome != Outcome::FailedTransient,
        Ending::Sitemap => false,
        Ending::NotModified { reread: None } | Ending::Moved { .. } => true,
    }
}

fn is_stored(captured: &Captured, store: &dyn Keep) -> bool {
    let record = &captured.record;
    let there = |part, digest: &String| store.get(part, digest).is_ok();
    there(Part::Record, &captured.digest)
        && there(Part::Raw, &record.raw)
        && record.text.iter().all(|it| there(Part::Text, it))
        && record.map.iter().all(|it| there(Part::Map, it))
}
