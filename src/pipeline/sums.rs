//! Everything adds up or the run fails.

use std::collections::BTreeMap;

use crate::model::run::RunSummary;
use crate::model::snapshot::CrawlRecord;
use crate::pipeline::page::end::PageEnd;
use crate::pipeline::page::state::PageTally;

/// The counts of a run while it goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSums {
    summary: RunSummary,
    editions: Vec<String>,
    /// Pages of the crawls, whatever became of them.
    pages_in: u64,
    /// Rows that came in from both passes.
    rows_in: u64,
    /// Items of all pages of the editions.
    items_in: u64,
}

/// Counts that do not add up: something was lost or counted twice.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} do not add up: {went_in} went in, {came_out} came out; nothing of this run is to be relied on"
)]
pub struct SumsDiffer {
    pub what: &'static str,
    pub went_in: u64,
    pub came_out: u64,
}

impl RunSums {
    /// Adds one source's crawl; one that is taken from the record counts as unchanged.
    pub fn take_crawl(&mut self, source: &str, record: &CrawlRecord, is_fresh: bool) {
        self.editions.push(format!("{source}@{}", record.edition));
        if !is_fresh {
            self.pages_in += record.documents;
            self.summary.pages.unchanged += record.documents;
            return;
        }
        self.pages_in += record.pages.len() as u64;
        let (sum, counts) = (&mut self.summary.pages, record.counts);
        sum.fetched += counts.fetched;
        sum.unchanged += counts.unchanged;
        sum.failed += counts.failed;
        sum.refused += counts.refused;
    }

    /// Adds one page's end; `source` is the id of its source.
    pub fn take_page(&mut self, end: &PageEnd, source: &str) {
        if let PageEnd::Carried { tally, .. } | PageEnd::Done { tally, .. } = end {
            let readers = self.summary.extracted.entry(source.to_owned()).or_default();
            for (reader, counts) in &tally.extracted {
                readers.entry(reader.clone()).or_default().add(*counts);
            }
        }
        let items = &mut self.summary.items;
        match end {
            PageEnd::Carried { tally, .. } => {
                items.total += tally.items;
                items.carried += tally.items;
                self.items_in += tally.items;
                self.summary.changes.unchanged += tally.items;
                self.take_tally(tally);
            }
            PageEnd::Done { tally, asks, news, .. } => {
                items.total += tally.items;
                items.done += tally.items.saturating_sub(tally.carried_items + news.asked_items);
                items.carried += tally.carried_items;
                items.asked += news.asked_items;
                self.items_in += tally.items;
                let (sum, found) = (&mut self.summary.changes, news.changes);
                sum.new += found.new;
                sum.changed += found.changed;
                sum.removed_candidates += found.removed_candidates;
                sum.unchanged += found.unchanged;
                sum.moved += found.moved;
                sum.by_rule += found.by_rule;
                sum.by_reader += found.by_reader;
                self.summary.asks.live += asks.live;
                self.summary.asks.from_record += asks.from_record;
                self.summary.watch.add(&tally.watch);
                self.take_tally(tally);
            }
            PageEnd::Waits { items: all, done, asks, tally, .. } => {
                items.total += all;
                items.done += done;
                items.waiting += asks.len() as u64;
                items.asked += asks.len() as u64;
                self.items_in += all;
                self.summary.asks.live += tally.live;
                self.summary.asks.from_record += tally.from_record;
            }
            PageEnd::Unread { .. } => {}
        }
    }

    /// The object that the run ends with.
    pub fn summary(&self, run: &str, readers: BTreeMap<String, String>) -> RunSummary {
        RunSummary {
            run: run.to_owned(),
            edition: self.editions.join(" "),
            readers,
            ..self.summary.clone()
        }
    }

    fn take_tally(&mut self, tally: &PageTally) {
        self.rows_in += tally.rows_in;
        let rows = &mut self.summary.rows;
        rows.accepted += tally.rows.accepted;
        rows.flagged += tally.rows.flagged;
        rows.dropped += tally.rows.dropped;
        rows.merged += tally.rows.merged;
        let sentences = &mut self.summary.ledger;
        sentences.used += tally.sentences.used;
        sentences.not_a_condition += tally.sentences.not_a_condition;
        sentences.open += tally.sentences.open;
        for (code, count) in &tally.findings {
            *self.summary.findings.entry(code.clone()).or_default() += count;
        }
        if tally.omissions > 0 {
            let code = crate::model::finding::Code::Omission.to_string();
            *self.summary.findings.entry(code).or_default() += tally.omissions;
        }
    }
}

/// Proves the equations of the design for a run.
///
/// # Errors
/// The first equation that does not hold.
pub fn check_sums(sums: &RunSums) -> Result<(), SumsDiffer> {
    let summary = &sums.summary;
    let equal = |what, went_in, came_out| {
        if went_in == came_out { Ok(()) } else { Err(SumsDiffer { what, went_in, came_out }) }
    };
    let pages = summary.pages;
    equal("pages", sums.pages_in, pages.fetched + pages.unchanged + pages.failed + pages.refused)?;
    let items = summary.items;
    equal("items", sums.items_in, items.carried + items.done + items.asked)?;
    let rows = summary.rows;
    equal("rows", sums.rows_in, rows.accepted + rows.flagged + rows.dropped + rows.merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::run::RowCounts;

    #[test]
    fn a_lost_row_fails_the_run() {
        let mut sums = RunSums::default();
        let tally = PageTally {
            items: 1,
            rows_in: 3,
            rows: RowCounts { accepted: 1, flagged: 1, dropped: 0, merged: 0 },
            ..PageTally::default()
        };
        let url = "https://a.example/頁".to_owned();
        sums.take_page(&PageEnd::Carried { source: 0, url, tally }, "甲");
        assert_eq!(check_sums(&sums), Err(SumsDiffer { what: "rows", went_in: 3, came_out: 2 }));
    }
}
