//! Updates through the program: an invented regulation on its own server, edited in small ways.

use std::collections::BTreeSet;
use std::fs;

use countersign::fetch::loopback::Reply;
use countersign::reader::answerer::answer_by_rules;

use crate::ferry::{Project, SOURCE, articles, edition, gone, html, page, regulation, told};

#[test]
fn an_update_over_an_unchanged_site_asks_nothing_and_changes_no_file_but_the_ledger() {
    let project = Project::new(&[("one", edition(&[]))]);
    let bulk = project.run("run");
    assert!(bulk.number("/rows/accepted") >= 4, "{}", bulk.summary);
    let before = project.files();
    let update = project.run("update");
    assert_eq!((update.asks(), update.changes()), (0, [0; 4]), "{}", update.summary);
    let now = project.files();
    let differing: Vec<_> = now
        .iter()
        .filter(|(path, digest)| before.get(*path) != Some(digest))
        .map(|(path, _)| path.to_string_lossy().into_owned())
        .filter(|it| !it.starts_with("ledger.sqlite") && !it.starts_with("snapshots/ferry/ledger/"))
        .collect();
    assert!(differing.is_empty(), "{differing:?}");
    assert!(before.keys().all(|it| now.contains_key(it)), "no file went");
}

#[test]
fn an_inserted_article_is_asked_about_alone_and_two_hundred_are_carried() {
    let texts = regulation(203);
    let mut longer = texts.clone();
    longer.insert(3, "持卡人不得同時領取其他補助新臺幣五十元以上。".to_owned());
    let of = |it: &[String]| page("渡輪卡補助辦法", &articles(it));
    let project = Project::new(&[
        ("one", edition(&[("/card", of(&texts))])),
        ("two", edition(&[("/card", of(&longer))])),
    ]);
    project.run("run");
    let (keys, asked) = (project.keys(), project.asked());
    assert!(keys.len() > 300, "{}", keys.len());
    let update = project.update_to("two");
    assert_eq!(update.changes(), [1, 0, 0, 200], "{}", update.summary);
    assert_eq!(update.number("/items/asked"), 1);
    let fresh: Vec<_> = project.asked().difference(&asked).cloned().collect();
    assert_eq!(fresh.len(), 1, "{fresh:?}");
    let now = project.keys();
    assert!(keys.is_subset(&now), "every row kept its key");
    let moved = project.rows().into_iter().filter(|it| it.item == "art-204").count();
    assert!(moved > 0, "rows know their article's number of today");
}

#[test]
fn what_the_page_no_longer_shows_stays_live_until_signed_and_comes_back_without_a_trace() {
    let shorter = page(
        "渡輪卡辦法",
        &[
            "第 1 條".to_owned(),
            "申請人應年滿六十五歲，並設籍本區滿三年。".to_owned(),
            "第 3 條".to_owned(),
            "申請人每月收入不得超過新臺幣二萬元。".to_owned(),
            "第 4 條".to_owned(),
            "依第三條規定審查者，應於三十日內完成。".to_owned(),
        ],
    );
    let project = Project::new(&[("one", edition(&[])), ("two", edition(&[("/card", shorter)]))]);
    project.run("run");
    let (keys, rows) = (project.keys(), project.files_below("extracted"));
    for _ in 0..3 {
        let update = project.update_to("two");
        assert_eq!(update.asks(), 0, "{}", update.summary);
        assert_eq!(update.number("/changes/removed_candidates"), 1, "{}", update.summary);
        assert_eq!(project.keys(), keys, "nothing is taken down by itself");
        assert_eq!(update.code, Some(3));
    }
    let lost = project.rows().into_iter().find(|it| it.item == "art-2").unwrap();
    let detail = &lost.findings.last().unwrap().detail;
    assert!(detail.contains("最後見於"), "{detail}");

    let back = project.update_to("one");
    assert_eq!(back.asks(), 0, "the same words were read before: {}", back.summary);
    assert_eq!(back.number("/changes/removed_candidates"), 0, "{}", back.summary);
    assert_eq!(project.files_below("extracted"), rows, "as if nothing had happened");
}

