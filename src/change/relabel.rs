//! A quote that begins with its clause's own number, followed to the number the clause has today.
//!
//! Only for texts that are equal but for one stretch, the number. It never finds like words.

use crate::text::numbers::ordinal::is_numeral;
use crate::text::span::Span;

/// The one stretch in which two texts differ, and the places in it that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relabel {
    /// Bytes before it, equal in both.
    start: usize,
    old_end: usize,
    new_end: usize,
    /// Bounds of numbers and signs in the stretch, old and new; empty where they do not agree.
    bounds: Vec<(usize, usize)>,
}

impl Relabel {
    /// What stands between the common start and the common end of both texts.
    pub fn between(old: &str, new: &str) -> Self {
        let pairs = old.chars().zip(new.chars());
        let start: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let rest = (&old[start..], &new[start..]);
        let pairs = rest.0.chars().rev().zip(rest.1.chars().rev());
        let tail: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let (old_end, new_end) = (old.len() - tail, new.len() - tail);
        let bounds = bounds((&old[start..old_end], &new[start..new_end]), start);
        Self { start, old_end, new_end, bounds }
    }

    /// Where a span of the old text is in the new one; `None` where it begins or ends within a number
    /// or beside words that are others now.
    pub fn follow(&self, span: Span) -> Option<Span> {
        let today = |at: usize| {
            if at <= self.start {
                Some(at)
            } else if at >= self.old_end {
                Some(self.new_end + (at - self.old_end))
            } else {
                self.bounds.iter().find(|it| it.0 == at).map(|it| it.1)
            }
        };
        Some(Span::new(today(span.start)?, today(span.end)?))
    }
}

/// The bounds that both sides have, if they are the same but for their numbers: `3. 3` and `4. 4`.
fn bounds((old, new): (&str, &str), start: usize) -> Vec<(usize, usize)> {
    let (old, new) = (tokens(old), tokens(new));
    let is_same = |(a, b): (&&str, &&str)| a == b || is_number(a) && is_number(b);
    if old.len() != new.len() || !old.iter().zip(&new).all(is_same) {
        return Vec::new();
    }
    let (mut at, mut now) = (start, start);
    old.iter()
        .zip(&new)
        .map(|(a, b)| {
            at += a.len();
            now += b.len();
            (at, now)
        })
        .collect()
}

/// Runs of digits and numerals, and every other character alone.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = if is_digit(first) {
            rest.find(|it| !is_digit(it)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(len);
        found.push(token);
        rest = after;
    }
    found
}

fn is_digit(it: char) -> bool {
    it.is_numeric() || is_numeral(it)
}

fn is_number(token: &str) -> bool {
    token.chars().all(is_digit)
}

/// The words that begin as `old` does, begun as `new` does: `3. The fee` beside `3. The fee is $5`
/// and `4. The fee is $5` gives `4. The fee`. Other words stay as they are.
pub fn begun_alike(words: &str, old: &str, new: &str) -> String {
    let change = Relabel::between(old, new);
    let shared: usize =
        words.chars().zip(old.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    if shared == 0 || shared < change.old_end {
        return words.to_owned();
    }
    format!("{}{}", &new[..change.new_end], &words[change.old_end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed<'a>(old: &str, new: &'a str, quote: &str) -> Option<&'a str> {
        let at = old.find(quote).unwrap();
        Relabel::between(old, new).follow(Span::new(at, at + quote.len()))?.slice(new)
    }

    #[test]
    fn a_quote_follows_its_clause_in_both_languages() {
        let (old, new) = ("3. The fee is $50.", "12. The fee is $50.");
        assert_eq!(followed(old, new, "3. The fee is $50"), Some("12. The fee is $50"));
        assert_eq!(followed(old, new, "fee is $50"), Some("fee is $50"));
        let (old, new) = ("3. 3. The fee is $50.", "4. 4. The fee is $50.");
        let within = Span::new(3, old.len());
        let today = Relabel::between(old, new).follow(within).unwrap();
        assert_eq!(today.slice(new), Some("4. The fee is $50."));
        let (old, new) = ("第 9 條\n\n收費五十元。", "第 10 條\n\n收費五十元。");
        assert_eq!(followed(old, new, "收費五十元"), Some("收費五十元"));
        let (old, new) = ("（三）收費五十元。", "（四）收費五十元。");
        assert_eq!(followed(old, new, "（三）收費五十元"), Some("（四）收費五十元"));
    }

    #[test]
    fn a_part_of_the_number_is_no_quote() {
        let (old, new) = ("13. The fee is $50.", "24. The fee is $50.");
        assert_eq!(followed(old, new, "3. The fee"), None);
    }

    #[test]
    fn words_that_begin_with_the_number_get_the_number_of_today() {
        let (old, new) = ("3. The fee is $50", "4. The fee is $50");
        assert_eq!(begun_alike("3. The fee", old, new), "4. The fee");
        assert_eq!(begun_alike("The fee", old, new), "The fee");
        assert_eq!(begun_alike("申請人", old, new), "申請人");
        assert_eq!(begun_alike("三、申請人", "三、申請人應年滿", "四、申請人應年滿"), "四、申請人");
    }
}
