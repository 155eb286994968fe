//! The one place that names implementations of the outside world.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use rust_decimal::prelude::ToPrimitive;

use crate::ask::message::chat_request;
use crate::fetch::clock::SystemClock;
use crate::fetch::http::{HttpError, HttpFetch, HttpSettings as FetchSettings};
use crate::llm::answerer::{AnswerError, Answerer};
use crate::llm::folder::{AnswerFolder, FilesAnswerer};
use crate::llm::http::{ApiKey, HttpAnswerer, HttpSettings};
use crate::llm::openai::ModelSettings;
use crate::llm::record::AnswerFiles;
use crate::model::ask::ReaderId;
use crate::model::config::{AnswererKind, ReaderConfig};
use crate::pipeline::project::{ProjectError, ProjectPaths};
use crate::reader::answerer::{RULES_NAME, RulesAnswerer};
use crate::store::ledger::Ledger;
use crate::store::sqlite::SqliteLedger;

/// Tries of one ask against a provider.
const MAX_TRIES: u32 = 4;

/// Who answers the asks of one step.
///
/// # Errors
/// When the key's variable is empty or no client can be made.
pub fn answerer(
    config: &ReaderConfig,
    environment: &BTreeMap<String, String>,
) -> Result<Box<dyn Answerer>, AnswerError> {
    Ok(match config.answerer {
        AnswererKind::Rules => Box::new(RulesAnswerer),
        AnswererKind::Files => Box::new(FilesAnswerer),
        AnswererKind::Http => {
            install_crypto();
            Box::new(HttpAnswerer::new(http_settings(config, environment)?, chat_request)?)
        }
    })
}

/// The reader as far as it decides the answer: it stands in every ask.
pub fn reader_id(config: &ReaderConfig) -> ReaderId {
    let plain = |name: &str| ReaderId { name: name.to_owned(), settings: BTreeMap::new() };
    match config.answerer {
        AnswererKind::Rules => plain(RULES_NAME),
        AnswererKind::Files if config.model.is_empty() => plain("files"),
        AnswererKind::Files => plain(&config.model),
        AnswererKind::Http => {
            let mut id = plain(&config.model);
            id.settings.insert("temperature".to_owned(), config.temperature.to_string());
            id.settings.insert("max_tokens".to_owned(), config.max_tokens.to_string());
            if !config.reasoning.is_empty() {
                id.settings.insert("reasoning".to_owned(), config.reasoning.clone());
            }
            id
        }
    }
}

/// The name that prices go by: `rules` and `files` are free.
pub fn priced_name(config: &ReaderConfig) -> &str {
    match config.answerer {
        AnswererKind::Rules => "rules",
        AnswererKind::Files => "files",
        AnswererKind::Http => &config.model,
    }
}

/// Opens the ledger, or makes it at the first run. `fresh_uuid` is used only then.
///
/// # Errors
/// When the ledger is another project's, newer, or foreign.
pub fn open_ledger(
    project: &ProjectPaths,
    now: &str,
    fresh_uuid: &str,
) -> Result<Box<dyn Ledger>, ProjectError> {
    let known = project.read_identity()?;
    let path = project.ledger();
    if path.exists() {
        let ledger = SqliteLedger::open(&path, known.as_deref())?;
        project.write_identity(ledger.project_uuid())?;
        return Ok(Box::new(ledger));
    }
    let uuid = known.unwrap_or_else(|| fresh_uuid.to_owned());
    project.write_identity(&uuid)?;
    Ok(Box::new(SqliteLedger::create(&path, &uuid, now)?))
}

/// Opens the ledger for reading commands: a missing one is an error, not an empty one.
///
/// # Errors
/// As [`SqliteLedger::open`].
pub fn existing_ledger(project: &ProjectPaths) -> Result<Box<dyn Ledger>, ProjectError> {
    let known = project.read_identity()?;
    Ok(Box::new(SqliteLedger::open(&project.ledger(), known.as_deref())?))
}

