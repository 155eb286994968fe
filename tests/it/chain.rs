//! The whole chain through the program: a signed project and its bundles, broken link by link.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use countersign::fetch::loopback::Loopback;
use countersign::model::decision::DecisionWord;
use countersign::model::sheet::{IssuedSheet, Tab};
use countersign::model::signing::Signature;
use countersign::sheet::fill::fill_in;
use countersign::signoff::signature::signature_digest;
use countersign::sources::sample::{sample_site, sample_source_files};

/// A project with one run of the sample's pages in one language, `-en` or `-zh`, made once.
pub fn run_project(tag: &str) -> &'static Path {
    static MADE: [OnceLock<tempfile::TempDir>; 2] = [const { OnceLock::new() }; 2];
    MADE[usize::from(tag == "-zh")]
        .get_or_init(|| {
            let dir = tempfile::tempdir().unwrap();
            fs::create_dir(dir.path().join("sources")).unwrap();
            for (name, text) in sample_source_files().iter().filter(|it| it.0.contains(tag)) {
                fs::write(dir.path().join("sources").join(name), text).unwrap();
            }
            let (_runtime, address) = served("bulk");
            let to = format!("harbour.example={address}");
            let run = program(dir.path(), &["run", "--quiet", "--yes", "--connect-to", &to]);
            assert_eq!(run.status.code(), Some(3), "{}", String::from_utf8_lossy(&run.stderr));
            dir
        })
        .path()
}

/// The sample's site in one of its editions, for as long as the runtime is kept.
pub fn served(edition: &str) -> (tokio::runtime::Runtime, std::net::SocketAddr) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let site = runtime.block_on(Loopback::start(sample_site().unwrap(), edition)).unwrap();
    let address = site.address();
    std::mem::forget(site);
    (runtime, address)
}

/// The same project, with a sign-off of every asked row, made once.
fn signed_project() -> &'static Path {
    static MADE: OnceLock<tempfile::TempDir> = OnceLock::new();
    MADE.get_or_init(|| {
        let dir = copy_of(run_project("-en"));
        let (sheet, issued) = last_sheet(dir.path());
        let asked = issued.rows.iter().filter(|it| it.tab == Tab::Decide);
        let decisions: BTreeMap<String, DecisionWord> =
            asked.map(|it| (it.key.clone(), DecisionWord::Approve)).collect();
        let filled = fill_in(&fs::read(&sheet).unwrap(), &issued, &decisions).unwrap();
        let file = dir.path().join("returned.xlsx");
        fs::write(&file, filled).unwrap();
        let signed = program(dir.path(), &["signoff", file.to_str().unwrap(), "--by", "A. Client"]);
        assert_eq!(signed.status.code(), Some(0), "{}", String::from_utf8_lossy(&signed.stdout));
        dir
    })
    .path()
}

/// The newest sheet of a project and what was issued with it.
pub fn last_sheet(project: &Path) -> (PathBuf, IssuedSheet) {
    let mut runs: Vec<PathBuf> = fs::read_dir(project.join("review"))
        .unwrap()
        .flatten()
        .map(|it| it.path())
        .filter(|it| it.join("issued.json").is_file())
        .collect();
    runs.sort();
    let run = runs.pop().unwrap();
    let text = fs::read_to_string(run.join("issued.json")).unwrap();
    let name = run.file_name().unwrap().to_string_lossy().into_owned();
    (run.join(format!("decide-{name}.xlsx")), serde_json::from_str(&text).unwrap())
}

/// A project's copy; files are shared until one is written anew, the ledger is its own.
pub fn copy_of(project: &Path) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut open = vec![project.to_owned()];
    while let Some(folder) = open.pop() {
        let target = dir.path().join(folder.strip_prefix(project).unwrap());
        fs::create_dir_all(&target).unwrap();
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            if path.is_dir() {
                open.push(path);
            } else if name.to_string_lossy().starts_with("ledger.sqlite") {
                fs::copy(&path, target.join(name)).unwrap();
            } else {
                fs::hard_link(&path, target.join(name)).unwrap();
            }
        }
    }
    dir
}

pub fn program(project: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(args)
        .arg("--project")
        .arg(project)
        .output()
        .unwrap()
}

/// Writes a file anew, so that its hard-linked twin stays as it is.
fn rewrite(path: &Path, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    let changed = change(bytes.clone());
    assert_ne!(bytes, changed, "{} was not changed", path.display());
    fs::remove_file(path).unwrap();
    fs::write(path, changed).unwrap();
}

fn swap(path: &Path, from: &str, to: &str) {
    rewrite(path, |bytes| String::from_utf8(bytes).unwrap().replacen(from, to, 1).into_bytes());
}

