//! The whole line on the bundled sample site, through the program itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use countersign::ask::canonical::hex_sha256;
use countersign::fetch::loopback::Loopback;
use countersign::model::ask::Ask;
use countersign::model::finding::Code;
use countersign::model::row::{RowRecord, RowStatus};
use countersign::reader::answerer::answer_by_rules;
use countersign::sources::sample::{sample_site, sample_source_files};
use serde_json::Value;

/// A project on the sample site, and the site itself.
pub struct Project {
    pub dir: tempfile::TempDir,
    pub site: Loopback,
    runtime: tokio::runtime::Runtime,
}

impl Project {
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let site = runtime.block_on(Loopback::start(sample_site().unwrap(), "bulk")).unwrap();
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sources")).unwrap();
        for (name, text) in sample_source_files() {
            fs::write(dir.path().join("sources").join(name), text).unwrap();
        }
        Self { dir, site, runtime }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn settings(&self, text: &str) {
        fs::write(self.path().join("countersign.toml"), text).unwrap();
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command
            .args(args)
            .args(["--format", "json", "--quiet", "--yes"])
            .arg("--project")
            .arg(self.path())
            .env_remove("COUNTERSIGN_NOW");
        command
    }

    pub fn run(&self, more: &[&str]) -> Output {
        let place = format!("harbour.example={}", self.site.address());
        let args = [&["run", "--connect-to", &place], more].concat();
        self.command(&args).output().unwrap()
    }

    /// Path -> digest of every file below a folder of the project.
    pub fn files(&self, folder: &str) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.path().join(folder)];
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    // A file beside, not yet renamed, may be gone by now.
                    let Ok(bytes) = fs::read(&path) else { continue };
                    let digest = hex_sha256(&bytes);
                    found.insert(path.strip_prefix(self.path()).unwrap().to_owned(), digest);
                }
            }
        }
        found
    }

    pub fn rows(&self) -> Vec<RowRecord> {
        self.files("extracted")
            .keys()
            .filter(|it| it.components().count() == 3)
            .flat_map(|it| {
                let text = fs::read_to_string(self.path().join(it)).unwrap();
                let rows: Vec<RowRecord> =
                    text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
                rows
            })
            .collect()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        // The server's task must end inside its runtime.
        let _guard = self.runtime.enter();
    }
}

pub fn summary(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|_| {
        panic!("no summary: {text}\n{}", String::from_utf8_lossy(&output.stderr))
    })
}

pub fn number(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path} in {value}"))
}

#[test]
fn a_bulk_run_gives_quoted_rows_a_sheet_and_counts_that_add_up() {
    let project = Project::new();
    let output = project.run(&[]);
    let told = summary(&output);
    assert_eq!(output.status.code(), Some(3), "rows wait for the client: {told}");
    let rows = ["accepted", "flagged", "dropped", "merged"]
        .map(|it| number(&told, &format!("/rows/{it}")));
    assert!(rows[0] > 100, "{told}");
    let on_disk = project.rows();
    assert_eq!(on_disk.len() as u64, rows[0] + rows[1]);
    assert_eq!(
        number(&told, "/items/total"),
        number(&told, "/items/asked")
            + number(&told, "/items/done")
            + number(&told, "/items/carried")
    );
    for paper in ["/sheet", "/report"] {
        let path = told.pointer(paper).and_then(Value::as_str).unwrap();
        assert!(project.path().join(path).is_file(), "{path}");
    }
    assert_eq!(told.pointer("/readers/extractor").unwrap(), "rules/1", "no model was used");
}

