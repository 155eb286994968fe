//! This repository is a small working project: what a run of its sources writes is committed, and
//! must come out again byte for byte. `COUNTERSIGN_BLESS=1` writes it anew, for a look at the diff.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use countersign::fetch::loopback::Loopback;
use countersign::sources::sample::sample_site;

/// What the committed run is dated; the only time that enters its papers.
const NOW: &str = "2026-11-30T00:00:00Z";

/// Files that tell when something happened: they are not committed.
fn holds_a_clock(path: &Path) -> bool {
    path.ends_with("crawl.json") || path.components().any(|it| it.as_os_str() == "ledger")
}

#[test]
fn the_committed_run_comes_out_again_byte_for_byte() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("sources")).unwrap();
    for entry in fs::read_dir(home.join("sources")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|it| it == "toml") {
            fs::copy(entry.path(), dir.path().join("sources").join(entry.file_name())).unwrap();
        }
    }
    run_once(dir.path());
    let fresh = files(dir.path());
    assert!(fresh.len() > 100, "a run that wrote nothing is no golden: {}", fresh.len());
    if std::env::var_os("COUNTERSIGN_BLESS").is_some() {
        for folder in ["snapshots", "extracted", "review"] {
            let _ = fs::remove_dir_all(home.join(folder));
        }
        for (path, bytes) in &fresh {
            fs::create_dir_all(home.join(path).parent().unwrap()).unwrap();
            fs::write(home.join(path), bytes).unwrap();
        }
    }
    let committed = files(home);
    let names = |it: &BTreeMap<PathBuf, Vec<u8>>| it.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&committed), names(&fresh));
    for (path, bytes) in &committed {
        assert!(fresh[path] == *bytes, "{} comes out differently", path.display());
    }
}

fn run_once(project: &Path) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let site = runtime.block_on(Loopback::start(sample_site().unwrap(), "bulk")).unwrap();
    // The project's identity is in its sheet, so it is given, not drawn.
    fs::write(project.join(".countersign-project"), "00000000-0000-4000-8000-000000000000\n")
        .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["run", "--quiet", "--now", NOW, "--connect-to"])
        .arg(format!("harbour.example={}", site.address()))
        .arg("--project")
        .arg(project)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    drop(runtime.enter());
}

/// Every committed kind of file below the three folders, by path relative to `root`.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open: Vec<PathBuf> =
        ["snapshots", "extracted", "review"].iter().map(|it| root.join(it)).collect();
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let relative = path.strip_prefix(root).unwrap().to_owned();
            if !holds_a_clock(&relative) {
                found.insert(relative, fs::read(&path).unwrap());
            }
        }
    }
    found
}
