//! What is asked of a model beside the messages, and what a provider was found not to take.
//!
//! Knows no key and no address: those are the transport's.

use crate::llm::chat::ReplyBounds;
use crate::model::config::REASONING_OFF;

/// What is asked of a model beside the messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelSettings {
    pub model: String,
    /// Most tokens of one reply; `None` leaves it to the provider.
    pub max_tokens: Option<u32>,
    /// `None` leaves it to the provider.
    pub temperature: Option<f64>,
    /// Reasoning in the provider's words; `None` leaves the provider's default.
    pub reasoning: Option<String>,
}

/// Reasoning as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reasoning<'a> {
    Off,
    /// At most so many tokens.
    Budget(u32),
    /// The provider's own word: an effort, a level, `adaptive`.
    Word(&'a str),
}

impl ModelSettings {
    /// The reasoning that is asked for; `None` where nothing is said about it.
    pub fn reasoning(&self) -> Option<Reasoning<'_>> {
        let text = self.reasoning.as_deref()?;
        Some(match text.parse() {
            Ok(tokens) => Reasoning::Budget(tokens),
            Err(_) if text == REASONING_OFF => Reasoning::Off,
            Err(_) => Reasoning::Word(text),
        })
    }

    /// The most tokens one reply may have: no more than an honest one takes, and never more than is
    /// configured. Where the model thinks, all that is configured, since thinking counts as reply.
    pub fn reply_limit(&self, bounds: &ReplyBounds) -> Option<u32> {
        let room = match self.reasoning() {
            Some(Reasoning::Off) => 0,
            None => UNASKED_THOUGHT,
            Some(Reasoning::Budget(_) | Reasoning::Word(_)) => return self.max_tokens,
        };
        let honest = bounds.tokens.map(|it| u32::try_from(it + room).unwrap_or(u32::MAX));
        match (honest, self.max_tokens) {
            (Some(honest), Some(most)) => Some(honest.min(most)),
            (_, most) => most,
        }
    }
}

/// Tokens left for a server that thinks without having been told to.
const UNASKED_THOUGHT: u64 = 2_000;

/// What a provider was found not to take. Each is learnt from a refusal that names it, once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dislikes {
    /// Wants `max_completion_tokens`, as reasoning models do.
    pub max_tokens: bool,
    /// Takes only its own temperature.
    pub temperature: bool,
    /// Cannot be held to this schema; the reply is read tolerantly, as every reply is.
    pub schema: bool,
    /// Takes no bounds in a schema: how many items, how long a text.
    pub bounds: bool,
    /// Thinks by a number of tokens and not as much as it sees fit.
    pub adaptive: bool,
    /// Takes no word about how hard to think.
    pub reasoning: bool,
}

/// The providers' ways to say that a setting is not theirs.
const NOT_TAKEN: [&str; 12] = [
    "unsupported",
    "not supported",
    "not support",
    "not available",
    "not permitted",
    "not allowed",
    "unrecognized",
    "unknown name",
    "deprecated",
    "may only be",
    "too complex",
    "grammar is too large",
];

/// The ways to say that a schema's bounds are not theirs: by the keyword, or by what their grammar
/// cannot repeat.
const BOUNDS_NOT_TAKEN: [&str; 5] =
    ["maxlength", "maxitems", "sane defaults", "failed to parse grammar", "too many states"];

