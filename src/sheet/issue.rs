//! What is issued to the client: keys, check tokens, digests and the exact text of every locked cell.
//!
//! Pure: the same rows give the same issue, so a returned file can be held against it years later.
//! Nothing is ever read back from a returned file into it.

use std::collections::BTreeMap;

use crate::model::explain::explain;
use crate::model::phrase::{about, extracted};
use crate::model::row::{RowRecord, RowStatus};
use crate::model::sheet::{
    ChangedPair, Column, FollowUp, IssuedRow, IssuedSheet, Matter, Proposal, RemovalCandidate,
    SheetFacts, SheetLanguage, Tab,
};
use crate::sheet::answered::{Answered, decided_line};
use crate::sheet::columns::columns_of;
use crate::sheet::identity::{check_token, file_id};
use crate::sheet::order::agenda;
use crate::sheet::view::{fitted, plain_view_of, units};
use crate::sheet::why::{Others, why_asked};
use crate::text::glyphs::fragment::{link_to_quote, plain_address};

pub use crate::sheet::identity::row_digest;

/// Everything a sheet is made from.
#[derive(Clone, Copy, Debug)]
pub struct SheetInput<'a> {
    pub facts: &'a SheetFacts,
    /// All rows of the run; flagged ones are asked about, the rest is shown.
    pub rows: &'a [RowRecord],
    pub removals: &'a [RemovalCandidate],
    pub changed: &'a [ChangedPair],
    /// What is decided already; not asked about again.
    pub decided: &'a Answered,
    /// For a follow-up sheet: the rows that are asked again. Nothing else stands on it.
    pub follow_up: Option<&'a FollowUp>,
}

impl SheetInput<'_> {
    /// The rows that are asked about.
    pub fn asked(&self) -> Vec<&RowRecord> {
        match self.follow_up {
            None => self.rows.iter().filter(|it| self.is_asked(it)).collect(),
            Some(again) => self.rows.iter().filter(|it| again.keys.contains(&it.key)).collect(),
        }
    }

    fn is_asked(&self, row: &RowRecord) -> bool {
        row.status == RowStatus::Flagged && self.decided.on(row, false).is_none()
    }

    fn removals_asked(&self) -> Vec<&RemovalCandidate> {
        let is_asked =
            |it: &&RemovalCandidate| self.follow_up.is_none_or(|f| f.keys.contains(&it.row.key));
        let is_open = |it: &&RemovalCandidate| {
            self.follow_up.is_some() || self.decided.on(&it.row, true).is_none()
        };
        let mut removals: Vec<&RemovalCandidate> =
            self.removals.iter().filter(is_asked).filter(is_open).collect();
        removals.sort_by(|a, b| a.row.key.cmp(&b.row.key));
        removals
    }

    fn rest(&self) -> Vec<&RowRecord> {
        if self.follow_up.is_some() {
            return Vec::new();
        }
        let mut rest: Vec<&RowRecord> = self.rows.iter().filter(|it| !self.is_asked(it)).collect();
        rest.sort_by(|a, b| {
            let place = |it: &RowRecord| it.place.map_or(usize::MAX, |p| p.bytes.start);
            (a.status, &a.source, &a.page, place(a), &a.key).cmp(&(
                b.status,
                &b.source,
                &b.page,
                place(b),
                &b.key,
            ))
        });
        rest
    }

    fn remark(&self, key: &str) -> Option<&str> {
        self.follow_up?.remarks.get(key).map(String::as_str)
    }

    fn proposal(&self, key: &str) -> Option<&Proposal> {
        self.follow_up?.proposals.iter().find(|it| it.row.key == key)
    }
}

/// The issue of a sheet: every row with key, token, digest and the text of its locked cells.
pub fn issue_sheet(input: &SheetInput) -> IssuedSheet {
    let facts = input.facts;
    let mut rows: Vec<IssuedRow> = Vec::new();
    let others = Others::of(input.rows);
    for row in agenda(input.asked()).rows {
        rows.push(match input.proposal(&row.key) {
            Some(proposal) => {
                issue_row(Matter::Proposal(proposal.clone()), Tab::Decide, (input, &others))
            }
            None => issue_row(Matter::Row(row.clone()), Tab::Decide, (input, &others)),
        });
    }
    for candidate in input.removals_asked() {
        rows.push(issue_removal(candidate, input));
    }
    for row in input.rest() {
        rows.push(issue_row(Matter::Row(row.clone()), Tab::Accepted, (input, &others)));
    }
    let file = file_id(facts, &rows);
    IssuedSheet {
        file,
        run: facts.summary.run.clone(),
        project: facts.project.clone(),
        language: facts.language,
        follow_up_of: facts.follow_up_of.clone(),
        facts: facts.clone(),
        rows,
        changed: input.changed.to_vec(),
    }
}

