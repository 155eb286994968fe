//! The `countersign` program: hands its arguments to the library and ends with its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(countersign::cli::start::start().code())
}
