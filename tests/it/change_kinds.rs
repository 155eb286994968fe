//! Kinds of change: numbered clauses, signs, other looks, our own reader, reverts, editions by day.

use std::collections::BTreeSet;
use std::fs;

use countersign::fetch::loopback::Reply;
use countersign::sheet::issue::row_digest;
use serde_json::Value;

use crate::ferry::{Project, SOURCE, articles, edition, html, page};

/// A list of clauses, each with its number in its own text.
fn clauses(texts: &[&str]) -> Reply {
    let items: String = texts
        .iter()
        .enumerate()
        .map(|(at, it)| format!("<li><b>{}.</b> {it}</li>", at + 1))
        .collect();
    html(&format!("<main><h1>Ferry cards</h1><ol class=rules>{items}</ol></main>"), "Ferry cards")
}

fn english(source: &str) -> String {
    source
        .replace("language = \"zh-Hant\"", "language = \"en\"")
        .replace("{ rule = \"articles\" }", "{ rule = \"selector\", selector = \"ol.rules > li\" }")
}

fn json(project: &Project, args: &[&str]) -> Value {
    let output = project.command(args).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn items(diff: &Value) -> Vec<Value> {
    let pages = diff.as_array().and_then(|it| it.first()).unwrap_or(diff)["pages"].clone();
    pages
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| it["items"].as_array().cloned().unwrap_or_default())
        .collect()
}

#[test]
fn numbered_clauses_keep_their_rows_when_one_is_inserted_and_references_are_told() {
    let one = [
        "The applicant must have lived in the district for two years.",
        "The monthly income must not exceed $9,400.",
        "The savings must not exceed $52,000.",
        "The office may waive the limit of clause 3 once.",
    ];
    let mut two = one.to_vec();
    two.insert(1, "The applicant must be aged 60 or over.");
    let project = Project::new(&[
        ("one", edition(&[("/card", clauses(&one))])),
        ("two", edition(&[("/card", clauses(&two))])),
    ]);
    project.source(&english(SOURCE));
    project.run("run");
    let keys = project.keys();
    assert!(keys.len() >= 3, "{keys:?}");
    let was = agreed(&project);
    let update = project.update_to("two");
    assert!(was.is_subset(&agreed(&project)), "a sign-off expires with a number");
    assert_eq!(update.changes(), [1, 0, 0, 3], "{}", update.summary);
    assert_eq!(update.number("/items/asked"), 1, "{}", update.summary);
    assert!(keys.is_subset(&project.keys()));
    let quotes: BTreeSet<String> = project.rows().into_iter().map(|it| it.claim.snippet).collect();
    assert!(!quotes.iter().any(|it| it.starts_with("2. The monthly")), "{quotes:?}");
    let reference = &update.summary["references"][0];
    assert_eq!(reference["words"], "clause 3", "{}", update.summary);
    assert_eq!(update.code, Some(3));
    let clauses = &update.summary["touched"][0]["clauses"];
    assert!(clauses[0]["new"].as_str().unwrap().contains("aged 60"), "{clauses}");
}

#[test]
fn a_changed_sign_or_join_is_never_other_looks_and_comes_first() {
    let one = page(
        "渡輪卡辦法",
        &articles(&[
            "本辦法由渡輪管理處辦理並公告。".to_owned(),
            "收費應 ≥ 40 元。".to_owned(),
            "費率為 2.5 萬元。".to_owned(),
            "設籍或居住本區者得申請。".to_owned(),
        ]),
    );
    let two = page(
        "渡輪卡辦法",
        &articles(&[
            "本辦法由渡輪公司辦理並公告。".to_owned(),
            "收費應 ≤ 40 元。".to_owned(),
            "費率為 2,5 萬元。".to_owned(),
            "設籍且居住本區者得申請。".to_owned(),
        ]),
    );
    let project =
        Project::new(&[("one", edition(&[("/card", one)])), ("two", edition(&[("/card", two)]))]);
    project.run("run");
    project.update_to("two");
    let diff = json(&project, &["diff"]);
    let found = items(&diff);
    let keys: Vec<_> = found.iter().map(|it| it["new_key"].as_str().unwrap().to_owned()).collect();
    assert_eq!(keys, ["art-2", "art-3", "art-4", "art-1"], "{found:#?}");
    assert!(found.iter().all(|it| it["change"] == "changed"), "{found:#?}");
    assert!(found[..3].iter().all(|it| it["number_or_operator"] == true), "{found:#?}");
    assert!(found[3].get("number_or_operator").is_none());
}

