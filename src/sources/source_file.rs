//! One `sources/<id>.toml`, checked key by key and then read into a `Source`; never half of one.

use toml::de::DeValue;
use url::Url;

use crate::model::source::Source;
use crate::sources::address::{
    check_address, check_host, check_listing, check_pattern, check_selector, check_sitemap,
};
use crate::sources::document::{kind_of, read_tree};
use crate::sources::field_list::{FIELD_KEYS, check_fields};
use crate::sources::label::{check_label, is_id};
use crate::sources::language::check_language;
use crate::sources::mistakes::{Mistake, Mistakes};
use crate::sources::problem::Problem;
use crate::sources::section::{Found, Section, shortened};
use crate::sources::suggest::{listed, nearest};

const KEYS: &[&str] = &[
    "id",
    "title",
    "publisher",
    "language",
    "start",
    "sitemaps",
    "allow",
    "deny",
    "follow_links",
    "listings",
    "probe_twice",
    "private_hosts",
    "vouched_for",
    "content",
    "exclude",
    "items",
    "politeness",
    "fields",
];

/// The words of other crawlers for our keys.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("name", "id or title"),
    ("lang", "language"),
    ("url", "start"),
    ("urls", "start"),
    ("seeds", "start"),
    ("start_url", "start"),
    ("start_urls", "start"),
    ("include", "content (selectors) or allow (addresses)"),
    ("selector", "content, or items = { rule = \"selector\", selector = \"…\" }"),
    ("selectors", "content"),
    ("ignore", "exclude (selectors) or deny (addresses)"),
    ("follow", "follow_links"),
    ("item_rule", "items"),
    ("field", "[[fields]]"),
    ("rate_limit", "delay_ms under [politeness]"),
    ("delay", "delay_ms under [politeness]"),
    ("user_agent", "[crawl] contact in countersign.toml"),
    ("標題", "title"),
    ("語言", "language"),
    ("欄位", "[[fields]]"),
];

/// Limits of `[politeness]`: below, a crawl could not work; above, a slip of the keyboard.
const LIMITS: &[(&str, std::ops::RangeInclusive<u64>)] = &[
    ("delay_ms", 0..=600_000),
    ("concurrency", 1..=64),
    ("timeout_s", 1..=3_600),
    ("max_bytes", 1_000..=1_000_000_000),
    ("max_pages", 1..=1_000_000),
    ("max_tries", 1..=20),
    ("max_wait_s", 0..=86_400),
    ("max_redirects", 0..=30),
    ("full_audit_every", 1..=10_000),
    ("confirm_removal_after", 1..=20),
];

const RULES: &[&str] = &["headings", "articles", "rows", "page", "selector"];

/// Reads the text of one source file. `file` is the name to show; `stem` the file's name without
/// `.toml`, which the id has to equal.
///
/// # Errors
/// Every mistake in it, ordered by place.
pub fn read_source(file: &str, stem: &str, text: &str) -> Result<Source, Vec<Problem>> {
    let mut mistakes = Mistakes::new(file, text);
    let tree = read_tree(text, &mut mistakes);
    let broken_lines = !mistakes.is_empty();
    let root = Section::root(&tree);

    let meant = root.only(KEYS, belongs_elsewhere, &mut mistakes);
    check_names(&root, stem, &mut mistakes);
    check_scope(&root, &mut mistakes);
    check_items(&root, &mut mistakes);
    check_politeness(&root, &mut mistakes);
    check_fields(&root, &mut mistakes);
    if !broken_lines {
        // Where a line cannot be read, the key that seems missing may stand in it.
        check_presence(&root, &meant, &mut mistakes);
    }
    if !mistakes.is_empty() {
        return Err(mistakes.into_problems());
    }
    toml::from_str(text).map_err(|error| {
        mistakes.add(
            error.span().unwrap_or(0..0),
            Mistake {
                expected: "the form described in docs/formats.md".to_owned(),
                found: error.message().to_owned(),
                ..Mistake::default()
            },
        );
        mistakes.into_problems()
    })
}

/// A key that another one seems to be meant for is not reported twice.
fn check_presence(root: &Section<'_, '_>, meant: &[&str], mistakes: &mut Mistakes<'_>) {
    for (key, what) in [
        ("id", "the name of the file without .toml"),
        ("title", "what people call these pages"),
        ("language", "the language of the pages, for example en or zh-Hant"),
        ("start", "a list of addresses the crawl starts from; [] where sitemaps say it all"),
        ("fields", "at least one [[fields]] entry that says what a row may be about"),
    ] {
        if root.value(key).is_none() && !meant.contains(&key) {
            root.missing(key, what, mistakes);
        }
    }
}

