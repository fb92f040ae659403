//! The bit-parallel engine, in the memory of one process.

use std::io::{self, Read, Write};

use super::arrays::{Arrays, bytes_of, put_barred, store_of};
use super::distances::Distances;
use super::inbox::{Outbox, TOP_WORD};
use super::kept::Sets;
use super::known::{self, Known};
use super::level::{Division, list_bytes_of_all};
use super::log::LogStore;
use super::logged::{Bits, LoggedSolution};
use super::own::OwnWords;
use super::planes::Planes;
use super::share::{Settled, Share, WordExchange};
use super::window::WindowEngine;
use super::window_plan::WindowPlan;
use crate::rules::{BitParallel, ByWords, Singles, Value, WordStatus};
use crate::solve::course::{Engine, Solved, Sums, Tally, Watch};
use crate::solve::histogram::Histogram;
use crate::solve::pending::{Event, PendingEvents};
use crate::solve::snapshot::Kind;
use crate::solve::solution::Solution;
use crate::solve::solver::{Solvable, SolveError, Solver};
use crate::solve::thresholds::Thresholds;
use crate::threads;

/// The bit-parallel engine solves a game 64 states at a time.
impl<G: BitParallel> Solvable for ByWords<'_, G> {
    /// This leaves out what is unknown before the solve. Distances of 256 and more take one more bit a state for each
    /// doubling. If exits decide states of a word at a level, they take three to six bytes in most games. If a level
    /// brings both wins and losses, or if a move may keep the turn, what the level settles takes as much for each word.
    fn memory_needed(self, solver: &Solver<'_>) -> u64 {
        let words = self.0.states().div_ceil(64);
        let distances = if solver.distances { Planes::bytes(words, 0) } else { 0 };
        bytes_of::<G>(words) + distances
    }

    fn solve(self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.in_pool(|solver, threads| {
            let needed = solver.memory_needed(self);
            let engine = BitParallelEngine::new_by(self.0, (&solver, needed), threads, None, None)?;
            let Solved { engine, histogram, bytes } = solver.run(needed, engine)?;
            let sets = Sets::new(engine.game.states(), engine.arrays);
            Ok(Solution::new(Box::new(sets), histogram, bytes))
        })
    }
}