#[test]
fn other_looks_of_the_same_words_are_anchored_again_by_code() {
    let plain = ["每月補助新臺幣3000元。", "持卡人稱為「長者」，應年滿65歲。"];
    let other = ["每月補助新台幣３０００元。", "持卡人稱為『長者』，應年滿６５歲。"];
    let of = |it: [&str; 2]| page("渡輪卡辦法", &articles(&it.map(str::to_owned)));
    let project = Project::new(&[
        ("one", edition(&[("/card", of(plain))])),
        ("two", edition(&[("/card", of(other))])),
    ]);
    project.run("run");
    let keys = project.keys();
    let update = project.update_to("two");
    assert_eq!((update.asks(), update.changes()), (0, [0; 4]), "{}", update.summary);
    assert_eq!(project.keys(), keys, "anchored to the bytes of today");
    let found = items(&json(&project, &["diff"]));
    assert!(found.iter().all(|it| it["change"] == "cosmetic_variant"), "{found:#?}");
    assert_eq!(found.len(), 2);
}

#[test]
fn another_reader_is_our_doing_and_is_named_so() {
    let project = Project::new(&[("one", edition(&[]))]);
    project.run("run");
    let keys = project.keys();
    let settings = "[extractor]\nanswerer = \"files\"\nmodel = \"another\"\n";
    fs::write(project.path().join("countersign.toml"), settings).unwrap();
    let update = project.run("update");
    assert_eq!(update.changes(), [0; 4], "{}", update.summary);
    assert!(update.number("/items/waiting") > 0, "{}", update.summary);
    let touched = update.summary["touched"].as_array().unwrap();
    assert!(touched.iter().all(|it| it["cause"] == "reader"), "{}", update.summary);
    assert_eq!(project.keys(), keys, "the rows stand until the other reader has read");
}

#[test]
fn editions_are_named_by_name_and_by_day_and_a_row_tells_its_story() {
    let fee = |amount: &str| {
        page("渡輪卡收費標準", &articles(&[format!("補發渡輪卡，每張收費新臺幣{amount}元。")]))
    };
    let project = Project::new(&[
        ("one", edition(&[("/fees", fee("二百"))])),
        ("two", edition(&[("/fees", fee("三百"))])),
        ("three", edition(&[("/fees", fee("四百"))])),
    ]);
    project.run("run");
    for name in ["two", "three", "two"] {
        project.update_to(name);
    }
    let first = |it: &Value| it.as_array().and_then(|it| it.first()).unwrap_or(it).clone();
    let all = first(&json(&project, &["diff"]));
    let back = first(&json(&project, &["diff", "--to", all["from"].as_str().unwrap()]));
    assert_eq!(back["to"], all["from"], "the edition before the one that is named");
    assert_ne!(back["from"], all["to"].as_str().unwrap_or_default().to_owned() + "x");
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let by_day = first(&json(&project, &["diff", "--to", &today]));
    assert_eq!(by_day["to"], all["to"]);
    let row = project.rows().into_iter().find(|it| it.page.ends_with("/fees")).unwrap();
    let story = json(&project, &["why", &row.key]);
    let told = story["editions"].as_array().unwrap();
    assert!(told.len() >= 3, "{story}");
    let touches = all["pages"].as_array().unwrap().iter().find(|it| it["touches"].is_object());
    assert!(touches.unwrap()["touches"]["rows"].as_u64() >= Some(1), "{all}");
    assert!(story.to_string().contains("四百"), "{story}");
}

