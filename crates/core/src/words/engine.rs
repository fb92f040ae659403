//! The bit-parallel engine.

use std::io::{self, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::arrays::{Arrays, bytes_of, list_bytes_of_all, put_barred};
use super::blocks::Blocks;
use super::distances::Memory;
use super::inbox::{Outbox, TOP_WORD};
use super::known::{self, Known};
use super::level::Division;
use super::planes::Planes;
use super::residence::Residence;
use super::solution::WordSolution;
use crate::memory::Pages;
use crate::rules::{BitParallel, ByWords, Singles, Value, WordStatus};
use crate::solve::course::{Engine, Kind, Solved, Sums, Watch};
use crate::solve::error::SolveError;
use crate::solve::histogram::{Histogram, Tally};
use crate::solve::pending::{Event, PendingEvents};
use crate::solve::solution::Solution;
use crate::solve::solver::{Solvable, Solver, Thresholds};
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
            let (game, needed) = (self.0, solver.memory_needed(self));
            let blocks = Blocks::whole_game(game, &solver);
            let mut memory = Memory::new(solver.distances, &blocks);
            let arrays = || Arrays::new::<G>(blocks.clone());
            let (known, histogram, bytes) =
                run(game, solver, threads, (needed, &blocks), arrays, &mut memory)?;
            // The outer solution has the histogram.
            let (states, none) = (game.states(), Histogram::default());
            let solution = WordSolution::in_memory(states, known, memory, none, bytes);
            Ok(Solution::new(Box::new(solution), histogram, bytes))
        })
    }
}

/// Solves a game, if the solver allows the bytes that a solve of some words needs. Returns the bits of all words, the
/// histogram, and the most bytes that the solve took.
pub(crate) fn run<G: BitParallel>(
    game: &G,
    solver: Solver<'_>,
    threads: usize,
    (needed, blocks): (u64, &Blocks),
    arrays: impl FnOnce() -> Arrays,
    residence: &mut dyn Residence,
) -> Result<(Pages<Known>, Histogram, u64), SolveError> {
    let (thresholds, memory_max) = (solver.thresholds, solver.choices().memory_max);
    let parts = parts_most(blocks, threads, thresholds);
    solver.check_memory(needed, list_bytes_of_all(parts, blocks.len() as u64))?;
    let settings = Settings { threads, thresholds, memory_max };
    let solved = solver.run(needed, || {
        let arrays = arrays();
        BitParallelEngine { game, settings, arrays, residence, frontier_words: 0, lists_bytes: 0 }
    });
    let Solved { engine, histogram, bytes } = solved?;
    Ok((engine.arrays.known, histogram, bytes))
}

/// How to solve.
#[derive(Clone, Copy)]
struct Settings {
    threads: usize,
    thresholds: Thresholds,
    memory_max: u64,
}

/// The engine.
struct BitParallelEngine<'g, 'r, G> {
    game: &'g G,
    settings: Settings,
    arrays: Arrays,
    residence: &'r mut (dyn Residence + 'r),
    /// At least the number of words with states that settled at the last level.
    frontier_words: u64,
    /// The most bytes of lists at a level.
    lists_bytes: u64,
}

impl<G: BitParallel> Engine for BitParallelEngine<'_, '_, G> {
    fn kind(&self) -> Kind {
        Kind::words(self.arrays.blocks.shard_words, self.residence.has_distances())
    }

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn bytes(&self, level: u32) -> u64 {
        self.arrays.bytes::<G>() + self.residence.bytes(level) + self.lists_bytes
    }

    fn bytes_most(&self, level: u32, pending: &PendingEvents) -> u64 {
        let Settings { threads, thresholds, .. } = self.settings;
        let parts = parts_most(&self.arrays.blocks, threads, thresholds);
        let events = pending.day_bytes_most(&|level| self.residence.taken_bytes(level));
        let lists = self.arrays.list_bytes_most(parts) + events;
        let residence = self.residence.bytes(level) + self.residence.bytes_more();
        self.arrays.bytes::<G>() + residence + lists.max(self.lists_bytes)
    }

