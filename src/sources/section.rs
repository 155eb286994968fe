//! One table of a configuration file, read key by key; a wrong value is noted and reading goes on.

use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::sources::document::{kind_of, names_a_secret};
use crate::sources::mistakes::{Mistake, Mistakes};
use crate::sources::suggest::{listed, nearest};
use crate::text::numbers::grouping::thousands_apart;

/// A table with its place.
#[derive(Clone, Debug)]
pub struct Section<'s, 't> {
    /// `politeness`, `fields[2]`; empty for the file's own keys.
    pub path: String,
    /// Where to point when a key is missing.
    pub header: Range<usize>,
    pub table: &'s DeTable<'t>,
}

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Found<T> {
    /// The value.
    pub value: T,
    /// Its bytes in the file.
    pub at: Range<usize>,
    /// Its key, `fields[2].unit`.
    pub key: String,
}

impl<T> Found<T> {
    /// A mistake about this value.
    pub fn mistake(&self, expected: &str, found: impl Into<String>, help: &str) -> Mistake {
        Mistake {
            key: self.key.clone(),
            expected: expected.to_owned(),
            found: found.into(),
            help: (!help.is_empty()).then(|| help.to_owned()),
            is_secret: false,
        }
    }
}

impl<'s, 't> Section<'s, 't> {
    /// The file's own keys.
    pub fn root(tree: &'s Spanned<DeTable<'t>>) -> Self {
        Self { path: String::new(), header: 0..0, table: tree.get_ref() }
    }

    /// `key` with the path of its section before it.
    pub fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// The value of `key` as it stands, if it is there.
    pub fn value(&self, key: &str) -> Option<Found<&'s DeValue<'t>>> {
        let value = self.table.get(key)?;
        Some(Found { value: value.get_ref(), at: value.span(), key: self.key(key) })
    }

    /// Where the value of `key` stands; the section's header where it is not there.
    pub fn place_of(&self, key: &str) -> Range<usize> {
        self.value(key).map_or_else(|| self.header.clone(), |it| it.at)
    }

