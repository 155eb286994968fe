//! Review of one item's rows as a pure function of the rows and the recorded answers.
//!
//! The reviewer is shown the item's own text and the rows with their snippets, nothing retold. One
//! verdict for each row, each with its own quote from the item; anything less is asked again once,
//! and what is still missing then sends the row to a person. Among the rows are some that are known to
//! be false: a review that confirms one is asked again once, and then nothing of it is relied on. A
//! review never makes a row better than the gate left it.

use std::collections::BTreeMap;

use crate::ask::compose::{
    ComposeError, ItemView, Moved, Next, OpenAsk, Reader, Recall, retry_ask, review_ask,
};
use crate::ask::reply::{ParsedExtract, ParsedReview, parse_review_reply};
use crate::gate::judge::judge_parsed;
use crate::gate::page::PageText;
use crate::gate::row::{GatedRow, Judgement};
use crate::gate::scope::Scope;
use crate::model::ask::{Answer, ExtractReply, RetryReason, ReviewVerdict, ReviewWord};
use crate::model::claim::{Claim, Group};
use crate::model::finding::{Code, Verdict};
use crate::model::run::WatchCounts;
use crate::review::decoy::{Shown, mix_in};

/// The item, the page it stands on, and who reviews.
#[derive(Clone, Copy, Debug)]
pub struct ReviewInput<'a> {
    pub page: &'a PageText,
    pub scope: &'a Scope<'a>,
    pub view: &'a ItemView<'a>,
    pub reviewer: &'a Reader,
    /// The rows of the first pass, as the gate left them; refused ones are not shown.
    pub rows: &'a [GatedRow],
    pub groups: &'a [Group],
}

/// What a review came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// For each row of the input, by its place: the reviewer's word, or `None` where there was no
    /// usable one. Rows that were not shown have none either.
    pub verdicts: Vec<Option<RowVerdict>>,
    /// Rows that only the reviewer states, as the gate left them.
    pub missing: Vec<GatedRow>,
    /// The gate's word on the page with the rows of both passes.
    pub judgement: Judgement,
    /// The last review ask.
    pub ask: String,
    pub reviewed_by: String,
    /// How the reviewer did with the false rows. Where it is not relied on, no row has a verdict.
    pub watch: WatchCounts,
    /// All asks of the step with an answer, in order.
    pub answered: Vec<String>,
}

/// The reviewer's word on one row, with its quote in the page's own bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowVerdict {
    pub word: ReviewWord,
    pub reason: String,
    pub snippet: String,
    /// The row as the reviewer would state it, where that clears the gate.
    pub corrected: Option<Claim>,
}

/// Says what to ask next, or that the review is done.
///
/// # Errors
/// When an ask cannot be written.
pub fn review_item(
    input: &ReviewInput<'_>,
    recall: Recall<'_>,
) -> Result<Next<Review>, ComposeError> {
    let mut at = Reviewing::begin(*input)?;
    while let Some(answer) = recall(&at.open.digest) {
        match at.answered(&answer)? {
            Moved::Asks(next) => at = next,
            Moved::Done(review) => return Ok(Next::Done(review)),
        }
    }
    Ok(Next::Ask(Box::new(at.open)))
}

/// The review of one item between two answers: what [`review_item`] would find again from the start,
/// kept so that nothing is judged, and no false row made, twice while somebody answers.
pub struct Reviewing<'a> {
    input: ReviewInput<'a>,
    shown: Vec<Shown>,
    open: OpenAsk,
    /// What the first reply says and its ask, once the retry is asked.
    first: Option<(ReadReview, String)>,
}

impl<'a> Reviewing<'a> {
    /// Begins with the item's first review ask.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(input: ReviewInput<'a>) -> Result<Self, ComposeError> {
        let place = (input.page, input.view.text);
        let shown = mix_in(&shown_rows(input.rows), input.groups, place, input.scope);
        let claims: Vec<Claim> = shown.iter().map(|it| it.claim.clone()).collect();
        let open = review_ask(input.view, input.reviewer, claims)?;
        Ok(Self { input, shown, open, first: None })
    }

    /// The ask that has to be answered next.
    pub fn open(&self) -> &OpenAsk {
        &self.open
    }

    /// Goes on with the answer to the open ask.
    ///
    /// # Errors
    /// When the next ask cannot be written.
    pub fn answered(self, answer: &Answer) -> Result<Moved<Self, Review>, ComposeError> {
        let Self { input, shown, open, first } = self;
        let by = answer.answered_by.clone();
        let parsed = parse_review_reply(&answer.reply, &answer.finish);
        let read = read_review(&input, &shown, &parsed, &by);
        if let Some((first, ask)) = first {
            return Ok(Moved::Done(done(&input, together(first, read), &open, by, vec![ask])));
        }
        let reasons = retry_reasons(&shown, &parsed, &read, input.view.language);
        if reasons.is_empty() || parsed.is_refused || input.reviewer.id.answers_alike() {
            return Ok(Moved::Done(done(&input, alone(read), &open, by, vec![])));
        }
        let second = retry_ask(&open.ask, reasons)?;
        Ok(Moved::Asks(Self { input, shown, open: second, first: Some((read, open.digest)) }))
    }
}

