//! From the command line to an exit code. Decides nothing but which command it is.

use std::io::Write;

use clap::Parser;
use jiff::Timestamp;

use crate::cli::args::{Cli, Command};
use crate::cli::asks::asks;
use crate::cli::context::Context;
use crate::cli::crawl::crawl;
use crate::cli::demo::demo;
use crate::cli::diff::diff;
use crate::cli::doctor::doctor;
use crate::cli::estimate::estimate;
use crate::cli::exit::Exit;
use crate::cli::export::export;
use crate::cli::gate::run_gate;
use crate::cli::init::init;
use crate::cli::look::{status, why};
use crate::cli::papers::{report, sheet};
use crate::cli::run::run;
use crate::cli::scoring::score;
use crate::cli::signoff::signoff;
use crate::cli::surroundings::{write_completions, write_man_pages};
use crate::cli::trial::trial;
use crate::cli::verify::{bundle, verify};
use crate::pipeline::run::RunKind;

/// Runs the program as typed and gives its exit code.
pub fn start() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Done };
        }
    };
    let (mut out, mut err) = (std::io::stdout().lock(), std::io::stderr());
    let now = match cli.global.now.as_deref().map(str::parse::<Timestamp>) {
        None => Timestamp::now(),
        Some(Ok(now)) => now,
        Some(Err(error)) => {
            let _ = writeln!(
                err,
                "countersign: --now: expected a time like 2026-01-05T00:00:00Z: {error}"
            );
            return Exit::Usage;
        }
    };
    let mut context = Context { global: &cli.global, now, out: &mut out, err: &mut err };
    dispatch(&cli.command, &mut context)
}

fn dispatch(command: &Command, context: &mut Context<'_>) -> Exit {
    match command {
        Command::Init(args) => init(args, context),
        Command::Demo(args) => demo(args, context),
        Command::Crawl(args) => crawl(args, context),
        Command::Estimate(args) => estimate(args, context),
        Command::Run(args) => run(args, RunKind::Bulk, context),
        Command::Update(args) => run(args, RunKind::Update, context),
        Command::Diff(args) => diff(args, context),
        Command::Asks(args) => asks(args, context),
        Command::Status => status(context),
        Command::Why(args) => why(args, context),
        Command::Verify(args) => verify(args, context),
        Command::Bundle(args) => bundle(args, context),
        Command::Doctor => doctor(context),
        Command::Sheet(args) => sheet(args.out.as_deref(), context),
        Command::Signoff(args) => signoff(args, context),
        Command::Report(args) => report(args.out.as_deref(), context),
        Command::Score(args) => score(args, context),
        Command::Export(args) => export(args, context),
        Command::Trial(args) => trial(args, context),
        Command::Gate(args) => run_gate(args, context.global.format, context.out, context.err),
        Command::Completions(args) => match write_completions(args, context.out) {
            Ok(()) => Exit::Done,
            Err(error) => context.complain(Exit::Fault, &error),
        },
        Command::Man(args) => match write_man_pages(args) {
            Ok(count) => {
                context.remark(&format!("{count} man pages in {}", args.dir.display()));
                Exit::Done
            }
            Err(error) => context.complain(Exit::Fault, &error),
        },
    }
}
