//! Whole crawls of invented sites: outcomes, what stays known, what a person is asked to look at.

#[path = "../support/site.rs"]
mod site;

use std::collections::BTreeSet;

use countersign::crawl::progress::Stop;
use countersign::crawl::run::{CrawlError, ExitClass};
use countersign::fetch::exchange::FetchError;
use countersign::model::page::{Outcome, PageChange};
use countersign::snapshot::verify::{FaultKind, verify};

use site::{Bed, HOME, address, html, outcome, page, redirect, reply, said};

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
fn robots_that_cannot_be_read_forbid_everything_for_this_crawl_alone() {
    let bed = Bed::new("en").only(&["/fees"]);
    bed.put("/fees", page("Fees", &[RULE]));
    for broken in [
        Err(FetchError::TimedOut),
        Err(FetchError::NoConnection { detail: "refused".to_owned() }),
        reply(500, &[], "User-agent: *\nAllow: /\n"),
        reply(429, &[("retry-after", "1")], ""),
    ] {
        bed.put("/robots.txt", broken.clone());
        let report = bed.crawl();
        let expected = (Outcome::BlockedByRobots, "robots_unreachable");
        assert_eq!(said(&report, "/fees"), expected, "{broken:?}");
        assert!(bed.seen("/fees").is_empty());
        assert_eq!(report.exit, ExitClass::Attention);
    }
    for absent in [reply(404, &[], ""), reply(403, &[], ""), redirect(302, "/robots.txt")] {
        bed.put("/robots.txt", absent);
        assert!(outcome(&bed.crawl(), "/fees").outcome.is_accepted());
    }
    bed.put("/robots.txt", redirect(301, "https://rules.example/robots.txt"));
    bed.put(
        "https://rules.example/robots.txt",
        reply(200, &[], "User-agent: countersign/0.1\nDisallow: /fees\n"),
    );
    assert_eq!(said(&bed.crawl(), "/fees"), (Outcome::BlockedByRobots, "disallow"));
}

#[test]
fn a_link_to_a_forbidden_page_is_counted_and_troubles_nobody() {
    let bed = Bed::new("en");
    bed.put("/robots.txt", reply(200, &[], "User-agent: *\nDisallow: /drafts/\n"));
    bed.put(
        "/",
        html(
            "Harbour Board",
            &format!("<p>{RULE}</p><a href=/drafts/x>Draft</a> <a href=/gone>Old</a>"),
        ),
    );
    bed.put("/drafts/x", page("Draft", &["secret $99"]));
    let report = bed.crawl();
    assert_eq!(said(&report, "/drafts/x"), (Outcome::BlockedByRobots, "disallow"));
    assert_eq!(said(&report, "/gone").0, Outcome::GoneSuspected);
    assert_eq!(report.exit, ExitClass::Ok);
    assert!(bed.seen("/drafts/x").is_empty());
}

#[test]
fn a_parked_host_is_left_alone_until_the_time_it_named() {
    let bed = Bed::new("en").only(&["/a", "/b", "https://quay.example/c"]);
    bed.put("/a", reply(429, &[("retry-after", "172800")], ""));
    bed.put("/b", page("B", &[RULE]));
    bed.put("https://quay.example/c", page("C", &[RULE]));
    let report = bed.crawl();
    assert_eq!(said(&report, "/a"), (Outcome::FailedTransient, "rate_limited"));
    let until = outcome(&report, "/a").retry_not_before.unwrap().to_string();
    assert_eq!(until, "2026-03-03T00:00:00Z");
    assert_eq!(said(&report, "/b"), (Outcome::FailedTransient, "rate_limited"));
    assert_eq!(said(&report, "https://quay.example/c").0, Outcome::Ok);
    assert_eq!((bed.seen("/a").len(), bed.seen("/b").len()), (1, 0));
    bed.put("/a", page("A", &[RULE]));
    let second = bed.crawl();
    assert_eq!(bed.seen("/a").len(), 0, "a day later is too early");
    assert_eq!(said(&second, "/a").1, "rate_limited");
    bed.crawl();
    assert_eq!(bed.seen("/a").len(), 1, "two days later is not");
}