impl<G: BitParallel> ByWords<'_, G> {
    /// Solves the game with two bits a state. The log of distances goes to `store`, and the solution reads it
    /// from there. Exits go there too. If the bits exceed the memory limit, and the game
    /// [allows it](ByWords::plan_window), they go there, too.
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
    /// let logged = ByWords(game).solve_logged(Solver::new(), Box::new(Blocks::default()))?;
    /// assert_eq!(logged.probe(0)?, retrograde::solve(game).value(0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn solve_logged(
        self,
        solver: Solver<'_>,
        store: Box<dyn LogStore>,
    ) -> Result<LoggedSolution, SolveError> {
        solver.in_pool(|solver, threads| {
            let (states, needed) = (self.0.states(), self.memory_needed_logged(&solver));
            let exceeds = needed > solver.choices().memory_max;
            // The compiler leaves the engine out if the game cannot use it.
            if G::CHECKS_WINS
                && let Some(plan) = exceeds.then(|| self.plan_window(&solver)).flatten()
            {
                let engine = WindowEngine::new(self.0, plan, &solver, threads, store);
                let Solved { engine, histogram, bytes } = solver.run(plan.memory, || engine)?;
                let (bits, kept) = (Bits::Store(engine.bits), Some(engine.distances));
                return Ok(LoggedSolution::new(states, bits, kept, histogram, bytes));
            }
            let solver_needs = (&solver, needed);
            let engine =
                BitParallelEngine::new_by(self.0, solver_needs, threads, Some(store), None)?;
            let Solved { engine, histogram, bytes } = solver.run(needed, engine)?;
            let Arrays { known, distances, .. } = engine.arrays;
            Ok(LoggedSolution::new(states, Bits::Memory(known), distances, histogram, bytes))
        })
    }

    /// Solves the game together with other processes. The solution answers for the states of this process, and for no
    /// others. Its histogram is the one of all states. This uses the threads of rayon's current pool, or the calling thread
    /// if the solver has [one thread](Solver::threads).
    ///
    /// [`memory_max`](Solver::memory_max) limits the memory of this process. The solver knows the number of words of other
    /// processes that it needs only after it has seeded its own.
    pub fn solve_share(
        self,
        solver: Solver<'_>,
        share: &Share,
        exchange: &mut dyn WordExchange,
    ) -> Result<Solution, SolveError> {
        let (arrays, histogram, bytes) = self.run_share(solver, share, exchange, None)?;
        let sets = Sets::new(self.0.states(), arrays);
        Ok(Solution::new(Box::new(sets), histogram, bytes))
    }

    /// The same with the log of distances in a store, as by [`solve_logged`](ByWords::solve_logged).
    pub fn solve_share_logged(
        self,
        solver: Solver<'_>,
        share: &Share,
        exchange: &mut dyn WordExchange,
        store: Box<dyn LogStore>,
    ) -> Result<LoggedSolution, SolveError> {
        let (arrays, histogram, bytes) = self.run_share(solver, share, exchange, Some(store))?;
        let Arrays { known, distances, .. } = arrays;
        let (states, bits) = (self.0.states(), Bits::Memory(known));
        Ok(LoggedSolution::new(states, bits, distances, histogram, bytes))
    }

    /// Runs the solve of a process.
    fn run_share(
        self,
        solver: Solver<'_>,
        share: &Share,
        exchange: &mut dyn WordExchange,
        store: Option<Box<dyn LogStore>>,
    ) -> Result<(Arrays, Histogram, u64), SolveError> {
        let (game, threads) = (OwnWords::new(self.0, share), solver.threads_used());
        let needed = self.memory_needed_share(&solver, share, (0, store.is_some()));
        let own = BitParallelEngine::new_by(&game, (&solver, needed), threads, store, Some(share))?;
        let engine = || BitParallelEngine { exchange: Some(exchange), ..own() };
        let run = || solver.run(needed, engine);
        let solved = if threads == 1 { threads::on_this_thread(run) } else { run() };
        let Solved { engine, histogram, bytes } = solved?;
        Ok((engine.arrays, histogram, bytes))
    }

    /// How many bytes of memory [`solve_share`](ByWords::solve_share) will take, or
    /// [`solve_share_logged`](ByWords::solve_share_logged) if `logged`. The moves of this process lead to `ghosts` words of
    /// other processes.
    pub fn memory_needed_share(
        self,
        solver: &Solver<'_>,
        share: &Share,
        (ghosts, logged): (u64, bool),
    ) -> u64 {
        let words = share.len() as u64;
        let distances = match (solver.distances, logged) {
            (false, _) => 0,
            (true, false) => Planes::bytes(words, 0),
            (true, true) => Distances::bytes_beside_store(words, share.shard_words()),
        };
        bytes_of::<G>(words) + share.shared_bytes(ghosts) + distances
    }

    /// How many bytes of memory [`solve_logged`](ByWords::solve_logged) will take. If the game has exits, it takes one
    /// more bit a state, and up to 16 KiB for each distance of an exit.
    pub fn memory_needed_logged(self, solver: &Solver<'_>) -> u64 {
        let words = self.0.states().div_ceil(64);
        let shard_words = solver.thresholds.shard_words;
        let logs = Distances::bytes_beside_store(words, shard_words);
        bytes_of::<G>(words) + if solver.distances { logs } else { 0 }
    }

    /// How [`solve_logged`](ByWords::solve_logged) works if the bits exceed the memory limit of the solver. `None` if
    /// they must be in memory. A window needs moves that lead to near words, no exits, and `CHECKS_WINS`.
    pub fn plan_window(self, solver: &Solver<'_>) -> Option<WindowPlan> {
        WindowPlan::new(self.0, solver)
    }
}

