//! The bundled sample, crawled over real HTTP on loopback, in both editions and both languages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use countersign::fetch::loopback::Loopback;
use countersign::model::config::ProjectConfig;
use countersign::model::page::{Outcome, PageChange};
use countersign::model::snapshot::{CrawlRecord, Part};
use countersign::pipeline::crawl::crawling::{CrawlJob, crawl};
use countersign::pipeline::progress::{Silent, Stop};
use countersign::pipeline::project::ProjectPaths;
use countersign::pipeline::surroundings::Surroundings;
use countersign::snapshot::store::SnapshotStore;
use countersign::sources::folder::read_sources;
use countersign::sources::sample::{HOST, sample_site, sample_source_files};

/// The sample's project in a folder of its own.
fn sample_project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("sources")).unwrap();
    for (name, text) in sample_source_files() {
        fs::write(dir.path().join("sources").join(name), text).unwrap();
    }
    dir
}

/// Crawls both sources; the later source's record is the second.
async fn crawl_both(dir: &Path, address: SocketAddr) -> Vec<CrawlRecord> {
    let environment = BTreeMap::new();
    let around = Surroundings {
        now: "2026-11-10T00:00:00Z".parse().unwrap(),
        environment: &environment,
        progress: Arc::new(Silent),
        stop: Stop::default(),
        approve: &|_| true,
        fresh_uuid: "",
        prices: None,
    };
    let paths = ProjectPaths::find(dir).unwrap();
    let connect_to = BTreeMap::from([(HOST.to_owned(), address)]);
    let mut records = Vec::new();
    for source in read_sources(dir).unwrap() {
        let job = CrawlJob { source: &source, connect_to: &connect_to };
        let report = crawl(&paths, &ProjectConfig::default(), job, &around).await.unwrap();
        records.push(report.record);
    }
    records
}

/// The pages whose outcome is not that of an ordinary page: path -> outcome.
fn special(record: &CrawlRecord) -> BTreeMap<String, Outcome> {
    record
        .pages
        .iter()
        .filter(|it| !it.outcome.is_accepted())
        .map(|it| (it.page.split_once(HOST).unwrap().1[3..].to_owned(), it.outcome))
        .collect()
}

fn changed(record: &CrawlRecord) -> BTreeSet<String> {
    record
        .pages
        .iter()
        .filter(|it| it.change == Some(PageChange::SourceText))
        .map(|it| it.page.split_once(HOST).unwrap().1[3..].to_owned())
        .collect()
}

fn paths<const N: usize>(all: [&str; N]) -> BTreeSet<String> {
    all.into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn both_editions_of_the_sample_end_as_they_are_meant_to() {
    let dir = sample_project();
    let server = Loopback::start(sample_site().unwrap(), "bulk").await.unwrap();
    let bulk = crawl_both(dir.path(), server.address()).await;
    for record in &bulk {
        let expected = BTreeMap::from([
            ("/coal-coupon/".to_owned(), Outcome::SoftGone),
            ("/heating-help/".to_owned(), Outcome::Moved),
            ("/staff/draft-rates/".to_owned(), Outcome::BlockedByRobots),
        ]);
        assert_eq!(special(record), expected, "{}", record.source);
        assert_eq!(record.documents, 17, "{}", record.source);
    }

    server.switch_to("update").unwrap();
    let update = crawl_both(dir.path(), server.address()).await;
    for record in &update {
        let gone = special(record).get("/taxi-voucher/").copied();
        assert_eq!(gone, Some(Outcome::GoneSuspected), "{}", record.source);
        assert!(record.removal_candidates.iter().all(|it| !it.page.contains("taxi")));
    }
    let of_both = ["/elder-allowance/", "/regulations/rent-subsidy/"];
    assert_eq!(changed(&update[0]), paths(of_both));
    assert_eq!(changed(&update[1]), paths([of_both[0], of_both[1], "/winter-warmth/"]));

    // Gone a second time: a candidate, and still no more than a question.
    let again = crawl_both(dir.path(), server.address()).await;
    for record in &again {
        assert_eq!(special(record).get("/taxi-voucher/"), Some(&Outcome::Gone));
        assert_eq!(changed(record), BTreeSet::new());
        let candidates = record.removal_candidates.iter().filter(|it| it.page.contains("taxi"));
        assert_eq!(candidates.count(), 1, "{}", record.source);
    }

    let asked: Vec<String> = server.served().iter().map(|it| it.path.clone()).collect();
    assert!(asked.iter().all(|it| !it.contains("/staff/")), "{asked:?}");
    assert!(asked.iter().any(|it| it == "/robots.txt"));
}

#[tokio::test]
async fn what_is_frozen_is_the_content_to_the_letter_and_nothing_hidden_or_forbidden() {
    let dir = sample_project();
    let server = Loopback::start(sample_site().unwrap(), "bulk").await.unwrap();
    crawl_both(dir.path(), server.address()).await;
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for source in ["harbour-en", "harbour-zh"] {
        let store = SnapshotStore::new(&dir.path().join("snapshots"), source);
        let edition = store.last_crawl().unwrap().unwrap().edition;
        for page in store.manifest(&edition).unwrap().pages {
            let raw = store.get(Part::Raw, &page.raw).unwrap();
            assert!(!String::from_utf8_lossy(&raw).contains("98,765"), "{}", page.page);
            texts.insert(page.page.clone(), store.text(&page.text.unwrap()).unwrap());
        }
    }
    for (page, text) in &texts {
        // Furniture, hidden text, scripts and noscript of the layout.
        for words in ["7,777", "99999", "Cookie", "1,204", "312", "Last updated", "最後更新"] {
            assert!(!text.contains(words), "{page} holds {words:?}");
        }
    }
    let of = |path: &str| texts[&format!("http://{HOST}{path}")].as_str();
    assert!(of("/en/ferry-card/").contains("“Étoile” and “Cécile”"));
    assert!(of("/en/ferry-card/").contains("65 or over — or under 12"));
    assert!(of("/zh/ferry-card/").contains("六十五歲以上或未滿十二歲之居民得申請。"));
    assert!(of("/en/carer-grant/").contains("one visit every 3 months is required"));
    assert!(of("/zh/questions/").contains("每月所得變動超過二千元者，應於十五日內申報"));
    assert!(of("/en/elder-allowance/").contains("| 80 or over | Living alone | NT$4,800 |"));
    assert!(of("/zh/regulations/rent-subsidy/").contains("第 5-1 條\n"));
    let rent = texts.iter().find(|(page, _)| page.contains("%E7%A7%9F")).unwrap().1;
    assert!(rent.starts_with("# 租金補貼"));
}
