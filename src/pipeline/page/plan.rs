//! Which pages have to be read, and how large their asks are. Reads no page whose basis is on record.

use std::collections::BTreeSet;

use crate::ask::canonical::hex_sha256;
use crate::model::run::{ChangeCause, Touched};
use crate::model::snapshot::ManifestPage;
use crate::pipeline::client::approved::{Approvals, approvals};
use crate::pipeline::failure::RunError;
use crate::pipeline::held::held;
use crate::pipeline::money::grounds::{ItemSize, ItemStanding};
use crate::pipeline::page::earlier::{carry_of, touched};
use crate::pipeline::page::end::PageEnd;
use crate::pipeline::page::sizes::sizes;
use crate::pipeline::page::state::PageTally;
use crate::pipeline::progress::Stop;
use crate::pipeline::rounds::desk::{PageInputError, RunDesk};
use crate::pipeline::written::digest_of_file;

/// One page of an edition.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePlan {
    /// Index into the run's sources.
    pub source: usize,
    pub page: ManifestPage,
    pub basis: String,
    /// The basis on record, where it is another one.
    pub earlier: Option<String>,
    /// The counts on record, where the page is carried.
    pub carried: Option<PageTally>,
    /// Sizes of the items' asks, where it is not.
    pub sizes: Vec<ItemSize>,
    /// What the edit of the page touches, where it has a record by the rules of today.
    pub touched: Option<Touched>,
    /// Why the page cannot be read, where it cannot.
    pub unread: Option<String>,
}

/// Plans every page of every source's last edition, in the order of sources and addresses.
///
/// # Errors
/// When a manifest, a snapshot or the ledger cannot be read, or a stop is asked for.
pub fn plan_pages(desk: &RunDesk, stop: &Stop) -> Result<Vec<PagePlan>, RunError> {
    let approved = approvals(&**held(&desk.ledger))?;
    let mut plans = Vec::new();
    for (at, source) in desk.sources.iter().enumerate() {
        let Some(crawl) = source.snapshots.last_crawl()? else { continue };
        let manifest = source.snapshots.manifest(&crawl.edition)?;
        for page in manifest.pages {
            if stop.is_asked() {
                return Err(RunError::Stopped { done: 0 });
            }
            plans.push(plan_page(desk, (at, page), &approved)?);
        }
    }
    Ok(plans)
}

fn plan_page(
    desk: &RunDesk,
    (at, page): (usize, ManifestPage),
    approved: &Approvals,
) -> Result<PagePlan, RunError> {
    let source = &desk.sources[at];
    let basis = source.basis(&page);
    let known = held(&desk.ledger)
        .page(&source.source.id, &page.page)?
        .filter(|it| digest_of_file(&desk.root.join(&it.file)).is_some_and(|now| now == it.digest));
    let on_record: Option<PageTally> =
        known.as_ref().and_then(|it| serde_json::from_str(&it.counts).ok());
    let mut plan = PagePlan {
        source: at,
        page,
        basis,
        earlier: None,
        carried: None,
        sizes: Vec::new(),
        touched: None,
        unread: None,
    };
    if known.as_ref().is_some_and(|it| it.basis == plan.basis) && on_record.is_some() {
        plan.carried = on_record;
        return Ok(plan);
    }
    plan.earlier = known.map(|it| it.basis);
    match source.input(&plan.page) {
        Ok(Some(input)) => {
            let text = hex_sha256(input.text.as_bytes());
            let carry = carry_of(&desk.root, source, plan.earlier.as_deref(), (&input, &text))?;
            let mut touches = carry.as_ref().map(|it| touched(&input, it, approved));
            let sizes = sizes(desk, source, (&input, &carry.unwrap_or_default()))?;
            if let Some(ours) = touches.as_mut().filter(|it| it.cause != ChangeCause::Source) {
                // What was read under other rules in the same words is answered by the record.
                ours.items.retain(|key| {
                    sizes.iter().any(|(it, size)| it == key && size.standing != ItemStanding::Done)
                });
            }
            plan.touched = touches.filter(|it| !it.items.is_empty() || it.removed_items > 0);
            plan.sizes = sizes.into_iter().map(|(_, size)| size).collect();
        }
        Ok(None) => plan.unread = Some(format!("no reader for {}", plan.page.media)),
        // The rules of today find no content in what was frozen: said, and the last rows stay.
        Err(PageInputError::Read { cause, .. }) => plan.unread = Some(cause.to_string()),
        Err(error) => return Err(error.into()),
    }
    if plan.unread.is_some() {
        plan.carried = on_record;
    }
    Ok(plan)
}

/// Pages on record that the last edition no longer holds: their rows stay live.
///
/// # Errors
/// When the ledger cannot be read.
pub fn pages_off_edition(desk: &RunDesk, plan: &[PagePlan]) -> Result<Vec<PageEnd>, RunError> {
    let mut ends = Vec::new();
    for (at, source) in desk.sources.iter().enumerate() {
        let planned: BTreeSet<&str> =
            plan.iter().filter(|it| it.source == at).map(|it| it.page.page.as_str()).collect();
        for page in held(&desk.ledger).pages(&source.source.id)? {
            if planned.contains(page.url.as_str()) {
                continue;
            }
            let tally = serde_json::from_str(&page.counts).unwrap_or_default();
            ends.push(PageEnd::Carried { source: at, url: page.url, tally });
        }
    }
    Ok(ends)
}
