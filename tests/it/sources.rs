//! Source files and the project file: many mistakes at once, both languages, hostile input.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use countersign::model::config::ProjectConfig;
use countersign::model::source::Politeness;
use countersign::sources::config_file::{Origin, Overrides, load_config, read_config};
use countersign::sources::folder::{SourcesError, read_sources, select_sources};
use countersign::sources::init::{InitError, init_project};
use countersign::sources::problem::Problem;
use countersign::sources::sample::sample_source_files;
use countersign::sources::sample_files::FILES;
use tempfile::TempDir;

const GOOD: &str = r#"
id = "good"
title = "好的來源"
language = "zh-Hant"
start = ["https://agency.example/支援/"]

[[fields]]
name = "age"
type = "number"
unit = "歲"
description = "年齡條件"
"#;

fn project(files: &[(&str, &[u8])]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("sources")).unwrap();
    for (name, bytes) in files {
        fs::write(dir.path().join("sources").join(name), bytes).unwrap();
    }
    dir
}

fn mistakes(dir: &Path) -> Vec<Problem> {
    match read_sources(dir) {
        Err(SourcesError::Mistakes(problems)) => problems.0,
        other => panic!("expected mistakes, found {other:?}"),
    }
}

#[test]
fn all_mistakes_of_all_files_are_reported_at_once_with_their_places() {
    let english = r#"id = "other"
titel = "Pages"
language = "english"
start = ["agency.example/en", "https://agency.example/"]
sitemaps = "sitemap.xml"
allow = ["(", "https://agency.example/en"]
content = ["main >"]
private_hosts = ["http://127.0.0.1:80"]
follow_links = "yes"
items = { rule = "artcles" }

[politeness]
delay_ms = -5
max_pages = 0
concurency = 3

[[fields]]
name = "Income Limit"
type = "monney"
unit = ""

[[fields]]
name = "age"
description = ""

[[fields]]
name = "age"
description = "again"
examples = [1, "fine"]
"#;
    let chinese = r#"id = "zh"
標題 = "頁面"
title = "頁面"
language = "繁體中文"
start = []
[[fields]]
name = "年齡"
description = "年齡條件"
"#;
    let dir = project(&[
        ("en.toml", english.as_bytes()),
        ("zh.toml", chinese.as_bytes()),
        ("good.toml", GOOD.as_bytes()),
    ]);
    let found = mistakes(dir.path());
    let places: Vec<(&str, usize, usize)> =
        found.iter().map(|it| (it.file.as_str(), it.line, it.column)).collect();
    for expected in [
        ("sources/en.toml", 1, 6),   // id is not the file's name
        ("sources/en.toml", 2, 1),   // titel
        ("sources/en.toml", 3, 12),  // english
        ("sources/en.toml", 4, 10),  // no scheme
        ("sources/en.toml", 5, 12),  // text, not a list
        ("sources/en.toml", 6, 10),  // (
        ("sources/en.toml", 6, 15),  // an address
        ("sources/en.toml", 7, 12),  // main >
        ("sources/en.toml", 8, 18),  // not a host
        ("sources/en.toml", 9, 16),  // "yes"
        ("sources/en.toml", 10, 18), // artcles
        ("sources/en.toml", 13, 12), // -5
        ("sources/en.toml", 14, 13), // 0
        ("sources/en.toml", 15, 1),  // concurency
        ("sources/en.toml", 18, 8),  // Income Limit
        ("sources/en.toml", 19, 8),  // monney
        ("sources/en.toml", 20, 8),  // empty unit
        ("sources/en.toml", 17, 1),  // no description
        ("sources/en.toml", 24, 15), // empty description
        ("sources/en.toml", 27, 8),  // age again
        ("sources/en.toml", 29, 13), // 1
        ("sources/zh.toml", 2, 1),   // 標題
        ("sources/zh.toml", 4, 12),  // 繁體中文
        ("sources/zh.toml", 5, 9),   // no start
        ("sources/zh.toml", 7, 8),   // 年齡
    ] {
        assert!(places.contains(&expected), "{expected:?} is not in {places:#?}");
    }
    // Nothing is made up, and the title that `titel` stands for is not missed a second time.
    assert_eq!(found.len(), 25, "{found:#?}");

    let text = read_sources(dir.path()).unwrap_err().to_string();
    for words in [
        "did you mean `title`?",
        "did you mean `concurrency`?",
        "did you mean `articles`?",
        "did you mean `money`?",
        "write zh-Hant",
        "write en",
        "the first one is in line 23",
        "25 mistakes in 2 files",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}

#[test]
fn good_files_are_read_in_the_order_of_their_ids_and_others_left_alone() {
    let second = GOOD.replace("\"good\"", "\"a-second\"");
    let dir = project(&[
        ("good.toml", GOOD.as_bytes()),
        ("a-second.toml", second.as_bytes()),
        (".hidden.toml", b"broken ="),
        ("notes.md", b"not a source"),
    ]);
    fs::create_dir(dir.path().join("sources/site")).unwrap();
    let sources = read_sources(dir.path()).unwrap();
    let ids: Vec<&str> = sources.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["a-second", "good"]);

    let one = select_sources(sources.clone(), &["good".to_owned()]).unwrap();
    assert_eq!(one.len(), 1);
    let error = select_sources(sources, &["goood".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("did you mean `good`?"), "{error}");
}

#[test]
fn no_folder_and_no_file_are_different_answers() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(read_sources(dir.path()), Err(SourcesError::NoFolder { .. })));
    fs::create_dir(dir.path().join("sources")).unwrap();
    assert!(matches!(read_sources(dir.path()), Err(SourcesError::NoFiles { .. })));
}

