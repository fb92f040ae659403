//! One rank of a solve: it solves its share, and helps the first rank to write the table.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use retrograde::bit_parallel::LogStore;
use retrograde::parts::Solved;
use retrograde::{Histogram, Progress, SolveError, Solver};
use retrograde_catalog::{Job, JobDone, JobError, JobReport, Task, about, from_about};
use retrograde_disk::LogFile;

use crate::block_partition::BlockPartition;
use crate::engine::{OwnValues, Shard};
use crate::game::{ByName, Game};
use crate::gather::Source;
use crate::hear::Hear;
use crate::keep::{Keeper, Kept, Partition};
use crate::region::with_region;
use crate::share::{Engine, Share};
use crate::shared_words::SharedWords;
use crate::transport::{Supersteps, Transport};

/// Solves the job as one of the ranks.
pub fn solve(
    job: &Job,
    transport: &mut dyn Transport,
    hear: Hear<'_>,
) -> Result<Option<JobDone>, JobError> {
    let place = (transport.rank(), transport.ranks());
    with_game(job, place, |game| solve_game(job, game, transport, hear))?
}

/// Makes the game of a job, for a rank of several, and calls `act` with it.
pub(crate) fn with_game<T>(
    job: &Job,
    place: (usize, usize),
    act: impl FnOnce(&dyn Game) -> T,
) -> Result<T, String> {
    match &job.task {
        Task::Game(game) => {
            let setup = from_about(game, "the job").map_err(|error| error.to_string())?;
            let game = setup.visit(ByName(about(&setup)));
            game.map_err(|error| error.to_string()).map(|game| act(&*game))
        }
        Task::Region { family, region, folder } => {
            let needed = |game: &dyn Game| Share::of(job, place, game).needed();
            let fits = |game: &dyn Game| job.memory.is_none_or(|memory| needed(game) <= memory);
            with_region(family, region, folder, fits, act)
        }
    }
}

fn solve_game(
    job: &Job,
    game: &dyn Game,
    transport: &mut dyn Transport,
    hear: Hear<'_>,
) -> Result<Option<JobDone>, JobError> {
    let place @ (rank, _) = (transport.rank(), transport.ranks());
    let mut share = Share::of(job, place, game);
    let (mut needed, beside) = (share.needed(), share.beside);
    let asked = &AtomicBool::new(false);
    let mut supersteps = Supersteps::new(transport, share.bounds.superstep_bytes);
    let mut solver = Solver::new().threads(job.threads).distances(job.distances);
    let keeper = job.checkpoint.as_ref().map(|checkpoints| {
        let partition = Partition::of(&share.block_partition);
        Keeper::new(checkpoints, rank, identity(job), partition, share.engine.number())
    });
    let keeper = keeper.transpose()?;
    let began = Instant::now();
    if let Some(keeper) = &keeper {
        let told = Kept::told(if rank == 0 { keeper.kept()? } else { None });
        let said = told.map(u64::to_le_bytes);
        let all = supersteps.end(said.as_flattened(), |_| {}).map_err(|error| error.to_string())?;
        let told = all[0].as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number));
        let told: Vec<u64> = told.collect();
        let kept = told.first_chunk().and_then(|told| Kept::of(*told));
        keeper.sweep(kept);
        if let Some(kept) = kept {
            // Longer blocks than those of the checkpoint would need a piece of several parts.
            let block = share.block_partition.block_states().min(kept.partition.block);
            share = Share::like(job, place, game, (kept.engine, block))?;
            keeper.set_partition(Partition::of(&share.block_partition), kept.engine);
            needed = share.needed();
            solver = solver
                .resume(keeper.read(kept, |from, files| share.repartitioned(rank, from, files))?);
        }
    }
    let begun =
        JobReport::Begun { engine: share.engine.name(), reason: share.reason, bytes: needed };
    if hear(begun).is_break() {
        return Err(JobError::Stopped);
    }
    if let Some(memory) = job.memory.filter(|memory| needed > *memory) {
        return Err(refusal(needed, memory).into());
    }
    if let Some(memory) = job.memory {
        solver = solver.memory_max(memory.saturating_sub(beside));
    }
    let saves = keeper.clone();
    solver = solver.progress(progress(hear, keeper.clone(), asked));
    solver = solver.at_level_end(move |snapshot| match &saves {
        // After a failed lookup, what has settled may be wrong. It must not be kept.
        _ if !game.is_sound() => ControlFlow::Break(()),
        Some(keeper) => keeper.at_level_end(snapshot, hear),
        None => ControlFlow::Continue(()),
    });
    let refused = |error| match error {
        SolveError::Memory { needed, limit } => {
            JobError::Failed(refusal(needed + beside, limit + beside))
        }
        SolveError::Cancelled if asked.load(Ordering::Relaxed) => JobError::Stopped,
        SolveError::Cancelled if keeper.as_ref().is_some_and(Keeper::is_stopped) => {
            JobError::Stopped
        }
        error => JobError::Failed(error.to_string()),
    };
    let end = End { job, game, keeper: keeper.as_ref(), began, hear };
    let block_partition = share.block_partition;
    let done = match &share.engine {
        Engine::Scalar(plan) => {
            let parted = game.parted();
            let engine = || Shard::new(&*parted, plan, supersteps, keeper.clone());
            let mut solved = solver.run(share.bytes, engine).map_err(refused)?;
            let Solved { engine, histogram, .. } = &mut solved;
            let traffic = (engine.sent_bytes(), engine.evenness());
            let (values, supersteps) = engine.values();
            let solution = Solution { values: &values, histogram, traffic };
            end.write(supersteps, block_partition, &solution)?
        }
        Engine::BitParallel(words) => {
            let mut shared = SharedWords::new(block_partition, supersteps, keeper.clone());
            let store = job.disk.as_deref().map(log_file).transpose()?;
            let solved = game.solve_share(solver, words, &mut shared, store).map_err(refused)?;
            let traffic = (shared.sent_bytes(), shared.evenness());
            let solution = Solution { values: &solved, histogram: solved.histogram(), traffic };
            end.write(shared.supersteps(), block_partition, &solution)?
        }
    };
    if let (Some(keeper), 0) = (keeper, rank) {
        keeper.remove_folder();
    }
    Ok(done)
}

