//! A file stands above everything it imports.
//!
//! The floors are the blank-line groups of `mod` lines in `src/lib.rs`, lowest first. This test is
//! the only place that enforces them; `docs/ARCHITECTURE.md` explains them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Implementations of the outside world: only the wiring file may name them.
const WIRED_ONLY: &[&str] =
    &["fetch/http", "fetch/clock", "llm/http", "llm/folder", "reader/answerer", "store/sqlite"];
const WIRING: &str = "pipeline/wiring";

/// Stages meet in `model` values and in files, never in each other's code.
const STAGES: &[&str] = &[
    "change", "crawl", "extract", "items", "report", "review", "score", "sheet", "signoff",
    "snapshot", "sources", "trial",
];

#[test]
fn every_file_stands_above_its_imports() {
    let floors = floors();
    let files = files();
    let mut edges: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut problems = Vec::new();

    for (file, text) in &files {
        if file == "lib" || file == "main" {
            continue;
        }
        let home = file.split('/').next().unwrap();
        let leaf = file.rsplit('/').next().unwrap();
        if !text.starts_with("//!") {
            problems.push(format!("{file}: the first line must be a `//!` summary"));
        }
        if leaf == "mod" {
            let toc = |it: &str| it.is_empty() || it.starts_with("//!") || mod_line(it).is_some();
            if !text.lines().all(toc) {
                problems.push(format!("{file}: a mod.rs is a table of contents only"));
            }
            continue;
        }
        let (code, tests) = text.split_once("#[cfg(test)]").unwrap_or((text, "mod tests"));
        if !tests.trim_start().starts_with("mod tests") || tests.contains("#[cfg(test)]") {
            problems.push(format!("{file}: one `mod tests`, last in the file"));
        }
        if code.contains("super::") {
            problems.push(format!("{file}: spell paths from `crate::`"));
        }
        for path in paths_from_crate(code) {
            let Some(target) = file_of(&files, &path) else {
                problems.push(format!("{file}: `crate::{path}` names no file"));
                continue;
            };
            let there = target.split('/').next().unwrap();
            if there != home {
                if floors[home] <= floors[there] {
                    let (own, other) = (floors[home], floors[there]);
                    problems.push(format!("{file} (floor {own}) imports {target} (floor {other})"));
                }
                if STAGES.contains(&home) && STAGES.contains(&there) {
                    problems.push(format!("{file}: a stage imports the stage {target}"));
                }
                if WIRED_ONLY.contains(&target.as_str()) && file != WIRING {
                    problems.push(format!("{file}: only {WIRING} may name {target}"));
                }
            }
            edges.entry(file).or_default().insert(target);
        }
    }
    problems.extend(cycle(&files, &edges));

    // A walk that saw nothing would pass; make that a failure.
    let n_edges: usize = edges.values().map(BTreeSet::len).sum();
    assert!(20 < files.len() && 20 < n_edges, "saw {} files, {n_edges} imports", files.len());
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// `gate::quote::Thing` -> `gate/quote`, `pipeline::money::odds::of` -> `pipeline/money/odds`; a
/// one-file module is found under its own name.
fn file_of(files: &BTreeMap<String, String>, path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split("::").collect();
    (1..=parts.len().min(3)).rev().map(|it| parts[..it].join("/")).find(|it| files.contains_key(it))
}

/// Module name -> floor, 1 being the lowest.
fn floors() -> BTreeMap<String, usize> {
    let text = fs::read_to_string("src/lib.rs").unwrap();
    let mut floors = BTreeMap::new();
    let mut floor = 0;
    let mut in_group = false;
    for line in text.lines() {
        match mod_line(line) {
            Some(name) => {
                floor += usize::from(!in_group);
                in_group = true;
                floors.insert(name.to_owned(), floor);
            }
            None => in_group &= !line.is_empty(),
        }
    }
    floors
}

/// `mod gate;` -> `gate`, whatever the visibility.
fn mod_line(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub ")).unwrap_or(line);
    line.strip_prefix("mod ")?.strip_suffix(';')
}

/// `gate/quote` -> text of `src/gate/quote.rs`, for every file under `src`.
fn files() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    go(&mut files, Path::new("src"));
    return files;

    fn go(files: &mut BTreeMap<String, String>, dir: &Path) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                go(files, &path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let name = path.strip_prefix("src").unwrap().with_extension("");
                files.insert(
                    name.to_str().unwrap().replace('\\', "/"),
                    fs::read_to_string(&path).unwrap(),
                );
            }
        }
    }
}

/// Every path that follows `crate::`, one level of braces expanded, comments ignored.
fn paths_from_crate(code: &str) -> Vec<String> {
    let code: String = code.lines().map(|it| it.split("//").next().unwrap()).collect();
    let mut paths = Vec::new();
    for (at, marker) in code.match_indices("crate::") {
        let tail = &code[at + marker.len()..];
        let end = tail
            .find(|it: char| !(it.is_alphanumeric() || "_:".contains(it)))
            .unwrap_or(tail.len());
        let head = &tail[..end];
        match tail[end..].strip_prefix('{').and_then(|it| it.split_once('}')) {
            Some((inner, _)) => {
                paths.extend(
                    inner
                        .split(',')
                        .filter(|it| !it.trim().is_empty())
                        .map(|it| format!("{head}{}", it.trim())),
                );
            }
            None => paths.push(head.to_owned()),
        }
    }
    paths
}

/// Peels off files whose imports are all placed; what cannot be placed lies on or above a cycle.
fn cycle(
    files: &BTreeMap<String, String>,
    edges: &BTreeMap<&str, BTreeSet<String>>,
) -> Option<String> {
    let mut placed: BTreeSet<&str> = BTreeSet::new();
    loop {
        let ready: Vec<&str> = files
            .keys()
            .map(String::as_str)
            .filter(|it| !placed.contains(it))
            .filter(|it| {
                edges.get(it).is_none_or(|to| to.iter().all(|t| placed.contains(t.as_str())))
            })
            .collect();
        if ready.is_empty() {
            let left: Vec<&str> =
                files.keys().map(String::as_str).filter(|it| !placed.contains(it)).collect();
            return (!left.is_empty()).then(|| format!("import cycle at or below {left:?}"));
        }
        placed.extend(ready);
    }
}