/// The rows a reviewer is shown, with their place in the input.
fn shown_rows(rows: &[GatedRow]) -> Vec<(usize, Claim)> {
    rows.iter()
        .enumerate()
        .filter(|(_, row)| !matches!(row.verdict(), Verdict::Fail | Verdict::Merge))
        .map(|(at, row)| (at, row.claim().clone()))
        .collect()
}

/// What one reply says, as far as it holds.
struct ReadReview {
    /// By place in the input.
    verdicts: BTreeMap<usize, RowVerdict>,
    /// Ids of rows whose verdict cannot be used, with the reason a retry gets.
    unusable: BTreeMap<String, (Code, Said)>,
    watch: WatchCounts,
    missing: Vec<GatedRow>,
    judgement: Judgement,
}

fn read_review(
    input: &ReviewInput<'_>,
    shown: &[Shown],
    parsed: &ParsedReview,
    reviewer: &str,
) -> ReadReview {
    let mut by_id: BTreeMap<&str, Vec<&ReviewVerdict>> = BTreeMap::new();
    for verdict in &parsed.reply.verdicts {
        by_id.entry(verdict.id.as_str()).or_default().push(verdict);
    }
    let (mut verdicts, mut unusable) = (BTreeMap::new(), BTreeMap::new());
    let is_watched = shown.iter().any(|it| it.falsehood.is_some());
    let mut watch = WatchCounts {
        unwatched: u64::from(!is_watched && !shown.is_empty()),
        ..WatchCounts::default()
    };
    for row in shown {
        let given = by_id.get(row.claim.id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let read = match given {
            [only] => Ok(*only),
            [] => Err(NO_VERDICT),
            [_, ..] => Err(TWO_VERDICTS),
        };
        if let Some(falsehood) = row.falsehood {
            let is_confirmed = given.iter().any(|it| it.verdict == ReviewWord::Confirmed);
            watch.note(reviewer, falsehood.as_str(), !given.is_empty() && !is_confirmed);
            watch.asked_again |= u64::from(is_confirmed);
        } else {
            let is_confirmed = read.is_ok_and(|it| it.verdict == ReviewWord::Confirmed);
            watch.rows += 1;
            watch.confirmed += u64::from(is_confirmed);
        }
        match read.map_err(|why| (Code::ReviewIncomplete, why)) {
            Err(why) => {
                unusable.insert(row.claim.id.clone(), why);
            }
            Ok(stated) => {
                // What a false row is held to be wrong by is of no use to anybody.
                let Some(at) = row.place else { continue };
                match read_verdict(input, stated) {
                    Ok(verdict) => {
                        verdicts.insert(at, verdict);
                    }
                    Err(why) => {
                        unusable.insert(row.claim.id.clone(), why);
                    }
                }
            }
        }
    }
    let (missing, judgement) = judge_missing(input, &parsed.reply.missing);
    ReadReview { verdicts, unusable, watch, missing, judgement }
}

fn read_verdict(
    input: &ReviewInput<'_>,
    stated: &ReviewVerdict,
) -> Result<RowVerdict, (Code, Said)> {
    if stated.word_needs_reason() && stated.reason.trim().is_empty() {
        return Err((Code::ReviewIncomplete, NO_REASON));
    }
    let place = input
        .page
        .find(&stated.snippet)
        .into_iter()
        .find(|it| input.scope.span.is_none_or(|span| span.contains(it.span)));
    let Some(place) = place else {
        return Err((Code::SnippetAbsent, NO_QUOTE));
    };
    let corrected = stated.corrected.clone().filter(|claim| {
        let alone = ExtractReply { rows: vec![claim.clone()], groups: input.groups.to_vec() };
        let judged = judge_parsed(input.page, &ParsedExtract::from(alone), input.scope);
        judged.rows.iter().all(GatedRow::is_clear)
    });
    Ok(RowVerdict {
        word: stated.verdict,
        reason: stated.reason.trim().to_owned(),
        snippet: input.page.slice(place.span).to_owned(),
        corrected,
    })
}

/// Judges the reviewer's own rows beside those of the first pass, so that a row that is there
/// already is merged and not found a second time.
fn judge_missing(input: &ReviewInput<'_>, missing: &[Claim]) -> (Vec<GatedRow>, Judgement) {
    let kept = input.rows.iter().filter(|it| it.verdict() != Verdict::Fail);
    let mut rows: Vec<Claim> = kept.map(|it| it.claim().clone()).collect();
    let first = rows.len();
    rows.extend(
        missing
            .iter()
            .enumerate()
            .map(|(at, claim)| Claim { id: format!("m{}", at + 1), ..claim.clone() }),
    );
    let reply = ExtractReply { rows, groups: input.groups.to_vec() };
    let judgement = judge_parsed(input.page, &ParsedExtract::from(reply), input.scope);
    let found = judgement.rows.get(first..).unwrap_or_default().to_vec();
    (found, judgement)
}

fn retry_reasons(
    shown: &[Shown],
    parsed: &ParsedReview,
    read: &ReadReview,
    language: &str,
) -> Vec<RetryReason> {
    let say = |pair: [&str; 2]| pair[usize::from(language.starts_with("zh"))].to_owned();
    let mut reasons = Vec::new();
    let whole = |code: Code, detail: String| RetryReason {
        row: String::new(),
        code: code.to_string(),
        detail,
        stated: None,
    };
    if let Some(why) = &parsed.unreadable {
        let detail = say(["The reply could not be read", "答覆無法讀取"]);
        reasons.push(whole(Code::NoAnswer, format!("{detail} ({why})")));
    } else if parsed.is_truncated {
        let detail = say(["The reply was cut.", "答覆被截斷。"]);
        reasons.push(whole(Code::OutputTruncated, detail));
    }
    if read.watch.asked_again > 0 {
        // It is not said which: that would answer the question.
        reasons.push(whole(Code::ReviewIncomplete, say(CONFIRMED_A_FALSE_ONE)));
    }
    for id in shown.iter().map(|it| &it.claim.id) {
        if let Some((code, why)) = read.unusable.get(id) {
            reasons.push(RetryReason { row: id.clone(), ..whole(*code, say(*why)) });
        }
    }
    for row in read.missing.iter().filter(|it| it.verdict() == Verdict::Fail) {
        for finding in row.findings() {
            reasons.push(RetryReason {
                row: row.claim().id.clone(),
                stated: Some(row.claim().clone()),
                ..whole(finding.code, finding.detail.clone())
            });
        }
    }
    reasons
}

/// A sentence in English and in Chinese.
type Said = [&'static str; 2];

const CONFIRMED_A_FALSE_ONE: Said = [
    "A row was confirmed that the text does not bear out. Go through every row again, word by word and \
     number by number, against the text.",
    "有一列與文字不符，卻被判定為 confirmed。請把每一列逐字、逐個數字對照文字，全部重看一遍。",
];
const NO_VERDICT: Said = [
    "There is no verdict for this row; every row gets exactly one.",
    "本列沒有結論；每一列都要有一個結論。",
];
const TWO_VERDICTS: Said = [
    "There is more than one verdict for this row; give exactly one.",
    "本列有不只一個結論；只能有一個。",
];
const NO_REASON: Said = [
    "A verdict other than `confirmed` needs its reason in one sentence.",
    "`confirmed` 以外的結論要用一句話說明理由。",
];
const NO_QUOTE: Said = [
    "The verdict's own quote is not an exact slice of the item's text.",
    "結論自己的引文不是段落文字中一字不差的一段。",
];

/// A reply that stands alone, since asking again would change nothing.
fn alone(read: ReadReview) -> ReadReview {
    if read.watch.asked_again == 0 {
        return read;
    }
    let watch = WatchCounts { asked_again: 0, not_relied_on: 1, ..read.watch };
    ReadReview { verdicts: BTreeMap::new(), watch, ..read }
}

/// The second reply mends the first: its usable verdicts fill what was missing, and its rows stand
/// in for those that were refused.
fn together(first: ReadReview, second: ReadReview) -> ReadReview {
    let (verdicts, watch) =
        relied_on((first.verdicts, first.watch), (second.verdicts, second.watch));
    let mut missing: Vec<GatedRow> =
        first.missing.into_iter().filter(|it| it.verdict() != Verdict::Fail).collect();
    for row in second.missing {
        let is_known = missing.iter().any(|it| {
            (&it.claim().field, &it.claim().value, it.place())
                == (&row.claim().field, &row.claim().value, row.place())
        });
        if !is_known {
            missing.push(row);
        }
    }
    ReadReview { verdicts, watch, missing, unusable: second.unusable, judgement: second.judgement }
}

type Watched = (BTreeMap<usize, RowVerdict>, WatchCounts);

/// The verdicts of the replies that confirmed no false row.
fn relied_on(first: Watched, second: Watched) -> Watched {
    let (first_failed, second_failed) = (first.1.asked_again > 0, second.1.asked_again > 0);
    // After a confirmed false row only a reply that catches them all stands in.
    let is_mended = !second_failed && second.1.caught == second.1.shown;
    let mut verdicts = BTreeMap::new();
    if !second_failed && (!first_failed || is_mended) {
        verdicts.extend(second.0);
    }
    if !first_failed {
        verdicts.extend(first.0);
    }
    let mut watch = first.1;
    let unwatched = watch.unwatched;
    watch.add(&second.1);
    watch.unwatched = unwatched;
    watch.asked_again = u64::from(first_failed);
    watch.not_relied_on = u64::from(first_failed && !is_mended);
    (verdicts, watch)
}

fn done(
    input: &ReviewInput<'_>,
    mut read: ReadReview,
    last: &OpenAsk,
    reviewed_by: String,
    mut answered: Vec<String>,
) -> Review {
    answered.push(last.digest.clone());
    Review {
        verdicts: (0..input.rows.len()).map(|at| read.verdicts.remove(&at)).collect(),
        missing: read.missing,
        judgement: read.judgement,
        watch: read.watch,
        ask: last.digest.clone(),
        reviewed_by,
        answered,
    }
}
