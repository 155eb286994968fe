//! Which elements of a page are its content, by the source's selectors or by the page's landmarks.
//!
//! It never falls back in silence: selectors that are declared and match nothing are an error.

use std::collections::HashSet;

use ego_tree::NodeId;
use scraper::{Html, Selector};

use crate::model::source::{ItemRule, Source};

/// Why a page cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The declared content is not there.
    #[error(
        "no element matches the content selectors {}; the page has another shape than the source \
         file expects: look at the page and correct `content`",
        list(selectors)
    )]
    SelectorMissing { selectors: Vec<String> },
    /// The source file holds a selector that is not CSS.
    #[error("`{selector}` is not a CSS selector ({detail}); correct it in the source file")]
    BadSelector { selector: String, detail: String },
}

fn list(selectors: &[String]) -> String {
    selectors.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}

/// The chosen elements of one page.
#[derive(Debug, Default)]
pub struct Choice {
    /// Content; nested matches are part of the outer one.
    pub content: HashSet<NodeId>,
    /// Furniture: left out with all it holds.
    pub excluded: HashSet<NodeId>,
    /// Elements that are items of their own, where the source names them by selector.
    pub items: HashSet<NodeId>,
    /// The selectors that matched.
    pub matched: Vec<String>,
}

/// Landmarks that are furniture when the page names no main part, in the spirit of the ARIA
/// mapping of HTML: a header or footer inside an article belongs to the article.
const FURNITURE_OF_BODY: &str = "nav, aside, [role=navigation], [role=banner], \
    [role=contentinfo], [role=search], [role=complementary], body > header, body > footer, \
    body > div > header, body > div > footer";

/// Finds content, furniture and items of a page.
///
/// # Errors
/// When no declared selector matches, or one is not CSS.
pub fn choose(html: &Html, source: &Source) -> Result<Choice, ReadError> {
    let mut choice = Choice::default();
    if source.content.is_empty() {
        choose_landmark(html, &mut choice)?;
    } else {
        for selector in &source.content {
            let before = choice.content.len();
            choice.content.extend(matches(html, selector)?);
            if before < choice.content.len() {
                choice.matched.push(selector.clone());
            }
        }
        if choice.content.is_empty() {
            return Err(ReadError::SelectorMissing { selectors: source.content.clone() });
        }
    }
    for selector in &source.exclude {
        choice.excluded.extend(matches(html, selector)?);
    }
    if let ItemRule::Selector { selector } = &source.items {
        choice.items.extend(matches(html, selector)?);
    }
    Ok(choice)
}

/// `main`, else `article`, else `body` without its landmarks of furniture.
fn choose_landmark(html: &Html, choice: &mut Choice) -> Result<(), ReadError> {
    for (selector, name) in [("main, [role=main]", "main"), ("article", "article")] {
        choice.content.extend(matches(html, selector)?);
        if !choice.content.is_empty() {
            choice.matched.push(name.to_owned());
            return Ok(());
        }
    }
    choice.content.extend(matches(html, "body, frameset")?);
    choice.excluded.extend(matches(html, FURNITURE_OF_BODY)?);
    choice.matched.push("body".to_owned());
    Ok(())
}

fn matches(html: &Html, selector: &str) -> Result<Vec<NodeId>, ReadError> {
    let parsed = Selector::parse(selector).map_err(|error| ReadError::BadSelector {
        selector: selector.to_owned(),
        detail: error.to_string(),
    })?;
    Ok(html.select(&parsed).map(|it| it.id()).collect())
}
