//! Words that end in a full stop without ending a sentence: "No. 5", "e.g.", "U.S.", "Mr.".
//!
//! Judges one full stop from the word before and the word after it. Where both readings are
//! possible, the sentence goes on only if the next word does not look like a beginning.

/// Followed by a name or an example: the sentence always goes on.
const NEVER_LAST: &[&str] = &[
    "mr", "mrs", "ms", "mx", "dr", "prof", "messrs", "hon", "rev", "gen", "col", "capt", "lt",
    "sgt", "gov", "sen", "rep", "st", "mt", "fr", "e.g", "i.e", "eg", "ie", "cf", "viz", "vs", "v",
    "approx", "incl", "excl", "esp", "resp", "al",
];

/// Followed by a number: "No. 5", "Art. 12", "Sec. IV", "Jan. 3".
const BEFORE_NUMBER: &[&str] = &[
    "no", "nos", "art", "arts", "sec", "secs", "s", "ss", "para", "paras", "par", "cl", "cls",
    "reg", "regs", "sch", "p", "pp", "vol", "vols", "ch", "chap", "fig", "figs", "app", "ed",
    "eds", "tel", "ext", "rm", "apt", "ste", "pt", "pts", "max", "min", "approx", "ca", "c", "est",
    "ref", "fl", "blk", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct",
    "nov", "dec", "note", "ver", "div", "subsec", "subd", "stat", "u.s.c", "c.f.r",
];

/// Last in a sentence or before a name: the next word decides.
const EITHER: &[&str] = &[
    "inc", "ltd", "co", "corp", "llc", "plc", "bros", "jr", "sr", "esq", "dept", "dist", "assn",
    "ave", "blvd", "rd", "ph.d", "m.d", "b.a", "m.a", "j.d", "a.m", "p.m", "am", "pm", "mon",
    "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun", "hr", "hrs", "wk", "yr",
    "yrs", "mth", "ft", "lb", "oz", "qtr", "univ", "bldg", "govt", "intl", "natl",
];

/// Words that begin a sentence far more often than they stand inside a name.
const BEGINNINGS: &[&str] = &[
    "a",
    "all",
    "also",
    "an",
    "and",
    "any",
    "applicants",
    "as",
    "at",
    "before",
    "but",
    "by",
    "each",
    "every",
    "except",
    "first",
    "for",
    "from",
    "he",
    "here",
    "how",
    "however",
    "i",
    "if",
    "in",
    "it",
    "its",
    "many",
    "most",
    "no",
    "not",
    "note",
    "on",
    "once",
    "only",
    "or",
    "other",
    "otherwise",
    "our",
    "payment",
    "people",
    "persons",
    "please",
    "she",
    "since",
    "so",
    "some",
    "such",
    "that",
    "the",
    "their",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "under",
    "unless",
    "until",
    "use",
    "we",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "with",
    "without",
    "you",
    "your",
];

/// True where a letter behind these words is a name, not an initial: "Part A. The …".
const LETTERED: &[&str] = &[
    "part", "schedule", "category", "class", "group", "type", "form", "table", "appendix", "annex",
    "section", "plan", "level", "grade", "option", "step", "zone", "block", "item", "column",
    "box", "and", "or", "to", "than",
];

/// True where a full stop behind `word` ends no sentence. `word` has no full stop at its end;
/// `earlier` is the word before it, `next` the word after the stop, as they stand in the text.
pub fn goes_on_after_stop(earlier: &str, word: &str, next: &str) -> bool {
    let word = word.trim_start_matches(|it: char| !it.is_alphanumeric());
    let lower = word.to_ascii_lowercase();
    let starts_number = next.starts_with(|it: char| it.is_ascii_digit())
        || next.len() <= 6
            && next.starts_with(['I', 'V', 'X', 'A', 'B', 'C'])
            && is_reference(next);
    if NEVER_LAST.contains(&lower.as_str()) && !next.is_empty() {
        return true;
    }
    if starts_number && BEFORE_NUMBER.contains(&lower.as_str()) {
        return true;
    }
    if is_initial(word) {
        let names = LETTERED.iter().any(|it| it.eq_ignore_ascii_case(earlier));
        return !names && !is_beginning(next) && !next.is_empty();
    }
    if EITHER.contains(&lower.as_str()) || is_dotted(word) {
        return !next.is_empty() && !is_beginning(next);
    }
    false
}

/// True for words a sentence begins with.
pub fn is_beginning(word: &str) -> bool {
    let word = word.trim_end_matches(|it: char| !it.is_alphanumeric());
    let bare = word.split(['’', '\'']).next().unwrap_or(word);
    word.starts_with(char::is_uppercase)
        && BEGINNINGS.binary_search(&bare.to_ascii_lowercase().as_str()).is_ok()
}

fn is_initial(word: &str) -> bool {
    let mut chars = word.chars();
    matches!((chars.next(), chars.next()), (Some(it), None) if it.is_uppercase() && it != 'I')
}

/// "U.S", "D.C", "U.S.C": single letters with full stops between them.
fn is_dotted(word: &str) -> bool {
    word.contains('.')
        && word.split('.').all(|it| it.chars().count() == 1 && it.is_ascii())
        && word.chars().any(char::is_alphabetic)
}

/// "IV", "A12", "B": what may stand behind "No." or "Sec.".
fn is_reference(next: &str) -> bool {
    let bare = next.trim_end_matches(|it: char| !it.is_alphanumeric());
    bare.chars().all(|it| it.is_ascii_digit() || matches!(it, 'I' | 'V' | 'X'))
        || bare.len() > 1 && bare[1..].bytes().all(|it| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_are_sorted_for_the_search() {
        assert!(BEGINNINGS.is_sorted());
    }

    #[test]
    fn abbreviations_go_on_and_sentences_end() {
        for (earlier, word, next) in [
            ("see", "No", "5"),
            ("under", "Art", "12"),
            ("for", "e.g", "Chan"),
            ("the", "U.S", "Army"),
            ("", "Mr", "Chan"),
            ("", "J", "Wong"),
            ("at", "5 p.m".split(' ').nth(1).unwrap(), "Monday"),
            ("on", "Jan", "3,"),
            ("see", "Sec", "IV"),
            ("Harbour", "Ltd", "Trust"),
        ] {
            assert!(goes_on_after_stop(earlier, word, next), "{word}. {next}");
        }
        for (earlier, word, next) in [
            ("the", "office", "The"),
            ("taxable", "No", "You"),
            ("the", "U.S", "The"),
            ("5", "p.m", "If"),
            ("Part", "A", "You"),
            ("Harbour", "Ltd", "It"),
            ("the", "year", "5"),
            ("than", "I", "The"),
        ] {
            assert!(!goes_on_after_stop(earlier, word, next), "{word}. {next}");
        }
    }
}