#[test]
fn validators_are_the_servers_own_and_one_that_lied_is_not_believed_again() {
    let mut bed = Bed::new("en").only(&["/fees", "/rules"]);
    bed.source.politeness.full_audit_every = 3;
    let with_tag = |text: &str, tag: &str| {
        let mut reply = page("Fees", &[RULE, text]);
        if let Ok(it) = &mut reply {
            it.headers.push(("etag".to_owned(), tag.to_owned()));
        }
        reply
    };
    bed.put("/fees", with_tag("Fee: $240.", "W/\"x-1\""));
    bed.put("/rules", with_tag("Rule 1.", "\"r\""));
    bed.crawl();
    // The text changes, the tag does not.
    bed.put("/fees", with_tag("Fee: $260.", "W/\"x-1\""));
    let second = bed.crawl();
    assert_eq!(said(&second, "/fees").0, Outcome::NotModified);
    let sent = bed.seen("/fees")[0].headers.clone();
    assert!(sent.contains(&("if-none-match".to_owned(), "W/\"x-1\"".to_owned())), "{sent:?}");
    let third = bed.crawl();
    let found = outcome(&third, "/fees");
    assert_eq!(found.change, Some(PageChange::SourceText));
    assert!(found.flags.contains(&"validator_lied".to_owned()));
    assert!(!bed.seen("/fees")[0].headers.iter().any(|it| it.0.starts_with("if-")));
    assert_eq!(third.exit, ExitClass::Attention);
    let fourth = bed.crawl();
    assert!(!bed.seen("/rules")[0].headers.iter().any(|it| it.0.starts_with("if-")), "same host");
    assert_eq!(fourth.exit, ExitClass::Ok);
}

#[test]
fn a_change_with_new_validators_at_an_audit_is_no_lie() {
    let mut bed = Bed::new("en").only(&["/fees"]);
    bed.source.politeness.full_audit_every = 2;
    let dated = |text: &str, date: &str| {
        let mut reply = page("Fees", &[RULE, text]);
        if let Ok(it) = &mut reply {
            it.headers.push(("last-modified".to_owned(), date.to_owned()));
        }
        reply
    };
    bed.put("/fees", dated("Fee: $240.", "Sat, 10 Jan 2026 00:00:00 GMT"));
    bed.crawl();
    bed.put("/fees", dated("Fee: $260.", "Mon, 02 Mar 2026 00:00:00 GMT"));
    let found = bed.crawl();
    assert_eq!(outcome(&found, "/fees").change, Some(PageChange::SourceText));
    assert!(outcome(&found, "/fees").flags.is_empty());
}

#[test]
fn a_304_that_nobody_asked_for_is_no_page() {
    let bed = Bed::new("en").only(&["/fees"]);
    bed.put("/fees", reply(304, &[], ""));
    assert_eq!(said(&bed.crawl(), "/fees").0, Outcome::FailedTransient);
}

#[test]
fn redirects_are_data_and_each_page_is_fetched_once() {
    let bed = Bed::new("en").only(&["/a", "/b", "/old", "/x"]);
    bed.put("/a", redirect(301, "/b"));
    bed.put("/b", redirect(302, "/c?utm_source=x"));
    bed.put("/c", page("C", &[RULE]));
    bed.put("/c?utm_source=x", page("C", &[RULE]));
    bed.put("/old", redirect(308, "/new"));
    bed.put("/new", page("New", &[RULE, "Rule 2."]));
    bed.put("/x", redirect(301, "/new"));
    let report = bed.crawl();
    for (at, target) in [("/a", "/c"), ("/b", "/c"), ("/old", "/new"), ("/x", "/new")] {
        assert_eq!(said(&report, at).0, Outcome::Moved, "{at}");
        assert_eq!(outcome(&report, at).target, Some(address(target)), "{at}");
    }
    assert_eq!(outcome(&report, "/c").outcome, Outcome::Ok);
    assert_eq!(bed.seen("/new").len(), 1);
    assert_eq!(report.record.documents, 2);
    let manifest = bed.store().manifest(&report.record.edition).unwrap();
    assert_eq!(manifest.pages[0].aliases, [address("/a"), address("/b")]);
    assert_eq!(report.exit, ExitClass::Ok, "nothing was known that could have moved");
    assert!(bed.manifest(&bed.crawl()) == bed.manifest(&report));
}