/// The engine.
struct BitParallelEngine<'g, G> {
    game: &'g G,
    threads: usize,
    thresholds: Thresholds,
    arrays: Arrays,
    /// At least the number of words with states that settled at the last level.
    frontier_words: u64,
    /// Whether pending events go to the store, if there is one.
    stores_events: bool,
    /// The other processes, if there are any.
    exchange: Option<&'g mut dyn WordExchange>,
    /// What they must know at the end of the level.
    settled: Vec<Settled>,
    /// The most bytes of lists at a level.
    lists_bytes: u64,
    /// The most bytes of what this process sent to others and received from them at a time.
    messages_bytes: u64,
    memory_max: u64,
}

impl<G: BitParallel> Engine for BitParallelEngine<'_, G> {
    fn kind(&self) -> Kind {
        self.arrays.own.kind(self.arrays.distances.is_some())
    }

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn bytes(&self, level: u32) -> u64 {
        self.arrays.bytes::<G>(level) + self.lists_bytes + self.messages_bytes
    }

    fn bytes_most(&self, level: u32, pending: &PendingEvents) -> u64 {
        let parts = parts_most(&self.arrays.own, self.threads, self.thresholds);
        let lists = self.arrays.list_bytes_most(parts) + pending.day_bytes_most();
        let arrays = self.arrays.bytes::<G>(level);
        arrays + lists.max(self.lists_bytes) + 2 * self.messages_bytes
    }

    fn seed(
        &mut self,
        pending: &mut PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        /// How many parts each thread handles before their results are combined.
        const PARTS_PER_THREAD: usize = 16;
        /// The most words of a part: the pending events of some parts are in memory, even if others are stored.
        const PART_WORDS_MAX: usize = 1 << 14;
        let (own, threads) = (self.arrays.own.clone(), self.threads);
        let (all, words) = (self.arrays.words(), own.len());
        let parallel = threads > 1 && words >= self.thresholds.part_words;
        let part_len = self.division(parallel).part_len.min(PART_WORDS_MAX);
        let Arrays { known, distances, inbox, barred, terminal, .. } = &mut self.arrays;
        let store = store_of(distances).filter(|_| self.stores_events);
        let inbox = inbox.share();
        let mut parts: Vec<_> = own.split(known.as_mut(), 1, part_len).collect();
        let (mut tally, mut done) = (Tally::default(), 0);
        for wave in parts.chunks_mut(PARTS_PER_THREAD * threads) {
            let game = self.game;
            let seeded = threads::map_of(wave, |_, (words, known)| {
                Seeded::of(game, inbox, words.start, known)
            });
            let mut events = Vec::new();
            for ((words, _), seeded) in wave.iter().zip(seeded) {
                tally += seeded.tally;
                self.frontier_words += seeded.frontier_words;
                events.push(seeded.pending);
                seeded.terminal.into_iter().for_each(|entry| terminal.add(entry, all));
                put_barred(barred, all, words.clone(), &seeded.barred);
            }
            pending.append(events);
            if let Some(store) = store {
                pending.store(store)?;
            }
            done += wave.iter().map(|(words, _)| words.len() as u64 * 64).sum::<u64>();
            watch.tell(done.min(self.game.states()))?;
        }
        if let Some(exchange) = &mut self.exchange {
            self.messages_bytes = self.arrays.open_borders(self.game, *exchange)?;
        }
        Ok(tally)
    }

    fn settle(
        &mut self,
        level: u32,
        pending: &PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        let threads = self.threads as u64;
        let dense = self.frontier_words >= self.thresholds.frontier_words * threads;
        let division = self.division(dense && threads > 1);
        let day = pending.day(level);
        let arrays = &mut self.arrays;
        if !day.is_empty() {
            arrays.mark_exits(self.game, division, day)?;
        }
        let is_listed = |event| match event {
            Event::TerminalLoss | Event::TerminalWin => true,
            Event::ExitWon => G::CHECKS_WINS,
            Event::ExitLost => false,
        };
        let alone = arrays.brings_alone::<G>().filter(|_| !day.has(is_listed));
        let (tally, frontier_words) = if let Some(wins) = alone {
            arrays.settle_alone(self.game, division, level, wins)?
        } else {
            arrays.gather(self.game, division, day)?;
            self.lists_bytes = self.lists_bytes.max(arrays.list_bytes());
            let needed = self.bytes(level) + pending.bytes();
            if needed > self.memory_max {
                return Err(SolveError::Memory { needed, limit: self.memory_max });
            }
            self.arrays.settle(self.game, division, level)?
        };
        self.frontier_words = frontier_words;
        self.settled = self.arrays.take_told();
        if dense {
            watch.tell(tally.total())?;
        }
        Ok(tally)
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.arrays.write(to)
    }

    fn keeps_blocks(&mut self, blocks: u64) -> bool {
        match store_of(&self.arrays.distances) {
            Some(store) => {
                store.reserve(blocks);
                true
            }
            None => blocks == 0,
        }
    }

    /// Rebuilds the marks of the next level: marks the predecessors of all settled states again. This includes all
    /// marks that the last level made. The other marks only lead to checks that find nothing.
    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
        self.arrays.read(level, from)?;
        // States beyond the last one are invalid. The engine never asks the game about them.
        let owns_last = self.arrays.own.owns(self.arrays.words().wrapping_sub(1));
        let beyond = self.arrays.known.last().filter(|_| owns_last);
        let inside = self.states() % 64;
        if inside != 0 && beyond.is_some_and(|last| known::invalid(*last) >> inside != !0 >> inside)
        {
            return Err(SolveError::Snapshot);
        }
        self.arrays.tell_all(self.game);
        if let Some(exchange) = &mut self.exchange {
            self.messages_bytes = self.arrays.open_borders(self.game, *exchange)?;
        }
        self.frontier_words = self.arrays.words() as u64;
        Ok(None)
    }

    fn add_up(&mut self, own: Sums) -> Result<Sums, SolveError> {
        let Some(exchange) = &mut self.exchange else { return Ok(own) };
        let sent = std::mem::take(&mut self.settled);
        let (arrays, game) = (&mut self.arrays, self.game);
        let (messages, words) = (&mut self.messages_bytes, &mut self.frontier_words);
        let sums = exchange.exchange(&sent, own, &mut |received| {
            *messages = (*messages).max((size_of_val(&*sent) + size_of_val(&*received)) as u64);
            *words += received.len() as u64;
            arrays.apply(game, received)
        })?;
        Ok(sums)
    }
}

