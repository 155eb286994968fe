//! One returned row against the row as issued: what was decided, or why nothing can be taken.
//!
//! Nothing is guessed. The content of a row always comes from the issue; of the returned row only
//! decision, correction and note are read.

use crate::model::decision::DecisionWord;
use crate::model::explain::explain;
use crate::model::phrase::is_question;
use crate::model::returned::{CellContent, ReturnedCell, ReturnedRow};
use crate::model::sheet::{Column, IssuedRow, Matter, Proposal, SheetLanguage, Tab};
use crate::model::signing::{Correction, SignCode, SignFinding};
use crate::signoff::compare::{Sameness, compare};
use crate::signoff::context::Evidence;
use crate::signoff::correction::{Judged, judge_correction};
use crate::signoff::word::{Said, read_decision};
use crate::signoff::wording::{
    allowed_words, column_title, kind_of_cell, nothing_to_correct, sentence,
};
use crate::signoff::written::Written;

/// A decision that can be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    pub word: DecisionWord,
    pub correction: Option<Correction>,
    pub note: String,
    /// True where it was made by the word for all accepted rows.
    pub by_statement: bool,
}

/// What one row came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowCheck {
    /// `None` where the row is open.
    pub decided: Option<Decided>,
    pub findings: Vec<SignFinding>,
    /// A correction to be confirmed.
    pub proposal: Option<Proposal>,
    /// What the client wrote beside an open row, so that it is not lost.
    pub note: String,
    /// True where a decision or a correction was written, readable or not.
    pub is_written: bool,
}

/// The columns a client writes in.
pub const OPEN_COLUMNS: [Column; 4] =
    [Column::Decision, Column::CorrectedValue, Column::CorrectedQuote, Column::Note];
/// Evidence that has to be on the tab for a decision to be about something.
const EVIDENCE_COLUMNS: [Column; 3] = [Column::Extracted, Column::Says, Column::LastKnown];

/// Holds a returned row against its issue.
pub fn check_row(
    issued: &IssuedRow,
    returned: &ReturnedRow,
    language: SheetLanguage,
    evidence: &Evidence,
) -> RowCheck {
    let is_written =
        OPEN_COLUMNS.iter().any(|&it| it != Column::Note && !returned.cell(it).is_blank());
    let note = returned.cell(Column::Note).shown().trim().to_owned();
    let mut check = RowCheck { note, is_written, ..RowCheck::default() };
    let desk = Desk { issued, returned, language };
    desk.check_columns(&mut check.findings);
    desk.check_formulas(&mut check.findings);
    desk.check_locked(&mut check.findings);
    desk.check_merged(&mut check.findings);
    let word = match read_decision(returned.cell(Column::Decision), issued.tab) {
        Said::Nothing => {
            desk.note_undecided(&mut check.findings);
            return check;
        }
        Said::Unknown(text) => {
            let words = allowed_words(issued.tab, language);
            let finding = desk.finding(SignCode::UnknownDecision, &words);
            check.findings.push(finding.on(&[Column::Decision]).with("", text));
            return check;
        }
        Said::Word(word) => word,
    };
    if word == DecisionWord::Correct {
        desk.check_types(&mut check.findings);
    }
    if check.findings.iter().any(|it| it.stops) {
        return check;
    }
    desk.decide(word, evidence, &mut check);
    check
}

/// One row on the desk.
struct Desk<'a> {
    issued: &'a IssuedRow,
    returned: &'a ReturnedRow,
    language: SheetLanguage,
}

