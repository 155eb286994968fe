//! `diff [SOURCE…]`: two editions side by side, word by word.

use std::fmt::Write;

use crate::cli::args::DiffArgs;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open};
use crate::pipeline::change::blast::add_touches;
use crate::pipeline::change::diffing::{EditionDiff, ItemDiff, compare_editions};
use crate::pipeline::failure::RunError;
use crate::pipeline::rounds::desk::SourceDesk;
use crate::snapshot::store::SnapshotStore;

/// Prints what differs; by default between the last two editions of each source.
pub fn diff(args: &DiffArgs, context: &mut Context<'_>) -> Exit {
    let opened = match open(&args.sources, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let mut found = Vec::new();
    for source in &opened.sources {
        let snapshots = SnapshotStore::new(&opened.project.snapshots(), &source.id);
        let compared = SourceDesk::new(source.clone(), &opened.config, snapshots)
            .map_err(RunError::from)
            .and_then(|desk| compare(&desk, args));
        match compared {
            Ok(Some(mut diff)) => {
                if let Err(error) = add_touches(&opened.project, &mut diff) {
                    return fail(&error, context);
                }
                found.push(diff);
            }
            Ok(None) => {
                context.remark(&format!("{}: there is one edition, nothing to compare", source.id));
            }
            Err(error) => return fail(&error, context),
        }
    }
    let human: String = found.iter().map(words).collect();
    let told = context.tell(&found, &human);
    if told == Exit::Done && found.is_empty() { Exit::NothingDone } else { told }
}

fn compare(desk: &SourceDesk, args: &DiffArgs) -> Result<Option<EditionDiff>, RunError> {
    let mut editions: Vec<String> = Vec::new();
    for crawl in desk.snapshots.crawls()? {
        if editions.last() != Some(&crawl.edition) {
            editions.push(crawl.edition);
        }
    }
    let Some(last) = editions.last().cloned() else {
        return Err(RunError::NoEdition { source_id: desk.source.id.clone() });
    };
    let to = args.to.as_deref().map_or(Ok(last), |it| edition_named(desk, it))?;
    let from = match &args.from {
        Some(name) => edition_named(desk, name)?,
        None => {
            // The edition before the one compared to; a site that went back has it twice.
            let at = editions.iter().rposition(|it| *it == to).unwrap_or(0);
            match at.checked_sub(1).and_then(|it| editions.get(it)) {
                Some(before) => before.clone(),
                None => return Ok(None),
            }
        }
    };
    compare_editions(desk, &from, &to).map(Some)
}

/// The edition of a name, or the one that stood at the end of a day: `2026-03-01`.
fn edition_named(desk: &SourceDesk, name: &str) -> Result<String, RunError> {
    let is_day = name.parse::<jiff::civil::Date>().is_ok();
    let end_of_day = is_day
        .then(|| format!("{name}T23:59:59.999999999Z").parse::<jiff::Timestamp>().ok())
        .flatten();
    Ok(match end_of_day {
        Some(time) => desk.snapshots.edition_as_of(time)?,
        None => desk.snapshots.edition(name)?,
    })
}

fn words(diff: &EditionDiff) -> String {
    let mut text = format!("{}: {} -> {}\n", diff.source, diff.from, diff.to);
    let counts = |it: &std::collections::BTreeMap<&str, u64>| {
        it.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(text, "  pages  {}", counts(&diff.page_counts));
    let _ = writeln!(text, "  items  {}", counts(&diff.item_counts));
    for page in diff.pages.iter().filter(|it| !matches!(it.change, "furniture" | "layout")) {
        let _ = writeln!(text, "{} {}", page.change, page.page);
        if let Some(it) = &page.touches {
            let _ = writeln!(
                text,
                "  touches {} rows on record ({} accepted, {} approved, {} groups)",
                it.rows, it.accepted, it.approved, it.groups
            );
        }
        for item in &page.items {
            item_words(item, &mut text);
        }
    }
    text
}

fn item_words(item: &ItemDiff, text: &mut String) {
    let keys = match (&item.old_key, &item.new_key) {
        (Some(old), Some(new)) if old != new => format!("{old} -> {new}"),
        (old, new) => new.as_ref().or(old.as_ref()).cloned().unwrap_or_default(),
    };
    let _ = writeln!(text, "  {} {keys}", item.change);
    for passage in &item.passages {
        let shown = if passage.words.is_empty() {
            match (&passage.old, &passage.new) {
                (Some(old), None) => format!("[-{old}-]"),
                (None, Some(new)) => format!("{{+{new}+}}"),
                (_, new) => new.clone().unwrap_or_default(),
            }
        } else {
            passage
                .words
                .iter()
                .map(|(sign, run)| match *sign {
                    "-" => format!("[-{run}-]"),
                    "+" => format!("{{+{run}+}}"),
                    _ => run.clone(),
                })
                .collect()
        };
        let _ = writeln!(text, "    {}: {}", passage.change, shown.replace('\n', " "));
    }
}
