//! The known word nearest to an unknown one; never a guess that shares little with it.

/// The candidate nearest to `word`, if one is near enough to be meant.
///
/// Case, `-` for `_` and full-width letters do not count as differences; otherwise at most one edit
/// (a letter more, less, other, or two swapped) in three letters.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word);
    if word.is_empty() || word.len() > 64 {
        return None;
    }
    candidates
        .into_iter()
        .map(|it| (distance(&word, &folded(it)), it))
        .filter(|(edits, it)| *edits <= allowed(word.len().max(it.chars().count())))
        .min()
        .map(|(_, it)| it)
}

/// `a, b and c`, for a message.
pub fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match words.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

fn allowed(len: usize) -> usize {
    (len / 3).clamp(1, 3)
}

fn folded(word: &str) -> Vec<char> {
    word.trim()
        .chars()
        .map(|c| match c {
            '！'..='～' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
            _ => c,
        })
        .map(|c| if c == '-' || c == ' ' { '_' } else { c.to_ascii_lowercase() })
        .collect()
}

/// Edits between two words, a swap of neighbours counted as one.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && *x == b[j - 1] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 6] =
        ["title", "language", "max_pages", "max_bytes", "timeout_s", "publisher"];

    #[test]
    fn a_slip_of_the_hand_finds_its_key() {
        for (typed, meant) in [
            ("titel", "title"),
            ("Title", "title"),
            ("langauge", "language"),
            ("max-pages", "max_pages"),
            ("timeout", "timeout_s"),
            ("publischer", "publisher"),
            ("ｔｉｔｌｅ", "title"),
        ] {
            assert_eq!(nearest(typed, KEYS), Some(meant), "{typed}");
        }
    }

    #[test]
    fn a_word_of_another_kind_finds_none() {
        for typed in ["", "zzz", "標題", "robots", &"x".repeat(1_000)] {
            assert_eq!(nearest(typed, KEYS), None, "{typed}");
        }
    }
}
