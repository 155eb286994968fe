//! `init DIR`: a new project with a commented example.

use crate::cli::args::InitArgs;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::sources::init::{InitError, init_project};

/// Makes the project and says what to do next.
pub fn init(args: &InitArgs, context: &mut Context<'_>) -> Exit {
    match init_project(&args.dir) {
        Ok(report) => {
            let dir = args.dir.display();
            let mut human = format!("A new project in {dir}:\n");
            for file in &report.written {
                human.push_str(&format!("  wrote {file}\n"));
            }
            for file in &report.kept {
                human.push_str(&format!("  kept  {file}, which was there\n"));
            }
            human.push_str(&format!(
                "Next: say in sources/example.toml what to read, then\n  countersign --project {dir} doctor\n  countersign --project {dir} run\n"
            ));
            context.tell(&report, &human)
        }
        Err(error @ (InitError::AlreadyThere { .. } | InitError::NotAFolder { .. })) => {
            context.complain(Exit::Usage, &error)
        }
        Err(error) => context.complain(Exit::Fault, &error),
    }
}
