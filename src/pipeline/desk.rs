//! What the pages of a run share: sources with their readers, the record, the answerers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::ask::compose::Reader;
use crate::ask::prompt::{PromptError, instructions};
use crate::items::page::read_page;
use crate::items::select::ReadError;
use crate::llm::answerer::{AnswerError, Answerer};
use crate::llm::record::AnswerFiles;
use crate::model::ask::Step;
use crate::model::config::ProjectConfig;
use crate::model::snapshot::{CaptureRecord, ManifestPage, Part};
use crate::model::source::Source;
use crate::pipeline::page_reader::READER_VERSION;
use crate::pipeline::pages::{PageInput, basis_of};
use crate::pipeline::wiring;
use crate::snapshot::files::SnapshotError;
use crate::snapshot::store::SnapshotStore;
use crate::store::ledger::Ledger;
use crate::text::charset::decode_page;

/// Shared by all pages of one run.
pub struct RunDesk {
    pub root: PathBuf,
    pub run: String,
    pub ledger: Mutex<Box<dyn Ledger>>,
    pub folder: Box<dyn AnswerFiles>,
    pub extract_answerer: Box<dyn Answerer>,
    pub review_answerer: Box<dyn Answerer>,
    pub sources: Vec<SourceDesk>,
}

/// One source with its readers and snapshots.
#[derive(Debug)]
pub struct SourceDesk {
    pub source: Source,
    pub extractor: Reader,
    pub reviewer: Reader,
    pub snapshots: SnapshotStore,
}

/// A page that cannot be read again from its snapshot.
#[derive(Debug, thiserror::Error)]
pub enum PageInputError {
    #[error("{page}: {cause}")]
    Snapshot { page: String, cause: SnapshotError },
    #[error("{page}: {cause}")]
    Read { page: String, cause: ReadError },
    #[error("{page}: the source cannot be told apart: {cause}")]
    Basis { page: String, cause: serde_json::Error },
}

impl SourceDesk {
    /// # Errors
    /// When a prompt cannot be filled in.
    pub fn new(
        source: Source,
        config: &ProjectConfig,
        snapshots: SnapshotStore,
    ) -> Result<Self, PromptError> {
        let reader = |step, of| -> Result<Reader, PromptError> {
            Ok(Reader {
                id: wiring::reader_id(of),
                instructions: instructions(step, &source.language, &source.fields)?,
            })
        };
        let extractor = reader(Step::Extract, &config.extractor)?;
        let reviewer = reader(Step::Review, &config.reviewer)?;
        Ok(Self { source, extractor, reviewer, snapshots })
    }

    /// The digest that a page's rows depend on.
    ///
    /// # Errors
    /// When it cannot be told.
    pub fn basis(&self, page: &ManifestPage) -> Result<String, PageInputError> {
        let text = format!("{READER_VERSION} {}", page.text.as_deref().unwrap_or_default());
        basis_of((&page.page, &page.raw, &text), &self.source, [&self.extractor, &self.reviewer])
            .map_err(|cause| PageInputError::Basis { page: page.page.clone(), cause })
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
        let failed = |cause| PageInputError::Snapshot { page: page.page.clone(), cause };
        let record: CaptureRecord = self.snapshots.record(&page.record).map_err(failed)?;
        let bytes = self.snapshots.get(Part::Raw, &page.raw).map_err(failed)?;
        let decoded = decode_page(&bytes, record.headers.get("content-type").map(String::as_str));
        let read = read_page(&decoded.text, &self.source)
            .map_err(|cause| PageInputError::Read { page: page.page.clone(), cause })?;
        let hidden: Vec<&str> = read.hidden.iter().map(|it| it.text.as_str()).collect();
        Ok(Some(PageInput {
            url: page.page.clone(),
            title: read.title,
            hidden: hidden.join("\n"),
            text: read.text,
            snapshot: page.raw.clone(),
            items: read.items,
        }))
    }
}

/// Who answers extraction asks, and who answers review asks.
pub type Answerers = (Box<dyn Answerer>, Box<dyn Answerer>);

/// The answerers of both steps.
///
/// # Errors
/// When one cannot be made.
pub fn answerers(
    config: &ProjectConfig,
    environment: &BTreeMap<String, String>,
) -> Result<Answerers, AnswerError> {
    Ok((
        wiring::answerer(&config.extractor, environment)?,
        wiring::answerer(&config.reviewer, environment)?,
    ))
}
