//! Crawls of a site that was known before: what moved, what is gone, what only says so.

use countersign::crawl::run::ExitClass;
use countersign::fetch::exchange::FetchError;
use countersign::model::page::{Outcome, PageChange};

use crate::site::{Bed, address, html, outcome, page, redirect, reply, said};

const RULE: &str = "A berth holder must be aged 18 or over and have lived in the district for two \
    years. The yearly fee is $240 and is paid in advance by bank transfer.";
const REGEL: &str = "申請人須年滿十八歲，並在本區居住滿二年。泊位年費為新臺幣二千四百元，應於每年一月三十一日前繳納。";

#[test]
fn a_problem_stays_open_until_the_page_is_right_again() {
    let mut bed = Bed::new("zh-Hant").only(&["/fees"]);
    bed.source.content = vec!["#fees".to_owned()];
    let right = html("泊位年費", &format!("<div id=fees><p>{REGEL}</p></div>"));
    bed.put("/fees", right.clone());
    let first = bed.crawl();
    assert_eq!(outcome(&first, "/fees").change, Some(PageChange::First));
    assert_eq!(first.exit, ExitClass::Ok);

    bed.put("/fees", html("泊位年費", &format!("<div id=fees-new><p>{REGEL}</p></div>")));
    let began = bed.crawl().record.started;
    let third = bed.crawl();
    let found = outcome(&third, "/fees");
    assert_eq!((found.outcome, found.open_runs), (Outcome::SelectorMissing, 2));
    assert_eq!(found.since, Some(began), "the day it began");
    assert_eq!(third.exit, ExitClass::Attention);
    assert_eq!(bed.manifest(&third), bed.manifest(&first), "what was known stays");

    bed.put("/fees", Err(FetchError::TimedOut));
    let fourth = bed.crawl();
    let found = outcome(&fourth, "/fees");
    assert_eq!((found.outcome, found.open_runs), (Outcome::FailedTransient, 3));
    assert_eq!(found.since, Some(began), "a time-out closes nothing");

    bed.put("/fees", right);
    let fifth = bed.crawl();
    assert_eq!(outcome(&fifth, "/fees").change, Some(PageChange::None));
    assert_eq!((fifth.exit, outcome(&fifth, "/fees").open_runs), (ExitClass::Ok, 0));
}

#[test]
fn a_page_that_moved_after_it_was_known_is_brought_to_a_person() {
    let bed = Bed::new("en").only(&["/fees", "/rules"]);
    bed.put("/fees", page("Fees", &[RULE]));
    bed.put("/rules", page("Rules", &["Rule 1. ", RULE]));
    bed.crawl();
    bed.put("/fees", redirect(301, "/charges"));
    bed.put("/charges", page("Charges", &[RULE, "New."]));
    bed.put("/rules", redirect(301, "https://www.harbour.example/en/"));
    let report = bed.crawl();
    assert_eq!(said(&report, "/fees").0, Outcome::Moved);
    assert_eq!(said(&report, "/rules"), (Outcome::SoftGone, "redirect_to_site_root"));
    assert_eq!(report.exit, ExitClass::Attention);
    let candidates: Vec<_> = report.record.removal_candidates.iter().map(|it| &it.page).collect();
    assert_eq!(candidates, [&address("/rules")]);
    let baseline = bed.store().baseline().unwrap().unwrap();
    assert!(baseline.pages[&address("/fees")].accepted.is_some(), "the last text stays known");
}

