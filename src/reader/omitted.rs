//! What the page states and no row has: limits, amounts and shares, and items of a list whose other
//! items are rows.
//!
//! Only what a sentence states with a comparison or in money or parts is proposed; a number that
//! merely stands there is not.

use std::collections::BTreeSet;

use crate::model::ask::Ask;
use crate::model::claim::{Claim, Op, Value};
use crate::reader::clause::{closes, trim};
use crate::reader::concept::{Act, Shape};
use crate::reader::example::examples_in;
use crate::reader::field::{FieldChooser, Wanted};
use crate::reader::furniture::is_furniture;
use crate::reader::measure::measures_in;
use crate::reader::reread::{Quoted, Reread};
use crate::reader::stated::Measure;
use crate::text::blocks::outline::BlockKind;
use crate::text::span::Span;

/// The rows that are missing, in reading order, named `m1`, `m2`, ….
pub fn find_omitted(ask: &Ask, reread: &Reread<'_>, quoted: &Quoted) -> Vec<Claim> {
    let search = Search { ask, reread, quoted, chooser: FieldChooser::new(&ask.fields) };
    let mut found = search.quantities();
    found.extend(search.items());
    found.sort_by_key(|it| it.0);
    let claims = found.into_iter().map(|it| it.1).enumerate();
    claims.map(|(at, claim)| Claim { id: format!("m{}", at + 1), ..claim }).collect()
}

struct Search<'a> {
    ask: &'a Ask,
    reread: &'a Reread<'a>,
    quoted: &'a Quoted,
    chooser: FieldChooser<'a>,
}

impl Search<'_> {
    /// Limits, amounts and shares that no row quotes.
    fn quantities(&self) -> Vec<(usize, Claim)> {
        let mut found = Vec::new();
        let examples = examples_in(self.reread.text, &self.reread.outline);
        for &sentence in &self.reread.sentences {
            let Some(block) = self.running_block(sentence) else { continue };
            if self.quoted.touches(sentence) || examples[block] {
                continue;
            }
            let quote = trim(self.reread.text, sentence, closes);
            let words = self.reread.words(quote);
            let low = words.to_ascii_lowercase().replace('’', "'");
            if is_furniture(&low, self.reread.words(sentence)) {
                continue;
            }
            for measure in measures_in(self.reread.text, quote).iter().filter(|it| is_limit(it)) {
                if self.quoted.touches(measure.number) {
                    continue;
                }
                if let Some(claim) = self.claim(quote, measure.shape, Act::Condition) {
                    let claim = Claim {
                        op: measure.op,
                        value: measure.value.clone(),
                        unit: measure.unit.clone(),
                        ..claim
                    };
                    found.push((measure.number.start, claim));
                }
            }
        }
        found
    }

    /// Items that nobody quotes, in lists of which most items are quoted.
    fn items(&self) -> Vec<(usize, Claim)> {
        let outline = &self.reread.outline;
        let lists = &self.reread.lists;
        let leads: BTreeSet<usize> =
            (0..outline.blocks.len()).filter_map(|it| lists.lead_of(it)).collect();
        let mut found = Vec::new();
        for lead in leads {
            let items = lists.items_of(lead);
            let is_open = |it: &&usize| !self.quoted.touches(outline.blocks[**it].content);
            let open: Vec<&usize> = items.iter().filter(is_open).collect();
            if open.is_empty() || open.len() * 2 > items.len() || items.len() < 3 {
                continue;
            }
            for &&item in &open {
                if !lists.items_of(item).is_empty() {
                    continue;
                }
                let quote = trim(self.reread.text, outline.blocks[item].content, closes);
                if quote.is_empty() || self.reread.words(quote).contains('\n') {
                    continue;
                }
                if let Some(claim) = self.claim(quote, Shape::Words, Act::Condition) {
                    found.push((quote.start, claim));
                }
            }
        }
        found
    }

    fn claim(&self, quote: Span, shape: Shape, act: Act) -> Option<Claim> {
        let words = self.reread.words(quote);
        let context = self.ask.heading_path.last().map_or("", String::as_str);
        let field = self.chooser.choose(Wanted { clause: words, context, shape, act })?;
        Some(Claim {
            subject: context.to_owned(),
            field: field.name.clone(),
            op: Op::Is,
            value: Value::Text(words.to_owned()),
            snippet: words.to_owned(),
            ..Claim::default()
        })
    }

    /// The paragraph or list item that a sentence stands in.
    fn running_block(&self, sentence: Span) -> Option<usize> {
        let block = self.reread.outline.block_at(sentence.start)?;
        let kind = self.reread.outline.blocks[block].kind;
        matches!(kind, BlockKind::Paragraph | BlockKind::ListItem).then_some(block)
    }
}

/// A quantity that a sentence states as a limit, an amount or a share.
fn is_limit(it: &Measure) -> bool {
    match it.shape {
        Shape::Money | Shape::Percent => true,
        Shape::Words | Shape::Number | Shape::Grade => false,
        _ => it.is_compared,
    }
}
