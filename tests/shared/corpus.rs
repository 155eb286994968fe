//! Where the corpora of official pages are, and how each is read.

use std::path::{Path, PathBuf};

use countersign::model::source::{ItemRule, Source};

/// The folder of shared material; its absence is a failure, never a skip.
pub fn page_shared() -> PathBuf {
    let folder = std::env::var_os("COUNTERSIGN_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    assert!(folder.join("corpus").is_dir(), "no corpus in {}", folder.display());
    folder
}

/// How the corpora are read: content, furniture, items.
pub fn page_source(corpus: &str) -> Source {
    let (content, exclude, items): (&[&str], &[&str], _) = match corpus {
        "va" => (&["main", "[role=main]"], &[], ItemRule::Headings),
        _ => (&["main"], &[], ItemRule::Articles),
    };
    Source {
        id: corpus.to_owned(),
        title: String::new(),
        publisher: String::new(),
        language: if corpus == "twlaw" { "zh-Hant" } else { "en" }.to_owned(),
        start: Vec::new(),
        sitemaps: Vec::new(),
        allow: Vec::new(),
        deny: Vec::new(),
        follow_links: true,
        listings: Vec::new(),
        probe_twice: false,
        private_hosts: Vec::new(),
        content: content.iter().map(|&it| it.to_owned()).collect(),
        exclude: exclude.iter().map(|&it| it.to_owned()).collect(),
        items,
        politeness: Default::default(),
        fields: Vec::new(),
    }
}
