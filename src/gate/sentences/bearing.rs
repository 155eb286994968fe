//! Whether a sentence in which no rule was read may all the same say something of one.
//!
//! A bulk run leaves such a sentence alone; where it changes beside rows, it may turn what they mean:
//! "Children travel free." It never says that a sentence states a condition.

use crate::text::amounts::quantity::read_all;
use crate::text::markers::marker::{MarkerKind, Strength, markers_in};
use crate::text::span::Span;

/// Words of what rules are about. Beside them even a sentence without a number, a "must" or an "unless"
/// may be one: "Children travel free.", "The scheme is closed to new applicants."
/// A hyphen at the end stands for any ending.
const ENGLISH: [&str; 52] = [
    "abolish-",
    "allow-",
    "appl-",
    "benefit-",
    "calculat-",
    "cancel-",
    "charge-",
    "citizen-",
    "claim-",
    "close-",
    "closing",
    "cost",
    "costs",
    "count",
    "counts",
    "counted",
    "cover-",
    "eligib-",
    "entitle-",
    "exclud-",
    "exempt-",
    "expir-",
    "fee",
    "fees",
    "fine",
    "fines",
    "free",
    "grant-",
    "includ-",
    "income-",
    "limit-",
    "nobody",
    "open",
    "paid",
    "pay",
    "pays",
    "payment-",
    "penalt-",
    "permit-",
    "price-",
    "qualif-",
    "rate",
    "rates",
    "refund-",
    "renew-",
    "replac-",
    "resident-",
    "scheme-",
    "stop-",
    "suspend-",
    "valid-",
    "waive-",
];
const CHINESE: [&str; 44] = [
    "免", "費", "费", "補助", "补助", "津貼", "津贴", "給付", "给付", "申請", "申请", "資格",
    "资格", "適用", "适用", "對象", "对象", "限", "禁", "停", "廢", "废", "失效", "生效", "退",
    "計算", "计算", "計入", "计入", "併入", "收入", "所得", "戶", "户", "者", "期間", "期间",
    "逾期", "罰", "罚", "受理", "核准", "准", "亦同",
];

/// Endings of the files that pages offer.
const FILES: [&str; 16] = [
    "pdf", "doc", "docx", "odt", "rtf", "txt", "xls", "xlsx", "ods", "csv", "ppt", "pptx", "odp",
    "zip", "jpg", "png",
];

/// True where a text does no more than name files that can be fetched: "Annex 2 Fees.pdf Annex 2
/// Fees.odt", 附件：附表二補助額度.PDF. What stands in a file is no part of the page; another name of it
/// changes nothing that the page says.
pub fn names_files(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['|', ' ']);
    let ends_as_file = text.rsplit_once('.').is_some_and(|(name, ending)| {
        !name.trim_end().is_empty() && FILES.iter().any(|it| ending.eq_ignore_ascii_case(it))
    });
    let has_sentence = || text.contains(". ") || text.contains(['。', '!', '！', '?', '？', '；']);
    let binds = || {
        markers_in(text, Span::new(0, text.len()))
            .iter()
            .any(|it| matches!(it.kind, MarkerKind::Force(_) | MarkerKind::Negation))
    };
    ends_as_file && !has_sentence() && !binds()
}

/// True where a text may say something of a condition, though no rule was read in it.
pub fn bears_on_conditions(text: &str) -> bool {
    let has_quantity = || read_all(text).quantities.iter().any(|it| it.unit.is_some());
    let has_marker = || {
        markers_in(text, Span::new(0, text.len())).iter().any(|it| match it.kind {
            // "You can call us": a way, and no rule.
            MarkerKind::Force(Strength::May) => {
                !it.span.slice(text).is_some_and(|word| word.eq_ignore_ascii_case("can"))
            }
            MarkerKind::Footnote => false,
            _ => true,
        })
    };
    has_word(text) || has_marker() || has_quantity()
}

fn has_word(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|it: char| !it.is_ascii_alphabetic()).filter(|it| !it.is_empty());
    let is_one = |word: &str, of: &&str| match of.strip_suffix('-') {
        Some(stem) => word.starts_with(stem),
        None => word == *of,
    };
    words.any(|word| ENGLISH.iter().any(|it| is_one(word, it)))
        || CHINESE.iter().any(|it| text.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_files_is_told_from_a_sentence_that_names_one_in_both_languages() {
        for text in [
            "附件： | 附表二每月最高補助額度.PDF 附表二每月最高補助額度.ODT",
            "附件一申請書.doc",
            "| Annexes | Fees from 2026.pdf Fees from 2026.xlsx |",
            "claim-form_v2.pdf",
        ] {
            assert!(names_files(text), "{text}");
        }
        for text in [
            "The fee is $20. See fees.pdf",
            "You must send form-20.pdf",
            "不得使用附表一.pdf",
            "兒童免費。詳見收費表.pdf",
            "Fees are listed in the annex.",
            "補助額度如附表二",
            "pdf",
        ] {
            assert!(!names_files(text), "{text}");
        }
    }

    #[test]
    fn what_may_bear_on_a_condition_is_told_from_what_does_not_in_both_languages() {
        for text in [
            "Children travel free.",
            "The scheme is closed to new applicants.",
            "A spouse's income is included.",
            "Refunds are not given.",
            "People on income support do not pay.",
            "The fees are reviewed in spring.",
            "Write to us within 30 days.",
            "兒童免費。",
            "本方案開始受理。",
            "配偶收入併入計算。",
            "中低收入戶亦同。",
        ] {
            assert!(bears_on_conditions(text), "{text}");
        }
        for text in [
            "Welcome aboard our boats.",
            "We would like your feedback.",
            "Call us at 2345 6789.",
            "Read more about our piers.",
            "Last updated: 3 May 2026",
            "You can also write to us.",
            "歡迎大家搭乘渡輪。",
            "服務專線：02-2345-6789",
            "更新日期：112年5月3日",
        ] {
            assert!(!bears_on_conditions(text), "{text}");
        }
    }
}