#[test]
fn hostile_files_end_as_mistakes_and_soon() {
    let many_keys: String = (0..150_000).map(|n| format!("k{n} = 1\n")).collect();
    let many_fields: String =
        (0..60_000).map(|n| format!("[[fields]]\nname = \"a{n}!\"\n")).collect();
    let cases: Vec<Vec<u8>> = vec![
        b"\xFF\xFE\x00a".to_vec(),
        b"\x00\x00\x00".to_vec(),
        vec![b'['; 1_000_000],
        vec![b'"'; 1_000_000],
        format!("start = [{}]", "\"(\",".repeat(200_000)).into_bytes(),
        format!("allow = [{}]", "\"((((((((((x{100}){100}){100}){100})\",".repeat(300))
            .into_bytes(),
        many_keys.into_bytes(),
        many_fields.into_bytes(),
        vec![b'a'; 3_000_000],
        format!("id = \"{}\"", "../".repeat(100_000)).into_bytes(),
        "title = \"\u{202E}\u{0000}\"".as_bytes().to_vec(),
        b"[a]\n[a]\n[[a]]\na.b = 1\n".to_vec(),
    ];
    for case in cases {
        let dir = project(&[("hostile.toml", &case)]);
        let found = mistakes(dir.path());
        let head = String::from_utf8_lossy(&case[..case.len().min(40)]).into_owned();
        assert!(!found.is_empty() && found.len() <= 101, "{head}: {}", found.len());
        let text = read_sources(dir.path()).unwrap_err().to_string();
        assert!(text.len() < 200_000, "{head}: {} bytes of message", text.len());
    }
}

#[test]
fn credentials_in_a_file_are_refused_and_never_repeated() {
    let text = GOOD
        .replace("https://agency.example/支援/", "https://me:hunter2hunter2@agency.example/")
        .replace("language", "api_key = \"sk-hunter2hunter2hunter2\"\nlanguage");
    let dir = project(&[("good.toml", text.as_bytes())]);
    assert_eq!(mistakes(dir.path()).len(), 2);
    let shown = read_sources(dir.path()).unwrap_err().to_string();
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[test]
fn the_sources_of_this_repository_are_read() {
    let sources = read_sources(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let ids: Vec<&str> = sources.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["harbour-en", "harbour-zh"]);
    let names =
        |n: usize| -> Vec<&str> { sources[n].fields.iter().map(|it| it.name.as_str()).collect() };
    assert_eq!(names(0), names(1), "both languages declare the same fields");
    for (name, text) in sample_source_files() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sources").join(name);
        assert_eq!(fs::read_to_string(path).unwrap(), *text, "{name}");
    }
}

#[test]
fn every_file_of_the_sample_site_is_built_in() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sources/site");
    let mut on_disk = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                on_disk.push(name);
            }
        }
    }
    on_disk.sort();
    let built_in: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
    assert_eq!(on_disk, built_in);
}

#[test]
fn a_new_project_is_read_as_it_stands_and_with_everything_uncommented() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("new/project");
    let report = init_project(&home).unwrap();
    assert_eq!(report.written, ["countersign.toml", "sources/example.toml", ".gitignore"]);
    let sources = read_sources(&home).unwrap();
    assert_eq!(sources[0].id, "example");
    assert_eq!(sources[0].politeness, Politeness::default(), "the example shows the defaults");
    let reading = load_config(&home, None, &Overrides::default()).unwrap();
    let expected = ProjectConfig { name: "My project".to_owned(), ..ProjectConfig::default() };
    assert_eq!(reading.config, expected, "the starter shows the defaults");

    let path = home.join("countersign.toml");
    let all_on: String = fs::read_to_string(&path)
        .unwrap()
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.contains(" = ") || rest.starts_with('[') => format!("{rest}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    fs::write(&path, all_on).unwrap();
    let reading = load_config(&home, None, &Overrides::default()).unwrap();
    let defaults = reading.origins.iter().filter(|(_, it)| **it == Origin::Default);
    assert_eq!(defaults.count(), 0, "every setting stands in the starter");

    // The example names every key of a source.
    let example = fs::read_to_string(home.join("sources/example.toml")).unwrap();
    let whole: toml::Table = toml::from_str(&toml::to_string(&sources[0]).unwrap()).unwrap();
    for key in whole.keys().chain(["unit", "description", "examples"].map(String::from).iter()) {
        assert!(
            example.lines().any(|it| it.starts_with(&format!("{key} = "))
                || it == format!("[{key}]")
                || it == format!("[[{key}]]")),
            "{key}"
        );
    }
}

