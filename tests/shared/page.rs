//! The three corpora of official pages and the rebuilt GOV.UK pages, read as the pipeline reads
//! them: letters, blocks, elements.

use std::fs;
use std::path::{Path, PathBuf};

use countersign::items::block::Kind;
use countersign::items::page::{read_blocks, read_page};
use countersign::model::canonical::CanonicalPage;
use countersign::model::source::ItemRule;
use countersign::text::blocks::block::BlockKind;
use countersign::text::blocks::outline::read_outline;
use countersign::text::glyphs::charset::{Decoded, EncodingSource, decode_page};
use countersign::text::span::Span;
use serde_json::Value;

use crate::corpus::{page_shared, page_source};

/// One page of an edition with what the truth says of it.
pub struct PageCase {
    pub url: String,
    pub decoded: Decoded,
    pub page: CanonicalPage,
    pub truth: Value,
}

/// All pages of an edition, read.
pub fn read_edition(corpus: &str, edition: &str) -> Vec<PageCase> {
    let shared = page_shared().join("corpus");
    let truth = read_json(&shared.join("truth").join(corpus).join(format!("{edition}.json")));
    let source = page_source(corpus);
    let mut out = Vec::new();
    for truth in truth["pages"].as_array().unwrap() {
        if truth["status"] == "removed" {
            continue;
        }
        let file = truth["file"].as_str().unwrap();
        let bytes = fs::read(shared.join(corpus).join(edition).join(file)).unwrap();
        let header = truth["http"]["charset_in_header"]
            .as_str()
            .map_or("text/html".to_owned(), |it| format!("text/html; charset={it}"));
        let decoded = decode_page(&bytes, Some(&header));
        let page = read_page(&decoded.text, &source).unwrap();
        let url = truth["url"].as_str().unwrap().to_owned();
        out.push(PageCase { url, decoded, page, truth: truth.clone() });
    }
    out
}

pub fn read_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// White space folded, table borders as ` | `.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Every block of the page is in exactly one item.
pub fn check_items(page: &CanonicalPage, name: &str) {
    let mut end = 0;
    for item in &page.items {
        let gap = page.text.get(end..item.span.start).unwrap();
        assert!(gap.trim().is_empty(), "{name}: {gap:?} is in no item");
        assert!(!item.span.is_empty() && !item.key.is_empty(), "{name}");
        end = item.span.end;
    }
    assert!(page.text[end..].trim().is_empty(), "{name}: {:?}", &page.text[end..]);
    let mut keys: Vec<&str> = page.items.iter().map(|it| it.key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), page.items.len(), "{name}: keys repeat");
}

#[test]
fn special_encodings_and_entities_are_right_to_the_letter() {
    let find = |corpus: &str, url: &str| {
        let case = read_edition(corpus, "bulk").into_iter().find(|it| it.url == url).unwrap();
        assert_eq!((case.decoded.replaced, &case.decoded.conflict), (0, &None), "{url}");
        case
    };
    let western = find("va", "/pension/survivors-pension/");
    assert_eq!(western.decoded.encoding, "windows-1252");
    assert_eq!(western.decoded.source, EncodingSource::Header);
    assert!(western.page.text.contains('’'));
    let entities = find("va", "/education/about-gi-bill-benefits/post-9-11/");
    assert!(entities.page.text.contains('’') && !entities.page.text.contains("&rsquo;"));
    assert!(entities.page.text.contains('\u{a0}'), "no-break spaces are kept");
    let big5 = find("twlaw", "/LawClass/LawAll.aspx?pcode=H0080043");
    assert_eq!(big5.decoded.encoding, "Big5");
    // Letter for letter against the truth, white space folded, is the first test's affair.
}

#[test]
fn charset_cases_decode_as_expected() {
    let cases = fs::read_to_string(page_shared().join("cases/crawl.jsonl")).unwrap();
    let mut n_pages = 0;
    for case in cases.lines().map(|it| serde_json::from_str::<Value>(it).unwrap()) {
        if !matches!(case["id"].as_str().unwrap().get(..3), Some("C17" | "C18")) {
            continue;
        }
        let answers = case["setup"]["runs"][0]["http"].as_object().unwrap();
        for (name, expected) in case["expected"]["runs"][0]["pages"].as_object().unwrap() {
            let (_, answer) =
                answers.iter().find(|(url, _)| url.ends_with(&format!("/{name}"))).unwrap();
            let bytes = bytes_of_base64(answer["body_b64"].as_str().unwrap());
            let decoded = decode_page(&bytes, answer["headers"]["Content-Type"].as_str());
            assert_eq!(Some(decoded.encoding), expected["encoding"].as_str(), "{name}");
            assert_eq!(Some(decoded.source.as_str()), expected["encoding_source"].as_str());
            let flags: Vec<String> = decoded.conflict.iter().map(ToString::to_string).collect();
            let expected_flags: Vec<&str> = expected["flags"]
                .as_array()
                .map(|it| it.iter().filter_map(Value::as_str).collect())
                .unwrap_or_default();
            assert_eq!(flags, expected_flags, "{name}");
            assert_eq!(decoded.replaced, 0);
            for words in expected["contains"].as_array().unwrap() {
                assert!(decoded.text.contains(words.as_str().unwrap()), "{name}: {words}");
            }
            n_pages += 1;
        }
    }
    assert_eq!(n_pages, 5);
}

