//! Solves a game 64 states at a time, with a store or together with other processes.

use super::own::OwnWords;
use super::share::{Share, Shared, WordExchange};
use super::store::LogStore;
use super::stored::Stored;
use super::stored_shards::{BitsPlace, StoredShards};
use super::window::WindowEngine;
use super::window_plan::WindowPlan;
use crate::rules::{BitParallel, ByWords};
use crate::solve::course::Solved;
use crate::solve::error::SolveError;
use crate::solve::histogram::Histogram;
use crate::solve::solver::Solver;
use crate::threads;
use crate::words::arrays::{Arrays, bytes_of, list_bytes_of_all};
use crate::words::blocks::Blocks;
use crate::words::distances::Memory;
use crate::words::engine::{parts_most, run};
use crate::words::planes::Planes;
use crate::words::residence::Residence;
use crate::words::solution::WordSolution;

impl<G: BitParallel> ByWords<'_, G> {
    /// Solves the game with two or three bits a state. The log of distances goes to a store, and the solution reads it from there. Exits
    /// go there too. If the bits exceed the memory limit, and the game [allows it](ByWords::plan_window), they go there, too.
    ///
    /// ```
    /// # use std::{collections::HashMap, io, sync::Mutex};
    /// use retrograde::bit_parallel::{ByWords, LogStore};
    /// use retrograde::{Probe, Solver};
    /// # use retrograde::adapters::Explicit;
    /// # use retrograde::bit_parallel::BitParallel;
    ///
    /// /// A store in memory. A file does as well: block `n` begins at `n * LOG_BLOCK_BYTES`.
    /// #[derive(Default)]
    /// struct Blocks(Mutex<HashMap<u64, Vec<u8>>>);
    ///
    /// impl LogStore for Blocks {
    ///     fn write_block(&self, number: u64, block: &[u8]) -> io::Result<()> {
    ///         self.0.lock().expect("no thread panics").insert(number, block.to_vec());
    ///         Ok(())
    ///     }
    ///     fn read_block(&self, number: u64, block: &mut [u8]) -> io::Result<()> {
    ///         block.copy_from_slice(&self.0.lock().expect("no thread panics")[&number]);
    ///         Ok(())
    ///     }
    ///     fn sync(&self) -> io::Result<()> {
    ///         Ok(()) // A file calls `sync_all`.
    ///     }
    /// }
    ///
    /// # fn show(game: &impl BitParallel) -> Result<(), Box<dyn std::error::Error>> {
    /// let logged = ByWords(game).solve_in(Solver::new(), Box::new(Blocks::default()))?;
    /// assert_eq!(logged.probe(0)?, retrograde::solve(game).value(0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn solve_in(
        self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Result<WordSolution, SolveError> {
        solver.in_pool(|solver, threads| self.solve_stored(solver, threads, store))
    }

    /// Solves the game together with other processes. The solution answers for the states of this process, and for no others. Its
    /// histogram is the one of all states. The log of distances is in memory if there is no store. The solve uses the threads of rayon's
    /// current pool, or the calling thread if the solver has [one thread](Solver::threads).
    ///
    /// [`memory_max`](Solver::memory_max) limits the memory of this process. The solver knows the number of words of other
    /// processes that it needs only after it has seeded its own.
    pub fn solve_share(
        self,
        solver: Solver<'_>,
        store: Option<Box<dyn LogStore>>,
        (share, exchange): (&Share, &mut dyn WordExchange),
    ) -> Result<WordSolution, SolveError> {
        // The exchange stays on the calling thread, so this does not move into a pool.
        let threads = solver.threads_used();
        let run = || self.solve_own(solver, threads, store, (share, exchange));
        if threads == 1 { threads::on_this_thread(run) } else { run() }
    }

    fn solve_stored(
        self,
        solver: Solver<'_>,
        threads: usize,
        store: Box<dyn LogStore>,
    ) -> Result<WordSolution, SolveError> {
        let ByWords(game) = self;
        let (states, blocks) = (game.states(), Blocks::whole_game(game, &solver));
        let needed = self.memory_needed_in(&solver);
        // The compiler leaves the engine out if the game cannot use it.
        if G::CHECKS_WINS
            && needed > solver.choices().memory_max
            && let Some(plan) = self.plan_window(&solver)
        {
            let engine = WindowEngine::new(game, plan, &solver, threads, store);
            let Solved { engine, histogram, bytes } = solver.run(plan.memory, || engine)?;
            let bits = BitsPlace::Store(engine.bits);
            return Ok(stored_solution(states, bits, engine.stored, histogram, bytes));
        }
        let mut stored = Stored::new(solver.distances, &blocks, store, true);
        let arrays = || Arrays::new::<G>(blocks.clone());
        let (known, histogram, bytes) =
            run(game, solver, threads, (needed, &blocks), arrays, &mut stored)?;
        Ok(stored_solution(states, BitsPlace::Memory(known), stored, histogram, bytes))
    }

    fn solve_own(
        self,
        solver: Solver<'_>,
        threads: usize,
        store: Option<Box<dyn LogStore>>,
        (share, exchange): (&Share, &mut dyn WordExchange),
    ) -> Result<WordSolution, SolveError> {
        let (game, blocks) = (OwnWords::new(self.0, share), share.blocks());
        let needed = self.memory_needed_share(&solver, store.is_some(), (share, 0));
        // A snapshot of several processes is divided among other numbers of them, so its events must be in it.
        let takes_events = !solver.takes_snapshots();
        let mut own = match store {
            None => Own::Memory(Memory::new(solver.distances, &blocks)),
            Some(store) => Own::Stored(Stored::new(solver.distances, &blocks, store, takes_events)),
        };
        let residence: &mut dyn Residence = match &mut own {
            Own::Memory(memory) => memory,
            Own::Stored(stored) => stored,
        };
        let mut shared = Shared::new(&game, share, exchange, residence);
        let arrays = || share.arrays::<G>();
        let (known, histogram, bytes) =
            run(&game, solver, threads, (needed, &blocks), arrays, &mut shared)?;
        let states = self.0.states();
        Ok(match own {
            Own::Memory(memory) => WordSolution::in_memory(states, known, memory, histogram, bytes),
            Own::Stored(stored) => {
                stored_solution(states, BitsPlace::Memory(known), stored, histogram, bytes)
            }
        })
    }

    /// How many bytes of memory [`solve_in`](ByWords::solve_in) will take. If the game has exits, they take one more bit a state, and
    /// up to 16 KiB for each distance of an exit.
    pub fn memory_needed_in(self, solver: &Solver<'_>) -> u64 {
        self.needed(solver, true, None)
    }

    /// How many bytes of memory [`solve_share`](ByWords::solve_share) will take, with a store or without. The moves of the share lead to
    /// some number of words of other processes. For exits see [`memory_needed_in`](ByWords::memory_needed_in).
    pub fn memory_needed_share(
        self,
        solver: &Solver<'_>,
        stored: bool,
        (share, words): (&Share, u64),
    ) -> u64 {
        self.needed(solver, stored, Some((share, words)))
    }

    fn needed(self, solver: &Solver<'_>, stored: bool, share: Option<(&Share, u64)>) -> u64 {
        let (blocks, shared) = match share {
            None => (Blocks::whole_game(self.0, solver), 0),
            Some((share, words)) => (share.blocks(), share.shared_bytes(words)),
        };
        let words = blocks.len() as u64;
        let distances = match (solver.distances, stored) {
            (false, _) => 0,
            (true, false) => Planes::bytes(words, 0),
            (true, true) => Stored::bytes_beside(words, blocks.shard_words),
        };
        bytes_of::<G>(words) + shared + distances
    }

    /// How many bytes of memory are enough for a solve with a store or without, if the game has no exits, and each state that the rules decide is won or lost in 0. This includes the longest lists of a level.
    pub fn memory_enough_in(self, solver: &Solver<'_>, stored: bool) -> u64 {
        let blocks = Blocks::whole_game(self.0, solver);
        let parts = parts_most(&blocks, solver.threads_used(), solver.thresholds);
        let lists = list_bytes_of_all(parts, blocks.len() as u64);
        self.needed(solver, stored, None) + lists
    }

    /// How [`solve_in`](ByWords::solve_in) works with a store if the bits exceed the memory limit of the solver. `None` if
    /// they must be in memory. A window needs moves that lead to near words, no exits, and `CHECKS_WINS`.
    pub fn plan_window(self, solver: &Solver<'_>) -> Option<WindowPlan> {
        WindowPlan::new(self.0, solver)
    }
}

/// The distances of a process that solves its share.
enum Own {
    Memory(Memory),
    Stored(Stored),
}

/// A solution whose distances are in a store.
fn stored_solution(
    states: u64,
    bits: BitsPlace,
    stored: Stored,
    histogram: Histogram,
    bytes: u64,
) -> WordSolution {
    let (shape, has) = ((states, stored.shard_words), stored.has_distances());
    let shards = Box::new(StoredShards::new(bits, stored));
    WordSolution::new(shape, has, shards, histogram, bytes)
}