    /// Text.
    pub fn text(&self, key: &str, mistakes: &mut Mistakes<'_>) -> Option<Found<&'s str>> {
        let found = self.value(key)?;
        as_text(&found, mistakes)
    }

    /// A list of texts; members of another kind are noted and left out.
    pub fn texts(&self, key: &str, mistakes: &mut Mistakes<'_>) -> Option<Vec<Found<&'s str>>> {
        let found = self.value(key)?;
        let DeValue::Array(items) = found.value else {
            let help = match found.value {
                DeValue::String(it) => format!("write {key} = [{:?}]", it.as_ref()),
                _ => String::new(),
            };
            let mistake = found.mistake("a list of texts", kind_of(found.value), &help);
            mistakes.add(found.at, mistake);
            return None;
        };
        Some(members(items, &found.key).filter_map(|it| as_text(&it, mistakes)).collect())
    }

    /// A whole number within `range`.
    pub fn number(
        &self,
        key: &str,
        range: &RangeInclusive<u64>,
        mistakes: &mut Mistakes<'_>,
    ) -> Option<Found<u64>> {
        let found = self.value(key)?;
        let expected = format!(
            "a whole number from {} to {}",
            thousands_apart(&range.start().to_string()),
            thousands_apart(&range.end().to_string())
        );
        let DeValue::Integer(it) = found.value else {
            let help = match found.value {
                DeValue::String(it) if it.trim().parse::<u64>().is_ok() => {
                    format!("write {key} = {} without quotes", it.trim())
                }
                _ => String::new(),
            };
            mistakes.add(found.at.clone(), found.mistake(&expected, kind_of(found.value), &help));
            return None;
        };
        match u64::from_str_radix(it.as_str(), it.radix()) {
            Ok(n) if range.contains(&n) => Some(Found { value: n, at: found.at, key: found.key }),
            _ => {
                mistakes.add(found.at.clone(), found.mistake(&expected, format!("{it}"), ""));
                None
            }
        }
    }

    /// True or false.
    pub fn truth(&self, key: &str, mistakes: &mut Mistakes<'_>) -> Option<Found<bool>> {
        let found = self.value(key)?;
        if let DeValue::Boolean(value) = found.value {
            return Some(Found { value: *value, at: found.at, key: found.key });
        }
        let mistake = found.mistake("true or false", kind_of(found.value), "without quotes");
        mistakes.add(found.at, mistake);
        None
    }

    /// A table below this one.
    pub fn section(&self, key: &str, mistakes: &mut Mistakes<'_>) -> Option<Section<'s, 't>> {
        let found = self.value(key)?;
        if let DeValue::Table(table) = found.value {
            return Some(Section { path: found.key, header: found.at, table });
        }
        let help = format!("write a line [{}] and its keys below it", found.key);
        mistakes.add(found.at.clone(), found.mistake("a table", kind_of(found.value), &help));
        None
    }

    /// The tables of a `[[key]]` list.
    pub fn sections(
        &self,
        key: &str,
        mistakes: &mut Mistakes<'_>,
    ) -> Option<Found<Vec<Section<'s, 't>>>> {
        let found = self.value(key)?;
        let help = format!("write a line [[{}]] above each entry", found.key);
        let DeValue::Array(items) = found.value else {
            let mistake = found.mistake("a list of tables", kind_of(found.value), &help);
            mistakes.add(found.at, mistake);
            return None;
        };
        let mut sections = Vec::new();
        for item in members(items, &found.key) {
            if let DeValue::Table(table) = item.value {
                sections.push(Section { path: item.key, header: item.at, table });
            } else {
                mistakes.add(item.at.clone(), item.mistake("a table", kind_of(item.value), &help));
            }
        }
        Some(Found { value: sections, at: found.at, key: found.key })
    }

    /// Notes a key that has to be there and is not.
    pub fn missing(&self, key: &str, what: &str, mistakes: &mut Mistakes<'_>) {
        mistakes.add(
            self.header.clone(),
            Mistake {
                key: self.key(key),
                expected: format!("the key `{key}`: {what}"),
                found: "no such key".to_owned(),
                ..Mistake::default()
            },
        );
    }

    /// Notes each key that is not in `known`, and returns the absent ones that seem to be meant.
    /// `elsewhere` says where a key of another section belongs, or what another program's word is
    /// called here.
    pub fn only(
        &self,
        known: &[&'static str],
        elsewhere: impl Fn(&str) -> Option<String>,
        mistakes: &mut Mistakes<'_>,
    ) -> Vec<&'static str> {
        let mut meant = Vec::new();
        let absent: Vec<&'static str> =
            known.iter().copied().filter(|it| self.value(it).is_none()).collect();
        for key in self.table.keys() {
            let word = key.get_ref().as_ref();
            if known.contains(&word) {
                continue;
            }
            if mistakes.is_full() {
                mistakes.add(key.span(), Mistake::default());
                continue;
            }
            let near = nearest(word, absent.iter().copied());
            meant.extend(near);
            let near = near
                .or_else(|| nearest(word, known.iter().copied()))
                .map(|it| format!("did you mean `{it}`?"));
            mistakes.add(
                key.span(),
                Mistake {
                    key: self.path.clone(),
                    expected: format!("one of the keys {}", listed(known.iter().copied())),
                    found: format!("`{}`", shortened(word)),
                    help: elsewhere(word).or(near),
                    is_secret: names_a_secret(word),
                },
            );
        }
        meant
    }

    /// The keys that stand in the table, with their places.
    pub fn keys(&self) -> impl Iterator<Item = Found<&'s str>> {
        self.table.keys().map(|it| Found {
            value: it.get_ref().as_ref(),
            at: it.span(),
            key: self.key(it.get_ref()),
        })
    }
}

/// A value's text for a message: one line, not long.
pub fn shortened(text: &str) -> String {
    let mut shown: String =
        text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(60).is_some() {
        shown.push('…');
    }
    shown
}

fn members<'s, 't>(
    items: &'s DeArray<'t>,
    key: &str,
) -> impl Iterator<Item = Found<&'s DeValue<'t>>> {
    items.iter().enumerate().map(move |(n, it)| Found {
        value: it.get_ref(),
        at: it.span(),
        key: format!("{key}[{}]", n + 1),
    })
}

fn as_text<'s>(
    found: &Found<&'s DeValue<'_>>,
    mistakes: &mut Mistakes<'_>,
) -> Option<Found<&'s str>> {
    if let DeValue::String(it) = found.value {
        return Some(Found { value: it.as_ref(), at: found.at.clone(), key: found.key.clone() });
    }
    let mistake = found.mistake("text in quotes", kind_of(found.value), "");
    mistakes.add(found.at.clone(), mistake);
    None
}
