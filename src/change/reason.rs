//! Why a row is not what it was, in plain words a client reads, in both languages.
//!
//! Compares two claims part by part. It judges nothing and guesses no cause.

use crate::model::claim::Claim;
use crate::text::blocks::unnumbered::unnumbered;

/// Characters up to which a part is shown whole.
const WHOLE: usize = 40;
/// Characters shown on each side of what differs in a longer one.
const AROUND: usize = 8;

/// What differs between the row that stood and the row in its place; `None` where the claims are equal.
pub fn changed_words(old: &Claim, new: &Claim, language: &str) -> Option<String> {
    let is_han = language.starts_with("zh");
    let mut parts = Vec::new();
    let mut differs = |what: [&str; 2], was: String, is: String| {
        if was == is {
            return;
        }
        let none = if is_han { "（無）" } else { "(none)" };
        let shown = |it: String| if it.is_empty() { none.to_owned() } else { it };
        let (was, is) = narrowed(&shown(was), &shown(is));
        parts.push(if is_han {
            format!("{}由「{was}」改為「{is}」", what[1])
        } else {
            format!("the {} was {was} and is now {is}", what[0])
        });
    };
    let unit = |it: &Claim| it.unit.clone().unwrap_or_default();
    differs(["value", "數值"], old.value.to_string(), new.value.to_string());
    differs(["unit", "單位"], unit(old), unit(new));
    differs(["comparison", "比較方式"], old.op.as_str().to_owned(), new.op.as_str().to_owned());
    if unnumbered(&old.subject) != unnumbered(&new.subject) {
        differs(["subject", "對象"], old.subject.clone(), new.subject.clone());
    }
    differs(["force", "強制程度"], force(old), force(new));
    differs(["join", "組合方式"], join(old), join(new));
    if parts.is_empty() {
        return None;
    }
    if is_han {
        return Some(format!("{}。", parts.join("；")));
    }
    let mut words = parts.join("; ");
    if let Some(first) = words.get(..1) {
        let upper = first.to_uppercase();
        words.replace_range(..1, &upper);
    }
    words.push('.');
    Some(words)
}

/// That a sentence is worded otherwise, with the words that differ, though what was extracted of it is
/// the same: an "and" may have become an "or".
pub fn changed_wording((was, is): (&str, &str), language: &str) -> String {
    let (was, is) = narrowed(was, is);
    if language.starts_with("zh") {
        format!("條文字句由「{was}」改為「{is}」；擷取的內容相同。")
    } else {
        format!("The wording was “{was}” and is now “{is}”; what was extracted is the same.")
    }
}

/// What stands above a row, headings and lead-ins parted by U+001F or line breaks, where it differs.
pub fn changed_above((was, is): (&str, &str), language: &str) -> String {
    let shown = |it: &str| {
        let parts = it.split(['\u{1f}', '\n']).filter(|it| !it.is_empty());
        parts.collect::<Vec<_>>().join(" › ")
    };
    let (was, is) = narrowed(&shown(was), &shown(is));
    if language.starts_with("zh") {
        format!("上方的文字由「{was}」改為「{is}」。")
    } else {
        format!("The words above it were “{was}” and are now “{is}”.")
    }
}

/// What the footnotes say that a row points to, one a line, where it differs.
pub fn changed_footnotes((was, is): (&str, &str), language: &str) -> String {
    let is_han = language.starts_with("zh");
    let none = if is_han { "（無）" } else { "(none)" };
    let shown = |it: &str| if it.is_empty() { none.to_owned() } else { it.replace('\n', " / ") };
    let (was, is) = narrowed(&shown(was), &shown(is));
    if is_han {
        format!("所指的註記由「{was}」改為「{is}」。")
    } else {
        format!("The footnote it points to was “{was}” and is now “{is}”.")
    }
}

