//! What the pages of a run share: sources with their readers, the record, the answerers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::ask::compose::Reader;
use crate::ask::prompt::{PromptError, instructions};
use crate::items::page::read_page;
use crate::items::select::ReadError;
use crate::llm::answerer::Answerer;
use crate::llm::record::AnswerFiles;
use crate::model::ask::Step;
use crate::model::config::ProjectConfig;
use crate::model::run::ChangeCause;
use crate::model::snapshot::{CaptureRecord, ManifestPage, Part};
use crate::model::source::Source;
use crate::pipeline::page::basis::{
    FOREIGN, basis_of, basis_parts, cause_of, foreign_host, rules_digest,
};
use crate::pipeline::page::state::PageInput;
use crate::pipeline::rounds::clerk::SharedLedger;
use crate::pipeline::rounds::control::Control;
use crate::pipeline::wiring;
use crate::snapshot::files::SnapshotError;
use crate::snapshot::store::SnapshotStore;
use crate::text::glyphs::charset::decode_page;

/// Shared by all pages of one run.
pub struct RunDesk {
    pub root: PathBuf,
    pub run: String,
    pub ledger: SharedLedger,
    pub folder: Arc<dyn AnswerFiles>,
    pub extract_answerer: Box<dyn Answerer>,
    pub review_answerer: Box<dyn Answerer>,
    pub sources: Vec<SourceDesk>,
    pub control: Control,
    /// Whether the rows that are new are told apart from those on record: only then is anything of a
    /// page's rows kept in mind when the page is done.
    pub tells_news: bool,
}

/// One source with its readers and snapshots.
#[derive(Debug)]
pub struct SourceDesk {
    pub source: Source,
    pub extractor: Reader,
    pub reviewer: Reader,
    /// Digest of the rules that a page's rows depend on.
    pub rules: String,
    pub snapshots: SnapshotStore,
    /// Capture record -> the day it was last seen; read when first asked for.
    seen: OnceLock<BTreeMap<String, String>>,
}

/// A source that cannot be worked on.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    #[error(transparent)]
    Prompt(#[from] PromptError),
    #[error("the fields cannot be written as JSON: {0}")]
    Fields(#[from] serde_json::Error),
}

/// A page that cannot be read again from its snapshot.
#[derive(Debug, thiserror::Error)]
pub enum PageInputError {
    #[error("{page}: {cause}")]
    Snapshot { page: String, cause: SnapshotError },
    #[error("{page}: {cause}")]
    Read { page: String, cause: ReadError },
}

impl SourceDesk {
    /// # Errors
    /// When a prompt cannot be filled in, or a field list not be written.
    pub fn new(
        source: Source,
        config: &ProjectConfig,
        snapshots: SnapshotStore,
    ) -> Result<Self, DeskError> {
        let reader = |step, of| -> Result<Reader, PromptError> {
            Ok(Reader {
                id: wiring::reader_id(of),
                instructions: instructions(step, &source.language, &source.fields)?,
            })
        };
        let extractor = reader(Step::Extract, &config.extractor)?;
        let reviewer = reader(Step::Review, &config.reviewer)?;
        let rules = rules_digest(&source, [&extractor, &reviewer])?;
        Ok(Self { source, extractor, reviewer, rules, snapshots, seen: OnceLock::new() })
    }

    /// What a page's rows are made from.
    pub fn basis(&self, page: &ManifestPage) -> String {
        basis_of(&self.rules_of(&page.page), &page.record)
    }

    /// The rules that a page is read by. Words that may not be relied on any more are judged again.
    fn rules_of(&self, page: &str) -> String {
        match foreign_host(&self.source, page) {
            Some(_) => format!("{}{FOREIGN}", self.rules),
            None => self.rules.clone(),
        }
    }

    /// The capture of an earlier basis, read with the rules of today so that like is compared with
    /// like. `None` where it cannot be read by them.
    ///
    /// # Errors
    /// When its capture is there and damaged.
    pub fn earlier(&self, page: &str, basis: &str) -> Result<Option<PageInput>, PageInputError> {
        let Some((_, capture)) = basis_parts(basis) else { return Ok(None) };
        match self.read(page, capture) {
            Err(PageInputError::Read { .. }) => Ok(None),
            other => other,
        }
    }

    /// Whether a page's basis was made by other rules or readers than those of today.
    pub fn cause(&self, page: &str, basis: &str) -> ChangeCause {
        let today = self.rules_of(page);
        basis_parts(basis).map_or(ChangeCause::Rules, |(rules, _)| cause_of(rules, &today))
    }

    /// The day on which the capture of an earlier basis was last seen, as `2026-03-01`: of the crawl
    /// that last ended in an edition with it. Looks through a few editions back, once a run.
    ///
    /// # Errors
    /// When an edition cannot be read.
    pub fn last_seen(&self, basis: &str) -> Result<Option<String>, SnapshotError> {
        /// Editions looked through.
        const MOST: usize = 4;
        let Some((_, capture)) = basis_parts(basis) else { return Ok(None) };
        if self.seen.get().is_none() {
            let mut days: BTreeMap<String, String> = BTreeMap::new();
            let mut editions: Vec<String> = Vec::new();
            for crawl in self.snapshots.crawls()?.into_iter().rev() {
                if editions.contains(&crawl.edition) {
                    continue;
                }
                if editions.len() == MOST {
                    break;
                }
                let day = crawl.finished.strftime("%Y-%m-%d").to_string();
                for page in self.snapshots.manifest(&crawl.edition)?.pages {
                    days.entry(page.record).or_insert_with(|| day.clone());
                }
                editions.push(crawl.edition);
            }
            let _ = self.seen.set(days);
        }
        Ok(self.seen.get().and_then(|it| it.get(capture).cloned()))
    }

    /// The page read again from its frozen bytes with the rules of today. `None` where no reader
    /// can read its media type.
    ///
    /// # Errors
    /// When the snapshot is missing or damaged, or the content is not found in it.
    pub fn input(&self, page: &ManifestPage) -> Result<Option<PageInput>, PageInputError> {
        if page.text.is_none() {
            return Ok(None);
        }
        self.read(&page.page, &page.record)
    }

    fn read(&self, page: &str, capture: &str) -> Result<Option<PageInput>, PageInputError> {
        let failed = |cause| PageInputError::Snapshot { page: page.to_owned(), cause };
        let record: CaptureRecord = self.snapshots.record(capture).map_err(failed)?;
        if record.text.is_none() {
            return Ok(None);
        }
        let bytes = self.snapshots.get(Part::Raw, &record.raw).map_err(failed)?;
        let decoded = decode_page(&bytes, record.headers.get("content-type").map(String::as_str));
        let read = read_page(&decoded.text, &self.source)
            .map_err(|cause| PageInputError::Read { page: page.to_owned(), cause })?;
        let hidden: Vec<&str> = read.hidden.iter().map(|it| it.text.as_str()).collect();
        Ok(Some(PageInput {
            url: page.to_owned(),
            title: read.title,
            hidden: hidden.join("\n"),
            text: read.text,
            snapshot: record.raw,
            items: read.items,
        }))
    }
}
