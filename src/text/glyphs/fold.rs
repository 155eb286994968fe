//! Presentation folding with a map back: two texts that print the same words compare equal.
//!
//! Four foldings, each a superset of the one before except where said:
//! - [`fold`]: white space of any kind and amount (none between East Asian characters), zero-width
//!   and soft-hyphen characters, marks of direction, the shape of quote marks and dashes, full and
//!   half width, ellipsis, ligatures, composed accents, radicals of PDF text;
//! - [`fold_case`]: letter case as well;
//! - [`fold_words`]: punctuation between words as well, so that only words, numbers and signs in
//!   their order are left;
//! - [`fold_script`]: what `fold` does, and traditional or simplified script.
//!
//! Nothing folds a digit into another, a sign, a decimal mark, `<>≥≤%$`, or one letter into another;
//! a dash that may be the sign of a number stays as it is. The text itself is never altered: what is
//! found is a range of the original bytes.

use memchr::memmem;

use crate::text::glyphs::glyph::{Glyph, fold_glyph, is_east_asian, join_accent};
use crate::text::glyphs::script::{are_same_word, simplify};
use crate::text::numbers::ordinal::is_numeral;
use crate::text::span::Span;

/// How much is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Folding {
    Presentation,
    Case,
    Words,
    Script,
}

/// A folded text with the way back to the bytes it came from.
#[derive(Clone, Debug)]
pub struct Folded<'a> {
    original: &'a str,
    text: String,
    runs: Vec<Run>,
    folding: Folding,
}

/// A stretch of the folded text: a copy of the original bytes, or one replacement.
#[derive(Clone, Copy, Debug)]
struct Run {
    folded: usize,
    from: usize,
    to: usize,
    is_copy: bool,
}

/// Folds presentation alone.
pub fn fold(text: &str) -> Folded<'_> {
    fold_as(text, Folding::Presentation)
}

/// Folds presentation and letter case.
pub fn fold_case(text: &str) -> Folded<'_> {
    fold_as(text, Folding::Case)
}

/// Folds presentation, letter case and the punctuation between words.
pub fn fold_words(text: &str) -> Folded<'_> {
    fold_as(text, Folding::Words)
}

/// Folds presentation and Chinese script.
pub fn fold_script(text: &str) -> Folded<'_> {
    fold_as(text, Folding::Script)
}

/// Folds as far as `folding` says, in linear time.
pub fn fold_as(text: &str, folding: Folding) -> Folded<'_> {
    let mut folder = Folder {
        folded: Folded {
            original: text,
            text: String::with_capacity(text.len()),
            runs: Vec::new(),
            folding,
        },
        gap: None,
        before: None,
    };
    let mut chars = text.char_indices().peekable();
    while let Some((at, it)) = chars.next() {
        let next = chars.peek().map(|it| it.1);
        folder.take(at, it, next);
    }
    folder.folded
}

impl<'a> Folded<'a> {
    /// The folded text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text that was folded.
    pub fn original(&self) -> &'a str {
        self.original
    }

    /// Every place, first to last and without overlap, whose folded form equals that of `quote`.
    /// Empty for a quote without visible characters. Linear in text and quote.
    pub fn find_all(&self, quote: &str) -> Vec<Span> {
        let wanted = fold_as(quote, self.folding);
        let needle = wanted.text.trim();
        if needle.is_empty() {
            return Vec::new();
        }
        memmem::find_iter(self.text.as_bytes(), needle.as_bytes())
            .filter_map(|at| self.original_span(Span::new(at, at + needle.len())))
            .filter(|it| self.says_the_same(*it, quote, needle))
            .collect()
    }

    /// True where the place alone folds to the needle: context on the page decided nothing.
    fn says_the_same(&self, place: Span, quote: &str, needle: &str) -> bool {
        let Some(slice) = place.slice(self.original) else { return false };
        if self.folding != Folding::Script {
            return fold_as(slice, self.folding).text.trim() == needle;
        }
        let (page, wanted) = (fold(slice), fold(quote));
        let (page, wanted) = (page.text.trim(), wanted.text.trim());
        page.chars().count() == wanted.chars().count()
            && page.chars().zip(wanted.chars()).all(|(one, two)| are_same_word(one, two))
    }

    /// The original bytes of a range of the folded text; `None` where it cuts a replacement.
    pub fn original_span(&self, folded: Span) -> Option<Span> {
        if folded.is_empty() || folded.end > self.text.len() {
            return None;
        }
        let first = self.run_at(folded.start)?;
        let last = self.run_at(folded.end - 1)?;
        let start = match first.is_copy {
            true => first.from + (folded.start - first.folded),
            false => (first.folded == folded.start).then_some(first.from)?,
        };
        let end = match last.is_copy {
            true => last.from + (folded.end - last.folded),
            false => (self.end_of(last) == folded.end).then_some(last.to)?,
        };
        (start < end).then(|| Span::new(start, end))
    }

    fn run_at(&self, folded: usize) -> Option<Run> {
        let after = self.runs.partition_point(|it| it.folded <= folded);
        after.checked_sub(1).map(|at| self.runs[at])
    }

    fn end_of(&self, run: Run) -> usize {
        let after = self.runs.partition_point(|it| it.folded <= run.folded);
        self.runs.get(after).map_or(self.text.len(), |it| it.folded)
    }
}

