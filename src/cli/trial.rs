//! `trial`: the gate's mutation score on the rows on record, or on rows and a text from files.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::ask::reply::parse_extract_reply;
use crate::cli::args::{SourceArgs, TrialArgs};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::gate::read_text;
use crate::cli::run::{fail, open};
use crate::model::row::RowStatus;
use crate::pipeline::history::standing::pages_on_record;
use crate::trial::run::{TrialPage, TrialReport, run_trial};

/// Plants errors in rows that are held to be right and counts what the gate catches.
pub fn trial(args: &TrialArgs, context: &mut Context<'_>) -> Exit {
    let pages = match (&args.rows, &args.text) {
        (Some(rows), Some(text)) => page_of_files(rows, text, context).map(|it| vec![it]),
        _ => pages_of_project(args, context),
    };
    let report = match pages {
        Ok(pages) => run_trial(&pages, args.seed),
        Err(exit) => return exit,
    };
    let told = context.tell(&report, &words(&report, args.all));
    if told == Exit::Done && report.rows == 0 { Exit::NothingDone } else { told }
}

/// One page from a file, and rows of anybody's as the gate takes them.
fn page_of_files(rows: &Path, text: &Path, context: &mut Context<'_>) -> Result<TrialPage, Exit> {
    let page = read_text(text).map_err(|error| context.complain(Exit::Usage, &error))?;
    let raw = read_text(rows).map_err(|error| context.complain(Exit::Usage, &error))?;
    let parsed = parse_extract_reply(&raw, "");
    let name = rows.display().to_string();
    if let Some(reason) = parsed.unreadable {
        return Err(context.complain(Exit::Usage, &format!("{name}: {reason}")));
    }
    for row in &parsed.malformed {
        context.remark(&format!("{name}: {} is no row and left out: {}", row.id, row.reason));
    }
    Ok(TrialPage {
        name: text.display().to_string(),
        title: String::new(),
        text: page,
        rows: parsed.reply.rows,
        groups: parsed.reply.groups,
    })
}

/// The pages on record with their accepted rows.
fn pages_of_project(args: &TrialArgs, context: &mut Context<'_>) -> Result<Vec<TrialPage>, Exit> {
    let sources = SourceArgs { sources: args.sources.clone(), connect_to: vec![] };
    let opened = open(&sources, context)?;
    let found = pages_on_record(&opened.project, &opened.sources);
    let (rows, papers) = found.map_err(|error| fail(&error, context))?;
    let mut pages: BTreeMap<&str, TrialPage> = papers
        .iter()
        .map(|it| {
            let page = TrialPage {
                name: it.url.clone(),
                title: it.title.clone(),
                text: it.text.clone(),
                ..TrialPage::default()
            };
            (it.url.as_str(), page)
        })
        .collect();
    for row in rows.iter().filter(|it| it.status == RowStatus::Accepted) {
        if let Some(page) = pages.get_mut(row.page.as_str()) {
            let mut claim = row.claim.clone();
            claim.id.clone_from(&row.key);
            page.rows.push(claim);
        }
    }
    Ok(pages.into_values().filter(|it| !it.rows.is_empty()).collect())
}

fn words(report: &TrialReport, all: bool) -> String {
    const SHOWN: usize = 20;
    let mut text = format!("Trial, seed {}: {} rows\n", report.seed, report.rows);
    let _ = writeln!(
        text,
        "  {:<24} {:>4} {:>8} {:>8} {:>7} {:>11}",
        "kind", "lang", "planted", "caught", "%", "still true"
    );
    for (kind, languages) in &report.kinds {
        for (language, tally) in languages {
            let percent = (tally.caught * 1000).checked_div(tally.planted).unwrap_or(0);
            let _ = writeln!(
                text,
                "  {:<24} {language:>4} {:>8} {:>8} {:>5}.{} {:>11}",
                kind.as_str(),
                tally.planted,
                tally.caught,
                percent / 10,
                percent % 10,
                tally.still_true
            );
        }
    }
    let most = if all { usize::MAX } else { SHOWN };
    let _ = writeln!(text, "Missed: {}", report.missed.len());
    for it in report.missed.iter().take(most) {
        let _ = writeln!(
            text,
            "  {} {} {}: {} | {}",
            it.kind.as_str(),
            it.language,
            it.row,
            it.change,
            it.snippet.replace('\n', " ")
        );
    }
    let _ = writeln!(text, "Untouched rows refused: {} of {}", report.refused.len(), report.rows);
    for it in report.refused.iter().take(most) {
        let _ = writeln!(text, "  {} {}: {} {}", it.verdict, it.row, it.code, it.detail);
    }
    text
}
