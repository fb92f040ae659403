//! `retrograde certificate`: a proof of one value, which anyone can check without a table or a solver.

use std::io::Write;

use clap::Args;
use retrograde_regions::{Certificate, CertificateError};

use crate::commands::examples;
use crate::source::begun::Begun;
use crate::source::parameters::shared;
use crate::source::wrong::failed;
use crate::term::failure::Failure;
use crate::term::file::ToFile;

/// Write a proof of the value of a position, which anyone can check by the rules alone
#[derive(Args)]
#[command(after_help = examples::CERTIFICATE, mut_args = shared)]
pub(crate) struct Prove {
    #[command(flatten)]
    begun: Begun,
    #[command(flatten)]
    to: ToFile,
}

/// A certificate of more rows is too large to pass on.
const ROWS_MAX: usize = 1_000_000;

impl Prove {
    /// Solves the game and writes the proof.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let (oracle, start, read) = self.begun.solved(&self.to)?;
        let oracle = &oracle;
        let certificate =
            Certificate::new(oracle, &start, ROWS_MAX).map_err(|error| match error {
                CertificateError::Oracle(error) => failed(error),
                error => Failure::Input(error.to_string()),
            })?;
        self.to.write(out, read.as_deref(), |out| Ok(write!(out, "{certificate}")?))
    }
}
