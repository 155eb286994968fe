//! What the words above a list say of its items: how they join, what they are, how strong they are.
//!
//! It never looks at the items' own conditions; only at the connective at their ends.

use crate::model::claim::{Force, Join};
use crate::reader::clause::{has_any, is_mostly_han};
use crate::reader::concept::Act;

/// What a lead-in says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadSense {
    pub kind: ListKind,
    pub join: Option<Join>,
    pub act: Act,
    pub force: Option<Force>,
}

/// How the items of a list are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// Each item states a condition, a document, a case: a row even without a rule word.
    Conditions,
    /// Each item is a sentence like any other.
    Sentences,
}

/// Reads a lead-in. `heading` is what stands above it, `last_items` the ends of the items.
pub fn read_lead(lead: &str, heading: &str, items: &[&str]) -> LeadSense {
    if is_mostly_han(lead) { han_lead(lead) } else { english_lead(lead, heading, items) }
}

/// The sense of a list that nothing leads in.
pub fn no_lead() -> LeadSense {
    LeadSense { kind: ListKind::Sentences, join: None, act: Act::Condition, force: None }
}

fn han_lead(lead: &str) -> LeadSense {
    let any = ["之一", "任一", "擇一", "任何一"];
    let is_listing = has_any(lead, &["下列", "左列", "下述", "以下各", "次列"]);
    let join = if !is_listing {
        None
    } else if has_any(lead, &any) {
        Some(Join::Any)
    } else {
        Some(Join::All)
    };
    let act = han_act(lead);
    // 依下列規定辦理 and the like: each item is a rule of its own.
    let is_instruction = join != Some(Join::Any)
        && has_any(
            lead,
            &["如下", "如左", "依下列", "依左列", "按下列", "下列標準", "下列規定計算"],
        );
    // What is exempted or shut out is a list of cases unless all of it must be met.
    let is_alternative = matches!(act, Act::Exception | Act::Exclusion)
        && !has_any(lead, &["符合下列", "具備下列", "各款規定者", "均", "皆"]);
    let join = if is_alternative { join.map(|_| Join::Any) } else { join };
    let kind =
        if is_instruction || !is_listing { ListKind::Sentences } else { ListKind::Conditions };
    let join = if kind == ListKind::Sentences { None } else { join };
    LeadSense { kind, join, act, force: han_force(lead, act) }
}

/// What the items of a list under this lead-in are.
fn han_act(lead: &str) -> Act {
    let asks_papers =
        has_any(lead, &["檢附", "檢具", "備具", "填具", "檢送", "附具", "提出", "繳驗", "備齊"]);
    if asks_papers && has_any(lead, &["文件", "資料", "書件", "證件", "證明", "書表", "表件"])
    {
        Act::Document
    } else if has_any(
        // An application that is turned down is no rule that is lifted.
        &lead.replace("不受理", ""),
        &["免徵", "免繳", "免予", "免納", "得免", "不在此限", "不受", "不適用", "者外"],
    ) {
        Act::Exception
    } else if has_any(
        lead,
        &[
            "不予",
            "不得",
            "不發給",
            "停止",
            "喪失",
            "駁回",
            "撤銷",
            "廢止",
            "不受理",
            "拒絕",
            "註銷",
            "停發",
            "不補助",
            "不給",
            "不列入",
            "不計入",
            "終止",
        ],
    ) {
        Act::Exclusion
    } else if has_any(lead, &["用詞", "定義", "所稱", "指下列"]) {
        Act::Definition
    } else if has_any(
        // 應計算人口範圍 is whom it counts.
        &lead.replace("計算人口", "").replace("計算範圍", ""),
        &["合計", "計算", "加計", "減除"],
    ) {
        Act::Computation
    } else {
        Act::Condition
    }
}

fn han_force(lead: &str, act: Act) -> Option<Force> {
    if matches!(act, Act::Exclusion | Act::Exception) {
        None
    } else if has_any(lead, &["應", "須"]) {
        Some(Force::Must)
    } else {
        None
    }
}

