//! Words without the number of their place: `3. The fee`, `第 5 條`, `Article 12: Fees`.
//!
//! A clause keeps its identity when the clauses before it are counted anew. It never drops a number
//! that says something: `65 or over`, `Part B` and `Section 8 Housing` stay as they are, and so does what
//! may as well be the name of a class or a group: `Rule 2`, `Category 1`, 第一款, 第二級.

use crate::text::blocks::enumerator::{Style, read_enumerator};
use crate::text::blocks::line::{ProvisionLabel, read_label};

/// Marks that may stand before one clause: a canonical line repeats the page's own, `3. 3. The fee`.
const MOST_MARKS: usize = 3;
/// Level of `Article 12` and its like; what stands above may be a name: `Part B`, `Title IV`, but for
/// `Chapter 3`.
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
        return counts_text(words, label).then_some(label.title);
    }
    let mark = read_enumerator(words)?;
    let is_number = !mark.style.is_bullet() && !mark.is_weak;
    let names = mark.style == Style::Nth && names_a_class(&words[..mark.len]);
    (is_number && !names && mark.len < words.len()).then_some(mark.len)
}

/// True where a label says no more than which place of a text this is.
fn counts_text(words: &str, label: ProvisionLabel) -> bool {
    let sign = &words[..label.title];
    if sign.starts_with('第') {
        return !names_a_class(sign);
    }
    let end = sign.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(sign.len());
    match sign[..end].to_ascii_lowercase().as_str() {
        "chapter" => true,
        // Two rules may be what households fall under, and Section 8 is a scheme for housing.
        "rule" | "section" | "sec" => {
            is_set_apart(sign, words) || sign[end..].trim_matches(['.', ' ']).contains('.')
        }
        _ => label.level >= ARTICLE,
    }
}

/// 第一款 is a clause of a law, and the poorest class of households; 第一部 is a part of a text, or a
/// department. 條, 章, 節, 編, 篇, 項 and 目 count text and nothing else.
fn names_a_class(label: &str) -> bool {
    label.contains(['款', '部'])
}

/// True where a mark stands between the number and a title: `Rule 5: Fees`.
fn is_set_apart(sign: &str, words: &str) -> bool {
    let has_mark = sign.trim_end().ends_with([':', '.', '–', '—']) || sign.ends_with(" - ");
    has_mark && sign.len() < words.len()
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
            ("Rule 5: Fees", "Fees"),
            ("Section 3: Eligibility", "Eligibility"),
            ("Section 3 - Eligibility", "Eligibility"),
            ("Section 3.1 Eligibility", "Eligibility"),
            ("Chapter IV General Provisions", "General Provisions"),
            ("Clause 5", ""),
            ("第一項", "第一項"),
            ("第二目", ""),
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
            "Rule 2",
            "Rule 2 Households",
            "Section 8",
            "Sec. 8 Housing",
            "Part 2 – Who can claim",
            "Category 1",
            "Tier 2",
            "Level 3: Severe",
            "第一款",
            "第一款　低收入戶",
            "第一款：低收入戶",
            "第一級",
            "第二類",
            "第三類 農民",
            "第一部",
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
