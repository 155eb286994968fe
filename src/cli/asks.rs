//! `asks list|export|import|batch`: the stand-in answerer's way in and out.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::ask::canonical::{ANSWER_FORMAT, canonical_json, read_answer};
use crate::ask::message::chat_request;
use crate::cli::args::{AsksAction, AsksArgs};
use crate::cli::asks_compare::compare;
use crate::cli::asks_paper::{ask_paper, list_paper};
use crate::cli::batches::batches;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::fail;
use crate::model::ask::{Answer, Ask};
use crate::pipeline::history::standing::open_asks;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;
use crate::pipeline::written::{WriteError, write_checked};

/// One open ask, as listed.
#[derive(Serialize)]
struct Listed {
    ask: String,
    step: &'static str,
    attempt: u32,
    page_title: String,
    heading_path: Vec<String>,
    characters: usize,
}

/// One open ask, as exported: everything that is needed to answer, and the form of the answer.
#[derive(Serialize)]
struct Exported<'a> {
    ask: &'a str,
    instructions: &'a str,
    message: String,
    reply_schema: &'a serde_json::Value,
    /// To be filled in: `answered_by` and `reply`.
    answer: Answer,
}

/// What an import found.
#[derive(Debug, Default, Serialize)]
struct Imported {
    taken: Vec<String>,
    refused: Vec<String>,
}

/// Runs the command.
pub fn asks(args: &AsksArgs, context: &mut Context<'_>) -> Exit {
    let project = match ProjectPaths::find(&context.global.project) {
        Ok(project) => project,
        Err(error) => return context.complain(Exit::Usage, &error),
    };
    match &args.action {
        AsksAction::List => list(&project, context),
        AsksAction::Export { dir } => export(&project, dir, context),
        AsksAction::Import { paths } => import(&project, paths, context),
        AsksAction::Compare { run_a, run_b } => compare(&project, run_a, run_b, context),
        AsksAction::Batch { action } => batches(action, context),
    }
}

fn list(project: &ProjectPaths, context: &mut Context<'_>) -> Exit {
    let open = match open_asks(project) {
        Ok(open) => open,
        Err(error) => return fail(&error, context),
    };
    let listed: Vec<Listed> = open
        .iter()
        .map(|(digest, ask)| Listed {
            ask: digest.clone(),
            step: ask.step.as_str(),
            attempt: ask.attempt,
            page_title: ask.page_title.clone(),
            heading_path: ask.heading_path.clone(),
            characters: ask.text.chars().count(),
        })
        .collect();
    let mut human = format!("{} asks wait for an answer\n", listed.len());
    for it in &listed {
        let _ = writeln!(
            human,
            "{}  {} {}  {} characters  {}",
            it.ask,
            it.step,
            it.attempt,
            it.characters,
            it.heading_path.last().unwrap_or(&it.page_title)
        );
    }
    let told = context.tell(&listed, &human);
    if told == Exit::Done && !listed.is_empty() { Exit::Waits } else { told }
}

fn export(project: &ProjectPaths, dir: &Path, context: &mut Context<'_>) -> Exit {
    let open = match open_asks(project) {
        Ok(open) => open,
        Err(error) => return fail(&error, context),
    };
    match write_exports(dir, &open) {
        Ok(()) => {
            let human = format!(
                "{} asks in {dir}, listed in {dir}/README.md; fill in answered_by and reply of as many as you \
                 like, then `countersign asks import {dir}`\n",
                open.len(),
                dir = dir.display()
            );
            context.tell(&open.iter().map(|it| &it.0).collect::<Vec<_>>(), &human)
        }
        Err(error) => context.complain(Exit::Fault, &error),
    }
}

