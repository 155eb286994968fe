//! The corpora crawled from their own server, against the truth of what is there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Arc;
use std::time::Instant;

use countersign::crawl::progress::{Silent, Stop};
use countersign::crawl::run::{CrawlOptions, CrawlReport, Deps, ExitClass, crawl_source};
use countersign::fetch::clock::SystemClock;
use countersign::fetch::http::{HttpFetch, HttpSettings};
use countersign::model::page::{Outcome, PageChange};
use countersign::model::snapshot::PageOutcome;
use countersign::model::source::{Politeness, Source};
use countersign::pipeline::crawl::keeping::KeepSnapshots;
use countersign::pipeline::crawl::page_reader::SourceReader;
use countersign::snapshot::store::SnapshotStore;
use countersign::snapshot::verify::verify;
use serde_json::Value;

use crate::corpus::{page_shared, page_source, serve_corpus};

/// A corpus on its own server, and a folder to crawl it into.
struct Bed {
    server: Child,
    base: String,
    folder: tempfile::TempDir,
    source: Source,
}

impl Drop for Bed {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn bed_of(corpus: &str, extra: &[&str]) -> Bed {
    let (server, base) = serve_corpus(corpus, extra);
    let mut source = page_source(corpus);
    let start = if corpus == "twlaw_en" { "/ENG/" } else { "/" };
    source.id = corpus.replace('_', "-");
    source.start = vec![format!("{base}{start}")];
    source.private_hosts = vec!["127.0.0.1".to_owned()];
    source.politeness = Politeness { delay_ms: 0, concurrency: 4, ..Politeness::default() };
    Bed { server, base, folder: tempfile::tempdir().unwrap(), source }
}

impl Bed {
    fn store(&self) -> SnapshotStore {
        SnapshotStore::new(self.folder.path(), &self.source.id)
    }

    fn crawl(&self) -> CrawlReport {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let deps = Deps {
            fetch: Arc::new(HttpFetch::new(HttpSettings::default()).unwrap()),
            clock: Arc::new(SystemClock),
            reader: Arc::new(SourceReader::new(&self.source)),
            store: Arc::new(KeepSnapshots(self.store())),
            progress: Arc::new(Silent),
            stop: Stop::default(),
            options: CrawlOptions { user_agent: "countersign/0.1.0 (+tests)".to_owned() },
        };
        runtime.block_on(crawl_source(&self.source, deps)).unwrap()
    }

    fn truth(&self, edition: &str) -> Value {
        let corpus = self.source.id.replace('-', "_");
        read_json(&page_shared().join("corpus/truth").join(corpus).join(format!("{edition}.json")))
    }

    /// Paths of the truth's pages that stand in the edition.
    fn truth_pages(&self, edition: &str) -> BTreeSet<String> {
        let truth = self.truth(edition);
        let pages = truth["pages"].as_array().unwrap().iter();
        let live = pages.filter(|it| it["status"] != "removed");
        live.map(|it| it["url"].as_str().unwrap().to_owned()).collect()
    }

    /// Paths of HTML pages that are there for finding others.
    fn furniture(&self, edition: &str) -> BTreeSet<String> {
        let truth = self.truth(edition);
        let pages = truth["infrastructure"].as_array().unwrap().iter();
        let html = pages.filter(|it| it["type"] == "text/html");
        html.map(|it| it["url"].as_str().unwrap().to_owned()).collect()
    }

    fn path<'a>(&self, page: &'a str) -> &'a str {
        page.strip_prefix(&self.base).unwrap_or(page)
    }
}

/// Paths of the documents with one of the outcomes.
fn paths(bed: &Bed, report: &CrawlReport, outcomes: &[Outcome]) -> BTreeSet<String> {
    let pages = report.record.pages.iter();
    let pages = pages.filter(|it| outcomes.contains(&it.outcome) && it.alias_of.is_none());
    pages.map(|it| bed.path(&it.page).to_owned()).collect()
}

fn counts_add_up(report: &CrawlReport) {
    let counts = report.record.counts;
    let sum = counts.fetched + counts.unchanged + counts.failed + counts.refused;
    assert_eq!(sum, report.record.pages.len() as u64);
    assert_eq!(report.record.outcomes.values().sum::<u64>(), sum);
}

#[test]
fn each_bulk_edition_accounts_for_every_page() {
    for corpus in ["va", "twlaw", "twlaw_en"] {
        let bed = bed_of(corpus, &[]);
        let begun = Instant::now();
        let report = bed.crawl();
        let took = begun.elapsed();
        counts_add_up(&report);
        let found = paths(&bed, &report, &[Outcome::Ok]);
        let expected = bed.truth_pages("bulk");
        let furniture = bed.furniture("bulk");
        let missing: Vec<_> = expected.difference(&found).collect();
        let surplus: Vec<_> =
            found.difference(&expected).filter(|it| !furniture.contains(*it)).collect();
        println!(
            "{corpus}: {} pages, {:?}, documents {}, requests {}, {took:?}, skipped {:?}, flags {:?}",
            report.record.pages.len(),
            report.record.outcomes,
            report.record.documents,
            report.requests,
            report.record.skipped,
            report.record.flags,
        );
        assert!(missing.is_empty(), "{corpus}: not captured: {missing:?}");
        assert!(surplus.is_empty(), "{corpus}: captured and not in the truth: {surplus:?}");
        assert_eq!(report.exit, ExitClass::Ok, "{corpus}: {:#?}", report.record.flags);

        let again = bed.crawl();
        assert_eq!(again.manifest_digest, report.manifest_digest, "{corpus}: second crawl differs");
        let proof = verify(bed.store().root()).unwrap();
        assert_eq!(proof.faults, [], "{corpus}");
        assert!(proof.files > 3 * expected.len() as u64 / 2);
    }
}