struct Folder<'a> {
    folded: Folded<'a>,
    /// White space, or punctuation that counts as such, since the last visible character.
    gap: Option<Gap>,
    /// The last visible character of the original.
    before: Option<char>,
}

#[derive(Clone, Copy)]
struct Gap {
    from: usize,
    to: usize,
    is_mark: bool,
}

impl Folder<'_> {
    fn take(&mut self, at: usize, it: char, next: Option<char>) {
        let end = at + it.len_utf8();
        let words = self.folded.folding == Folding::Words;
        match fold_glyph(it) {
            Glyph::Nothing => {}
            Glyph::Space => self.widen_gap(at, end, false),
            Glyph::Text(dots) if words && dots.starts_with('.') => self.widen_gap(at, end, true),
            Glyph::Text(text) => {
                self.close_gap(it);
                self.push(text, at, end);
                self.before = Some(it);
            }
            Glyph::Char(to) => {
                if let Some(joined) = self.before.and_then(|before| join_accent(before, it)) {
                    self.replace_last(joined, end);
                    return;
                }
                let to = if self.may_be_a_sign(it, next) { it } else { to };
                if words && self.is_loose_mark(to, next) {
                    self.widen_gap(at, end, true);
                    return;
                }
                self.close_gap(it);
                let mut buffer = [0; 4];
                self.push(self.folded.folding.letter(to).encode_utf8(&mut buffer), at, end);
                self.before = Some(it);
            }
        }
    }

    /// A long dash just before a digit with no letter or digit before it: dash or minus, nobody
    /// knows, so it is left alone.
    fn may_be_a_sign(&self, it: char, next: Option<char>) -> bool {
        matches!(it, '‒' | '–' | '—' | '―' | '⸺')
            && next.is_some_and(|it| it.is_ascii_digit())
            && (self.gap.is_some() || !self.before.is_some_and(char::is_alphanumeric))
    }

    /// Punctuation that carries no word: not inside a number, not inside a word, no sign.
    fn is_loose_mark(&self, it: char, next: Option<char>) -> bool {
        let before = self.before.filter(|_| self.gap.is_none());
        let is_digit = |it: Option<char>| {
            it.is_some_and(|it| it.is_ascii_digit() || matches!(it, '０'..='９'))
        };
        let is_letter = |it: Option<char>| it.is_some_and(char::is_alphabetic);
        match it {
            '.' => !is_digit(next) || (before.is_some() && !is_digit(before)),
            ',' | ':' => !(is_digit(before) && is_digit(next)),
            '\'' => !(is_letter(before) && is_letter(next)),
            '-' => !is_digit(next),
            '"' | '`' | ';' | '!' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '·' | '。'
            | '、' | '《' | '》' | '〈' | '〉' | '【' | '】' | '〔' | '〕' => true,
            _ => false,
        }
    }

    fn widen_gap(&mut self, from: usize, to: usize, is_mark: bool) {
        let gap = self.gap.get_or_insert(Gap { from, to, is_mark });
        gap.to = to;
        gap.is_mark |= is_mark;
    }

    /// Writes the white space before `it`, where it counts.
    fn close_gap(&mut self, it: char) {
        let Some(gap) = self.gap.take() else { return };
        let Some(before) = self.before else { return };
        let layout = is_east_asian(before) || is_east_asian(it);
        let parts_numbers = gap.is_mark && is_numeral(before) && is_numeral(it);
        if !layout || parts_numbers {
            self.push(" ", gap.from, gap.to);
        }
    }

    fn push(&mut self, text: &str, from: usize, to: usize) {
        let folded = &mut self.folded;
        let is_copy = folded.original.get(from..to) == Some(text);
        let at = folded.text.len();
        folded.text.push_str(text);
        match folded.runs.last_mut() {
            Some(last) if last.is_copy && is_copy && last.to == from => last.to = to,
            _ => folded.runs.push(Run { folded: at, from, to, is_copy }),
        }
    }

    /// Puts a letter with its accent in place of the letter written last.
    fn replace_last(&mut self, joined: char, end: usize) {
        let folded = &mut self.folded;
        let Some(last) = folded.text.pop() else { return };
        let at = folded.text.len();
        let mut from = 0;
        if let Some(run) = folded.runs.last_mut() {
            from = if run.is_copy { run.to - last.len_utf8() } else { run.from };
            run.to = from;
            if run.folded == at {
                folded.runs.pop();
            }
        }
        folded.text.push(folded.folding.letter(joined));
        folded.runs.push(Run { folded: at, from, to: end, is_copy: false });
        self.before = Some(joined);
    }
}