/// Every file below a folder whose name ends so, sorted.
fn files(dir: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn ledger(project: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(project.join("ledger.sqlite")).unwrap();
    let touched = connection.execute(sql, []).unwrap();
    assert!(touched > 0, "{sql} touched nothing");
}

/// The extracted file with this text in it.
fn file_with(dir: &Path, end: &str, text: &str) -> PathBuf {
    let is_it = |it: &PathBuf| fs::read_to_string(it).is_ok_and(|it| it.contains(text));
    files(dir, end).into_iter().find(is_it).unwrap_or_else(|| panic!("no file holds {text}"))
}

/// What is said of a project after something was done to it.
fn after(change: impl FnOnce(&Path)) -> (Option<i32>, String) {
    let dir = copy_of(signed_project());
    change(dir.path());
    let output = program(dir.path(), &["verify"]);
    let mut text = String::from_utf8(output.stdout).unwrap();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text)
}

#[test]
fn a_signed_project_holds_and_every_broken_link_is_named() {
    let (code, text) = after(|_| {});
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("everything holds") && text.contains("1 signatures"), "{text}");
    type Change = fn(&Path);
    let changes: [(&str, &str, Change); 20] = [
        ("a text", "snapshots/", |dir| {
            let text = file_with(&dir.join("snapshots"), ".txt", "within 30 days");
            swap(&text, "within 30 days", "within 90 days");
        }),
        ("a value, and the ledger's digest with it", "the gate refuses it", |dir| {
            let rows = file_with(&dir.join("extracted"), ".jsonl", "\"value\":30,");
            swap(&rows, "\"value\":30,", "\"value\":90,");
            hide_in_ledger(dir, &rows);
        }),
        ("the same value, at the answer", "is not what the extract answer", |dir| {
            let rows = file_with(&dir.join("extracted"), ".jsonl", "\"value\":30,");
            swap(&rows, "\"value\":30,", "\"value\":90,");
            hide_in_ledger(dir, &rows);
        }),
        ("a value alone", "was changed after it was written", |dir| {
            let rows = file_with(&dir.join("extracted"), ".jsonl", "\"value\":30,");
            swap(&rows, "\"value\":30,", "\"value\":90,");
        }),
        ("a span", "are its snippet; they are not", |dir| {
            let rows = file_with(&dir.join("extracted"), ".jsonl", "\"bytes\":[");
            swap(&rows, "\"bytes\":[", "\"bytes\":[1");
            hide_in_ledger(dir, &rows);
        }),
        ("a row's group", "is not what the extract answer", |dir| {
            let rows = file_with(&dir.join("extracted"), ".jsonl", "\"group\":\"g6\"");
            swap(&rows, "\"group\":\"g6\"", "\"group\":\"g1\"");
            hide_in_ledger(dir, &rows);
        }),
        ("what a group is nested in", "is not what the extract answer", |dir| {
            let rows = file_with(&dir.join("extracted"), ".jsonl", NESTED);
            swap(&rows, NESTED, &NESTED.replace("all", "any"));
            hide_in_ledger(dir, &rows);
        }),
        ("the same, and the answer with it", "the gate refuses it: CONNECTIVE_CHANGED", |dir| {
            let rows = file_with(&dir.join("extracted"), ".jsonl", NESTED);
            rewrite(&rows, |bytes| {
                let text = String::from_utf8(bytes).unwrap();
                text.replace(NESTED, &NESTED.replace("all", "any")).into_bytes()
            });
            hide_in_ledger(dir, &rows);
            let nests = "\\\"parent\\\":\\\"g1\\\"";
            let answer = file_with(&dir.join("asks"), ".answer.json", nests);
            let outer = "{\\\"id\\\":\\\"g1\\\",\\\"join\\\":\\\"all\\\"";
            swap(&answer, outer, &outer.replace("all", "any"));
        }),
        ("an ask", ".ask.json", |dir| {
            let asks = files(&dir.join("asks"), ".ask.json");
            swap(&asks[0], "\"attempt\": 1", "\"attempt\": 2");
        }),
        ("an answer", "edited after it was used", |dir| {
            let answer = file_with(&dir.join("asks"), ".answer.json", "30 days");
            swap(&answer, "30 days", "90 days");
        }),
        ("a lost answer", "has no answer on file", |dir| {
            let answer = file_with(&dir.join("asks"), ".answer.json", "30 days");
            fs::remove_file(answer).unwrap();
        }),
        ("an issued sheet", "is not the row that was issued", |dir| {
            let issued = files(&dir.join("review"), "issued.json");
            swap(&issued[0], "\"snippet\":\"", "\"snippet\":\"x");
        }),
        ("a decision", "the signature says approve", |dir| {
            ledger(
                dir,
                "UPDATE decision SET body = replace(body, '\"word\":\"approve\"', '\"word\":\"reject\"')
                 WHERE number = 3",
            );
        }),
        ("a decision's content", "does not cover this row as it was", |dir| {
            ledger(
                dir,
                "UPDATE decision SET body = json_set(body, '$.digest', 'ff') WHERE number = 2",
            );
        }),
        ("a signature", "is not what was signed", |dir| {
            ledger(dir, "UPDATE signature SET body = replace(body, 'A. Client', 'B. Client')");
        }),
        ("a word, its signature made anew", "the kept file says approve, the signature", |dir| {
            sign_otherwise(dir);
        }),
        ("a lost signature", "no signature is on record", |dir| {
            ledger(
                dir,
                "UPDATE signature SET body = replace(body, 'file_digest\":\"', 'file_digest\":\"0')",
            );
        }),
        ("a returned file", "is not the one that was signed", |dir| {
            let returned = files(&dir.join("review"), ".xlsx")
                .into_iter()
                .find(|it| it.file_name().unwrap().to_string_lossy().starts_with("returned-"));
            rewrite(&returned.unwrap(), |bytes| [bytes, vec![0]].concat());
        }),
        ("a lost returned file", "is not kept", |dir| {
            for file in files(&dir.join("review"), ".xlsx") {
                if file.file_name().unwrap().to_string_lossy().starts_with("returned-") {
                    fs::remove_file(file).unwrap();
                }
            }
        }),
        ("an approved row", "review/approved.jsonl", |dir| {
            swap(&dir.join("review/approved.jsonl"), "\"subject\":\"", "\"subject\":\"not ");
        }),
    ];
    for (name, words, change) in changes {
        let (code, text) = after(change);
        assert_eq!(code, Some(6), "{name}: {text}");
        assert!(text.contains(words), "{name}: expected {words:?} in\n{text}");
    }
}

