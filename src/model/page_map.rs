//! The way back from a place in a canonical text to the element of the page it was read from.
//!
//! It points, and never holds text: what stands at a place is the canonical text's own affair.

use serde::{Deserialize, Serialize};

/// Runs of canonical text and the elements they were read from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageMap {
    /// Elements that hold text, each after its parent.
    pub elements: Vec<ElementPlace>,
    /// `[byte, element]`: from this byte offset on, text comes from that element. Offsets rise.
    pub runs: Vec<[usize; 2]>,
}

/// Where an element stands among its siblings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ElementPlace {
    /// Index of the parent in `elements`; `None` for the root.
    pub parent: Option<usize>,
    /// Tag name in lower case.
    pub tag: String,
    /// 1 for the first element among its siblings, as CSS `:nth-child` counts.
    pub nth: usize,
    /// The `id` attribute, where it is present and not empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

impl PageMap {
    /// The element that the text at byte offset `at` was read from. Takes logarithmic time.
    pub fn element_at(&self, at: usize) -> Option<&ElementPlace> {
        self.elements.get(self.element_index_at(at)?)
    }

    /// The nearest `id` at or above the element at byte offset `at`: the fragment a link to this
    /// place can carry.
    pub fn anchor_at(&self, at: usize) -> Option<&str> {
        let mut place = self.element_at(at)?;
        loop {
            if let Some(id) = &place.id {
                return Some(id);
            }
            place = self.elements.get(place.parent?)?;
        }
    }

    /// A CSS selector of the element at byte offset `at`, from its nearest `id` downward:
    /// `#rates > table:nth-child(2) > tbody:nth-child(1)`.
    pub fn selector_at(&self, at: usize) -> Option<String> {
        let mut steps = Vec::new();
        let mut next = self.element_index_at(at);
        while let Some(place) = next.and_then(|it| self.elements.get(it)) {
            if let Some(id) = place.id.as_deref().filter(|it| is_plain_id(it)) {
                steps.push(format!("#{id}"));
                break;
            }
            steps.push(match place.parent {
                Some(_) => format!("{}:nth-child({})", place.tag, place.nth),
                None => place.tag.clone(),
            });
            next = place.parent;
        }
        steps.reverse();
        (!steps.is_empty()).then(|| steps.join(" > "))
    }

    fn element_index_at(&self, at: usize) -> Option<usize> {
        let after = self.runs.partition_point(|it| it[0] <= at);
        // A place in front of the first run is a marker of the first block.
        self.runs.get(after.saturating_sub(1)).map(|it| it[1])
    }
}

/// True where `#id` needs no escapes in CSS.
fn is_plain_id(id: &str) -> bool {
    id.starts_with(|it: char| it.is_alphabetic() || it == '_')
        && id.chars().all(|it| it.is_alphanumeric() || it == '-' || it == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(parent: Option<usize>, tag: &str, nth: usize, id: Option<&str>) -> ElementPlace {
        ElementPlace { parent, tag: tag.to_owned(), nth, id: id.map(str::to_owned) }
    }

    #[test]
    fn a_place_leads_to_its_element_and_nearest_anchor() {
        let map = PageMap {
            elements: vec![
                place(None, "html", 1, None),
                place(Some(0), "main", 2, None),
                place(Some(1), "section", 3, Some("費率")),
                place(Some(2), "p", 1, None),
                place(Some(1), "p", 4, None),
            ],
            runs: vec![[2, 3], [10, 4]],
        };
        assert_eq!(map.selector_at(0).as_deref(), Some("#費率 > p:nth-child(1)"));
        assert_eq!(map.selector_at(9).as_deref(), Some("#費率 > p:nth-child(1)"));
        assert_eq!(
            map.selector_at(10).as_deref(),
            Some("html > main:nth-child(2) > p:nth-child(4)")
        );
        assert_eq!(map.anchor_at(5), Some("費率"));
        assert_eq!(map.anchor_at(99), None);
        assert_eq!(PageMap::default().selector_at(0), None);
    }
}