fn english_lead(lead: &str, heading: &str, items: &[&str]) -> LeadSense {
    let lead_low = lead.to_lowercase().replace('’', "'");
    let heading_low = heading.to_lowercase().replace('’', "'");
    let join = english_join(&lead_low).or_else(|| join_of_items(items));
    let act = english_act(&lead_low);
    let has_cue = has_any(&lead_low, CONDITION_LEADS) || join_of_items(items).is_some();
    let is_offer =
        has_any(&lead_low, OFFER_LEADS) && !has_any(&lead_low, &["if ", "must", "requirement"]);
    let is_covered = asks_who(heading) && lead_low.trim() == heading_low.trim();
    let kind = if (has_cue && !is_offer) || is_covered || act == Act::Document {
        ListKind::Conditions
    } else {
        ListKind::Sentences
    };
    let join = match (join, kind) {
        (Some(join), _) => Some(join),
        (None, ListKind::Conditions) if act == Act::Document => Some(Join::All),
        (None, ListKind::Conditions) if is_covered || lead_low.contains(" if") => Some(Join::Any),
        (None, ListKind::Conditions)
            if has_any(&lead_low, &["must", "should", "shall", "following"]) =>
        {
            Some(Join::All)
        }
        _ => None,
    };
    LeadSense { kind, join, act, force: english_lead_force(&lead_low) }
}

/// True for a heading that asks who is covered: what stands under it names them.
pub fn asks_who(heading: &str) -> bool {
    let low = heading.to_lowercase().replace('’', "'");
    has_any(
        &low,
        &[
            "who's covered",
            "who is covered",
            "who can get",
            "who is eligible",
            "who qualifies",
            "who can apply",
        ],
    )
}

const CONDITION_LEADS: &[&str] = &[
    "must be true",
    "must meet",
    "requirement",
    " if you",
    " if your",
    "if:",
    " if they",
    "if one of",
    "if any",
    "if all",
    "if both",
    "at least one",
    "all of these",
    "all of the",
    "both of",
    "one of these",
    "one of the following",
    "any of these",
    "any of the",
    "you must",
    "must:",
    "must have",
    "criteria",
    "conditions",
    "unless",
    "eligible for",
    "qualify",
    " is:",
    "such as",
    "should have",
    "should:",
    "shall:",
    "following:",
    "means:",
    "statement below",
    "describes you",
    "get benefits for",
    "get care for",
    "needed to",
    "any of these",
];

const OFFER_LEADS: &[&str] = &[
    "you can:",
    "you can use",
    "help you",
    "here's",
    "ways to",
    "call",
    "visit",
    "services include",
    "benefits include",
    "may include",
    "these benefits",
    "what to expect",
];

fn english_join(lead: &str) -> Option<Join> {
    if has_any(
        lead,
        &[
            "at least one",
            "one of ",
            "any of ",
            "either ",
            "1 of ",
            "one or more",
            "any one",
            "whichever",
            "or more of",
        ],
    ) {
        Some(Join::Any)
    } else if has_any(
        lead,
        &[
            "all of ",
            "all the ",
            "both ",
            "each of",
            "requirements",
            "criteria",
            "all following",
            "the following conditions",
        ],
    ) {
        Some(Join::All)
    } else if has_any(lead, &["such as", " is:", "none of", "neither"]) {
        Some(if has_any(lead, &["none of", "neither"]) { Join::None } else { Join::Any })
    } else {
        None
    }
}

/// The connective that the items but the last end with.
fn join_of_items(items: &[&str]) -> Option<Join> {
    let before_last = items.len().checked_sub(2).and_then(|at| items.get(at))?;
    let end = before_last.trim_end_matches([' ', '*', ';', ',', '.', '；', '，', '\n']);
    if end.ends_with(" or") || end.ends_with("或") {
        Some(Join::Any)
    } else if end.ends_with(" and")
        || end.ends_with("及")
        || end.ends_with("並")
        || end.ends_with("且")
    {
        Some(Join::All)
    } else {
        None
    }
}

/// It is the rule that does not apply: nobody is shut out.
const RULE_LIFTED: &[&str] = &[
    "doesn't apply",
    "does not apply",
    "don't apply to",
    "do not apply to",
    "not apply to the following",
    "shall not apply to",
    "shall not apply if",
    "shall not apply where",
    "shall not apply in",
    "will not apply to",
    "won't apply to",
    "not applicable",
    "not required to",
    "not subject to",
];