#[test]
fn a_project_is_never_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(".gitignore"), "mine\n").unwrap();
    let report = init_project(dir.path()).unwrap();
    assert_eq!(report.kept, [".gitignore"]);
    assert_eq!(fs::read_to_string(dir.path().join(".gitignore")).unwrap(), "mine\n");

    fs::write(dir.path().join("countersign.toml"), "name = \"改過\"\n").unwrap();
    let error = init_project(dir.path()).unwrap_err().to_string();
    assert!(error.contains("countersign.toml, sources/example.toml"), "{error}");
    let kept = fs::read_to_string(dir.path().join("countersign.toml")).unwrap();
    assert_eq!(kept, "name = \"改過\"\n");

    let file = dir.path().join("countersign.toml");
    assert!(matches!(init_project(&file), Err(InitError::NotAFolder { .. })));
}

#[test]
fn a_unit_goes_with_the_type_of_its_field() {
    let with = |kind: &str, unit: &str| {
        let text = GOOD
            .replace("type = \"number\"", &format!("type = \"{kind}\""))
            .replace("unit = \"歲\"", &format!("unit = \"{unit}\""));
        let dir = project(&[("good.toml", text.as_bytes())]);
        read_sources(dir.path()).map_err(|it| it.to_string())
    };
    for (kind, unit) in [
        ("number", "歲"),
        ("any", "years"),
        ("money", "HKD/month"),
        ("money", "元/月"),
        ("money", "TWD"),
        ("money", "USD/person/year"),
        ("percent", "%"),
        ("percent", "％"),
        ("duration", "months"),
        ("duration", "個月"),
        ("number", "人"),
        ("number", "widgets"),
        ("money", "港元"),
    ] {
        assert!(with(kind, unit).is_ok(), "{kind} {unit}: {:?}", with(kind, unit));
    }
    for (kind, unit) in [
        ("money", "years"),
        ("percent", "元"),
        ("duration", "%"),
        ("number", "5 years"),
        ("money", " "),
    ] {
        assert!(with(kind, unit).is_err(), "{kind} {unit}");
    }
}

#[test]
fn sitemaps_alone_are_enough_where_they_are_whole_addresses() {
    let with = |start: &str, sitemaps: &str| {
        let text = GOOD.replace(
            "start = [\"https://agency.example/支援/\"]",
            &format!("start = {start}\nsitemaps = {sitemaps}"),
        );
        let dir = project(&[("good.toml", text.as_bytes())]);
        read_sources(dir.path()).map_err(|it| it.to_string())
    };
    assert!(with("[]", "[\"https://agency.example/sitemap.xml\"]").is_ok());
    assert!(with("[\"https://agency.example/\"]", "[\"/sitemap.xml\"]").is_ok());
    assert!(with("[]", "[\"/sitemap.xml\"]").is_err());
    assert!(with("[]", "[]").is_err());
    assert!(with("[\"https://agency.example/\"]", "[\"ftp://agency.example/s.xml\"]").is_err());
}

mod damaged {
    use super::*;
    use countersign::sources::source_file::read_source;
    use proptest::prelude::*;

    const PIECES: &[&str] = &[
        "\"",
        "'",
        "[",
        "]",
        "{",
        "}",
        "=",
        "#",
        ".",
        ",",
        "\n",
        "\r\n",
        "\u{3000}",
        "＝",
        "「",
        "年",
        "\u{0}",
        "\\u",
        "\"\"\"",
        "[[fields]]",
        "true",
        "-1",
        "1e9",
        "1979-05-27",
        "é",
        "\u{202e}",
    ];

    proptest! {
        /// Whatever is typed into a good file, the answer is a source or places inside the file.
        #[test]
        fn a_damaged_file_is_read_or_told_what_is_wrong_with_it(
            edits in prop::collection::vec((0usize..6_000, 0usize..PIECES.len(), 0usize..4), 1..6)
        ) {
            let example = include_str!("../../src/sources/starter/example.toml");
            let mut chars: Vec<char> = example.chars().collect();
            for (at, piece, cut) in edits {
                let at = at % chars.len();
                let end = (at + cut).min(chars.len());
                chars.splice(at..end, PIECES[piece].chars());
            }
            let text: String = chars.into_iter().collect();
            let lines = text.split('\n').count();
            if let Err(problems) = read_source("sources/example.toml", "example", &text) {
                prop_assert!(!problems.is_empty());
                for problem in problems {
                    prop_assert!(problem.line <= lines, "{problem}");
                    prop_assert!(!problem.expected.is_empty() && !problem.found.is_empty());
                }
            }
            let _ = read_config("countersign.toml", text.as_bytes(), &Overrides::default());
        }
    }
}
