//! The engine that works on sets of 64 states, in the memory of one process.

use std::io::{self, Read, Write};

use super::kept::Sets;
use super::level::{Arrays, Known, Outbox};
use super::marks::TOP_WORD;
use crate::rules::{ByWords, Singles, Value, WordStatus, Words};
use crate::solve::agenda::{Agenda, Day, Event};
use crate::solve::course::{Engine, Solved, Tally, Watch};
use crate::solve::snapshot::Kind;
use crate::solve::solution::Solution;
use crate::solve::solver::{Solvable, SolveError, Solver};
use crate::solve::thresholds::Thresholds;
use crate::threads;

/// 64 states at a time.
impl<G: Words> Solvable for ByWords<'_, G> {
    /// Distances of 256 and more take a bit more per state for each doubling, and exits 16 bytes for the states of a
    /// word that win, or no longer lose, at one level by an exit; neither is known beforehand.
    fn memory_needed(self, solver: &Solver<'_>) -> u64 {
        Arrays::bytes(self.0.states().div_ceil(64), solver.distances)
    }

    fn solve(self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        let ByWords(game) = self;
        solver.in_pool(|solver, threads| {
            let states = game.states();
            let (words, distances) = (states.div_ceil(64), solver.distances);
            let thresholds = solver.thresholds;
            let engine = || WordsEngine {
                game,
                threads,
                thresholds,
                arrays: Arrays::new(words as usize, distances, thresholds.journal_words),
                frontier_words: 0,
            };
            let Solved { engine, histogram, bytes } =
                solver.run(Arrays::bytes(words, distances), engine)?;
            Ok(Solution::new(Box::new(Sets::new(states, engine.arrays)), histogram, bytes))
        })
    }
}

/// The engine.
struct WordsEngine<'g, G> {
    game: &'g G,
    threads: usize,
    thresholds: Thresholds,
    arrays: Arrays,
    /// How many words have told the level that comes next, or at least as many.
    frontier_words: u64,
}

impl<G: Words> Engine for WordsEngine<'_, G> {
    fn kind(&self) -> Kind {
        Kind { engine: *b"words  2", layout: 64, distances: self.arrays.planes.is_some() }
    }

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn bytes(&self, level: u32) -> u64 {
        self.arrays.bytes_at(level)
    }

    fn seed(&mut self, agenda: &mut Agenda) -> Result<Tally, SolveError> {
        /// How many parts each thread has in hand before what they found is put together.
        const PARTS_PER_THREAD: usize = 4;
        let (words, threads) = (self.arrays.words(), self.threads);
        let part_len = self.part_len(threads > 1 && words >= self.thresholds.part_words);
        let Arrays { known, inbox, barred, fixed, .. } = &mut self.arrays;
        let inbox = inbox.share();
        let mut parts: Vec<_> = known.as_mut().chunks_mut(part_len).enumerate().collect();
        let mut tally = Tally::default();
        for wave in parts.chunks_mut(PARTS_PER_THREAD * threads) {
            let game = self.game;
            let seeded = threads::map_of(wave, |_, (part, known)| {
                let (first, words) = (*part * part_len, known.len());
                let mut seeded = Seeded::default();
                let end = (first + words) as u64;
                game.survey_words(first as u64..end, |word, status, singles| {
                    known[word as usize - first] =
                        seeded.take(game, inbox, (first, words), word, status, singles);
                });
                seeded
            });
            for (&(part, _), seeded) in wave.iter().zip(seeded) {
                tally += seeded.tally;
                self.frontier_words += seeded.frontier_words;
                agenda.append(seeded.agenda);
                let first = part * part_len;
                for (set, own) in [(&mut *barred, seeded.barred), (&mut *fixed, seeded.fixed)] {
                    if !own.is_empty() {
                        set.resize(words, 0);
                        set[first..first + own.len()].copy_from_slice(&own);
                    }
                }
            }
        }
        Ok(tally)
    }

    fn settle(
        &mut self,
        level: u32,
        agenda: &Agenda,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        let threads = self.threads as u64;
        let dense = self.frontier_words >= self.thresholds.frontier_words * threads;
        let part_len = self.part_len(dense && threads > 1);
        let day = agenda.day(level);
        self.arrays.grow_for(level);
        self.let_happen(day);
        self.arrays.gather(self.game, part_len);
        // Finals settle after all else of the level has been gathered, so that nobody asks for their moves.
        for (event, won) in [(Event::FinalWin, true), (Event::FinalLoss, false)] {
            for (word, states) in day.of(event) {
                remove(&mut self.arrays.fixed, word, states);
                self.arrays.settle_also(word as usize, states, won, part_len);
            }
        }
        let (tally, frontier_words) = self.arrays.settle(self.game, part_len, level);
        self.frontier_words = frontier_words;
        if dense {
            watch.tell(tally.total())?;
        }
        Ok(tally)
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.arrays.write(to)
    }

    /// What the next level has to look at follows from what is known: everything that has settled tells it once more.
    /// That finds what the last level would have told, and beside it only states that have settled already.
    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        self.arrays.read(level, from)?;
        // Beyond the last state there is nothing but void, and no game is asked about more.
        let inside = self.states() % 64;
        let void = self.arrays.known.last().map_or(!0, |[open, won]| open & won);
        if inside != 0 && void >> inside != !0 >> inside {
            return Err(SolveError::Snapshot);
        }
        self.arrays.tell_all(self.game);
        self.frontier_words = self.arrays.words() as u64;
        Ok(())
    }
}

