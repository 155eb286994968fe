//! Goes through a returned file row by row and keeps what each came to; stores nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::decision::{ACCEPTED_WORDS, DecisionWord};
use crate::model::phrase::condition;
use crate::model::returned::{CellContent, ReturnedFile, ReturnedRow};
use crate::model::row::RowStatus;
use crate::model::sheet::{Column, IssuedRow, Matter, Proposal, Tab};
use crate::model::signing::{RecordedDecision, SignCode, SignCounts, SignFinding, SignedRow};
use crate::signoff::context::{RowId, Rows, SignoffContext, id_of};
use crate::signoff::record::{Record, Standing};
use crate::signoff::row::{Decided, OPEN_COLUMNS, RowCheck, check_row};
use crate::signoff::word::{Said, approves_all, plain, read_decision};
use crate::signoff::wording::{sentence, unknown_statement};

/// The state of a sign-off while its rows are gone through.
pub struct Settling<'a> {
    pub file: &'a ReturnedFile,
    pub context: &'a SignoffContext<'a>,
    issued: Rows<'a>,
    current: Rows<'a>,
    record: Record<'a>,
    /// Nothing of the file is taken.
    pub is_refused: bool,
    pub signer: String,
    pub findings: Vec<SignFinding>,
    pub decisions: Vec<RecordedDecision>,
    pub withdrawn: Vec<RecordedDecision>,
    pub counts: SignCounts,
    pub signed: Vec<SignedRow>,
    /// Rows decided after this file, by this file or before.
    pub words: BTreeMap<RowId<'a>, DecisionWord>,
    /// Why a row is asked again, and what the client wrote beside it.
    pub remarks: BTreeMap<RowId<'a>, String>,
    /// Rows that are asked again though they were not asked about on this sheet, or were decided.
    pub reopened: BTreeSet<RowId<'a>>,
    pub proposals: BTreeMap<RowId<'a>, Proposal>,
    /// Rows whose decision was about content that is no longer current.
    stale: BTreeSet<RowId<'a>>,
}

impl<'a> Settling<'a> {
    /// Nothing gone through yet.
    pub fn new(file: &'a ReturnedFile, context: &'a SignoffContext<'a>) -> Self {
        let stated = match &file.name.content {
            CellContent::Text(name) if file.name.formula.is_none() => name.trim(),
            _ => "",
        };
        let signer = context.signer.map(str::trim).filter(|it| !it.is_empty()).unwrap_or(stated);
        Self {
            file,
            context,
            issued: Rows::of(context.issued),
            current: Rows::of(context.current),
            record: Record::of(context.earlier),
            is_refused: false,
            signer: signer.to_owned(),
            findings: file.findings.clone(),
            decisions: Vec::new(),
            withdrawn: Vec::new(),
            counts: SignCounts::default(),
            signed: Vec::new(),
            words: BTreeMap::new(),
            remarks: BTreeMap::new(),
            reopened: BTreeSet::new(),
            proposals: BTreeMap::new(),
            stale: BTreeSet::new(),
        }
    }

    fn text(&self, code: SignCode, what: &str) -> String {
        sentence(code, self.context.issued.language, what)
    }

    /// What stops the whole file.
    pub fn check_file(&mut self) {
        let issued = self.context.issued;
        if let Some(identity) = &self.file.identity
            && (identity.project != issued.project || identity.file != issued.file)
        {
            let expected = format!("{} / {}", issued.project, issued.file);
            let found = format!("{} / {}", identity.project, identity.file);
            let text = self.text(SignCode::WrongFile, &issued.file);
            self.findings
                .push(SignFinding::of_file(SignCode::WrongFile, text).with(expected, found));
        }
        if self.signer.is_empty() {
            let text = self.text(SignCode::SignerMissing, "");
            self.findings.push(SignFinding::of_file(SignCode::SignerMissing, text));
        }
        self.check_statement();
        self.is_refused = self.is_another_file()
            || self.findings.iter().any(|it| it.code == SignCode::SignerMissing);
    }