#[test]
fn redirects_that_lead_nowhere_end_in_their_own_words() {
    let mut bed = Bed::new("en").only(&["/loop", "/deep/0", "/denied", "/robbed", "/bad", "/ftp"]);
    bed.source.deny = vec!["^/secret/".to_owned()];
    bed.source.politeness.max_redirects = 3;
    bed.put("/robots.txt", reply(200, &[], "User-agent: *\nDisallow: /closed/\n"));
    bed.put("/loop", redirect(302, "/loop2"));
    bed.put("/loop2", redirect(302, "/loop"));
    for n in 0..9 {
        bed.put(&format!("/deep/{n}"), redirect(302, &format!("/deep/{}", n + 1)));
    }
    bed.put("/denied", redirect(302, "/secret/a"));
    bed.put("/robbed", redirect(302, "/closed/a"));
    bed.put("/closed/a", page("Closed", &["secret"]));
    bed.put("/bad", redirect(302, "https://user:pw@harbour.example/"));
    bed.put("/ftp", redirect(302, "ftp://harbour.example/a"));
    let report = bed.crawl();
    assert_eq!(said(&report, "/loop"), (Outcome::FailedTransient, "redirect_loop"));
    assert_eq!(said(&report, "/deep/0"), (Outcome::FailedTransient, "too_many_redirects"));
    assert_eq!(said(&report, "/denied"), (Outcome::MovedUnconfirmed, "redirect_out_of_scope"));
    assert_eq!(said(&report, "/robbed"), (Outcome::BlockedByRobots, "disallow"));
    assert_eq!(said(&report, "/bad"), (Outcome::RefusedUrl, "credentials"));
    assert_eq!(said(&report, "/ftp"), (Outcome::RefusedScheme, "ftp"));
    assert_eq!(bed.seen("/closed/a").len(), 0);
    assert_eq!(report.record.documents, 0);
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
fn one_document_under_many_addresses_is_counted_once() {
    let bed = Bed::new("en").only(&[
        "/fees",
        "/fees/",
        "/print/fees",
        "/fees?utm_campaign=x",
        "/rules",
        "/rules/",
    ]);
    bed.put("/fees", page("Fees", &[RULE]));
    bed.put("/fees/", page("Fees", &[RULE]));
    bed.put("/print/fees", html("Fees", &format!("<p class=print>{RULE}</p>")));
    bed.put("/rules", page("Rules", &[RULE, "One."]));
    bed.put("/rules/", page("Rules", &[RULE, "Two."]));
    let report = bed.crawl();
    assert_eq!(report.record.documents, 3, "a slash variant with another text is another document");
    let manifest = bed.store().manifest(&report.record.edition).unwrap();
    let aliases: BTreeSet<&str> = manifest.pages[0].aliases.iter().map(String::as_str).collect();
    let expected = ["/fees/", "/fees?utm_campaign=x", "/print/fees"].map(address);
    assert_eq!(aliases, expected.iter().map(String::as_str).collect());
    assert_eq!(outcome(&report, "/print/fees").alias_of, Some(address("/fees")));
    assert!(bed.seen("/fees?utm_campaign=x").is_empty());
    // An alias that goes its own way is a document again.
    bed.put("/print/fees", page("Fees", &[RULE, "Printed edition."]));
    let report = bed.crawl();
    assert_eq!(report.record.documents, 4);
    assert_eq!(outcome(&report, "/print/fees").change, Some(PageChange::SourceText));
}

#[test]
fn three_causes_of_another_text_have_three_names() {
    let mut bed = Bed::new("en").only(&["/fees", "/kept"]);
    bed.source.content = vec![".a".to_owned()];
    let body = |fee: &str| {
        html(
            "Fees",
            &format!(
                "<div class=a><p>{RULE}</p><p>{fee}</p></div><div class=b><p>Deposit: $50</p></div>"
            ),
        )
    };
    let mut kept = body("Kept.");
    if let Ok(it) = &mut kept {
        it.headers.push(("etag".to_owned(), "\"k\"".to_owned()));
    }
    bed.put("/fees", body("Fee: $240."));
    bed.put("/kept", kept);
    let first = bed.crawl();
    bed.put("/fees", body("Fee: $260."));
    assert_eq!(outcome(&bed.crawl(), "/fees").change, Some(PageChange::SourceText));
    bed.put("/fees", body("Fee: $240."));
    let third = bed.crawl();
    assert_eq!(outcome(&third, "/fees").change, Some(PageChange::Reverted));
    assert_eq!(bed.manifest(&third), bed.manifest(&first), "the same content is the same edition");
    assert_eq!(third.record.edition, first.record.edition);
    // Our rule changes; one page is read anew, one is answered with 304, and the text of both is ours.
    bed.source.content = vec![".a".to_owned(), ".b".to_owned()];
    let fourth = bed.crawl();
    assert_eq!(outcome(&fourth, "/fees").change, Some(PageChange::ExtractorUpgrade));
    assert!(!outcome(&fourth, "/fees").raw_changed);
    assert_eq!(said(&fourth, "/kept").0, Outcome::NotModified);
    assert_eq!(outcome(&fourth, "/kept").change, Some(PageChange::ExtractorUpgrade));
    let store = bed.store();
    for page in store.manifest(&fourth.record.edition).unwrap().pages {
        assert!(store.text(&page.text.unwrap()).unwrap().contains("Deposit: $50"));
    }
    // Rule and page change at once: like is compared with like.
    bed.source.content = vec![".b".to_owned()];
    bed.put("/fees", body("Fee: $300."));
    let fifth = bed.crawl();
    assert_eq!(
        outcome(&fifth, "/fees").change,
        Some(PageChange::ExtractorUpgrade),
        "nothing in .b changed"
    );
}

#[test]
fn pages_that_failed_are_read_again_with_todays_rules_as_well() {
    let mut bed = Bed::new("en").only(&["/fees"]);
    bed.source.content = vec![".a".to_owned()];
    bed.put(
        "/fees",
        html(
            "Fees",
            &format!("<div class=a><p>{RULE}</p></div><div class=b><p>Deposit: $50</p></div>"),
        ),
    );
    bed.crawl();
    bed.source.content = vec![".b".to_owned()];
    bed.put("/fees", Err(FetchError::TimedOut));
    let report = bed.crawl();
    assert_eq!(said(&report, "/fees").0, Outcome::FailedTransient);
    let page = bed.store().manifest(&report.record.edition).unwrap().pages.remove(0);
    assert_eq!(bed.store().text(&page.text.unwrap()).unwrap().trim(), "Deposit: $50");
}

#[test]
fn sitemaps_are_read_with_their_indexes_and_what_they_cannot_name_is_said() {
    let mut bed = Bed::new("en");
    bed.source.follow_links = false;
    bed.put(
        "/robots.txt",
        reply(
            200,
            &[],
            &format!("Sitemap: {HOME}/maps.xml\nSitemap: https://other.example/s.xml\n"),
        ),
    );
    bed.put("/maps.xml", reply(200, &[], &format!("<sitemapindex><sitemap><loc>{HOME}/one.xml</loc></sitemap><sitemap><loc>{HOME}/bomb.xml</loc></sitemap><sitemap><loc>{HOME}/away.xml</loc></sitemap></sitemapindex>")));
    bed.put("/one.xml", reply(200, &[], &format!(
        "<urlset><url><loc>{HOME}/a</loc><lastmod>2020-01-01</lastmod></url><url><loc>https://other.example/b</loc></url>\
         <url><loc>ftp://harbour.example/c</loc></url><url><loc>{HOME}/a?gclid=1</loc></url></urlset>"
    )));
    bed.put(
        "/bomb.xml",
        reply(200, &[], "<!DOCTYPE u [<!ENTITY a 'b'>]><urlset><url><loc>&a;</loc></url></urlset>"),
    );
    bed.put("/", page("Harbour Board", &[RULE]));
    bed.put("/a", page("A", &[RULE, "A."]));
    let report = bed.crawl();
    assert_eq!(said(&report, "/a").0, Outcome::Ok);
    assert_eq!(said(&report, "https://other.example/b"), (Outcome::RefusedUrl, "foreign_host"));
    assert_eq!(said(&report, "ftp://harbour.example/c"), (Outcome::RefusedScheme, "ftp"));
    assert_eq!(report.record.flags.len(), 2, "{:?}", report.record.flags);
    assert_eq!(bed.seen("https://other.example/s.xml").len(), 0);
    // A sitemap that is away takes nothing with it.
    bed.put("/robots.txt", reply(404, &[], ""));
    let second = bed.crawl();
    assert!(outcome(&second, "/a").outcome.is_accepted());
}

#[test]
fn the_scope_bounds_what_is_followed() {
    let mut bed = Bed::new("en");
    bed.source.allow = vec!["^/$".to_owned(), "^/fees".to_owned()];
    bed.source.deny = vec!["print".to_owned()];
    bed.source.politeness.max_pages = 4;
    let links = "<a href=/fees/1>1</a><a href='/fees/2#x'>2</a><a href=/fees/print>p</a><a href=/news>n</a>\
        <a href=//other.example/>o</a><a href='mailto:a@b.example'>m</a><a href='/fees/2'>2</a><a href=/fees/form.zip>z</a>\
        <a href='fees\\3'>b</a><a rel=nofollow href=/fees/4>4</a><a href=/fees/5>5</a><a href=/fees/6>6</a>";
    bed.put("/", html("Harbour Board", &format!("<p>{RULE}</p>{links}")));
    for n in 1..=6 {
        bed.put(&format!("/fees/{n}"), page("Fee", &[RULE, &n.to_string()]));
    }
    let report = bed.crawl();
    let pages: Vec<&str> =
        report.record.pages.iter().map(|it| it.page.strip_prefix(HOME).unwrap()).collect();
    assert_eq!(pages, ["/", "/fees/1", "/fees/2", "/fees/5"]);
    assert_eq!(report.record.skipped.get("page_limit"), Some(&1));
    assert_eq!(report.exit, ExitClass::Attention);
    for (reason, n) in [("out_of_scope", 3), ("mailto", 1), ("backslash", 1), ("not_a_document", 1)]
    {
        assert_eq!(
            report.record.skipped.get(reason),
            Some(&n),
            "{reason}: {:?}",
            report.record.skipped
        );
    }
}

#[test]
fn too_large_and_unreadable_answers_are_no_pages() {
    let mut bed = Bed::new("en").only(&["/large", "/empty", "/pdf", "/shot", "/denied", "/odd"]);
    bed.source.politeness.max_bytes = 10_000;
    bed.put("/large", page("Large", &[&"x".repeat(20_000)]));
    bed.put("/empty", html("", "<div hidden>nothing</div>"));
    bed.put("/pdf", reply(200, &[("content-type", "text/html")], "%PDF-1.7 body"));
    bed.put("/shot", reply(204, &[], ""));
    bed.put("/denied", reply(403, &[], "<h1>Forbidden</h1>"));
    bed.put("/odd", reply(418, &[], "short and stout"));
    let report = bed.crawl();
    assert_eq!(said(&report, "/large"), (Outcome::TooLarge, "too_large"));
    assert_eq!(said(&report, "/empty"), (Outcome::Suspect, "empty_page"));
    assert_eq!(said(&report, "/shot"), (Outcome::Suspect, "empty_page"));
    assert_eq!(said(&report, "/denied"), (Outcome::BlockedBySite, "http_403"));
    assert_eq!(said(&report, "/odd"), (Outcome::FailedTransient, "http_418"));
    let pdf = outcome(&report, "/pdf");
    assert_eq!((pdf.outcome, pdf.media.as_deref()), (Outcome::Ok, Some("application/pdf")));
    assert_eq!(pdf.flags, ["type_mismatch: header text/html, bytes %PDF-"]);
    // The flag was seen; the next crawl does not raise it again.
    let bed = Bed::new("en").only(&["/pdf"]);
    bed.put("/pdf", reply(200, &[("content-type", "text/html")], "%PDF-1.7 body"));
    assert_eq!((bed.crawl().exit, bed.crawl().exit), (ExitClass::Attention, ExitClass::Ok));
}

#[test]
fn furniture_that_changes_leaves_the_edition_as_it_was() {
    let bed = Bed::new("en").only(&["/fees"]);
    let body = |n: u32| {
        let markup = format!(
            "<!doctype html><html><head><title>Fees</title></head><body><nav>Visitor {n}</nav><main><h1>Fees</h1><p>{RULE}</p></main></body></html>"
        );
        reply(200, &[("content-type", "text/html"), ("set-cookie", "s=1"), ("date", "x")], &markup)
    };
    bed.put("/fees", body(1));
    let first = bed.crawl();
    bed.put("/fees", body(2));
    let second = bed.crawl();
    let found = outcome(&second, "/fees");
    assert_eq!(
        (found.change, found.raw_changed, found.text_changed),
        (Some(PageChange::None), true, false)
    );
    assert_eq!(found.volatile, ["visitor count: 1"]);
    assert_eq!(bed.manifest(&second), bed.manifest(&first));
    let raws = std::fs::read_dir(bed.store().root().join("objects")).unwrap().count();
    assert_eq!(raws, 2, "the bytes of both are kept");
}

#[test]
fn the_operator_can_vouch_for_a_page() {
    let mut bed = Bed::new("en").only(&["/fees"]);
    bed.put("/fees", page("Site maintenance", &["The site is under maintenance until May."]));
    assert_eq!(said(&bed.crawl(), "/fees"), (Outcome::Suspect, "maintenance"));
    bed.options.vouched_for.insert(address("/fees"));
    assert_eq!(said(&bed.crawl(), "/fees").0, Outcome::Ok);
    bed.options.vouched_for.clear();
    assert_eq!(
        outcome(&bed.crawl(), "/fees").change,
        Some(PageChange::None),
        "accepted is accepted"
    );
}

#[test]
fn a_stopped_crawl_goes_on_without_asking_twice() {
    let paths: Vec<String> = (0..12).map(|it| format!("/p/{it:02}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let fill = |bed: &Bed| {
        for at in &paths {
            bed.put(at, page("P", &[RULE, at]));
        }
    };
    let undisturbed = Bed::new("en").only(&paths);
    fill(&undisturbed);
    let whole = undisturbed.crawl();

    let bed = Bed::new("en").only(&paths);
    fill(&bed);
    let stop = Stop::default();
    let from_site = stop.clone();
    bed.on_request(move |n| {
        if n == 6 {
            from_site.set();
        }
    });
    let stopped = bed.try_crawl(stop).unwrap_err();
    assert!(matches!(stopped, CrawlError::Stopped { .. }), "{stopped}");
    let report = bed.try_crawl(Stop::default()).unwrap();
    assert!(report.record.resumed_from.is_some());
    let mut twice = 0;
    for at in &paths {
        let n = bed.seen(at).len();
        assert!((1..=2).contains(&n), "{at}: {n}");
        twice += n - 1;
    }
    assert!(twice <= 1, "only the page in flight is asked again");
    assert_eq!(bed.manifest(&report), undisturbed.manifest(&whole));
    assert!(!bed.store().root().join("ledger/journal.jsonl").exists());
}

#[test]
fn an_interrupted_crawl_under_other_rules_is_not_gone_on_with() {
    let mut bed = Bed::new("en").only(&["/a", "/b"]);
    bed.put("/a", page("A", &[RULE]));
    bed.put("/b", page("B", &[RULE, "2"]));
    let stop = Stop::default();
    let from_site = stop.clone();
    bed.on_request(move |n| {
        if n == 3 {
            from_site.set();
        }
    });
    bed.try_crawl(stop).unwrap_err();
    bed.source.content = vec!["h1".to_owned()];
    let report = bed.crawl();
    assert_eq!(report.record.resumed_from, None);
    assert_eq!(bed.seen("/a").len(), 1);
}

#[test]
fn damage_and_loss_are_found_by_name() {
    let bed = Bed::new("en").only(&["/a", "/b"]);
    bed.put("/a", page("A", &[RULE]));
    bed.put("/b", page("B", &[REGEL]));
    let report = bed.crawl();
    let store = bed.store();
    assert_eq!(verify(store.root()).unwrap().faults, []);
    let pages = store.manifest(&report.record.edition).unwrap().pages;
    let text = pages[0].text.clone().unwrap();
    let file = store.root().join(format!("texts/{}/{text}.txt", &text[..2]));
    let altered = std::fs::read_to_string(&file).unwrap().replace("$240", "$940");
    std::fs::write(&file, altered).unwrap();
    let raw = &pages[1].raw;
    std::fs::remove_file(store.root().join(format!("objects/{}/{raw}", &raw[..2]))).unwrap();
    let manifest = store.root().join("editions").join(&report.record.edition).join("manifest.json");
    let proof = verify(store.root()).unwrap();
    let found: Vec<_> = proof
        .faults
        .iter()
        .map(|it| (it.kind, it.path.contains(&text) || it.path.contains(raw)))
        .collect();
    assert_eq!(found, [(FaultKind::Missing, true), (FaultKind::Damaged, true)]);
    assert!(store.text(&text).is_err());
    let edited = std::fs::read_to_string(&manifest).unwrap().replace("\"B\"", "\"C\"");
    std::fs::write(&manifest, edited).unwrap();
    let faults = verify(store.root()).unwrap().faults;
    assert!(faults.iter().any(|it| it.path.ends_with("manifest.json")), "{faults:?}");
}

#[test]
fn zero_pages_is_never_success() {
    let mut bed = Bed::new("en");
    bed.source.start = Vec::new();
    bed.source.sitemaps = vec![format!("{HOME}/map.xml")];
    bed.put("/map.xml", reply(200, &[], "<urlset></urlset>"));
    assert_eq!(bed.crawl().exit, ExitClass::Nothing);
    let away = Bed::new("en").only(&["/a"]);
    away.put("/robots.txt", reply(404, &[], ""));
    away.put("/a", Err(FetchError::TimedOut));
    assert_eq!(away.crawl().exit, ExitClass::Fail);
}

#[test]
fn a_crawl_killed_after_its_last_word_is_not_made_twice() {
    let bed = Bed::new("en").only(&["/a", "/b"]);
    bed.put("/a", page("A", &[RULE]));
    bed.put("/b", page("B", &[RULE, "2"]));
    bed.crawl();
    bed.remove("/a");
    let journal = bed.store().root().join("ledger/journal.jsonl");
    let copy = journal.with_extension("copy");
    let (from, to) = (journal.clone(), copy.clone());
    bed.on_request(move |_| {
        let _ = std::fs::copy(&from, &to);
    });
    let now = bed.clock_now();
    let second = bed.crawl();
    assert_eq!(outcome(&second, "/a").gone_seen, 1);
    // The journal is back, as if the process had died before it was removed.
    std::fs::copy(&copy, &journal).unwrap();
    bed.clock.set(now);
    let again = bed.crawl();
    assert_eq!(again.requests, 0);
    assert_eq!(again.record, second.record, "one refusal is not two");
    assert_eq!(again.manifest_digest, second.manifest_digest);
    assert_eq!(bed.store().crawls().unwrap().len(), 2);
    // Long after, the same journal is of no use, and a new crawl is made.
    std::fs::copy(&copy, &journal).unwrap();
    bed.clock.set("2026-06-01T00:00:00Z".parse().unwrap());
    let third = bed.crawl();
    assert_eq!((third.record.resumed_from, outcome(&third, "/a").gone_seen), (None, 2));
}

#[test]
fn a_stop_ends_a_long_wait_at_once() {
    let bed = Bed::new("en").only(&["/a"]);
    bed.put("/a", reply(503, &[("retry-after", "100")], ""));
    let stop = Stop::default();
    let from_site = stop.clone();
    bed.on_request(move |n| {
        if n == 2 {
            from_site.set();
        }
    });
    assert!(matches!(bed.try_crawl(stop), Err(CrawlError::Stopped { .. })));
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
