//! Extraction of one item as a pure function of its text and the recorded answers.
//!
//! ask -> gate -> one retry with the reasons -> gate. It holds no memory and answers nothing itself:
//! with the same answers it says the same thing, and a row it refuses is returned with the reasons.

use std::collections::BTreeSet;

use crate::ask::compose::{
    ComposeError, ItemView, Next, OpenAsk, Reader, Recall, extract_ask, retry_ask,
};
use crate::ask::reply::{ParsedExtract, parse_extract_reply};
use crate::gate::judge::judge_parsed;
use crate::gate::page::PageText;
use crate::gate::row::{GatedRow, Judgement};
use crate::gate::scope::Scope;
use crate::model::ask::{Answer, RetryReason};
use crate::model::claim::{Claim, Group};
use crate::model::finding::{Code, Verdict};

/// The item, the page it stands on, and who reads it.
#[derive(Clone, Copy, Debug)]
pub struct ItemInput<'a> {
    pub page: &'a PageText,
    pub scope: &'a Scope<'a>,
    pub view: &'a ItemView<'a>,
    pub reader: &'a Reader,
}

/// What extraction came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Extraction {
    /// The rows as the gate left them, refused ones included, and the item's ledger.
    pub judgement: Judgement,
    /// The groups that the rows name.
    pub groups: Vec<Group>,
    /// The last ask, which the rows answer.
    pub ask: String,
    /// Who answered.
    pub read_by: String,
    /// All asks of the step with an answer, in order.
    pub answered: Vec<String>,
}

/// Says what to ask next, or that extraction is done.
///
/// # Errors
/// When an ask cannot be written.
pub fn extract_item(
    input: &ItemInput<'_>,
    recall: Recall<'_>,
) -> Result<Next<Extraction>, ComposeError> {
    let first = extract_ask(input.view, input.reader)?;
    let Some(answer) = recall(&first.digest) else {
        return Ok(Next::Ask(Box::new(first)));
    };
    let parsed = parse_extract_reply(&answer.reply, &answer.finish);
    let judgement = judge_parsed(input.page, &parsed, input.scope);
    let reasons = retry_reasons(&parsed, &judgement);
    if reasons.is_empty() || parsed.is_refused {
        return Ok(Next::Done(done(judgement, &parsed, &first, (&answer, vec![]))));
    }
    let second = retry_ask(&first.ask, reasons)?;
    let Some(retried) = recall(&second.digest) else {
        return Ok(Next::Ask(Box::new(second)));
    };
    let mended = parse_extract_reply(&retried.reply, &retried.finish);
    let both = together(&parsed, &judgement, mended);
    let judgement = judge_parsed(input.page, &both, input.scope);
    Ok(Next::Done(done(judgement, &both, &second, (&retried, vec![first.digest]))))
}

fn done(
    judgement: Judgement,
    parsed: &ParsedExtract,
    last: &OpenAsk,
    (answer, mut answered): (&Answer, Vec<String>),
) -> Extraction {
    answered.push(last.digest.clone());
    Extraction {
        judgement,
        groups: parsed.reply.groups.clone(),
        ask: last.digest.clone(),
        read_by: answer.answered_by.clone(),
        answered,
    }
}

/// Everything a second try could mend: refused rows, unreadable rows, a cut or unreadable reply.
pub fn retry_reasons(parsed: &ParsedExtract, judgement: &Judgement) -> Vec<RetryReason> {
    let whole = |code: Code, detail: &str| RetryReason {
        row: String::new(),
        code: code.to_string(),
        detail: detail.to_owned(),
        stated: None,
    };
    let mut reasons = Vec::new();
    if let Some(why) = &parsed.unreadable {
        reasons.push(whole(Code::NoAnswer, why));
    } else if parsed.is_truncated {
        reasons.push(whole(
            Code::OutputTruncated,
            "The reply was cut. The rows before the cut are kept; state the rest.",
        ));
    }
    for row in &parsed.malformed {
        reasons.push(RetryReason { row: row.id.clone(), ..whole(Code::RowMalformed, &row.reason) });
    }
    for row in judgement.rows.iter().filter(|it| it.verdict() == Verdict::Fail) {
        if row.findings().iter().any(|it| it.code == Code::RowMalformed) {
            continue;
        }
        for finding in row.findings() {
            reasons.push(RetryReason {
                row: row.claim().id.clone(),
                code: finding.code.to_string(),
                detail: finding.detail.clone(),
                stated: Some(as_stated(row)),
            });
        }
    }
    reasons
}

fn as_stated(row: &GatedRow) -> Claim {
    Claim { snippet: row.stated_snippet().to_owned(), ..row.claim().clone() }
}

/// The rows that stood and that the second reply does not repeat, then those of the second reply; a
/// second reply that cannot be read leaves the refused rows as they were.
fn together(first: &ParsedExtract, judged: &Judgement, mended: ParsedExtract) -> ParsedExtract {
    if mended.unreadable.is_some() {
        return first.clone();
    }
    let content = |it: &Claim| {
        let unit = it.unit.clone().unwrap_or_default();
        (it.field.clone(), it.op, it.value.to_string(), unit, it.snippet.clone())
    };
    let repeated: BTreeSet<_> = mended.reply.rows.iter().map(content).collect();
    let stood: BTreeSet<&str> = judged
        .rows
        .iter()
        .filter(|it| it.verdict() != Verdict::Fail)
        .map(|it| it.claim().id.as_str())
        .collect();
    let mut both = mended;
    let mut rows: Vec<Claim> = first
        .reply
        .rows
        .iter()
        .filter(|it| stood.contains(it.id.as_str()) && !repeated.contains(&content(it)))
        .cloned()
        .collect();
    let taken: BTreeSet<String> = rows.iter().map(|it| it.id.clone()).collect();
    for mut row in std::mem::take(&mut both.reply.rows) {
        if taken.contains(&row.id) {
            row.id.push_str("-2");
        }
        rows.push(row);
    }
    both.reply.rows = rows;
    let mut groups = first.reply.groups.clone();
    groups.retain(|it| both.reply.groups.iter().all(|other| other.id != it.id));
    both.reply.groups.splice(0..0, groups);
    both.docs.clear();
    both
}
