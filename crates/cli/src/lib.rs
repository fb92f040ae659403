//! The program `retrograde`: solves two-player games and shows the solutions.
//!
//! [`main`] is the program. [`OnRanks`] is the same for its commands `solve` and `build` on several ranks, for the program
//! `retrograde-mpi`.
//!
//! Results go to standard output, everything else to standard error. `term::failure` has the exit codes.
#![forbid(unsafe_code)]

mod commands;
mod on_ranks;
mod report;
#[cfg(test)]
mod shapes;
mod source;
mod term;

use std::env;
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;

use clap::{CommandFactory, Parser, Subcommand};
use retrograde_catalog::stack_limit;

#[cfg(feature = "man")]
use crate::commands::man;
use crate::commands::{
    board, build, certificate, completions, examples, games, info, line, list, picture, play,
    probe, rules, serve, solve, uci, verify,
};
use crate::source::parameters::name_first;
use crate::term::colour::ColourArg;
use crate::term::failure::Failure;
use crate::term::outlet::outlet;
use crate::term::{progress, stop};

pub use crate::on_ranks::OnRanks;

/// What `--version` says: also from which commit, for which target and with which features the program was built.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\n", env!("RETROGRADE_BUILD"));

/// Solves two-player games on graphs with cycles: who wins, who loses, what is drawn, and in how
/// many moves.
#[derive(Parser)]
#[command(name = "retrograde", version, long_version = LONG_VERSION, after_help = examples::ALL)]
struct Program {
    #[command(flatten)]
    colour: ColourArg,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Solve),
    Line(line::Line),
    Play(Box<play::Play>),
    Picture(Box<picture::Picture>),
    Verify(verify::Verify),
    Certificate(certificate::Prove),
    List(list::List),
    Info(Box<info::Info>),
    Probe(probe::ProbeTable),
    Build(build::Build),
    Serve(serve::Serve),
    Rules(rules::Rules),
    Uci(uci::Uci),
    Games(games::Games),
    Board(board::Board),
    Completions(completions::Completions),
    #[cfg(feature = "man")]
    #[command(hide = true)]
    Man(man::ManPages),
}

/// Runs the program.
pub fn main() -> ExitCode {
    on_large_stack(run)
}

/// Runs `work` on a thread with a large stack, unless this one has one.
fn on_large_stack(work: fn() -> ExitCode) -> ExitCode {
    /// A large stack, whatever the shell allows. Code on the first thread starts faster, and has the best
    /// heap of the allocator.
    const STACK_BYTES: usize = 8 << 20;
    if stack_limit().is_some_and(|limit| limit >= STACK_BYTES as u64) {
        return work();
    }
    let thread = thread::Builder::new().name("main".to_owned()).stack_size(STACK_BYTES);
    match thread.spawn(work) {
        Ok(running) => running.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => work(),
    }
}

fn run() -> ExitCode {
    let words = name_first(&Program::command(), env::args_os().collect());
    let program = Program::parse_from(words);
    program.colour.set();
    // A build or a verification counts even if its report is not read.
    let goes_on = matches!(program.command, Command::Build(_) | Command::Verify(_));
    let mut out = outlet(io::stdout().lock(), goes_on);
    let launched = on_ranks::launched(&|name| env::var(name).ok());
    let done = match program.command {
        Command::Solve(_) | Command::Build(_) if launched.is_some() => {
            Err(Failure::Usage(launched.unwrap_or_default()))
        }
        Command::Solve(solve) => solve.run(None, &mut out),
        Command::Line(line) => line.run(&mut out),
        Command::Play(play) => play.run(&mut out),
        Command::Picture(picture) => picture.run(&mut out),
        Command::Verify(verify) => verify.run(&mut out),
        Command::Certificate(prove) => prove.run(&mut out),
        Command::List(list) => list.run(&mut out),
        Command::Info(info) => info.run(&mut out),
        Command::Probe(probe) => probe.run(&mut out),
        Command::Build(build) => build.run(None, &mut out),
        Command::Serve(serve) => serve.run(),
        Command::Rules(rules) => rules.run(&mut out),
        Command::Uci(uci) => uci.run(&mut out),
        Command::Games(games) => games.run(&mut out),
        Command::Board(board) => board.run(&mut out),
        Command::Completions(completions) => completions.run(Program::command(), &mut out),
        #[cfg(feature = "man")]
        Command::Man(man) => man.run(Program::command()),
    };
    let done = done.and_then(|()| out.flush().map_err(Failure::from));
    // The stopped command has removed its unfinished files by now.
    stop::end();
    match done {
        Ok(()) => {
            drop(progress::apart());
            ExitCode::SUCCESS
        }
        Err(failure) => {
            // The buffer is useless after an error, and writing it would fail again.
            out.forget();
            failure.report()
        }
    }
}
