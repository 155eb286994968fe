//! Whether a reader of the page sees an element, as far as the page itself says.
//!
//! What a control of the page opens (a tab, an accordion panel, `<details>`) is part of what the
//! page tells its readers and counts as seen; what nothing opens does not. `aria-hidden` and
//! classes meant for screen readers do not hide anything from anybody's eyes.

use std::collections::BTreeSet;

use scraper::node::Element;

use crate::items::element::{Role, declared, role_of};
use crate::model::canonical::HiddenWhy;

/// Why `element` is not seen; `None` where it is. `openable` are the ids that controls open;
/// `is_unseen_by_rule`: a style rule of the page leaves it unseen.
pub fn hidden_why(
    element: &Element,
    openable: &BTreeSet<String>,
    is_unseen_by_rule: bool,
) -> Option<HiddenWhy> {
    match role_of(element) {
        Role::Unseen => return Some(HiddenWhy::Element),
        Role::Struck => return Some(HiddenWhy::Struck),
        _ => {}
    }
    if matches!(element.name(), "html" | "body") {
        // Styles here are loading tricks: the page shows itself a moment later.
        return None;
    }
    let style = element.attr("style").unwrap_or_default();
    if declared_any(style, "text-decoration", "line-through") {
        return Some(HiddenWhy::Struck);
    }
    if element.id().is_some_and(|it| openable.contains(it)) {
        return None;
    }
    // `until-found` opens itself for whoever looks for its words.
    if element.attr("hidden").is_some_and(|it| !it.trim().eq_ignore_ascii_case("until-found")) {
        return Some(HiddenWhy::Attribute);
    }
    if element.name() == "dialog" && element.attr("open").is_none() {
        return Some(HiddenWhy::Element);
    }
    // A style of its own wins over any rule.
    let shows_itself = declared(style, "display").is_some_and(|it| it != "none");
    let is_unseen = is_unseen_style(style) || (is_unseen_by_rule && !shows_itself);
    is_unseen.then_some(HiddenWhy::Style)
}

/// True where the declarations of a `style` attribute leave nothing to see.
pub fn is_unseen_style(style: &str) -> bool {
    if style.is_empty() {
        return false;
    }
    let is = |property: &str, values: &[&str]| {
        declared(style, property).is_some_and(|it| values.contains(&it.as_str()))
    };
    let zero = |property: &str| declared(style, property).is_some_and(|it| is_zero(&it));
    let far = |property: &str| declared(style, property).is_some_and(|it| is_far_off(&it));
    is("display", &["none"])
        || is("visibility", &["hidden", "collapse"])
        || is("content-visibility", &["hidden"])
        || zero("opacity")
        || zero("font-size")
        || far("text-indent")
        || (is("position", &["absolute", "fixed"])
            && ["left", "top", "right", "bottom"].into_iter().any(far))
        || ((zero("height") || zero("max-height") || zero("width") || zero("max-width"))
            && is("overflow", &["hidden", "clip"]))
}

fn declared_any(style: &str, property: &str, word: &str) -> bool {
    let line = format!("{property}-line");
    [property, &line].into_iter().any(|it| {
        declared(style, it).is_some_and(|value| value.split_ascii_whitespace().any(|w| w == word))
    })
}

/// `0`, `0px`, `0.0em`.
fn is_zero(value: &str) -> bool {
    let number = value.trim_end_matches(|it: char| it.is_ascii_alphabetic() || it == '%');
    !number.is_empty() && number.parse::<f64>().is_ok_and(|it| it == 0.0)
}

/// A negative length of at least three digits: `-999em`, `-10000px`.
fn is_far_off(value: &str) -> bool {
    let number = value.trim_end_matches(|it: char| it.is_ascii_alphabetic() || it == '%');
    number.parse::<f64>().is_ok_and(|it| it <= -100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_that_show_nothing_are_told_from_those_that_do() {
        for style in [
            "display:none",
            "Display: NONE !important",
            "visibility:hidden",
            "opacity:0",
            "font-size:0px",
            "position:absolute;left:-9999px",
            "text-indent:-999em",
            "height:0;overflow:hidden",
        ] {
            assert!(is_unseen_style(style), "{style}");
        }
        for style in [
            "",
            "display:block",
            "opacity:0.5",
            "font-size:10px",
            "left:-9999px",
            "position:absolute;left:10px",
            "text-indent:-2em",
            "height:0",
        ] {
            assert!(!is_unseen_style(style), "{style}");
        }
    }
}
