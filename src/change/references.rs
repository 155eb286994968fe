//! References from one provision to another of the same text: 第 4 條, Article 12-1, clause 4.
//!
//! Only numbers in digits or Chinese numerals count, and only where no other law is named beside
//! them. It finds and follows; whether a reference is still right is for a person to say.

use std::collections::BTreeMap;

use crate::text::numbers::ordinal::{han_or_decimal, is_numeral};
use crate::text::span::Span;

/// A reference as it stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Bytes of the text.
    pub span: Span,
    /// What it names, as item keys do: `art-12-1`, `sec-3a`, `clause-4`.
    pub names: String,
}

/// Latin words that name a provision, and what item keys call it.
const LATIN: [(&str, &str); 12] = [
    ("articles", "art"),
    ("article", "art"),
    ("sections", "sec"),
    ("section", "sec"),
    ("regulation", "reg"),
    ("rule", "rule"),
    ("clauses", "clause"),
    ("clause", "clause"),
    ("paragraphs", "clause"),
    ("paragraph", "clause"),
    ("point", "point"),
    ("item", "clause"),
];

/// Names of kinds of law, longest first; one before 第 N 條 names whose article it is.
const LAWS: [&str; 10] =
    ["施行細則", "條例", "条例", "辦法", "办法", "規則", "规则", "細則", "要點", "法"];

/// The references of `text` to provisions of the text titled `title`, in their order.
pub fn references_in(text: &str, title: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    for (at, it) in text.char_indices() {
        let reference = match it {
            '第' => han_reference(text, at).filter(|_| is_own_han(&text[..at], title)),
            'A'..='Z' | 'a'..='z' if starts_word(text, at) => latin_reference(text, at),
            _ => None,
        };
        found.extend(reference);
    }
    found
}

/// References of `text` that name a provision which now has another number: where each stands, and
/// the number it has now. `renumbered`: earlier label -> label today.
pub fn stale_references(
    text: &str,
    title: &str,
    renumbered: &BTreeMap<String, String>,
) -> Vec<(Reference, String)> {
    if renumbered.is_empty() {
        return Vec::new();
    }
    references_in(text, title)
        .into_iter()
        .filter_map(|it| {
            let number = it.names.split_once('-').map_or("", |(_, number)| number);
            let now = renumbered
                .get(&it.names)
                // A list that is only numbered may be called anything but an article.
                .or_else(|| renumbered.get(&format!("item-{number}")))?;
            Some((it, now.clone()))
        })
        .collect()
}

/// The label that other provisions call an item by: from its key, else from the number it starts
/// with.
pub fn label_of(key: &str, text: &str) -> Option<String> {
    let kinds = ["art-", "point-", "sec-", "reg-", "rule-", "clause-"];
    if kinds.iter().any(|it| key.starts_with(it)) {
        return Some(key.split('~').next().unwrap_or(key).to_owned());
    }
    let marker = crate::text::blocks::enumerator::read_enumerator(text.trim_start())?;
    marker.ordinal.map(|it| format!("item-{it}"))
}

fn han_reference(text: &str, at: usize) -> Option<Reference> {
    let mut cursor = Cursor { text, at: at + '第'.len_utf8() };
    let mut numbers = vec![cursor.number()?];
    while cursor.take(&['-', '－', '–', '‐', '之']) {
        numbers.push(cursor.number()?);
    }
    let kind = if cursor.take(&['條', '条']) {
        "art"
    } else if cursor.take(&['點', '点']) {
        "point"
    } else {
        return None;
    };
    loop {
        let before = cursor.at;
        match cursor.take(&['之']).then(|| cursor.number()).flatten() {
            Some(number) => numbers.push(number),
            None => {
                cursor.at = before;
                break;
            }
        }
    }
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    let names = format!("{kind}-{}", numbers.join("-"));
    Some(Reference { span: Span::new(at, cursor.at), names })
}

/// True where no other law is named right before.
fn is_own_han(before: &str, title: &str) -> bool {
    let before = before.trim_end();
    let Some(law) = LAWS.iter().find(|it| before.ends_with(**it)) else { return true };
    let rest = &before[..before.len() - law.len()];
    let own = title.split(['(', '（']).next().unwrap_or_default().trim();
    rest.ends_with('本') && LAWS.iter().find(|it| own.ends_with(**it)) == Some(law)
}

