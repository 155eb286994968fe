//! Reads the rules of English sentences.
//!
//! A quote is a whole sentence or list item, so that it cuts no "not", "unless", "only" or "if".

use crate::model::claim::{Force, Join, Op, Value};
use crate::reader::clause::{closes, trim};
use crate::reader::concept::{Act, Shape};
use crate::reader::draft::Draft;
use crate::reader::english_clause::{
    and_parts, clause_around, plain, split_condition, trim_connective,
};
use crate::reader::english_cue::{
    act_of, asserted_at, asserts, begins_deed, compared_words, denial_end,
};
use crate::reader::furniture::{is_empty_condition, is_furniture, is_invitation, is_lead_only};
use crate::reader::measure::measures_in;
use crate::reader::quote::stated_force_of;
use crate::reader::stated::Measure;
use crate::reader::subject::tidy;
use crate::text::markers::marker::Strength;
use crate::text::span::Span;

/// What is known of a sentence from outside.
#[derive(Clone, Copy, Debug)]
pub struct EnglishSeat {
    /// The sentence opens an item whose lead-in says that each item is a case.
    pub is_case: bool,
    /// What the lead-in says the items are.
    pub act: Act,
    /// How strong the lead-in is.
    pub force: Option<Force>,
}

/// Reads one sentence.
pub fn read_english_sentence(text: &str, sentence: Span, seat: EnglishSeat) -> Vec<Draft> {
    let quote = trim_connective(text, trim(text, sentence, closes));
    let Some(words) = quote.slice(text).filter(|it| !it.is_empty()) else { return Vec::new() };
    let low = plain(words);
    if is_furniture(&low, sentence.slice(text).unwrap_or_default()) {
        return Vec::new();
    }
    let reader = Reader {
        text,
        quote,
        force: stated_force(text, quote).or(seat.force),
        seat,
        measures: measures_in(text, quote)
            .into_iter()
            .filter(|it| !only_explains(text, quote, it))
            .collect(),
        has_rule_word: act_of(&low).is_some()
            || asserts(&low).is_some()
            || split_condition(text, quote).0.is_some()
            || low.contains(':'),
    };
    let mut drafts = Vec::new();
    reader.read_measures(&mut drafts);
    if seat.is_case {
        reader.read_case(&mut drafts);
    } else if !is_lead_only(&low, sentence.slice(text).is_some_and(leads_on)) {
        reader.read_rule(&mut drafts);
    }
    reader.read_exception(&mut drafts);
    drafts
}

/// The force of the main verb: "you may get what you need" is no must.
fn stated_force(text: &str, quote: Span) -> Option<Force> {
    let stated = stated_force_of(text, quote)?;
    // "can" tells what somebody is able to do, not how strong the rule is.
    if stated.span.slice(text).is_some_and(|it| it.to_ascii_lowercase().contains("can")) {
        return None;
    }
    Some(match stated.strength {
        Strength::Must | Strength::MustNot => Force::Must,
        Strength::Should => Force::Should,
        Strength::May => Force::May,
        Strength::InPrinciple => Force::InPrinciple,
        Strength::NeedNot => return None,
    })
}

struct Reader<'a> {
    text: &'a str,
    quote: Span,
    force: Option<Force>,
    seat: EnglishSeat,
    measures: Vec<Measure>,
    /// The sentence has a word of rule, a condition or a colon.
    has_rule_word: bool,
}

