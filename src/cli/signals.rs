//! Ctrl-C and the word of a system that a program is to end: the first asks the work to stop, a second
//! ends the process.
//!
//! A thread of its own listens, so that no work, however long it computes or waits for a disk, keeps a
//! second signal from being heard. Every file is written beside its place and renamed, so none is ever
//! left half written.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::cli::exit::Exit;
use crate::pipeline::progress::{Progress, Stop};

const FIRST: &str = "stopping: nothing more is asked, and what was answered is put on record; once more (Ctrl-C) ends at once";
const SECOND: &str = "countersign: ended at once; what was on record stays, run again to go on";

/// How long the last words may take where nobody reads them.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How often a question to a person looks whether a stop is asked for.
const LOOKS_UP: Duration = Duration::from_millis(50);

/// Listens from now on until the process ends.
///
/// # Errors
/// When the system gives no thread, or does not let signals be heard.
pub fn listen(stop: Stop, progress: Arc<dyn Progress>) -> io::Result<()> {
    let (told, is_ready) = channel();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return drop(told.send(Err(error))),
        };
        runtime.block_on(async {
            let mut signals = match Signals::new() {
                Ok(signals) => signals,
                Err(error) => return drop(told.send(Err(error))),
            };
            let _ = told.send(Ok(()));
            if signals.next().await {
                stop.ask();
                progress.note(FIRST);
            }
            if signals.next().await {
                end_at_once();
            }
        });
    })?;
    is_ready.recv().unwrap_or(Ok(()))
}

/// Ends the process whatever its other threads do.
fn end_at_once() -> ! {
    let (told, is_told) = channel();
    // Somebody may hold stderr, and wait for a reader that has gone.
    std::thread::spawn(move || {
        eprintln!("{SECOND}");
        let _ = told.send(());
    });
    let _ = is_told.recv_timeout(LAST_WORDS);
    std::process::exit(i32::from(Exit::Waits.code()))
}

#[cfg(unix)]
struct Signals {
    pressed: tokio::signal::unix::Signal,
    told: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            pressed: signal(SignalKind::interrupt())?,
            told: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next signal; false where none will come any more.
    async fn next(&mut self) -> bool {
        tokio::select! {
            pressed = self.pressed.recv() => pressed.is_some(),
            told = self.told.recv() => told.is_some(),
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> bool {
        tokio::signal::ctrl_c().await.is_ok()
    }
}

/// The line a person types, or `None` where a stop is asked for first, or nothing can be read.
pub fn line_unless_stopped(mut from: impl BufRead + Send + 'static, stop: &Stop) -> Option<String> {
    let (told, typed) = channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = from.read_line(&mut line).ok().filter(|it| *it > 0);
        let _ = told.send(read.map(|_| line));
    });
    loop {
        match typed.recv_timeout(LOOKS_UP) {
            Ok(line) => return line,
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if stop.is_asked() => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal at which nobody types anything.
    struct Nobody;

    impl io::Read for Nobody {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                std::thread::park();
            }
        }
    }

    #[test]
    fn a_question_is_answered_by_a_line_and_given_up_by_a_stop() {
        let stop = Stop::default();
        let typed = line_unless_stopped(io::Cursor::new("是\n"), &stop);
        assert_eq!(typed.as_deref(), Some("是\n"));
        assert_eq!(line_unless_stopped(io::Cursor::new(""), &stop), None);
        stop.ask();
        assert_eq!(line_unless_stopped(io::BufReader::new(Nobody), &stop), None);
    }
}