/// The list around another, as a row of the sample's page says it.
const NESTED: &str = "\"within\":[{\"id\":\"g1\",\"join\":\"all\"";

/// Turns one signed word around, in the signature and in its decision, with all digests made anew.
fn sign_otherwise(dir: &Path) {
    let connection = rusqlite::Connection::open(dir.join("ledger.sqlite")).unwrap();
    let body: String =
        connection.query_row("SELECT body FROM signature", [], |row| row.get(0)).unwrap();
    let mut signature: Signature = serde_json::from_str(&body).unwrap();
    signature.rows[0].word = DecisionWord::Reject;
    signature.digest = signature_digest(&signature);
    let body = serde_json::to_string(&signature).unwrap();
    connection.execute("UPDATE signature SET body = ?1", [&body]).unwrap();
    let touched = connection.execute(
        "UPDATE decision SET body = json_set(body, '$.word', 'reject') WHERE row_key = ?1",
        [&signature.rows[0].key],
    );
    assert_eq!(touched.unwrap(), 1);
}

/// Gives the ledger the digest of a changed file, as somebody would who wants to hide it.
fn hide_in_ledger(dir: &Path, file: &Path) {
    let digest = countersign::ask::canonical::hex_sha256(&fs::read(file).unwrap());
    let name = file.strip_prefix(dir).unwrap().display().to_string();
    ledger(dir, &format!("UPDATE page SET digest = '{digest}' WHERE file = '{name}'"));
}

#[test]
fn a_missing_a_foreign_and_another_projects_ledger_are_told_apart_from_an_empty_one() {
    let (code, text) = after(|dir| fs::remove_file(dir.join("ledger.sqlite")).unwrap());
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("there is no ledger here"), "{text}");
    let (code, text) = after(|dir| {
        fs::remove_file(dir.join("ledger.sqlite")).unwrap();
        fs::write(dir.join("ledger.sqlite"), "not a database, however long this text may be")
            .unwrap();
    });
    assert_eq!(code, Some(6), "{text}");
    assert!(text.contains("not a countersign ledger"), "{text}");
    // Nothing pending says so, and names the store; a wrong store gives no list at all.
    let signed = copy_of(signed_project());
    let status = program(signed.path(), &["status"]);
    let text = String::from_utf8(status.stdout).unwrap();
    assert!(text.contains("nothing waits for the client (ledger of project "), "{text}");
    ledger(signed.path(), "UPDATE project SET uuid = '99999999-0000-4000-8000-000000000000'");
    let status = program(signed.path(), &["status"]);
    assert_eq!((status.status.code(), status.stdout.len()), (Some(6), 0));
    let (code, text) = after(|dir| {
        ledger(dir, "UPDATE project SET uuid = '99999999-0000-4000-8000-000000000000'");
    });
    assert_eq!(code, Some(6), "{text}");
    assert!(text.contains("expected project") && text.contains("nothing was read"), "{text}");
}