#[test]
fn every_stored_snippet_is_an_exact_slice_of_the_stored_text() {
    let project = Project::new();
    project.run(&[]);
    let mut checked = 0;
    for row in project.rows() {
        let text = fs::read_to_string(
            project
                .path()
                .join("snapshots")
                .join(&row.source)
                .join("texts")
                .join(&row.text[..2])
                .join(format!("{}.txt", row.text)),
        )
        .unwrap();
        assert_eq!(hex_sha256(text.as_bytes()), row.text);
        let place = row.place.unwrap();
        assert_eq!(
            &text.as_bytes()[place.bytes.start..place.bytes.end],
            row.claim.snippet.as_bytes(),
            "{}",
            row.key
        );
        let chars: String = text
            .chars()
            .skip(place.chars.start)
            .take(place.chars.end - place.chars.start)
            .collect();
        assert_eq!(chars, row.claim.snippet, "{}", row.key);
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn a_second_run_asks_nothing_and_changes_no_byte() {
    let project = Project::new();
    project.run(&[]);
    let before = (project.files("extracted"), project.files("asks"));
    let told = summary(&project.run(&[]));
    assert_eq!(number(&told, "/asks/live"), 0, "{told}");
    assert_eq!((project.files("extracted"), project.files("asks")), before);
    assert_eq!(
        (number(&told, "/changes/new"), number(&told, "/changes/changed")),
        (0, 0),
        "{told}"
    );

    // Without the ledger's memory of pages everything is read again from the recorded answers.
    for file in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
        let _ = fs::remove_file(project.path().join(file));
    }
    let told = summary(&project.run(&[]));
    assert_eq!(number(&told, "/asks/live"), 0, "{told}");
    assert!(number(&told, "/asks/from_record") > 100, "{told}");
    assert_eq!((project.files("extracted"), project.files("asks")), before);
}

#[test]
fn rows_that_our_own_change_no_longer_states_stay_live_and_are_asked_about() {
    let project = Project::new();
    project.run(&["harbour-en"]);
    let about = |rows: &[RowRecord]| -> Vec<String> {
        rows.iter().filter(|it| it.claim.field == "residence").map(|it| it.key.clone()).collect()
    };
    let before = about(&project.rows());
    assert!(!before.is_empty(), "the sample states rows of this field");
    // The field is declared no more: nothing can state these rows again.
    let path = project.path().join("sources/harbour-en.toml");
    let text = fs::read_to_string(&path).unwrap();
    let (head, rest) = text.split_once("[[fields]]\nname = \"residence\"").unwrap();
    let (_, tail) = rest.split_once("[[fields]]").unwrap();
    fs::write(&path, format!("{head}[[fields]]{tail}")).unwrap();
    let told = summary(&project.run(&["harbour-en"]));
    let rows = project.rows();
    assert_eq!(about(&rows), before, "none may vanish without a signature");
    for row in rows.iter().filter(|it| it.claim.field == "residence") {
        let note = row.findings.iter().find(|it| it.code == Code::StaleSnapshot).unwrap();
        assert!(note.detail.contains("source did not change"), "{}", note.detail);
    }
    assert!(number(&told, "/changes/removed_candidates") > 0, "{told}");
    let verified = project.command(&["verify"]).output().unwrap();
    assert_eq!(verified.status.code(), Some(0), "{}", String::from_utf8_lossy(&verified.stdout));
}

#[test]
fn the_forbidden_page_is_never_asked_for_and_stands_in_no_file() {
    let project = Project::new();
    let told = summary(&project.run(&[]));
    assert!(number(&told, "/pages/refused") >= 1, "{told}");
    assert!(project.site.served().iter().all(|it| !it.path.contains("/staff/")));
}

#[test]
fn asks_wait_for_files_and_a_foreign_or_edited_answer_is_refused_by_name() {
    let project = Project::new();
    project.settings("[extractor]\nanswerer = \"files\"\n[reviewer]\nanswerer = \"files\"\n");
    let first = project.run(&["harbour-en"]);
    let told = summary(&first);
    assert_eq!(first.status.code(), Some(3));
    let waiting = number(&told, "/items/waiting");
    assert!(waiting > 30, "{told}");
    assert!(project.files("extracted").is_empty(), "nothing is written of a page that waits");

    // Somebody answers, round after round, until nothing is open.
    let mut last = Value::Null;
    for _ in 0..6 {
        let open = answer_all(&project);
        let output = project.run(&["harbour-en", "--no-crawl"]);
        last = summary(&output);
        if open == 0 {
            break;
        }
    }
    assert_eq!(number(&last, "/items/waiting"), 0, "{last}");
    assert!(number(&last, "/rows/accepted") > 50, "{last}");

    // An answer that was used and then edited.
    let (path, text) = some_answer(&project);
    fs::write(&path, text.replace("\"answered_by\": \"rules/1\"", "\"answered_by\": \"x\""))
        .unwrap();
    fs::remove_dir_all(project.path().join("extracted")).unwrap();
    let refused = project.run(&["harbour-en", "--no-crawl"]);
    assert_eq!(refused.status.code(), Some(6));
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(complaint.contains(&name) && complaint.contains("edited"), "{complaint}");

    // An answer to another ask under this ask's name.
    let digest = name.split('.').next().unwrap();
    fs::write(&path, text.replace(digest, &"ab".repeat(32))).unwrap();
    let refused = project.run(&["harbour-en", "--no-crawl"]);
    assert_eq!(refused.status.code(), Some(6));
    let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(complaint.contains(&name) && complaint.contains("answers ask abab"), "{complaint}");

    fs::write(&path, text).unwrap();
    let output = project.run(&["harbour-en", "--no-crawl"]);
    assert_eq!(number(&summary(&output), "/items/waiting"), 0);
}

/// Answers every open ask as the built-in reader would, through `asks export` and `asks import`.
fn answer_all(project: &Project) -> usize {
    let dir = project.path().join("out");
    let _ = fs::remove_dir_all(&dir);
    project.command(&["asks", "export", dir.to_str().unwrap()]).output().unwrap();
    let list = fs::read_to_string(dir.join("README.md")).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(&dir).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|it| it != "json") {
            fs::remove_file(&path).unwrap();
            continue;
        }
        let mut export: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let digest = export["ask"].as_str().unwrap().to_owned();
        let stored = project.path().join(format!("asks/{}/{digest}.ask.json", &digest[..2]));
        let ask: Ask = serde_json::from_str(&fs::read_to_string(stored).unwrap()).unwrap();
        let answer = answer_by_rules(&ask, &digest).unwrap();
        assert!(list.contains(&format!("({digest}.md)")), "{list}");
        export["answer"] = serde_json::to_value(&answer).unwrap();
        if digest.starts_with(['0', '7']) {
            // As a person would fill it in: the object itself, not a text that holds it.
            export["answer"]["reply"] = serde_json::from_str(&answer.reply).unwrap();
        }
        fs::write(&path, export.to_string()).unwrap();
        count += 1;
    }
    if count > 0 {
        let output = project.command(&["asks", "import", dir.to_str().unwrap()]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    }
    count
}

