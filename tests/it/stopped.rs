//! A run that is told to end while its papers are written, once and twice. Real processes and signals.
//!
//! The process is held at a file by a pipe in the file's place, so no time is guessed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use countersign::model::sheet::{IssuedSheet, Tab};

use crate::ferry::{Project, Told, articles, edition, page, regulation};

/// Two editions: in the second one article says another amount, one is new.
fn site() -> [(&'static str, countersign::fetch::loopback::Edition); 2] {
    let texts = regulation(6);
    let mut edited = texts.clone();
    edited[4] = edited[4].replace("500", "650");
    edited.push("持卡人不得同時領取其他補助新臺幣五十元以上。".to_owned());
    let of = |it: &[String]| edition(&[("/card", page("渡輪卡補助辦法", &articles(it)))]);
    [("one", of(&texts)), ("two", of(&edited))]
}

/// Tab and key of each row that a sheet asks about or shows.
pub type ShownRows = BTreeSet<(String, String)>;

pub fn issued_rows(project: &Path, told: &Told) -> ShownRows {
    let sheet = told.summary["sheet"].as_str().unwrap_or_else(|| panic!("{}", told.summary));
    let path = project.join(sheet).with_file_name("issued.json");
    let issued: IssuedSheet = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let tab = |tab: Tab| format!("{tab:?}");
    issued.rows.into_iter().map(|it| (tab(it.tab), it.key)).collect()
}

/// How a run that was held at one of its papers ended.
struct Ended {
    status: ExitStatus,
    words: String,
}

/// Runs the day's update, holds it at the file, and tells it to end: twice while it is held, or once
/// and then lets it go on.
fn told_to_end_at(project: &Project, file: &str, signal: &str, is_twice: bool) -> Ended {
    let path = project.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success(), "{file}");
    let mut command = project.line("update", &[]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // Opens when the process has come to look at the file.
    let (opened, is_open) = channel();
    let pipe = path.clone();
    thread::spawn(move || opened.send(fs::OpenOptions::new().write(true).open(pipe)));
    let writer = loop {
        match is_open.recv_timeout(Duration::from_millis(20)) {
            Ok(writer) => break writer.unwrap(),
            Err(_) => assert!(child.try_wait().unwrap().is_none(), "{file}: it never came there"),
        }
    };
    let process = child.id().to_string();
    let send = || {
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    };
    send();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut words = String::new();
    while !words.contains("stopping: ") {
        assert!(told.read_line(&mut words).unwrap() > 0, "{file} {signal}: {words}");
    }
    if is_twice {
        send();
        told.read_to_string(&mut words).unwrap();
        let status = child.wait().unwrap();
        drop(writer);
        fs::remove_file(&path).unwrap();
        return Ended { status, words };
    }
    drop(writer);
    told.read_to_string(&mut words).unwrap();
    Ended { status: child.wait().unwrap(), words }
}

/// What stands of the papers of the interrupted run.
fn papers_of(project: &Project, run: &str) -> Vec<String> {
    let entries = fs::read_dir(project.path().join("review").join(run)).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_run_told_to_end_at_its_papers_leaves_none_by_halves_and_the_next_one_makes_them_for_nothing() {
    let undisturbed = Project::new(&site());
    undisturbed.run("run");
    let update = undisturbed.update_to("two");
    let wanted = issued_rows(undisturbed.path(), &update);
    assert!(wanted.len() > 1, "{wanted:?}");
    let run = update.summary["run"].as_str().unwrap().to_owned();
    let papers = ["report.html".to_owned(), "issued.json".to_owned(), format!("decide-{run}.xlsx")];
    for (at, paper) in papers.iter().enumerate() {
        for is_twice in [false, true] {
            let signal = if (at + usize::from(is_twice)) % 2 == 0 { "-INT" } else { "-TERM" };
            let case = format!("{paper}, {signal}, twice: {is_twice}");
            let project = Project::new(&site());
            project.run("run");
            project.site.switch_to("two").unwrap();
            let file = format!("review/{run}/{paper}");
            let ended = told_to_end_at(&project, &file, signal, is_twice);
            assert_eq!(ended.status.code(), Some(3), "{case}: {}", ended.words);
            assert!(ended.words.contains("run again"), "{case}: {}", ended.words);
            let left = papers_of(&project, &run);
            let half = |it: &&String| it.ends_with(".tmp");
            if is_twice {
                // It was ended on its way to this file: those before it are whole, it is not there.
                assert!(!left.contains(paper), "{case}: {left:?}");
                assert!(!left.iter().any(|it| it == "summary.json"), "{case}: {left:?}");
            } else {
                assert_eq!(left, Vec::<String>::new(), "{case}");
            }
            let again = project.run("update");
            assert_eq!(again.asks(), 0, "{case}: everything was read and kept");
            assert_eq!(issued_rows(project.path(), &again), wanted, "{case}: {}", again.summary);
            assert!(again.notes.contains("left no sheet"), "{case}: {}", again.notes);
            assert_eq!(papers_of(&project, &run).iter().find(half), None, "{case}");
            let verified = project.command(&["verify"]).output().unwrap();
            assert_eq!(verified.status.code(), Some(0), "{case}");
            // What was shown is not shown as new again.
            let quiet = project.run("update");
            assert!(quiet.summary["sheet"].is_null(), "{case}: {}", quiet.summary);
        }
    }
}

#[test]
fn rows_of_a_bulk_run_that_left_no_sheet_are_shown_by_an_update_all_the_same() {
    let undisturbed = Project::new(&site());
    let bulk = undisturbed.run("run");
    let wanted = issued_rows(undisturbed.path(), &bulk);
    let project = Project::new(&site());
    let run = bulk.summary["run"].as_str().unwrap();
    let path = project.path().join(format!("review/{run}/report.html"));
    fs::create_dir_all(&path).unwrap();
    // A folder where the report should go: the run ends as failed, with everything read.
    let failed = project.line("run", &[]).output().unwrap();
    assert_eq!(failed.status.code(), Some(1), "{}", String::from_utf8_lossy(&failed.stderr));
    fs::remove_dir(&path).unwrap();
    let update = project.run("update");
    assert_eq!(update.asks(), 0, "{}", update.summary);
    assert_eq!(issued_rows(project.path(), &update), wanted, "{}", update.notes);
}
