//! How high a row has to be for its text: programs do not agree on doing this by themselves.

use unicode_width::UnicodeWidthStr;

/// Points of one line of the cell font, and around the text.
const LINE_POINTS: f64 = 14.5;
const PADDING_POINTS: f64 = 4.0;
/// The highest row of the format.
const MOST_POINTS: f64 = 409.0;

/// The height in points for a row whose cells hold `cells`: each a width in characters and a text.
pub fn row_points<'a>(cells: impl Iterator<Item = (f64, &'a str)>) -> f64 {
    let lines = cells.map(|(width, text)| line_count(text, width)).max().unwrap_or(1);
    let lines = f64::from(u32::try_from(lines).unwrap_or(u32::MAX));
    (lines * LINE_POINTS + PADDING_POINTS).min(MOST_POINTS)
}

/// Lines that a text takes in a column, words kept whole, with a little room for wider fonts.
fn line_count(text: &str, width: f64) -> usize {
    /// Share of a line that text really fills: words break early, bold is wider.
    const FILL: f64 = 0.92;
    let room = (width * FILL).max(1.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive, below 300
    let room = room as usize;
    text.split('\n').map(|it| it.width().div_ceil(room).max(1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_text_takes_twice_the_room_and_no_row_outgrows_the_format() {
        let latin = row_points([(20.0, "a".repeat(40).as_str())].into_iter());
        let han = row_points([(20.0, "歲".repeat(40).as_str())].into_iter());
        assert!(latin < han);
        assert!(row_points([(20.0, "x".repeat(99_999).as_str())].into_iter()) <= 409.0);
    }
}