/// Two texts as they are where they are short; of longer ones what differs, with a few characters around.
fn narrowed(was: &str, is: &str) -> (String, String) {
    let (old, new): (Vec<char>, Vec<char>) = (was.chars().collect(), is.chars().collect());
    if old.len().max(new.len()) <= WHOLE {
        return (was.to_owned(), is.to_owned());
    }
    let pairs = old.iter().zip(&new);
    let before = pairs.take_while(|(a, b)| a == b).count();
    let pairs = old[before..].iter().rev().zip(new[before..].iter().rev());
    let after = pairs.take_while(|(a, b)| a == b).count();
    let cut = |text: &[char]| -> String {
        let in_word = |at: usize| {
            at > 0
                && at < text.len()
                && [at - 1, at].iter().all(|&it| text[it].is_ascii_alphanumeric())
        };
        let mut start = before.saturating_sub(AROUND);
        while in_word(start) {
            start -= 1;
        }
        let mut end = (text.len() - after + AROUND).min(text.len());
        while in_word(end) {
            end += 1;
        }
        let (left, right) =
            (if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
        let words: String = text[start..end].iter().collect();
        format!("{left}{}{right}", words.trim())
    };
    (cut(&old), cut(&new))
}

fn force(claim: &Claim) -> String {
    plain(&serde_json::to_value(claim.force).unwrap_or_default())
}

fn join(claim: &Claim) -> String {
    plain(&serde_json::to_value(claim.join).unwrap_or_default())
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::claim::Value;

    fn claim(value: i64, unit: &str) -> Claim {
        let value = Value::Number(value.into());
        Claim { value, unit: Some(unit.to_owned()), ..Claim::default() }
    }

    #[test]
    fn of_long_texts_what_differs_is_shown_and_a_clauses_own_number_is_no_difference() {
        let text = |subject: &str, value: &str| Claim {
            value: Value::Text(value.to_owned()),
            subject: subject.to_owned(),
            ..Claim::default()
        };
        let old = text(
            "第 45 條",
            "雇主對聘僱之第二類外國人，於聘僱許可有效期間因聘僱關係終止出國，應於該外國人出國前六日通知當地主管機關",
        );
        let new = text(
            "第 68 條",
            "雇主對聘僱之第二類外國人，於聘僱許可有效期間因聘僱關係終止出國，應於該外國人出國前十日通知當地主管機關",
        );
        assert_eq!(
            changed_words(&old, &new, "zh-Hant").unwrap(),
            "數值由「…於該外國人出國前六日通知當地主管機…」改為「…於該外國人出國前十日通知當地主管機…」。"
        );
        let old =
            text("Article 5", "hand the completed form with two photographs to the harbour office");
        let new = text(
            "Article 6",
            "hand the completed form with three photographs to the harbour office",
        );
        assert_eq!(
            changed_words(&old, &new, "en").unwrap(),
            "The value was …form with two photographs… and is now …form with three photographs…."
        );
        let (old, new) = (text("第 5 條", "甲"), text("第 6 條", "甲"));
        assert_eq!(changed_words(&old, &new, "zh-Hant"), None);
    }

    #[test]
    fn what_changed_is_said_in_both_languages() {
        let (old, new) = (claim(100, "HKD/month"), claim(140, "HKD/month"));
        assert_eq!(changed_words(&old, &new, "en").unwrap(), "The value was 100 and is now 140.");
        assert_eq!(changed_words(&old, &new, "zh-Hant").unwrap(), "數值由「100」改為「140」。");
        let dearer = claim(140, "HKD/year");
        assert_eq!(
            changed_words(&old, &dearer, "en").unwrap(),
            "The value was 100 and is now 140; the unit was HKD/month and is now HKD/year."
        );
    }

    #[test]
    fn other_words_above_are_said_in_both_languages() {
        assert_eq!(
            changed_above(("Fares\u{1f}Adult", "Fares\u{1f}Child"), "en"),
            "The words above it were “Fares › Adult” and are now “Fares › Child”."
        );
        assert_eq!(
            changed_above(("得申請者：", "不得申請者："), "zh-Hant"),
            "上方的文字由「得申請者：」改為「不得申請者：」。"
        );
    }

    #[test]
    fn another_footnote_is_said_in_both_languages() {
        assert_eq!(
            changed_footnotes(("Only for residents.", "Only for citizens."), "en"),
            "The footnote it points to was “Only for residents.” and is now “Only for citizens.”."
        );
        assert_eq!(
            changed_footnotes(("", "限本國國民。"), "zh-Hant"),
            "所指的註記由「（無）」改為「限本國國民。」。"
        );
    }

    #[test]
    fn equal_claims_with_other_words_are_told_as_wording_with_the_words_that_differ() {
        let old = claim(65, "歲");
        assert_eq!(changed_words(&old, &old, "zh-Hant"), None);
        assert_eq!(
            changed_wording(("aged 65 and in need", "aged 65 or in need"), "en"),
            "The wording was “aged 65 and in need” and is now “aged 65 or in need”; what was extracted is the same."
        );
        assert_eq!(
            changed_wording(("年滿六十五歲及設籍", "年滿六十五歲或設籍"), "zh-Hant"),
            "條文字句由「年滿六十五歲及設籍」改為「年滿六十五歲或設籍」；擷取的內容相同。"
        );
    }
}