#[test]
fn pages_that_say_they_are_not_there_are_not_content() {
    for (language, at, title, text, expected) in [
        (
            "en",
            "/fees",
            "Not available",
            "This service is temporarily unavailable. Please try again later.",
            (Outcome::Suspect, "maintenance"),
        ),
        (
            "zh-Hant",
            "/fees",
            "系統維護公告",
            "本網站目前進行系統維護，暫停服務，造成不便敬請見諒。",
            (Outcome::Suspect, "maintenance"),
        ),
        (
            "en",
            "/fees",
            "Page not found",
            "The page you are looking for does not exist or has been moved.",
            (Outcome::SoftGone, "soft_404"),
        ),
        (
            "zh-Hant",
            "/fees",
            "錯誤",
            "您要瀏覽的網頁不存在，或已移除。",
            (Outcome::SoftGone, "soft_404"),
        ),
        (
            "zh-Hant",
            "/fees",
            "會員登入",
            "請先登入。<input type=password>",
            (Outcome::Suspect, "login_wall"),
        ),
        (
            "en",
            "/fees",
            "Just a moment...",
            "Checking your browser before accessing harbour.example.",
            (Outcome::BlockedBySite, "waf_challenge"),
        ),
    ] {
        let bed = Bed::new(language).only(&["/fees", "/other"]);
        let content = if language == "en" { RULE } else { REGEL };
        bed.put(at, page("Fees", &[content]));
        bed.put("/other", page("Other", &[content, "2"]));
        let first = bed.crawl();
        bed.put(at, page(title, &[text]));
        let second = bed.crawl();
        assert_eq!(said(&second, at), expected, "{title}");
        assert_eq!(second.exit, ExitClass::Attention, "{title}");
        assert_eq!(bed.manifest(&second), bed.manifest(&first), "{title}");
        bed.put(at, page("Fees", &[content]));
        assert_eq!(outcome(&bed.crawl(), at).change, Some(PageChange::None), "{title}");
        // The same page, never seen well, is not content either.
        let fresh = Bed::new(language).only(&[at]);
        fresh.put(at, page(title, &[text]));
        assert_eq!(said(&fresh.crawl(), at), expected, "{title}");
    }
}

#[test]
fn the_same_new_text_on_many_pages_is_nobodys_text() {
    let bed = Bed::new("en").only(&["/", "/a", "/b", "/c", "/d", "/e"]);
    bed.put("/", page("Harbour Board", &["Welcome to the harbour.", RULE]));
    for (n, at) in ["/a", "/b", "/c", "/d", "/e"].iter().enumerate() {
        bed.put(at, page(&format!("Rule {n}"), &[RULE, &format!("Clause {n}.")]));
    }
    let first = bed.crawl();
    // An apology in words no rule knows.
    for at in ["/a", "/b", "/c"] {
        bed.put(at, page("Hold tight", &["Our crew is polishing the brass. Kettle is on, see you in a bit, friends of the sea."]));
    }
    bed.put("/d", page("Harbour Board", &["Welcome to the harbour.", RULE]));
    // A page that merges with another one is a page.
    bed.put("/e", page("Hold tight", &[RULE, "Clause 9."]));
    let second = bed.crawl();
    for at in ["/a", "/b", "/c"] {
        assert_eq!(said(&second, at), (Outcome::Suspect, "same_text_on_many_pages"), "{at}");
    }
    assert_eq!(said(&second, "/d"), (Outcome::SoftGone, "same_text_as_site_root"));
    assert_eq!(outcome(&second, "/e").change, Some(PageChange::SourceText));
    let known = |report| bed.store().manifest(report).unwrap().pages.len();
    assert_eq!(known(&second.record.edition), known(&first.record.edition));
}

#[test]
fn the_text_of_a_missing_page_with_status_200_is_a_missing_page() {
    let bed = Bed::new("en").only(&["/a", "/b", "/nothing"]);
    let lost = "Ahoy! This berth is empty. Our lighthouse keeper could not make out what you were steering for.";
    let missing = |status| {
        let mut reply = page("Empty berth", &[lost]);
        if let Ok(it) = &mut reply {
            it.status = status;
        }
        reply
    };
    bed.put("/a", page("A", &[RULE]));
    bed.put("/b", page("B", &[RULE, "2"]));
    bed.put("/nothing", missing(404));
    bed.crawl();
    bed.put("/a", missing(200));
    let report = bed.crawl();
    assert_eq!(said(&report, "/a"), (Outcome::SoftGone, "same_text_as_missing_page"));
}

