//! What the header of a table's column counts in: （萬元）, "($000)", "(%)", 單位：千元 above the table.
//!
//! Silent where a cell names its own unit, and where the row states none: then the number is as it stands.

use rust_decimal::Decimal;

use crate::gate::places::stand::Stand;
use crate::gate::values::number::{Sighting, numbers_in_quote};
use crate::gate::values::value::{SCALES, unit_of};
use crate::text::amounts::unit::{Family, Unit, parse_unit};
use crate::text::span::Span;

/// What the numbers of a column are counted in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Money, a share or a length of time, where the header names one.
    pub unit: Option<Unit>,
    pub scale: Decimal,
}

/// How the row's number stands to the cells whose headers count.
#[derive(Default)]
pub struct Headed<'s> {
    /// Cells that are worth what the row states.
    pub fits: Vec<Sighting<'s>>,
    /// True where the number stands in a cell, but is counted in something else there.
    pub is_counted_otherwise: bool,
}

/// The cells of the quote in which the row's number may stand, by what their headers say.
pub fn headed<'s>(stand: &'s Stand, number: Decimal) -> Headed<'s> {
    let mut found = Headed::default();
    let Some((unit, factor)) = unit_of(stand.claim).filter(|_| stand.is_in_table()) else {
        return found;
    };
    let Some(stated) = number.checked_mul(factor) else { return found };
    let mut is_elsewhere = false;
    for token in numbers_in_quote(stand) {
        let own =
            stand.readings.quantities.iter().find(|it| {
                !it.implied && it.numbers.iter().any(|number| number.span == token.span)
            });
        let heading = if own.is_some_and(|it| it.unit.is_some()) {
            None
        } else {
            heading_above(stand, token.span)
        };
        let Some(heading) = heading else {
            is_elsewhere |= token.value == number;
            continue;
        };
        let agrees = heading.unit.as_ref().is_none_or(|it| !differ(&unit, it));
        let worth = token.value.checked_mul(heading.scale);
        if worth == Some(stated) && agrees {
            found.fits.push(Sighting { span: token.span, quantity: own });
        } else if token.value == number || worth == Some(stated) {
            found.is_counted_otherwise = true;
        }
    }
    found.is_counted_otherwise &= !is_elsewhere && found.fits.is_empty();
    found
}

/// True for units of money, shares and time that cannot be the unit of one statement.
fn differ(stated: &Unit, header: &Unit) -> bool {
    let is_known = |it: &Unit| is_measure(it.family);
    is_known(stated) && is_known(header) && !stated.agrees_with(header)
}

fn is_measure(family: Family) -> bool {
    matches!(family, Family::Money | Family::Percent | Family::Duration | Family::Age)
}

/// What the header above a number counts in, or the line above the table. `at` counts in the context.
fn heading_above(stand: &Stand, at: Span) -> Option<Heading> {
    let outline = stand.page.outline();
    let cell = outline.cell_at(at.start + stand.context.start)?;
    let header = outline.column_header(cell).map(|it| stand.page.slice(it));
    let title = || stand.table_title().and_then(|it| caption_of(stand.page.slice(it)));
    header.and_then(heading_of).or_else(title)
}

/// What a header counts in: its last bracket, what stands behind a colon or a comma, or all of it.
fn heading_of(header: &str) -> Option<Heading> {
    const LONGEST: usize = 200;
    if LONGEST < header.len() {
        return None;
    }
    let bracket = header.rfind(['(', '（']).and_then(|at| {
        let inside = header[at..].trim_start_matches(['(', '（']);
        inside.find([')', '）']).map(|end| &inside[..end])
    });
    let tail = || {
        let by_mark = header.rsplit_once([':', '：', '，']);
        by_mark.or_else(|| header.rsplit_once(", ")).map(|it| it.1)
    };
    let part = bracket.or_else(tail).unwrap_or(header);
    counted_in(part).or_else(|| {
        let (_, words) = part.rsplit_once(" in ")?;
        counted_in(words)
    })
}

/// A line above a table that says what all of it counts in: 單位：新臺幣千元, "(in thousands of dollars)".
fn caption_of(line: &str) -> Option<Heading> {
    const LONGEST: usize = 90;
    const OPENINGS: [&str; 8] =
        ["單位", "单位", "unit", "units", "in ", "amounts in", "figures in", "all amounts in"];
    let line = line.trim_matches(['(', ')', '（', '）', '[', ']', ' ', '*', '.']);
    let lower = line.to_ascii_lowercase();
    let opening = OPENINGS.iter().filter(|it| lower.starts_with(**it)).max_by_key(|it| it.len())?;
    let words = line.get(opening.len()..).filter(|_| line.len() <= LONGEST)?;
    counted_in(words.trim_start_matches(['：', ':', ' ']))
}

