//! Names of schemes in a sentence: "Harbour Elder Grant", 長者津貼.
//!
//! Found by their shape alone, so a name is a hint and never a proof.

use crate::gate::places::stream::is_ideograph;

/// Names of schemes in `text`, in order.
pub fn scheme_names(text: &str) -> Vec<&str> {
    let mut names = latin_names(text);
    names.extend(han_names(text));
    names
}

/// True where the whole of `text` is a name of a scheme.
pub fn is_scheme_name(text: &str) -> bool {
    let text = text.trim();
    scheme_names(text).contains(&text)
}

/// The same for a heading, which may be written without capitals: "Ferry card".
pub fn is_name_of_scheme(heading: &str) -> bool {
    const LONGEST: usize = 5;
    let words: Vec<&str> = heading.split_whitespace().collect();
    let is_short = (2..=LONGEST).contains(&words.len());
    let last = words.last().map(|it| it.to_lowercase()).unwrap_or_default();
    is_scheme_name(heading) || is_short && LATIN_KINDS.contains(&last.as_str())
}

/// What schemes are called, in English.
const LATIN_KINDS: &[&str] = &[
    "grant",
    "subsidy",
    "allowance",
    "scheme",
    "benefit",
    "benefits",
    "pension",
    "relief",
    "card",
    "programme",
    "program",
    "fund",
    "award",
    "credit",
    "payment",
    "loan",
    "insurance",
    "service",
    "permit",
    "licence",
    "license",
    "visa",
    "pass",
    "plan",
    "supplement",
    "support",
    "assistance",
    "bursary",
    "scholarship",
    "rebate",
    "voucher",
    "bonus",
    "discount",
    "tax",
    "leave",
    "pay",
];

/// Two or more capitalised words, the last of them a kind of scheme.
fn latin_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut run: Option<(usize, usize)> = None;
    let mut at = 0;
    for word in text.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '-' || c == '’')) {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_capital = bare.chars().next().is_some_and(char::is_uppercase);
        let is_joint = matches!(bare, "of" | "for" | "and") && run.is_some();
        match (is_capital, is_joint) {
            (true, _) => {
                let start = run.map_or(at, |it| it.0);
                let end = at + bare.len();
                run = Some((start, end));
                let name = text.get(start..end).unwrap_or_default();
                let is_kind = LATIN_KINDS.contains(&bare.to_lowercase().as_str());
                if is_kind && name.contains(' ') {
                    names.push(name.trim_start_matches("The ").trim_start_matches("A "));
                }
            }
            (false, true) => {}
            (false, false) => run = None,
        }
        // A comma or a full stop ends a name.
        if word.len() != bare.len() && !word[bare.len()..].starts_with(' ') {
            run = None;
        }
        at += word.len();
    }
    names
}

/// What schemes are called, in Chinese, the longer wording first.
const HAN_KINDS: &[&str] = &[
    "補助金",
    "獎助金",
    "獎學金",
    "助學金",
    "救助金",
    "補償金",
    "慰問金",
    "津貼",
    "补助",
    "補助",
    "補貼",
    "补贴",
    "計畫",
    "計劃",
    "计划",
    "援助",
    "年金",
    "保險",
    "保险",
    "貸款",
    "贷款",
    "方案",
    "基金",
    "服務",
    "服务",
    "給付",
    "優惠",
    "長者卡",
    "卡",
];

/// Characters at which a Chinese name begins anew.
const HAN_BORDERS: &str = "之的及與与或和於于在向對对領领取請请享受發发給给以為为是由本該该各此其每種种類类項项款條条目第前後上下同申得應应須须可不未";

/// A run of ideographs that ends with a kind of scheme and has a name of its own before it.
fn han_names(text: &str) -> Vec<&str> {
    const LONGEST: usize = 10;
    let mut names = Vec::new();
    let mut taken = 0;
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for kind in HAN_KINDS {
        starts.extend(text.match_indices(kind).map(|(at, _)| (at, at + kind.len())));
    }
    starts.sort_by_key(|(at, end)| (*at, std::cmp::Reverse(*end)));
    for (at, end) in starts {
        if at < taken {
            continue;
        }
        let before = text.get(..at).unwrap_or_default();
        let name = before
            .char_indices()
            .rev()
            .take(LONGEST)
            .take_while(|(_, c)| is_ideograph(*c) && !HAN_BORDERS.contains(*c))
            .last();
        if let Some((start, _)) = name
            && start + 6 <= at
            && taken <= start
        {
            names.push(&text[start..end]);
            taken = end;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_shape() {
        assert_eq!(
            scheme_names("The Harbour Elder Grant pays more than Lantern Care Subsidy."),
            ["Harbour Elder Grant", "Lantern Care Subsidy"]
        );
        assert!(scheme_names("This grant pays HK$20. Apply for the card.").is_empty());
        assert_eq!(
            scheme_names("申請山海長者津貼者，不得領取青松租金援助。"),
            ["山海長者津貼", "青松租金援助"]
        );
        assert!(scheme_names("本津貼每月發給。該計畫終止。").is_empty());
        assert!(is_scheme_name("青松租金援助") && !is_scheme_name("申請人"));
    }
}
