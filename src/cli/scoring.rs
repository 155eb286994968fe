//! `score --gold FILE`: the rows on record, or any rows, against rows labelled by hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::cli::args::{ScoreArgs, SourceArgs};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open};
use crate::cli::score::{ScoreRequest, score_rows};
use crate::model::row::RowRecord;
use crate::pipeline::history::standing::{page_texts, rows_on_record};
use crate::score::table::render_score;

/// Runs the command.
pub fn score(args: &ScoreArgs, context: &mut Context<'_>) -> Exit {
    let (rows, pages) = match rows_and_pages(args, context) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    let request = ScoreRequest {
        gold: &args.gold,
        covered: args.covered.as_deref(),
        rows: &rows,
        pages: &pages,
    };
    match score_rows(request) {
        Ok(score) => {
            let told = context.tell(&score, &render_score(&score));
            if told == Exit::Done && rows.is_empty() { Exit::NothingDone } else { told }
        }
        Err(error) => context.complain(Exit::Usage, &error),
    }
}

type RowsAndPages = (Vec<RowRecord>, BTreeMap<String, String>);

fn rows_and_pages(args: &ScoreArgs, context: &mut Context<'_>) -> Result<RowsAndPages, Exit> {
    if !args.rows.is_empty() {
        let rows = read_rows(&args.rows).map_err(|error| context.complain(Exit::Usage, &error))?;
        return Ok((rows, BTreeMap::new()));
    }
    let all = SourceArgs { sources: vec![], connect_to: vec![] };
    let opened = open(&all, context)?;
    let rows = rows_on_record(&opened.project, &opened.sources);
    let rows = rows.map_err(|error| fail(&error, context))?;
    let pages = page_texts(&opened.project, &opened.sources);
    let pages = pages.map_err(|error| fail(&error, context))?;
    Ok((rows, pages))
}

fn read_rows(paths: &[PathBuf]) -> Result<Vec<RowRecord>, String> {
    let mut rows = Vec::new();
    for path in files_of(paths) {
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: cannot be read: {error}", path.display()))?;
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let row = serde_json::from_str(line).map_err(|error| {
                format!("{}, line {}: not a row of extracted/: {error}", path.display(), at + 1)
            })?;
            rows.push(row);
        }
    }
    Ok(rows)
}

fn files_of(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let is_rows = |it: &Path| it.extension().is_some_and(|it| it == "jsonl");
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            files.extend(entries.map(|it| it.path()).filter(|it| it.is_file() && is_rows(it)));
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    files
}