fn english_act(lead: &str) -> Act {
    let asks = has_any(
        lead,
        &[
            "submit",
            "send",
            "provide ",
            "include",
            "bring",
            "attach",
            "upload",
            "with your application",
            "fill out",
            "following document",
            "have ready",
            "need:",
            "you'll need these",
            "gather",
        ],
    );
    // "Evidence that one of these is true", "records from:": the items are facts or places, no papers.
    let tells_facts =
        has_any(lead, &["is true", "are true", "showing that", "show that", "prove that"])
            || ["from:", " to:", " at:", " by:"].iter().any(|it| lead.trim_end().ends_with(it));
    if asks
        && !tells_facts
        && has_any(
            lead,
            &[
                "document",
                "form",
                "copies",
                "evidence",
                "information",
                "records",
                "need",
                "papers",
                "material",
            ],
        )
    {
        Act::Document
    } else if has_any(lead, RULE_LIFTED) {
        Act::Exception
    } else if has_any(
        main_of(lead),
        &[
            "not eligible",
            "not be eligible",
            "don't qualify",
            "doesn't qualify",
            "shall not",
            "should not be",
            "will not",
            "won't",
            "may not",
            "can't",
            "cannot",
            "not allowed",
            "not permitted",
            "not entitled",
            "not qualify",
            "not be entitled",
            "not be paid",
            "not covered",
            "not included",
            "not count",
            "ineligible",
            "disqualif",
            "be excluded",
            "is excluded",
            "are excluded",
            "terminat",
            "cease",
            "be suspended",
            "shall suspend",
            "be stopped",
            "stop pay",
            "shall end",
            "should end",
            "will end",
            "revoke",
            "forfeit",
            "refuse",
            "reject",
            "be denied",
        ],
    ) {
        Act::Exclusion
    } else if has_any(
        lead,
        &["doesn't apply", "does not apply", "may not apply", "except", "unless", "exempt"],
    ) {
        Act::Exception
    } else if has_any(lead, &["follow these steps", "you'll need to:", "steps"]) {
        Act::Step
    } else {
        Act::Condition
    }
}

/// Without the "if" that its last sentence begins with: "If you don't qualify, you may apply for:".
fn main_of(lead: &str) -> &str {
    let last = lead.rsplit(". ").next().unwrap_or(lead);
    let is_case = last.starts_with("if ");
    let main = last
        .split_once(", ")
        .filter(|it| is_case && ["you can ", "you may "].iter().any(|you| it.1.starts_with(you)));
    main.map_or(lead, |it| it.1)
}

fn english_lead_force(lead: &str) -> Option<Force> {
    if has_any(lead, &["usually", "generally", "in most cases", "in principle"]) {
        Some(Force::InPrinciple)
    } else if has_any(lead, &["may not apply", "may also", "you may be able"]) {
        Some(Force::May)
    } else if has_any(lead, &["must", "need to", "you'll need", "required", "shall", "have to"]) {
        Some(Force::Must)
    } else if lead.contains("should") {
        Some(Force::Should)
    } else if has_any(lead, &["may ", "such as"]) {
        Some(Force::May)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_lead_ins_say_how_their_items_join_and_what_they_are() {
        let sense = read_lead("有下列情形之一者，不予補助：", "", &[]);
        assert_eq!((sense.join, sense.act), (Some(Join::Any), Act::Exclusion));
        let sense = read_lead("申請人應檢附下列文件：", "", &[]);
        assert_eq!((sense.join, sense.act), (Some(Join::All), Act::Document));
        assert_eq!(sense.force, Some(Force::Must));
        let sense = read_lead("補助標準如下：", "", &[]);
        assert_eq!((sense.kind, sense.join), (ListKind::Sentences, None));
    }

    #[test]
    fn english_lead_ins_say_how_their_items_join_and_what_they_are() {
        let sense = read_lead("All of these must be true. You:", "", &[]);
        assert_eq!((sense.join, sense.force), (Some(Join::All), Some(Force::Must)));
        let sense = read_lead("You may get help if:", "", &["You rent, or", "You own"]);
        assert_eq!((sense.kind, sense.join), (ListKind::Conditions, Some(Join::Any)));
        let sense = read_lead("You can:", "", &["Call us", "Write to us"]);
        assert_eq!(sense.kind, ListKind::Sentences);
    }

    #[test]
    fn what_shuts_people_out_and_what_lifts_a_rule_are_told_apart() {
        for lead in [
            "Owners with one of the following boats are not allowed to moor here:",
            "Under any of these conditions the office should end all payments:",
            "The office shall refuse an application in any of the following cases:",
            "You are disqualified if any of these are true:",
            "The berth allowance shall be suspended if one of the following occurs:",
            "有下列情形之一者，不予補助：",
            "申請案有下列情形之一者，不受理：",
            "有下列情形之一者，註銷其船席證：",
        ] {
            assert_eq!(read_lead(lead, "", &[]).act, Act::Exclusion, "{lead}");
        }
        for lead in [
            "The fee does not apply to any of the following:",
            "Article 3 shall not apply if one of the following is true:",
            "The following boats are not subject to the fee:",
            "有下列情形之一者，不適用前條規定：",
        ] {
            assert_eq!(read_lead(lead, "", &[]).act, Act::Exception, "{lead}");
        }
        let sense = read_lead("An owner may apply for suspension in any of these cases:", "", &[]);
        assert_eq!(sense.act, Act::Condition);
    }
}
