//! The one place that names implementations of the outside world.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rust_decimal::prelude::ToPrimitive;

use crate::ask::bounds::{PIECES, QUOTES};
use crate::ask::message::REQUEST_VERSION;
use crate::fetch::clock::SystemClock;
use crate::fetch::http::{HttpError, HttpFetch, HttpSettings as FetchSettings};
use crate::llm::answerer::{AnswerError, Answerer};
use crate::llm::folder::{AnswerFolder, FilesAnswerer};
use crate::llm::http::{HttpAnswerer, HttpSettings};
use crate::llm::key::ApiKey;
use crate::llm::pace::Pace;
use crate::llm::record::AnswerFiles;
use crate::llm::settings::ModelSettings;
use crate::llm::transport::Place;
use crate::model::ask::ReaderId;
use crate::model::config::{AnswererKind, Dialect, ProjectConfig, QuoteChoice, ReaderConfig};
use crate::pipeline::project::{ProjectError, ProjectPaths};
use crate::reader::answerer::{RULES_NAME, RulesAnswerer};
use crate::store::ledger::Ledger;
use crate::store::sqlite::SqliteLedger;

/// Tries of one ask against a provider.
const MAX_TRIES: u32 = 4;

/// Who answers extraction asks, and who answers review asks.
pub type Answerers = (Box<dyn Answerer>, Box<dyn Answerer>);