impl Folding {
    fn letter(self, it: char) -> char {
        match self {
            Folding::Presentation => it,
            Folding::Script => simplify(it),
            Folding::Case | Folding::Words => {
                let mut lower = it.to_lowercase();
                match (lower.next(), lower.next()) {
                    (Some(one), None) => one,
                    _ => it,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slice of `page` that `quote` is found at under a folding.
    fn found<'a>(page: &'a str, quote: &str, folding: Folding) -> Vec<&'a str> {
        let places = fold_as(page, folding).find_all(quote).into_iter();
        places.map(|it| it.slice(page).unwrap()).collect()
    }

    #[test]
    fn presentation_is_folded_and_the_page_keeps_its_bytes() {
        let cases = [
            ("The tenant’s co‑owner signs.", "tenant's co-owner", "tenant’s co‑owner"),
            ("Payment is made\n  within 10 days.", "made within 10", "made\n  within 10"),
            ("津貼\u{200B}每季發放。", "津貼每季發放", "津貼\u{200B}每季發放"),
            ("申請人須年滿 65 歲。", "須年滿65歲", "須年滿 65 歲"),
            ("（一）收入：１２００元", "(一)收入:1200元", "（一）收入：１２００元"),
            ("a bene\u{AD}fit of £30", "benefit of £30", "bene\u{AD}fit of £30"),
            ("the oﬃce pays…", "office pays...", "oﬃce pays…"),
            ("香港居⺠⻑者", "香港居民長者", "香港居⺠⻑者"),
            ("aged 18–25 only", "aged 18-25", "aged 18–25"),
            ("稱為「長者」者", "稱為“長者”者", "稱為「長者」者"),
            ("cafe\u{301} owners", "café owners", "cafe\u{301} owners"),
            ("minus −5 degrees", "minus -5", "minus −5"),
        ];
        for (page, quote, slice) in cases {
            assert_eq!(found(page, quote, Folding::Presentation), [slice], "{quote}");
        }
    }

    #[test]
    fn other_words_numbers_and_signs_are_never_found() {
        for (page, quote) in [
            ("income must be < 10,000", "income must be > 10,000"),
            ("a fee of 1,500", "a fee of 1.500"),
            ("an area of 5 m²", "an area of 5 m2"),
            ("minus −5 degrees", "minus 5 degrees"),
            ("Fee –5", "Fee -5"),
            ("年滿六十五歲", "年滿65歲"),
            ("①身分證", "1身分證"),
            ("10 000 people", "10000 people"),
            ("the oﬃce", "the of"),
            ("pay 10% now", "pay 10 now"),
            ("cafe\u{301}", "cafe"),
        ] {
            for folding in [Folding::Presentation, Folding::Case, Folding::Words, Folding::Script] {
                assert!(found(page, quote, folding).is_empty(), "{quote} {folding:?}");
            }
        }
    }

    #[test]
    fn case_and_punctuation_are_levels_of_their_own() {
        let page = "You can claim:\nfrom firms, shops and ‘private’ people. Over 1,200.5 days";
        assert!(found(page, "you can claim", Folding::Presentation).is_empty());
        assert_eq!(found(page, "you can claim", Folding::Case), ["You can claim"]);
        assert_eq!(
            found(page, "You can claim from firms, shops, and private people", Folding::Words),
            ["You can claim:\nfrom firms, shops and ‘private’ people"]
        );
        assert!(found(page, "1 200.5", Folding::Words).is_empty());
        assert!(found("甲、乙十、五", "乙十五", Folding::Words).is_empty());
        assert_eq!(
            found("須年滿，並持有證件", "須年滿並持有證件", Folding::Words),
            ["須年滿，並持有證件"]
        );
    }

    #[test]
    fn scripts_meet_but_lookalikes_do_not() {
        let page = "申請人須連續居港滿七年，並持有長者卡。理髮師";
        assert_eq!(
            found(page, "申请人须连续居港满七年", Folding::Script),
            ["申請人須連續居港滿七年"]
        );
        assert!(found(page, "理發師", Folding::Script).is_empty());
        assert_eq!(found(page, "理发师", Folding::Script), ["理髮師"]);
        assert!(found(page, "申请人须连续居港满八年", Folding::Script).is_empty());
    }

    #[test]
    fn every_place_is_found() {
        assert_eq!(fold("a  b a\u{A0}b ab").find_all("a b"), [Span::new(0, 4), Span::new(5, 9)]);
        assert!(fold("text").find_all(" \u{200B}").is_empty());
    }
}
