//! `estimate [SOURCE…]`: what a run over the last editions would ask and cost.

use std::path::Path;

use crate::cli::args::EstimateArgs;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open, with_surroundings};
use crate::cli::words::estimate_words;
use crate::pipeline::money::quote::{Quote, QuoteError};
use crate::pipeline::money::quote_paper::{quote_text, quote_workbook};
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::run::{RunRequest, estimate_run, quote_run};
use crate::pipeline::written::write_checked;

/// Prints the estimate.
pub fn estimate(args: &EstimateArgs, context: &mut Context<'_>) -> Exit {
    let opened = match open(&args.sources, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let request = RunRequest {
        sources: opened.sources,
        config: opened.config,
        in_batches: args.batch,
        ..RunRequest::default()
    };
    let project = &opened.project;
    if let Some(file) = &args.quote {
        return quote(&opened.project, &request, file, context);
    }
    let outcome = with_surroundings(context, project, |around| {
        std::future::ready(estimate_run(project, &request, around))
    });
    match outcome {
        Ok(estimate) => context.tell(&estimate, &estimate_words(&estimate)),
        Err(error) => fail(&error, context),
    }
}

/// Writes the quote beside the given name, as text and as a workbook.
fn quote(
    project: &ProjectPaths,
    request: &RunRequest,
    file: &Path,
    context: &mut Context<'_>,
) -> Exit {
    let outcome = with_surroundings(context, project, |around| {
        std::future::ready(quote_run(project, request, around))
    });
    let (estimate, quote) = match outcome {
        Ok(made) => made,
        Err(error) => return fail(&error, context),
    };
    if let Err(error) = write_quote(&quote, file) {
        return context.complain(Exit::Fault, &error);
    }
    let human = format!(
        "{}Quote {} in {} and {}\n",
        estimate_words(&estimate),
        quote.id,
        file.with_extension("txt").display(),
        file.with_extension("xlsx").display()
    );
    context.tell(&quote, &human)
}

fn write_quote(quote: &Quote, file: &Path) -> Result<(), QuoteError> {
    write_checked(&file.with_extension("txt"), quote_text(quote).as_bytes())?;
    write_checked(&file.with_extension("xlsx"), &quote_workbook(quote)?)?;
    Ok(())
}
