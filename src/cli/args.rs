//! What was typed. What it means is for the commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use rust_decimal::Decimal;

/// Structured-data extraction with dual review.
#[derive(Debug, Parser)]
#[command(name = "countersign", version, about, long_about = None, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "Exit codes:
  0  done
  1  a fault of ours
  2  usage or configuration
  3  something waits for a person or an answer
  4  nothing was done (zero pages, items or rows)
  5  stopped by the budget, or not approved
  6  evidence does not verify (hash, wrong ledger, newer format, counts that do not add up)
  7  the outside world failed (network, provider)";

/// Options that every command takes.
#[derive(Clone, Debug, Args)]
pub struct Global {
    /// The project's folder
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        default_value = ".",
        env = "COUNTERSIGN_PROJECT"
    )]
    pub project: PathBuf,
    /// Form of what goes to stdout
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Approve what would be asked for on a terminal
    #[arg(long, global = true)]
    pub yes: bool,
    /// No progress bars
    #[arg(long, global = true)]
    pub no_progress: bool,
    /// Say more on stderr; twice says most
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Say nothing on stderr but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// The time to take for now, RFC 3339; for runs that must give the same bytes again
    #[arg(long, global = true, value_name = "TIME", env = "COUNTERSIGN_NOW", hide = true)]
    pub now: Option<String>,
}

/// The two forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a project with a commented example source
    Init(InitArgs),
    /// Run the bundled sample end to end, without key and network
    Demo(DemoArgs),
    /// Fetch the sources' pages into an edition of frozen snapshots
    Crawl(CrawlArgs),
    /// Say what a run would ask and cost
    Estimate(EstimateArgs),
    /// Bulk run: crawl, estimate, approval, extract, gate, review, gate, sheet, report
    Run(RunArgs),
    /// Update run: ask only what changed, carry the rest, propose removals
    Update(RunArgs),
    /// Compare two editions, word by word; by default the last two
    Diff(DiffArgs),
    /// List, export or import asks
    Asks(AsksArgs),
    /// What is on record and what waits
    Status,
    /// The whole story of one row
    Why(WhyArgs),
    /// Check the whole chain of a project, or of a bundle
    Verify(VerifyArgs),
    /// Pack rows with all they rest on into one file
    Bundle(BundleArgs),
    /// Check project, sources and readers, and say what to mend
    Doctor,
    /// Write the client's sheet of the last run again
    Sheet(SheetArgs),
    /// Take in the sheet that the client sent back
    Signoff(SignoffArgs),
    /// Write the report of the last run again
    Report(ReportArgs),
    /// Compare the rows on record with rows labelled by hand
    Score(ScoreArgs),
    /// The approved rows, to stdout
    Export(ExportArgs),
    /// Plant errors in accepted rows and count what the gate catches
    Trial(TrialArgs),
    /// Judge anybody's rows against a page's text; needs no project
    Gate(GateArgs),
    /// Shell completions, to stdout
    Completions(CompletionsArgs),
    /// Man pages, one file a command
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// Folder to make the project in
    pub dir: PathBuf,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Folder for the demo project; `countersign-demo` if not given
    pub dir: Option<PathBuf>,
}

/// Which sources, and how their hosts are reached.
#[derive(Clone, Debug, Args)]
pub struct SourceArgs {
    /// Ids of sources; all of the project if none is given
    #[arg(value_name = "SOURCE")]
    pub sources: Vec<String>,
    /// Reach HOST at ADDRESS (ip:port) over plain http, as for a mirror or a test server
    #[arg(long, value_name = "HOST=ADDRESS")]
    pub connect_to: Vec<String>,
}

#[derive(Debug, Args)]
pub struct CrawlArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
}

#[derive(Debug, Args)]
pub struct EstimateArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
    /// Write a quote with an id: FILE.txt and FILE.xlsx, both languages
    #[arg(long, value_name = "FILE")]
    pub quote: Option<PathBuf>,
    /// At the price of batches, as for `run --batch`
    #[arg(long)]
    pub batch: bool,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
    /// Take the last edition on record instead of crawling
    #[arg(long)]
    pub no_crawl: bool,
    /// Stop before the call that could cross this amount, in the budget's currency
    #[arg(long, value_name = "AMOUNT")]
    pub max_cost: Option<Decimal>,
    /// Id of an accepted quote, as `estimate --quote` gave it
    #[arg(long, value_name = "ID")]
    pub accept_quote: Option<String>,
    /// Hand open asks in as batches, at their price, and take in those that have ended
    #[arg(long)]
    pub batch: bool,
}