fn issue_row(matter: Matter, tab: Tab, (input, others): (&SheetInput, &Others)) -> IssuedRow {
    let facts = input.facts;
    let (row, language) = (matter.row(), facts.language);
    let view = plain_view_of(row, language);
    let mut shown = BTreeMap::new();
    for spec in columns_of(tab) {
        let text = match spec.column {
            Column::About => about(row),
            Column::Extracted => extracted(row, facts),
            Column::Says => view.text(),
            Column::Why => {
                let mut lines: Vec<String> =
                    input.remark(&row.key).map(str::to_owned).into_iter().collect();
                lines.push(why_asked(row, facts, others));
                lines.extend(proposed(&matter, language));
                lines.extend(view.is_shortened.then(|| shortened(language)));
                lines.join("\n")
            }
            Column::Standing => {
                let mut lines = vec![standing(row, input)];
                lines.extend(view.is_shortened.then(|| shortened(language)));
                lines.join("\n")
            }
            Column::Link => link_text(row, language),
            _ => continue,
        };
        shown.insert(spec.column, fitted(&text, &row.key, language).0);
    }
    finish(matter, tab, shown, facts)
}

fn issue_removal(candidate: &RemovalCandidate, input: &SheetInput) -> IssuedRow {
    let facts = input.facts;
    let (row, language) = (&candidate.row, facts.language);
    let mut shown = BTreeMap::new();
    for spec in columns_of(Tab::Removed) {
        let text = match spec.column {
            Column::About => about(row),
            Column::Extracted => extracted(row, facts),
            Column::LastKnown => plain_view_of(row, language).text(),
            Column::Why => {
                let mut lines: Vec<&str> = input.remark(&row.key).into_iter().collect();
                lines.push(&candidate.reason);
                lines.join("\n")
            }
            Column::LastSeen => candidate.last_seen.clone(),
            Column::Dependants => dependants(candidate, language),
            Column::Link => link_text(row, language),
            _ => continue,
        };
        shown.insert(spec.column, fitted(&text, &row.key, language).0);
    }
    finish(Matter::Removal(candidate.clone()), Tab::Removed, shown, facts)
}

fn finish(
    matter: Matter,
    tab: Tab,
    mut shown: BTreeMap<Column, String>,
    facts: &SheetFacts,
) -> IssuedRow {
    let key = matter.row().key.clone();
    let digest = row_digest(matter.row());
    let token = check_token(&facts.project, &key, &digest, tab);
    shown.insert(Column::Row, key.clone());
    shown.insert(Column::Check, token.clone());
    IssuedRow { key, token, digest, tab, is_asked: tab != Tab::Accepted, matter, shown }
}

fn shortened(language: SheetLanguage) -> String {
    language
        .pick([
            "The evidence is longer than this cell: read it whole in the report or page file.",
            "證據比儲存格長：請在報告或網頁檔閱讀全文。",
        ])
        .to_owned()
}

/// What approving a proposal means.
fn proposed(matter: &Matter, language: SheetLanguage) -> Option<String> {
    let Matter::Proposal(_) = matter else { return None };
    let text = language.pick([
        "Shown here is your correction with the page's own words. \"approve\" takes it as shown.",
        "此處為您的更正，引文改用網頁原文。「核准」表示採用所示內容。",
    ]);
    Some(text.to_owned())
}

fn standing(row: &RowRecord, input: &SheetInput) -> String {
    let language = input.facts.language;
    let decided = [true, false].into_iter().find_map(|it| input.decided.on(row, it));
    if let Some(decision) = decided {
        let taken_down = language.pick([" (removal)", "（移除與否）"]);
        let what = if decision.tab == Tab::Removed { taken_down } else { "" };
        return format!("{}{what}", decided_line(decision, language));
    }
    let word = language.pick(match row.status {
        RowStatus::Accepted => ["Accepted by all checks", "通過所有檢查"],
        RowStatus::Flagged => ["Asked about on the first tab", "已列入請決定"],
        RowStatus::Dropped => ["Not taken", "未採用"],
        RowStatus::Merged => ["Counted in another row", "已併入另一列"],
    });
    let mut text = word.to_owned();
    for finding in &row.findings {
        text.push('\n');
        text.push_str(explain(finding.code, language).seen);
    }
    text
}

fn dependants(candidate: &RemovalCandidate, language: SheetLanguage) -> String {
    if candidate.dependants.is_empty() {
        return language.pick(["nothing", "無"]).to_owned();
    }
    candidate.dependants.join("\n")
}

/// Longest link, in UTF-16 units; the format's limit.
const LINK_UNITS: usize = 2_079;

/// The text of the link cell: a call to open, or the bare address where it may not be linked.
fn link_text(row: &RowRecord, language: SheetLanguage) -> String {
    match plain_address(&row.page).filter(|it| units(it.as_str()) <= LINK_UNITS) {
        Some(_) => language.pick(["open page", "開啟網頁"]).to_owned(),
        None => row.page.clone(),
    }
}

/// The live page at the quoted text; without the text where the address would be too long for the
/// format; `None` where the address may not or cannot be linked.
pub fn page_link(row: &RowRecord) -> Option<String> {
    let full = link_to_quote(&row.page, &row.claim.snippet, &row.sentence)?;
    [full, link_to_quote(&row.page, "", "")?].into_iter().find(|it| units(it) <= LINK_UNITS)
}