fn write_exports(dir: &Path, open: &[(String, Ask)]) -> Result<(), WriteError> {
    let mut bundle = String::new();
    for (digest, ask) in open {
        let chat = chat_request(ask);
        let paper = ask_paper(digest, ask, &chat.user);
        write_checked(&dir.join(format!("{digest}.md")), paper.as_bytes())?;
        let exported = Exported {
            ask: digest,
            instructions: &ask.instructions,
            message: chat.user,
            reply_schema: &chat.schema,
            answer: Answer {
                format: ANSWER_FORMAT.to_owned(),
                ask: digest.clone(),
                answered_by: String::new(),
                reply: String::new(),
                finish: String::new(),
                usage: None,
            },
        };
        let json = serde_json::to_string_pretty(&exported).unwrap_or_default() + "\n";
        write_checked(&dir.join(format!("{digest}.json")), json.as_bytes())?;
        bundle.push_str(&serde_json::to_string(&exported).unwrap_or_default());
        bundle.push('\n');
    }
    write_checked(&dir.join("bundle.jsonl"), bundle.as_bytes())?;
    write_checked(&dir.join("README.md"), list_paper(open).as_bytes())?;
    Ok(())
}

/// A file to import: an answer alone, or an export with its answer filled in.
#[derive(Deserialize)]
#[serde(untagged)]
enum Importable {
    Export { answer: Answer },
    Answer(Answer),
}

fn import(project: &ProjectPaths, paths: &[PathBuf], context: &mut Context<'_>) -> Exit {
    let mut found = Imported::default();
    for path in files_of(paths) {
        let shown = path.display().to_string();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                found.refused.push(format!("{shown}: cannot be read: {error}"));
                continue;
            }
        };
        let is_bundle = path.extension().is_some_and(|it| it == "jsonl");
        let parts: Vec<(String, &str)> = if is_bundle {
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            lines.map(|(at, line)| (format!("{shown}, line {}", at + 1), line)).collect()
        } else {
            vec![(shown, text.as_str())]
        };
        for (place, part) in parts {
            match take_answer(project, part) {
                Ok(Some(digest)) => found.taken.push(digest),
                Ok(None) => {}
                Err(why) => found.refused.push(format!("{place}: {why}")),
            }
        }
    }
    found.taken.sort();
    found.taken.dedup();
    let mut human = format!("{} answers taken\n", found.taken.len());
    for why in &found.refused {
        let _ = writeln!(human, "refused  {why}");
    }
    let told = context.tell(&found, &human);
    if told != Exit::Done {
        return told;
    }
    match (found.refused.is_empty(), found.taken.is_empty()) {
        (false, _) => Exit::Unverified,
        (true, true) => Exit::NothingDone,
        (true, false) => Exit::Done,
    }
}

/// Takes one answer; an export that nobody filled in is passed over.
fn take_answer(project: &ProjectPaths, text: &str) -> Result<Option<String>, String> {
    let neither =
        |error: serde_json::Error| format!("neither an answer nor an export with one: {error}");
    let mut value: serde_json::Value = serde_json::from_str(text).map_err(neither)?;
    as_text(&mut value);
    let parsed: Importable = serde_json::from_value(value).map_err(neither)?;
    let answer = match parsed {
        Importable::Export { answer } if answer.reply.is_empty() => return Ok(None),
        Importable::Export { answer } | Importable::Answer(answer) => answer,
    };
    if answer.answered_by.trim().is_empty() {
        return Err(format!("ask {}: answered_by is empty; say who answered", answer.ask));
    }
    let folder = wiring::answer_files(project);
    let known = folder.read_ask(&answer.ask).map_err(|error| error.to_string())?;
    if known.is_none() {
        return Err(format!("there is no ask {} in this project", answer.ask));
    }
    let json = canonical_json(&answer).map_err(|error| error.to_string())?;
    read_answer(&json, &answer.ask).map_err(|error| error.to_string())?;
    let value: serde_json::Value =
        serde_json::from_str(&json).map_err(|error| error.to_string())?;
    let pretty = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())? + "\n";
    folder
        .write_answer(&answer.ask, &pretty)
        .map_err(|_| format!("ask {} has another answer on file already", answer.ask))?;
    Ok(Some(answer.ask))
}

/// A reply that was filled in as the JSON it is, and not as a text that holds JSON.
fn as_text(value: &mut serde_json::Value) {
    let answer = match value.get_mut("answer") {
        Some(answer) => answer,
        None => value,
    };
    if let Some(reply) = answer.get_mut("reply").filter(|it| it.is_object()) {
        *reply = serde_json::Value::String(reply.to_string());
    }
}

fn files_of(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        files.extend(
            entries
                .map(|it| it.path())
                .filter(|it| it.extension().is_some_and(|it| it == "json" || it == "jsonl")),
        );
    }
    files.sort();
    files
}
