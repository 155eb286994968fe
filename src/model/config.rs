//! What `countersign.toml`, the environment and flags say of a project; never a key's value.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The settings of a project, defaults filled in. Made by `sources::config_file`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProjectConfig {
    /// For people: stands on the client's sheet and in reports. Empty where nobody gave one.
    pub name: String,
    /// Who reads first.
    pub extractor: ReaderConfig,
    /// Who goes through the rows again.
    pub reviewer: ReaderConfig,
    pub budget: BudgetConfig,
    pub crawl: CrawlConfig,
}

/// Who answers asks of one step, and with which settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReaderConfig {
    pub answerer: AnswererKind,
    /// The provider's name of the model; required for `http`. Stands in the ask.
    pub model: String,
    /// Where `/chat/completions` is, without it: `http://127.0.0.1:8080/v1`. Required for `http`.
    pub base_url: String,
    /// Name of the environment variable that holds the key; empty where none is needed.
    pub key_env: String,
    pub temperature: Decimal,
    /// Most tokens of one reply.
    pub max_tokens: u64,
    /// Reasoning effort in the provider's words; empty leaves the provider's default.
    pub reasoning: String,
    /// Longest wait for one reply, seconds.
    pub timeout_s: u64,
    /// Calls in flight.
    pub concurrency: usize,
}

impl Default for ReaderConfig {
    fn default() -> Self {
        Self {
            answerer: AnswererKind::Rules,
            model: String::new(),
            base_url: String::new(),
            key_env: String::new(),
            temperature: Decimal::ZERO,
            max_tokens: 8_000,
            reasoning: String::new(),
            timeout_s: 120,
            concurrency: 8,
        }
    }
}

/// The three kinds of answerer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswererKind {
    /// Built in: no model, no key, no network.
    #[default]
    Rules,
    /// Somebody puts answers into `asks/`.
    Files,
    /// An OpenAI-compatible server.
    Http,
}

impl AnswererKind {
    /// The form used in files and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            AnswererKind::Rules => "rules",
            AnswererKind::Files => "files",
            AnswererKind::Http => "http",
        }
    }
}

/// Money before it is spent, in `currency`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetConfig {
    /// A run whose expected cost is above this needs an accepted quote; `None`: never.
    pub quote_above: Option<Decimal>,
    /// The run stops before the call that would cross this; `None`: no limit.
    pub max_cost: Option<Decimal>,
    /// ISO 4217 code.
    pub currency: String,
}

impl Default for BudgetConfig {
    fn default() -> Self {
        Self { quote_above: None, max_cost: None, currency: "USD".to_owned() }
    }
}

/// What all crawls of a project share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrawlConfig {
    /// Address or mail address a webmaster can write to; part of the user agent.
    pub contact: String,
    /// Host name -> address that is connected to instead of asking the name service. For rehearsals
    /// and tests; the address still has to be allowed by the source where it is private.
    pub connect_to: BTreeMap<String, SocketAddr>,
}