/// Base64 with padding, as the cases write exact bytes.
fn bytes_of_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut n_bits, mut out) = (0u32, 0, Vec::new());
    for digit in text.bytes().filter_map(|it| DIGITS.iter().position(|&d| d == it)) {
        bits = (bits << 6) | u32::try_from(digit).unwrap();
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            out.push(u8::try_from((bits >> n_bits) & 0xff).unwrap());
        }
    }
    out
}

fn has_lines(page: &CanonicalPage, span: Span) -> bool {
    span.slice(&page.text).is_some_and(|it| it.contains('\n'))
}

#[test]
fn outline_recovers_the_blocks_of_the_page_from_the_text_alone() {
    let (mut n_blocks, mut n_deeper, mut n_parted, mut problems) = (0, 0, 0, Vec::new());
    for (corpus, edition) in
        [("va", "bulk"), ("va", "update2"), ("twlaw", "bulk"), ("twlaw_en", "bulk")]
    {
        let source = page_source(corpus);
        for case in read_edition(corpus, edition) {
            let (page, blocks) = read_blocks(&case.decoded.text, &source).unwrap();
            let outline = read_outline(&page.text);
            for block in &blocks {
                n_blocks += 1;
                let found = &outline.blocks[outline.blocks_in(block.span)];
                let is_recovered = match (block.kind, found) {
                    (Kind::Heading, [it]) => {
                        it.kind == BlockKind::Heading && it.depth == block.depth
                    }
                    (Kind::Item, [it]) => {
                        n_deeper += usize::from(it.depth != block.depth);
                        it.kind == BlockKind::ListItem && it.depth >= block.depth
                    }
                    (Kind::TableHeader, [it]) => it.kind == BlockKind::TableHeader,
                    (Kind::TableRow, [it]) => it.kind == BlockKind::TableRow,
                    (Kind::TableRule, [it]) => it.kind == BlockKind::TableRule,
                    // What a paragraph is depends on the number it starts with.
                    (Kind::Paragraph, [it]) => matches!(
                        it.kind,
                        BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Heading
                    ),
                    // Lines of a paragraph with markers of their own are read as items.
                    (Kind::Paragraph, [_, _, ..]) if has_lines(&page, block.content) => {
                        n_parted += 1;
                        true
                    }
                    _ => false,
                };
                let words = block.content.slice(&page.text).unwrap().trim();
                let all: usize = found.iter().map(|it| it.content.len()).sum();
                if !is_recovered
                    || (found.len() == 1 && block.kind == Kind::Item && all < words.len())
                {
                    problems.push(format!("{} {:?} {words:?} -> {found:?}", case.url, block.kind));
                }
            }
        }
    }
    println!(
        "{n_blocks} blocks, {} not recovered, {n_deeper} list items deeper, {n_parted} parted",
        problems.len()
    );
    assert!(n_blocks > 20_000);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(n_deeper * 500 < n_blocks, "{n_deeper} of {n_blocks}");
}

#[test]
fn govuk_elements_come_out_one_by_one_and_in_order() {
    let folder = page_shared().join("govuk/pages");
    let mut source = page_source("govuk");
    source.items = ItemRule::Headings;
    let (mut n_pages, mut n_lines, mut n_parts, mut problems) = (0, 0, 0, Vec::new());
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    for file in files.into_iter().filter(|it| it.extension().is_some_and(|it| it == "html")) {
        let (page, blocks) = read_blocks(&fs::read_to_string(&file).unwrap(), &source).unwrap();
        check_items(&page, &file.display().to_string());
        let expected = fs::read_to_string(file.with_extension("txt")).unwrap();
        // A line break inside a paragraph of the source is layout of its HTML.
        let expected = folded(&expected);
        let written: Vec<String> = blocks
            .iter()
            .filter(|it| it.kind != Kind::TableRule)
            .map(|it| folded(it.content.slice(&page.text).unwrap()))
            .collect();
        n_lines += written.len();
        n_pages += 1;
        // Empty cells leave a border without words on both sides.
        let bare = |text: &str| squeezed(&text.replace('|', ""));
        if bare(&written.join(" ")) != bare(&expected) {
            problems.push(format!("{}", file.display()));
        }
        // Two paragraphs of the source have a line break of their HTML in them.
        let lines = fs::read_to_string(file.with_extension("txt")).unwrap();
        for line in lines.lines().map(folded).filter(|it| !it.is_empty()) {
            if !written.contains(&line) {
                n_parts += 1;
                if !written.iter().any(|it| it.contains(&line)) {
                    problems.push(format!("{}: {line}", file.display()));
                }
            }
        }
    }
    println!("{n_pages} pages, {n_lines} blocks, {} problems", problems.len());
    assert_eq!(n_pages, 43);
    assert!(n_parts <= 4, "{n_parts} lines are parts of a block");
    assert!(problems.is_empty(), "{}", problems.join("\\n"));
}