impl Dislikes {
    /// What is learnt from a refusal; `None` where it names nothing that can be left out.
    pub fn learn(self, refusal: &str) -> Option<Self> {
        let text = refusal.to_ascii_lowercase();
        let names = |words: &[&str]| words.iter().any(|it| text.contains(it));
        let mut learnt = self;
        learnt.max_tokens |= text.contains("max_completion_tokens");
        if !self.bounds && names(&BOUNDS_NOT_TAKEN) {
            return Some(Self { bounds: true, ..learnt });
        }
        if names(&NOT_TAKEN) {
            learnt.temperature |= text.contains("temperature");
            learnt.schema |= names(&[
                "response_format",
                "json_schema",
                "output_config.format",
                "output_format",
                "responseschema",
                "response_schema",
                "structured output",
                "schema is too complex",
                "grammar is too large",
            ]);
            if names(&["adaptive"]) && !self.adaptive {
                learnt.adaptive = true;
            } else {
                learnt.reasoning |=
                    names(&["thinking", "reasoning", "effort", "thinkingconfig", "output_config"])
                        && !learnt.schema;
            }
        }
        (learnt != self).then_some(learnt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_provider_does_not_take_is_learnt_once_and_a_bad_schema_is_not_taken_for_that() {
        let none = Dislikes::default();
        let tokens = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
        let learnt = none.learn(tokens).unwrap();
        assert_eq!(learnt, Dislikes { max_tokens: true, ..none });
        assert_eq!(learnt.learn(tokens), None, "learnt already");
        let cases = [
            (
                "Unsupported value: 'temperature' does not support 0 with this model.",
                Dislikes { temperature: true, ..none },
            ),
            ("`temperature` is deprecated for this model.", Dislikes { temperature: true, ..none }),
            (
                "response_format of type json_schema is not supported by this model",
                Dislikes { schema: true, ..none },
            ),
            (
                "Invalid schema for response_format: 'maxItems' is not permitted.",
                Dislikes { bounds: true, ..none },
            ),
            (
                "Failed to initialize samplers: failed to parse grammar",
                Dislikes { bounds: true, ..none },
            ),
            (
                "output_config.format: Extra inputs are not permitted",
                Dislikes { schema: true, ..none },
            ),
            (
                "The compiled grammar is too large, which would cause performance issues.",
                Dislikes { schema: true, ..none },
            ),
            (
                "adaptive thinking is not supported on this model",
                Dislikes { adaptive: true, ..none },
            ),
            (
                "Unrecognized request argument supplied: reasoning_effort",
                Dislikes { reasoning: true, ..none },
            ),
            (
                "Unable to submit request because thinking is not supported by this model.",
                Dislikes { reasoning: true, ..none },
            ),
            (
                "Invalid JSON payload received. Unknown name \"thinkingConfig\"",
                Dislikes { reasoning: true, ..none },
            ),
        ];
        for (words, wanted) in cases {
            assert_eq!(none.learn(words), Some(wanted), "{words}");
        }
        assert_eq!(none.learn("Invalid schema for response_format 'extract_reply'"), None);
        assert_eq!(none.learn("prompt is too long: 210000 tokens > 200000 maximum"), None);
        let manual = Dislikes { adaptive: true, ..none };
        let told = "thinking: adaptive thinking is not supported";
        assert_eq!(manual.learn(told), Some(Dislikes { reasoning: true, ..manual }));
    }

    #[test]
    fn a_reply_gets_the_room_that_its_item_needs_and_thinking_all_there_is() {
        let limit = |reasoning: Option<&str>, max_tokens, tokens| {
            let settings = ModelSettings {
                reasoning: reasoning.map(str::to_owned),
                max_tokens,
                ..ModelSettings::default()
            };
            settings.reply_limit(&ReplyBounds { tokens, ..ReplyBounds::default() })
        };
        assert_eq!(limit(Some("off"), Some(8_000), Some(700)), Some(700));
        assert_eq!(limit(None, Some(8_000), Some(700)), Some(2_700));
        assert_eq!(limit(Some("off"), Some(300), Some(700)), Some(300), "never above the setting");
        assert_eq!(limit(Some("medium"), Some(8_000), Some(700)), Some(8_000));
        assert_eq!(limit(Some("4000"), Some(8_000), Some(700)), Some(8_000));
        assert_eq!(limit(Some("off"), Some(8_000), None), Some(8_000), "after a cut reply");
        assert_eq!(limit(Some("off"), None, Some(700)), None);
    }

    #[test]
    fn reasoning_is_a_word_a_number_or_off() {
        let of = |text: &str| ModelSettings {
            reasoning: Some(text.to_owned()),
            ..ModelSettings::default()
        };
        assert_eq!(of("4000").reasoning(), Some(Reasoning::Budget(4000)));
        assert_eq!(of("off").reasoning(), Some(Reasoning::Off));
        assert_eq!(of("high").reasoning(), Some(Reasoning::Word("high")));
        assert_eq!(ModelSettings::default().reasoning(), None);
    }
}
