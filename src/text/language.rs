//! The language and script of a text, from its letters and its smallest words.
//!
//! Tells English, traditional Chinese, simplified Chinese and anything else apart, so that a page
//! that changed its language is noticed. It never guesses at meaning, and short texts without a sign
//! of another language count as what their script says.

use crate::text::glyphs::letter::is_han;
use crate::text::glyphs::script::{is_only_simplified, is_only_traditional};

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    English,
    TraditionalChinese,
    SimplifiedChinese,
    /// Another language, or no letters at all.
    Other,
}

impl Language {
    /// The BCP 47 tag; `und` for all others.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::TraditionalChinese => "zh-Hant",
            Language::SimplifiedChinese => "zh-Hans",
            Language::Other => "und",
        }
    }

    /// True for both scripts of Chinese.
    pub fn is_chinese(self) -> bool {
        matches!(self, Language::TraditionalChinese | Language::SimplifiedChinese)
    }
}

/// The language that most of `text` is written in, in one pass.
pub fn language_of(text: &str) -> Language {
    let count = count_letters(text);
    let words = count.latin_words;
    if count.han + count.kana + words + count.other == 0 {
        return Language::Other;
    }
    let chinese = count.han >= words && count.han * 4 >= count.other;
    if chinese && count.han > 0 {
        return if count.kana * 10 > count.han { Language::Other } else { script_of(&count) };
    }
    if count.kana + count.other > words {
        return Language::Other;
    }
    language_of_words(text)
}

/// The share of Han characters among all letters of a text: 0.0 without one, 1.0 for Chinese alone.
pub fn han_share(text: &str) -> f64 {
    let (mut han, mut all) = (0u32, 0u32);
    for it in text.chars().filter(|it| it.is_alphabetic()) {
        all = all.saturating_add(1);
        han = han.saturating_add(u32::from(is_han(it)));
    }
    if all == 0 { 0.0 } else { f64::from(han) / f64::from(all) }
}

#[derive(Default)]
struct Count {
    han: usize,
    kana: usize,
    /// Letters of other alphabets.
    other: usize,
    latin_words: usize,
    simplified: usize,
    traditional: usize,
}

fn count_letters(text: &str) -> Count {
    let mut count = Count::default();
    let mut in_word = false;
    for it in text.chars() {
        let is_latin = it.is_alphabetic() && u32::from(it) < 0x250;
        if is_latin && !in_word {
            count.latin_words += 1;
        }
        in_word = is_latin || in_word && matches!(it, '\'' | '’' | '-');
        if is_han(it) {
            count.han += 1;
            count.simplified += usize::from(is_only_simplified(it));
            count.traditional += usize::from(is_only_traditional(it));
        } else if matches!(u32::from(it), 0x3041..=0x30FF) {
            count.kana += 1;
        } else if it.is_alphabetic() && !is_latin {
            count.other += 1;
        }
    }
    count
}

fn script_of(count: &Count) -> Language {
    if count.simplified > count.traditional {
        Language::SimplifiedChinese
    } else {
        Language::TraditionalChinese
    }
}

const ENGLISH: &[&str] = &[
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "for", "from", "get",
    "has", "have", "how", "if", "in", "is", "it", "may", "must", "not", "of", "on", "or", "other",
    "our", "over", "shall", "that", "the", "their", "this", "to", "under", "we", "who", "will",
    "with", "within", "you", "your",
];

/// Small words of other languages in the Latin alphabet that English does not have.
const FOREIGN: &[&str] = &[
    "aan", "als", "auf", "aus", "avec", "bei", "bir", "che", "como", "con", "dan", "dans", "das",
    "de", "degli", "del", "della", "dem", "den", "der", "des", "det", "di", "du", "een", "ein",
    "eine", "el", "en", "est", "et", "este", "fra", "för", "für", "gli", "het", "il", "ist", "je",
    "jest", "kepada", "la", "las", "le", "les", "los", "mit", "na", "nicht", "nie", "não", "och",
    "oder", "og", "ou", "para", "par", "per", "por", "pour", "qui", "que", "sich", "sie", "som",
    "sont", "sur", "un", "una", "und", "une", "untuk", "van", "ve", "vous", "voor", "von",
    "werden", "yang", "zu", "zum", "à", "är", "é", "của", "và", "các", "ang", "mga", "sa", "ng",
];

fn language_of_words(text: &str) -> Language {
    let (mut english, mut foreign, mut accented) = (0usize, 0usize, 0usize);
    for word in text.split(|it: char| !(it.is_alphabetic() || matches!(it, '\'' | '’'))) {
        if word.is_empty() || word.len() > 40 {
            continue;
        }
        let lower = word.to_lowercase();
        english += usize::from(ENGLISH.contains(&lower.as_str()));
        foreign += usize::from(FOREIGN.contains(&lower.as_str()));
        accented += usize::from(!word.is_ascii() && !word.contains('’'));
    }
    if foreign + accented / 2 > english { Language::Other } else { Language::English }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart() {
        for (text, wanted) in [
            ("You must be 60 or over to apply for the grant.", Language::English),
            ("Harbour Elder Grant", Language::English),
            ("申請人須年滿六十五歲，並在港居住滿七年。", Language::TraditionalChinese),
            ("申请人须年满六十五岁。", Language::SimplifiedChinese),
            ("長者卡 Senior Card", Language::TraditionalChinese),
            ("The form (申請表) must be sent to the office in time.", Language::English),
            ("申請人須為老人です、そして六十歳でなければなりません。", Language::Other),
            ("Vous devez avoir plus de 60 ans pour demander la prime.", Language::Other),
            ("Sie müssen mindestens 60 Jahre alt sein und in der Stadt wohnen.", Language::Other),
            ("Вам должно быть 60 лет.", Language::Other),
            ("신청인은 육십 세 이상이어야 합니다.", Language::Other),
            ("12,500 · 65%", Language::Other),
            ("", Language::Other),
        ] {
            assert_eq!(language_of(text), wanted, "{text}");
        }
    }

    #[test]
    fn the_share_of_han_is_of_letters() {
        assert!((han_share("申請 ab 12") - 0.5).abs() < 1e-9);
        assert!(han_share("12") < 1e-9);
    }
}