impl Reader<'_> {
    fn read_measures(&self, drafts: &mut Vec<Draft>) {
        let act = if self.seat.is_case { self.seat.act } else { Act::Condition };
        let (condition, _) = split_condition(self.text, self.quote);
        let condition = condition.filter(|_| !self.seat.is_case);
        for measure in self.measures.iter().filter(|it| self.is_stated(it)) {
            let clause = clause_around(self.text, self.quote, measure.span);
            let subject = Span::new(clause.start, measure.span.start.max(clause.start));
            // The "must" of the main clause is not the strength of its "if".
            let is_condition = condition.is_some_and(|it| it.overlaps(measure.number));
            let force = self.force.filter(|it| !(is_condition && *it == Force::Must));
            drafts.push(
                Draft::measure(self.quote, clause, measure, act)
                    .with_force(force)
                    .with_subject(tidy(self.text, subject)),
            );
        }
    }

    /// Running text counts and dates many things that are no rules: "more than 1,200 clinics",
    /// "signed into law in 2017". Such numbers need a word of rule beside them.
    fn is_stated(&self, measure: &Measure) -> bool {
        let is_weak = match measure.shape {
            Shape::Number => true,
            Shape::Date => !measure.is_compared,
            _ => false,
        };
        if self.seat.is_case || !is_weak {
            return true;
        }
        self.has_rule_word
    }

    /// An item that is a case: its and-ed parts, those with a quantity aside.
    fn read_case(&self, drafts: &mut Vec<Draft>) {
        let parts = and_parts(self.text, self.quote);
        let is_one = parts.len() == 1;
        for part in parts.into_iter().flat_map(|it| self.alternatives(it)) {
            if self.measures.iter().any(|it| part.overlaps(it.number)) {
                continue;
            }
            let low = plain(self.words(part));
            let stated = act_of(&low).filter(|it| is_strong(*it) && *it != Act::Exclusion);
            let act = match self.seat.act {
                Act::Condition if is_one => stated.unwrap_or(Act::Condition),
                Act::Document if begins_deed(&low) => Act::Step,
                act => act,
            };
            drafts.push(self.stated(part, act, &low));
        }
    }

    /// "a diploma, or 12 hours of credit": where only one side has a quantity, both state something.
    fn alternatives(&self, part: Span) -> Vec<Span> {
        let low = self.words(part).to_ascii_lowercase();
        let has_number = |span: Span| self.measures.iter().any(|it| span.overlaps(it.number));
        for (at, mark) in low.match_indices(" or ") {
            let left = trim(self.text, Span::new(part.start, part.start + at), closes);
            let right = Span::new(part.start + at + mark.len(), part.end);
            let behind = &low[at + mark.len()..];
            let is_clean = low[..at].ends_with(',')
                || ["the ", "a ", "an ", "who "].iter().any(|it| behind.starts_with(it));
            if is_clean && has_number(left) != has_number(right) && left.len() > 3 {
                return vec![left, right];
            }
        }
        vec![part]
    }

    /// A sentence of running text: what follows, and the conditions it follows from.
    fn read_rule(&self, drafts: &mut Vec<Draft>) {
        let (condition, main) = split_condition(self.text, self.quote);
        let main_low = plain(self.words(main));
        if is_invitation(&main_low) {
            return;
        }
        let act = act_of(&main_low);
        let is_counted = self.measures.iter().any(|it| main.overlaps(it.number));
        let is_kept = |act: &Act| is_strong(*act) && !(is_counted && gives_way(*act));
        if let Some(act) = act.filter(is_kept) {
            let value = if act == Act::Exclusion { self.quote } else { main };
            drafts.push(self.stated(value, act, &main_low));
            return;
        }
        if !self.measures.is_empty() {
            return;
        }
        let is_empty = condition.is_some_and(|it| is_empty_condition(&plain(self.words(it))));
        if is_empty && asserts(&main_low).is_none() {
            return;
        }
        match condition {
            Some(condition) if !self.is_general(condition) || asserts(&main_low).is_none() => {
                let parts = and_parts(self.text, condition);
                let is_joined = parts.len() > 1;
                for part in parts {
                    let draft = self.stated(part, Act::Condition, &plain(self.words(part)));
                    drafts.push(if is_joined { draft.bound(Join::All, condition) } else { draft });
                }
            }
            Some(_) => {
                let act = asserts(&main_low).unwrap_or(Act::Grant);
                drafts.push(self.stated(main, act, &main_low));
            }
            None => {
                if let Some(act) = act.or_else(|| asserts(&main_low)) {
                    let mut draft = self.stated(main, act, &main_low);
                    let word = asserted_at(&main_low)
                        .filter(|_| act == Act::Condition && main_low.len() == main.len());
                    if let Some((at, len)) = word.filter(|_| act_of(&main_low).is_none()) {
                        // "We pay it monthly": the row is about how often, whatever else is named.
                        draft.clause = Span::new(main.start + at, main.start + at + len);
                    }
                    drafts.push(draft);
                }
            }
        }
    }

    /// "If you qualify for this", "When you apply": says no more than who is spoken to.
    fn is_general(&self, condition: Span) -> bool {
        let low = plain(self.words(condition));
        low.starts_with("when ")
            || ["qualify", "eligible", "none of the above"].iter().any(|it| low.contains(it))
    }

    fn stated(&self, value: Span, act: Act, low: &str) -> Draft {
        // "The date you got your illness", of a list of dates from which something holds.
        let is_date =
            act == Act::Condition && ["the date ", "the day "].iter().any(|it| low.starts_with(it));
        let act = if is_date { Act::Effect } else { act };
        let mut draft = Draft::words(self.text, self.quote, value, act).with_force(self.force);
        draft.clause = value;
        let denied = denial_end(self.words(value)).filter(|_| act == Act::Condition);
        if let Some(at) = denied {
            // The operator says "not"; the value is what is not.
            draft.op = Op::Ne;
            if let Some(words) =
                self.words(value).get(at..).map(str::trim).filter(|it| !it.is_empty())
            {
                draft.value = Value::Text(words.to_owned());
            }
        } else if let Some((op, at)) = compared_words(low)
            && act == Act::Condition
            && self.words(value).len() == low.len()
        {
            draft.value = Value::Text(self.words(value)[at..].to_owned());
            draft.op = op;
        }
        draft
    }

    /// "unless …", "except …" is an exception beside the rule.
    fn read_exception(&self, drafts: &mut Vec<Draft>) {
        if drafts.iter().any(|it| it.act == Act::Exception) {
            return;
        }
        let low = self.words(self.quote).to_ascii_lowercase();
        let marks = [" unless ", " except ", "(except "];
        let Some(at) = marks.iter().filter_map(|it| low.find(it)).min() else { return };
        let value = Span::new(self.quote.start + at, self.quote.end);
        let value = trim(self.text, value, |it| closes(it) || it == '(');
        let mut draft = Draft::words(self.text, self.quote, value, Act::Exception);
        draft.clause = value;
        drafts.push(draft);
    }

    fn words(&self, span: Span) -> &str {
        span.slice(self.text).unwrap_or_default()
    }
}

