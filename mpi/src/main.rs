//! The program `retrograde-mpi`: the commands `solve` and `build` of `retrograde` on several ranks.
//!
//! The thread that initialised MPI makes all calls of MPI ([`serve`](serve::serve)). The command runs on another thread, and asks
//! it for exchanges. So this rank answers the others while it computes.
#![forbid(unsafe_code)]

mod serve;

use std::env;
use std::process::{ExitCode, exit};
use std::sync::mpsc::channel;
use std::thread;

use mpi::Threading;
use mpi::traits::Communicator;
use retrograde_cli::OnRanks;
use retrograde_cluster::Together;

use crate::serve::{Link, Task, serve};

/// The stack of the thread that runs the command.
const STACK_BYTES: usize = 8 << 20;

fn main() -> ExitCode {
    let program = match OnRanks::read(env::args_os(), is_first()) {
        Ok(program) => program,
        Err(status) => return status,
    };
    let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("error: MPI is initialised already");
        return ExitCode::from(3);
    };
    let world = universe.world();
    if threading < Threading::Funneled {
        eprintln!(
            "error: this MPI library allows no threads ({threading:?}); retrograde-mpi needs MPI_THREAD_FUNNELED"
        );
        world.abort(3);
    }
    let (rank, ranks) = (world.rank() as usize, world.size() as usize);
    let beside = world.split_shared(world.rank()).size() as usize;
    let (ask, asked) = channel();
    let (answer, answers) = channel();
    let together = Together::new(Link::new((rank, ranks), ask.clone(), answers), beside);
    let (work, stall) = (together.work(), program.stall());
    let command = move || {
        // A panic of the command drops this, and the other thread hears that it has ended.
        let ended = program.run(&together);
        let _ = ask.send(Task::Ended(ended.err().unwrap_or_default()));
    };
    let thread = thread::Builder::new().name("command".to_owned()).stack_size(STACK_BYTES);
    let running = match thread.spawn(command) {
        Ok(running) => running,
        Err(error) => {
            eprintln!("error: rank {rank}: no thread can be started: {error}");
            world.abort(3);
        }
    };
    match serve(&world, &asked, &answer, &work, stall) {
        Ok(()) => {}
        Err(status) => world.abort(i32::from(status)),
    }
    let _ = running.join();
    drop(universe);
    exit(0)
}

/// Whether this is the first rank, as far as the launcher says before MPI is initialised.
fn is_first() -> bool {
    let ranks = ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"];
    let rank = ranks.into_iter().find_map(|name| env::var(name).ok());
    rank.is_none_or(|rank| rank == "0")
}