#[test]
fn a_paragraph_that_became_a_heading_and_a_broken_line_make_no_ask() {
    let body = |lead: &str, rest: &str| {
        html(
            &format!(
                "<main><h1>Ferry cards</h1><p>Cards are for residents.</p>{lead}\
                 <ul><li>aged 65 or over</li><li>resident for 3 years</li></ul>{rest}</main>"
            ),
            "Ferry cards",
        )
    };
    let one = body(
        "<p>Who may apply:</p>",
        "<p><strong>Fee</strong><br> A card costs $20 a year.</p><p>Bring your papers.</p>",
    );
    let two = body(
        "<h3>Who may apply:</h3>",
        "<p><strong>Fee</strong> A card costs $20 a year.</p><p>Bring your papers.</p>",
    );
    let project =
        Project::new(&[("one", edition(&[("/card", one)])), ("two", edition(&[("/card", two)]))]);
    let source = SOURCE
        .replace("language = \"zh-Hant\"", "language = \"en\"")
        .replace("{ rule = \"articles\" }", "{ rule = \"headings\" }");
    project.source(&source);
    project.run("run");
    let keys = project.keys();
    assert!(!keys.is_empty());
    let update = project.update_to("two");
    assert_eq!((update.asks(), update.changes()), (0, [0; 4]), "{}", update.summary);
    assert_eq!(project.keys(), keys);
}

#[test]
fn a_page_that_says_it_was_removed_and_one_in_another_language_make_no_ask_and_move_no_row() {
    let removed = |body: &str, title: &str| {
        html(&format!("<main><h1>{title}</h1><p>{body}</p></main>"), title)
    };
    let one =
        page("渡輪卡辦法", &articles(&["申請人應年滿六十五歲，並設籍本區滿三年。".to_owned()]));
    let project = Project::new(&[
        ("one", edition(&[("/card", one)])),
        ("removed", edition(&[("/card", removed("本網頁已移除。補助業務已停辦。", "渡輪卡辦法"))])),
        (
            "english",
            edition(&[(
                "/card",
                removed(
                    "The applicant must be aged 65 or over and live here for 3 years.",
                    "Cards",
                ),
            )]),
        ),
    ]);
    project.run("run");
    let rows = project.files_below("extracted");
    for (name, gone) in [("english", 0), ("english", 0), ("removed", 1), ("removed", 1)] {
        let update = project.update_to(name);
        assert_eq!(update.asks(), 0, "{name}: {}", update.summary);
        assert_eq!(
            update.number("/changes/removed_candidates"),
            gone,
            "{name}: {}",
            update.summary
        );
        assert_eq!(update.code, Some(3), "{name} is worth a look");
        assert_eq!(project.files_below("extracted"), rows, "{name}");
    }
}

#[test]
fn a_change_outside_every_condition_leaves_no_sheet_without_a_row() {
    let about = |words: &str| page("關於渡輪卡", &[words.to_owned()]);
    let project = Project::new(&[
        ("one", edition(&[])),
        ("two", edition(&[("/about", about("歡迎大家搭乘渡輪。"))])),
    ]);
    project.run("run");
    let update = project.update_to("two");
    assert!(update.summary["sheet"].is_null(), "{}", update.summary);
    assert!(update.summary["report"].is_string(), "{}", update.summary);
}

/// An act of articles, counted from 1.
fn act(language: &str, texts: &[&str]) -> Reply {
    if language == "en" {
        let items = texts.iter().enumerate();
        let items = items.map(|(at, it)| format!("<p>Article {}</p><p>{it}</p>", at + 1));
        let items: String = items.collect();
        return html(&format!("<main><h1>Ferry Card Act</h1>{items}</main>"), "Act");
    }
    let texts: Vec<String> = texts.iter().map(|it| (*it).to_owned()).collect();
    page("渡輪卡辦法", &articles(&texts))
}

