//! Why a row is asked about, in plain words of the sheet's language: what was seen, the page's words,
//! both views where two readings differ. Never a decision.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::ask::ReviewWord;
use crate::model::claim::Claim;
use crate::model::explain::explain;
use crate::model::finding::Code;
use crate::model::phrase::{
    condition, extracted, field_label, force_words, is_question, join_words, stated,
};
use crate::model::row::RowRecord;
use crate::model::sheet::{SheetFacts, SheetLanguage};

/// Rows by the id of the reading they come from; filled only where a row contradicts another.
#[derive(Debug, Default)]
pub struct Others<'a> {
    by_id: BTreeMap<(&'a str, &'a str, &'a str, &'a str), &'a RowRecord>,
}

impl<'a> Others<'a> {
    /// The rows of a sheet.
    pub fn of(rows: &'a [RowRecord]) -> Self {
        let has_conflict = |it: &RowRecord| it.findings.iter().any(|it| it.code == Code::Conflict);
        let is_needed = rows.iter().any(has_conflict);
        let id = |it: &'a RowRecord| {
            (it.source.as_str(), it.page.as_str(), it.item.as_str(), it.claim.id.as_str())
        };
        let rows = rows.iter().filter(|_| is_needed);
        Self { by_id: rows.map(|it| (id(it), it)).collect() }
    }

    fn get(&self, row: &RowRecord, id: &str) -> Option<&'a RowRecord> {
        self.by_id.get(&(row.source.as_str(), row.page.as_str(), row.item.as_str(), id)).copied()
    }
}

/// Why a row is asked about: each finding in plain words, then both views where two readings differ.
pub fn why_asked(row: &RowRecord, facts: &SheetFacts, others: &Others) -> String {
    let language = facts.language;
    let mut lines: Vec<String> = Vec::new();
    let mut seen = Vec::new();
    for finding in &row.findings {
        if seen.contains(&finding.code) {
            continue;
        }
        seen.push(finding.code);
        let words = explain(finding.code, language);
        let space = language.pick([" ", ""]);
        lines.push(format!("{}{space}{}", words.seen, words.look));
        let evidence = finding.evidence.as_deref().filter(|it| !it.trim().is_empty());
        if let Some(evidence) = evidence {
            match finding.code {
                Code::Conflict => {
                    lines.extend(others.get(row, evidence).map(|it| other_row(it, facts)));
                }
                _ => lines.push(quoted_evidence(evidence, language)),
            }
        }
    }
    if lines.is_empty() {
        lines.push(language.pick(["Please confirm this row.", "請確認這一列。"]).to_owned());
    }
    // The reviewer often quotes what the finding quotes.
    lines.extend(both_views(row, facts));
    let mut told = BTreeSet::new();
    lines.retain(|it| told.insert(it.clone()));
    if is_question(row) {
        lines.push(
            language
                .pick([
                    "approve = nothing is missing · reject = something is missing: say what in the note",
                    "核准＝沒有遺漏；退回＝有遺漏，請在備註寫明",
                ])
                .to_owned(),
        );
    }
    lines.join("\n")
}

fn quoted_evidence(evidence: &str, language: SheetLanguage) -> String {
    const MOST: usize = 240;
    let short: String = evidence.chars().take(MOST).collect();
    let more = if short.len() < evidence.len() { " […]" } else { "" };
    match language {
        SheetLanguage::English => format!("The page: \"{short}{more}\""),
        SheetLanguage::Chinese => format!("網頁：「{short}{more}」"),
    }
}

fn both_views(row: &RowRecord, facts: &SheetFacts) -> Vec<String> {
    let language = facts.language;
    let Some(review) = row.review.as_ref().filter(|it| it.word != ReviewWord::Confirmed) else {
        return Vec::new();
    };
    let (first, second) = match &review.corrected {
        Some(claim) => what_differs(row, claim, facts),
        None => {
            let first = stated(&row.claim, &field_label(row, facts), language);
            (first, language.pick(["not sure", "不確定"]).to_owned())
        }
    };
    let mut lines = match language {
        SheetLanguage::English => {
            vec![format!("First reading: {first}"), format!("Second reading: {second}")]
        }
        SheetLanguage::Chinese => vec![format!("初讀：{first}"), format!("複核：{second}")],
    };
    if !review.reason.trim().is_empty() {
        lines.push(format!("{}{}", language.pick(["Because: ", "理由："]), review.reason.trim()));
    }
    if !review.snippet.trim().is_empty() && review.snippet != row.claim.snippet {
        lines.push(quoted_evidence(&review.snippet, language));
    }
    lines
}

/// Both readings in words: only what differs where they are about the same thing, since a person does
/// not find one word in two long sentences; whole sentences otherwise.
fn what_differs(row: &RowRecord, second: &Claim, facts: &SheetFacts) -> (String, String) {
    let language = facts.language;
    let first = &row.claim;
    let parts =
        |it: &Claim| [condition(it, language), force_of(it, language), join_of(it, language)];
    let is_about_the_same = first.subject == second.subject && first.field == second.field;
    let (a, b) = (parts(first), parts(second));
    if is_about_the_same && a != b {
        let only = |it: &[String; 3]| {
            let differs = it.iter().zip(a.iter().zip(&b)).filter(|(_, (a, b))| a != b);
            let words: Vec<&str> = differs.map(|(it, _)| it.trim()).collect();
            words.join(language.pick(["; ", "；"]))
        };
        return (only(&a), only(&b));
    }
    let label = field_label(row, facts);
    (stated(first, &label, language), stated(second, &label, language))
}

fn force_of(claim: &Claim, language: SheetLanguage) -> String {
    let none = language.pick(["neither \"must\" nor \"may\"", "未標示「應」或「得」"]);
    claim.force.map_or(none, |it| force_words(it, language)).to_owned()
}

fn join_of(claim: &Claim, language: SheetLanguage) -> String {
    let none = language.pick(["by itself, not one of several", "單獨一項，非數項之一"]);
    claim.join.map_or(none, |it| join_words(it, language)).to_owned()
}

/// The row that says something else.
fn other_row(other: &RowRecord, facts: &SheetFacts) -> String {
    let says = extracted(other, facts);
    match facts.language {
        SheetLanguage::English => format!("The other row: {says} ({})", other.key),
        SheetLanguage::Chinese => format!("另一列：{says}（{}）", other.key),
    }
}
