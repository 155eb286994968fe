//! What every command is given: options, time, and where words go.

use std::io::Write;

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::args::{Format, Global};
use crate::cli::exit::Exit;

/// The surroundings of one command.
pub struct Context<'a> {
    pub global: &'a Global,
    /// Now, or the time that was given for it.
    pub now: Timestamp,
    /// stdout: the result alone.
    pub out: &'a mut dyn Write,
    /// stderr: complaints and remarks.
    pub err: &'a mut dyn Write,
}

impl Context<'_> {
    /// Writes the result in the wanted form. `human` ends with a line break.
    pub fn tell<T: Serialize>(&mut self, json: &T, human: &str) -> Exit {
        let text = match self.global.format {
            Format::Human => human.to_owned(),
            Format::Json => match serde_json::to_string(json) {
                Ok(text) => text + "\n",
                Err(error) => return self.complain(Exit::Fault, &error),
            },
        };
        match self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()) {
            Ok(()) => Exit::Done,
            // Nobody reads any more (`| head`): that is the reader's choice.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Done,
            Err(error) => self.complain(Exit::Fault, &error),
        }
    }

    /// Writes a complaint and gives the exit code back.
    pub fn complain(&mut self, exit: Exit, error: &dyn std::fmt::Display) -> Exit {
        let _ = writeln!(self.err, "countersign: {error}");
        exit
    }

    /// Writes a remark unless quiet is asked for.
    pub fn remark(&mut self, line: &str) {
        if !self.global.quiet {
            let _ = writeln!(self.err, "{line}");
        }
    }
}