#[test]
fn a_row_whose_subject_is_its_heading_is_carried_under_the_number_of_today() {
    let (en, zh) = (
        [
            "A fee of $20 is paid each year.",
            "Add $5 a month.",
            "Pay $7 for a copy.",
            "A trip costs $3.",
        ],
        [
            "每月補助新臺幣三千元。",
            "每次補助新臺幣五百元。",
            "補發每張收費新臺幣二百元。",
            "退費新臺幣十元。",
        ],
    );
    for (language, texts) in [("en", en), ("zh-Hant", zh)] {
        let of = |texts: &[&str]| act(language, texts);
        let [a, b, c, d] = texts;
        let project = Project::new(&[
            ("one", edition(&[("/card", of(&[a, b, c]))])),
            ("two", edition(&[("/card", of(&[d, a, b, c]))])),
            ("turned", edition(&[("/card", of(&[c, a, b]))])),
        ]);
        project.source(&SOURCE.replace("\"zh-Hant\"", &format!("{language:?}")));
        project.run("run");
        let (keys, agreed) = (project.keys(), agreed(&project));
        let update = project.update_to("two");
        assert_eq!(update.number("/items/asked"), 1, "{language}: {}", update.summary);
        assert!(keys.is_subset(&project.keys()), "{language}");
        assert!(agreed.is_subset(&self::agreed(&project)), "{language}: a sign-off expires");
        let rows = project.rows();
        let stale: Vec<_> = rows
            .iter()
            .filter(|it| it.item.ends_with("-4") && it.claim.subject.contains('3'))
            .collect();
        assert!(stale.is_empty(), "{language}: {stale:#?}");
        let update = project.update_to("turned");
        assert_eq!(update.asks(), 0, "{language}: {}", update.summary);
    }
}

/// What signatures are bound to: each row's key with the digest of its clause and value.
pub fn agreed(project: &Project) -> BTreeSet<(String, String)> {
    project.rows().iter().map(|it| (it.key.clone(), row_digest(it))).collect()
}

#[test]
fn a_clause_that_is_read_again_under_another_number_keeps_its_untouched_rows_and_their_sign_offs() {
    let (en, zh) = (
        [
            "A fee of $20 is paid each year.",
            "Each year a grant of $90 is paid. A copy costs $7.",
            "Each year a grant of $90 is paid. A copy costs $8.",
            "A trip costs $3.",
        ],
        [
            "每次收費新臺幣五百元。",
            "每月補助新臺幣三千元。補發每張收費新臺幣二百元。",
            "每月補助新臺幣三千元。補發每張收費新臺幣二百五十元。",
            "退費新臺幣十元。",
        ],
    );
    for (language, texts) in [("en", en), ("zh-Hant", zh)] {
        let of = |texts: &[&str]| act(language, texts);
        let [first, before, after, inserted] = texts;
        let project = Project::new(&[
            ("one", edition(&[("/card", of(&[first, before]))])),
            ("two", edition(&[("/card", of(&[first, inserted, after]))])),
        ]);
        project.source(&SOURCE.replace("\"zh-Hant\"", &format!("{language:?}")));
        project.run("run");
        let was = agreed(&project);
        let update = project.update_to("two");
        let kept = was.intersection(&agreed(&project)).count();
        assert_eq!(was.len() - kept, 1, "{language}: the changed fee alone: {}", update.summary);
        assert_eq!(update.changes()[1], 1, "{language}: {}", update.summary);
        let quotes: Vec<String> = project.rows().into_iter().map(|it| it.claim.subject).collect();
        assert!(!quotes.iter().any(|it| it == "Article 2" || it == "第 2 條"), "{quotes:?}");
    }
}

