//! What edits touch, told in plain words before anything is asked. It decides nothing.

use crate::model::run::{ChangeCause, ClausePair, Touched};
use crate::pipeline::page::plan::PagePlan;
use crate::pipeline::surroundings::Surroundings;

/// What the edits touch, told before anything is asked: those with most rows first.
pub fn tell_touched(plan: &[PagePlan], around: &Surroundings<'_>) {
    const SHOWN: usize = 20;
    const CLAUSES_SHOWN: usize = 3;
    let mut edits: Vec<&Touched> = plan.iter().filter_map(|it| it.touched.as_ref()).collect();
    edits.sort_by_key(|it| std::cmp::Reverse((it.approved, it.rows)));
    for touched in edits.iter().take(SHOWN) {
        around.progress.note(&touched_words(touched));
        for pair in touched.clauses.iter().take(CLAUSES_SHOWN) {
            around.progress.note(&clause_words(pair));
        }
    }
    if edits.len() > SHOWN {
        around.progress.note(&format!("touches   … and {} more pages", edits.len() - SHOWN));
    }
}

fn touched_words(touched: &Touched) -> String {
    let ours = match touched.cause {
        ChangeCause::Source => "",
        ChangeCause::Rules => " (our own rules changed, not the source)",
        ChangeCause::Reader => " (our own reader changed, not the source)",
    };
    format!(
        "touches   {}{ours}: {} items to read, {} gone; {} rows depend on them ({} accepted, {} approved, {} groups)",
        touched.page,
        touched.items.len(),
        touched.removed_items,
        touched.rows,
        touched.accepted,
        touched.approved,
        touched.groups
    )
}

/// Old and new clause, one under the other.
fn clause_words(pair: &ClausePair) -> String {
    const LONGEST: usize = 160;
    let line = |sign: &str, text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = text.chars().take(LONGEST).collect();
        let rest = if short.len() < text.len() { " …" } else { "" };
        if text.is_empty() { String::new() } else { format!("\n            {sign} {short}{rest}") }
    };
    format!("          {}{}{}", pair.item, line("-", &pair.old), line("+", &pair.new))
}