#[test]
fn gone_is_counted_only_while_the_site_works() {
    let bed = Bed::new("en").only(&["/a", "/b"]);
    bed.put("/a", page("A", &[RULE]));
    bed.put("/b", page("B", &[RULE, "2"]));
    bed.crawl();
    bed.remove("/a");
    bed.remove("/b");
    for _ in 0..3 {
        let report = bed.crawl();
        assert_eq!(said(&report, "/a").0, Outcome::GoneSuspected, "the whole site is away");
        assert_eq!(outcome(&report, "/a").gone_seen, 0);
        assert!(report.record.removal_candidates.is_empty());
    }
    bed.put("/b", page("B", &[RULE, "2"]));
    assert_eq!(outcome(&bed.crawl(), "/a").gone_seen, 1);
    bed.put("/a", Err(FetchError::TimedOut));
    assert_eq!(said(&bed.crawl(), "/a").0, Outcome::FailedTransient);
    bed.put("/a", reply(410, &[], ""));
    let report = bed.crawl();
    assert_eq!((said(&report, "/a").0, outcome(&report, "/a").gone_seen), (Outcome::Gone, 2));
    assert_eq!(report.record.removal_candidates.len(), 1);
    let pages = bed.store().manifest(&report.record.edition).unwrap().pages;
    assert_eq!(pages.len(), 1, "confirmed as gone, out of the edition, never out of the baseline");
    bed.put("/a", page("A", &[RULE]));
    let back = bed.crawl();
    assert_eq!((said(&back, "/a").0, outcome(&back, "/a").gone_seen), (Outcome::Ok, 0));
}

#[test]
fn a_source_of_one_page_can_see_it_go() {
    let bed = Bed::new("en").only(&["/a"]);
    bed.put("/a", page("A", &[RULE]));
    bed.crawl();
    bed.remove("/a");
    assert_eq!(said(&bed.crawl(), "/a").0, Outcome::GoneSuspected);
    assert_eq!(said(&bed.crawl(), "/a").0, Outcome::Gone);
}

#[test]
fn a_site_that_answers_in_its_other_language_is_suspect() {
    for (language, own, other, reason) in [
        ("en", RULE, REGEL, "language_changed en->zh"),
        ("zh-Hant", REGEL, RULE, "language_changed zh->en"),
    ] {
        let bed = Bed::new(language).only(&["/fees"]);
        bed.put("/fees", page("Fees 年費", &[own]));
        bed.crawl();
        let asked = &bed.seen("/fees")[0].headers;
        let sent = &asked.iter().find(|it| it.0 == "accept-language").unwrap().1;
        assert!(sent.starts_with(language), "{sent}");
        bed.put("/fees", page("Fees 年費", &[other]));
        let report = bed.crawl();
        assert_eq!(said(&report, "/fees"), (Outcome::Suspect, reason));
        let found = outcome(&report, "/fees");
        assert!(found.han_percent.is_some() && found.han_percent_before.is_some());
        bed.put("/fees", page("Fees 年費", &[own, &format!("({other})"), own]));
        assert_eq!(said(&bed.crawl(), "/fees").0, Outcome::Ok, "a bilingual page is a page");
    }
}

