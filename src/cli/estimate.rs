//! `estimate [SOURCE…]`: what a run over the last editions would ask and cost.

use crate::cli::args::EstimateArgs;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open, with_surroundings};
use crate::cli::words::estimate_words;
use crate::pipeline::run::{RunRequest, estimate_run};

/// Prints the estimate.
pub fn estimate(args: &EstimateArgs, context: &mut Context<'_>) -> Exit {
    let opened = match open(&args.sources, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request =
        RunRequest { sources: opened.sources, config: opened.config, ..RunRequest::default() };
    let project = &opened.project;
    let outcome = with_surroundings(context, project, |around| {
        std::future::ready(estimate_run(project, &request, around))
    });
    match outcome {
        Ok(estimate) => context.tell(&estimate, &estimate_words(&estimate)),
        Err(error) => fail(&error, context),
    }
}
