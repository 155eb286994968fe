//! What a client approved and the page took back: the approval is offered again when the page goes
//! back, with its day, and told beside what replaced the row. Through real sign-offs, both languages.

use std::fs;

use countersign::fetch::loopback::Reply;
use countersign::model::sheet::{IssuedSheet, Tab};

use crate::chain::last_sheet;
use crate::client::ClientBook;
use crate::ferry::{Project, SOURCE, articles, edition, gone, html, page};
use crate::sender::{CHINESE, ENGLISH, Words, sign};

/// A page in the sheet's language that states one fee.
fn fees(words: &Words, amount: &str) -> Reply {
    if words.tag == "-en" {
        let body = format!(
            "<main><h1>Ferry cards</h1><h2>Fees</h2><p>A new card costs ${amount} a year.</p></main>"
        );
        return html(&body, "Ferry cards");
    }
    page("渡輪卡收費標準", &articles(&[format!("補發渡輪卡，每張收費新臺幣{amount}元。")]))
}

fn project_of(words: &Words, amounts: [&str; 2]) -> Project {
    let [one, two] = amounts.map(|it| edition(&[("/fees", fees(words, it))]));
    let split = match words.tag {
        "-en" => {
            html("<main><h1>Ferry cards</h1><p>See the page on cards.</p></main>", "Ferry cards")
        }
        _ => page("渡輪卡收費標準", &["另見渡輪卡頁。".to_owned()]),
    };
    let moved = edition(&[("/fees", split), ("/about", fees(words, amounts[0]))]);
    let silent = edition(&[("/fees", gone())]);
    let project = Project::new(&[("one", one), ("two", two), ("moved", moved), ("gone", silent)]);
    if words.tag == "-en" {
        project.source(
            &SOURCE
                .replace("language = \"zh-Hant\"", "language = \"en\"")
                .replace("{ rule = \"articles\" }", "{ rule = \"headings\" }"),
        );
    }
    project
}

/// Approves everything of the last sheet, on record; the sheet, and the day of the signature.
fn approve_all(project: &Project, words: &Words) -> (IssuedSheet, String) {
    let (sheet, issued) = last_sheet(project.path());
    let mut book = ClientBook::open(&fs::read(sheet).unwrap());
    for row in issued.rows.iter().filter(|it| it.tab == Tab::Decide) {
        book.write(words.decide, &row.key, words.decision, words.approve);
    }
    book.sign(words.name, "陳 Chan");
    book.sign(words.all_rows, if words.tag == "-en" { "Approve all" } else { "全部核准" });
    let file = project.path().join("returned.xlsx");
    fs::write(&file, book.save()).unwrap();
    let sent = sign(project.path(), &file);
    assert_eq!(sent.exit, 0, "{} {}", sent.report, sent.stderr);
    let time = sent.report["receipt"]["signature"]["signed_at"].as_str();
    let day = time.unwrap_or_else(|| panic!("{}", sent.report))[..10].to_owned();
    (issued, day)
}

#[test]
fn an_approval_is_told_when_the_page_changes_and_offered_again_when_it_goes_back() {
    for (words, amounts) in [(&ENGLISH, ["20", "30"]), (&CHINESE, ["二百", "三百"])] {
        let project = project_of(words, amounts);
        project.run("run");
        let (signed, signed_on) = approve_all(&project, words);
        let fee = |issued: &IssuedSheet, amount: &str| {
            let rows = issued.rows.iter();
            let mut rows = rows.filter(|it| it.matter.row().claim.snippet.contains(amount));
            rows.next().unwrap_or_else(|| panic!("{amount}: {issued:#?}")).clone()
        };
        let approved = fee(&signed, amounts[0]);
        let update = project.update_to("two");
        assert_eq!(update.changes(), [0, 1, 0, 0], "{}", update.summary);
        assert_eq!(update.number("/touched/0/approved"), 1, "{}", update.summary);
        assert_eq!(update.number("/ended_sign_offs"), 1, "{}", update.summary);
        let (_, there) = last_sheet(project.path());
        let [pair] = there.changed.as_slice() else { panic!("one pair: {there:#?}") };
        assert_eq!(pair.old.key, approved.key);
        let told = [format!("was approved on {signed_on}"), format!("曾於 {signed_on} 經核准")];
        let of_language = usize::from(words.tag == "-zh");
        assert!(pair.reason.contains(&told[of_language]), "{}", pair.reason);

        let back = project.update_to("one");
        assert_eq!(back.asks(), 0, "the same words were read before: {}", back.summary);
        let (_, there) = last_sheet(project.path());
        let [pair] = there.changed.as_slice() else { panic!("one pair: {there:#?}") };
        assert_eq!(pair.new.key, approved.key, "the row has the key that was approved");
        let offer = ["that approval is offered again", "可沿用該核准"];
        assert!(pair.reason.contains(offer[of_language]), "{}", pair.reason);
        assert!(pair.reason.contains(&told[of_language]), "{}", pair.reason);
        let again = fee(&there, amounts[0]);
        assert_eq!((again.key, again.digest), (approved.key.clone(), approved.digest.clone()));
        assert!(!again.is_asked, "what is approved is not asked again");
        let verified = project.command(&["verify"]).output().unwrap();
        assert_eq!(verified.status.code(), Some(0));
    }
}