fn check_names(root: &Section<'_, '_>, stem: &str, mistakes: &mut Mistakes<'_>) {
    if let Some(id) = root.text("id", mistakes) {
        if !is_id(id.value) {
            let help = "small letters a to z, digits and hyphens, at most 64";
            let found = format!("`{}`", shortened(id.value));
            mistakes.add(id.at.clone(), id.mistake("a name for files and folders", found, help));
        } else if id.value != stem {
            let help = format!("rename the file to {}.toml, or write id = {stem:?}", id.value);
            let found = format!("`{}`", shortened(id.value));
            let expected = format!("the file's own name, `{}`", shortened(stem));
            mistakes.add(id.at.clone(), id.mistake(&expected, found, &help));
        }
    }
    if let Some(title) = root.text("title", mistakes) {
        check_label(&title, mistakes);
    }
    if let Some(publisher) = root.text("publisher", mistakes)
        && !publisher.value.is_empty()
    {
        check_label(&publisher, mistakes);
    }
    if let Some(language) = root.text("language", mistakes)
        && let Err(help) = check_language(language.value)
    {
        let found = format!("`{}`", shortened(language.value));
        mistakes.add(language.at.clone(), language.mistake("a BCP 47 language tag", found, &help));
    }
}

fn check_scope(root: &Section<'_, '_>, mistakes: &mut Mistakes<'_>) {
    let mut base: Option<Url> = None;
    if let Some(starts) = root.texts("start", mistakes) {
        if is_empty_list(root, "start") && !has_members(root, "sitemaps") {
            let found = Found { value: (), at: root.place_of("start"), key: root.key("start") };
            let help = "for example start = [\"https://www.agency.example/benefits/\"]";
            let mistake = found.mistake("at least one address, or a sitemap", "neither", help);
            mistakes.add(found.at, mistake);
        }
        for start in starts {
            match check_address(&start) {
                Ok(url) => base = base.or(Some(url)),
                Err(mistake) => mistakes.add(start.at.clone(), *mistake),
            }
        }
    }
    let has_starts = has_members(root, "start");
    for sitemap in root.texts("sitemaps", mistakes).unwrap_or_default() {
        if let Err(mistake) = check_sitemap(&sitemap, base.as_ref(), has_starts) {
            mistakes.add(sitemap.at.clone(), *mistake);
        }
    }
    root.truth("follow_links", mistakes);
    root.truth("probe_twice", mistakes);
    check_each(root, &["listings"], check_listing, mistakes);
    check_each(root, &["allow", "deny"], check_pattern, mistakes);
    check_each(root, &["content", "exclude"], check_selector, mistakes);
    check_each(root, &["private_hosts"], check_host, mistakes);
    check_each(root, &["vouched_for"], |it| check_address(it).map(|_| ()), mistakes);
}

fn is_empty_list(root: &Section<'_, '_>, key: &str) -> bool {
    root.value(key).is_some_and(|it| matches!(it.value, DeValue::Array(list) if list.is_empty()))
}

fn has_members(root: &Section<'_, '_>, key: &str) -> bool {
    root.value(key).is_some_and(|it| matches!(it.value, DeValue::Array(list) if !list.is_empty()))
}

fn check_each(
    root: &Section<'_, '_>,
    keys: &[&str],
    check: impl Fn(&Found<&str>) -> Result<(), Box<Mistake>>,
    mistakes: &mut Mistakes<'_>,
) {
    for key in keys {
        for found in root.texts(key, mistakes).unwrap_or_default() {
            if let Err(mistake) = check(&found) {
                mistakes.add(found.at.clone(), *mistake);
            }
        }
    }
}

fn check_items(root: &Section<'_, '_>, mistakes: &mut Mistakes<'_>) {
    if let Some(found) = root.value("items")
        && let DeValue::String(word) = found.value
    {
        let rule = nearest(word, RULES.iter().copied()).unwrap_or("headings");
        let help = format!("write items = {{ rule = {rule:?} }}");
        mistakes.add(found.at.clone(), found.mistake("a table", kind_of(found.value), &help));
        return;
    }
    let Some(items) = root.section("items", mistakes) else { return };
    items.only(&["rule", "selector"], |_| None, mistakes);
    let rule = items.text("rule", mistakes);
    let selector = items.text("selector", mistakes);
    let Some(rule) = rule else {
        if items.value("rule").is_none() {
            let what = format!("one of {}", listed(RULES.iter().copied()));
            items.missing("rule", &what, mistakes);
        }
        return;
    };
    if !RULES.contains(&rule.value) {
        let near = nearest(rule.value, RULES.iter().copied());
        let help = near.map_or_else(String::new, |it| format!("did you mean `{it}`?"));
        let expected = format!("one of {}", listed(RULES.iter().copied()));
        let found = format!("`{}`", shortened(rule.value));
        mistakes.add(rule.at.clone(), rule.mistake(&expected, found, &help));
        return;
    }
    match (rule.value, selector) {
        ("selector", Some(selector)) => {
            if let Err(mistake) = check_selector(&selector) {
                mistakes.add(selector.at.clone(), *mistake);
            }
        }
        ("selector", None) if items.value("selector").is_none() => {
            items.missing("selector", "the CSS selector of an item", mistakes);
        }
        (other, Some(selector)) => {
            let expected = format!("no selector for the rule `{other}`");
            let help = "take it out, or write rule = \"selector\"";
            mistakes.add(selector.at.clone(), selector.mistake(&expected, "one", help));
        }
        _ => {}
    }
}

