//! Names of items: slugs of headings in any script, and what tells repeats apart.

use std::collections::BTreeMap;

/// Longest slug, in characters; longer headings are cut, and repeats are numbered.
const LONGEST: usize = 60;

/// Letters and digits of any script in lower case, everything else as single hyphens:
/// `Who can apply?` is `who-can-apply`, `（一）申請資格` is `一-申請資格`.
pub fn slug(heading: &str) -> String {
    let mut out = String::new();
    let mut n_chars = 0;
    let mut a_hyphen_is_due = false;
    for it in heading.chars() {
        if matches!(it, '\'' | '’' | '\u{ad}' | '\u{200b}') {
            continue;
        }
        if !it.is_alphanumeric() {
            a_hyphen_is_due = !out.is_empty();
            continue;
        }
        if n_chars >= LONGEST {
            break;
        }
        if std::mem::take(&mut a_hyphen_is_due) {
            out.push('-');
            n_chars += 1;
        }
        out.extend(it.to_lowercase());
        n_chars += 1;
    }
    if out.is_empty() { "section".to_owned() } else { out }
}

/// Gives every item of a page its own key: the second `fees` is `fees~2`.
#[derive(Debug, Default)]
pub struct Keys {
    seen: BTreeMap<String, usize>,
}

impl Keys {
    /// `key`, or `key~2`, `key~3` in reading order. A heading cannot hold `~`, so no clash is left.
    pub fn name(&mut self, key: String) -> String {
        let n = self.seen.entry(key.clone()).or_default();
        *n += 1;
        if *n == 1 { key } else { format!("{key}~{n}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_work_in_both_languages() {
        assert_eq!(slug("Who can apply?"), "who-can-apply");
        assert_eq!(slug("What you’ll get"), "what-youll-get");
        assert_eq!(slug("申請資格及限額（二）"), "申請資格及限額-二");
        assert_eq!(slug("***"), "section");
        assert_eq!(slug(&"長".repeat(99)).chars().count(), LONGEST);
    }

    #[test]
    fn repeats_are_numbered_in_reading_order() {
        let mut keys = Keys::default();
        let mut name = |it: &str| keys.name(it.to_owned());
        assert_eq!([name("fees"), name("費用"), name("fees")], ["fees", "費用", "fees~2"]);
    }
}