#[test]
fn a_change_outside_every_condition_and_another_spelling_make_no_ask() {
    let outside = page("關於渡輪卡", &["歡迎大家搭乘渡輪。".to_owned()]);
    let spelled = page(
        "渡輪卡辦法",
        &articles(&[
            "申請人應年滿六十五歲，並設籍本區滿三年。".to_owned(),
            "每月補助新台幣三千元。".to_owned(),
            "申請人每月收入不得超過新台幣二萬元。".to_owned(),
            "依第三條規定審查者，應於三十日內完成。".to_owned(),
        ]),
    );
    let project = Project::new(&[
        ("one", edition(&[])),
        ("two", edition(&[("/about", outside)])),
        ("three", edition(&[("/card", spelled)])),
    ]);
    project.run("run");
    let keys = project.keys();
    let update = project.update_to("two");
    assert_eq!((update.asks(), update.changes()), (0, [0; 4]), "{}", update.summary);
    let update = project.update_to("three");
    assert_eq!((update.asks(), update.changes()), (0, [0; 4]), "{}", update.summary);
    assert_eq!(project.keys(), keys, "the keys are the same, the bytes are those of today");
    let quoted: Vec<String> = project.rows().into_iter().map(|it| it.claim.snippet).collect();
    assert!(quoted.iter().any(|it| it.contains("新台幣三千元")), "{quoted:?}");
    assert!(!quoted.iter().any(|it| it.contains("新臺幣三千元")), "{quoted:?}");
}

#[test]
fn only_the_english_in_parentheses_changed_and_the_item_is_read_again() {
    let named = |name: &str| {
        page("渡輪卡辦法", &articles(&[format!("本辦法所稱持卡人 ({name})，應年滿六十五歲。")]))
    };
    let project = Project::new(&[
        ("one", edition(&[("/card", named("card holder"))])),
        ("two", edition(&[("/card", named("holder of a card"))])),
    ]);
    project.run("run");
    let update = project.update_to("two");
    assert_eq!(update.number("/items/asked"), 1, "{}", update.summary);
}

#[test]
fn a_failed_fetch_a_maintenance_page_and_a_lost_selector_move_nothing() {
    let failing = Reply { status: 503, ..Reply::default() };
    let apology =
        html("<main><h1>系統維護中</h1><p>本網站暫停服務，請稍後再試。</p></main>", "維護");
    let rebuilt =
        html("<div class=new><h1>渡輪卡辦法</h1><p>每月補助新臺幣九千元。</p></div>", "卡");
    let project = Project::new(&[
        ("one", edition(&[])),
        ("failing", edition(&[("/card", failing)])),
        ("apology", edition(&[("/card", apology)])),
        ("rebuilt", edition(&[("/card", rebuilt)])),
    ]);
    let source = SOURCE.replace("delay_ms = 0", "delay_ms = 0\nmax_tries = 1");
    project.source(&source);
    project.run("run");
    let rows = project.files_below("extracted");
    for name in ["failing", "apology", "rebuilt"] {
        for _ in 0..2 {
            let update = project.update_to(name);
            assert_eq!(update.asks(), 0, "{name}: {}", update.summary);
            assert_eq!(update.changes(), [0; 4], "{name}: {}", update.summary);
            assert_eq!(update.code, Some(3), "{name} is worth a look");
            assert!(update.notes.contains("/card"), "{name}: {}", update.notes);
            assert_eq!(project.files_below("extracted"), rows, "{name}");
        }
    }
}

#[test]
fn a_gone_page_is_a_candidate_from_its_second_refusal_on() {
    let project = Project::new(&[("one", edition(&[])), ("two", edition(&[("/fees", gone())]))]);
    project.run("run");
    let keys = project.keys();
    let candidates: Vec<u64> =
        (0..3).map(|_| project.update_to("two").number("/changes/removed_candidates")).collect();
    assert_eq!(candidates, [0, 1, 1]);
    assert_eq!(project.keys(), keys);
}

#[test]
fn a_gone_page_on_which_no_row_rests_is_told_and_asks_nothing() {
    let project = Project::new(&[("one", edition(&[])), ("two", edition(&[("/about", gone())]))]);
    project.run("run");
    assert_eq!(project.update_to("two").summary.pointer("/gone"), None, "once is not gone");
    let update = project.update_to("two");
    let gone = update.summary.pointer("/gone").and_then(|it| it.as_array()).unwrap();
    assert_eq!(gone.len(), 1, "{}", update.summary);
    assert!(gone[0]["page"].as_str().unwrap().ends_with("/about"), "{}", update.summary);
    assert!(gone[0]["reason"].as_str().unwrap().starts_with("網頁已不存在"), "{}", update.summary);
    assert_eq!(update.number("/changes/removed_candidates"), 0);
}

