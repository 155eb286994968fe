//! What the client has to see of a run: everything, or only what is new since the last one.

use std::collections::BTreeSet;

use crate::change::reason::{changed_above, changed_footnotes, changed_wording, changed_words};
use crate::model::decision::DecisionWord;
use crate::model::row::RowRecord;
use crate::model::run::ChangeCause;
use crate::model::sheet::ChangedPair;
use crate::pipeline::page::candidate::reads_chinese;
use crate::pipeline::page::end::PageEnd;
use crate::pipeline::papers::paper::PagePaper;
use crate::pipeline::papers::unshown::Unshown;
use crate::sheet::answered::Answered;
use crate::sheet::identity::{shown_above, words_above};

/// The rows and pages of a run's papers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct News {
    pub rows: Vec<RowRecord>,
    pub pages: Vec<PagePaper>,
    pub changed: Vec<ChangedPair>,
    /// For the sheet of an update: keys of the rows and questions that are new to the client. The
    /// others of these pages stand in the report alone.
    pub fresh: Option<BTreeSet<String>>,
}

impl News {
    /// All rows on record.
    pub fn everything(rows: Vec<RowRecord>, pages: Vec<PagePaper>) -> Self {
        Self { rows, pages, changed: Vec::new(), fresh: None }
    }

    /// True where a row or question is new to the client: a page that changed outside every condition
    /// is told in the report alone.
    pub fn is_for_client(&self) -> bool {
        self.fresh.as_ref().is_none_or(|it| !it.is_empty()) || !self.changed.is_empty()
    }

    /// The rows of pages that were read in this run, or by one that left no papers, and the pairs of old
    /// and new. Pairs in which what was extracted differs come first.
    pub fn of_pages(
        (rows, pages): (Vec<RowRecord>, Vec<PagePaper>),
        ends: &[PageEnd],
        unshown: &Unshown,
        decided: &Answered,
    ) -> Self {
        if unshown.is_all {
            return Self::everything(rows, pages);
        }
        let news = || {
            ends.iter().filter_map(|end| match end {
                PageEnd::Done { news, .. } => Some((end.url(), news)),
                _ => None,
            })
        };
        let read: BTreeSet<&str> = news().map(|it| it.0).chain(unshown.urls()).collect();
        let mut pairs: Vec<(ChangeCause, RowRecord, RowRecord)> = Vec::new();
        let earlier = unshown.news().map(|it| (it.cause, &it.changed));
        let today = news().map(|(_, it)| (it.cause, &it.changed));
        for (cause, changed) in earlier.chain(today) {
            for (old, new) in changed {
                // Who was never shown what stood in between is shown what stood before it.
                let between = pairs.iter().position(|it| it.2.key == old.key);
                let old = between.map_or_else(|| old.clone(), |at| pairs.remove(at).1);
                pairs.push((cause, old, new.clone()));
            }
        }
        let fresh: BTreeSet<String> = (unshown.news().map(|it| &it.fresh))
            .chain(news().map(|(_, it)| &it.fresh))
            .flatten()
            .cloned()
            .collect();
        let rows: Vec<RowRecord> =
            rows.into_iter().filter(|it| read.contains(it.page.as_str())).collect();
        let stands: BTreeSet<&str> = rows.iter().map(|it| it.key.as_str()).collect();
        let changed = pairs
            .iter()
            .filter(|it| stands.contains(it.2.key.as_str()))
            .map(|(cause, old, new)| changed_pair(*cause, (old, new), decided))
            .collect();
        let pages = pages.into_iter().filter(|it| read.contains(it.url.as_str())).collect();
        Self { changed, pages, fresh: Some(fresh), rows }
    }
}

/// Signed rows that are others now or stand under other words: what was agreed to is no more what the
/// page says, so somebody has to see them.
pub fn ended_sign_offs(ends: &[PageEnd], unshown: &Unshown, decided: &Answered) -> u64 {
    let today = ends.iter().filter_map(|end| match end {
        PageEnd::Done { news, .. } => Some(&news.changed),
        _ => None,
    });
    let pairs = unshown.news().map(|it| &it.changed).chain(today).flatten();
    let ended = pairs.filter(|(old, new)| {
        approved_on(old, decided).is_some() && approved_on(new, decided).is_none()
    });
    let keys: BTreeSet<&str> = ended.map(|(old, _)| old.key.as_str()).collect();
    keys.len() as u64
}

/// The line on them for the operator, where there are any.
pub fn ended_words(count: u64) -> Option<String> {
    let words = "sign-offs ended: their rows are others now, or stand under other words, and are open again";
    (count > 0).then(|| format!("{count} {words}"))
}

/// The day on which this very content of a row was approved or corrected, if the last word on it says so.
fn approved_on<'d>(row: &RowRecord, decided: &'d Answered) -> Option<&'d str> {
    let decision = decided.on(row, false)?;
    let is_approval = matches!(decision.word, DecisionWord::Approve | DecisionWord::Correct);
    is_approval.then(|| decision.signed_at.get(..10).unwrap_or(&decision.signed_at))
}

fn changed_pair(
    cause: ChangeCause,
    (old, new): (&RowRecord, &RowRecord),
    decided: &Answered,
) -> ChangedPair {
    let reads_chinese = reads_chinese(new);
    let language = if reads_chinese { "zh" } else { "en" };
    let mut reasons: Vec<String> =
        changed_words(&old.claim, &new.claim, language).into_iter().collect();
    if reasons.is_empty() && old.sentence != new.sentence {
        reasons.push(changed_wording((&old.sentence, &new.sentence), language));
    }
    let (was, is) = (words_above(old), words_above(new));
    if was != is {
        reasons.push(changed_above((&shown_above(old), &shown_above(new)), language));
    }
    if old.footnotes != new.footnotes {
        reasons.push(changed_footnotes((&old.footnotes, &new.footnotes), language));
    }
    if reasons.is_empty() {
        reasons.push(changed_wording((&old.claim.snippet, &new.claim.snippet), language));
    }
    let mut reason = reasons.join(if reads_chinese { "" } else { " " });
    let ours = match cause {
        ChangeCause::Source => ["", ""],
        ChangeCause::Rules => [
            " (Our own rules changed, not the source.)",
            "（原因是我方的規則改變，並非來源改變。）",
        ],
        ChangeCause::Reader => [
            " (Our own reader changed, not the source.)",
            "（原因是我方的讀取方式改變，並非來源改變。）",
        ],
    };
    reason.push_str(ours[usize::from(reads_chinese)]);
    let approvals = [(approved_on(old, decided), false), (approved_on(new, decided), true)];
    for (day, is_back) in approvals.into_iter().filter_map(|(day, it)| Some((day?, it))) {
        reason.push_str(&match (is_back, reads_chinese) {
            (false, false) => format!(" The earlier row was approved on {day}."),
            (false, true) => format!("先前的資料列曾於 {day} 經核准。"),
            (true, false) => format!(
                " The page shows again what it showed before: this row was approved on {day}, and that approval is offered again."
            ),
            (true, true) => {
                format!("網頁恢復為先前的內容：本列曾於 {day} 經核准，可沿用該核准。")
            }
        });
    }
    ChangedPair { old: old.clone(), new: new.clone(), reason }
}