#[test]
fn a_hole_in_a_numbered_listing_is_not_a_removal() {
    let mut bed = Bed::new("zh-Hant").only(&["/list?page=1"]);
    bed.source.listings = vec!["/list?page={n}".to_owned()];
    let list = |from: u32, to: u32| {
        let items: String = (from..=to)
            .map(|it| format!("<li><a href=/p/{it}>泊位申請須知第 {it} 號</a></li>"))
            .collect();
        html("公告", &format!("<p>第 {from} 至 {to} 筆，共 24 筆</p><ul>{items}</ul>"))
    };
    for n in 1..=3 {
        bed.put(&format!("/list?page={n}"), list(n * 8 - 7, n * 8));
    }
    let first = bed.crawl();
    assert_eq!(first.exit, ExitClass::Ok);
    assert_eq!((first.record.listings[0].listed, first.record.pages.len()), (24, 3));
    bed.put("/list?page=2", html("公告", "<p>查詢結果</p><ul></ul>"));
    let second = bed.crawl();
    let listing = &second.record.listings[0];
    assert_eq!((listing.listed, listing.declared_total, listing.is_complete), (8, Some(24), false));
    assert_eq!(listing.not_verified.len(), 16);
    assert_eq!(said(&second, "/list?page=2"), (Outcome::Suspect, "listing_empty"));
    assert_eq!(bed.seen("/list?page=2").len(), 2, "asked once more before it is believed");
    assert_eq!(second.exit, ExitClass::Attention);
    assert!(second.record.removal_candidates.is_empty());
}

#[test]
fn the_operator_can_vouch_for_a_page() {
    let mut bed = Bed::new("en").only(&["/fees"]);
    bed.put("/fees", page("Site maintenance", &["The site is under maintenance until May."]));
    assert_eq!(said(&bed.crawl(), "/fees"), (Outcome::Suspect, "maintenance"));
    bed.source.vouched_for.push(address("/fees#today"));
    assert_eq!(said(&bed.crawl(), "/fees").0, Outcome::Ok);
    bed.source.vouched_for.clear();
    assert_eq!(
        outcome(&bed.crawl(), "/fees").change,
        Some(PageChange::None),
        "accepted is accepted"
    );
}

#[test]
fn a_narrower_declaration_takes_pages_out_of_the_edition_and_forgets_nothing() {
    let mut bed = Bed::new("en").only(&["/a", "/b"]);
    bed.put("/a", page("A", &[RULE]));
    bed.put("/b", page("B", &[RULE, "2"]));
    bed.crawl();
    bed.source.deny = vec!["^/b".to_owned()];
    bed.source.start.pop();
    let report = bed.crawl();
    assert_eq!(report.record.documents, 1);
    assert_eq!(report.record.skipped.get("known_out_of_scope"), Some(&1));
    assert!(bed.seen("/b").is_empty());
    bed.source.deny.clear();
    let back = bed.crawl();
    assert_eq!(outcome(&back, "/b").change, Some(PageChange::None), "the same text as before");
}

#[test]
fn a_dead_link_is_forgotten_when_nothing_names_it_any_more() {
    let bed = Bed::new("en");
    bed.put("/", html("Harbour Board", &format!("<p>{RULE}</p><a href=/dead>x</a>")));
    assert_eq!(said(&bed.crawl(), "/dead").0, Outcome::GoneSuspected);
    bed.put("/", html("Harbour Board", &format!("<p>{RULE}</p>")));
    bed.crawl();
    let report = bed.crawl();
    assert_eq!(report.record.pages.len(), 1);
    assert_eq!(report.exit, ExitClass::Ok);
}

#[test]
fn a_listing_that_pages_through_links_is_checked_by_its_own_words() {
    let bed = Bed::new("en");
    let list = |from: u32, to: u32, next: &str| {
        let items: String = (from..=to)
            .map(|it| {
                format!(
                    "<li><a href=https://elsewhere.example/{it}>Berth notice number {it}</a></li>"
                )
            })
            .collect();
        html("Notices", &format!("<p>Showing {from}-{to} of 30</p><ul>{items}</ul>{next}"))
    };
    let next = |n: u32| format!("<a rel=next href='/notices?page={n}'>Next</a>");
    bed.put("/", html("Harbour Board", &format!("<p>{RULE}</p><a href=/notices>Notices</a>")));
    bed.put("/notices", list(1, 10, &next(2)));
    bed.put("/notices?page=2", list(11, 20, &next(3)));
    bed.put("/notices?page=3", list(21, 30, ""));
    let first = bed.crawl();
    assert_eq!(first.exit, ExitClass::Ok);
    assert_eq!((first.record.listings[0].listed, first.record.listings[0].is_complete), (30, true));
    bed.put("/notices?page=2", html("Notices", "<p>Showing results</p><ul></ul>"));
    let second = bed.crawl();
    let listing = &second.record.listings[0];
    assert_eq!((listing.listed, listing.declared_total), (10, Some(30)));
    assert_eq!(listing.not_verified.len(), 20);
    assert_eq!(said(&second, "/notices?page=2"), (Outcome::Suspect, "listing_empty"));
    assert_eq!(second.exit, ExitClass::Attention);
    // One that was never seen whole is noted and alarms nobody.
    let part = Bed::new("en").only(&["/notices"]);
    part.put("/notices", list(1, 10, ""));
    let report = part.crawl();
    assert!(!report.record.listings[0].is_complete);
    assert_eq!(report.exit, ExitClass::Ok);
}

