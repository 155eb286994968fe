//! `doctor`: project, sources, readers and surroundings, each with what to mend.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::model::config::{AnswererKind, ProjectConfig, ReaderConfig};
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::wiring;
use crate::sources::config_file::{Overrides, load_config};
use crate::sources::folder::read_sources;

/// One thing looked at.
#[derive(Serialize)]
struct Check {
    what: &'static str,
    is_well: bool,
    words: String,
}

/// Looks at everything a run needs and does not stop at the first mistake.
pub fn doctor(context: &mut Context<'_>) -> Exit {
    let environment: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let root = &context.global.project;
    let mut checks = Vec::new();
    let project = ProjectPaths::find(root);
    checks.push(check("project", project.as_ref().map(|it| it.root().display().to_string())));
    checks.push(check(
        "sources",
        read_sources(root).map(|sources| {
            let ids: Vec<String> = sources
                .iter()
                .map(|it| format!("{} ({}, {} fields)", it.id, it.language, it.fields.len()))
                .collect();
            ids.join(", ")
        }),
    ));
    let overrides = Overrides { environment: environment.clone(), ..Overrides::default() };
    match load_config(root, None, &overrides) {
        Ok(reading) => {
            checks.push(check::<_, String>("settings", Ok(reader_words(&reading.config))));
            let made =
                wiring::answerers(&reading.config, root, &environment).map(|_| "ready".to_owned());
            checks.push(check("readers", made));
            checks.push(same_model(&reading.config));
        }
        Err(error) => checks.push(check::<String, _>("settings", Err(error))),
    }
    if let Ok(project) = &project {
        checks.push(ledger_check(project));
    }
    let mut human = String::new();
    for it in &checks {
        let mark = if it.is_well { "ok  " } else { "MEND" };
        let _ = writeln!(human, "{mark} {:<9} {}", it.what, it.words);
    }
    let is_well = checks.iter().all(|it| it.is_well);
    let told = context.tell(&checks, &human);
    if told == Exit::Done && !is_well { Exit::Usage } else { told }
}

fn check<T: ToString, E: ToString>(what: &'static str, found: Result<T, E>) -> Check {
    match found {
        Ok(words) => Check { what, is_well: true, words: words.to_string() },
        Err(error) => Check { what, is_well: false, words: error.to_string() },
    }
}

fn reader_words(config: &ProjectConfig) -> String {
    let words = |it: &ReaderConfig| match it.answerer {
        AnswererKind::Http => {
            format!("http ({}), model {} at {}", it.dialect.as_str(), it.model, it.address())
        }
        other => other.as_str().to_owned(),
    };
    format!("extractor {}; reviewer {}", words(&config.extractor), words(&config.reviewer))
}

/// The same model twice is allowed, and said: it seldom sees its own mistakes.
fn same_model(config: &ProjectConfig) -> Check {
    let is_same = config.extractor.answerer == AnswererKind::Http
        && config.reviewer.answerer == AnswererKind::Http
        && config.extractor.model == config.reviewer.model;
    let words = if is_same {
        "extractor and reviewer are the same model; a model seldom sees its own mistakes"
    } else {
        "extractor and reviewer read by different roads"
    };
    Check { what: "review", is_well: true, words: words.to_owned() }
}

fn ledger_check(project: &ProjectPaths) -> Check {
    if !project.ledger().exists() {
        return Check {
            what: "ledger",
            is_well: true,
            words: "none yet; the first run makes it".to_owned(),
        };
    }
    check(
        "ledger",
        wiring::existing_ledger(project).map(|it| format!("project {}", it.project_uuid())),
    )
}
