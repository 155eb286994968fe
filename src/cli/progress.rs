//! Progress on stderr: one bar for the part at work, one line that stays for each part that is over.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::pipeline::progress::Progress;

/// Bars on a terminal, plain lines elsewhere, nothing where quiet is asked for.
#[derive(Debug)]
pub struct TerminalProgress {
    bar: Mutex<Option<ProgressBar>>,
    bars_are_wanted: bool,
    lines_are_wanted: bool,
}

impl TerminalProgress {
    /// `bars`: draw bars if stderr is a terminal; `lines`: write the lines that stay.
    pub fn new(bars: bool, lines: bool) -> Self {
        Self { bar: Mutex::new(None), bars_are_wanted: bars && lines, lines_are_wanted: lines }
    }

    fn with_bar(&self, act: impl FnOnce(&ProgressBar)) {
        if let Ok(bar) = self.bar.lock()
            && let Some(bar) = bar.as_ref()
        {
            act(bar);
        }
    }

    fn print(&self, line: &str) {
        if !self.lines_are_wanted {
            return;
        }
        let mut is_printed = false;
        self.with_bar(|bar| {
            if !bar.is_hidden() {
                bar.println(line);
                is_printed = true;
            }
        });
        if !is_printed {
            eprintln!("{line}");
        }
    }
}

impl Progress for TerminalProgress {
    fn begin(&self, part: &str, total: Option<u64>) {
        if !self.bars_are_wanted {
            return;
        }
        let (bar, template) = match total {
            Some(total) => (
                ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()),
                "{prefix:>9} [{bar:28}] {pos}/{len} {per_sec} {eta} {wide_msg}",
            ),
            None => (
                ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
                "{prefix:>9} {spinner} {pos} {per_sec} {wide_msg}",
            ),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(part.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        if let Ok(mut place) = self.bar.lock() {
            *place = Some(bar);
        }
    }

    fn advance(&self, done: u64, words: &str) {
        self.with_bar(|bar| {
            bar.set_position(done);
            bar.set_message(words.to_owned());
        });
    }

    fn end(&self, line: &str) {
        if let Ok(mut place) = self.bar.lock()
            && let Some(bar) = place.take()
        {
            bar.finish_and_clear();
        }
        self.print(line);
    }

    fn note(&self, line: &str) {
        self.print(line);
    }
}
