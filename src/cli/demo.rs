//! `demo`: the bundled sample site served on this machine, and the whole line played over it: bulk
//! run, a client's sign-off, update run.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::args::DemoArgs;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, with_surroundings};
use crate::cli::words::summary_words;
use crate::fetch::loopback::Loopback;
use crate::model::config::ProjectConfig;
use crate::model::decision::DecisionWord;
use crate::model::finding::Code;
use crate::model::run::RunSummary;
use crate::model::sheet::IssuedSheet;
use crate::model::source::Source;
use crate::pipeline::client::signing::{Returned, SigningError, SignoffReport, sign_off};
use crate::pipeline::failure::RunError;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::run::{RunKind, RunReport, RunRequest, run_line};
use crate::pipeline::written::{WriteError, write_checked};
use crate::sheet::fill::{FillError, fill_in};
use crate::signoff::receipt::receipt_text;
use crate::sources::folder::read_sources;
use crate::sources::sample::{EDITIONS, sample_site, sample_source_files};

/// The host name that the sample's source files crawl.
const SAMPLE_HOST: &str = "harbour.example";

/// Who signs in the demo.
const CLIENT: &str = "Demo Client";

/// What the three steps came to: the bulk run's counts, and those of the other two by name.
#[derive(Serialize)]
struct DemoReport<'a> {
    #[serde(flatten)]
    bulk: &'a RunSummary,
    signoff: &'a SignoffReport,
    update: &'a RunSummary,
    update_again: &'a RunSummary,
}