impl Desk<'_> {
    fn finding(&self, code: SignCode, what: &str) -> SignFinding {
        SignFinding::of_row(code, &self.issued.key, sentence(code, self.language, what))
            .at(&self.returned.tab, self.returned.line)
    }

    fn check_columns(&self, findings: &mut Vec<SignFinding>) {
        let is_needed = |it: &&Column| {
            matches!(it, Column::Check | Column::Decision)
                || EVIDENCE_COLUMNS.contains(it) && self.issued.shown.contains_key(it)
        };
        let all = [&[Column::Check, Column::Decision], EVIDENCE_COLUMNS.as_slice()].concat();
        let missing: Vec<Column> =
            all.iter().filter(is_needed).filter(|it| !self.returned.has(**it)).copied().collect();
        if !missing.is_empty() {
            let names: Vec<&str> =
                missing.iter().map(|&it| column_title(it, self.language)).collect();
            findings.push(self.finding(SignCode::HeaderMissing, &names.join(", ")).on(&missing));
        }
    }

    fn check_formulas(&self, findings: &mut Vec<SignFinding>) {
        for (&column, cell) in &self.returned.cells {
            if let Some(formula) = &cell.formula {
                let finding = self.finding(SignCode::FormulaInCell, &format!("={formula}"));
                findings.push(finding.on(&[column]));
            }
        }
    }

    /// One finding a changed cell; what only programs changed is told once a row.
    fn check_locked(&self, findings: &mut Vec<SignFinding>) {
        let mut rewritten = Vec::new();
        for (&column, text) in &self.issued.shown {
            if !self.returned.has(column) || self.returned.cell(column).formula.is_some() {
                continue;
            }
            let cell = self.returned.cell(column);
            let code = match compare(text, cell) {
                Sameness::Same => continue,
                Sameness::Rewritten => {
                    rewritten.push(column);
                    continue;
                }
                Sameness::Retyped => SignCode::LockedCellRetyped,
                Sameness::Damaged => SignCode::EncodingDamage,
                Sameness::Changed => SignCode::LockedCellChanged,
            };
            let finding = self.finding(code, "").on(&[column]).with(text.clone(), cell.shown());
            let is_evidence = EVIDENCE_COLUMNS.contains(&column);
            let is_harmless = code == SignCode::EncodingDamage && !is_evidence;
            findings.push(if is_harmless { finding.harmless() } else { finding });
        }
        if !rewritten.is_empty() {
            findings.push(self.finding(SignCode::KnownRewrite, "").on(&rewritten));
        }
    }

    fn check_merged(&self, findings: &mut Vec<SignFinding>) {
        let is_read =
            |it: &&Column| OPEN_COLUMNS.contains(it) || matches!(it, Column::Row | Column::Check);
        let merged: Vec<Column> = self.returned.merged.iter().filter(is_read).copied().collect();
        if !merged.is_empty() {
            findings.push(self.finding(SignCode::MergedCells, "").on(&merged));
        }
    }

    /// A correction is text; what a program made of it is not taken for what was typed.
    fn check_types(&self, findings: &mut Vec<SignFinding>) {
        for column in [Column::CorrectedValue, Column::CorrectedQuote] {
            let cell = self.returned.cell(column);
            if cell.formula.is_none() && text_in(cell).is_none() {
                let kind = kind_of_cell(cell, self.language);
                findings.push(self.finding(SignCode::TypeDrift, &kind).on(&[column]));
            }
        }
    }

    /// A blank decision: named where the row is asked about, or where something else was written.
    fn note_undecided(&self, findings: &mut Vec<SignFinding>) {
        let written: Vec<Column> = OPEN_COLUMNS
            .into_iter()
            .filter(|&it| it != Column::Decision && !self.returned.cell(it).is_blank())
            .collect();
        if self.issued.is_asked || !written.is_empty() {
            let finding = self.finding(SignCode::Undecided, "").on(&written);
            let texts: Vec<String> =
                written.iter().map(|&it| self.returned.cell(it).shown()).collect();
            findings.push(match texts.is_empty() {
                true => finding.harmless(),
                false => finding.with("", texts.join(" · ")),
            });
        }
    }

    fn decide(&self, word: DecisionWord, evidence: &Evidence, check: &mut RowCheck) {
        let texts = [Column::CorrectedValue, Column::CorrectedQuote]
            .map(|it| self.returned.cell(it))
            .map(|cell| (cell, text_in(cell)));
        let is_correction = texts.iter().any(|(cell, _)| !cell.is_blank());
        if word == DecisionWord::Unsure {
            let finding = self.finding(SignCode::Undecided, "").on(&[Column::Decision]);
            check.findings.push(finding.with("", word.shown(self.language)).harmless());
            return;
        }
        if word != DecisionWord::Correct {
            if is_correction && self.issued.tab != Tab::Removed {
                let finding = self.finding(SignCode::CorrectionUnasked, "");
                check.findings.push(finding.on(&[Column::CorrectedValue, Column::CorrectedQuote]));
                return;
            }
            check.decided = Some(self.plain_decision(word, &check.note));
            return;
        }
        let [(_, Some(value)), (_, Some(quote))] = texts else { return };
        if !is_correction {
            check.findings.push(self.finding(SignCode::CorrectionMissing, ""));
            return;
        }
        self.correct(&Written { value, quote }, evidence, check);
    }

    /// A decision without a correction. Approving a proposal is the correction it stands for.
    fn plain_decision(&self, word: DecisionWord, note: &str) -> Decided {
        let (word, correction) = match (&self.issued.matter, word) {
            (Matter::Proposal(proposal), DecisionWord::Approve) => {
                let row = &proposal.row;
                let correction = Correction {
                    claim: row.claim.clone(),
                    place: row.place,
                    sentence: row.sentence.clone(),
                };
                (DecisionWord::Correct, Some(correction))
            }
            _ => (word, None),
        };
        Decided { word, correction, note: note.to_owned(), by_statement: false }
    }

    fn correct(&self, written: &Written, evidence: &Evidence, check: &mut RowCheck) {
        let row = self.issued.matter.row();
        if is_question(row) {
            let mut finding = self.finding(SignCode::CorrectionRefused, "");
            nothing_to_correct(self.language).clone_into(&mut finding.detail);
            check.findings.push(finding.with("", written.value));
            return;
        }
        let columns =
            [(Column::CorrectedValue, written.value), (Column::CorrectedQuote, written.quote)]
                .into_iter()
                .filter(|it| !it.1.trim().is_empty());
        let (columns, texts): (Vec<Column>, Vec<&str>) = columns.unzip();
        let Some(page) = evidence.page(row) else {
            let mut finding = self.finding(SignCode::CorrectionRefused, "").on(&columns);
            let text = [
                "the page of this row is not at hand, so the correction could not be checked",
                "此列的網頁檔不在，無法核對更正內容",
            ];
            self.language.pick(text).clone_into(&mut finding.detail);
            check.findings.push(finding);
            return;
        };
        match judge_correction(row, written, &page, evidence.fields_of(row)) {
            Judged::Taken(correction) => {
                check.decided = Some(Decided {
                    word: DecisionWord::Correct,
                    correction: Some(*correction),
                    note: check.note.clone(),
                    by_statement: false,
                });
            }
            Judged::NotTaken { code, findings, suggestion, proposal } => {
                let mut finding = self
                    .finding(code, written.value)
                    .on(&columns)
                    .with(row.claim.snippet.clone(), texts.join(" · "))
                    .suggesting(suggestion);
                let reasons: Vec<String> = findings
                    .iter()
                    .map(|it| format!("{}: {}", it.code, explain(it.code, self.language).seen))
                    .collect();
                if !reasons.is_empty() {
                    finding.detail = format!("{} [{}]", finding.detail, reasons.join("; "));
                }
                check.findings.push(finding);
                check.proposal = proposal
                    .map(|it| Proposal { stands_for: self.issued.bound_to().to_owned(), ..*it });
            }
        }
    }
}

/// The text of a cell; `None` where it holds something that is no text.
fn text_in(cell: &ReturnedCell) -> Option<&str> {
    match &cell.content {
        CellContent::Text(text) => Some(text),
        CellContent::Empty => Some(""),
        _ => None,
    }
}
