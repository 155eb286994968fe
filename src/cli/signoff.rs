//! `signoff FILE`: the client's returned sheet.

use crate::cli::args::{SignoffArgs, SourceArgs};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open};
use crate::pipeline::client::signing::{Returned, SigningError, sign_off};
use crate::pipeline::lock::ProjectLock;
use crate::signoff::ledger::exit_code;
use crate::signoff::receipt::receipt_text;

/// Takes the file in and says what was understood.
pub fn signoff(args: &SignoffArgs, context: &mut Context<'_>) -> Exit {
    let all = SourceArgs { sources: vec![], connect_to: vec![] };
    let opened = match open(&all, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let lock = ProjectLock::take(opened.project.root(), std::process::id());
    if let Err(error) = &lock {
        return context.complain(Exit::Usage, error);
    }
    let returned = Returned { file: &args.file, by: args.by.as_deref(), now: context.now };
    match sign_off(&opened.project, &opened.sources, returned) {
        Ok(report) => {
            let mut human = receipt_text(&report.receipt);
            human.push_str(&format!("{} rows approved by now\n", report.approved));
            for file in &report.written {
                human.push_str(&format!("wrote {file}\n"));
            }
            let told = context.tell(&report, &human);
            match (told, exit_code(&report.receipt)) {
                (Exit::Done, 0) => Exit::Done,
                (Exit::Done, 3) => Exit::Waits,
                (Exit::Done, _) => Exit::Unverified,
                (told, _) => told,
            }
        }
        Err(SigningError::Run(error)) => fail(&error, context),
        Err(error @ (SigningError::File { .. } | SigningError::Sheet { .. })) => {
            context.complain(Exit::Usage, &error)
        }
        Err(error @ SigningError::Follow(_)) => context.complain(Exit::Fault, &error),
        Err(error) => context.complain(Exit::Unverified, &error),
    }
}