    /// The word for all accepted rows: on its list, or named.
    fn check_statement(&mut self) {
        let cell = &self.file.accepted_rows;
        let is_listed = match &cell.content {
            CellContent::Text(text) if cell.formula.is_none() => {
                let said = plain(text);
                ACCEPTED_WORDS.iter().flatten().any(|it| *it == said)
            }
            _ => false,
        };
        if !cell.is_blank() && !is_listed {
            let text = unknown_statement(self.context.issued.language);
            let finding = SignFinding::of_file(SignCode::UnknownDecision, text);
            self.findings.push(finding.with("", cell.shown()));
        }
    }

    fn is_another_file(&self) -> bool {
        let codes = [SignCode::WrongFile, SignCode::IdentityDiffers];
        self.findings.iter().any(|it| codes.contains(&it.code))
    }

    /// Every row of the file, then every issued row.
    pub fn check_rows(&mut self) {
        if self.is_another_file() {
            return;
        }
        let mut returned: BTreeMap<RowId, Vec<&ReturnedRow>> = BTreeMap::new();
        let mut order = Vec::new();
        for row in &self.file.rows {
            let shown = |column| row.cell(column).shown().trim().to_owned();
            match self.issued.identify(&shown(Column::Row), &shown(Column::Check)) {
                Some(issued) => {
                    returned.entry(id_of(issued)).or_default().push(row);
                    order.push(issued);
                }
                None => self.name_foreign(row),
            }
        }
        self.note_order(&order);
        for issued in &self.context.issued.rows {
            let rows = returned.get(&id_of(issued)).map_or(&[][..], Vec::as_slice);
            self.settle_row(issued, rows);
        }
    }

    fn name_foreign(&mut self, row: &ReturnedRow) {
        let key = row.cell(Column::Row).shown();
        let is_nobody = row.cell(Column::Row).is_blank() && row.cell(Column::Check).is_blank();
        let is_word =
            matches!(read_decision(row.cell(Column::Decision), Tab::Decide), Said::Word(_));
        let text = self.text(SignCode::ForeignRow, "");
        let written: Vec<String> = OPEN_COLUMNS
            .into_iter()
            .map(|it| row.cell(it).shown())
            .filter(|it| !it.is_empty())
            .collect();
        let finding = SignFinding::of_row(SignCode::ForeignRow, &key, text)
            .at(&row.tab, row.line)
            .with("", written.join(" · "));
        // A line of the client's own, such as a total, decides nothing and stops nothing.
        self.findings.push(if is_nobody && !is_word { finding.harmless() } else { finding });
    }

    fn note_order(&mut self, order: &[&IssuedRow]) {
        let issued = self.context.issued.rows.iter();
        let places: BTreeMap<RowId, usize> =
            issued.enumerate().map(|(at, it)| (id_of(it), at)).collect();
        let places: Vec<(Tab, Option<&usize>)> =
            order.iter().map(|it| (it.tab, places.get(&id_of(it)))).collect();
        if places.windows(2).any(|it| it[0].0 == it[1].0 && it[0].1 > it[1].1) {
            let text = self.text(SignCode::OrderChanged, "");
            self.findings.push(SignFinding::of_file(SignCode::OrderChanged, text));
        }
    }

    fn settle_row(&mut self, issued: &'a IssuedRow, rows: &[&ReturnedRow]) {
        let id = id_of(issued);
        let before = self.record.active(id, issued.bound_to());
        if let Some(before) = before {
            self.words.insert(id, before.word);
        }
        let Some(&row) = rows.first() else {
            if issued.is_asked && before.is_none() {
                let text = self.text(SignCode::RowMissing, "");
                let finding = SignFinding::of_row(SignCode::RowMissing, &issued.key, text);
                self.open(issued, vec![finding]);
            }
            return;
        };
        if !self.says_one_thing(issued, rows) {
            return;
        }
        let language = self.context.issued.language;
        let mut check = check_row(issued, row, language, &self.context.evidence);
        self.approve_by_statement(issued, &mut check);
        match check.decided.take() {
            Some(decided) if !self.is_refused => {
                self.findings.append(&mut check.findings);
                self.take(issued, decided);
            }
            _ => self.leave_open(issued, check, before.is_some()),
        }
    }

