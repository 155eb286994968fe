//! From judged rows to rows on record: where each stands, under which key, with which place.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::ask::canonical::hex_sha256;
use crate::extract::step::Extraction;
use crate::gate::row::GatedRow;
use crate::model::ask::ReviewWord;
use crate::model::claim::{Claim, groups_above};
use crate::model::finding::{Code, Finding, Verdict};
use crate::model::item::Item;
use crate::model::row::{ReviewNote, RowRecord, RowStatus};
use crate::pipeline::rounds::reading::ItemReading;
use crate::review::step::{Review, RowVerdict};
use crate::sheet::identity::clause_of;
use crate::text::blocks::unnumbered::{unnumbered, unnumbered_subject};
use crate::text::glyphs::fold::fold_script;

/// The page a row stands on.
#[derive(Clone, Copy, Debug)]
pub struct PageIdentity<'a> {
    pub source: &'a str,
    pub url: &'a str,
    pub title: &'a str,
    /// SHA-256 of the raw bytes.
    pub snapshot: &'a str,
    /// SHA-256 of the canonical text.
    pub text: &'a str,
    pub language: &'a str,
}

/// All rows of one item, accepted, flagged, dropped and merged, keys still without `~2`.
pub fn rows_of_item(page: PageIdentity<'_>, item: &Item, reading: &ItemReading) -> Vec<RowRecord> {
    let Extraction { judgement, ask, read_by, groups, .. } = &reading.extraction;
    let mut rows: Vec<RowRecord> = judgement
        .rows
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let verdict = reading.review.as_ref().and_then(|it| it.verdicts.get(at)?.as_ref());
            let (status, extra) = standing(row, reading.review.as_ref(), verdict, page.language);
            let note = reading.review.as_ref().zip(verdict).map(|(review, it)| note(review, it));
            let made = Made { status, extra, read_by, ask };
            let within = groups_above(row.claim().group.as_deref(), groups);
            RowRecord { review: note, within, ..record(page, item, row, made) }
        })
        .collect();
    if let Some(review) = &reading.review {
        rows.extend(review.missing.iter().map(|row| {
            let (status, extra) = standing_of_added(row, page.language);
            record(
                page,
                item,
                row,
                Made { status, extra, read_by: &review.reviewed_by, ask: &review.ask },
            )
        }));
    }
    show_rivals(&mut rows, judgement.rows.iter().map(GatedRow::claim));
    rows
}

/// The id of a rival row says nothing to a person: its quote stands in its place.
fn show_rivals<'a>(rows: &mut [RowRecord], claims: impl Iterator<Item = &'a Claim>) {
    let quotes: BTreeMap<&str, &str> =
        claims.map(|it| (it.id.as_str(), it.snippet.as_str())).collect();
    let findings = rows.iter_mut().flat_map(|it| &mut it.findings);
    for finding in findings.filter(|it| it.code == Code::Conflict) {
        if let Some(quote) = finding.evidence.as_deref().and_then(|id| quotes.get(id)) {
            finding.evidence = Some((*quote).to_owned());
        }
    }
}

/// Orders rows by place.
pub fn in_order(mut rows: Vec<RowRecord>) -> Vec<RowRecord> {
    rows.sort_by(|a, b| {
        let place =
            |it: &RowRecord| it.place.map_or((usize::MAX, 0), |p| (p.bytes.start, p.bytes.end));
        place(a)
            .cmp(&place(b))
            .then_with(|| a.item.cmp(&b.item))
            .then_with(|| a.claim.field.cmp(&b.claim.field))
            .then_with(|| a.key.cmp(&b.key))
            .then_with(|| a.status.cmp(&b.status))
    });
    rows
}

/// Orders rows that were just read and gives equal ones their `~2`, `~3`; a key in `taken` belongs
/// to a row that was carried and keeps it. One that stands under the very words of an earlier equal row has
/// that row's key, so that of two the one that went is named; `before`: those rows, live and candidates.
pub fn numbered<'r>(
    rows: Vec<RowRecord>,
    taken: &BTreeSet<&str>,
    before: impl Iterator<Item = &'r RowRecord>,
) -> Vec<RowRecord> {
    let mut rows = in_order(rows);
    let mut of_clause: BTreeMap<(&str, String), VecDeque<&str>> = BTreeMap::new();
    for row in before.filter(|it| !taken.contains(it.key.as_str())) {
        let clause = (base_of(&row.key), clause_of(row));
        of_clause.entry(clause).or_default().push_back(&row.key);
    }
    let mut given: Vec<Option<String>> = Vec::with_capacity(rows.len());
    for row in &rows {
        let same = of_clause.get_mut(&(row.key.as_str(), clause_of(row)));
        given.push(same.and_then(VecDeque::pop_front).map(str::to_owned));
    }
    let used: BTreeSet<String> = given.iter().flatten().cloned().collect();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (row, given) in rows.iter_mut().zip(given) {
        if let Some(key) = given {
            row.key = key;
            continue;
        }
        let count = seen.entry(row.key.clone()).or_default();
        row.key = loop {
            *count += 1;
            let key = if *count > 1 { format!("{}~{count}", row.key) } else { row.key.clone() };
            if !taken.contains(key.as_str()) && !used.contains(&key) {
                break key;
            }
        };
    }
    rows
}