fn check_politeness(root: &Section<'_, '_>, mistakes: &mut Mistakes<'_>) {
    let Some(section) = root.section("politeness", mistakes) else { return };
    let keys: Vec<&str> = LIMITS.iter().map(|(it, _)| *it).collect();
    let elsewhere = |word: &str| {
        KEYS.contains(&word).then(|| {
            format!("`{word}` belongs to the file itself: move it above the first [section]")
        })
    };
    section.only(&keys, elsewhere, mistakes);
    for (key, range) in LIMITS {
        section.number(key, range, mistakes);
    }
}

fn belongs_elsewhere(word: &str) -> Option<String> {
    if LIMITS.iter().any(|(it, _)| *it == word) {
        return Some(format!("`{word}` belongs under [politeness]"));
    }
    if let Some((_, ours)) = OTHER_WORDS.iter().find(|(it, _)| *it == word) {
        return Some(format!("did you mean {ours}?"));
    }
    if FIELD_KEYS.contains(&word) {
        return Some(format!("`{word}` belongs under a [[fields]] line"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
id = "a"
title = "Pages"
language = "en"
start = ["https://a.example/"]
[[fields]]
name = "age"
description = "ages"
"#;

    fn problems(text: &str) -> Vec<String> {
        read_source("sources/a.toml", "a", text)
            .err()
            .unwrap_or_default()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn the_smallest_file_is_read_with_defaults() {
        let source = read_source("sources/a.toml", "a", GOOD).unwrap();
        assert!(source.follow_links && source.allow.is_empty());
        assert_eq!(source.politeness.delay_ms, 1000);
    }

    #[test]
    fn the_checker_knows_every_key_that_serde_knows() {
        let mut source = read_source("sources/a.toml", "a", GOOD).unwrap();
        source.fields[0].unit = Some("years".to_owned());
        let text = toml::to_string(&source).unwrap();
        let again = read_source("sources/a.toml", "a", &text);
        assert_eq!(again.as_ref(), Ok(&source), "{text}");
        let table: toml::Table = toml::from_str(&text).unwrap();
        let keys: std::collections::BTreeSet<&str> = table.keys().map(String::as_str).collect();
        assert_eq!(keys, KEYS.iter().copied().collect());
        let limits: std::collections::BTreeSet<&str> =
            table["politeness"].as_table().unwrap().keys().map(String::as_str).collect();
        assert_eq!(limits, LIMITS.iter().map(|it| it.0).collect());
    }

    #[test]
    fn a_key_below_the_wrong_header_is_told_where_it_belongs() {
        let text = GOOD.replace("[[fields]]", "[politeness]\nallow = [\"^/x\"]\n[[fields]]");
        let found = problems(&text);
        assert!(found.len() == 1 && found[0].contains("move it above"), "{found:#?}");
        let found = problems(&format!("delay_ms = 5\n{GOOD}"));
        assert!(found.len() == 1 && found[0].contains("under [politeness]"), "{found:#?}");
    }

    #[test]
    fn a_missing_key_is_not_reported_beside_the_line_that_cannot_be_read() {
        let found = problems(&GOOD.replace("title = \"Pages\"", "title = “Pages”"));
        assert!(found.iter().all(|it| !it.contains("the key `title`")), "{found:#?}");
        assert!(!found.is_empty());
    }

    #[test]
    fn item_rules_are_told_apart() {
        let with = |items: &str| GOOD.replace("[[fields]]", &format!("{items}\n[[fields]]"));
        for good in
            ["items = { rule = \"rows\" }", "[items]\nrule = \"selector\"\nselector = \"ol > li\""]
        {
            assert_eq!(problems(&with(good)), Vec::<String>::new(), "{good}");
        }
        for bad in [
            "items = \"articles\"",
            "items = {}",
            "items = { rule = \"artcles\" }",
            "items = { rule = \"selector\" }",
            "items = { rule = \"rows\", selector = \"li\" }",
            "items = { rule = 3 }",
            "items = { rule = \"selector\", selector = \"li[\" }",
        ] {
            assert_eq!(problems(&with(bad)).len(), 1, "{bad}: {:#?}", problems(&with(bad)));
        }
    }
}