#[test]
fn two_sources_that_share_a_page_ask_once_and_their_counts_add_up() {
    let edited = |amount: &str| {
        let texts = (1..=12).map(|at| format!("第{at}類持卡人每月補助新臺幣{amount}{at}百元。"));
        page("渡輪卡辦法", &articles(&texts.collect::<Vec<_>>()))
    };
    let project = Project::new(&[
        ("one", edition(&[("/card", edited("一千"))])),
        ("two", edition(&[("/card", edited("二千"))])),
        ("gone", edition(&[("/card", crate::ferry::gone())])),
    ]);
    let pier =
        SOURCE.replace("id = \"ferry\"", "id = \"pier\"").replace("渡輪管理處", "碼頭管理處");
    fs::write(project.path().join("sources/pier.toml"), pier).unwrap();
    let answers = |project: &Project| {
        let asks = project.files_below("asks").into_keys();
        asks.filter(|it| it.to_string_lossy().ends_with(".answer.json")).count() as u64
    };
    let bulk = project.run("run");
    assert_eq!(bulk.asks(), answers(&project), "{}", bulk.summary);
    let update = project.update_to("two");
    assert_eq!(bulk.asks() + update.asks(), answers(&project), "{}", update.summary);
    assert_eq!(update.changes(), [0, 24, 0, 0], "each source tells its own: {}", update.summary);
    assert_eq!(update.asks(), 24, "twelve items, read and reviewed once: {}", update.summary);
    let of = |source: &str| project.rows().iter().filter(|it| it.source == source).count();
    assert_eq!(of("ferry"), of("pier"));
    project.update_to("gone");
    let update = project.update_to("gone");
    assert!(update.number("/changes/removed_candidates") >= 24, "{}", update.summary);
}

pub type Pairs = Vec<(String, String)>;

/// What the client's sheet of an update holds: tab and key of each row, keys and reasons of "Changed".
pub fn issued(project: &Project, update: &crate::ferry::Told) -> (Pairs, Pairs) {
    let run = update.summary["run"].as_str().unwrap();
    let path = project.path().join("review").join(run).join("issued.json");
    let Ok(text) = fs::read_to_string(path) else { return (Vec::new(), Vec::new()) };
    let issued: Value = serde_json::from_str(&text).unwrap();
    let words = |it: &Value| it.as_str().unwrap().to_owned();
    let rows = issued["rows"].as_array().unwrap().iter();
    let changed = issued["changed"].as_array().into_iter().flatten();
    (
        rows.map(|it| (words(&it["tab"]), words(&it["key"]))).collect(),
        changed.map(|it| (words(&it["new"]["key"]), words(&it["reason"]))).collect(),
    )
}

/// A project of one page under headings, in two editions: what stands under its title.
pub fn sections(language: &str, one: &str, two: &str) -> Project {
    let of = |body: &str| html(&format!("<main><h1>Ferry</h1>{body}</main>"), "Ferry");
    cards(language, of(one), of(two))
}

/// The same of whole pages.
pub fn cards(language: &str, one: Reply, two: Reply) -> Project {
    let project =
        Project::new(&[("one", edition(&[("/card", one)])), ("two", edition(&[("/card", two)]))]);
    let source = SOURCE.replace("\"articles\"", "\"headings\"");
    project.source(&source.replace("\"zh-Hant\"", &format!("{language:?}")));
    project.run("run");
    project
}

#[test]
fn a_plain_sentence_that_changes_beside_rows_is_read_again_and_news_are_not() {
    let (fee, plain) = ("<p>The fee is $20 a year.</p>", "<p>每年收費新臺幣二百元。</p>");
    for (language, row, one, two, asked) in [
        ("en", fee, "Children travel free.", "Students travel free.", 1),
        ("en", fee, "", "People on income support do not pay.", 1),
        ("en", fee, "Fees are shown before tax.", "Fees are shown after tax.", 1),
        ("en", "", "The scheme is closed to newcomers.", "The scheme is open to newcomers.", 1),
        ("en", fee, "Call us at 2345 6789.", "Call us at 2345 6700.", 0),
        ("en", "", "Welcome aboard our boats.", "Welcome aboard all our boats.", 0),
        ("zh-Hant", plain, "兒童免費。", "學生免費。", 1),
        ("zh-Hant", plain, "", "中低收入戶亦同。", 1),
        ("zh-Hant", "", "本方案停止受理。", "本方案開始受理。", 1),
        ("zh-Hant", plain, "服務專線：2345-6789。", "服務專線：2345-6700。", 0),
        ("zh-Hant", "", "歡迎搭乘渡輪。", "歡迎大家搭乘渡輪。", 0),
    ] {
        let of = |words: &str| format!("<h2>1</h2>{row}<p>{words}</p>");
        let project = sections(language, &of(one), &of(two));
        let update = project.update_to("two");
        assert_eq!(update.number("/items/asked"), asked, "{one} {two}: {}", update.summary);
    }
}