#[test]
fn a_candidate_names_the_day_of_its_approval_and_the_page_that_has_its_words_now() {
    for (words, amounts) in [(&ENGLISH, ["20", "30"]), (&CHINESE, ["二百", "三百"])] {
        let project = project_of(words, amounts);
        project.run("run");
        approve_all(&project, words);
        let update = project.update_to("moved");
        assert_eq!(update.number("/changes/removed_candidates"), 1, "{}", update.summary);
        let (_, there) = last_sheet(project.path());
        let removed: Vec<_> = there.rows.iter().filter(|it| it.tab == Tab::Removed).collect();
        assert!(!removed.is_empty());
        for row in removed {
            let countersign::model::sheet::Matter::Removal(candidate) = &row.matter else {
                panic!("{row:?}")
            };
            let reason = &candidate.reason;
            let has = |it: [&str; 2]| reason.contains(it[usize::from(words.tag == "-zh")]);
            assert!(
                has([
                    "now stand on http://ferry.example/about",
                    "現見於 http://ferry.example/about"
                ]),
                "{reason}"
            );
            assert!(has(["was approved on 20", "曾於 20"]), "{reason}");
        }
    }
}

/// A page in the sheet's language under one title, which alone differs between the editions.
fn titled(words: &Words, title: &str) -> Reply {
    let body = if words.tag == "-en" {
        "<h2>Fees</h2><p>A new card costs $20 a year.</p>"
    } else {
        "<h2>收費</h2><p>補發渡輪卡，每張收費新臺幣二百元。</p>"
    };
    html(&format!("<main><h1>{title}</h1>{body}</main>"), title)
}

#[test]
fn an_update_that_ends_a_sign_off_says_so_and_does_not_end_with_zero_and_offers_it_again() {
    for (words, titles) in [
        (&ENGLISH, ["Fees for adults", "Fees for children", "Fees for adults | GOV"]),
        (&CHINESE, ["成人收費", "兒童收費", "成人收費 - 某某部"]),
    ] {
        let [one, two, suffix] = titles.map(|it| edition(&[("/fees", titled(words, it))]));
        let project = Project::new(&[("one", one), ("two", two), ("suffix", suffix)]);
        let source = SOURCE.replace("\"articles\"", "\"headings\"");
        let language = if words.tag == "-en" { "\"en\"" } else { "\"zh-Hant\"" };
        project.source(&source.replace("\"zh-Hant\"", language));
        project.run("run");
        approve_all(&project, words);
        let update = project.update_to("two");
        assert!(update.number("/ended_sign_offs") > 0, "{}", update.summary);
        assert_eq!((update.code, update.asks()), (Some(3), 0), "{}", update.summary);
        assert!(update.notes.contains("sign-offs ended"), "{}", update.notes);
        let (_, there) = last_sheet(project.path());
        assert!(!there.changed.is_empty(), "{there:#?}");
        let back = project.update_to("suffix");
        assert!(back.summary["ended_sign_offs"].is_null(), "{}", back.summary);
        let (_, there) = last_sheet(project.path());
        let offers = ["that approval is offered again", "可沿用該核准"];
        let is_told = |reason: &str| offers.iter().any(|it| reason.contains(it));
        assert!(there.changed.iter().all(|it| is_told(&it.reason)), "{:#?}", there.changed);
    }
}
