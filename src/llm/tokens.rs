//! How many tokens a text is, without the provider's tokeniser: a stated approximation.

use crate::llm::chat::ChatRequest;

/// Tokens in a text, approximately: one for each Han, kana or hangul character, one for four
/// characters of everything else, rounded up.
///
/// Current tokenisers spend 0.7 to 1.3 tokens on a Chinese character and one on about four
/// characters of English; an estimate states its range around this number.
pub fn approximate_tokens(text: &str) -> u64 {
    let (mut wide, mut other) = (0_u64, 0_u64);
    for it in text.chars() {
        match it {
            '\u{2e80}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}' => wide += 1,
            _ => other += 1,
        }
    }
    wide + other.div_ceil(4)
}

/// How the tokens of a model are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counter {
    /// [`approximate_tokens`].
    #[default]
    Approximate,
}

impl Counter {
    /// The counter for a model, by the provider's name of it.
    pub fn of(_model: &str) -> Self {
        Self::Approximate
    }

    /// True where the count is the provider's own.
    pub fn is_exact(self) -> bool {
        false
    }

    /// Tokens of a text.
    pub fn count(self, text: &str) -> u64 {
        match self {
            Self::Approximate => approximate_tokens(text),
        }
    }

    /// Tokens of everything that is sent for an ask: instructions, item, schema.
    pub fn count_chat(self, chat: &ChatRequest) -> u64 {
        self.count(&chat.system) + self.count(&chat.user) + self.count(&chat.schema.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_are_counted_by_their_own_measure() {
        assert_eq!(approximate_tokens("申請人須年滿六十五歲"), 10);
        assert_eq!(approximate_tokens("An applicant must be aged 65 or over."), 10);
        assert_eq!(approximate_tokens(""), 0);
    }
}