    fn seed(
        &mut self,
        pending: &mut PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        /// How many parts each thread handles before their results are combined.
        const PARTS_PER_THREAD: usize = 16;
        /// The most words of a part: the pending events of some parts are in memory, even if others are not.
        const PART_WORDS_MAX: usize = 1 << 14;
        let Settings { threads, thresholds, .. } = self.settings;
        let parallel = threads > 1 && self.arrays.blocks.len() >= thresholds.part_words;
        let part_len = self.division(parallel).part_len.min(PART_WORDS_MAX);
        let all = self.arrays.words();
        let Arrays { blocks, known, inbox, barred, terminal, .. } = &mut self.arrays;
        let inbox = inbox.share();
        let mut parts: Vec<_> = blocks.split(known.as_mut(), 1, part_len).collect();
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
            self.residence.take_events(pending)?;
            done += wave.iter().map(|(words, _)| words.len() as u64 * 64).sum::<u64>();
            watch.tell(done.min(self.game.states()))?;
        }
        self.residence.begin(&mut self.arrays)?;
        Ok(tally)
    }

    fn settle(
        &mut self,
        level: u32,
        pending: &PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        let Settings { threads, thresholds, memory_max } = self.settings;
        let threads = threads as u64;
        let dense = self.frontier_words >= thresholds.frontier_words * threads;
        let division = self.division(dense && threads > 1);
        // One thread asks for all.
        let (watching, stopped) = (Mutex::new(&mut *watch), AtomicBool::new(false));
        let stops = || {
            let has_stopped = || stopped.load(Relaxed);
            if !has_stopped() && watching.try_lock().is_ok_and(|mut watch| watch.tell(0).is_err()) {
                stopped.store(true, Relaxed);
            }
            has_stopped()
        };
        let division = Division { stops: Some(&stops), ..division };
        let day = pending.day(level);
        let (game, arrays) = (self.game, &mut self.arrays);
        if !day.is_empty() {
            arrays.mark_exits(game, division, &*self.residence.events(level, day))?;
        }
        let is_listed = |event| match event {
            Event::TerminalLoss | Event::TerminalWin => true,
            Event::ExitWon => G::CHECKS_WINS,
            Event::ExitLost => false,
        };
        let alone = arrays.brings_alone::<G>().filter(|_| !day.has(is_listed));
        let (tally, frontier_words) = if let Some(wins) = alone {
            arrays.settle_alone(game, division, (level, wins), self.residence)?
        } else {
            arrays.gather(game, division, &*self.residence.events(level, day))?;
            self.lists_bytes = self.lists_bytes.max(arrays.list_bytes());
            let needed = self.bytes(level) + pending.bytes();
            if needed > memory_max {
                return Err(SolveError::Memory { needed, limit: memory_max });
            }
            self.arrays.settle(game, division, level, self.residence)?
        };
        if stopped.into_inner() {
            return Err(SolveError::Cancelled);
        }
        self.frontier_words = frontier_words;
        if dense {
            watch.tell(tally.total())?;
        }
        Ok(tally)
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.arrays.write(self.residence, to)
    }

    fn events_elsewhere(&self, level: u32) -> Vec<[u64; 4]> {
        self.residence.taken(level)
    }

    fn find_events(&mut self, rows: &[[u64; 4]], pending: &PendingEvents) -> bool {
        self.residence.find_taken(rows, pending)
    }

    /// Rebuilds the marks of the next level: marks the predecessors of all settled states again. This includes all
    /// marks that the last level made. The other marks only lead to checks that find nothing.
    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
        self.arrays.read(self.residence, level, from)?;
        // States beyond the last one are invalid. The engine never asks the game about them.
        let last = self.arrays.known.last().filter(|_| self.arrays.blocks.has_last());
        let inside = self.states() % 64;
        if inside != 0 && last.is_some_and(|last| known::invalid(*last) >> inside != !0 >> inside) {
            return Err(SolveError::Snapshot);
        }
        self.arrays.tell_all(self.game);
        self.residence.begin(&mut self.arrays)?;
        self.frontier_words = self.arrays.words() as u64;
        Ok(None)
    }

    fn add_up(&mut self, own: Sums) -> Result<Sums, SolveError> {
        let (sums, words) = self.residence.add_up(&mut self.arrays, own)?;
        self.frontier_words += words;
        Ok(sums)
    }
}

/// If several threads share a level, it has this number of parts for each of them.
const PARTS_PER_THREAD: usize = 16;

/// The most parts of a level.
pub(crate) fn parts_most(blocks: &Blocks, threads: usize, thresholds: Thresholds) -> u64 {
    let parts = (threads * PARTS_PER_THREAD).min(blocks.len() / thresholds.part_words);
    (parts + blocks.count()) as u64
}

/// What the seed of a part adds besides the bits of each state.
#[derive(Default)]
pub(crate) struct Seeded {
    pub(crate) tally: Tally,
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
    pub(crate) fn of<G: BitParallel>(
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
    pub(crate) fn has_special(&self) -> bool {
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

impl<G: BitParallel> BitParallelEngine<'_, '_, G> {
    /// How the threads divide the words. In parallel, parts are so small that no thread waits long for another.
    fn division(&self, parallel: bool) -> Division<'static> {
        let Settings { threads, thresholds, .. } = self.settings;
        let blocks = &self.arrays.blocks;
        let words = blocks.len().max(1);
        let shard_words = if self.residence.has_distances() { blocks.shard_words } else { 1 };
        let len = match parallel {
            true => words
                .div_ceil(threads * PARTS_PER_THREAD)
                .next_multiple_of(thresholds.part_words.max(shard_words)),
            false => words.next_multiple_of(TOP_WORD.max(shard_words)),
        };
        let part_len = len.min(blocks.longest().max(1));
        Division { part_len, shared: parallel && part_len < words, stops: None }
    }
}
