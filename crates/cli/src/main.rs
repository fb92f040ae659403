//! The program `retrograde`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    retrograde_cli::main()
}