fn latin_reference(text: &str, at: usize) -> Option<Reference> {
    let rest = &text[at..];
    let (word, kind) = LATIN
        .into_iter()
        .find(|(word, _)| rest.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word)))?;
    let after = &rest[word.len()..];
    let number = after.trim_start();
    if number.len() == after.len() {
        return None;
    }
    let len =
        number.find(|it: char| !(it.is_ascii_alphanumeric() || it == '-')).unwrap_or(number.len());
    let shown = number[..len].trim_end_matches('-');
    let is_number = shown.starts_with(|it: char| it.is_ascii_digit()) && shown.len() <= 12;
    let tail = &number[len..];
    // "section 5 of the Act" is another text's section.
    let is_foreign = tail
        .trim_start_matches(|it: char| it == '(' || it == ')' || it.is_ascii_alphanumeric())
        .trim_start()
        .strip_prefix("of ")
        .is_some_and(|it| !it.trim_start().starts_with("this"));
    let end = text.len() - number.len() + shown.len();
    (is_number && !is_foreign).then(|| Reference {
        span: Span::new(at, end),
        names: format!("{kind}-{}", shown.to_ascii_lowercase()),
    })
}

fn starts_word(text: &str, at: usize) -> bool {
    !text[..at].chars().next_back().is_some_and(|it| it.is_alphanumeric() && it.is_ascii())
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, wanted: &[char]) -> bool {
        let before = self.at;
        self.skip_space();
        match self.text[self.at..].chars().next().filter(|it| wanted.contains(it)) {
            Some(it) => {
                self.at += it.len_utf8();
                true
            }
            None => {
                self.at = before;
                false
            }
        }
    }

    fn number(&mut self) -> Option<u32> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let len = rest.find(|it: char| !is_numeral(it)).unwrap_or(rest.len());
        let number = han_or_decimal(&rest[..len])?;
        self.at += len;
        self.skip_space();
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, title: &str) -> Vec<String> {
        references_in(text, title).into_iter().map(|it| it.names).collect()
    }

    #[test]
    fn references_are_read_in_both_languages() {
        assert_eq!(
            names("依第四條及第 12-1 條規定，並準用第五條之一。", "渡輪卡辦法"),
            ["art-4", "art-12-1", "art-5-1"]
        );
        assert_eq!(
            names("See clause 4, Article 12-1 and section 3A(2).", "Ferry cards"),
            ["clause-4", "art-12-1", "sec-3a"]
        );
    }

    #[test]
    fn provisions_of_another_law_are_not_ours() {
        assert_eq!(names("依渡輪法第四條規定", "渡輪卡辦法"), [""; 0]);
        assert_eq!(names("依本法第四條規定", "渡輪卡辦法"), [""; 0]);
        assert_eq!(names("依本辦法第四條規定", "渡輪卡辦法"), ["art-4"]);
        assert_eq!(names("section 5 of the Ferries Act", "Ferry cards"), [""; 0]);
        assert_eq!(names("section 5 of this Order", "Ferry cards"), ["sec-5"]);
        assert_eq!(names("article five; a particle 5", "Ferry cards"), [""; 0]);
    }

    #[test]
    fn a_reference_to_a_renumbered_provision_is_found_with_its_new_number() {
        let renumbered = BTreeMap::from([
            ("art-4".to_owned(), "art-5".to_owned()),
            ("item-3".to_owned(), "item-4".to_owned()),
        ]);
        let found = stale_references("前條及第四條之限額", "渡輪卡辦法", &renumbered);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, "art-5");
        let found = stale_references("as in clause 3", "Ferry cards", &renumbered);
        assert_eq!(found[0].1, "item-4");
        assert_eq!(label_of("fees/part~2", "3. The fee is $50."), Some("item-3".to_owned()));
        assert_eq!(label_of("art-12-1", "第 12-1 條"), Some("art-12-1".to_owned()));
        assert_eq!(label_of("fees", "Fees"), None);
    }
}