/// Why the demo could not be played to its end.
#[derive(Debug, thiserror::Error)]
enum DemoError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the client's file: {0}")]
    Fill(#[from] FillError),
    #[error("the sign-off: {0}")]
    Signing(#[from] SigningError),
    #[error("{path}: {cause}")]
    Issued { path: String, cause: std::io::Error },
    #[error("the run wrote no sheet")]
    NoSheet,
}

/// Makes the demo project, plays bulk run, sign-off and update run, and says what to open.
pub fn demo(args: &DemoArgs, context: &mut Context<'_>) -> Exit {
    let dir = args.dir.clone().unwrap_or_else(|| free_folder(Path::new("countersign-demo")));
    if dir.join("sources").exists() {
        let error = format!(
            "{}: there is a project already; name another folder, or remove this one",
            dir.display()
        );
        return context.complain(Exit::Usage, &error);
    }
    if let Err(error) = make_project(&dir) {
        return context.complain(Exit::Fault, &error);
    }
    let project = match ProjectPaths::find(&dir) {
        Ok(project) => project,
        Err(error) => return context.complain(Exit::Fault, &error),
    };
    let sources = match read_sources(&dir) {
        Ok(sources) => sources,
        Err(error) => return context.complain(Exit::Fault, &error),
    };
    match play(&project, &sources, context) {
        Ok(exit) => exit,
        Err(DemoError::Run(error)) => fail(&error, context),
        Err(error) => context.complain(Exit::Fault, &error),
    }
}

fn play(
    project: &ProjectPaths,
    sources: &[Source],
    context: &mut Context<'_>,
) -> Result<Exit, DemoError> {
    context.remark("1. Bulk run: the site as it was first published");
    let bulk = run_edition(project, sources, (EDITIONS[0], RunKind::Bulk), context)?;
    context.remark("\n2. Sign-off: a client decides some rows and sends the sheet back");
    let file = answer_as_client(project, &bulk)?;
    let returned = Returned { file: &file, by: Some(CLIENT), now: context.now };
    let signoff = sign_off(project, sources, returned)?;
    context.remark("\n3. Update run: the site has changed, and one page is no longer there");
    let update = update_later(project, sources, context)?;
    context
        .remark("\n4. Update run once more: the page is still gone, so its rows are asked about");
    let again = update_later(project, sources, context)?;
    let report = DemoReport {
        bulk: &bulk.summary,
        signoff: &signoff,
        update: &update.summary,
        update_again: &again.summary,
    };
    let receipt = receipt_text(&signoff.receipt);
    let human = format!(
        "1. {}\n\n2. {}\n   {} rows approved by now\n\n3. {}\n\n4. {}",
        summary_words(&bulk),
        receipt.split("\n\n").next().unwrap_or(&receipt).replace('\n', "\n   "),
        signoff.approved,
        summary_words(&update),
        summary_words(&again),
    );
    let told = context.tell(&report, &human);
    let steps = Steps { bulk: &bulk, signoff: &signoff, update: &update, again: &again };
    context.remark(&next_steps(project.root(), &steps));
    // The demo is done when its papers are there; that rows wait for the client is its point.
    Ok(told)
}

fn update_later(
    project: &ProjectPaths,
    sources: &[Source],
    context: &mut Context<'_>,
) -> Result<RunReport, RunError> {
    context.now = context.now.max(Timestamp::now());
    run_edition(project, sources, (EDITIONS[1], RunKind::Update), context)
}

fn run_edition(
    project: &ProjectPaths,
    sources: &[Source],
    (edition, kind): (&'static str, RunKind),
    context: &mut Context<'_>,
) -> Result<RunReport, RunError> {
    let mut request = RunRequest {
        sources: sources.to_vec(),
        config: ProjectConfig { name: "Demo".to_owned(), ..ProjectConfig::default() },
        crawls: true,
        kind,
        ..RunRequest::default()
    };
    let report = with_surroundings(context, project, |around| async move {
        let broken = |detail: String| RunError::Network { detail };
        let site = sample_site().map_err(|error| broken(error.to_string()))?;
        let server =
            Loopback::start(site, edition).await.map_err(|error| broken(error.to_string()))?;
        request.connect_to.insert(SAMPLE_HOST.to_owned(), server.address());
        run_line(project, request, around).await
    })?;
    for note in &report.notes {
        context.remark(&format!("look at   {note}"));
    }
    Ok(report)
}

/// Decides as a client with little time would: text aimed at programs is no rule, what the reviewer
/// doubts is left open, the rest of what was extracted is right. Questions stay without an answer.
fn answer_as_client(project: &ProjectPaths, bulk: &RunReport) -> Result<PathBuf, DemoError> {
    let sheet = bulk.summary.sheet.as_ref().ok_or(DemoError::NoSheet)?;
    let path = project.root().join("review").join(&bulk.summary.run).join("issued.json");
    let read = |path: &Path| {
        std::fs::read(path)
            .map_err(|cause| DemoError::Issued { path: path.display().to_string(), cause })
    };
    let issued: IssuedSheet = serde_json::from_slice(&read(&path)?).map_err(|error| {
        DemoError::Issued { path: path.display().to_string(), cause: error.into() }
    })?;
    let mut decisions = BTreeMap::new();
    for issued in issued.asked() {
        let row = issued.matter.row();
        let has = |code: Code| row.findings.iter().any(|it| it.code == code);
        let word = match () {
            () if has(Code::Omission) => continue,
            () if has(Code::InstructionText) => DecisionWord::Reject,
            () if has(Code::Conflict) => DecisionWord::Unsure,
            () => DecisionWord::Approve,
        };
        decisions.insert(issued.key.clone(), word);
    }
    let filled = fill_in(&read(&project.root().join(sheet))?, &issued, &decisions)?;
    let file = project.root().join("returned.xlsx");
    write_checked(&file, &filled)?;
    Ok(file)
}

fn make_project(dir: &Path) -> Result<(), WriteError> {
    for (name, text) in sample_source_files() {
        write_checked(&dir.join("sources").join(name), text.as_bytes())?;
    }
    write_checked(&dir.join("countersign.toml"), b"name = \"Demo\"\n")?;
    Ok(())
}

/// The folder, or the first of `-2`, `-3`, … that is not there yet.
fn free_folder(base: &Path) -> PathBuf {
    let numbered = (2..).map(|at| PathBuf::from(format!("{}-{at}", base.display())));
    std::iter::once(base.to_owned())
        .chain(numbered)
        .find(|it| !it.exists())
        .unwrap_or_else(|| base.to_owned())
}

/// What the demo played, for saying what to open.
struct Steps<'a> {
    bulk: &'a RunReport,
    signoff: &'a SignoffReport,
    update: &'a RunReport,
    again: &'a RunReport,
}

fn next_steps(dir: &Path, steps: &Steps<'_>) -> String {
    let mut text = String::from("\nOpen next:\n");
    let mut step = |path: &str, what: &str| {
        let _ = writeln!(text, "  {}\n      {what}", dir.join(path).display());
    };
    let sheets = [
        (steps.bulk, "what the client gets: rows to decide, with quotes and reasons"),
        (steps.update, "after the update: what changed, old and new side by side"),
        (steps.again, "after the second update: rows of the page that is gone, as questions"),
    ];
    for (report, what) in sheets {
        if let Some(sheet) = &report.summary.sheet {
            step(sheet, what);
        }
    }
    step("returned.xlsx", "the first sheet as the demo's client sent it back");
    for (file, what) in steps.signoff.written.iter().filter_map(|it| Some((it, what_of(it)?))) {
        step(file, what);
    }
    if let Some(page) = &steps.bulk.summary.report {
        step(page, "every page with its sentences: used, no condition, open");
    }
    step("extracted/", "the rows, one JSON object a line");
    text.pop();
    text
}

/// What a file of the sign-off is for a reader; nothing for those that only the program reads.
fn what_of(file: &str) -> Option<&'static str> {
    match file.rsplit_once('.').map_or(("", ""), |(stem, kind)| (stem, kind)) {
        (stem, "jsonl") if stem.contains("approved") => {
            Some("the approved rows, each with who signed it")
        }
        (stem, "txt") if stem.contains("receipt") => Some("what was understood of it"),
        (stem, "xlsx") if stem.contains("decide") => {
            Some("what is still open, as a sheet of its own")
        }
        _ => None,
    }
}
