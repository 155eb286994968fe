//! Words without the number of their place: `3. The fee`, `第 5 條`, `Article 12: Fees`.
//!
//! A clause keeps its identity when the clauses before it are counted anew. It never drops a number
//! that says something: `65 or over`, `Part B` and `Section 8 Housing` stay as they are.

use crate::text::blocks::enumerator::read_enumerator;
use crate::text::blocks::line::read_label;

/// Marks that may stand before one clause: a canonical line repeats the page's own, `3. 3. The fee`.
const MOST_MARKS: usize = 3;
/// Level of `Article 12` and its like; what stands above may be a name: `Part B`, `Title IV`.
const ARTICLE: usize = 5;

/// The words after list marks and labels of provisions; empty where there are no others.
pub fn unnumbered(words: &str) -> &str {
    let mut rest = words.trim();
    for _ in 0..MOST_MARKS {
        match mark_len(rest) {
            Some(len) => rest = rest[len..].trim_start(),
            None => break,
        }
    }
    rest
}

fn mark_len(words: &str) -> Option<usize> {
    if let Some(label) = read_label(words) {
        let is_han = words.starts_with('第');
        return (is_han || label.level >= ARTICLE).then_some(label.title);
    }
    let mark = read_enumerator(words)?;
    let is_number = !mark.style.is_bullet() && !mark.is_weak;
    (is_number && mark.len < words.len()).then_some(mark.len)
}

/// A subject without the number of its place. `heading`: the words above, which a subject may end in.
pub fn unnumbered_subject(subject: &str, heading: Option<&str>) -> String {
    match heading.and_then(|it| subject.strip_suffix(it).map(|topic| (topic, it))) {
        Some((topic, heading)) if topic.is_empty() || topic.ends_with(['，', ' ']) => {
            format!("{}{}", unnumbered(topic), unnumbered(heading))
        }
        _ => unnumbered(subject).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_places_are_left_out_in_both_languages() {
        for (words, rest) in [
            ("3. The fee is $50", "The fee is $50"),
            ("3. 3. The fee", "The fee"),
            ("(c) the fee", "the fee"),
            ("Article 12", ""),
            ("Article 12: Fees", "Fees"),
            ("Rule 4.2 Fees", "Fees"),
            ("第 5-1 條", ""),
            ("第五條之一　申請資格", "申請資格"),
            ("第二章 總則", "總則"),
            ("三、申請人", "申請人"),
            ("（三）限額", "限額"),
        ] {
            assert_eq!(unnumbered(words), rest, "{words}");
        }
    }

    #[test]
    fn numbers_that_say_something_stay() {
        for words in [
            "65 or over",
            "Part B",
            "Part A Premiums",
            "Section 8 Housing",
            "1.5 million",
            "一、二樓住戶",
            "六十五歲以上",
            "第一款規定之人",
            "第五條所定之人",
            "- the fee",
            "",
        ] {
            assert_eq!(unnumbered(words), words, "{words}");
        }
    }

    #[test]
    fn a_subject_that_ends_in_its_heading_is_the_same_under_another_number() {
        let under = |subject, heading| unnumbered_subject(subject, Some(heading));
        assert_eq!(under("第 5 條", "第 5 條"), under("第 6 條", "第 6 條"));
        assert_eq!(under("補助，第 5 條", "第 5 條"), under("補助，第 6 條", "第 6 條"));
        assert_eq!(
            under("The fee, Article 5", "Article 5"),
            under("The fee, Article 6", "Article 6")
        );
        assert_ne!(under("第 5 條 限額", "第 5 條 限額"), under("第 5 條 資格", "第 5 條 資格"));
        assert_ne!(under("補助，第 5 條", "第 5 條"), under("獎金，第 5 條", "第 5 條"));
    }
}