    fn leave_open(&mut self, issued: &'a IssuedRow, mut check: RowCheck, is_decided: bool) {
        let id = id_of(issued);
        if is_decided {
            check.findings.retain(|it| it.code != SignCode::Undecided || it.stops);
        }
        let stops = check.findings.iter().any(|it| it.stops);
        let is_objection = check.is_written || (stops && self.approves_all());
        if !issued.is_asked && !is_decided && is_objection && !self.is_refused {
            self.reopened.insert(id);
        }
        if let Some(proposal) = check.proposal.take() {
            self.proposals.insert(id, proposal);
        }
        if !check.note.is_empty() {
            let text = self.context.issued.language.pick(["You wrote: ", "您寫道："]);
            self.remarks.insert(id, format!("{text}{}", check.note));
        }
        self.open(issued, check.findings);
    }

    /// More than one row with this key: one decision if all say the same, none otherwise.
    fn says_one_thing(&mut self, issued: &'a IssuedRow, rows: &[&ReturnedRow]) -> bool {
        if rows.len() < 2 {
            return true;
        }
        // Each row in full: evidence that differs is a difference as well.
        let is_same = rows.windows(2).all(|it| it[0].cells == it[1].cells);
        let places: Vec<String> = rows.iter().map(|it| format!("{}!{}", it.tab, it.line)).collect();
        let text = self.text(SignCode::DuplicateRow, &places.join(", "));
        let finding = SignFinding::of_row(SignCode::DuplicateRow, &issued.key, text);
        if is_same {
            self.findings.push(finding.harmless());
        } else {
            let is_decided = self.words.contains_key(&id_of(issued));
            if !issued.is_asked && !is_decided {
                self.reopened.insert(id_of(issued));
            }
            self.open(issued, vec![finding]);
        }
        is_same
    }

    /// The client's word for all accepted rows covers those in the file that carry no word and no
    /// other finding.
    fn approve_by_statement(&self, issued: &IssuedRow, check: &mut RowCheck) {
        let is_accepted = matches!(&issued.matter, Matter::Row(row)
            if row.status == RowStatus::Accepted);
        let is_quiet = check.decided.is_none()
            && !check.is_written
            && !check.findings.iter().any(|it| it.stops || it.code == SignCode::Undecided);
        if issued.tab == Tab::Accepted && is_accepted && is_quiet && self.approves_all() {
            check.decided = Some(Decided {
                word: DecisionWord::Approve,
                correction: None,
                note: String::new(),
                by_statement: true,
            });
        }
    }

    fn approves_all(&self) -> bool {
        approves_all(&self.file.accepted_rows)
    }

    /// A decision that the row itself allows: is it still about the row of today, and what is on
    /// record?
    fn take(&mut self, issued: &'a IssuedRow, decided: Decided) {
        let id = id_of(issued);
        if let Some(finding) = self.staleness(issued) {
            self.stale.insert(id);
            if !issued.is_asked {
                self.reopened.insert(id);
            }
            self.open(issued, vec![finding]);
            return;
        }
        let is_newest = self.context.current.run == self.context.issued.run;
        if !is_newest {
            let text = self.text(SignCode::Carried, "");
            self.findings.push(SignFinding::of_row(SignCode::Carried, &issued.key, text));
        }
        let decision = self.recorded(issued, decided);
        match self.record.standing(&decision, is_newest) {
            Standing::New => {
                self.counts.applied += 1;
                self.counts.accepted_signed += usize::from(issued.tab == Tab::Accepted);
                self.words.insert(id, decision.word);
                self.sign(issued, decision.word);
                self.decisions.push(decision);
            }
            Standing::Repeated => {
                self.counts.repeated += 1;
                self.sign(issued, decision.word);
                let text = self.text(SignCode::AlreadyDecided, "");
                let code = SignCode::AlreadyDecided;
                self.findings.push(SignFinding::of_row(code, &issued.key, text));
            }
            Standing::Conflicts(other) => self.put_back(issued, other, decision),
        }
    }

