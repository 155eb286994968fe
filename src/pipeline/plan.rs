//! Which pages have to be read, and how large their asks are. Reads no page whose basis is on record.

use crate::ask::canonical::canonical_json;
use crate::ask::compose::{ItemView, extract_ask};
use crate::model::snapshot::ManifestPage;
use crate::pipeline::desk::{PageInputError, RunDesk, SourceDesk};
use crate::pipeline::estimate::{ItemSize, item_size};
use crate::pipeline::failure::RunError;
use crate::pipeline::pages::{PageInput, PageTally};
use crate::pipeline::record::held;
use crate::pipeline::written::digest_of_file;

/// One page of an edition.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePlan {
    /// Index into the run's sources.
    pub source: usize,
    pub page: ManifestPage,
    pub basis: String,
    /// The counts on record, where the page is carried.
    pub carried: Option<PageTally>,
    /// Sizes of the items' asks, where it is not.
    pub sizes: Vec<ItemSize>,
    /// Why the page cannot be read, where it cannot.
    pub unread: Option<String>,
}

/// Plans every page of every source's last edition, in the order of sources and addresses.
///
/// # Errors
/// When a manifest, a snapshot or the ledger cannot be read.
pub fn plan_pages(desk: &RunDesk) -> Result<Vec<PagePlan>, RunError> {
    let mut plans = Vec::new();
    for (at, source) in desk.sources.iter().enumerate() {
        let Some(crawl) = source.snapshots.last_crawl()? else { continue };
        let manifest = source.snapshots.manifest(&crawl.edition)?;
        for page in manifest.pages {
            plans.push(plan_page(desk, at, page)?);
        }
    }
    Ok(plans)
}

fn plan_page(desk: &RunDesk, at: usize, page: ManifestPage) -> Result<PagePlan, RunError> {
    let source = &desk.sources[at];
    let basis = source.basis(&page)?;
    let known = held(&desk.ledger).page(&source.source.id, &page.page)?;
    let carried = known
        .filter(|it| it.basis == basis)
        .filter(|it| digest_of_file(&desk.root.join(&it.file)).is_some_and(|now| now == it.digest))
        .and_then(|it| serde_json::from_str(&it.counts).ok());
    let mut plan = PagePlan { source: at, page, basis, carried, sizes: Vec::new(), unread: None };
    if plan.carried.is_some() {
        return Ok(plan);
    }
    match source.input(&plan.page) {
        Ok(Some(input)) => plan.sizes = sizes(desk, source, &input)?,
        Ok(None) => plan.unread = Some(format!("no reader for {}", plan.page.media)),
        // The rules of today find no content in what was frozen: said, and the last rows stay.
        Err(PageInputError::Read { cause, .. }) => plan.unread = Some(cause.to_string()),
        Err(error) => return Err(error.into()),
    }
    Ok(plan)
}

fn sizes(desk: &RunDesk, source: &SourceDesk, page: &PageInput) -> Result<Vec<ItemSize>, RunError> {
    let mut sizes = Vec::with_capacity(page.items.len());
    for item in &page.items {
        let Some(text) = item.span.slice(&page.text) else { continue };
        let view = ItemView {
            language: &source.source.language,
            fields: &source.source.fields,
            page_title: &page.title,
            heading_path: &item.heading_path,
            text,
        };
        let open = extract_ask(&view, &source.extractor)?;
        let is_answered = desk.folder.answer_path(&open.digest).exists();
        let ask = canonical_json(&open.ask).unwrap_or_default();
        sizes.push(item_size(&ask, text, is_answered));
    }
    Ok(sizes)
}