/// A key without the `~2` of a second row of equal content.
fn base_of(key: &str) -> &str {
    key.split('~').next().unwrap_or(key)
}

struct Made<'a> {
    status: RowStatus,
    extra: Vec<Finding>,
    read_by: &'a str,
    ask: &'a str,
}

fn record(page: PageIdentity<'_>, item: &Item, row: &GatedRow, made: Made<'_>) -> RowRecord {
    let mut findings = row.findings().to_vec();
    findings.extend(made.extra);
    RowRecord {
        key: key(page, item, row),
        claim: row.claim().clone(),
        within: Vec::new(),
        source: page.source.to_owned(),
        page: page.url.to_owned(),
        page_title: page.title.to_owned(),
        item: item.key.clone(),
        heading_path: item.heading_path.clone(),
        snapshot: page.snapshot.to_owned(),
        text: page.text.to_owned(),
        place: row.place(),
        sentence: row.sentence().to_owned(),
        lead_in: row.lead_in().to_owned(),
        footnotes: row.footnotes().to_owned(),
        status: made.status,
        verdict: row.verdict(),
        findings,
        review: None,
        read_by: made.read_by.to_owned(),
        ask: made.ask.to_owned(),
    }
}

/// Source, page and content decide the key; item numbers, ids, groups and the order of a reply do
/// not, so a renumbered clause keeps its rows' keys. The quote counts without its looks.
fn key(page: PageIdentity<'_>, item: &Item, row: &GatedRow) -> String {
    let claim = row.claim();
    let heading = item.heading_path.last().map(String::as_str);
    let subject = unnumbered_subject(&claim.subject, heading);
    let snippet = fold_script(unnumbered(&claim.snippet));
    let parts = [
        page.source,
        page.url,
        &subject,
        &claim.field,
        claim.op.as_str(),
        &claim.value.to_string(),
        claim.unit.as_deref().unwrap_or_default(),
        snippet.as_str(),
    ];
    let digest = hex_sha256(parts.join("\u{1f}").as_bytes());
    format!("{}-{}", page.source, &digest[..12])
}

fn standing(
    row: &GatedRow,
    review: Option<&Review>,
    verdict: Option<&RowVerdict>,
    language: &str,
) -> (RowStatus, Vec<Finding>) {
    match row.verdict() {
        Verdict::Fail => return (RowStatus::Dropped, vec![]),
        Verdict::Merge => return (RowStatus::Merged, vec![]),
        Verdict::Pass | Verdict::Repair | Verdict::Flag => {}
    }
    let mut extra = Vec::new();
    match verdict {
        None if review.is_some_and(|it| it.watch.not_relied_on > 0) => extra.push(finding(
            Code::ReviewIncomplete,
            told(
                language,
                "The review of this section is not relied on: it confirmed a row that had been made \
                 false to test it, and did so again when asked once more.",
                "本段的審查不予採信：審查者核可了為測試而放入的錯誤資料列，再次詢問後仍未改正。",
            ),
        )),
        None if review.is_some() => extra.push(finding(
            Code::ReviewIncomplete,
            told(
                language,
                "The reviewer gave no usable verdict on this row.",
                "審查者未對本列作出可用的判定。",
            ),
        )),
        Some(it) if it.word != ReviewWord::Confirmed => {
            let said = match it.word {
                ReviewWord::Wrong => told(
                    language,
                    "The reviewer holds this row to be wrong: ",
                    "審查者認為本列有誤：",
                ),
                _ => told(
                    language,
                    "The reviewer is not sure of this row: ",
                    "審查者對本列沒有把握：",
                ),
            };
            extra.push(Finding {
                evidence: Some(it.snippet.clone()),
                ..finding(Code::ReviewerDisagrees, &format!("{said}{}", it.reason))
            });
        }
        _ => {}
    }
    let is_clear = row.is_clear() && extra.is_empty();
    (if is_clear { RowStatus::Accepted } else { RowStatus::Flagged }, extra)
}

/// A row that only the reviewer states was read once, not twice: a person decides.
fn standing_of_added(row: &GatedRow, language: &str) -> (RowStatus, Vec<Finding>) {
    match row.verdict() {
        Verdict::Fail => (RowStatus::Dropped, vec![]),
        Verdict::Merge => (RowStatus::Merged, vec![]),
        Verdict::Pass | Verdict::Repair | Verdict::Flag => (
            RowStatus::Flagged,
            vec![finding(
                Code::ReviewerAdded,
                told(language, "Only the reviewer states this row.", "僅審查者提出本列。"),
            )],
        ),
    }
}

fn note(review: &Review, verdict: &RowVerdict) -> ReviewNote {
    ReviewNote {
        word: verdict.word,
        reason: verdict.reason.clone(),
        snippet: verdict.snippet.clone(),
        corrected: verdict.corrected.clone(),
        reviewed_by: review.reviewed_by.clone(),
        ask: review.ask.clone(),
    }
}

fn finding(code: Code, detail: &str) -> Finding {
    Finding { code, detail: detail.to_owned(), place: None, evidence: None }
}

fn told<'a>(language: &str, english: &'a str, chinese: &'a str) -> &'a str {
    if language.starts_with("zh") { chinese } else { english }
}
