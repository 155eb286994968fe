//! Text for a CSV cell that no spreadsheet runs as a formula, and the way back to the same text.
//!
//! An apostrophe is put before what would be run, and before what would be taken for such a cell;
//! nothing is ever taken out of a text.

/// A cell as it may stand in a CSV file: nothing that a spreadsheet runs as a formula.
pub fn neutralise(text: &str) -> String {
    if is_risky(text) { format!("'{text}") } else { text.to_owned() }
}

/// Takes the apostrophe of [`neutralise`] away again; any other text stays as it is.
pub fn restore(text: &str) -> String {
    match text.strip_prefix('\'') {
        Some(rest) if is_risky(rest) => rest.to_owned(),
        _ => text.to_owned(),
    }
}

/// True for what a spreadsheet may run, and for what would be taken for neutralised text.
fn is_risky(text: &str) -> bool {
    let rest = text.trim_start_matches('\'');
    rest.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_neutralised_comes_back_identical() {
        for text in [
            "=HYPERLINK(\"http://evil.example\",\"x\")",
            "+886 2 1234",
            "-5",
            "@SUM(A1)",
            "'=quoted",
            "''-twice",
            "'plain",
            "plain",
            "",
            "＝１＋１",
            "\t=tab",
            "'",
        ] {
            let written = neutralise(text);
            assert_eq!(restore(&written), text);
            assert!(!written.starts_with(['=', '+', '-', '@', '\t', '\r']), "{written}");
        }
    }
}
