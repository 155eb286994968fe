//! Whole crawls of invented sites: what is asked for, what comes of each answer.

use std::collections::BTreeSet;

use countersign::crawl::run::ExitClass;
use countersign::fetch::exchange::FetchError;
use countersign::model::page::{Outcome, PageChange};

use crate::site::{Bed, HOME, address, html, outcome, page, redirect, reply, said};

const RULE: &str = "A berth holder must be aged 18 or over and have lived in the district for two \
    years. The yearly fee is $240 and is paid in advance by bank transfer.";

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
