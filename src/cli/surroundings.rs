//! `completions` and `man`: what a packager wants, made from the arguments themselves.

use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;

use crate::cli::args::{Cli, CompletionsArgs, ManArgs};
use crate::pipeline::written::{WriteError, write_checked};

/// Writes the completions of a shell.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_completions(args: &CompletionsArgs, out: &mut dyn Write) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "countersign", &mut script);
    out.write_all(&script)
}

/// Writes one page for the program and one for each command; returns how many.
///
/// # Errors
/// When a file cannot be written.
pub fn write_man_pages(args: &ManArgs) -> Result<usize, WriteError> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut count = write_page(&args.dir, "countersign", command.clone())?;
    for sub in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        count += write_page(&args.dir, &format!("countersign-{}", sub.get_name()), sub.clone())?;
    }
    Ok(count)
}

fn write_page(dir: &Path, name: &str, command: clap::Command) -> Result<usize, WriteError> {
    let path = dir.join(format!("{name}.1"));
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .title(name.to_uppercase())
        .render(&mut page)
        .map_err(|source| WriteError::Io { path: path.display().to_string(), source })?;
    write_checked(&path, &page)?;
    Ok(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_man_page_and_completions() {
        let dir = tempfile::tempdir().unwrap();
        let count = write_man_pages(&ManArgs { dir: dir.path().to_owned() }).unwrap();
        let commands = Cli::command().get_subcommands().count();
        assert_eq!(count, commands + 1);
        let page = std::fs::read_to_string(dir.path().join("countersign-gate.1")).unwrap();
        assert!(page.contains("text"), "{page}");
        let mut script = Vec::new();
        let args = CompletionsArgs { shell: clap_complete::Shell::Bash };
        write_completions(&args, &mut script).unwrap();
        assert!(String::from_utf8(script).unwrap().contains("countersign"));
    }
}
