//! The scalar engine, in the memory of one process.

use std::io::{self, Read, Write};

use super::cell::Scale;
use super::frontier::{MARK_WORD, Marked};
use super::outbox::Outboxes;
use super::parallel::sweep_marks_parallel;
use super::rules::ScalarRules;
use super::run::Part;
use super::storage::Storage;
use crate::rules::Predecessors;
use crate::solve::course::{Engine, Kind, Solved, Watch};
use crate::solve::error::SolveError;
use crate::solve::histogram::Tally;
use crate::solve::pending::{Day, PendingEvents};
use crate::solve::solution::Solution;
use crate::solve::solver::{Solvable, Solver, Thresholds};
use crate::threads;

/// The scalar engine solves every game with backward moves.
impl<G: Predecessors> Solvable for &G {
    /// This leaves out two things that are unknown before the solve. If exits decide states of a word at a level,
    /// they take three to six bytes in most games. If distances are too long for a cell, they take one more byte a state.
    fn memory_needed(self, solver: &Solver<'_>) -> u64 {
        memory_needed(self, solver)
    }

    fn solve(self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solve(self, solver)
    }
}

fn memory_needed(game: &dyn ScalarRules, solver: &Solver<'_>) -> u64 {
    let threads = solver.threads_used();
    let how = How::new(game, threads, solver.thresholds);
    let scale = Scale::new(game.degree_max(threads > 1), solver.distances);
    bytes(game.states(), how, scale, 0)
}

fn solve(game: &dyn ScalarRules, solver: Solver<'_>) -> Result<Solution, SolveError> {
    solver.in_pool(|solver, threads| {
        let how = How::new(game, threads, solver.thresholds);
        let scale = Scale::new(game.degree_max(threads > 1), solver.distances);
        let states = game.states();
        let engine = || {
            let run = Part::new(0..states, scale, how.thresholds);
            Scalar { game, how, run, outboxes: how.outboxes(states) }
        };
        let solved = solver.run(bytes(states, how, scale, 0), engine)?;
        let Solved { engine, histogram, bytes } = solved;
        Ok(Solution::new(Box::new(engine.run.storage), histogram, bytes))
    })
}

/// The settings of a solve.
#[derive(Clone, Copy)]
struct How {
    /// How many states a part has, if there are several parts.
    part_len: Option<usize>,
    thresholds: Thresholds,
}

/// How many bytes a solve takes when states settle at `level`, without exits.
fn bytes(states: u64, how: How, scale: Scale, level: u32) -> u64 {
    let Thresholds { queue_max, outbox_updates, .. } = how.thresholds;
    let queues = 2 * queue_max as u64 * 8;
    let parts = how.part_len.map_or(0, |len| states.div_ceil(len as u64));
    let outboxes = parts.saturating_mul(outbox_updates as u64 * 4);
    Storage::bytes(states, scale, level).saturating_add(queues + outboxes)
}

impl How {
    /// Chooses so many parts that no thread waits long for another, but so few that most moves stay inside a part.
    /// If many moves would leave their part, and all cells fit in the cache of a thread, there is one part. Then
    /// one thread is faster than two threads that exchange updates.
    fn new(game: &dyn ScalarRules, threads: usize, thresholds: Thresholds) -> How {
        const PARTS_PER_THREAD: u64 = 16;
        let states = game.states();
        let parts = threads as u64 * PARTS_PER_THREAD;
        let len = states.div_ceil(parts) as usize;
        let len = len.next_power_of_two().clamp(thresholds.part_states, 1 << 31);
        let shared = threads > 1
            && states > len as u64
            && (states > thresholds.cached_states || !game.strays(len as u64));
        How { part_len: shared.then_some(len.next_multiple_of(MARK_WORD)), thresholds }
    }

    /// The outboxes of each part.
    fn outboxes(self, states: u64) -> Vec<Outboxes> {
        let Some(len) = self.part_len.map(|len| len as u64) else { return Vec::new() };
        let parts = states.div_ceil(len) as usize;
        (0..parts).map(|_| Outboxes::new(parts, len, self.thresholds.outbox_updates)).collect()
    }
}

/// The engine: a run of all states, divided into parts if threads share the work.
struct Scalar<'g> {
    game: &'g dyn ScalarRules,
    how: How,
    run: Part,
    /// The updates from each part for other parts.
    outboxes: Vec<Outboxes>,
}

impl Engine for Scalar<'_> {
    fn kind(&self) -> Kind {
        self.run.storage.scale.kind(*b"scalar 2")
    }

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn bytes(&self, level: u32) -> u64 {
        bytes(self.states(), self.how, self.run.storage.scale, level)
    }

    fn seed(
        &mut self,
        pending: &mut PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        /// How many states a thread seeds at a time, and how many times before the solver reports progress.
        const RUN_LEN: usize = 1 << 18;
        const RUNS_PER_THREAD: usize = 8;
        let Scalar { game, run, .. } = self;
        let Part { storage, found: all, .. } = run;
        let (degree_max, mut done) = (storage.scale.degree_max, 0);
        let mut parts: Vec<_> = storage.parts(RUN_LEN, 0).map(|(part, _)| part).collect();
        for wave in parts.chunks_mut(RUNS_PER_THREAD * threads::count()) {
            let seeded = threads::map_of(wave, |_, part| {
                let (mut found, mut pending) = (Marked::default(), PendingEvents::default());
                game.seed(part, degree_max, &mut found, &mut pending);
                (found, pending)
            });
            let (found, events): (Vec<_>, Vec<_>) = seeded.into_iter().unzip();
            found.iter().for_each(|found| all.marked.0 += found.0);
            pending.append(events);
            done += wave.iter().map(|part| part.len() as u64).sum::<u64>();
            watch.tell(done)?;
        }
        Ok(run.close(&Day::default()))
    }

    fn settle(
        &mut self,
        level: u32,
        pending: &PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        // Often enough for a progress bar, rarely enough to cost nothing.
        const WORDS_BETWEEN_TELLING: usize = 256;
        let Scalar { game, how, run, outboxes } = self;
        run.begin(level);
        match how.part_len {
            Some(len) if run.frontier.is_marked() => {
                let Part { storage, found, thresholds, .. } = run;
                let found = &mut found.marked;
                sweep_marks_parallel(
                    *game, storage, level, len, outboxes, thresholds, found, watch,
                )?;
            }
            _ => {
                while !game.sweep_words(run, WORDS_BETWEEN_TELLING) {
                    watch.tell(run.found.tally().total())?;
                }
            }
        }
        Ok(run.close(pending.day(level)))
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.run.write(to)
    }

    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
        self.run.read(level, from).map(Some)
    }
}