/// If several threads share a level, it has this number of parts for each of them.
const PARTS_PER_THREAD: usize = 16;

/// The most parts of a level.
pub(super) fn parts_most(own: &Share, threads: usize, thresholds: Thresholds) -> u64 {
    let parts = (threads * PARTS_PER_THREAD).min(own.len() / thresholds.part_words);
    (parts + own.blocks().count()) as u64
}

/// What the seed of a part adds besides the bits of each state.
#[derive(Default)]
pub(super) struct Seeded {
    pub(super) tally: Tally,
    frontier_words: u64,
    pending: PendingEvents,
    /// For each word of the part, a set of states. Empty if there are none.
    barred: Vec<u64>,
    /// Words in order, and sets of their states.
    terminal: Vec<(usize, u64)>,
    /// A buffer.
    sorted: Vec<(u64, Value)>,
}

impl Seeded {
    /// Seeds the words of a part, from `first` on.
    pub(super) fn of<G: BitParallel>(
        game: &G,
        inbox: Outbox<'_>,
        first: usize,
        known: &mut [Known],
    ) -> Seeded {
        let mut seeded = Seeded::default();
        let words = known.len();
        game.classify_words(first as u64..(first + words) as u64, |word, status, singles| {
            known[word as usize - first] =
                seeded.take(game, inbox, (first, words), word, status, singles);
        });
        seeded
    }