#[test]
fn a_list_that_loses_half_of_its_links_is_accepted_and_told_once() {
    let words = [
        ("en", "Notice on berths number", RULE, "Notices", "Notices of today"),
        ("zh-Hant", "泊位申請須知第", REGEL, "公告", "今日公告"),
    ];
    for (language, entry, rule, title, other) in words {
        let list = |title: &str, n: u32| {
            let link = |it: u32| {
                format!("<li><a href=https://elsewhere.example/{it}>{entry} {it}</a></li>")
            };
            let items: String = (1..=n).map(link).collect();
            html(title, &format!("<ul>{items}</ul>"))
        };
        // A page of text with as many links, which go.
        let text = |n: u32| {
            let link = |it: u32| format!("<p>{rule} {rule} <a href=/x/{it}>{it}</a></p>");
            html(
                title,
                &(1..=20)
                    .map(|it| if it <= n { link(it) } else { format!("<p>{rule}{rule} {it}</p>") })
                    .collect::<String>(),
            )
        };
        for (was, is, told) in [
            (list(title, 24), list(title, 12), true),
            (list(title, 24), list(other, 13), false),
            (list(title, 8), list(title, 4), false),
            (text(20), text(5), false),
        ] {
            let bed = Bed::new(language).only(&["/list"]);
            bed.put("/list", was);
            assert_eq!(bed.crawl().exit, ExitClass::Ok);
            bed.put("/list", is);
            let second = bed.crawl();
            assert_eq!(said(&second, "/list").0, Outcome::Ok);
            let flags = &second.record.flags;
            assert_eq!(
                flags.iter().any(|it| it.starts_with("listing_shrunken")),
                told,
                "{flags:?}"
            );
            assert_eq!(second.exit == ExitClass::Attention, told, "{flags:?}");
            assert_eq!(bed.crawl().exit, ExitClass::Ok, "told once");
        }
    }
}

#[test]
fn a_numbered_listing_that_is_half_as_long_by_its_own_words_is_told() {
    let mut bed = Bed::new("en").only(&["/list?page=1"]);
    bed.source.listings = vec!["/list?page={n}".to_owned()];
    let list = |from: u32, to: u32, all: u32| {
        let link = |it: u32| format!("<li><a href=/p/{it}>Notice on berths number {it}</a></li>");
        let items: String = (from..=to).map(link).collect();
        html("Notices", &format!("<p>Showing {from}-{to} of {all}</p><ul>{items}</ul>"))
    };
    for n in 1..=3 {
        bed.put(&format!("/list?page={n}"), list(n * 8 - 7, n * 8, 24));
    }
    assert_eq!(bed.crawl().exit, ExitClass::Ok);
    bed.put("/list?page=1", list(1, 8, 12));
    bed.put("/list?page=2", list(9, 12, 12));
    bed.put("/list?page=3", html("Notices", "<p>Nothing more</p>"));
    let second = bed.crawl();
    let flags = &second.record.flags;
    assert!(flags.iter().any(|it| it.starts_with("listing_shrunken: ")), "{flags:?}");
    assert_eq!(second.exit, ExitClass::Attention);
}