/// The identity of the solve for its checkpoints, without the engine and the number of ranks. The keys are the names for refusals.
pub(crate) fn identity(job: &Job) -> serde_json::Value {
    let mut work = match &job.task {
        Task::Region { family, region, .. } => {
            serde_json::json!({ "family": family, "region": region })
        }
        Task::Game(about) => {
            let board = about.board.as_ref();
            let board =
                board.map(|board| format!("{:016x}", xxhash_rust::xxh3::xxh3_64(board.as_bytes())));
            serde_json::json!({ "game": about.game, "parameters": about.parameters, "board": board })
        }
    };
    work["version of the program"] = env!("CARGO_PKG_VERSION").into();
    work["distances"] = job.distances.into();
    work
}

/// A file for the log of distances of this rank. It has no name, so nothing is left of it when this process ends.
fn log_file(folder: &Path) -> Result<Box<dyn LogStore>, String> {
    let made = fs::create_dir_all(folder).and_then(|()| LogFile::nameless(folder));
    let file = made.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(Box::new(file))
}

/// What a rank has solved.
struct Solution<'a> {
    values: &'a dyn OwnValues,
    histogram: &'a Histogram,
    /// How many bytes it has sent, and how evenly the ranks have shared the levels.
    traffic: (u64, f64),
}

/// The end of a solve.
struct End<'a> {
    job: &'a Job,
    game: &'a dyn Game,
    keeper: Option<&'a Keeper>,
    began: Instant,
    hear: Hear<'a>,
}

impl End<'_> {
    /// Writes the table with the other ranks, and removes the checkpoint.
    fn write(
        &self,
        supersteps: &mut Supersteps<'_>,
        block_partition: BlockPartition,
        solution: &Solution<'_>,
    ) -> Result<Option<JobDone>, JobError> {
        let End { job, game, keeper, began, hear } = *self;
        let Solution { values, histogram, traffic: (sent, evenness) } = *solution;
        if !game.is_sound() {
            // The code that made the game knows the reason.
            return Err("a table that it needs cannot be read".to_owned().into());
        }
        let seconds = began.elapsed().as_secs_f64();
        let distances = job.distances;
        let source =
            Source { values, supersteps: &mut *supersteps, block_partition, game, distances, hear };
        let written = source.write(&job.out, histogram)?;
        let fault = |error: SolveError| error.to_string();
        if let Some(keeper) = keeper {
            // The first rank removes the manifest before any rank removes the files that it names.
            if supersteps.rank() == 0 {
                keeper.remove();
            }
            supersteps.end(&[], |_| {}).map_err(fault)?;
            keeper.remove();
            supersteps.end(&[], |_| {}).map_err(fault)?;
        }
        let all = supersteps.end(&sent.to_le_bytes(), |_| {}).map_err(fault)?;
        let sent =
            all.iter().filter_map(|said| said.first_chunk()).map(|said| u64::from_le_bytes(*said));
        let sent_bytes = sent.sum();
        Ok(written.map(|written| JobDone { seconds, sent_bytes, evenness, kept: written.kept }))
    }
}

fn refusal(needed: u64, limit: u64) -> String {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let (needed, limit) = (mib(needed), mib(limit));
    format!(
        "each rank needs {needed} MiB of memory and may take {limit} MiB; more ranks need less each, and --no-distance \
         needs less as well"
    )
}

