//! `run` and `update`: the line as a whole, and what every command that opens a project needs.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use crate::cli::args::{Format, Global, RunArgs, SourceArgs};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::progress::TerminalProgress;
use crate::cli::signals;
use crate::cli::words::{estimate_words, summary_words};
use crate::model::config::ProjectConfig;
use crate::model::source::Source;
use crate::pipeline::failure::{FailureKind, RunError};
use crate::pipeline::lock::ProjectLock;
use crate::pipeline::money::estimate::Estimate;
use crate::pipeline::progress::{Progress, Stop};
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::run::{RunEnd, RunKind, RunReport, RunRequest, run_line};
use crate::pipeline::surroundings::Surroundings;
use crate::sources::config_file::{Overrides, load_config};
use crate::sources::folder::{read_sources, select_sources};

/// Threads that may wait for the disk at one time: more would only hold memory.
const READING_THREADS: usize = 32;

/// A project with its settings and the sources that were named.
pub struct Opened {
    pub project: ProjectPaths,
    pub config: ProjectConfig,
    pub sources: Vec<Source>,
    pub connect_to: BTreeMap<String, SocketAddr>,
}

/// `run [SOURCE…]` and `update [SOURCE…]`.
pub fn run(args: &RunArgs, kind: RunKind, context: &mut Context<'_>) -> Exit {
    let mut opened = match open(&args.sources, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    if let Some(most) = args.max_cost {
        if most.is_sign_negative() {
            let error = format!("--max-cost: expected an amount of 0 or more, found {most}");
            return context.complain(Exit::Usage, &error);
        }
        opened.config.budget.max_cost = Some(most);
    }
    let request = RunRequest {
        sources: opened.sources,
        config: opened.config,
        crawls: !args.no_crawl,
        kind,
        connect_to: opened.connect_to,
        accepted_quote: args.accept_quote.clone(),
        in_batches: args.batch,
    };
    let project = &opened.project;
    let outcome = with_surroundings(context, project, |around| run_line(project, request, around));
    match outcome {
        Ok(report) => tell_report(&report, context),
        Err(error) => fail(&error, context),
    }
}

/// Says how a run ended, on stdout the counts, on stderr what to look at.
pub fn tell_report(report: &RunReport, context: &mut Context<'_>) -> Exit {
    for note in &report.notes {
        context.remark(&format!("look at   {note}"));
    }
    if report.end == RunEnd::NotApproved {
        return context.complain(Exit::NotApproved, &report.failures.join("; "));
    }
    let told = context.tell(&report.summary, &summary_words(report));
    if told != Exit::Done {
        return told;
    }
    for failure in &report.failures {
        context.complain(Exit::OutsideFailed, failure);
    }
    match report.end {
        RunEnd::ReaderFailed => context.complain(
            Exit::OutsideFailed,
            &"everything answered is kept; run again to go on from there",
        ),
        RunEnd::ReaderUnfit => context.complain(
            Exit::OutsideFailed,
            &"the extractor's rows are not fit to be decided on, so there is no sheet; the report shows them: change model, prompt or fields and run again (limits stand under [watch])",
        ),
        RunEnd::BudgetReached => context.complain(
            Exit::NotApproved,
            &"stopped before the call that could have crossed the budget; everything paid for is kept: raise max_cost under [budget], or --max-cost, and run again to go on from there",
        ),
        RunEnd::Done => Exit::Done,
        RunEnd::Waits => Exit::Waits,
        RunEnd::Nothing => Exit::NothingDone,
        RunEnd::NotApproved => Exit::NotApproved,
    }
}

/// Opens the project and reads its settings and sources; complaints are written.
///
/// # Errors
/// The exit code, where something is wrong.
pub fn open(args: &SourceArgs, context: &mut Context<'_>) -> Result<Opened, Exit> {
    let root = context.global.project.clone();
    let project =
        ProjectPaths::find(&root).map_err(|error| context.complain(Exit::Usage, &error))?;
    let overrides = Overrides { environment: environment(), ..Overrides::default() };
    let config = load_config(&root, None, &overrides)
        .map_err(|error| context.complain(Exit::Usage, &error))?
        .config;
    let sources = read_sources(&root)
        .and_then(|all| select_sources(all, &args.sources))
        .map_err(|error| context.complain(Exit::Usage, &error))?;
    let connect_to =
        read_connect_to(&args.connect_to).map_err(|error| context.complain(Exit::Usage, &error))?;
    Ok(Opened { project, config, sources, connect_to })
}

/// The exit code of a failure, with its complaint.
pub fn fail(error: &RunError, context: &mut Context<'_>) -> Exit {
    let exit = match error.kind() {
        FailureKind::Ours => Exit::Fault,
        FailureKind::Usage => Exit::Usage,
        FailureKind::Waits => Exit::Waits,
        FailureKind::Nothing => Exit::NothingDone,
        FailureKind::Unverified => Exit::Unverified,
        FailureKind::Outside => Exit::OutsideFailed,
    };
    context.complain(exit, error)
}

/// Runs `work` with lock, progress, Ctrl-C and the approval question of a terminal.
pub fn with_surroundings<T, W, F>(
    context: &mut Context<'_>,
    project: &ProjectPaths,
    work: W,
) -> Result<T, RunError>
where
    W: FnOnce(&'static Surroundings<'static>) -> F,
    F: Future<Output = Result<T, RunError>>,
{
    let lock = ProjectLock::take(project.root(), std::process::id())?;
    if let Some(pid) = lock.taken_over_from {
        context.remark(&format!(
            "note      an earlier run (process {pid}) did not end; going on from there"
        ));
    }
    let prices = own_prices(project.root());
    let around = surroundings(context.global, context.now, prices);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(READING_THREADS)
        .enable_all()
        .build()
        .map_err(|error| RunError::Network { detail: error.to_string() })?;
    signals::listen(around.stop.clone(), Arc::clone(&around.progress))
        .map_err(|error| RunError::Signals { detail: error.to_string() })?;
    runtime.block_on(async { work(around).await })
}

/// One process runs one command, so what surrounds it may live as long as the process.
fn surroundings(
    global: &Global,
    now: jiff::Timestamp,
    prices: Option<(String, String)>,
) -> &'static Surroundings<'static> {
    let yes = global.yes;
    let may_ask = std::io::stdin().is_terminal() && global.format == Format::Human;
    let stop = Stop::default();
    let asked = stop.clone();
    let approve: &'static dyn Fn(&Estimate) -> bool =
        Box::leak(Box::new(move |it: &Estimate| yes || (may_ask && ask_person(it, &asked))));
    let prices = prices.map(|(file, text)| {
        let (file, text): (&'static str, &'static str) = (file.leak(), text.leak());
        (file, text)
    });
    let bars = !global.no_progress && global.format == Format::Human;
    Box::leak(Box::new(Surroundings {
        now,
        environment: Box::leak(Box::new(environment())),
        progress: Arc::new(TerminalProgress::new(bars, !global.quiet)) as Arc<dyn Progress>,
        stop,
        approve,
        fresh_uuid: fresh_uuid().leak(),
        prices,
    }))
}

fn ask_person(estimate: &Estimate, stop: &Stop) -> bool {
    let mut err = std::io::stderr();
    let _ = write!(err, "{}Go on? [y/N] ", estimate_words(estimate));
    let _ = err.flush();
    signals::line_unless_stopped(std::io::BufReader::new(std::io::stdin()), stop)
        .is_some_and(|it| matches!(it.trim().to_lowercase().as_str(), "y" | "yes" | "是" | "好"))
}

/// A random UUID, version 4, for a project that has none yet.
pub fn fresh_uuid() -> String {
    use std::hash::{BuildHasher, Hasher};
    // Two independently seeded hashers of the standard library give 128 bits the system chose.
    let half = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    let mut bytes = [half().to_be_bytes(), half().to_be_bytes()].concat();
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex: String = bytes.iter().map(|it| format!("{it:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

fn own_prices(root: &Path) -> Option<(String, String)> {
    let text = std::fs::read_to_string(root.join("prices.toml")).ok()?;
    Some(("prices.toml".to_owned(), text))
}

fn read_connect_to(values: &[String]) -> Result<BTreeMap<String, SocketAddr>, String> {
    values
        .iter()
        .map(|value| {
            let wrong = || {
                format!("--connect-to: expected HOST=ADDRESS like www.agency.example=127.0.0.1:8080, found {value:?}")
            };
            let (host, address) = value.split_once('=').ok_or_else(wrong)?;
            let address = address.trim().parse().map_err(|_| wrong())?;
            Ok((host.trim().to_lowercase(), address))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_connect_to_is_named_with_what_was_expected() {
        assert!(read_connect_to(&["a.example=127.0.0.1:80".to_owned()]).is_ok());
        for wrong in ["a.example", "a.example=localhost:80", "=", "a.example=127.0.0.1"] {
            let error = read_connect_to(&[wrong.to_owned()]).unwrap_err();
            assert!(error.contains(wrong) && error.contains("HOST=ADDRESS"), "{error}");
        }
    }

    #[test]
    fn uuids_are_of_version_4_and_differ() {
        let (a, b) = (fresh_uuid(), fresh_uuid());
        assert_ne!(a, b);
        assert_eq!((a.len(), &a[14..15]), (36, "4"));
    }
}