/// True for a sentence that ends with a colon, or with nothing at all.
fn leads_on(sentence: &str) -> bool {
    let end = sentence.trim_end();
    end.ends_with(':') || end.ends_with(|it: char| it.is_alphanumeric())
}

/// "The amount depends on how long you've served since May 5, 2001": what something goes by, and no
/// date that has to be met.
fn only_explains(text: &str, quote: Span, measure: &Measure) -> bool {
    let before = text.get(quote.start..measure.span.start).unwrap_or_default();
    let low = before.to_ascii_lowercase();
    measure.shape == Shape::Date
        && ["depends on ", "based on how ", "depend on "].iter().any(|it| low.contains(it))
}

/// Acts that a sentence states even where it also has a number.
fn is_strong(act: Act) -> bool {
    matches!(
        act,
        Act::Exclusion | Act::Exception | Act::Penalty | Act::Document | Act::Effect | Act::Step
    )
}

/// Acts that a quantity in the same clause states already: "file within a year".
fn gives_way(act: Act) -> bool {
    matches!(act, Act::Step | Act::Effect)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: EnglishSeat = EnglishSeat { is_case: false, act: Act::Condition, force: None };

    fn read(text: &str) -> Vec<(Act, Op, String)> {
        read_english_sentence(text, Span::new(0, text.len()), PLAIN)
            .into_iter()
            .map(|it| (it.act, it.op, it.value.to_string()))
            .collect()
    }

    fn acts(text: &str) -> Vec<Act> {
        read(text).into_iter().map(|it| it.0).collect()
    }

    #[test]
    fn a_sentence_without_a_rule_is_no_row() {
        assert!(acts("We know that moving house is hard.").is_empty());
        assert!(acts("Learn how to qualify for help.").is_empty());
        assert!(acts("Do you qualify?").is_empty());
        assert!(acts("All of these must be true:").is_empty());
    }

    #[test]
    fn a_sentence_is_read_for_what_it_does() {
        assert_eq!(acts("If you own your home, you’re not eligible."), [Act::Exclusion]);
        assert_eq!(acts("You’ll need to submit a copy of your lease."), [Act::Document]);
        assert_eq!(
            acts("You must tell us, unless you already wrote."),
            [Act::Step, Act::Exception]
        );
    }

    #[test]
    fn what_something_goes_by_is_no_date_to_be_met() {
        let rows = read("The amount depends on how long you’ve served since May 5, 2001.");
        assert!(rows.iter().all(|it| it.1 == Op::Is), "{rows:?}");
        assert!(!rows.is_empty());
        let rows = read("You must have served since May 5, 2001.");
        assert!(rows.iter().any(|it| it.2.contains("2001-05-05")), "{rows:?}");
    }

    #[test]
    fn even_if_is_no_condition() {
        for text in [
            "Even if you don’t rent your home, you may ask us for advice.",
            "We give advice even if you don't rent your home.",
        ] {
            let rows = read(text);
            assert!(rows.iter().all(|it| it.1 != Op::Ne && it.0 != Act::Condition), "{rows:?}");
        }
    }

    #[test]
    fn the_conditions_of_a_right_are_rows_and_a_denied_one_says_so() {
        let rows = read("You may get help if you rent your home and didn’t get a grant.");
        assert_eq!(rows.len(), 2, "{rows:?}");
        assert_eq!((rows[0].1, rows[1].1), (Op::Is, Op::Ne));
        assert_eq!(rows[1].2, "get a grant", "the value begins at a word, whatever the apostrophe");
    }

    #[test]
    fn what_is_noted_asked_or_needs_no_answer() {
        let acts_of_note = acts("Note: If you rent a berth, please also fill out a harbour form.");
        assert_eq!(acts_of_note, [Act::Document]);
        assert!(acts("If you have questions, we may help you.").is_empty());
        assert!(acts("The clerk can help you find out if your boat was listed.").is_empty());
        assert!(acts("For example, you must pay if you own two boats.").is_empty());
    }

    #[test]
    fn a_date_behind_a_comma_is_of_the_words_before_it() {
        let text =
            "You entered harbour service, under title 2, between May 1, 1985, and June 2, 1989";
        let seat = EnglishSeat { is_case: true, ..PLAIN };
        let draft = &read_english_sentence(text, Span::new(0, text.len()), seat)[0];
        assert!(draft.clause.slice(text).unwrap().starts_with("You entered"), "{draft:?}");
    }
}