/// Reports progress, at most ten times a second, and the first level in any case. A request to stop waits for the next checkpoint, if there are any.
fn progress<'h>(
    hear: Hear<'h>,
    keeper: Option<Keeper>,
    asked: &'h AtomicBool,
) -> impl FnMut(&Progress) -> ControlFlow<()> + Send + 'h {
    let mut told: Option<(Instant, bool)> = None;
    move |progress| {
        let seeds = progress.level.is_none();
        let is_recent = |(last, seeded): (Instant, bool)| {
            seeded == seeds && last.elapsed() < Duration::from_millis(100)
        };
        if told.is_some_and(is_recent) {
            return ControlFlow::Continue(());
        }
        told = Some((Instant::now(), seeds));
        let heard = hear(JobReport::Solved(*progress));
        match (&keeper, heard) {
            (_, ControlFlow::Continue(())) => heard,
            (Some(keeper), ControlFlow::Break(())) => {
                keeper.ask_to_stop();
                ControlFlow::Continue(())
            }
            (None, ControlFlow::Break(())) => {
                asked.store(true, Ordering::Relaxed);
                heard
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use retrograde::Counts;
    use retrograde::bit_parallel::{LogError, Share as WordShare, WordExchange, WordSolution};
    use retrograde::parts::Parted;
    use retrograde_catalog::{Checkpoints, Keep, Output};
    use retrograde_games::{Setup, Turns};
    use retrograde_table::{About, BestExits, Compression, Rows, Table};

    use super::*;
    use crate::engine::RankValues;
    use crate::threads::BetweenThreads;

    /// A game whose lookups have failed in one of the ranks.
    struct Unsound {
        game: Box<dyn Game>,
        is_sound: bool,
    }

    impl Game for Unsound {
        fn states(&self) -> u64 {
            self.game.states()
        }
        fn grids(&self) -> Vec<Rows> {
            self.game.grids()
        }
        fn turns(&self) -> Option<(Turns, &'static [&'static str])> {
            self.game.turns()
        }
        fn position_counts(&self, values: &RankValues<'_>) -> Result<Option<Counts>, LogError> {
            self.game.position_counts(values)
        }
        fn about(&self, values: &dyn Fn() -> Result<Table, String>) -> Result<About, String> {
            self.game.about(values)
        }
        fn exits<'a>(&'a self, path: &'a Path) -> Option<Box<dyn BestExits + 'a>> {
            self.game.exits(path)
        }
        fn is_sound(&self) -> bool {
            self.is_sound
        }
        fn bytes(&self) -> u64 {
            0
        }
        fn parted(&self) -> Box<dyn Parted + '_> {
            self.game.parted()
        }
        fn memory_needed_share(
            &self,
            solver: &Solver<'_>,
            share: &WordShare,
            ghosts: (u64, bool),
        ) -> Option<u64> {
            self.game.memory_needed_share(solver, share, ghosts)
        }
        fn solve_share(
            &self,
            solver: Solver<'_>,
            share: &WordShare,
            exchange: &mut dyn WordExchange,
            store: Option<Box<dyn LogStore>>,
        ) -> Result<WordSolution, SolveError> {
            self.game.solve_share(solver, share, exchange, store)
        }
    }

    /// A rank whose lookup of an exit failed took a draw for the answer and went on. All ranks kept the level at its end, the
    /// manifest followed, and only then the error came. The next solve went on from there, to a wrong table with right
    /// checksums.
    #[test]
    fn after_a_failed_lookup_in_one_rank_nothing_is_kept() {
        let folder =
            std::env::temp_dir().join(format!("retrograde-unsound-{}", std::process::id()));
        let setup = Setup::parse("take", &[("heaps", "5,6,7"), ("take", "any")], None);
        let setup = setup.expect("arguments that are right");
        for unsound in [0, 1] {
            let job = Job {
                task: Task::Game(Box::new(about(&setup))),
                threads: 1,
                memory: None,
                block: Some(64),
                distances: true,
                engine: None,
                disk: None,
                checkpoint: Some(Checkpoints { folder: folder.clone(), interval: Duration::ZERO }),
                out: Output {
                    path: folder.join("never.table"),
                    replace: false,
                    compression: Compression::Fast,
                    keep: Keep::All,
                },
            };
            let (job, setup) = (&job, &setup);
            std::thread::scope(|scope| {
                for mut transport in BetweenThreads::all(2) {
                    let game = setup.visit(ByName(about(setup))).expect("a game");
                    let game = Unsound { game, is_sound: transport.rank() != unsound };
                    scope.spawn(move || {
                        let hear = |_| ControlFlow::Continue(());
                        let ended = solve_game(job, &game, &mut transport, &hear);
                        assert!(matches!(ended, Err(JobError::Failed(_))), "{ended:?}");
                    });
                }
            });
            let kept = folder.join("cluster.manifest");
            assert!(!kept.exists(), "rank {unsound} kept what may be wrong");
        }
        fs::remove_dir_all(&folder).expect("it was there");
    }
}
