//! Which words lead a list in: a paragraph, a heading, a parent item, or a paragraph in an item.
//!
//! Reads the outline once, in linear time; it never looks at what the words say beyond their colon.

use std::collections::BTreeMap;

use crate::text::blocks::outline::{BlockKind, Outline};

/// The lists of an outline.
pub struct Lists {
    lead_of: Vec<Option<usize>>,
    items_of: BTreeMap<usize, Vec<usize>>,
}

impl Lists {
    /// Finds the lead-in of each list item.
    pub fn new(text: &str, outline: &Outline) -> Self {
        let mut lead_of = vec![None; outline.blocks.len()];
        let mut items_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        // A paragraph in an item that ends with a colon leads in the items that follow in it.
        let mut inner: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, block) in outline.blocks.iter().enumerate() {
            let Some(parent) = block.parent else { continue };
            match block.kind {
                BlockKind::Paragraph => {
                    let words = block.content.slice(text).unwrap_or_default();
                    if words.trim_end().ends_with([':', '：']) {
                        inner.insert(parent, at);
                    }
                }
                BlockKind::ListItem => {
                    let is_nested = outline.blocks[parent].kind == BlockKind::ListItem;
                    let lead = inner.get(&parent).copied().filter(|_| is_nested);
                    let lead = lead.unwrap_or(parent);
                    lead_of[at] = Some(lead);
                    items_of.entry(lead).or_default().push(at);
                }
                _ => {}
            }
        }
        Self { lead_of, items_of }
    }

    /// What leads in the list that an item stands in.
    pub fn lead_of(&self, item: usize) -> Option<usize> {
        self.lead_of.get(item).copied().flatten()
    }

    /// The items that a block leads in, in reading order.
    pub fn items_of(&self, lead: usize) -> &[usize] {
        self.items_of.get(&lead).map_or(&[], Vec::as_slice)
    }

    /// The lead-in of an item, its own lead-in where it is an item, and so on; innermost first.
    pub fn chain(&self, item: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = self.lead_of(item);
        while let Some(lead) = at {
            chain.push(lead);
            at = self.lead_of(lead);
        }
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::blocks::outline::read_outline;

    #[test]
    fn a_paragraph_in_an_item_leads_in_the_list_below_it() {
        let text = "Choose one:\n- I rent.\n\n  All of these must be true:\n  - You pay rent, and\n  - You live there\n- I own.\n";
        let outline = read_outline(text);
        let lists = Lists::new(text, &outline);
        let at = |words: &str| {
            let is_it = |it: &crate::text::blocks::outline::Block| {
                it.content.slice(text).unwrap().starts_with(words)
            };
            outline.blocks.iter().position(is_it).unwrap()
        };
        assert_eq!(lists.lead_of(at("You pay")), Some(at("All of")));
        assert_eq!(lists.lead_of(at("I own")), Some(at("Choose")));
        assert_eq!(lists.items_of(at("All of")).len(), 2);
    }
}
