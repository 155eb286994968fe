//! Crawls that were stopped, read again under other rules, or whose files were damaged.

use countersign::crawl::progress::Stop;
use countersign::crawl::run::{CrawlError, ExitClass};
use countersign::fetch::exchange::FetchError;
use countersign::model::page::{Outcome, PageChange};
use countersign::snapshot::verify::{FaultKind, verify};

use crate::site::{Bed, HOME, html, outcome, page, reply, said};

const RULE: &str = "A berth holder must be aged 18 or over and have lived in the district for two \
    years. The yearly fee is $240 and is paid in advance by bank transfer.";
const REGEL: &str = "申請人須年滿十八歲，並在本區居住滿二年。泊位年費為新臺幣二千四百元，應於每年一月三十一日前繳納。";

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
