//! `verify` and `bundle`: the proof of a project or a bundle, and the bundle itself.

use std::fmt::Write;
use std::path::Path;

use crate::cli::args::{BundleArgs, SourceArgs, VerifyArgs};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open};
use crate::model::row::RowRecord;
use crate::model::sheet::Matter;
use crate::pipeline::client::signing::{SigningError, approved_today, issue_of_run};
use crate::pipeline::history::standing::{find_row, rows_on_record};
use crate::pipeline::page::candidate::is_live;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::proof::bundle::{BundleProof, PackError, pack, verify_bundle};
use crate::pipeline::proof::verify::{ProjectProof, verify_project};
use crate::pipeline::written::write_checked;

/// `verify [FILE]`.
pub fn verify(args: &VerifyArgs, context: &mut Context<'_>) -> Exit {
    if let Some(file) = &args.file {
        return verify_file(file, context);
    }
    let project = match ProjectPaths::find(&context.global.project) {
        Ok(project) => project,
        Err(error) => return context.complain(Exit::Usage, &error),
    };
    match verify_project(&project) {
        Ok(proof) => {
            let told = context.tell(&proof, &proof_words(&proof));
            match (told, proof.faults.is_empty()) {
                (Exit::Done, true) if proof.files == 0 => Exit::NothingDone,
                (Exit::Done, false) => Exit::Unverified,
                (told, _) => told,
            }
        }
        Err(error) => fail(&error, context),
    }
}

fn verify_file(file: &Path, context: &mut Context<'_>) -> Exit {
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            return context.complain(Exit::Usage, &format!("{}: {error}", file.display()));
        }
    };
    match verify_bundle(&bytes) {
        Ok(proof) => {
            let told = context.tell(&proof, &bundle_words(&proof));
            match (told, proof.faults.is_empty()) {
                (Exit::Done, true) if proof.rows == 0 => Exit::NothingDone,
                (Exit::Done, false) => Exit::Unverified,
                (told, _) => told,
            }
        }
        Err(error) => context.complain(Exit::Unverified, &format!("{}: {error}", file.display())),
    }
}

/// `bundle FILE`.
pub fn bundle(args: &BundleArgs, context: &mut Context<'_>) -> Exit {
    let all = SourceArgs { sources: vec![], connect_to: vec![] };
    let opened = match open(&all, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let run = args.run.clone().unwrap_or_default();
    let rows = match wanted_rows(args, &opened.project, &opened.sources) {
        Ok(rows) => rows,
        Err(Wanted::Run(error)) => return fail(&error, context),
        Err(Wanted::Other(exit, words)) => return context.complain(exit, &words),
    };
    let bytes = match pack(&opened.project, &opened.sources, (&run, &rows)) {
        Ok(bytes) => bytes,
        Err(PackError::Run(error)) => return fail(&error, context),
        Err(error @ PackError::NoRows) => return context.complain(Exit::NothingDone, &error),
        Err(error @ PackError::Evidence { .. }) => {
            return context.complain(Exit::Unverified, &error);
        }
        Err(error @ PackError::Bundle(_)) => return context.complain(Exit::Fault, &error),
    };
    // What is handed to somebody else is verified as they will do it.
    let proof = match verify_bundle(&bytes) {
        Ok(proof) => proof,
        Err(error) => return context.complain(Exit::Fault, &error),
    };
    if let Err(error) = write_checked(&args.file, &bytes) {
        return context.complain(Exit::Fault, &error);
    }
    let shown = args.file.display();
    let told = context.tell(&proof, &format!("{}wrote {shown}\n", bundle_words(&proof)));
    if told == Exit::Done && !proof.faults.is_empty() { Exit::Unverified } else { told }
}

enum Wanted {
    Run(crate::pipeline::failure::RunError),
    Other(Exit, String),
}

fn wanted_rows(
    args: &BundleArgs,
    project: &ProjectPaths,
    sources: &[crate::model::source::Source],
) -> Result<Vec<RowRecord>, Wanted> {
    let signing = |error: SigningError| match error {
        SigningError::Run(error) => Wanted::Run(error),
        other => Wanted::Other(Exit::Unverified, other.to_string()),
    };
    if args.approved {
        let approved = approved_today(project, sources).map_err(signing)?;
        // A corrected row is packed as it was read; its correction is in its decision.
        let keys: Vec<&str> = approved.iter().map(|it| it.row().key.as_str()).collect();
        let rows = rows_on_record(project, sources).map_err(Wanted::Run)?;
        return Ok(rows.into_iter().filter(|it| keys.contains(&it.key.as_str())).collect());
    }
    if let Some(run) = &args.run {
        let issued = issue_of_run(project, run).map_err(signing)?;
        let rows = issued.rows.into_iter().filter_map(|it| match it.matter {
            Matter::Row(row) if is_live(&row) && !row.ask.is_empty() => Some(row),
            _ => None,
        });
        return Ok(rows.collect());
    }
    if args.rows.is_empty() {
        let rows = rows_on_record(project, sources).map_err(Wanted::Run)?;
        return Ok(rows.into_iter().filter(is_live).collect());
    }
    let mut rows = Vec::new();
    for key in &args.rows {
        match find_row(project, key).map_err(Wanted::Run)? {
            Some(row) => rows.push(row),
            None => {
                let words = format!("no row has the key {key:?}; nothing was packed");
                return Err(Wanted::Other(Exit::NothingDone, words));
            }
        }
    }
    Ok(rows)
}

fn bundle_words(proof: &BundleProof) -> String {
    let mut text = format!(
        "bundle of project {}: {} rows, {} decided, {} signatures checked\n",
        proof.project, proof.rows, proof.decided, proof.signatures
    );
    faults(&mut text, &proof.faults);
    text
}

fn proof_words(proof: &ProjectProof) -> String {
    let mut text = format!(
        "{} evidence files, {} editions, {} rows, {} asks, {} answers checked\n{} sheets, {} signatures, {} decisions checked\n",
        proof.files,
        proof.editions,
        proof.rows,
        proof.asks,
        proof.answers,
        proof.issues,
        proof.signatures,
        proof.decisions
    );
    faults(&mut text, &proof.faults);
    text
}

fn faults(text: &mut String, faults: &[String]) {
    if faults.is_empty() {
        text.push_str("everything holds\n");
    }
    for fault in faults {
        let _ = writeln!(text, "FAULT {fault}");
    }
}