/// What a part of the states is seeded with, beside what is known of each.
#[derive(Default)]
struct Seeded {
    tally: Tally,
    frontier_words: u64,
    agenda: Agenda,
    /// By words of the part, where there are any.
    barred: Vec<u64>,
    fixed: Vec<u64>,
    /// A buffer.
    sorted: Vec<(u64, Value)>,
}

impl Seeded {
    /// Takes what the rules say of a word, of a part that has `words` from `first` on; returns what is known of it.
    #[inline(always)]
    fn take<G: Words>(
        &mut self,
        game: &G,
        inbox: Outbox<'_>,
        (first, words): (usize, usize),
        word: u64,
        status: WordStatus,
        Singles { finals, exits }: Singles<'_>,
    ) -> Known {
        let at = word as usize;
        if status.won | status.lost != 0 {
            self.frontier_words += 1;
            self.tally.wins += u64::from(status.won.count_ones());
            self.tally.losses += u64::from(status.lost.count_ones());
            for (states, won) in [(status.won, true), (status.lost, false)] {
                if states != 0 {
                    inbox.tell::<true, G>(game, at, states, won);
                }
            }
        }
        for &(states, value) in finals {
            self.fixed.resize(words, 0);
            self.fixed[at - first] |= states;
            self.agenda.add_finals(word, states, value);
        }
        if !exits.is_empty() {
            self.barred.resize(words, 0);
            self.barred[at - first] = self.agenda.add_exits(word, exits, &mut self.sorted);
        }
        let open = !(status.won | status.lost | status.special);
        [open, status.void | status.won]
    }
}

impl<G: Words> WordsEngine<'_, G> {
    /// How many words to a part: all, or enough parts that no thread waits long for another.
    fn part_len(&self, parallel: bool) -> usize {
        const PARTS_PER_THREAD: usize = 16;
        let words = self.arrays.words().max(1);
        if parallel {
            let len = words.div_ceil(self.threads * PARTS_PER_THREAD);
            len.next_multiple_of(self.thresholds.part_words)
        } else {
            words.next_multiple_of(TOP_WORD)
        }
    }

    /// Lets happen what exits bring at the level.
    fn let_happen(&mut self, day: &Day) {
        let Arrays { barred, inbox, .. } = &mut self.arrays;
        let inbox = inbox.share();
        for (word, states) in day.of(Event::ExitLost) {
            remove(barred, word, states);
            inbox.may_lose::<false>(word as usize);
        }
        for (word, states) in day.of(Event::ExitWon) {
            inbox.win::<false>(word as usize, states);
        }
    }
}

/// Takes states of a word out of a set that was given no room if it had none.
fn remove(set: &mut [u64], word: u64, states: u64) {
    if let Some(set) = set.get_mut(word as usize) {
        *set &= !states;
    }
}