#[test]
fn a_bundle_is_proven_with_the_program_alone_and_every_broken_link_is_named() {
    let dir = copy_of(signed_project());
    let file = dir.path().join("rows.bundle");
    let packed = program(dir.path(), &["bundle", file.to_str().unwrap()]);
    assert_eq!(packed.status.code(), Some(0), "{}", String::from_utf8_lossy(&packed.stdout));
    let elsewhere = tempfile::tempdir().unwrap();
    let proof = |bytes: &[u8]| {
        let file = elsewhere.path().join("received.bundle");
        fs::write(&file, bytes).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .arg("verify")
            .arg(&file)
            .current_dir(elsewhere.path())
            .output()
            .unwrap();
        let mut text = String::from_utf8(output.stdout).unwrap();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        (output.status.code(), text)
    };
    let bytes = fs::read(&file).unwrap();
    let (code, text) = proof(&bytes);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("everything holds") && text.contains("1 signatures"), "{text}");
    let changes = [
        ("rows.jsonl", "\"value\":30,", "\"value\":90,", "the gate refuses it"),
        ("texts/", "within 30 days", "within 90 days", "holds other words"),
        ("pages/", "within 30 days", "within 90 days", "holds other bytes"),
        (
            ".answer.json",
            "\\\"value\\\":30,",
            "\\\"value\\\":90,",
            "is not what the extract answer",
        ),
        (
            "decisions.jsonl",
            "\"word\":\"approve\"",
            "\"word\":\"reject\"",
            "the signature says approve",
        ),
        ("signatures.jsonl", "A. Client", "B. Client", "is not what was signed"),
    ];
    for (part, from, to, words) in changes {
        // With a manifest made anew, as somebody would who knows the format.
        let (code, text) = proof(&repacked(&bytes, (part, from, to), true));
        assert_eq!(code, Some(6), "{part}: {text}");
        assert!(text.contains(words), "{part}: expected {words:?} in\n{text}");
        // And without: refused before anything is used.
        let (code, text) = proof(&repacked(&bytes, (part, from, to), false));
        assert_eq!(code, Some(6), "{part}: {text}");
        assert!(text.contains("nothing of the file was used"), "{part}: {text}");
    }
    let (code, text) = proof(&bytes[..bytes.len() / 2]);
    assert_eq!(code, Some(6), "{text}");
    assert!(text.contains("not a bundle"), "{text}");
}

/// The bundle with one word of one part changed.
fn repacked(bytes: &[u8], (part, from, to): (&str, &str, &str), is_listed_anew: bool) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let name = file.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        parts.push((name, bytes));
    }
    let changed = parts
        .iter_mut()
        .find(|(name, bytes)| name.contains(part) && String::from_utf8_lossy(bytes).contains(from))
        .unwrap_or_else(|| panic!("no part {part} holds {from}"));
    let text = String::from_utf8(std::mem::take(&mut changed.1)).unwrap();
    changed.1 = text.replacen(from, to, 1).into_bytes();
    let (name, bytes) = changed.clone();
    if is_listed_anew {
        let manifest = parts.iter_mut().find(|it| it.0 == "manifest.json").unwrap();
        let mut value: serde_json::Value = serde_json::from_slice(&manifest.1).unwrap();
        value["parts"][&name] = serde_json::json!({
            "bytes": bytes.len(),
            "sha256": countersign::ask::canonical::hex_sha256(&bytes),
        });
        manifest.1 = serde_json::to_vec(&value).unwrap();
    }
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(&bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn the_sheet_written_once_more_is_the_sheet_that_was_issued() {
    let dir = copy_of(signed_project());
    let (sheet, issued) = last_sheet(dir.path());
    let before = fs::read(&sheet).unwrap();
    fs::remove_file(&sheet).unwrap();
    let again = program(dir.path(), &["sheet"]);
    assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    assert!(fs::read(&sheet).unwrap() == before, "the sheet comes out differently");
    assert_eq!(last_sheet(dir.path()).1.file, issued.file, "never another issue under its name");
}

#[test]
fn decided_rows_are_not_asked_about_again_and_questions_are_no_rows() {
    let dir = copy_of(signed_project());
    let run = program(dir.path(), &["run", "--no-crawl", "--quiet", "--yes"]);
    assert!(matches!(run.status.code(), Some(0 | 3)), "{}", String::from_utf8_lossy(&run.stderr));
    let (_, issued) = last_sheet(dir.path());
    let asked: Vec<&str> = issued.asked().map(|it| it.key.as_str()).collect();
    assert!(asked.is_empty(), "asked again: {asked:?}");
    let shown = serde_json::to_string(&issued).unwrap();
    assert!(shown.contains("A. Client"), "who decided is told");
    let approved = fs::read_to_string(dir.path().join("review/approved.jsonl")).unwrap();
    assert!(!approved.is_empty() && !approved.contains("-open-"), "{approved}");
}
