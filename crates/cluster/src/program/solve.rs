//! One process of a solve: it connects to the others, solves its share, and helps the first to write the
//! table.

use std::any::Any;
use std::fs;
use std::io::{self, BufRead};
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use retrograde::bit_parallel::LogStore;
use retrograde::parts::Solved;
use retrograde::{Histogram, Progress, SolveError, Solver};
use retrograde_catalog::{Output, about};
use retrograde_cluster::{
    BlockPartition, OwnValues, Shard, SharedWords, Supersteps, TimelyTransport,
};
use retrograde_disk::LogFile;
use serde_json::json;
use timely_communication::allocator::ProcessBuilder;
use timely_communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely_communication::{Allocator, Hooks};

use crate::game::{ByName, Game};
use crate::gather::Source;
use crate::heartbeat::{Heartbeat, name};
use crate::job::{Job, What};
use crate::keep::{Keeper, Kept, Partition};
use crate::meet::{Met, listen, meet};
use crate::say::say;
use crate::share::{Engine, Share};
use crate::wire::{Traffic, Wire};

/// Solves as one of the processes.
pub(crate) fn run(job: &Job, process: usize, out: &Output) -> Result<(), String> {
    let (listener, hosts) = addresses(job, process)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(job.told.threads).build_global();
    pool.map_err(|error| format!("{} threads cannot be started: {error}", job.told.threads))?;
    crate::end_with_parent();
    let met = meet(listener, &hosts, process, &job.identity(), job.told.timeout())?;
    let Met { updates, heartbeats } = met;
    let network = |error: io::Error| format!("the network cannot be used: {error}");
    let traffic: Vec<Arc<Traffic>> = hosts.iter().map(|_| Arc::default()).collect();
    let heartbeat = Heartbeat::start(heartbeats, (process, &hosts), &traffic, job.told.timeout())
        .map_err(network)?;
    report_panics(&heartbeat);
    let wires = updates.into_iter().zip(&traffic).enumerate().map(|(other, (stream, traffic))| {
        let (name, traffic, heartbeat) =
            (name(other, &hosts), Arc::clone(traffic), heartbeat.clone());
        stream
            .map(|stream| Wire::new(stream, (process, other), name, traffic, heartbeat))
            .transpose()
    });
    let wires = wires.collect::<Result<_, _>>().map_err(network)?;
    let local = ProcessBuilder::new_typed_vector(1, Hooks::default().refill, None);
    let joined = initialize_networking_from_sockets(local, wires, process, 1, Hooks::default());
    let (builders, guard) = joined.map_err(network)?;
    let builder = builders.into_iter().next().ok_or("timely gives no worker")?;
    let timely_transport = TimelyTransport::new(Allocator::Tcp(builder.build()));
    // If this fails, the network stays as it is: closing it would wait for others, who wait for this process.
    let mut network: Network = Some(Box::new(guard));
    let solve = |game: &dyn Game| solve(job, (process, out), game, timely_transport, &mut network);
    let done = with_game(job, process, solve);
    match &done {
        Ok(()) => heartbeat.done(),
        Err(problem) => heartbeat.end(problem),
    }
    done
}

/// Makes the game of a job, for a process, and calls `act` with it.
pub(crate) fn with_game(
    job: &Job,
    process: usize,
    act: impl FnOnce(&dyn Game) -> Result<(), String>,
) -> Result<(), String> {
    match &job.what {
        What::Game(setup) => {
            let game = setup.visit(ByName(about(setup)));
            game.map_err(|error| error.to_string()).and_then(|game| act(&*game))
        }
        What::Region(region) => {
            let needed = |game: &dyn Game| Share::of(job, process, game).needed();
            let fits =
                |game: &dyn Game| job.told.memory.is_none_or(|memory| needed(game) <= memory);
            region.with_game(fits, act).and_then(|done| done)
        }
    }
}

