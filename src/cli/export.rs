//! `export --as FORM`: the approved rows, each with the decision it rests on.

use crate::cli::args::{ExportArgs, ExportForm, SourceArgs};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open};
use crate::pipeline::client::signing::{SigningError, approved_today};
use crate::pipeline::wiring::existing_ledger;
use crate::signoff::export::{
    approved_annotations, approved_csv, approved_jsonl, approved_parquet,
};

/// Writes the approved rows to stdout.
pub fn export(args: &ExportArgs, context: &mut Context<'_>) -> Exit {
    let all = SourceArgs { sources: vec![], connect_to: vec![] };
    let opened = match open(&all, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let approved = match approved_today(&opened.project, &opened.sources) {
        Ok(approved) => approved,
        Err(SigningError::Run(error)) => return fail(&error, context),
        Err(error) => return context.complain(Exit::Unverified, &error),
    };
    let project = match existing_ledger(&opened.project) {
        Ok(ledger) => ledger.project_uuid().to_owned(),
        Err(error) => return fail(&error.into(), context),
    };
    let bytes = match args.form {
        ExportForm::Jsonl => approved_jsonl(&approved).into_bytes(),
        ExportForm::Csv => approved_csv(&approved).into_bytes(),
        ExportForm::Parquet => approved_parquet(&project, &approved),
        ExportForm::Annotations => approved_annotations(&project, &approved).into_bytes(),
    };
    if let Err(error) = context.out.write_all(&bytes) {
        return context.complain(Exit::Fault, &error);
    }
    if approved.is_empty() { Exit::NothingDone } else { Exit::Done }
}
