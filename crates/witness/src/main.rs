//! The program `retrograde-witness`: it proves every value of a table, or names the wrong one.
//!
//! Proofs go to standard output, everything else to standard error. The exit code is 0 for a proof, 1 for a
//! wrong or unreadable table, 2 for wrong arguments.
#![forbid(unsafe_code)]

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Parser, ValueHint};
use retrograde::counted;
use retrograde_games::bytes;
use retrograde_witness::{Options, Proved, Refusal, tables, witness};

/// Proves every value of a table from the rules of its game, by code that shares nothing with the solver
///
/// A win must have a move to a loss one ply shorter, and none to a shorter loss. A loss must have only moves
/// to wins, the longest one ply shorter. A draw must have a move to a draw and none to a loss. What the rules
/// decide must be so, and every position must have a state. The program names the first wrong position. It
/// knows all games of the program. For a described game it reads the text of the table.
#[derive(Parser)]
#[command(name = "retrograde-witness", version, after_help = EXAMPLES)]
struct Arguments {
    /// Tables, folders of them, or URLs of tables, which the program `curl` reads
    #[arg(value_name = "TABLE|DIR|URL", required = true, value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// How much memory the values may take, like 1GiB or 64M
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = bytes)]
    memory: u64,
    /// How many threads to use, up to 1024 [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Looks at about so many positions of each table, chosen at random. That is no proof
    #[arg(long, value_name = "POSITIONS", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Prints no progress
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  # a table
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde-witness board.table
  # a described game
  retrograde solve achi --out achi.table
  retrograde-witness achi.table
  # chess endgames: each, with the values of those it leads to
  retrograde build chess KQvKR --out endgames
  retrograde-witness endgames
  # morris, whole
  retrograde build morris --men 6 --out morris
  retrograde-witness morris
  # one endgame, in less memory
  retrograde-witness endgames/KQvKR.table --memory 32MiB
  # a table on a web server
  retrograde-witness https://example.org/endgames/KQvKR.table
  # a look at a table that is too large to be proved
  retrograde-witness endgames/KRNvKNN.table --sample 100000
";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(refusal) => {
            let _ = write!(io::stderr(), "{}", plain(&format!("error: {refusal}\n")));
            ExitCode::FAILURE
        }
    }
}

impl Arguments {
    fn run(&self) -> Result<(), Refusal> {
        for path in &self.paths {
            for table in tables(path)? {
                self.prove(&table)?;
            }
        }
        Ok(())
    }

    fn prove(&self, path: &Path) -> Result<(), Refusal> {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(cores, usize::from);
        let options =
            Options { memory: self.memory, threads, sample: self.sample, ..Options::default() };
        let watched = !self.quiet && io::stderr().is_terminal();
        let proved = thread::scope(|scope| {
            let (over, told) = mpsc::channel::<()>();
            let options = &options;
            if watched {
                // If no thread can be started, there is no progress.
                drop(
                    thread::Builder::new().spawn_scoped(scope, move || watch(path, options, &told)),
                );
            }
            let proved = witness(path, options);
            drop(over);
            proved
        });
        let Proved { positions, moves, distances, share } = proved?;
        let (positions, moves) = (counted(positions, "position"), counted(moves, "move"));
        let what = match (distances, self.sample) {
            (true, None) => "every value proved".to_owned(),
            (false, None) => {
                "no value contradicts its moves; without distances that is not a proof".to_owned()
            }
            (_, Some(_)) => format!(
                "no value contradicts its moves; a sample of {}% of the states is not a proof",
                figures(100.0 * share)
            ),
        };
        // A write error is ignored: the check of the other tables goes on.
        let path = path.display();
        let told = format!("OK: {path}: {positions}, {moves}, {what}\n");
        let _ = write!(io::stdout(), "{}", plain(&told));
        Ok(())
    }
}

/// A number with two digits that count.
fn figures(number: f64) -> String {
    let digits = (1.0 - number.max(1e-12).log10().floor()).max(0.0) as usize;
    format!("{number:.digits$}")
}

/// Shows the progress of the proof, after one second, until it is over.
fn watch(path: &Path, options: &Options, over: &mpsc::Receiver<()>) {
    let (began, mut pause) = (Instant::now(), Duration::from_secs(1));
    while over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let [told, of] = options.progress.each_ref().map(|count| count.load(Relaxed));
        let name = plain(&path.file_name().unwrap_or_default().to_string_lossy());
        let (share, seconds) = (100 * told / of.max(1), began.elapsed().as_secs());
        let _ = write!(io::stderr(), "\r{name} {share}% proved, {seconds}s\x1b[K");
        pause = Duration::from_millis(200);
    }
    let _ = write!(io::stderr(), "\r\x1b[K");
}

/// Escapes control characters: a file or a table may hold anything, and must not control the terminal.
fn plain(text: &str) -> String {
    let letters = text.chars().map(|letter| match letter {
        '\n' | '\t' => letter.to_string(),
        control if control.is_control() => format!("\\u{:04x}", u32::from(control)),
        letter => letter.to_string(),
    });
    letters.collect()
}
