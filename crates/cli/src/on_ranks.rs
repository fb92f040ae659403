//! The commands `solve` and `build` on several ranks: what `retrograde-mpi` runs. It reads the arguments before it joins the
//! others, so an error in them ends all ranks at once, and the first one tells it.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use retrograde_catalog::Ranks;

use crate::LONG_VERSION;
use crate::commands::{build, solve};
use crate::source::checkpoint::Every;
use crate::source::parameters::name_first;
use crate::term::colour::ColourArg;
use crate::term::failure::Failure;
use crate::term::outlet::outlet;
use crate::term::progress::note;
use crate::term::stop;

/// The arguments of a command on several ranks.
#[derive(Parser)]
#[command(name = "retrograde-mpi", version, long_version = LONG_VERSION,
    about = "Solves a game on several ranks, which MPI connects: `mpirun -n 4 retrograde-mpi solve ...`")]
pub struct OnRanks {
    #[command(flatten)]
    colour: ColourArg,
    /// How long the solve of a rank may make no progress before the others end the job
    #[arg(long, value_name = "TIME", default_value = "10m", global = true, hide = true)]
    stall: Every,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Solve),
    Build(build::Build),
}

impl OnRanks {
    /// Reads the arguments. All ranks have the same, so only the first one tells what is wrong.
    pub fn read(
        words: impl IntoIterator<Item = OsString>,
        is_first: bool,
    ) -> Result<OnRanks, ExitCode> {
        let words = name_first(&OnRanks::command(), words.into_iter().collect());
        let error = match OnRanks::try_parse_from(words) {
            Ok(program) => {
                program.colour.set();
                return Ok(program);
            }
            Err(error) => error,
        };
        let shown = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
        let status = if shown { ExitCode::SUCCESS } else { ExitCode::from(2) };
        if is_first {
            drop(error.print());
        }
        Err(status)
    }

    /// How long the solve of a rank may make no progress.
    pub fn stall(&self) -> Duration {
        self.stall.time()
    }

    /// Runs the command as one of the ranks. Returns the status if the command fails here: then the caller ends all ranks.
    pub fn run(self, ranks: &dyn Ranks) -> Result<(), u8> {
        let (rank, command) = (ranks.rank(), self.command);
        let mut out: Box<dyn Write> = match rank {
            0 => Box::new(outlet(io::stdout().lock(), matches!(command, Command::Build(_)))),
            _ => Box::new(io::sink()),
        };
        let done = match command {
            Command::Solve(mut solve) => {
                solve.hush_unless(rank == 0);
                solve.run(Some(ranks), &mut *out)
            }
            Command::Build(mut build) => {
                build.hush_unless(rank == 0);
                build.run(Some(ranks), &mut *out)
            }
        };
        let done = done.and_then(|()| out.flush().map_err(Failure::from));
        stop::end();
        let Err(failure) = done else { return Ok(()) };
        let status = failure.status();
        if status == 0 {
            return Ok(());
        }
        if rank > 0 {
            // What is wrong in all ranks, the first one tells, and all end.
            sleep(Duration::from_millis(500));
            note(&format!("error: rank {rank}: {}", failure.message()));
        } else {
            let _ = failure.report();
        }
        Err(status)
    }
}

/// Why `retrograde` itself must not solve, if a launcher has started several copies of it.
pub(crate) fn launched(variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let number = |name: &str| variable(name).and_then(|text| text.parse::<usize>().ok());
    // Under SLURM, several builders of one folder are tasks of one step. So its own count of tasks says nothing.
    let count = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"].into_iter().filter_map(number).max()?;
    (count > 1).then(|| {
        format!(
            "a launcher has started {count} copies of `retrograde`, which would all do the same work; start `retrograde-mpi` \
             in its place, with the same arguments, to share it"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_a_launcher_started_are_refused() {
        let with = |name: &'static str, value: &'static str| {
            launched(&move |asked| (asked == name).then(|| value.to_owned()))
        };
        for name in ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"] {
            assert!(with(name, "4").is_some_and(|said| said.contains("4 copies")), "{name}");
            assert_eq!(with(name, "1"), None);
        }
        // Builders of one folder, under SLURM without MPI.
        assert_eq!(with("SLURM_NTASKS", "4"), None);
    }
}
