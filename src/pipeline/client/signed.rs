//! The last link of the chain: signatures, the decisions under them, and the files they came in.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::canonical::hex_sha256;
use crate::model::decision::DecisionWord;
use crate::model::returned::{ReturnedFile, ReturnedRow};
use crate::model::row::RowRecord;
use crate::model::sheet::{Column, IssuedSheet, Matter, Tab};
use crate::model::signing::{RecordedDecision, Signature};
use crate::sheet::identity::{check_token, file_id, row_digest};
use crate::sheet::read::read_returned;
use crate::signoff::signature::is_intact;
use crate::signoff::word::{Said, approves_all, read_decision};

/// The sign-offs of a project or a bundle.
#[derive(Clone, Copy)]
pub struct SignOffs<'a> {
    pub project: &'a str,
    pub decisions: &'a [RecordedDecision],
    pub signatures: &'a [Signature],
    /// The returned file with a digest; `None` where it is not kept.
    pub returned: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

/// What is wrong with the sign-offs; empty where every link holds.
pub fn check_sign_offs(it: &SignOffs) -> Vec<String> {
    let mut faults = Vec::new();
    let mut signed: BTreeMap<(&str, &str, &str), DecisionWord> = BTreeMap::new();
    for signature in it.signatures {
        let shown = format!("signature of {} on {}", signature.signer, signature.file);
        if !is_intact(signature) {
            faults.push(format!("{shown}: is not what was signed (digest {})", signature.digest));
        }
        if signature.project != it.project {
            faults.push(format!(
                "{shown}: belongs to project {}, not {}",
                signature.project, it.project
            ));
        }
        for row in &signature.rows {
            signed.insert((&signature.file_digest, &row.key, &row.digest), row.word);
        }
        if let Some(bytes) = (it.returned)(&signature.file_digest) {
            let of_file = |d: &&RecordedDecision| d.file_digest == signature.file_digest;
            let decisions: Vec<&RecordedDecision> = it.decisions.iter().filter(of_file).collect();
            let found = check_returned(signature, &decisions, &bytes);
            faults.extend(found.into_iter().map(|f| format!("{shown}: {f}")));
        }
    }
    let known: BTreeSet<&str> = it.signatures.iter().map(|it| it.file_digest.as_str()).collect();
    for decision in it.decisions {
        let shown = format!("decision on {} by {}", decision.key, decision.signer);
        if !known.contains(decision.file_digest.as_str()) {
            faults.push(format!("{shown}: no signature is on record for its file"));
            continue;
        }
        if decision.is_in_conflict {
            continue;
        }
        let id = (decision.file_digest.as_str(), decision.key.as_str(), decision.digest.as_str());
        match signed.get(&id) {
            None => {
                faults.push(format!("{shown}: the signature does not cover this row as it was"));
            }
            Some(word) if *word != decision.word => faults.push(format!(
                "{shown}: says {}, the signature says {}",
                decision.word.as_str(),
                word.as_str()
            )),
            Some(_) => {}
        }
    }
    faults
}

/// The file itself: its digest, and that each signed word is the one that stands in it.
fn check_returned(
    signature: &Signature,
    decisions: &[&RecordedDecision],
    bytes: &[u8],
) -> Vec<String> {
    if hex_sha256(bytes) != signature.file_digest {
        return vec!["the kept file is not the one that was signed".to_owned()];
    }
    let file: ReturnedFile = match read_returned(bytes) {
        Ok(file) => file,
        Err(error) => return vec![format!("the kept file cannot be read: {error}")],
    };
    let mut rows: BTreeMap<String, Vec<&ReturnedRow>> = BTreeMap::new();
    for row in &file.rows {
        let key = row.cell(Column::Row).shown().trim().to_owned();
        rows.entry(key).or_default().push(row);
    }
    let recorded: BTreeMap<(&str, &str, DecisionWord), &RecordedDecision> =
        decisions.iter().map(|it| ((it.key.as_str(), it.digest.as_str(), it.word), *it)).collect();
    let mut faults = Vec::new();
    for signed in &signature.rows {
        let Some(rows) = rows.get(&signed.key) else {
            faults
                .push(format!("row {} is signed and does not stand in the kept file", signed.key));
            continue;
        };
        let decision = recorded.get(&(signed.key.as_str(), signed.digest.as_str(), signed.word));
        let said: Vec<Said> = rows.iter().map(|it| said_in(it)).collect();
        if !is_said(signed.word, decision.copied(), (&said, &file)) {
            let words: Vec<String> = said.iter().map(shown).collect();
            faults.push(format!(
                "row {}: the kept file says {}, the signature says {}",
                signed.key,
                words.join(" and "),
                signed.word.as_str()
            ));
        }
    }
    faults
}

/// What the decision cell of a row says, as a word for rows or for removal candidates: a tab of
/// removal candidates has their last known text.
fn said_in(row: &ReturnedRow) -> Said {
    let tab = if row.has(Column::LastKnown) { Tab::Removed } else { Tab::Decide };
    read_decision(row.cell(Column::Decision), tab)
}

/// True where the file says the word: in the row's own cell; or as the approval of a correction that
/// was offered back; or, for a row without a word, by the word for all accepted rows.
fn is_said(
    word: DecisionWord,
    decision: Option<&RecordedDecision>,
    (said, file): (&[Said], &ReturnedFile),
) -> bool {
    let has = |wanted: DecisionWord| said.contains(&Said::Word(wanted));
    let is_by_statement = decision.is_none_or(|it| it.by_statement)
        && word == DecisionWord::Approve
        && said.iter().all(|it| *it == Said::Nothing)
        && approves_all(&file.accepted_rows);
    has(word) || (word == DecisionWord::Correct && has(DecisionWord::Approve)) || is_by_statement
}

fn shown(said: &Said) -> String {
    match said {
        Said::Nothing => "nothing".to_owned(),
        Said::Word(word) => word.as_str().to_owned(),
        Said::Unknown(text) => format!("\u{201c}{text}\u{201d}"),
    }
}

/// What is wrong with an issue on file: its rows, their digests and tokens, and its own id.
pub fn check_issue(issued: &IssuedSheet) -> Vec<String> {
    let mut faults = Vec::new();
    for it in &issued.rows {
        let row: &RowRecord = it.matter.row();
        if row_digest(row) != it.digest || row.key != it.key {
            faults.push(format!("row {}: is not the row that was issued", it.key));
        } else if check_token(&issued.project, &it.key, &it.digest, it.tab) != it.token {
            faults.push(format!("row {}: its check token is not its own", it.key));
        } else if matches!(it.matter, Matter::Removal(_)) != (it.tab == Tab::Removed) {
            faults.push(format!("row {}: stands on the wrong tab", it.key));
        }
    }
    if file_id(&issued.facts, &issued.rows) != issued.file {
        faults.push(format!("its rows do not make up file {}", issued.file));
    }
    faults
}