#[test]
fn a_reference_to_a_renumbered_article_is_told() {
    let mut texts = vec![
        "申請人應年滿六十五歲，並設籍本區滿三年。".to_owned(),
        "每月補助新臺幣三千元。".to_owned(),
        "申請人每月收入不得超過新臺幣二萬元。".to_owned(),
        "依第三條規定審查者，應於三十日內完成。".to_owned(),
    ];
    let project_texts = texts.clone();
    texts.insert(1, "申請人應檢附身分證明。".to_owned());
    let project = Project::new(&[
        ("one", edition(&[("/card", page("渡輪卡辦法", &articles(&project_texts)))])),
        ("two", edition(&[("/card", page("渡輪卡辦法", &articles(&texts)))])),
    ]);
    project.run("run");
    let update = project.update_to("two");
    assert_eq!(update.changes(), [1, 0, 0, 3], "{}", update.summary);
    assert!(update.notes.contains("第三條") && update.notes.contains("art-4"), "{}", update.notes);
}

#[test]
fn what_our_own_rules_bring_is_never_called_a_change_of_the_source() {
    let two_parts = |amount: &str| {
        html(
            &format!(
                "<main><h1>渡輪卡辦法</h1><section class=a><p>第 1 條</p><p>申請人應年滿六十五歲。</p></section>\
                 <section class=b><p>第 2 條</p><p>每月補助新臺幣{amount}元。</p></section></main>"
            ),
            "渡輪卡辦法",
        )
    };
    let project = Project::new(&[
        ("one", edition(&[("/card", two_parts("三千"))])),
        ("two", edition(&[("/card", two_parts("四千"))])),
    ]);
    project.source(&SOURCE.replace("[\"main\"]", "[\".a\", \"main:not(:has(.b))\"]"));
    project.run("run");
    let keys = project.keys();
    project.source(SOURCE);
    let requests = project.site.served().len();
    let output = project.line("update", &["--no-crawl"]).output().unwrap();
    let update = told(&output);
    assert_eq!(project.site.served().len(), requests, "nothing was fetched");
    assert_eq!(update.changes(), [0; 4], "{}", update.summary);
    assert!(update.number("/changes/by_rule") >= 1, "{}", update.summary);
    assert!(keys.is_subset(&project.keys()));
    // And then the source itself changes.
    let update = project.update_to("two");
    assert_eq!(update.changes(), [0, 1, 0, 0], "{}", update.summary);
    assert!(update.summary.pointer("/changes/by_rule").is_none(), "{}", update.summary);
}

#[test]
fn rules_and_files_are_asked_about_the_same_items() {
    let changed = page(
        "渡輪卡辦法",
        &articles(&[
            "申請人應年滿六十歲，並設籍本區滿三年。".to_owned(),
            "每月補助新臺幣三千元。".to_owned(),
            "申請人每月收入不得超過新臺幣二萬五千元。".to_owned(),
            "依第三條規定審查者，應於三十日內完成。".to_owned(),
        ]),
    );
    let editions = [("one", edition(&[])), ("two", edition(&[("/card", changed)]))];
    let by_rules = Project::new(&editions);
    by_rules.run("run");
    let first = by_rules.asked();
    by_rules.update_to("two");
    let asked: BTreeSet<String> = by_rules.asked().difference(&first).cloned().collect();
    assert_eq!(asked.len(), 2, "{asked:?}");

    let by_files = Project::new(&editions);
    let settings = "[extractor]\nanswerer = \"files\"\n[reviewer]\nanswerer = \"files\"\n";
    fs::write(by_files.path().join("countersign.toml"), settings).unwrap();
    by_files.run("run");
    rounds(&by_files);
    assert_eq!(by_files.asked(), first);
    let waiting = by_files.update_to("two");
    assert_eq!(waiting.number("/items/waiting"), 2, "{}", waiting.summary);
    rounds(&by_files);
    let found: BTreeSet<String> = by_files.asked().difference(&first).cloned().collect();
    assert_eq!(found, asked);
    assert_eq!(by_files.keys(), by_rules.keys());
}

/// Answers all open asks as the built-in reader would, round after round.
fn rounds(project: &Project) {
    for _ in 0..6 {
        let mut open = 0;
        for ask in project.files_below("asks").into_keys() {
            let name = ask.to_string_lossy().into_owned();
            let Some(digest) = ask.file_name().unwrap().to_str().unwrap().strip_suffix(".ask.json")
            else {
                continue;
            };
            let place = project.path().join(name.replace(".ask.json", ".answer.json"));
            if place.exists() {
                continue;
            }
            let text = fs::read_to_string(project.path().join(&ask)).unwrap();
            let answer = answer_by_rules(&serde_json::from_str(&text).unwrap(), digest).unwrap();
            fs::write(place, serde_json::to_string_pretty(&answer).unwrap()).unwrap();
            open += 1;
        }
        if open == 0 {
            return;
        }
        told(&project.line("update", &["--no-crawl"]).output().unwrap());
    }
    panic!("no end of asks");
}