/// Who answers the asks of both steps. Two readers behind one address share its pace.
///
/// # Errors
/// When a key is missing or no client can be made.
pub fn answerers(
    config: &ProjectConfig,
    root: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<Answerers, AnswerError> {
    let [first, second] = paces(config);
    let answerer = |of: &ReaderConfig, pace| -> Result<Box<dyn Answerer>, AnswerError> {
        Ok(match of.answerer {
            AnswererKind::Rules => Box::new(RulesAnswerer),
            AnswererKind::Files => Box::new(FilesAnswerer),
            AnswererKind::Http => {
                install_crypto();
                let settings = HttpSettings {
                    place: place(of, root, environment)?,
                    model: model_settings(of),
                    max_tries: MAX_TRIES,
                };
                Box::new(HttpAnswerer::new(settings, pace)?)
            }
        })
    };
    Ok((answerer(&config.extractor, first)?, answerer(&config.reviewer, second)?))
}

/// Answerers that answer nothing, for what asks nothing.
pub fn nobody() -> Answerers {
    (Box::new(FilesAnswerer), Box::new(FilesAnswerer))
}

/// The paces of both readers: one and the same where they ask one provider. Then the larger number of
/// calls in flight and the smaller number of tokens hold for both together.
fn paces(config: &ProjectConfig) -> [Arc<Pace>; 2] {
    let (first, second) = (&config.extractor, &config.reviewer);
    let is_http = |it: &ReaderConfig| it.answerer == AnswererKind::Http;
    let is_one = is_http(first)
        && is_http(second)
        && (first.dialect, first.address()) == (second.dialect, second.address());
    if is_one {
        let bounds = [first.tokens_per_minute, second.tokens_per_minute];
        let tokens = bounds.into_iter().filter(|it| *it > 0).min().unwrap_or(0);
        let pace = Arc::new(Pace::new(first.concurrency.max(second.concurrency), tokens));
        return [Arc::clone(&pace), pace];
    }
    [first, second].map(|it| Arc::new(Pace::new(it.concurrency, it.tokens_per_minute)))
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
            if let Some(temperature) = config.temperature_in_force() {
                id.settings.insert("temperature".to_owned(), temperature.to_string());
            }
            id.settings.insert("request".to_owned(), REQUEST_VERSION.to_owned());
            id.settings.insert("max_tokens".to_owned(), config.max_tokens.to_string());
            if config.quotes == QuoteChoice::Pieces && config.dialect == Dialect::Compatible {
                id.settings.insert(QUOTES.to_owned(), PIECES.to_owned());
            }
            if let Some(reasoning) = config.reasoning_in_force() {
                id.settings.insert("reasoning".to_owned(), reasoning);
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

/// Where a reader's server is, with its key.
///
/// # Errors
/// When the key's variable is empty or its file cannot be used.
pub fn place(
    config: &ReaderConfig,
    root: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<Place, AnswerError> {
    Ok(Place {
        dialect: config.dialect,
        base_url: config.address().to_owned(),
        api_version: config.api_version.clone(),
        key: key_of(config, root, environment)?,
        timeout: Duration::from_secs(config.timeout_s),
    })
}

/// The variable wins over the file, as everywhere.
fn key_of(
    config: &ReaderConfig,
    root: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<Option<ApiKey>, AnswerError> {
    let named = Some(config.key_env.as_str()).filter(|it| !it.is_empty());
    let value = named.and_then(|it| environment.get(it)).map(|it| it.trim());
    match (value.filter(|it| !it.is_empty()), named) {
        (Some(key), _) => Ok(Some(ApiKey::new(key.to_owned()))),
        (None, _) if !config.key_file.is_empty() => {
            let key = ApiKey::read_file(&root.join(&config.key_file));
            key.map(Some).map_err(|error| AnswerError::Unauthorised { detail: error.to_string() })
        }
        (None, Some(name)) => Err(AnswerError::Unauthorised {
            detail: format!("the variable {name} named by key_env is not set"),
        }),
        (None, None) => Ok(None),
    }
}

/// What is asked of a reader's model.
pub fn model_settings(config: &ReaderConfig) -> ModelSettings {
    ModelSettings {
        model: config.model.clone(),
        max_tokens: u32::try_from(config.max_tokens).ok(),
        temperature: config.temperature_in_force().and_then(|it| it.to_f64()),
        reasoning: config.reasoning_in_force(),
    }
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
    fn two_readers_of_one_provider_share_its_pace_and_those_of_two_do_not() {
        let reader = |address: &str, model: &str| ReaderConfig {
            answerer: AnswererKind::Http,
            model: model.to_owned(),
            base_url: address.to_owned(),
            ..ReaderConfig::default()
        };
        let share = |second: ReaderConfig| {
            let extractor = reader("http://127.0.0.1:1/v1", "a");
            let config = ProjectConfig { extractor, reviewer: second, ..ProjectConfig::default() };
            let [first, second] = paces(&config);
            Arc::ptr_eq(&first, &second)
        };
        assert!(share(reader("http://127.0.0.1:1/v1", "b")), "one provider, two models");
        assert!(!share(reader("http://127.0.0.1:2/v1", "a")));
        let rules =
            ReaderConfig { answerer: AnswererKind::Rules, ..reader("http://127.0.0.1:1/v1", "a") };
        assert!(!share(rules), "the rules ask nobody");
    }

    #[test]
    fn a_choice_of_quotes_is_another_ask_where_the_server_can_be_held_to_it() {
        let of = |dialect, quotes| {
            reader_id(&ReaderConfig {
                answerer: AnswererKind::Http,
                dialect,
                quotes,
                ..ReaderConfig::default()
            })
        };
        let free = of(Dialect::Compatible, QuoteChoice::Free);
        assert!(!free.settings.contains_key(QUOTES));
        assert_ne!(free, of(Dialect::Compatible, QuoteChoice::Pieces));
        let openai = of(Dialect::OpenAi, QuoteChoice::Pieces);
        assert_eq!(openai, of(Dialect::OpenAi, QuoteChoice::Free));
    }

    #[test]
    fn a_missing_key_is_named_by_its_variable() {
        let config = ReaderConfig {
            answerer: AnswererKind::Http,
            key_env: "SOME_KEY".to_owned(),
            ..ReaderConfig::default()
        };
        let project = ProjectConfig { extractor: config, ..ProjectConfig::default() };
        let error = answerers(&project, Path::new("."), &BTreeMap::new()).err().unwrap();
        assert!(error.to_string().contains("SOME_KEY"), "{error}");
    }

    #[test]
    fn thinking_is_on_by_default_and_stands_in_the_ask_where_the_dialect_has_a_word_for_it() {
        let of = |dialect, reasoning: &str| {
            let config = ReaderConfig {
                answerer: AnswererKind::Http,
                dialect,
                reasoning: reasoning.to_owned(),
                ..ReaderConfig::default()
            };
            let settings = reader_id(&config).settings;
            let sent = model_settings(&config).reasoning;
            assert_eq!(settings.get("reasoning"), sent.as_ref());
            (sent, settings.contains_key("temperature"))
        };
        assert_eq!(of(Dialect::Compatible, ""), (None, true), "as it always was");
        assert_eq!(of(Dialect::OpenAi, ""), (Some("medium".to_owned()), true));
        assert_eq!(of(Dialect::Anthropic, ""), (Some("adaptive".to_owned()), false));
        assert_eq!(of(Dialect::Anthropic, "off"), (Some("off".to_owned()), true));
        assert_eq!(of(Dialect::Gemini, ""), (Some("dynamic".to_owned()), true));
        assert_eq!(of(Dialect::Gemini, "high"), (Some("high".to_owned()), true));
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