/// The socket of this process, and the addresses of all.
fn addresses(job: &Job, process: usize) -> Result<(TcpListener, Vec<String>), String> {
    if let Some(hosts) = &job.told.hosts {
        let own = hosts.get(process).ok_or_else(|| {
            format!(
                "the hosts file names {} processes, and this is number {process}, counted from 0",
                hosts.len()
            )
        })?;
        return Ok((listen(own)?, hosts.clone()));
    }
    let listener = listen("127.0.0.1:0")?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    say(&json!({ "listens": address.to_string(), "process": process, "pid": std::process::id() }));
    let mut line = String::new();
    let told = io::stdin().lock().read_line(&mut line).map_err(|error| error.to_string())?;
    let hosts: Vec<String> = serde_json::from_str(&line).unwrap_or_default();
    match told > 0 && hosts.len() == job.told.processes {
        true => Ok((listener, hosts)),
        false => Err("the parent process does not say where the other processes are".into()),
    }
}

/// A panic ends this process, and the others with it.
fn report_panics(heartbeat: &Heartbeat) {
    let heartbeat = heartbeat.clone();
    std::panic::set_hook(Box::new(move |panic| heartbeat.end(&panic.to_string())));
}

/// The threads of timely. They end when this is dropped and no other thread sends.
type Network = Option<Box<dyn Any + Send>>;

fn solve(
    job: &Job,
    (process, out): (usize, &Output),
    game: &dyn Game,
    timely_transport: TimelyTransport,
    network: &mut Network,
) -> Result<(), String> {
    let mut share = Share::of(job, process, game);
    let (needed, beside) = (share.needed(), share.beside);
    if process == 0 {
        say(&json!({ "memory": needed, "states": game.states() }));
    }
    let mut supersteps = Supersteps::new(timely_transport);
    let mut solver = Solver::new().threads(job.told.threads).distances(job.told.distances);
    if let Some(memory) = job.told.memory {
        if needed > memory {
            return Err(refusal(needed, memory));
        }
        solver = solver.memory_max(memory.saturating_sub(beside));
    }
    if process == 0 {
        solver = solver.progress(progress());
    }
    let keeper = job.told.checkpoint.as_ref().map(|checkpoints| {
        Keeper::new(checkpoints, process, job.work(), Partition::of(&share.block_partition))
    });
    let keeper = keeper.transpose()?;
    let began = Instant::now();
    if let Some(keeper) = &keeper {
        let told = Kept::told(if process == 0 { keeper.kept()? } else { None });
        let said = told.map(u64::to_le_bytes);
        let all = supersteps.end(said.as_flattened(), |_| {}).map_err(|error| error.to_string())?;
        let told = all[0].as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number));
        let told: Vec<u64> = told.collect();
        let kept = told.first_chunk().and_then(|told| Kept::of(*told));
        keeper.sweep(kept);
        if let Some(kept) = kept {
            // Longer blocks than those of the checkpoint would need a piece of several parts.
            let block = share.block_partition.block_states().min(kept.partition.block);
            share = Share::with_blocks(job, process, game, block);
            keeper.set_partition(Partition::of(&share.block_partition));
            solver = solver.resume(keeper.read(kept, &share)?);
        }
        let keeper = keeper.clone();
        solver = solver.at_level_end(move |snapshot| {
            keeper.at_level_end(snapshot);
            ControlFlow::Continue(())
        });
    }
    let piggyback = keeper.clone();
    let refused = |error| match error {
        SolveError::Memory { needed, limit } => refusal(needed + beside, limit + beside),
        error => error.to_string(),
    };
    let end = End { job, out, game, keeper: keeper.as_ref(), began, beside };
    let block_partition = share.block_partition;
    match &share.engine {
        Engine::Scalar(plan) => {
            let engine = || Shard::new(game.parted(), plan, supersteps, piggyback);
            let mut solved = solver.run(share.bytes, engine).map_err(refused)?;
            let Solved { engine, histogram, bytes } = &mut solved;
            let traffic = (engine.sent_bytes(), engine.evenness());
            let (values, supersteps) = engine.values();
            let solution = Solution { values: &values, histogram, bytes: *bytes, traffic };
            end.write(supersteps, block_partition, &solution)?;
        }
        Engine::BitParallel(words) => {
            let mut shared = SharedWords::new(block_partition, supersteps, piggyback);
            let store = job.told.disk.as_deref().map(log_file).transpose()?;
            let solved = game.solve_share(solver, words, &mut shared, store).map_err(refused)?;
            let traffic = (shared.sent_bytes(), shared.evenness());
            let (histogram, bytes) = (solved.histogram(), solved.bytes());
            let solution = Solution { values: &*solved, histogram, bytes, traffic };
            end.write(shared.supersteps(), block_partition, &solution)?;
        }
    }
    // Data on the way is sent before the process ends. All that counts has been sent: if the network is gone,
    // the wait is as long as for a silent process.
    let (network, (left, has_left)) = (network.take(), mpsc::channel());
    let leave = move || {
        drop(network);
        left.send(())
    };
    drop(thread::Builder::new().spawn(leave));
    let _ = has_left.recv_timeout(job.told.timeout());
    if let (Some(keeper), 0) = (keeper, process) {
        keeper.remove_folder();
    }
    Ok(())
}