    /// Whether some states have exits, or are terminal but do not settle at level 0.
    pub(super) fn has_special(&self) -> bool {
        let Seeded { pending, barred, terminal, .. } = self;
        pending.next().is_some() || !barred.is_empty() || !terminal.is_empty()
    }

    /// Takes the status of a word. The part has `words` words from `first` on. Returns the bits of the word.
    #[inline(always)]
    fn take<G: BitParallel>(
        &mut self,
        game: &G,
        inbox: Outbox<'_>,
        (first, words): (usize, usize),
        word: u64,
        status: WordStatus,
        Singles { terminals, exits }: Singles<'_>,
    ) -> Known {
        let at = word as usize;
        if status.won | status.lost != 0 {
            self.frontier_words += 1;
            self.tally.wins += u64::from(status.won.count_ones());
            self.tally.losses += u64::from(status.lost.count_ones());
            inbox.tell_word::<true, true, G>(game, at, status.won);
            inbox.tell_word::<false, true, G>(game, at, status.lost);
        }
        for &(states, value) in terminals {
            self.terminal.push((at, states));
            self.pending.add_terminals(word, states, value);
        }
        if !exits.is_empty() {
            self.barred.resize(words, 0);
            self.barred[at - first] = self.pending.add_exits(word, exits, &mut self.sorted);
        }
        known::seeded(status.won, status.lost, status.invalid)
    }
}

impl<'g, G: BitParallel> BitParallelEngine<'g, G> {
    /// Makes the engine, if the solver allows the bytes that its arrays need. The log goes to the store, if there is one.
    fn new_by(
        game: &'g G,
        (solver, needed): (&Solver<'_>, u64),
        threads: usize,
        store: Option<Box<dyn LogStore>>,
        share: Option<&Share>,
    ) -> Result<impl FnOnce() -> BitParallelEngine<'g, G> + use<'g, G>, SolveError> {
        let (keeps, thresholds) = (solver.distances, solver.thresholds);
        // A snapshot of several processes is divided among other numbers of them, so its events must be in it.
        let stores_events = share.is_none() || solver.at_level_end.is_none();
        let memory_max = solver.choices().memory_max;
        let words = game.states().div_ceil(64) as usize;
        let own = share.cloned().unwrap_or_else(|| Share::whole(words, thresholds.shard_words));
        let parts = parts_most(&own, threads, thresholds);
        solver.check_memory(needed, list_bytes_of_all(parts, own.len() as u64))?;
        Ok(move || {
            let distances = keeps.then(|| Distances::new(words, own.shard_words(), store));
            let arrays = Arrays::new::<G>(words, own, distances);
            BitParallelEngine {
                game,
                threads,
                thresholds,
                arrays,
                frontier_words: 0,
                stores_events,
                exchange: None,
                settled: Vec::new(),
                lists_bytes: 0,
                messages_bytes: 0,
                memory_max,
            }
        })
    }

    /// How the threads divide the words. In parallel, parts are so small that no thread waits long for another.
    fn division(&self, parallel: bool) -> Division {
        let own = &self.arrays.own;
        let words = own.len().max(1);
        let shard_words = self.arrays.distances.as_ref().map_or(1, |kept| kept.shard_words);
        let len = match parallel {
            true => words
                .div_ceil(self.threads * PARTS_PER_THREAD)
                .next_multiple_of(self.thresholds.part_words.max(shard_words)),
            false => words.next_multiple_of(TOP_WORD.max(shard_words)),
        };
        let part_len = len.min(own.block_words());
        Division { part_len, shared: parallel && part_len < words }
    }
}
