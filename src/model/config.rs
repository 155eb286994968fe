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
    pub watch: WatchConfig,
    pub crawl: CrawlConfig,
}

/// Who answers asks of one step, and with which settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReaderConfig {
    pub answerer: AnswererKind,
    /// What language the server behind `http` speaks.
    pub dialect: Dialect,
    /// The provider's name of the model; required for `http`. Stands in the ask.
    pub model: String,
    /// Where the server is: `http://127.0.0.1:8080/v1`. Empty: the dialect's documented address;
    /// required where it has none.
    pub base_url: String,
    /// Version of the interface, for servers that want one in the address; else empty.
    pub api_version: String,
    /// Name of the environment variable that holds the key; empty where none is needed.
    pub key_env: String,
    /// File that holds the key and that only its owner may read; empty where none is needed.
    pub key_file: String,
    pub temperature: Decimal,
    /// Most tokens of one reply.
    pub max_tokens: u64,
    /// Reasoning in the provider's words, a number of tokens, or `off`; empty: the dialect's own, see
    /// [`ReaderConfig::reasoning_in_force`].
    pub reasoning: String,
    /// What a compatible server may let the model quote.
    pub quotes: QuoteChoice,
    /// Longest wait for one reply, seconds.
    pub timeout_s: u64,
    /// Calls in flight.
    pub concurrency: usize,
    /// Most tokens a minute, in and out; 0: no bound of ours.
    pub tokens_per_minute: u64,
}

impl Default for ReaderConfig {
    fn default() -> Self {
        Self {
            answerer: AnswererKind::Rules,
            model: String::new(),
            dialect: Dialect::Compatible,
            base_url: String::new(),
            api_version: String::new(),
            key_env: String::new(),
            key_file: String::new(),
            temperature: Decimal::ZERO,
            max_tokens: 8_000,
            reasoning: String::new(),
            quotes: QuoteChoice::Free,
            timeout_s: 120,
            concurrency: 8,
            tokens_per_minute: 0,
        }
    }
}

impl ReaderConfig {
    /// The reasoning that is asked for: what is configured, else on, in the dialect's own word. `None`
    /// leaves it to the server: an OpenAI-compatible one may know no such setting at all.
    pub fn reasoning_in_force(&self) -> Option<String> {
        if !self.reasoning.is_empty() {
            return Some(self.reasoning.clone());
        }
        let word = match self.dialect {
            Dialect::Compatible => return None,
            Dialect::OpenAi | Dialect::Azure => "medium",
            Dialect::Anthropic => "adaptive",
            Dialect::Gemini => "dynamic",
        };
        Some(word.to_owned())
    }

    /// The temperature that is asked for; `None` where the provider takes none beside thinking.
    pub fn temperature_in_force(&self) -> Option<Decimal> {
        let thinks = self.reasoning_in_force().is_some_and(|it| it != REASONING_OFF);
        (self.dialect != Dialect::Anthropic || !thinks).then_some(self.temperature)
    }

    /// Where the server is.
    pub fn address(&self) -> &str {
        match self.base_url.as_str() {
            "" => self.dialect.documented_address().unwrap_or_default(),
            given => given,
        }
    }
}

/// The word that turns reasoning off.
pub const REASONING_OFF: &str = "off";

/// What a model may quote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QuoteChoice {
    /// Any piece of the text, however small.
    #[default]
    Free,
    /// One of its sentences, list items or table rows, listed in the schema: for small models.
    Pieces,
}

/// The wire formats that are spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Chat completions as many servers speak them: vLLM, llama.cpp, Ollama, LM Studio.
    #[default]
    Compatible,
    /// OpenAI's own chat completions.
    OpenAi,
    /// The same on Azure: another header for the key, and on older addresses a version.
    Azure,
    /// Anthropic's messages.
    Anthropic,
    /// Google's `generateContent`.
    Gemini,
}

impl Dialect {
    /// All of them, in the order they are shown.
    pub const ALL: [Dialect; 5] =
        [Dialect::Compatible, Dialect::OpenAi, Dialect::Azure, Dialect::Anthropic, Dialect::Gemini];

    /// The form used in files and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::Compatible => "compatible",
            Dialect::OpenAi => "openai",
            Dialect::Azure => "azure",
            Dialect::Anthropic => "anthropic",
            Dialect::Gemini => "gemini",
        }
    }

    /// The address that the provider's own documentation gives; `None` where every user has another.
    pub fn documented_address(self) -> Option<&'static str> {
        match self {
            Dialect::Compatible | Dialect::Azure => None,
            Dialect::OpenAi => Some("https://api.openai.com/v1"),
            Dialect::Anthropic => Some("https://api.anthropic.com/v1"),
            Dialect::Gemini => Some("https://generativelanguage.googleapis.com/v1beta"),
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
    /// A model's server, in the language that `dialect` names.
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

/// When an extractor's rows are too poor for a run to count as done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WatchConfig {
    /// Share of a reader's rows that the gate may refuse, 0 to 1.
    pub most_refused: Decimal,
    /// Rows that stand for each sentence that states a condition, 0 to 1: fewer is far too few.
    pub least_found: Decimal,
    /// Nothing is said of a reader with fewer rows, or fewer such sentences, than this.
    pub from: u64,
}

impl Default for WatchConfig {
    fn default() -> Self {
        Self { most_refused: Decimal::new(5, 1), least_found: Decimal::new(3, 1), from: 10 }
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
