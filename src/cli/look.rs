//! `status` and `why`: reading what is on record, each with a form for people and for scripts.

use std::fmt::Write;

use crate::cli::args::{SourceArgs, WhyArgs};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open};
use crate::cli::words::{cost_words, rows_line};
use crate::model::row::RowRecord;
use crate::pipeline::client::waiting::waiting_for_client;
use crate::pipeline::history::standing::{Standing, standing};
use crate::pipeline::history::story::{Story, story_of};
use crate::pipeline::project::ProjectPaths;

/// `status`.
pub fn status(context: &mut Context<'_>) -> Exit {
    let all = SourceArgs { sources: vec![], connect_to: vec![] };
    let opened = match open(&all, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let found = standing(&opened.project, &opened.sources).and_then(|found| {
        let client = waiting_for_client(&opened.project, &opened.sources)?;
        Ok(Standing { client, ..found })
    });
    match found {
        Ok(found) => {
            let told = context.tell(&found, &standing_words(&found));
            let waits = found.waiting_asks > 0
                || found.client.is_some_and(|it| it.waiting > 0)
                || found.sources.iter().any(|it| !it.problems.is_empty());
            if told == Exit::Done && waits { Exit::Waits } else { told }
        }
        Err(error) => fail(&error, context),
    }
}

/// `why ROW`.
pub fn why(args: &WhyArgs, context: &mut Context<'_>) -> Exit {
    let project = match ProjectPaths::find(&context.global.project) {
        Ok(project) => project,
        Err(error) => return context.complain(Exit::Usage, &error),
    };
    match story_of(&project, &args.row) {
        Ok(Some(story)) => context.tell(&story, &story_words(&story)),
        Ok(None) => {
            let error = format!(
                "no row has the key {:?}; keys stand in extracted/ and in the sheet's column for them",
                args.row
            );
            context.complain(Exit::NothingDone, &error)
        }
        Err(error) => fail(&error, context),
    }
}

fn standing_words(found: &Standing) -> String {
    let mut text = format!("Project {}\n", found.project);
    match &found.last_run {
        Some(run) => {
            let ended =
                run.ended.as_deref().unwrap_or("did not come to its end; run again to go on");
            let _ = writeln!(
                text,
                "Last run {} ({}), began {}, ended {ended}",
                run.run, run.kind, run.began
            );
            if let Some(cost) = &run.cost {
                text.push_str(&cost_words(cost));
            }
        }
        None => text.push_str("No run yet\n"),
    }
    for source in &found.sources {
        let (rows, sentences) = (&source.rows, &source.sentences);
        let _ = writeln!(text, "{}: {} pages, {} items", source.source, source.pages, source.items);
        text.push_str(&rows_line(rows));
        let _ = writeln!(
            text,
            "  sentences  {} covered, {} no condition, {} open ({} with a rule or a number)",
            sentences.used, sentences.not_a_condition, sentences.open, source.omissions
        );
        for problem in &source.problems {
            let _ = writeln!(
                text,
                "  problem    {} {} ({}) since {}, seen in {} crawls",
                problem.page, problem.outcome, problem.reason, problem.since, problem.open_runs
            );
        }
    }
    match found.client {
        Some(it) if it.waiting > 0 => {
            let _ = writeln!(
                text,
                "{} of {} rows and questions wait for the client, {} are decided",
                it.waiting, it.asked, it.decided
            );
        }
        Some(it) => {
            let _ = writeln!(
                text,
                "nothing waits for the client (ledger of project {} read; {} decided)",
                found.project, it.decided
            );
        }
        None => {}
    }
    let _ = writeln!(text, "{} asks wait for an answer", found.waiting_asks);
    text
}

fn story_words(story: &Story) -> String {
    let mut text = row_words(&story.row);
    for told in &story.editions {
        let days = if told.from == told.to {
            told.from.clone()
        } else {
            format!("{} to {}", told.from, told.to)
        };
        let short: String = told.edition.chars().take(12).collect();
        let says = match (&told.clause, told.quote_stands) {
            (Some(_), true) => "the quote stands".to_owned(),
            (Some(clause), false) => format!("said: {}", clause.replace('\n', " ")),
            (None, _) => "does not show it".to_owned(),
        };
        let _ = writeln!(text, "  edition   {short}, {days}: {says}");
    }
    for it in &story.decisions {
        let _ = writeln!(
            text,
            "  decision  {:?} by {} on {} {}",
            it.word, it.signer, it.signed_at, it.note
        );
    }
    text
}

fn row_words(row: &RowRecord) -> String {
    let claim = &row.claim;
    let mut text = format!("{} ({})\n", row.key, row.status.as_str());
    let _ = writeln!(text, "  page      {}", row.page);
    let _ = writeln!(text, "  under     {}", row.heading_path.join(" > "));
    let _ = writeln!(text, "  sentence  {}", row.sentence.replace('\n', " "));
    let _ = writeln!(text, "  quote     {}", claim.snippet.replace('\n', " "));
    if let Some(place) = row.place {
        let _ = writeln!(
            text,
            "  place     bytes {}..{}, characters {}..{} of text {}",
            place.bytes.start, place.bytes.end, place.chars.start, place.chars.end, row.text
        );
    }
    let _ = writeln!(text, "  snapshot  {}", row.snapshot);
    let _ = writeln!(
        text,
        "  says      {}: {} {} {} {}",
        claim.subject,
        claim.field,
        claim.op.as_str(),
        claim.value,
        claim.unit.as_deref().unwrap_or_default()
    );
    let _ = writeln!(text, "  read by   {} (ask {})", row.read_by, row.ask);
    let _ = writeln!(text, "  gate      {}", row.verdict.as_str());
    for finding in &row.findings {
        let _ = writeln!(text, "            {}: {}", finding.code, finding.detail);
    }
    if let Some(review) = &row.review {
        let _ = writeln!(
            text,
            "  review    {:?} by {} (ask {}) {}",
            review.word, review.reviewed_by, review.ask, review.reason
        );
        let _ = writeln!(text, "            quoting: {}", review.snippet.replace('\n', " "));
    }
    text
}
