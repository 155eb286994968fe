//! `crawl [SOURCE…]`: the sources' pages into editions of frozen snapshots.

use std::fmt::Write;

use serde::Serialize;

use crate::cli::args::CrawlArgs;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open, with_surroundings};
use crate::crawl::run::{CrawlReport, ExitClass};
use crate::model::snapshot::CrawlRecord;
use crate::pipeline::crawl::crawling::{CrawlJob, crawl as crawl_one};

/// What `crawl --format json` prints.
#[derive(Serialize)]
struct Crawled<'a> {
    crawls: Vec<Edition<'a>>,
}

#[derive(Serialize)]
struct Edition<'a> {
    edition: &'a str,
    /// SHA-256 of the content manifest.
    manifest: &'a str,
    exit: &'static str,
    #[serde(flatten)]
    record: &'a CrawlRecord,
}

/// Crawls and tells every page's outcome.
pub fn crawl(args: &CrawlArgs, context: &mut Context<'_>) -> Exit {
    let opened = match open(&args.sources, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let outcome = with_surroundings(context, &opened.project, |around| async {
        let mut reports = Vec::new();
        for source in &opened.sources {
            let job = CrawlJob { source, connect_to: &opened.connect_to };
            reports.push(crawl_one(&opened.project, &opened.config, job, around).await?);
        }
        Ok(reports)
    });
    let reports = match outcome {
        Ok(reports) => reports,
        Err(error) => return fail(&error, context),
    };
    let crawls = reports.iter().map(edition).collect();
    let told = context.tell(&Crawled { crawls }, &words(&reports));
    if told != Exit::Done {
        return told;
    }
    let worst = reports.iter().map(|it| exit_of(it.exit)).max();
    worst.unwrap_or(Exit::NothingDone)
}

fn edition(report: &CrawlReport) -> Edition<'_> {
    Edition {
        edition: &report.record.edition,
        manifest: &report.manifest_digest,
        exit: match report.exit {
            ExitClass::Ok => "ok",
            ExitClass::Attention => "attention",
            ExitClass::Fail => "fail",
            ExitClass::Nothing => "nothing",
        },
        record: &report.record,
    }
}

fn exit_of(class: ExitClass) -> Exit {
    match class {
        ExitClass::Ok => Exit::Done,
        ExitClass::Attention => Exit::Waits,
        ExitClass::Nothing => Exit::NothingDone,
        ExitClass::Fail => Exit::OutsideFailed,
    }
}

fn words(reports: &[CrawlReport]) -> String {
    let mut text = String::new();
    for report in reports {
        let record = &report.record;
        let _ = writeln!(text, "{} edition {}", record.source, record.edition);
        for (outcome, count) in &record.outcomes {
            let _ = writeln!(text, "  {count:>6} {outcome}");
        }
        let _ = writeln!(text, "  {:>6} documents", record.documents);
        for candidate in &record.removal_candidates {
            let _ = writeln!(text, "  gone?  {} ({})", candidate.page, candidate.reason);
        }
        for flag in &record.flags {
            let _ = writeln!(text, "  look   {flag}");
        }
    }
    text
}
