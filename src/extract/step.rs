//! Extraction of one item as a pure function of its text and the recorded answers.
//!
//! ask -> gate -> one retry with the reasons -> gate. It holds no memory and answers nothing itself:
//! with the same answers it says the same thing, and a row it refuses is returned with the reasons.

use std::collections::BTreeSet;

use crate::ask::compose::{
    ComposeError, ItemView, Moved, Next, OpenAsk, Reader, Recall, extract_ask, retry_ask,
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
    let mut at = Extracting::begin(*input)?;
    while let Some(answer) = recall(&at.open.digest) {
        match at.answered(&answer)? {
            Moved::Asks(next) => at = next,
            Moved::Done(extraction) => return Ok(Next::Done(extraction)),
        }
    }
    Ok(Next::Ask(Box::new(at.open)))
}

/// The extraction of one item between two answers: what [`extract_item`] would find again from the
/// start, kept so that nothing is judged twice while somebody answers.
#[derive(Clone, Debug)]
pub struct Extracting<'a> {
    input: ItemInput<'a>,
    open: OpenAsk,
    /// The first reply as judged, once the retry is asked.
    first: Option<FirstReply>,
}

#[derive(Clone, Debug)]
struct FirstReply {
    parsed: ParsedExtract,
    judgement: Judgement,
    ask: String,
}

impl<'a> Extracting<'a> {
    /// Begins with the item's first ask.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(input: ItemInput<'a>) -> Result<Self, ComposeError> {
        Ok(Self { input, open: extract_ask(input.view, input.reader)?, first: None })
    }

    /// The ask that has to be answered next.
    pub fn open(&self) -> &OpenAsk {
        &self.open
    }

    /// Goes on with the answer to the open ask.
    ///
    /// # Errors
    /// When the next ask cannot be written.
    pub fn answered(self, answer: &Answer) -> Result<Moved<Self, Extraction>, ComposeError> {
        let Self { input, open, first } = self;
        let parsed = parse_extract_reply(&answer.reply, &answer.finish);
        if let Some(first) = first {
            let both = together(&first.parsed, &first.judgement, parsed);
            let judgement = judge_parsed(input.page, &both, input.scope);
            return Ok(Moved::Done(done(judgement, &both, &open, (answer, vec![first.ask]))));
        }
        let judgement = judge_parsed(input.page, &parsed, input.scope);
        let reasons = retry_reasons(&parsed, &judgement, input.view.language);
        if reasons.is_empty() || parsed.is_refused || input.reader.id.answers_alike() {
            return Ok(Moved::Done(done(judgement, &parsed, &open, (answer, vec![]))));
        }
        let second = retry_ask(&open.ask, reasons)?;
        let first = Some(FirstReply { parsed, judgement, ask: open.digest });
        Ok(Moved::Asks(Self { input, open: second, first }))
    }
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
///
/// In the language of the item, as far as they are our own words.
pub fn retry_reasons(
    parsed: &ParsedExtract,
    judgement: &Judgement,
    language: &str,
) -> Vec<RetryReason> {
    let say = |english: String, chinese: String| {
        if language.starts_with("zh") { chinese } else { english }
    };
    let whole = |code: Code, detail: String| RetryReason {
        row: String::new(),
        code: code.to_string(),
        detail,
        stated: None,
    };
    let mut reasons = Vec::new();
    if let Some(why) = &parsed.unreadable {
        let detail = say(
            format!("The reply could not be read: {why}. Reply with the JSON object alone."),
            format!("答覆無法讀取（{why}）。請只回 JSON 物件。"),
        );
        reasons.push(whole(Code::NoAnswer, detail));
    } else if parsed.is_truncated {
        let detail = say(
            "The reply was cut. The rows before the cut are kept; state the rest.".to_owned(),
            "答覆被截斷。截斷之前的資料列已保留，請寫出其餘的。".to_owned(),
        );
        reasons.push(whole(Code::OutputTruncated, detail));
    }
    for row in &parsed.malformed {
        let detail = say(row.reason.clone(), format!("這一列無法讀取：{}", row.reason));
        reasons.push(RetryReason { row: row.id.clone(), ..whole(Code::RowMalformed, detail) });
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
