//! `trial`: the gate's mutation score on the rows on record.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::cli::args::{SourceArgs, TrialArgs};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open};
use crate::model::row::RowStatus;
use crate::pipeline::standing::pages_on_record;
use crate::trial::run::{TrialPage, TrialReport, run_trial};

/// Plants errors in accepted rows and counts what the gate catches.
pub fn trial(args: &TrialArgs, context: &mut Context<'_>) -> Exit {
    let sources = SourceArgs { sources: args.sources.clone(), connect_to: vec![] };
    let opened = match open(&sources, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let (rows, papers) = match pages_on_record(&opened.project, &opened.sources) {
        Ok(found) => found,
        Err(error) => return fail(&error, context),
    };
    let mut pages: BTreeMap<&str, TrialPage> = papers
        .iter()
        .map(|it| {
            let page = TrialPage {
                name: it.url.clone(),
                title: it.title.clone(),
                text: it.text.clone(),
                rows: Vec::new(),
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
    let pages: Vec<TrialPage> = pages.into_values().filter(|it| !it.rows.is_empty()).collect();
    let report = run_trial(&pages, args.seed);
    let told = context.tell(&report, &words(&report, args.all));
    if told == Exit::Done && report.rows == 0 { Exit::NothingDone } else { told }
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
