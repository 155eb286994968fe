//! Why a run did not come to its end, and which kind of failure that is.

use crate::ask::compose::ComposeError;
use crate::crawl::run::CrawlError;
use crate::llm::answerer::AnswerError;
use crate::llm::price::PriceError;
use crate::pipeline::history::kept::KeptError;
use crate::pipeline::history::steps::StepError;
use crate::pipeline::lock::LockError;
use crate::pipeline::money::quote::QuoteError;
use crate::pipeline::page::record::ReadRecordError;
use crate::pipeline::papers::outputs::OutputError;
use crate::pipeline::project::ProjectError;
use crate::pipeline::rounds::batch_record::BatchError;
use crate::pipeline::rounds::clerk::ClerkError;
use crate::pipeline::rounds::desk::{DeskError, PageInputError};
use crate::pipeline::rounds::reading::ReadingError;
use crate::pipeline::rounds::record::AnswerRefused;
use crate::pipeline::sums::SumsDiffer;
use crate::snapshot::files::SnapshotError;
use crate::store::ledger::LedgerError;

/// Everything that can end a run early. What was fetched and answered until then is kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Crawl(#[from] CrawlError),
    #[error("the network cannot be reached: {detail}")]
    Network { detail: String },
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    #[error(transparent)]
    Page(#[from] PageInputError),
    #[error("this system does not let Ctrl-C be heard: {detail}")]
    Signals { detail: String },
    #[error("source {source_id}: there is no edition yet; run `countersign crawl {source_id}`")]
    NoEdition { source_id: String },
    #[error("no run has been finished in this project; run `countersign run` first")]
    NoRun,
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error(transparent)]
    Compose(#[from] ComposeError),
    #[error(transparent)]
    Price(#[from] PriceError),
    #[error(transparent)]
    Answerer(#[from] AnswerError),
    #[error(transparent)]
    Reading(#[from] ReadingError),
    #[error("a row cannot be written as JSON: {0}")]
    Row(serde_json::Error),
    #[error(transparent)]
    Clerk(#[from] ClerkError),
    #[error(transparent)]
    ReadRecord(#[from] ReadRecordError),
    #[error(
        "{file}: {found} rows read back, {expected} were counted; the record was changed from outside"
    )]
    ReadBack { file: String, expected: u64, found: u64 },
    #[error(transparent)]
    Quote(#[from] QuoteError),
    #[error(transparent)]
    Batch(#[from] BatchError),
    #[error(transparent)]
    Sums(#[from] SumsDiffer),
    #[error(transparent)]
    Step(#[from] StepError),
    #[error(transparent)]
    Kept(#[from] KeptError),
    #[error("{}", .0.join("\n"))]
    Examples(Vec<String>),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(
        "stopped after {done} pages; everything fetched and answered is kept, run again to go on"
    )]
    Stopped { done: u64 },
    #[error(
        "stopped while batches were looked after; what was handed in or taken in is on record, run again to go on"
    )]
    StoppedInBatches,
    #[error(
        "stopped before the sheet and report; everything read is kept, run again to have them made at no cost"
    )]
    StoppedInPapers,
}

/// The kinds that scripts tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    Ours,
    Usage,
    Waits,
    Nothing,
    Unverified,
    Outside,
}

impl RunError {
    /// Which kind of failure this is.
    pub fn kind(&self) -> FailureKind {
        match self {
            RunError::Project(ProjectError::Ledger(error)) | RunError::Ledger(error) => {
                of_ledger(error)
            }
            RunError::Project(ProjectError::NotAProject { .. })
            | RunError::Price(_)
            | RunError::Quote(QuoteError::Unknown { .. } | QuoteError::Other { .. })
            | RunError::Lock(LockError::Held { .. })
            | RunError::Crawl(CrawlError::Scope(_))
            | RunError::Batch(BatchError::NoReader { .. } | BatchError::NoBatches { .. })
            | RunError::Answerer(_)
            | RunError::Examples(_) => FailureKind::Usage,
            RunError::NoEdition { .. } | RunError::NoRun => FailureKind::Nothing,
            RunError::Crawl(CrawlError::Unaccounted { .. })
            | RunError::Snapshot(_)
            | RunError::Page(PageInputError::Snapshot { .. })
            | RunError::ReadRecord(_)
            | RunError::ReadBack { .. }
            | RunError::Quote(QuoteError::Changed { .. })
            | RunError::Batch(BatchError::Unreadable { .. })
            | RunError::Sums(_)
            | RunError::Step(StepError::Missing { .. } | StepError::Unequal { .. })
            | RunError::Kept(KeptError::Edited { .. } | KeptError::Line { .. })
            | RunError::Reading(ReadingError::Lacks(_)) => FailureKind::Unverified,
            RunError::Step(StepError::Ledger(error)) => of_ledger(error),
            RunError::Clerk(ClerkError::Ledger(error)) => of_ledger(error),
            RunError::Reading(ReadingError::Refused(error)) => of_refused(error),
            RunError::Network { .. } => FailureKind::Outside,
            RunError::Stopped { .. }
            | RunError::StoppedInPapers
            | RunError::StoppedInBatches
            | RunError::Output(OutputError::Stopped)
            | RunError::Crawl(CrawlError::Stopped { .. }) => FailureKind::Waits,
            _ => FailureKind::Ours,
        }
    }
}

fn of_ledger(error: &LedgerError) -> FailureKind {
    match error {
        LedgerError::Missing { .. } => FailureKind::Nothing,
        LedgerError::Io { .. } => FailureKind::Ours,
        _ => FailureKind::Unverified,
    }
}

fn of_refused(error: &AnswerRefused) -> FailureKind {
    match error {
        AnswerRefused::Unusable { .. } | AnswerRefused::Edited { .. } => FailureKind::Unverified,
        AnswerRefused::Ledger(error) | AnswerRefused::Clerk(ClerkError::Ledger(error)) => {
            of_ledger(error)
        }
        AnswerRefused::Folder(_) | AnswerRefused::Clerk(_) | AnswerRefused::Unwritable(_) => {
            FailureKind::Ours
        }
    }
}
