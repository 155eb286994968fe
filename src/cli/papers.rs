//! `sheet` and `report`: the last run's papers, made again from the record.

use std::path::Path;

use crate::cli::args::SourceArgs;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::run::{fail, open};
use crate::pipeline::papers::again::papers_again;
use crate::pipeline::papers::outputs::Papers;
use crate::pipeline::written::write_checked;

/// `sheet [--out FILE]`.
pub fn sheet(out: Option<&Path>, context: &mut Context<'_>) -> Exit {
    again(out, context, |it| &it.sheet)
}

/// `report [--out FILE]`.
pub fn report(out: Option<&Path>, context: &mut Context<'_>) -> Exit {
    again(out, context, |it| &it.report)
}

fn again(out: Option<&Path>, context: &mut Context<'_>, pick: fn(&Papers) -> &String) -> Exit {
    let all = SourceArgs { sources: vec![], connect_to: vec![] };
    let opened = match open(&all, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let papers = match papers_again(&opened.project, &opened.sources) {
        Ok(papers) => papers,
        Err(error) => return fail(&error, context),
    };
    let mut path = opened.project.root().join(pick(&papers));
    if let Some(out) = out {
        let copied = std::fs::read(&path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| write_checked(out, &bytes).map_err(|error| error.to_string()));
        if let Err(error) = copied {
            return context.complain(Exit::Fault, &error);
        }
        path = out.to_owned();
    }
    let shown = path.display().to_string();
    context.tell(&shown, &format!("{shown}\n"))
}