fn some_answer(project: &Project) -> (PathBuf, String) {
    let row = project.rows().into_iter().next().unwrap();
    let path = project.path().join(format!("asks/{}/{}.answer.json", &row.ask[..2], row.ask));
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_files() {
    let undisturbed = Project::new();
    undisturbed.run(&[]);
    let wanted = (undisturbed.files("extracted"), editions(&undisturbed));
    for (folder, files) in [("snapshots", 12), ("snapshots", 60), ("asks", 25), ("asks", 300)] {
        let project = Project::new();
        let place = format!("harbour.example={}", project.site.address());
        let mut child = project
            .command(&["run", "--connect-to", &place])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        kill_when(&mut child, || project.files(folder).len() >= files);
        let told = summary(&project.run(&[]));
        assert_eq!(number(&told, "/items/waiting"), 0, "{told}");
        assert_eq!(
            (project.files("extracted"), editions(&project)),
            wanted,
            "killed with {files} files in {folder}"
        );
        let verified = project.command(&["verify"]).output().unwrap();
        assert_eq!(
            verified.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&verified.stdout)
        );
    }
}

/// The content manifests, which hold no clock.
fn editions(project: &Project) -> Vec<(PathBuf, String)> {
    project
        .files("snapshots")
        .into_iter()
        .filter(|(path, _)| path.ends_with("manifest.json"))
        .collect()
}