    /// Two decisions differ: the row is open again, and neither counts.
    fn put_back(
        &mut self,
        issued: &'a IssuedRow,
        other: Option<&RecordedDecision>,
        mut decision: RecordedDecision,
    ) {
        let id = id_of(issued);
        self.counts.conflicts += 1;
        self.words.remove(&id);
        self.reopened.insert(id);
        let text = self.text(SignCode::Conflict, "");
        let mut finding = SignFinding::of_row(SignCode::Conflict, &issued.key, text);
        if let Some(other) = other {
            let said = |it: &RecordedDecision| format!("{}: {}", it.signer, it.word.as_str());
            finding = finding.with(said(other), said(&decision));
            self.withdrawn.push(RecordedDecision { is_in_conflict: true, ..other.clone() });
        }
        if !self.record.holds(&decision) {
            decision.is_in_conflict = true;
            self.decisions.push(decision);
        }
        self.open(issued, vec![finding]);
    }

    /// What is on the page now, where it is no longer what was issued.
    fn staleness(&self, issued: &IssuedRow) -> Option<SignFinding> {
        let now = self.current.get(id_of(issued));
        if now.is_some_and(|it| it.bound_to() == issued.bound_to()) {
            return None;
        }
        let language = self.context.issued.language;
        let shown = |it: &IssuedRow| {
            let row = it.matter.row();
            format!("{} — {}", condition(&row.claim, language), row.sentence)
        };
        let next = now.or_else(|| self.current.successor(issued.matter.row()));
        let text = self.text(SignCode::StaleSignature, "");
        let finding = SignFinding::of_row(SignCode::StaleSignature, &issued.key, text);
        Some(finding.with(shown(issued), next.map(shown).unwrap_or_default()))
    }

    /// The row that is asked about today for one of this sheet; `None` where there is none, or where
    /// the newer run's own sheet asks about it.
    pub fn today(&self, issued: &IssuedRow) -> Option<&'a IssuedRow> {
        let id = id_of(issued);
        match self.current.get(id) {
            Some(now) if now.bound_to() == issued.bound_to() => Some(now),
            now if self.stale.contains(&id) => {
                now.or_else(|| self.current.successor(issued.matter.row()))
            }
            _ => None,
        }
    }

    fn recorded(&self, issued: &IssuedRow, decided: Decided) -> RecordedDecision {
        RecordedDecision {
            key: issued.key.clone(),
            digest: issued.bound_to().to_owned(),
            tab: issued.tab,
            word: decided.word,
            correction: decided.correction,
            note: decided.note,
            by_statement: decided.by_statement,
            signer: self.signer.clone(),
            signed_at: self.context.now.to_string(),
            file_digest: self.file.digest.clone(),
            file: self.context.issued.file.clone(),
            run: self.context.issued.run.clone(),
            is_in_conflict: false,
        }
    }

    fn sign(&mut self, issued: &IssuedRow, word: DecisionWord) {
        let digest = issued.bound_to().to_owned();
        self.signed.push(SignedRow { key: issued.key.clone(), digest, word });
    }

    fn open(&mut self, issued: &'a IssuedRow, findings: Vec<SignFinding>) {
        let mut told: Vec<&str> = Vec::new();
        for finding in findings.iter().filter(|it| it.stops) {
            if !told.contains(&finding.detail.as_str()) {
                told.push(&finding.detail);
            }
        }
        if !told.is_empty() {
            let remark = self.remarks.entry(id_of(issued)).or_default();
            let gap = if remark.is_empty() { "" } else { "\n" };
            *remark = format!("{}{gap}{remark}", told.join("\n"));
        }
        self.findings.extend(findings);
    }
}
