//! `asks batch submit|status|collect|cancel`: open asks as batches at their providers.

use std::fmt::Write;

use serde::Serialize;

use crate::cli::args::{BatchAction, RunArgs, SourceArgs, SubmitArgs};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open, run, with_surroundings};
use crate::pipeline::rounds::batch_record::{BatchRecord, Stage};
use crate::pipeline::rounds::batches::Batches;
use crate::pipeline::run::{RunKind, unless_stopped};

/// One batch, as shown.
#[derive(Serialize)]
struct Shown<'a> {
    batch: &'a str,
    stage: Stage,
    status: &'a str,
    step: &'static str,
    provider: &'static str,
    provider_id: Option<&'a str>,
    model: &'a str,
    began: &'a str,
    asks: usize,
    answered: usize,
    failed: usize,
}

/// Runs the command.
pub fn batches(action: &BatchAction, context: &mut Context<'_>) -> Exit {
    if let BatchAction::Submit(args) = action {
        return submit(args, context);
    }
    let none = SourceArgs { sources: Vec::new(), connect_to: Vec::new() };
    let opened = match open(&none, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let (project, config) = (&opened.project, &opened.config);
    match action {
        // Handed on above: a run opens the project itself.
        BatchAction::Submit(_) => Exit::Usage,
        BatchAction::Status => {
            let environment = std::collections::BTreeMap::new();
            match Batches::of(project, config, &environment).records() {
                Ok(records) => tell(&records, context),
                Err(error) => fail(&error.into(), context),
            }
        }
        BatchAction::Collect => {
            let outcome = with_surroundings(context, project, |around| async move {
                let batches = Batches::of(project, config, around.environment);
                unless_stopped(around, async { Ok(batches.take_in().await?) }).await
            });
            match outcome {
                Ok(taken) => {
                    for note in &taken.notes {
                        context.remark(&format!("look at   {note}"));
                    }
                    let told = tell(&taken.records, context);
                    for trouble in &taken.troubles {
                        context.complain(Exit::OutsideFailed, trouble);
                    }
                    if taken.troubles.is_empty() { told } else { Exit::OutsideFailed }
                }
                Err(error) => fail(&error, context),
            }
        }
        BatchAction::Cancel { id } => {
            let outcome = with_surroundings(context, project, |around| async move {
                let batches = Batches::of(project, config, around.environment);
                unless_stopped(around, async { Ok(batches.cancel(id).await?) }).await
            });
            match outcome {
                Ok(Some(Ok(status))) => context.tell(&status, &format!("{id}: {status}\n")),
                Ok(Some(Err(error))) => context.complain(Exit::OutsideFailed, &error),
                Ok(None) => {
                    let error = format!(
                        "there is no open batch {id} at a provider; see `asks batch status`"
                    );
                    context.complain(Exit::Usage, &error)
                }
                Err(error) => fail(&error, context),
            }
        }
    }
}

/// A run over the last edition whose open asks are handed in: estimate, approval, budget and what has
/// come back are a run's, so there is one way that spends money and not two.
fn submit(args: &SubmitArgs, context: &mut Context<'_>) -> Exit {
    let SourceArgs { sources, connect_to } = &args.sources;
    let args = RunArgs {
        sources: SourceArgs { sources: sources.clone(), connect_to: connect_to.clone() },
        no_crawl: true,
        max_cost: args.max_cost,
        accept_quote: args.accept_quote.clone(),
        batch: true,
    };
    run(&args, RunKind::Bulk, context)
}

/// Lists the batches; something waits while one is open.
fn tell(records: &[BatchRecord], context: &mut Context<'_>) -> Exit {
    let shown: Vec<Shown<'_>> = records
        .iter()
        .map(|it| Shown {
            batch: &it.id,
            stage: it.stage,
            status: &it.status,
            step: it.step.as_str(),
            provider: it.dialect.as_str(),
            provider_id: it.provider_id.as_deref(),
            model: &it.model,
            began: &it.began,
            asks: it.asks.len(),
            answered: it.answered.len(),
            failed: it.failed.len(),
        })
        .collect();
    let open = records.iter().filter(|it| it.is_open()).count();
    let mut human = format!("{} batches, {open} open\n", records.len());
    for it in &shown {
        let _ = writeln!(
            human,
            "{}  {} {}  {}  {} asks, {} answered, {} open again  {}",
            it.batch, it.step, it.model, it.began, it.asks, it.answered, it.failed, it.status
        );
    }
    match (context.tell(&shown, &human), open, records.len()) {
        (Exit::Done, 0, 0) => Exit::NothingDone,
        (Exit::Done, 0, _) => Exit::Done,
        (Exit::Done, ..) => Exit::Waits,
        (told, ..) => told,
    }
}
