//! The three corpora of official pages, read as the pipeline reads them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use countersign::items::block::Kind;
use countersign::items::page::{read_blocks, read_page};
use countersign::model::canonical::CanonicalPage;
use countersign::model::source::{ItemRule, Source};
use countersign::text::block::BlockKind;
use countersign::text::charset::{Decoded, EncodingSource, decode_page};
use countersign::text::outline::read_outline;
use countersign::text::span::Span;
use serde_json::Value;

/// The folder of shared material; its absence is a failure, never a skip.
pub fn page_shared() -> PathBuf {
    let folder = std::env::var_os("COUNTERSIGN_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    assert!(folder.join("corpus").is_dir(), "no corpus in {}", folder.display());
    folder
}

/// How the corpora are read: content, furniture, items.
pub fn page_source(corpus: &str) -> Source {
    let (content, exclude, items): (&[&str], &[&str], _) = match corpus {
        "va" => (&["main", "[role=main]"], &[], ItemRule::Headings),
        _ => (&["main"], &[], ItemRule::Articles),
    };
    Source {
        id: corpus.to_owned(),
        title: String::new(),
        publisher: String::new(),
        language: if corpus == "twlaw" { "zh-Hant" } else { "en" }.to_owned(),
        start: Vec::new(),
        sitemaps: Vec::new(),
        allow: Vec::new(),
        deny: Vec::new(),
        follow_links: true,
        private_hosts: Vec::new(),
        content: content.iter().map(|&it| it.to_owned()).collect(),
        exclude: exclude.iter().map(|&it| it.to_owned()).collect(),
        items,
        politeness: Default::default(),
        fields: Vec::new(),
    }
}

/// One page of an edition with what the truth says of it.
pub struct PageCase {
    pub url: String,
    pub decoded: Decoded,
    pub page: CanonicalPage,
    pub truth: Value,
}

/// All pages of an edition, read.
pub fn page_cases(corpus: &str, edition: &str) -> Vec<PageCase> {
    let shared = page_shared().join("corpus");
    let truth = page_json(&shared.join("truth").join(corpus).join(format!("{edition}.json")));
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

fn page_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// Text of every block of a corpus by its key.
fn page_blocks(corpus: &str) -> BTreeMap<String, String> {
    let path = page_shared().join("corpus/truth").join(corpus).join("blocks.jsonl");
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            (line["h"].as_str().unwrap().to_owned(), line["t"].as_str().unwrap().to_owned())
        })
        .collect()
}

/// White space folded, table borders as ` | `.
fn page_folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn page_squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn page_headings(text: &str) -> String {
    text.lines().filter(|it| it.starts_with('#')).collect::<Vec<_>>().join("\n")
}

#[test]
fn page_every_line_of_the_truth_stands_in_the_canonical_text() {
    let mut problems = Vec::new();
    let mut report = Vec::new();
    for corpus in ["va", "twlaw", "twlaw_en"] {
        let blocks = page_blocks(corpus);
        let (mut pages, mut lines, mut missing) = (0, 0, 0);
        for case in page_cases(corpus, "bulk") {
            pages += 1;
            let text = page_folded(&case.page.text);
            let squeezed = page_squeezed(&page_headings(&case.page.text));
            for block in case.truth["blocks"].as_array().unwrap() {
                if block["region"].as_str().unwrap_or("main") != "main" {
                    continue;
                }
                // The truth names the parts of a law's head itself; the page shows no such words.
                let is_named_by_truth =
                    matches!(block["id"].as_str(), Some("header-name" | "header-english"));
                let text_of_block = &blocks[block["text"].as_str().unwrap()];
                for line in text_of_block.lines().skip(usize::from(is_named_by_truth)) {
                    lines += 1;
                    // The truth joins a line break inside a heading without a space.
                    if !text.contains(&page_folded(line))
                        && !squeezed.contains(&page_squeezed(line))
                    {
                        missing += 1;
                        problems.push(format!("{corpus} {} [{}]: {line}", case.url, block["id"]));
                    }
                }
            }
        }
        report.push(format!("{corpus}: {pages} pages, {lines} lines, {missing} missing"));
    }
    println!("{}", report.join("\n"));
    assert!(problems.is_empty(), "{} lines missing:\n{}", problems.len(), problems.join("\n"));
}

/// Words of the furniture around the content, which no canonical text may hold.
const PAGE_FURNITURE: [&str; 22] = [
    "Skip to Content",
    "Popular right now",
    "visitors found this page helpful",
    "Last updated:",
    "An official website of the United States government",
    "In this section",
    "Site index",
    "Content preview",
    "You are looking at an archived page",
    "dataLayer",
    "rendered 20",
    "$99,999",
    "跳到主要內容",
    "最新訊息",
    "熱門法規",
    "資料更新日期",
    "瀏覽人次",
    "列印時間",
    "綜合查詢",
    "網站導覽",
    "Skip to main content",
    "Laws & Regulations Database",
];

#[test]
fn page_no_furniture_is_in_a_canonical_text() {
    let mut n_pages = 0;
    for (corpus, editions) in [
        ("va", &["bulk", "update1", "update2"][..]),
        ("twlaw", &["bulk", "update1", "update2"]),
        ("twlaw_en", &["bulk"]),
    ] {
        for edition in editions {
            for case in page_cases(corpus, edition) {
                n_pages += 1;
                for words in PAGE_FURNITURE {
                    let text = &case.page.text;
                    assert!(!text.contains(words), "{corpus}/{edition} {}: {words}", case.url);
                }
                assert!(!case.page.text.trim().is_empty(), "{}", case.url);
                assert!(!case.page.title.is_empty(), "{}", case.url);
            }
        }
    }
    println!("{n_pages} pages without furniture");
    assert!(n_pages > 1000);
}

#[test]
fn page_special_encodings_and_entities_are_right_to_the_letter() {
    let find = |corpus: &str, url: &str| {
        let case = page_cases(corpus, "bulk").into_iter().find(|it| it.url == url).unwrap();
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
fn page_charset_cases_decode_as_expected() {
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
            let bytes = page_base64(answer["body_b64"].as_str().unwrap());
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
fn page_base64(text: &str) -> Vec<u8> {
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

fn page_has_lines(page: &CanonicalPage, span: Span) -> bool {
    span.slice(&page.text).is_some_and(|it| it.contains('\n'))
}

#[test]
fn page_outline_recovers_the_blocks_of_the_page_from_the_text_alone() {
    let (mut n_blocks, mut n_deeper, mut n_parted, mut problems) = (0, 0, 0, Vec::new());
    for (corpus, edition) in
        [("va", "bulk"), ("va", "update2"), ("twlaw", "bulk"), ("twlaw_en", "bulk")]
    {
        let source = page_source(corpus);
        for case in page_cases(corpus, edition) {
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
                    (Kind::Paragraph, [_, _, ..]) if page_has_lines(&page, block.content) => {
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