/// A file for the log of distances of this process. It has no name, so nothing is left of it when this process ends.
fn log_file(folder: &Path) -> Result<Box<dyn LogStore>, String> {
    let made = fs::create_dir_all(folder).and_then(|()| LogFile::nameless(folder));
    let file = made.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(Box::new(file))
}

/// What a process has solved.
struct Solution<'a> {
    values: &'a dyn OwnValues,
    histogram: &'a Histogram,
    /// The memory of the engine at its peak.
    bytes: u64,
    /// How many bytes it has sent, and how evenly the processes have shared the levels.
    traffic: (u64, f64),
}

/// The end of a solve.
struct End<'a> {
    job: &'a Job,
    out: &'a Output,
    game: &'a dyn Game,
    keeper: Option<&'a Keeper>,
    began: Instant,
    beside: u64,
}

impl End<'_> {
    /// Writes the table with the other processes, removes the checkpoint, and reports.
    fn write(
        &self,
        supersteps: &mut Supersteps<TimelyTransport>,
        block_partition: BlockPartition,
        solution: &Solution<'_>,
    ) -> Result<(), String> {
        let End { job, out, game, keeper, began, beside } = *self;
        let Solution { values, histogram, bytes, traffic: (sent, evenness) } = *solution;
        if !game.is_sound() {
            // The code that made the game knows the reason.
            return Err("a table that it needs cannot be read".to_owned());
        }
        let seconds = began.elapsed().as_secs_f64();
        let distances = job.told.distances;
        let source =
            Source { values, supersteps: &mut *supersteps, block_partition, game, distances };
        let written = source.write(out, histogram)?;
        if let Some(keeper) = keeper {
            // The first process removes the manifest before any process removes the files that it names.
            if supersteps.index() == 0 {
                keeper.remove();
            }
            supersteps.end(&[], |_| {}).map_err(|error| error.to_string())?;
            keeper.remove();
            supersteps.end(&[], |_| {}).map_err(|error| error.to_string())?;
        }
        let all = supersteps.end(&sent.to_le_bytes(), |_| {}).map_err(|error| error.to_string())?;
        let sent =
            all.iter().filter_map(|said| said.first_chunk()).map(|said| u64::from_le_bytes(*said));
        if let Some(written) = written {
            say(&json!({ "done": {
                "seconds": seconds,
                "whole_seconds": began.elapsed().as_secs_f64(),
                "memory": bytes + beside,
                "sent_bytes": sent.sum::<u64>(),
                "evenness": evenness,
                "table_bytes": written.bytes,
                "kept": written.kept,
            }}));
        }
        Ok(())
    }
}

fn refusal(needed: u64, limit: u64) -> String {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let (needed, limit) = (mib(needed), mib(limit));
    format!(
        "each process needs {needed} MiB of memory and may take {limit} MiB; more processes need less each, \
         and --no-distance needs less as well"
    )
}

/// Reports progress, at most ten times a second.
fn progress() -> impl FnMut(&Progress) -> ControlFlow<()> + Send {
    let mut told: Option<Instant> = None;
    move |progress| {
        let Some(level) = progress.level else { return ControlFlow::Continue(()) };
        if told.is_none_or(|told| told.elapsed() >= Duration::from_millis(100)) {
            say(&json!({ "level": level, "settled": progress.done }));
            told = Some(Instant::now());
        }
        ControlFlow::Continue(())
    }
}