/// Kills the process with SIGKILL once `is_time`; a process that ended before is fine.
fn kill_when(child: &mut Child, is_time: impl Fn() -> bool) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        if is_time() || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn damage_to_a_row_a_text_and_an_answer_is_found_and_named() {
    let project = Project::new();
    project.run(&["harbour-zh"]);
    let intact = project.command(&["verify"]).output().unwrap();
    assert_eq!(intact.status.code(), Some(0));
    let row = project.rows().into_iter().next().unwrap();
    let text = format!("snapshots/harbour-zh/texts/{}/{}.txt", &row.text[..2], row.text);
    let answer = format!("asks/{}/{}.answer.json", &row.ask[..2], row.ask);
    let rows = project
        .files("extracted")
        .into_keys()
        .find(|it| fs::read_to_string(project.path().join(it)).unwrap().contains(&row.key))
        .unwrap();
    for damaged in [Path::new(&text), Path::new(&answer), &rows] {
        let path = project.path().join(damaged);
        let before = fs::read(&path).unwrap();
        let mut bytes = before.clone();
        let at = bytes.len() / 2;
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let output = project.command(&["verify"]).output().unwrap();
        assert_eq!(output.status.code(), Some(6), "{}", damaged.display());
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        let name = damaged.file_name().unwrap().to_str().unwrap().split('.').next().unwrap();
        assert!(found.contains(name), "{found}");
        fs::write(&path, before).unwrap();
    }
}

#[test]
fn a_project_without_a_run_an_empty_one_and_a_wrong_one_do_not_look_alike() {
    let project = Project::new();
    let none = project.command(&["status"]).output().unwrap();
    assert_eq!(none.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&none.stderr).contains("no ledger"));
    fs::write(project.path().join("ledger.sqlite"), "這不是帳本，not a ledger at all, only text.")
        .unwrap();
    let foreign = project.command(&["status"]).output().unwrap();
    assert_eq!(foreign.status.code(), Some(6));
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    let output = command.args(["status", "--project"]).arg(elsewhere.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn pages_of_a_host_that_the_source_no_longer_names_give_no_row_in_either_language() {
    let project = Project::new();
    project.run(&[]);
    let accepted = project.rows().iter().filter(|it| it.status == RowStatus::Accepted).count();
    assert!(accepted > 50, "{accepted}");
    for name in ["harbour-en.toml", "harbour-zh.toml"] {
        let path = project.path().join("sources").join(name);
        let text = fs::read_to_string(&path).unwrap();
        // The office has moved; what was crawled at its old address is relied on no longer.
        fs::write(&path, text.replace("harbour.example", "office.example")).unwrap();
    }
    let output = project.command(&["run", "--no-crawl"]).output().unwrap();
    let told = summary(&output);
    let words = String::from_utf8_lossy(&output.stderr);
    assert_ne!(output.status.code(), Some(0), "{words}");
    assert_eq!(number(&told, "/items/carried"), 0, "{told}");
    assert!(number(&told, "/findings/UNAUTHORISED_SOURCE") > 50, "{told}");
    for language in ["harbour-en", "harbour-zh"] {
        let rows = project.rows();
        let of_source: Vec<_> = rows.iter().filter(|it| it.source == language).collect();
        // What was accepted stays on record as a candidate for removal until the client signs.
        let stands = |it: &RowRecord| {
            it.status == RowStatus::Accepted
                && it.findings.iter().all(|it| it.code != Code::StaleSnapshot)
        };
        assert!(!of_source.iter().any(|it| stands(it)), "{language}");
        let details: Vec<&str> = of_source
            .iter()
            .flat_map(|it| &it.findings)
            .filter(|it| it.code == Code::UnauthorisedSource)
            .map(|it| it.detail.as_str())
            .collect();
        let wanted =
            if language == "harbour-zh" { "並非約定的來源" } else { "was not agreed" };
        assert!(!details.is_empty() && details.iter().all(|it| it.contains(wanted)), "{details:?}");
    }
}
