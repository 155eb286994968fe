//! `asks compare RUN_A RUN_B`: row by row what a changed prompt, model or rule did.

use std::fmt::Write;

use crate::change::rows::{ComparedRow, Standings};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::pipeline::history::comparing::{CompareError, ComparedRun, RunsCompared, compare_runs};
use crate::pipeline::history::kept::KeptError;
use crate::pipeline::project::{ProjectError, ProjectPaths};

/// Prints what the second run gained, lost and changed.
pub fn compare(
    project: &ProjectPaths,
    before: &str,
    after: &str,
    context: &mut Context<'_>,
) -> Exit {
    match compare_runs(project, before, after) {
        Ok(found) => context.tell(&found, &words(&found)),
        Err(error) => context.complain(exit_of(&error), &error),
    }
}

fn exit_of(error: &CompareError) -> Exit {
    match error {
        CompareError::Unknown { .. } | CompareError::Project(ProjectError::NotAProject { .. }) => {
            Exit::Usage
        }
        CompareError::Kept(KeptError::NotKept { .. }) => Exit::NothingDone,
        CompareError::Kept(KeptError::Edited { .. } | KeptError::Line { .. })
        | CompareError::Ledger(_)
        | CompareError::Project(_) => Exit::Unverified,
        CompareError::Kept(_) => Exit::Fault,
    }
}

fn words(found: &RunsCompared) -> String {
    let mut text = String::new();
    for (name, run) in [("before", &found.before), ("after", &found.after)] {
        let _ = writeln!(text, "{name:7} {}", run_words(run));
    }
    let pages = found.pages;
    let _ = writeln!(
        text,
        "pages   {} with the same rows, {} differ, {} only before, {} only after",
        pages.same, pages.differ, pages.only_before, pages.only_after
    );
    let _ = writeln!(text, "rows    {}", standing_words(found.rows.before));
    let _ = writeln!(text, "     -> {}", standing_words(found.rows.after));
    let totals = found.totals;
    let _ = writeln!(
        text,
        "        {} the same, {} gained, {} lost, {} changed",
        totals.same, totals.gained, totals.lost, totals.changed
    );
    let kinds = [('+', &found.rows.gained), ('-', &found.rows.lost), ('~', &found.rows.changed)];
    for (mark, rows) in kinds {
        for row in rows {
            row_words(mark, row, &mut text);
        }
    }
    text
}

fn row_words(mark: char, row: &ComparedRow, text: &mut String) {
    let quote = row.snippet.replace('\n', " ");
    let _ = writeln!(text, "\n{mark} {} {} “{quote}”", row.page, row.item);
    for (arrow, line) in [("<", &row.before), (">", &row.after)] {
        if let Some(line) = line {
            let _ = writeln!(text, "  {arrow} {line}");
        }
    }
    if !row.what.is_empty() {
        let _ = writeln!(text, "  differs in {}", row.what.join(", "));
    }
    if !row.codes.is_empty() {
        let _ = writeln!(text, "  {}", row.codes.join(" "));
    }
}

fn run_words(run: &ComparedRun) -> String {
    let readers: Vec<String> =
        run.readers.iter().map(|(step, who)| format!("{step} {who}")).collect();
    format!("{}  {}  {}", run.run, run.edition, readers.join(", "))
}

fn standing_words(it: Standings) -> String {
    format!(
        "{} accepted, {} to decide, {} refused, {} merged",
        it.accepted, it.flagged, it.dropped, it.merged
    )
}
