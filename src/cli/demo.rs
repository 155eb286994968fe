//! `demo`: the bundled sample site served on this machine, and the whole line run over it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::cli::args::DemoArgs;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, tell_report, with_surroundings};
use crate::fetch::loopback::Loopback;
use crate::model::config::ProjectConfig;
use crate::pipeline::failure::RunError;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::run::{RunReport, RunRequest, run_line};
use crate::pipeline::surroundings::Surroundings;
use crate::pipeline::written::{WriteError, write_checked};
use crate::sources::folder::read_sources;
use crate::sources::sample::{sample_site, sample_source_files};

/// The host name that the sample's source files crawl.
const SAMPLE_HOST: &str = "harbour.example";

/// Makes the demo project, runs it, and says what to open.
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
    let request = RunRequest {
        sources,
        config: ProjectConfig { name: "Demo".to_owned(), ..ProjectConfig::default() },
        crawls: true,
        ..RunRequest::default()
    };
    let outcome =
        with_surroundings(context, &project, |around| serve_and_run(&project, request, around));
    match outcome {
        Ok(report) => {
            let exit = tell_report(&report, context);
            if !matches!(exit, Exit::Done | Exit::Waits) {
                return exit;
            }
            context.remark(&next_steps(&dir, &report));
            // The demo is done when its sheet is there; that rows wait for the client is its point.
            Exit::Done
        }
        Err(error) => fail(&error, context),
    }
}

async fn serve_and_run(
    project: &ProjectPaths,
    mut request: RunRequest,
    around: &Surroundings<'_>,
) -> Result<RunReport, RunError> {
    let broken = |detail: String| RunError::Network { detail };
    let site = sample_site().map_err(|error| broken(error.to_string()))?;
    let server = Loopback::start(site, "bulk").await.map_err(|error| broken(error.to_string()))?;
    request.connect_to.insert(SAMPLE_HOST.to_owned(), server.address());
    run_line(project, request, around).await
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

fn next_steps(dir: &Path, report: &RunReport) -> String {
    let mut text = String::from("\nOpen next:\n");
    let mut step = |path: &str, what: &str| {
        let _ = writeln!(text, "  {}\n      {what}", dir.join(path).display());
    };
    if let Some(sheet) = &report.summary.sheet {
        step(sheet, "what the client gets: rows to decide, with quotes and reasons");
    }
    if let Some(page) = &report.summary.report {
        step(page, "every page with its sentences: used, no condition, open");
    }
    step("extracted/", "the rows, one JSON object a line");
    text.pop();
    text
}