#[test]
fn what_robots_forbids_is_in_no_file() {
    let bed = bed_of("va", &[]);
    let report = bed.crawl();
    let blocked = paths(&bed, &report, &[Outcome::BlockedByRobots]);
    assert!(blocked.contains("/preview/"), "{blocked:?}");
    let mut files = 0;
    for line in walk_files(bed.store().root()) {
        let bytes = fs::read(&line).unwrap();
        files += 1;
        assert!(!bytes.windows(7).any(|it| it == b"$99,999"), "{}", line.display());
    }
    assert!(files > 800, "{files} files");
}

fn walk_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(walk_files(&path)) } else { files.push(path) }
    }
    files
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

impl Bed {
    /// Switches the server to another edition.
    fn switch(&self, edition: &str) {
        let address = self.base.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET /__edition/{edition} HTTP/1.0\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    /// Pages whose outcome is not the one that follows from the truth.
    fn wrong(&self, report: &CrawlReport, edition: &str, refusals: u32) -> Vec<String> {
        let truth = self.truth(edition);
        let by_path: BTreeMap<&str, &PageOutcome> =
            report.record.pages.iter().map(|it| (self.path(&it.page), it)).collect();
        let mut wrong = Vec::new();
        for page in truth["pages"].as_array().unwrap() {
            let url = page["url"].as_str().unwrap();
            let Some(found) = by_path.get(url) else {
                wrong.push(format!("{url}: not asked for"));
                continue;
            };
            let is_well = match page["status"].as_str().unwrap() {
                "new" => found.outcome == Outcome::Ok && found.change == Some(PageChange::First),
                "changed" => found.change == Some(PageChange::SourceText),
                "soft-404" => {
                    (found.outcome, found.reason.as_str()) == (Outcome::Suspect, "maintenance")
                }
                "removed" if page["redirects_to"].is_string() => {
                    let target = found.target.as_deref().map(|it| self.path(it));
                    found.outcome == Outcome::Moved && target == page["redirects_to"].as_str()
                }
                "removed" if refusals < 2 => found.outcome == Outcome::GoneSuspected,
                "removed" => found.outcome == Outcome::Gone,
                // The words of the header changed, outside any condition: the text is another one,
                // and whether that matters is for the change stage to say.
                "noise-only" if has_noise(page, &["english-title", "category", "attachments"]) => {
                    found.change == Some(PageChange::SourceText)
                }
                _ => found.outcome.is_accepted() && found.change == Some(PageChange::None),
            };
            if !is_well {
                wrong.push(format!(
                    "{url}: {} {:?}, found {:?} {} {:?}",
                    page["status"], page["flags"], found.outcome, found.reason, found.change
                ));
            }
        }
        wrong
    }
}

fn has_noise(page: &Value, kinds: &[&str]) -> bool {
    let mut found = page["noise_kinds"].as_array().into_iter().flatten();
    found.any(|it| kinds.contains(&it.as_str().unwrap()))
}

#[test]
fn updates_tell_changed_new_moved_and_gone_pages_apart() {
    for corpus in ["va", "twlaw"] {
        let bed = bed_of(corpus, &[]);
        bed.crawl();
        let mut gone_before = BTreeSet::new();
        let mut furniture = bed.furniture("bulk");
        for edition in ["update1", "update2"] {
            bed.switch(edition);
            let first = bed.crawl();
            counts_add_up(&first);
            let wrong = bed.wrong(&first, edition, 1);
            println!("{corpus} {edition}: {:?}", first.record.outcomes);
            assert!(wrong.is_empty(), "{corpus} {edition}: {wrong:#?}");
            let candidates = |report: &CrawlReport| -> BTreeSet<String> {
                report.record.removal_candidates.iter().map(|it| it.page.clone()).collect()
            };
            assert_eq!(
                candidates(&first),
                gone_before,
                "{corpus} {edition}: one refusal proves nothing"
            );
            let second = bed.crawl();
            let gone = candidates(&second);
            let truth = bed.truth(edition);
            let removed: BTreeSet<&str> = truth["pages"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|it| it["status"] == "removed" && it["redirects_to"].is_null())
                .map(|it| it["url"].as_str().unwrap())
                .collect();
            // Index pages come and go as well.
            let newly: BTreeSet<&str> = gone
                .difference(&gone_before)
                .map(|it| bed.path(it))
                .filter(|it| !furniture.contains(*it))
                .collect();
            assert_eq!(newly, removed, "{corpus} {edition}");
            furniture.extend(bed.furniture(edition));
            gone_before = gone;
            assert_eq!(verify(bed.store().root()).unwrap().faults, []);
        }
    }
}

#[test]
fn a_site_full_of_faults_is_crawled_to_the_same_edition() {
    let calm = bed_of("twlaw", &[]);
    let whole = calm.crawl();
    let rough = bed_of(
        "twlaw",
        &[
            "--fail-rate",
            "0.2",
            "--truncate-rate",
            "0.2",
            "--max-faults",
            "2",
            "--retry-after",
            "0",
        ],
    );
    let report = rough.crawl();
    assert_eq!(report.exit, ExitClass::Ok, "{:?}", report.record.outcomes);
    assert!(report.requests > whole.requests + 10, "{} requests", report.requests);
    let texts = |bed: &Bed, report: &CrawlReport| -> Vec<(String, Option<String>)> {
        let manifest = bed.store().manifest(&report.record.edition).unwrap();
        manifest.pages.iter().map(|it| (bed.path(&it.page).to_owned(), it.text.clone())).collect()
    };
    assert_eq!(texts(&rough, &report), texts(&calm, &whole));
}
