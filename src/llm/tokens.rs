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
    /// With the vocabulary of OpenAI's models since GPT-4o.
    #[cfg(feature = "tokeniser")]
    O200k,
}

impl Counter {
    /// The counter for a model, by the provider's name of it.
    pub fn of(model: &str) -> Self {
        const O200K: [&str; 7] = ["gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "o1", "o3", "o4"];
        let name = model.rsplit('/').next().unwrap_or(model);
        match O200K.iter().any(|it| name.starts_with(it)) {
            #[cfg(feature = "tokeniser")]
            true => Self::O200k,
            _ => Self::Approximate,
        }
    }

    /// True where the count is the provider's own.
    pub fn is_exact(self) -> bool {
        self != Self::Approximate
    }

    /// Tokens of a text.
    pub fn count(self, text: &str) -> u64 {
        match self {
            Self::Approximate => approximate_tokens(text),
            #[cfg(feature = "tokeniser")]
            Self::O200k => tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u64,
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

    #[test]
    fn a_model_is_counted_by_its_own_vocabulary_where_that_is_built_in() {
        let is_built_in = cfg!(feature = "tokeniser");
        assert_eq!(Counter::of("gpt-5-mini").is_exact(), is_built_in);
        assert_eq!(Counter::of("openai/gpt-4o-mini").is_exact(), is_built_in);
        assert!(!Counter::of("claude-opus-5").is_exact() && !Counter::of("house-model").is_exact());
    }

    /// The approximation against o200k, on this repository's pages and prompts of both languages.
    #[cfg(feature = "tokeniser")]
    #[test]
    fn the_approximation_is_within_a_quarter_of_o200k_in_both_languages() {
        for text in [
            include_str!("../../prompts/extract.en.md"),
            include_str!("../../prompts/extract.zh-Hant.md"),
            include_str!("../../prompts/review.en.md"),
            include_str!("../../prompts/review.zh-Hant.md"),
            &"申請人須年滿六十五歲並在港居住滿七年。".repeat(200),
            &"An applicant must be aged 65 or over and have lived here for 7 years. ".repeat(200),
        ] {
            let (ours, theirs) = (approximate_tokens(text), Counter::of("gpt-5").count(text));
            let off = ours.abs_diff(theirs) * 1_000 / theirs;
            assert!(off <= 250, "{off} of 1,000: {ours} against {theirs}");
        }
    }

    #[cfg(feature = "tokeniser")]
    #[test]
    fn a_long_run_of_chinese_is_counted() {
        let text = "申請人須年滿六十五歲並在港居住滿七年".repeat(3_500);
        assert!(Counter::of("gpt-5").count(&text) > 10_000);
    }
}
