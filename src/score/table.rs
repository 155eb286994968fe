//! The score as a table for people.

use std::fmt::Write as _;

use crate::score::tally::{Counts, Score, share};

/// The score in plain text: all rows, then by language, by field and by page.
pub fn render_score(score: &Score) -> String {
    let mut out = String::new();
    let head = [
        "",
        "labels",
        "rows",
        "located",
        "precision",
        "recall",
        "F1",
        "value",
        "op",
        "unit",
        "join",
        "force",
        "field",
        "accepted",
        "wrong",
        "flagged",
    ];
    line(&mut out, &head.map(str::to_owned));
    counts_line(&mut out, "all", &score.all);
    for (name, counts) in &score.by_language {
        counts_line(&mut out, name, counts);
    }
    for (title, slices) in [("by field", &score.by_field), ("by page", &score.by_page)] {
        let _ = writeln!(out, "{title}");
        for (name, counts) in slices {
            counts_line(&mut out, name, counts);
        }
    }
    let _ = writeln!(
        out,
        "accepted rows with a wrong value or operator: {} of {} located ({:.1} in 100)",
        score.all.accepted_wrong,
        score.all.accepted_located,
        100.0 * score.all.wrong_though_accepted(),
    );
    let _ = writeln!(
        out,
        "left out: {} unsure labels ({} rows met one), {} rows from parts nobody labelled",
        score.unsure_labels, score.unsure_rows, score.uncovered_rows,
    );
    for page in &score.pages_without_rows {
        let _ = writeln!(out, "no row at all from {page}");
    }
    if score.labels_not_on_page > 0 {
        let _ = writeln!(out, "{} labels do not stand on their page", score.labels_not_on_page);
    }
    out
}

fn counts_line(out: &mut String, name: &str, it: &Counts) {
    let of_located = |part: u64| format!("{:.2}", share(part, it.located));
    line(
        out,
        &[
            name.to_owned(),
            it.labels.to_string(),
            it.rows.to_string(),
            it.located.to_string(),
            format!("{:.3}", it.precision()),
            format!("{:.3}", it.recall()),
            format!("{:.3}", it.f1()),
            of_located(it.value),
            of_located(it.op),
            of_located(it.unit),
            format!("{:.2}", share(it.join, it.join_compared)),
            of_located(it.force),
            of_located(it.field),
            it.accepted.to_string(),
            it.accepted_wrong.to_string(),
            it.flagged.to_string(),
        ],
    );
}

fn line(out: &mut String, cells: &[String; 16]) {
    let [name, rest @ ..] = cells;
    let _ = write!(out, "{name:<34}");
    for cell in rest {
        let _ = write!(out, " {cell:>9}");
    }
    out.push('\n');
}
