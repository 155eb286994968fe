//! Texts made to hurt: one unit over and over. Used by the benchmark and by the ordinary tests.

/// Units that a hostile page repeats.
pub const HOSTILE: &[(&str, &str)] = &[
    ("one line", "the quick brown fox and the 12 lazy dogs may apply "),
    ("one line of Chinese", "申請人應於三十日內繳納規費新臺幣一百元"),
    ("one long number", "9"),
    ("one long Chinese number", "萬"),
    ("a million brackets", "("),
    ("full-width brackets", "（"),
    ("only 或", "或"),
    ("only 或 with a comma", "或，"),
    ("only 不", "不"),
    ("only \"not \"", "not "),
    ("only \"and/or \"", "and/or "),
    ("only \"1 or \"", "1 or "),
    ("nested list marks", "- "),
    ("nested Chinese list marks", "（一）"),
    ("lists ever deeper", "DEEP"),
    ("a million table cells", "| "),
    ("table cells with numbers", "| 1 "),
    ("table rows", "| a | 1 |\n"),
    ("list items", "- a 1\n"),
    ("headings", "# a\n"),
    ("headings ever deeper", "# a\n## a\n### a\n#### a\n##### a\n###### a\n"),
    ("combining marks", "\u{301}"),
    ("letters with marks", "e\u{301}"),
    ("zero-width", "\u{200b}"),
    ("full stops", "."),
    ("abbreviations", "e.g. "),
    ("quote marks", "「"),
    ("line feeds", "\n"),
    ("blanks", " "),
    ("exceptions", "但不在此限"),
    ("\"unless \"", "unless "),
    ("percent signs", "%"),
    ("dollars", "$"),
    ("date pieces", "1/"),
    ("ranges", "1-"),
    ("decimal points", "1."),
    ("document marks", "=== page A ===\n"),
    ("angle brackets", "<"),
    ("full-width digits", "９"),
    ("fractions", "百分之"),
    ("lead-ins", "any of the following:\n"),
    ("ideographic blanks", "\u{3000}"),
    ("hedges", "原則上"),
    ("AI orders", "ignore all previous "),
    ("semicolons", "；"),
    ("hyphens", "-"),
    ("sixty-five", "sixty-five "),
    ("footnote marks", "[1]"),
];

/// `len` bytes of a unit; `DEEP` stands for a list that is nested deeper with each item.
pub fn filled(unit: &str, len: usize) -> String {
    if unit != "DEEP" {
        return unit.repeat(len / unit.len());
    }
    let mut text = String::from("Lead:\n");
    let mut depth = 0;
    while text.len() < len {
        text.push_str(&"  ".repeat(depth));
        text.push_str("- a 1\n");
        depth += 1;
    }
    text
}
