//! The readers of `text/` on real pages: folding on real quotes, blocks and sentences on all pages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use countersign::text::blocks::outline::read_outline;
use countersign::text::glyphs::fold::{Folded, Folding, fold_as};
use countersign::text::language::{Language, language_of};
use countersign::text::markers::machine::read_machine_text;
use countersign::text::markers::marker::markers_of_sentence;
use countersign::text::sentence::read_sentences;

use crate::gate_gold::shared;

#[derive(serde::Deserialize)]
struct Quote {
    id: String,
    page: String,
    quote: String,
    class: String,
    #[serde(default)]
    sub: Option<String>,
    #[serde(default)]
    byte_start: usize,
    #[serde(default)]
    byte_end: usize,
}

const LEVELS: [Folding; 4] =
    [Folding::Presentation, Folding::Script, Folding::Case, Folding::Words];

fn quotes() -> Vec<Quote> {
    let path = shared().join("govuk/quotes.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|it| panic!("{path:?}: {it}"));
    text.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn page(name: &str) -> String {
    std::fs::read_to_string(shared().join(format!("govuk/pages/{name}.txt"))).unwrap()
}

#[test]
fn folding_finds_presentation_and_never_other_words() {
    let quotes = quotes();
    let texts: BTreeMap<&str, String> =
        quotes.iter().map(|it| (it.page.as_str(), page(&it.page))).collect();
    let folded: BTreeMap<&str, Vec<Folded<'_>>> = texts
        .iter()
        .map(|(name, text)| (*name, LEVELS.iter().map(|it| fold_as(text, *it)).collect()))
        .collect();
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for it in &quotes {
        let pages = &folded[it.page.as_str()];
        let level = LEVELS.iter().zip(pages).find(|(_, page)| !page.find_all(&it.quote).is_empty());
        let name = match level {
            _ if texts[it.page.as_str()].contains(&it.quote) => "exact",
            Some((Folding::Presentation, _)) => "presentation",
            Some((Folding::Script, _)) => "script",
            Some((Folding::Case, _)) => "case",
            Some((Folding::Words, _)) => "words",
            None => "not found",
        };
        let kind = format!("{} {}", it.class, it.sub.as_deref().unwrap_or("-"));
        let class = if it.class == "absent" { "absent".to_owned() } else { kind };
        *counts.entry((class, name)).or_default() += 1;
        if matches!(it.class.as_str(), "altered" | "absent") && name != "not found" {
            wrong.push(format!("{} {name}: {}", it.id, it.quote));
        }
        if it.class == "exact" && name != "exact"
            || it.sub.as_deref() == Some("whitespace") && name == "not found"
        {
            wrong.push(format!("{} {name}: {}", it.id, it.quote));
        }
        if it.class == "presentation"
            && let Some((_, page)) = level
        {
            let near = |place: &countersign::text::span::Span| {
                place.start < it.byte_end && it.byte_start < place.end
            };
            if !page.find_all(&it.quote).iter().any(near) {
                wrong.push(format!("{} found elsewhere: {}", it.id, it.quote));
            }
        }
    }
    for ((class, name), count) in &counts {
        println!("{class:50} {name:12} {count}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(quotes.len(), 1803);
}

fn files(dir: &Path, ext: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap_or_else(|it| panic!("{dir:?}: {it}")) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ext, found);
        } else if path.extension().is_some_and(|it| it == ext) {
            found.push(path);
        }
    }
}

/// Real pages, crudely turned into text: tags to line breaks, entities left alone.
fn texts() -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    for corpus in ["va", "twlaw", "twlaw_en"] {
        files(&shared().join("corpus").join(corpus), "html", &mut paths);
    }
    files(&shared().join("govuk/pages"), "txt", &mut paths);
    paths.sort();
    // Pages in other charsets are for the tests of decoding.
    let read = |path: PathBuf| {
        let text = String::from_utf8(std::fs::read(&path).unwrap()).ok()?;
        let is_html = path.extension().is_some_and(|it| it == "html");
        let text = if is_html { strip_tags(&text) } else { text };
        Some((path, text))
    };
    paths.into_iter().filter_map(read).collect()
}

fn strip_tags(html: &str) -> String {
    let main = html.split("<main").nth(1).and_then(|it| it.split("</main>").next()).unwrap_or(html);
    let mut text = String::new();
    let mut rest = main;
    while let Some((before, tail)) = rest.split_once('<') {
        text.push_str(&before.replace('\n', " "));
        let (tag, after) = tail.split_once('>').unwrap_or((tail, ""));
        match tag.split(|it: char| !it.is_alphanumeric()).find(|it| !it.is_empty()).unwrap_or("") {
            "li" if !tag.starts_with('/') => text.push_str("\n- "),
            "td" | "th" if !tag.starts_with('/') => text.push_str(" | "),
            "a" | "strong" | "em" | "b" | "i" | "span" | "li" | "td" | "th" => {}
            _ => text.push_str("\n\n"),
        }
        rest = after;
    }
    text
}

#[test]
fn blocks_and_sentences_cover_every_visible_character_of_every_page() {
    let texts = texts();
    let (mut sentences_seen, mut blocks_seen) = (0, 0);
    for (path, text) in &texts {
        let outline = read_outline(text);
        let mut end = 0;
        for block in &outline.blocks {
            assert!(block.span.start >= end, "{path:?}: blocks overlap at {}", block.span.start);
            let gap = &text[end..block.span.start];
            assert!(!gap.contains(char::is_alphanumeric), "{path:?}: lost {gap:?}");
            end = block.span.end;
        }
        assert!(!text[end..].contains(char::is_alphanumeric), "{path:?}: lost the end");
        let sentences = read_sentences(text, &outline);
        for pair in sentences.windows(2) {
            assert!(pair[0].end <= pair[1].start, "{path:?}: sentences overlap");
        }
        blocks_seen += outline.blocks.len();
        sentences_seen += sentences.len();
    }
    println!("{} pages, {blocks_seen} blocks, {sentences_seen} sentences", texts.len());
    assert!(texts.len() > 1000, "saw only {} pages", texts.len());
}

#[test]
fn real_pages_are_in_their_language_and_speak_to_nobody_but_people() {
    let mut wrong = Vec::new();
    for (path, text) in texts() {
        let wanted = if path.to_string_lossy().contains("twlaw/") {
            Language::TraditionalChinese
        } else {
            Language::English
        };
        let is_plain = text.len() < 200 || path.ends_with("404.html");
        if language_of(&text) != wanted && !is_plain {
            wrong.push(format!("{path:?}: {:?}", language_of(&text)));
        }
        for found in read_machine_text(&text, &read_outline(&text)) {
            let words = found.span.slice(&text).unwrap_or("").to_owned();
            wrong.push(format!("{path:?} {:?}: {words}", found.kind));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn markers_lie_in_their_sentence_on_every_page() {
    let mut count = 0;
    for (path, text) in texts().into_iter().step_by(3) {
        for sentence in read_sentences(&text, &read_outline(&text)) {
            for it in markers_of_sentence(&text, sentence) {
                assert!(
                    sentence.contains(it.span) && sentence.contains(it.reach),
                    "{path:?} {it:?}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 8_000, "saw only {count} markers");
}
