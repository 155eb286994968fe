//! A run that is told to end while a slow provider is at work. Real processes, loopback.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::asks::provider::Play;
use crate::asks::{KEY, by_rules, claims, for_project, point, run_with_key, with_model, words_of};
use crate::run::{Project, number, summary};

/// Answers given before the provider becomes slow.
const GIVEN: usize = 5;

/// Calls that are held until the test lets them go.
#[derive(Default)]
struct Held {
    count: AtomicUsize,
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Held {
    fn wait(&self) {
        self.count.fetch_add(1, Ordering::SeqCst);
        let open = self.is_open.lock().unwrap();
        drop(self.opened.wait_while(open, |it| !*it).unwrap());
    }

    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

fn answers(project: &Project) -> BTreeSet<String> {
    let files = project.files("asks").into_keys().map(|it| it.display().to_string());
    files.filter(|it| it.ends_with(".answer.json")).collect()
}

/// Looks again and again; only a run that never gets there makes it give up.
fn wait_until(what: &str, is_time: impl Fn() -> bool) {
    for _ in 0..60_000 {
        if is_time() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{what}: it never came to that");
}

/// The provider answers nothing more until the run has ended, so a run that waits for it does not end
/// as this wants: its calls time out, and it ends as failed.
fn told_to_end_by(signal: &str) {
    let held: Arc<Held> = Arc::default();
    let gate = Arc::clone(&held);
    let (slow, root) = for_project(move |root, seen| {
        if seen.number >= GIVEN {
            gate.wait();
            return Play::Silence(Duration::ZERO);
        }
        by_rules(root, seen)
    });
    let project = with_model(&slow, "");
    root.set(project.path().to_owned()).unwrap();
    let place = format!("harbour.example={}", project.site.address());
    let child = project
        .command(&["run", "harbour-en", "--connect-to", &place])
        .env("MOCK_KEY", KEY)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("all that is answered is on file, and calls are in flight", || {
        answers(&project).len() == GIVEN && held.count.load(Ordering::SeqCst) > 0
    });
    let process = child.id().to_string();
    assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{signal}: {}", words_of(&output));
    for words in ["stopped after", "is kept", "run again to go on"] {
        assert!(words_of(&output).contains(words), "{signal}: {}", words_of(&output));
    }
    let kept = answers(&project);
    assert_eq!(kept.len(), GIVEN);
    held.open();

    let (well, root) = for_project(by_rules);
    root.set(project.path().to_owned()).unwrap();
    point(&project, &well, "");
    let output = run_with_key(&project, &[]);
    let told = summary(&output);
    assert_eq!(output.status.code(), Some(3), "{}", words_of(&output));
    assert_eq!(number(&told, "/items/waiting"), 0, "{told}");
    let asked_before: Vec<String> =
        slow.seen()[..GIVEN].iter().map(|it| it.mark().to_owned()).collect();
    assert!(well.seen().iter().all(|it| !asked_before.contains(&it.mark().to_owned())));
    assert!(answers(&project).is_superset(&kept));
    let wanted = Project::new();
    wanted.run(&["harbour-en"]);
    assert_eq!(claims(&project), claims(&wanted));
}

#[test]
fn a_run_that_is_interrupted_gives_up_slow_calls_keeps_every_answer_and_is_gone_on_with() {
    told_to_end_by("-INT");
}

#[test]
fn a_run_that_is_terminated_ends_as_one_that_is_interrupted() {
    told_to_end_by("-TERM");
}

#[test]
fn a_run_that_is_killed_finds_every_answer_that_was_on_record_and_asks_it_never_again() {
    let wanted = Project::new();
    wanted.run(&["harbour-en"]);
    let wanted = claims(&wanted);
    for on_file in [3, 25] {
        let (provider, root) = for_project(by_rules);
        let project = with_model(&provider, "");
        root.set(project.path().to_owned()).unwrap();
        let place = format!("harbour.example={}", project.site.address());
        let mut child = project
            .command(&["run", "harbour-en", "--connect-to", &place])
            .env("MOCK_KEY", KEY)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_until("so many answers are on file", || answers(&project).len() >= on_file);
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = answers(&project);

        let (well, root) = for_project(by_rules);
        root.set(project.path().to_owned()).unwrap();
        point(&project, &well, "");
        let told = summary(&run_with_key(&project, &["--no-crawl"]));
        assert_eq!(number(&told, "/items/waiting"), 0, "{told}");
        for seen in well.seen() {
            let is_asked_again = kept.iter().any(|it| it.contains(seen.mark()));
            assert!(!is_asked_again, "{} was on file", seen.mark());
        }
        assert_eq!(claims(&project), wanted, "killed with {on_file} answers on file");
        let verified = project.command(&["verify"]).output().unwrap();
        assert_eq!(verified.status.code(), Some(0), "{}", words_of(&verified));
        let beside = project.files("extracted").into_keys();
        assert_eq!(beside.filter(|it| it.extension().is_some_and(|it| it == "tmp")).count(), 0);
    }
}