/// "$000", "£ million", "thousands of dollars", 新臺幣千元, "%", 年: a unit, a scale or both, and nothing
/// else. Words with numbers in them are values.
fn counted_in(words: &str) -> Option<Heading> {
    let words = words.trim().trim_start_matches("單位").trim_start_matches(['：', ':', ' ']);
    let (scale, rest) = scale_of(words).unwrap_or((Decimal::ONE, words.to_owned()));
    let rest = rest.trim();
    let has_number = rest.chars().any(char::is_numeric)
        || rest.contains(['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '百', '零']);
    let unit = parse_unit(rest).filter(|it| is_measure(it.family));
    let is_bare = rest.is_empty() && scale != Decimal::ONE;
    (!has_number && (unit.is_some() || is_bare)).then_some(Heading { unit, scale })
}

/// The scale that stands anywhere in the words, and the words without it.
fn scale_of(words: &str) -> Option<(Decimal, String)> {
    let lower = words.to_ascii_lowercase();
    let cut = |at: usize, len: usize| {
        let rest = format!("{} {}", &words[..at], &words[at + len..]);
        rest.replace(" of ", " ").replace(['\'', '’'], "").trim().to_owned()
    };
    if let Some(at) = lower.find("000") {
        let len = if lower[at + 3..].starts_with('s') { 4 } else { 3 };
        let is_alone = !lower[..at].ends_with(|it: char| it.is_ascii_digit() || it == ',');
        return is_alone.then(|| (Decimal::from(1_000), cut(at, len)));
    }
    // "£m", "HK$ bn", "$k".
    for (short, factor) in [("m", 1_000_000), ("bn", 1_000_000_000), ("k", 1_000)] {
        let front = lower.strip_suffix(short).map(str::trim_end);
        if let Some(front) = front.filter(|it| it.ends_with(['$', '£', '€', '¥'])) {
            return Some((Decimal::from(factor), words[..front.len()].to_owned()));
        }
    }
    let (word, factor) = SCALES.iter().find(|it| lower.contains(it.0))?;
    let at = lower.find(word)?;
    let len = if lower[at + word.len()..].starts_with('s') { word.len() + 1 } else { word.len() };
    if word.is_ascii() {
        return Some((Decimal::from(*factor), cut(at, len)));
    }
    Some((Decimal::from(*factor), format!("{}{}", &words[..at], &words[at + len..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_what_their_columns_count_in() {
        for (header, family, scale) in [
            ("核定金額（仟元）", Some(Family::Money), 1_000),
            ("貸款額度上限（萬元）", Some(Family::Money), 10_000),
            ("補助金額（新臺幣元／月）", Some(Family::Money), 1),
            ("利息補貼期間（年）", Some(Family::Duration), 1),
            ("补助金额（万元）", Some(Family::Money), 10_000),
            ("自付額：千元", Some(Family::Money), 1_000),
            ("Grant ($000)", Some(Family::Money), 1_000),
            ("Grant (£'000s)", Some(Family::Money), 1_000),
            ("Budget (£m)", Some(Family::Money), 1_000_000),
            ("Budget (HK$ million)", Some(Family::Money), 1_000_000),
            ("Income in thousands of dollars", Some(Family::Money), 1_000),
            ("Share of cost (%)", Some(Family::Percent), 1),
            ("Time limit (days)", Some(Family::Duration), 1),
            ("Catch (thousands)", None, 1_000),
        ] {
            let found = heading_of(header).unwrap_or_else(|| panic!("{header}"));
            let unit = found.unit.map(|it| it.family);
            assert_eq!((unit, found.scale), (family, Decimal::from(scale)), "{header}");
        }
        for header in [
            "船型",
            "Boat",
            "Grade (see note 2)",
            "三萬元以下",
            "Income over $20,000",
            "備註（如有）",
        ] {
            assert_eq!(heading_of(header), None, "{header}");
        }
    }

    #[test]
    fn a_line_above_the_table_may_say_it_for_all_columns() {
        for line in
            ["單位：新臺幣千元", "（單位：千元）", "(in thousands of dollars)", "Unit: $000"]
        {
            let scale = caption_of(line).map(|it| it.scale);
            assert_eq!(scale, Some(Decimal::from(1_000)), "{line}");
        }
        for line in ["單位主管應簽章。", "In some cases you may wait.", "The table shows fees."]
        {
            assert_eq!(caption_of(line), None, "{line}");
        }
    }
}
