//! Counts and estimates in plain words, for a terminal.

use std::fmt::Write;

use crate::model::run::{Cost, Range, RowCounts, Touched};
use crate::pipeline::money::estimate::{Estimate, Three};
use crate::pipeline::run::RunReport;

/// The summary of a run in a few lines.
pub fn summary_words(report: &RunReport) -> String {
    let summary = &report.summary;
    let (pages, items, rows) = (&summary.pages, &summary.items, &summary.rows);
    let mut text = String::new();
    let _ = writeln!(text, "Run {}", summary.run);
    let _ = writeln!(
        text,
        "  pages      {} fetched, {} unchanged, {} failed, {} refused",
        pages.fetched, pages.unchanged, pages.failed, pages.refused
    );
    let _ = writeln!(
        text,
        "  items      {}: {} asked, {} from the record, {} carried, {} waiting",
        items.total, items.asked, items.done, items.carried, items.waiting
    );
    let changes = &summary.changes;
    if !summary.touched.is_empty() || changes.removed_candidates > 0 {
        let _ = writeln!(
            text,
            "  changes    {} new, {} changed, {} moved, {} no longer shown (a question, not a removal)",
            changes.new, changes.changed, changes.moved, changes.removed_candidates
        );
        for (count, ours) in [(changes.by_rule, "rules"), (changes.by_reader, "reader")] {
            if count > 0 {
                let _ = writeln!(
                    text,
                    "             {count} read again because our own {ours} changed, not the source"
                );
            }
        }
        let sum = |of: fn(&Touched) -> u64| summary.touched.iter().map(of).sum::<u64>();
        let _ = writeln!(
            text,
            "  touched    {} pages, {} rows ({} approved), {} groups",
            summary.touched.len(),
            sum(|it| it.rows),
            sum(|it| it.approved),
            sum(|it| it.groups)
        );
    }
    let _ = writeln!(
        text,
        "  asks       {} answered now, {} from the record",
        summary.asks.live, summary.asks.from_record
    );
    let batches = &summary.batches;
    if !batches.is_none() {
        let _ = writeln!(
            text,
            "  batches    {} asks handed in, {} waiting, {} taken in, {} open again",
            batches.handed_in, batches.waiting, batches.taken_in, batches.failed
        );
    }
    text.push_str(&rows_line(rows));
    let _ = writeln!(
        text,
        "  sentences  {} used, {} no condition, {} open",
        summary.ledger.used, summary.ledger.not_a_condition, summary.ledger.open
    );
    let readers: Vec<String> =
        summary.readers.iter().map(|(step, who)| format!("{step} {who}")).collect();
    let _ = writeln!(text, "  readers    {}", readers.join(", "));
    if !readers.is_empty() && summary.readers.values().all(|it| it.starts_with("rules")) {
        let _ = writeln!(text, "             no model was used: the built-in rules read the pages");
    }
    let watch = &summary.watch;
    if watch.shown > 0 {
        let _ = writeln!(
            text,
            "  reviewer   caught {} of {} rows made false to test it, confirmed {} of {} others; {} reviews asked \
             again, {} not relied on",
            watch.caught,
            watch.shown,
            watch.confirmed,
            watch.rows,
            watch.asked_again,
            watch.not_relied_on
        );
        if watch.confirms_nothing() {
            let _ = writeln!(
                text,
                "             it confirmed no row at all: what it catches says nothing of it"
            );
        }
        for (model, kinds) in &watch.models {
            let kinds: Vec<String> = kinds
                .iter()
                .map(|(kind, it)| format!("{kind} {} of {}", it.caught, it.shown))
                .collect();
            let _ = writeln!(text, "             {model}: {}", kinds.join(", "));
        }
    }
    text.push_str(&cost_words(&summary.cost));
    if let Some(sheet) = &summary.sheet {
        let _ = writeln!(text, "  sheet      {sheet}");
    }
    if let Some(report) = &summary.report {
        let _ = writeln!(text, "  report     {report}");
    }
    text
}

/// How rows stand, in one line.
pub fn rows_line(rows: &RowCounts) -> String {
    format!(
        "  rows       {} accepted, {} to decide, {} refused, {} merged\n",
        rows.accepted, rows.flagged, rows.dropped, rows.merged
    )
}

/// What a run cost, and where anything costs something, against what was estimated.
pub fn cost_words(cost: &Cost) -> String {
    let mut text = format!("  cost       {} {}", cost.actual, cost.currency);
    if !cost.sources.is_empty() {
        let Range { low, expected, high } = &cost.estimate;
        let _ = write!(text, ", estimated {low} / {expected} / {high}");
    }
    text.push('\n');
    for (source, steps) in &cost.sources {
        for (step, it) in steps {
            let Range { low, expected, high } = &it.estimate;
            let _ = writeln!(
                text,
                "             {source} {step}: {} for {} asks, estimated {low} / {expected} / {high}",
                it.actual, it.calls
            );
        }
    }
    text
}

/// An estimate in a few lines.
pub fn estimate_words(estimate: &Estimate) -> String {
    let three = |it: Three| format!("{} / {} / {}", it.low, it.expected, it.high);
    let mut text = String::new();
    let _ = writeln!(text, "Estimate (low / expected / high)");
    let _ =
        writeln!(text, "  items      {}, {} already answered", estimate.items, estimate.answered);
    let _ = writeln!(text, "  asks       {}", three(estimate.asks));
    let _ = writeln!(text, "  tokens in  {}", three(estimate.tokens_in));
    let _ = writeln!(text, "  tokens out {}", three(estimate.tokens_out));
    let _ = writeln!(text, "  seconds    {}", three(estimate.seconds));
    let _ = writeln!(
        text,
        "  cost       {} / {} / {} {}",
        estimate.money.low, estimate.money.expected, estimate.money.high, estimate.currency
    );
    if let Some(batch) = estimate.batch_money.as_ref().filter(|it| it.high != "0") {
        let _ = writeln!(
            text,
            "  in batches {} / {} / {} {}",
            batch.low, batch.expected, batch.high, estimate.currency
        );
    }
    for it in estimate.steps.iter().filter(|it| it.money.high != "0") {
        let _ = writeln!(
            text,
            "             {} {} ({}): {} asks, {} / {} / {}",
            it.source,
            it.step,
            it.model,
            three(it.asks),
            it.money.low,
            it.money.expected,
            it.money.high
        );
    }
    for line in &estimate.assumptions {
        let _ = writeln!(text, "  - {line}");
    }
    text
}
