//! A crawl wired up: HTTP, clock, page reader, snapshot store, progress.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::crawl::progress::{Progress as CrawlProgress, Pulse, Stop as CrawlStop};
use crate::crawl::run::{CrawlOptions, CrawlReport, Deps, ExitClass, crawl_source};
use crate::model::config::ProjectConfig;
use crate::model::source::Source;
use crate::pipeline::crawl::keeping::KeepSnapshots;
use crate::pipeline::crawl::page_reader::SourceReader;
use crate::pipeline::failure::RunError;
use crate::pipeline::progress::Progress;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::surroundings::Surroundings;
use crate::pipeline::wiring;
use crate::snapshot::store::SnapshotStore;

/// One source to crawl, and how its hosts are reached.
#[derive(Clone, Copy, Debug)]
pub struct CrawlJob<'a> {
    pub source: &'a Source,
    pub connect_to: &'a BTreeMap<String, SocketAddr>,
}

/// Crawls one source into an edition.
///
/// # Errors
/// When the crawl cannot be finished; what was fetched until then is gone on with by the next.
pub async fn crawl(
    project: &ProjectPaths,
    config: &ProjectConfig,
    job: CrawlJob<'_>,
    around: &Surroundings<'_>,
) -> Result<CrawlReport, RunError> {
    let mut connect_to = config.crawl.connect_to.clone();
    connect_to.extend(job.connect_to.iter().map(|(host, at)| (host.clone(), *at)));
    let progress = Arc::new(Told { progress: Arc::clone(&around.progress) });
    let stop = CrawlStop::default();
    let deps = Deps {
        fetch: Arc::new(
            wiring::fetcher(connect_to)
                .map_err(|error| RunError::Network { detail: error.to_string() })?,
        ),
        clock: Arc::new(wiring::clock()),
        reader: Arc::new(SourceReader::new(job.source)),
        store: Arc::new(KeepSnapshots(SnapshotStore::new(&project.snapshots(), &job.source.id))),
        progress: Arc::clone(&progress) as Arc<dyn CrawlProgress>,
        stop: stop.clone(),
        options: CrawlOptions { user_agent: user_agent(&config.crawl.contact) },
    };
    around.progress.begin("crawl", None);
    let watched = around.stop.clone();
    let watch = async move {
        while !watched.is_asked() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        stop.set();
        std::future::pending::<()>().await;
    };
    let report = tokio::select! {
        report = crawl_source(job.source, deps) => report,
        () = watch => return Err(RunError::Stopped { done: 0 }),
    };
    let report = report.inspect_err(|_| around.progress.end("crawl     not finished"))?;
    around.progress.end(&line(job.source, &report));
    if report.exit == ExitClass::Fail {
        let detail = report.record.pages.iter().map(|it| it.detail.clone()).next();
        return Err(RunError::Network { detail: detail.unwrap_or_default() });
    }
    Ok(report)
}

fn line(source: &Source, report: &CrawlReport) -> String {
    let counts = report.record.counts;
    format!(
        "crawl     {}: {} fetched, {} unchanged, {} failed, {} refused; {} requests, {} kB",
        source.id,
        counts.fetched,
        counts.unchanged,
        counts.failed,
        counts.refused,
        report.requests,
        report.bytes.div_ceil(1000)
    )
}

fn user_agent(contact: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    if contact.is_empty() {
        return format!("countersign/{version}");
    }
    format!("countersign/{version} (+{contact})")
}

struct Told {
    progress: Arc<dyn Progress>,
}

impl CrawlProgress for Told {
    fn page_done(&self, pulse: &Pulse<'_>) {
        let words = format!("of {} known, {} kB", pulse.known, pulse.bytes.div_ceil(1000));
        self.progress.advance(pulse.done as u64, &words);
    }
}
