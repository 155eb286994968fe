//! Old rows of an item that was read again: which new row stands in their place, and which have none.

use crate::change::likeness::Shingles;
use crate::model::row::RowRecord;
use crate::model::run::ChangeCause;
use crate::pipeline::page::candidate::{Lost, as_candidate, is_live};
use crate::sheet::identity::clause_of;
use crate::text::glyphs::fold::fold_script;

/// Snippets at least this much alike (thousandths), in sentences at least this much alike, may be one
/// clause that changed. Less is two clauses that share an office's name: the old one is a candidate.
const SAME_CLAUSE: u32 = 250;
/// Characters below which a sentence is little more than its quote: one number changes half of it.
const SHORT: usize = 24;

/// How much an equal value weighs among successors, thousandths.
const EQUAL: u32 = 200;

/// What became of the rows of items that were read again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Superseded {
    /// Old row and the row in its place, where they differ or stand under other words.
    pub changed: Vec<(RowRecord, RowRecord)>,
    /// Rows whose clause is gone: candidates, kept on record.
    pub lost: Vec<RowRecord>,
}

/// Finds a successor of the same field for each old row that no equal new row stands for. `page`: the
/// canonical text of today, which tells whether the source or our reading lost a row.
pub fn settle_rows(
    before: &[RowRecord],
    fresh: &[RowRecord],
    (page, last_seen, cause): (&str, Option<&str>, ChangeCause),
) -> Superseded {
    let mut taken = vec![false; fresh.len()];
    let mut open = Vec::new();
    let mut settled = Superseded::default();
    for old in before.iter().filter(|it| is_live(it)) {
        let same = (0..fresh.len()).find(|&at| !taken[at] && fresh[at].key == old.key);
        match same {
            Some(at) => {
                taken[at] = true;
                if is_live(&fresh[at]) && clause_of(old) != clause_of(&fresh[at]) {
                    settled.changed.push((old.clone(), fresh[at].clone()));
                }
            }
            None => open.push(old),
        }
    }
    let of_fresh: Vec<[Shingles; 2]> = fresh.iter().map(shingles).collect();
    let mut candidates = Vec::new();
    for (from, old) in open.iter().enumerate() {
        let of_old = shingles(old);
        for (at, new) in fresh.iter().enumerate() {
            let is_candidate = !taken[at] && is_live(new) && new.claim.field == old.claim.field;
            if !is_candidate {
                continue;
            }
            let [likeness, of_sentences] = [0, 1].map(|it| of_old[it].likeness(&of_fresh[at][it]));
            let bonus = if new.claim.subject == old.claim.subject { 100 } else { 0 };
            let is_short = [old, new].iter().any(|it| it.sentence.chars().count() < SHORT);
            let is_other = of_sentences < SAME_CLAUSE && !is_short;
            if likeness + bonus >= SAME_CLAUSE && !is_other {
                // Of cells of one row the one of the same value comes first: a column that was put in
                // between changed nothing in the others.
                let is_equal = (new.claim.op, &new.claim.value) == (old.claim.op, &old.claim.value);
                candidates.push((likeness + bonus + if is_equal { EQUAL } else { 0 }, from, at));
            }
        }
    }
    candidates.sort_by_key(|&(score, from, at)| (std::cmp::Reverse(score), from, at));
    let mut has_successor = vec![false; open.len()];
    for (_, from, at) in candidates {
        if !taken[at] && !has_successor[from] {
            (taken[at], has_successor[from]) = (true, true);
            settled.changed.push((open[from].clone(), fresh[at].clone()));
        }
    }
    settled.changed.sort_by(|a, b| a.1.key.cmp(&b.1.key));
    let lost = open.iter().zip(has_successor).filter(|(_, has)| !has);
    settled.lost = lost
        .map(|(row, _)| {
            let lost = Lost::of(cause, page.contains(&row.claim.snippet));
            as_candidate(row, lost, last_seen)
        })
        .collect();
    settled
}

/// The words of a row's quote, and of its sentence, without their looks.
fn shingles(row: &RowRecord) -> [Shingles; 2] {
    [&row.claim.snippet, &row.sentence].map(|it| Shingles::of(fold_script(it).as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::claim::Claim;
    use crate::model::finding::Verdict;
    use crate::model::row::RowStatus;

    /// A row of a sentence that quotes the first of its words before a bar.
    fn row(key: &str, words: &str) -> RowRecord {
        let snippet = words.split('|').next().unwrap_or_default().to_owned();
        RowRecord {
            key: key.to_owned(),
            claim: Claim { snippet, field: "procedure".to_owned(), ..Claim::default() },
            sentence: words.replace('|', ""),
            lead_in: String::new(),
            footnotes: String::new(),
            within: Vec::new(),
            source: String::new(),
            page: String::new(),
            page_title: String::new(),
            item: String::new(),
            heading_path: Vec::new(),
            snapshot: String::new(),
            text: String::new(),
            place: None,
            status: RowStatus::Accepted,
            verdict: Verdict::Pass,
            findings: Vec::new(),
            review: None,
            read_by: String::new(),
            ask: String::new(),
        }
    }

    #[test]
    fn a_clause_that_only_shares_an_offices_name_with_another_is_a_candidate_and_not_a_change() {
        for (was, is, changed) in [
            (
                "The harbour office |looks into the papers of every family itself in spring, before the first boats sail.",
                "The harbour office |must pay no later than one month after a claim was handed in with all receipts.",
                0,
            ),
            (
                "The district harbour office must pay |within one month after a request has come in.",
                "The district harbour office must pay |within two months after a request has come in.",
                1,
            ),
            (
                "區公所應於每年一月底前|自行查調低收入戶之資格並造冊。",
                "區公所應於每年|受理申請撥付補助款後完成撥付，並通知申請人及其家屬到場領取。",
                0,
            ),
            (
                "區公所應於受理申請後|一個月內完成撥付。",
                "區公所應於受理申請後|二個月內完成撥付。",
                1,
            ),
        ] {
            let settled = settle_rows(
                &[row("a", was)],
                &[row("b", is)],
                (&is.replace('|', ""), None, ChangeCause::Source),
            );
            assert_eq!(
                (settled.changed.len(), settled.lost.len()),
                (changed, 1 - changed),
                "{was}"
            );
        }
    }
    #[test]
    fn the_same_quote_under_other_words_is_a_change_and_under_another_number_is_none() {
        for (was, is, changed) in [
            ("You can apply if:", "You cannot apply if:", 1),
            ("得申請者：", "不得申請者：", 1),
            ("You can apply if:", "You can  apply if:", 0),
        ] {
            let under = |lead_in: &str, heading: &str| RowRecord {
                lead_in: lead_in.to_owned(),
                heading_path: vec![heading.to_owned()],
                ..row("a", "you are 65 or over")
            };
            let page = ("you are 65 or over", None, ChangeCause::Source);
            let settled = settle_rows(&[under(was, "第 5 條")], &[under(is, "第 6 條")], page);
            assert_eq!((settled.changed.len(), settled.lost.len()), (changed, 0), "{is}");
        }
        let short = ("每年收費三十元。", None, ChangeCause::Source);
        let settled =
            settle_rows(&[row("a", "每年收費四十元|。")], &[row("b", "每年收費三十元|。")], short);
        assert_eq!((settled.changed.len(), settled.lost.len()), (1, 0));
    }
}