#[derive(Debug, Args)]
pub struct DiffArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
    /// Edition to compare from, by name or by day; the one before `--to` if not given
    #[arg(long, value_name = "EDITION")]
    pub from: Option<String>,
    /// Edition to compare to, by name or by day; the last if not given
    #[arg(long, value_name = "EDITION")]
    pub to: Option<String>,
}

#[derive(Debug, Args)]
pub struct GateArgs {
    /// The page's text
    #[arg(long, value_name = "FILE")]
    pub text: PathBuf,
    /// A model's raw reply
    #[arg(long, value_name = "FILE", conflicts_with = "rows", required_unless_present = "rows")]
    pub answer: Option<PathBuf>,
    /// Rows, one JSON object a line, in any number; `-` for stdin
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
    /// JSON with the prompt's examples: {"prompt_examples": ["…"]}
    #[arg(long, value_name = "FILE")]
    pub examples: Option<PathBuf>,
    /// Refuse what would be repaired
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Args)]
pub struct AsksArgs {
    #[command(subcommand)]
    pub action: AsksAction,
}

#[derive(Debug, Subcommand)]
pub enum AsksAction {
    /// The open asks of the last run
    List,
    /// Write one readable file per open ask, and one bundle
    Export {
        /// Folder to write to
        dir: PathBuf,
    },
    /// Take answers back: files or a bundle
    Import {
        /// Answer files, bundles, or folders of them
        paths: Vec<PathBuf>,
    },
    /// What a changed prompt, model or rule did, row by row
    Compare {
        /// The earlier run, as `status` names it
        run_a: String,
        /// The later run
        run_b: String,
    },
    /// Open asks as batches at their providers, at half the price
    Batch {
        #[command(subcommand)]
        action: BatchAction,
    },
}

#[derive(Debug, Subcommand)]
pub enum BatchAction {
    /// Take in what has ended and hand in what is open: `run --no-crawl --batch`
    Submit(SubmitArgs),
    /// What is known of them; asks nobody
    Status,
    /// Ask the providers, and put the answers of those that have ended on file
    Collect,
    /// Stop one at its provider; what is done by then is charged and can be collected
    Cancel {
        /// Its id, `b-…`
        id: String,
    },
}

#[derive(Debug, Args)]
pub struct SubmitArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
    /// Stop before the batch that could cross this amount, in the budget's currency
    #[arg(long, value_name = "AMOUNT")]
    pub max_cost: Option<Decimal>,
    /// Id of an accepted quote, as `estimate --batch --quote` gave it
    #[arg(long, value_name = "ID")]
    pub accept_quote: Option<String>,
}

#[derive(Debug, Args)]
pub struct WhyArgs {
    /// Key of the row
    pub row: String,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A bundle; the project itself if none is given
    pub file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BundleArgs {
    /// Where to write it
    pub file: PathBuf,
    /// Keys of rows; all live rows on record if none is given
    #[arg(long = "row", value_name = "ROW", conflicts_with_all = ["run", "approved"])]
    pub rows: Vec<String>,
    /// The rows that this run's sheet showed, as they were then
    #[arg(long, value_name = "RUN", conflicts_with = "approved")]
    pub run: Option<String>,
    /// Only the rows that are approved
    #[arg(long)]
    pub approved: bool,
}

#[derive(Debug, Args)]
pub struct SheetArgs {
    /// Where to write it; its place under review/ if not given
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SignoffArgs {
    /// The returned file: .xlsx, .ods or .csv
    pub file: PathBuf,
    /// Who hands it in, where the sheet carries no name
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
}

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Where to write it; its place under review/ if not given
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ScoreArgs {
    /// Labelled rows, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub gold: PathBuf,
    /// What the labels cover where that is not the whole page: JSON of page to item keys
    #[arg(long, value_name = "FILE")]
    pub covered: Option<PathBuf>,
    /// Rows to compare instead of the project's: files or folders of JSONL
    #[arg(long, value_name = "PATH")]
    pub rows: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Form of the export
    #[arg(long = "as", value_name = "FORM", value_enum)]
    pub form: ExportForm,
}

/// The forms of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    Jsonl,
    Csv,
    Parquet,
    Annotations,
}

#[derive(Debug, Args)]
pub struct TrialArgs {
    /// Ids of sources; all of the project if none is given
    #[arg(value_name = "SOURCE", conflicts_with = "rows")]
    pub sources: Vec<String>,
    /// Rows held to be right: JSONL or a reply; needs no project
    #[arg(long, value_name = "FILE", requires = "text")]
    pub rows: Option<PathBuf>,
    /// The text of the page that the rows are of
    #[arg(long, value_name = "FILE", requires = "rows")]
    pub text: Option<PathBuf>,
    /// Seed of the planted errors
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// List every missed error and every refused row
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder to write to
    pub dir: PathBuf,
}
