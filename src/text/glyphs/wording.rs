//! A text without its layout: what stays the same when only heading levels and line breaks change.
//!
//! List marks, nesting, cells, digits and every sign stay: they carry meaning.

/// The text's words: heading marks and white space left out, but for that between two
/// digits.
pub fn wording(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut is_apart = false;
    for line in text.lines() {
        let inner = line.trim_start_matches(' ');
        let is_marked = inner.starts_with("- ") || inner.starts_with("| ");
        if is_marked {
            // Each item and row on its own, at its own depth.
            words.push('\n');
            words.push_str(&line[..line.len() - inner.len()]);
        }
        let inner = match inner.trim_start_matches('#') {
            heading if heading.len() < inner.len() && heading.starts_with(' ') => heading,
            _ => inner,
        };
        for it in inner.chars().chain(['\n']) {
            if it.is_whitespace() {
                is_apart = true;
                continue;
            }
            // White space between two digits tells 1 1/2 from 11/2.
            if is_apart && it.is_ascii_digit() && words.ends_with(|it: char| it.is_ascii_digit()) {
                words.push(' ');
            }
            is_apart = false;
            words.push(it);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_levels_and_line_breaks_are_layout() {
        let one = wording("# Fees\n\n## Who pays\n\nBerth holders pay. See the list.\n");
        assert_eq!(one, wording("# Fees\n\n#### Who pays\n\nBerth holders pay.\nSee the list."));
    }

    #[test]
    fn nesting_digits_signs_and_cells_are_not() {
        let all = [
            "- a\n  - b",
            "- a\n- b",
            "a b",
            "| a | b |",
            "Age ≥ 65",
            "Age ≤ 65",
            "$1.5 million",
            "$1,5 million",
            "5%",
            "−5%",
            "#1 priority",
            "1 priority",
            "1 1/2 years",
            "11/2 years",
        ];
        let wordings: std::collections::BTreeSet<String> =
            all.iter().map(|it| wording(it)).collect();
        assert_eq!(wordings.len(), all.len());
    }
}
