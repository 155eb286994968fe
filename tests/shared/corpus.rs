//! Where the corpora of official pages are, and how each is read.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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
    let (content, items): (&[&str], _) = match corpus {
        "va" => (&["main", "[role=main]"], ItemRule::Headings),
        _ => (&["main"], ItemRule::Articles),
    };
    Source {
        content: content.iter().map(|&it| it.to_owned()).collect(),
        items,
        ..Source::new(corpus, if corpus == "twlaw" { "zh-Hant" } else { "en" })
    }
}

/// Serves a corpus from its first edition on a port of its own: the server and its address.
pub fn serve_corpus(corpus: &str, extra: &[&str]) -> (Child, String) {
    let mut server = Command::new("python3")
        .arg(page_shared().join("corpus/serve.py"))
        .args(["--corpus", corpus, "--edition", "bulk", "--port", "0"])
        .args(extra)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let base = line.split_whitespace().nth(1).unwrap().to_owned();
    (server, base)
}
