//! The markers of ordered lists, as a browser shows them.

use scraper::node::Element;

/// Counts the items of one ordered list.
#[derive(Clone, Debug)]
pub struct Counter {
    next: i64,
    step: i64,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Decimal,
    Letters { is_upper: bool },
    Roman { is_upper: bool },
}

impl Counter {
    /// The counter of an `<ol>` that holds `n_items` items.
    pub fn of_list(list: &Element, n_items: usize) -> Self {
        let is_reversed = list.attr("reversed").is_some();
        let n_items = i64::try_from(n_items).unwrap_or(i64::MAX);
        let start = list.attr("start").and_then(leading_integer);
        Self {
            next: start.unwrap_or(if is_reversed { n_items } else { 1 }),
            step: if is_reversed { -1 } else { 1 },
            style: style_of(list).unwrap_or(Style::Decimal),
        }
    }

    /// The marker of the next item: `3. `, `c. `, `iii. `.
    pub fn next_marker(&mut self, item: &Element) -> String {
        let value = item.attr("value").and_then(leading_integer).unwrap_or(self.next);
        self.next = value.saturating_add(self.step);
        let style = style_of(item).unwrap_or(self.style);
        format!("{}. ", shown(value, style))
    }
}

fn style_of(element: &Element) -> Option<Style> {
    match element.attr("type")? {
        "1" => Some(Style::Decimal),
        "a" => Some(Style::Letters { is_upper: false }),
        "A" => Some(Style::Letters { is_upper: true }),
        "i" => Some(Style::Roman { is_upper: false }),
        "I" => Some(Style::Roman { is_upper: true }),
        _ => None,
    }
}

/// HTML's rules for parsing integers: leading space, sign, digits, anything after.
fn leading_integer(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['-', '+']));
    let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
    let number: i64 = text[sign..sign + digits].parse().ok()?;
    // Browsers count in 32 bits.
    let number = number.min(i64::from(i32::MAX));
    Some(if text.starts_with('-') { -number } else { number })
}

fn shown(value: i64, style: Style) -> String {
    let counted = match style {
        Style::Decimal => None,
        Style::Letters { is_upper } => letters(value, if is_upper { b'A' } else { b'a' }),
        Style::Roman { is_upper } => roman(value).map(|it| match is_upper {
            true => it,
            false => it.to_ascii_lowercase(),
        }),
    };
    counted.unwrap_or_else(|| value.to_string())
}

/// a … z, aa … : there is no zero and nothing below it.
fn letters(value: i64, first: u8) -> Option<String> {
    let mut rest = u64::try_from(value).ok().filter(|it| *it > 0)?;
    let mut out = Vec::new();
    while rest > 0 {
        rest -= 1;
        out.push(first + u8::try_from(rest % 26).unwrap_or_default());
        rest /= 26;
    }
    out.reverse();
    String::from_utf8(out).ok()
}

/// Roman numerals reach from 1 to 3999.
fn roman(value: i64) -> Option<String> {
    const PARTS: [(i64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut rest = Some(value).filter(|it| (1..4000).contains(it))?;
    let mut out = String::new();
    for (worth, sign) in PARTS {
        while rest >= worth {
            out.push_str(sign);
            rest -= worth;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_a_browser_shows_them() {
        let shown_as = |value, style| shown(value, style);
        assert_eq!(shown_as(0, Style::Decimal), "0");
        assert_eq!(shown_as(-2, Style::Decimal), "-2");
        assert_eq!(shown_as(3, Style::Letters { is_upper: false }), "c");
        assert_eq!(shown_as(28, Style::Letters { is_upper: true }), "AB");
        assert_eq!(shown_as(0, Style::Letters { is_upper: true }), "0");
        assert_eq!(shown_as(14, Style::Roman { is_upper: false }), "xiv");
        assert_eq!(shown_as(4000, Style::Roman { is_upper: true }), "4000");
        assert_eq!(leading_integer(" 12px"), Some(12));
        assert_eq!(leading_integer("-7"), Some(-7));
        assert_eq!(leading_integer("x"), None);
    }
}