/// Pages over HTTP; the hosts in `connect_to` are spoken to at the address beside them.
///
/// # Errors
/// When TLS cannot be set up.
pub fn fetcher(connect_to: BTreeMap<String, SocketAddr>) -> Result<HttpFetch, HttpError> {
    HttpFetch::new(FetchSettings { connect_to, ..FetchSettings::default() })
}

/// Real time.
pub fn clock() -> SystemClock {
    SystemClock
}

/// The project's asks and answers.
pub fn answer_files(project: &ProjectPaths) -> Box<dyn AnswerFiles> {
    Box::new(AnswerFolder::new(project.asks()))
}

/// TLS by `ring`, installed once for all clients.
pub fn install_crypto() {
    // A second call finds it installed, which is what is wanted.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

fn http_settings(
    config: &ReaderConfig,
    environment: &BTreeMap<String, String>,
) -> Result<HttpSettings, AnswerError> {
    let key = match config.key_env.as_str() {
        "" => None,
        name => match environment.get(name).filter(|it| !it.is_empty()) {
            Some(key) => Some(ApiKey::new(key.clone())),
            None => {
                return Err(AnswerError::Unauthorised {
                    detail: format!("the variable {name} named by key_env is not set"),
                });
            }
        },
    };
    Ok(HttpSettings {
        base_url: config.base_url.clone(),
        model: ModelSettings {
            model: config.model.clone(),
            max_tokens: u32::try_from(config.max_tokens).ok(),
            temperature: config.temperature.to_f64(),
            reasoning: Some(config.reasoning.clone()).filter(|it| !it.is_empty()),
        },
        key,
        timeout: Duration::from_secs(config.timeout_s),
        max_tries: MAX_TRIES,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_decide_the_answer_stand_in_the_ask_and_others_do_not() {
        let base = ReaderConfig {
            answerer: AnswererKind::Http,
            model: "m".to_owned(),
            base_url: "http://127.0.0.1:1/v1".to_owned(),
            key_env: "SOME_KEY".to_owned(),
            ..ReaderConfig::default()
        };
        let other_place =
            ReaderConfig { base_url: "http://127.0.0.1:2/v1".to_owned(), ..base.clone() };
        let other_effort = ReaderConfig { reasoning: "high".to_owned(), ..base.clone() };
        assert_eq!(reader_id(&base), reader_id(&other_place));
        assert_ne!(reader_id(&base), reader_id(&other_effort));
        assert!(!format!("{:?}", reader_id(&base)).contains("SOME_KEY"));
    }

    #[test]
    fn a_missing_key_is_named_by_its_variable() {
        let config = ReaderConfig {
            answerer: AnswererKind::Http,
            key_env: "SOME_KEY".to_owned(),
            ..ReaderConfig::default()
        };
        let error = answerer(&config, &BTreeMap::new()).err().unwrap();
        assert!(error.to_string().contains("SOME_KEY"), "{error}");
    }

    #[test]
    fn a_ledger_of_another_project_is_refused_and_a_lost_one_keeps_its_identity() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sources")).unwrap();
        let project = ProjectPaths::find(dir.path()).unwrap();
        drop(open_ledger(&project, "2026-01-05T00:00:00Z", "uuid-a").unwrap());
        drop(open_ledger(&project, "2026-01-05T00:00:00Z", "uuid-b").unwrap());
        assert_eq!(existing_ledger(&project).unwrap().project_uuid(), "uuid-a");
        for file in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
            let _ = std::fs::remove_file(dir.path().join(file));
        }
        assert!(matches!(
            existing_ledger(&project),
            Err(ProjectError::Ledger(crate::store::ledger::LedgerError::Missing { .. }))
        ));
        assert_eq!(open_ledger(&project, "", "uuid-c").unwrap().project_uuid(), "uuid-a");
        project.write_identity("uuid-z").unwrap();
        assert!(matches!(
            existing_ledger(&project),
            Err(ProjectError::Ledger(crate::store::ledger::LedgerError::WrongProject { .. }))
        ));
    }
}
