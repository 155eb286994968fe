//! An update that is really killed, at fixed points: at a request, or on its way to one file.
//!
//! A point is not a time. The process is held there, by a server that says nothing or by a pipe in
//! the place of the file, and killed when it has come.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::ferry::{Project, articles, edition, gone, page, regulation};
use crate::stopped::{ShownRows, issued_rows};
use crate::wire::{Answer, serve};

/// Where an update is killed.
#[derive(Clone, Debug)]
enum Point {
    /// When it has sent its nth request, before it is answered.
    Request(usize),
    /// When it comes to look at this file: before it is written, or with what was written beside it
    /// about to take its place.
    At(PathBuf),
}

/// Two editions: a page with one article changed, one gone and one new, and a page that is gone.
fn site() -> [(&'static str, countersign::fetch::loopback::Edition); 2] {
    let texts = regulation(12);
    let mut edited: Vec<String> = texts.clone();
    edited[8] = edited[8].replace("補助", "津貼").replace("900", "950");
    edited.remove(6);
    edited.insert(3, "持卡人不得同時領取其他補助新臺幣五十元以上。".to_owned());
    let of = |it: &[String]| page("渡輪卡補助辦法", &articles(it));
    [
        ("one", edition(&[("/card", of(&texts))])),
        ("two", edition(&[("/card", of(&edited)), ("/about", gone())])),
    ]
}

/// Rows, asks and answers, the content manifests, and the papers: what holds no clock.
fn lasting(project: &Project) -> BTreeMap<PathBuf, String> {
    let is_lasting = |path: &Path| {
        path.starts_with("extracted") || path.starts_with("asks") || path.ends_with("manifest.json")
    };
    project.files().into_iter().filter(|(path, _)| is_lasting(path)).collect()
}

/// Copies a project as its first run left it.
fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_files(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The files that an undisturbed update makes or changes, what lasts of them, and what its sheet shows.
fn undisturbed(bulk: &Path) -> (Vec<PathBuf>, BTreeMap<PathBuf, String>, ShownRows) {
    let project = Project::new(&site());
    project.run("run");
    copy_files(project.path(), bulk);
    let before = project.files();
    let update = project.update_to("two");
    assert_eq!(update.changes(), [1, 1, 1, 3], "{}", update.summary);
    let now = project.files();
    let touched = now.iter().filter(|(path, digest)| before.get(*path) != Some(*digest));
    let touched = touched.map(|it| it.0.clone()).collect();
    (touched, lasting(&project), issued_rows(project.path(), &update))
}

#[test]
fn an_update_killed_at_any_of_its_points_ends_with_the_same_files() {
    let bulk = tempfile::tempdir().unwrap();
    let (touched, wanted, shown) = undisturbed(bulk.path());
    let named = |end: &str| -> Vec<PathBuf> {
        let is_it = |it: &&PathBuf| it.to_string_lossy().contains(end);
        touched.iter().filter(is_it).cloned().collect()
    };
    let nth = |end: &str, at: usize| {
        named(end).get(at).cloned().unwrap_or_else(|| panic!("no {end} {at} in {touched:#?}"))
    };
    let points = [
        Point::Request(1),
        Point::Request(2),
        Point::Request(3),
        Point::At(nth(".ask.json", 0)),
        Point::At(nth(".answer.json", 0)),
        Point::At(nth(".ask.json", 3)),
        Point::At(nth(".answer.json", 3)),
        Point::At(nth("extracted/ferry/card-", 0)),
        Point::At(nth("extracted/ferry/sentences/card-", 0)),
        Point::At(nth("runs/r", 0)),
        Point::At(nth("/issued.json", 0)),
        Point::At(nth(".xlsx", 0)),
        Point::At(nth("/report.html", 0)),
    ];
    for point in points {
        let project = Project::new(&site());
        copy_files(bulk.path(), project.path());
        project.day.set(1);
        project.site.switch_to("two").unwrap();
        kill_at(&project, &point);
        let status = project.command(&["status"]).output().unwrap();
        let status: Value = serde_json::from_slice(&status.stdout).unwrap();
        assert_eq!(status["last_run"]["kind"], "update", "{point:?}: {status}");
        assert!(status["last_run"]["ended"].is_null(), "{point:?}: {status}");
        let verified = project.command(&["verify"]).output().unwrap();
        assert_eq!(verified.status.code(), Some(0), "{point:?}: what is there holds");
        // The same day again.
        project.day.set(1);
        let update = project.run("update");
        assert_eq!(update.number("/items/waiting"), 0, "{point:?}: {}", update.summary);
        assert_eq!(update.number("/changes/removed_candidates"), 1, "{point:?}");
        let found = lasting(&project);
        let all = wanted.keys().chain(found.keys());
        let differing: Vec<_> = all.filter(|it| found.get(*it) != wanted.get(*it)).collect();
        assert!(differing.is_empty(), "{point:?}: {differing:#?}\n{}", update.notes);
        assert_eq!(
            issued_rows(project.path(), &update),
            shown,
            "{point:?}: the client sees it all"
        );
        let verified = project.command(&["verify"]).output().unwrap();
        assert_eq!(verified.status.code(), Some(0), "{point:?}");
    }
}

/// Runs an update of the second day and kills it at the point.
fn kill_at(project: &Project, point: &Point) {
    let (told, hears) = channel();
    match point {
        Point::Request(n) => {
            let (n, place, seen) = (*n, project.site.address(), AtomicUsize::new(0));
            let held = serve(move |_| {
                if seen.fetch_add(1, Ordering::SeqCst) + 1 < n {
                    return Answer::From(place);
                }
                let _ = told.send(());
                Answer::Silence
            });
            let place = format!("ferry.example={held}");
            kill_when_told(project.line("update", &["--connect-to", &place]), &hears, point);
        }
        Point::At(file) => {
            let path = project.path().join(file);
            let old = fs::read(&path).ok();
            // What looks at the file waits for somebody who writes into the pipe.
            make_pipe(&path);
            let at = path.clone();
            thread::spawn(move || {
                let writer = fs::OpenOptions::new().write(true).open(at);
                let _ = told.send(());
                // Held open, so that the reader sees no end.
                thread::park_timeout(Duration::from_secs(600));
                drop(writer);
            });
            kill_when_told(project.line("update", &[]), &hears, point);
            fs::remove_file(&path).unwrap();
            if let Some(old) = old {
                fs::File::create(&path).unwrap().write_all(&old).unwrap();
            }
        }
    }
}

fn make_pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    if path.exists() {
        fs::remove_file(path).unwrap();
    }
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success(), "{path:?}");
}

/// Waits for the word, or for an end that must not be, and kills the process.
fn kill_when_told(mut command: Command, hears: &Receiver<()>, point: &Point) {
    let mut child: Child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while hears.recv_timeout(Duration::from_millis(20)).is_err() {
        if let Some(status) = child.try_wait().unwrap() {
            panic!("{point:?}: the update ended ({status}) and never came there");
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
