//! The solve in sets: seeds, then level after level until nothing settles any more.

use std::cell::Cell;

use super::kept::Sets;
use super::level::{Arrays, OUTBOX_MAX, Tally};
use super::planes::Planes;
use super::set::{Set, TOP_WORD};
use super::{WordStatus, Words};
use crate::game::Value;
use crate::histogram::{Histogram, Level};
use crate::seed::{self, Event, Exits, Happening};
use crate::solution::Solution;
use crate::solve::{Progress, SolveError, Solver};

impl Solver<'_> {
    /// How many bytes [`solve_words`](Solver::solve_words) will take. Exits and distances of 256 and
    /// more add to it as they do in the scalar engine.
    pub fn memory_words(&self, game: &impl Words) -> u64 {
        let words = game.states().div_ceil(64);
        let known = 2 * 8 * words + 3 * Set::bytes(words);
        let planes = if self.distances { 64 * words } else { 0 };
        let outboxes = match self.threads_used() {
            1 => 0,
            threads => words.div_ceil(part_len(words, threads) as u64) * OUTBOX_MAX as u64 * 16,
        };
        known + planes + outboxes
    }

    /// Solves the game in sets of states. Values and distances are those of
    /// [`solve`](Solver::solve), to the bit.
    ///
    /// # Panics
    ///
    /// Where the game is caught breaking its contract.
    pub fn solve_words(self, game: &impl Words) -> Result<Solution, SolveError> {
        self.in_pool(|solver, threads| Solve::run(solver, game, threads))
    }
}

/// How many words to a part: enough parts that no thread waits long for another, few enough that
/// most moves stay inside one.
fn part_len(words: u64, threads: usize) -> usize {
    const PARTS_PER_THREAD: u64 = 16;
    let len = words.div_ceil(threads as u64 * PARTS_PER_THREAD) as usize;
    len.max(1).next_multiple_of(TOP_WORD).min(1 << 31)
}

/// A solve under way.
struct Solve<'g, 's, G> {
    game: &'g G,
    solver: Solver<'s>,
    threads: usize,
    arrays: Arrays,
    /// What exits and far finals have still to bring, the next last.
    events: Vec<Event>,
    level: u32,
    /// How many words the frontier has.
    frontier_words: u64,
    histogram: Histogram,
    settled: u64,
    bytes: u64,
}

impl<'g, 's, G: Words> Solve<'g, 's, G> {
    fn run(solver: Solver<'s>, game: &'g G, threads: usize) -> Result<Solution, SolveError> {
        let bytes = solver.memory_words(game);
        solver.check_memory(bytes)?;
        let states = game.states();
        let words = states.div_ceil(64) as usize;
        let mut planes = solver.distances.then(Planes::default);
        if let Some(planes) = &mut planes {
            planes.grow_for(0, words);
        }
        let arrays = Arrays {
            open: vec![0; words],
            won: vec![0; words],
            planes,
            lost: Set::new(words),
            won_now: Set::new(words),
            won_next: Set::new(words),
            barred: Vec::new(),
            fixed: Vec::new(),
        };
        let mut solve = Solve {
            game,
            solver,
            threads,
            arrays,
            events: Vec::new(),
            level: 0,
            frontier_words: 0,
            histogram: Histogram::default(),
            settled: 0,
            bytes,
        };
        solve.seed()?;
        while solve.next_level()? {}
        let sets = Sets::new(states, solve.arrays);
        Ok(Solution::new(Box::new(sets), solve.histogram, solve.bytes))
    }

    /// Settles what the rules decide.
    fn seed(&mut self) -> Result<(), SolveError> {
        let words = self.arrays.words();
        let (game, arrays) = (self.game, &mut self.arrays);
        let mut lost = arrays.lost.whole();
        let mut won_now = arrays.won_now.whole();
        let mut tally = Tally::default();
        let mut specials: Vec<(u64, Value)> = Vec::new();
        // The exits of the word at hand.
        let exits = Cell::new(Vec::<(u64, Exits)>::new());
        let mut exits_of_open = Vec::new();
        let visit = |word: u64, status: WordStatus| {
            let at = word as usize;
            arrays.open[at] = !(status.won | status.lost | status.special);
            arrays.won[at] = status.void | status.won;
            let ones = |set: u64| u64::from(set.count_ones());
            tally += Tally { wins: ones(status.won), losses: ones(status.lost), words: 1 };
            if status.won != 0 {
                won_now.add(at, status.won);
            }
            if status.lost != 0 {
                lost.add(at, status.lost);
            }
            let mut told = exits.take();
            exits_of_open.append(&mut told);
            exits.set(told);
        };
        let exit = |state, value| {
            let mut told = exits.take();
            match told.last_mut() {
                Some((last, exits)) if *last == state => *exits = exits.with(state, value),
                _ => told.push((state, Exits::default().with(state, value))),
            }
            exits.set(told);
        };
        game.survey_words(
            0..words as u64,
            visit,
            |state, value| specials.push((state, value)),
            exit,
        );
        for (state, value) in specials {
            self.arrays.fixed.resize(words, 0);
            self.arrays.fixed[state as usize / 64] |= 1 << (state % 64);
            let (level, happening) = match value {
                Value::Draw => continue,
                Value::Win(level) => (level, Happening::FinalWin),
                Value::Loss(level) => (level, Happening::FinalLoss),
            };
            self.events.push(Event::new(level, state, happening));
        }
        for (state, exits) in exits_of_open {
            self.arrays.barred.resize(words, 0);
            self.arrays.barred[state as usize / 64] |= 1 << (state % 64);
            exits.for_each_event(state, |event| {
                // Where a draw or a win bars the loss for good, the longest loss no longer matters.
                if event.happening() == Happening::ExitWon || !exits.bars() {
                    self.events.push(event);
                }
            });
        }
        seed::sort(&mut self.events);
        let sets = (self.arrays.fixed.len() + self.arrays.barred.len()) as u64 * 8;
        self.take_memory(sets + (self.events.len() * size_of::<Event>()) as u64)?;
        self.count(tally);
        Ok(())
    }

    /// Propagates the frontier and settles the next. False when nothing will settle any more.
    fn next_level(&mut self) -> Result<bool, SolveError> {
        // A few words are not worth waking threads for.
        const WORDS_PER_THREAD: u64 = 256;
        let words = self.arrays.words();
        let parallel =
            self.threads > 1 && self.frontier_words >= WORDS_PER_THREAD * self.threads as u64;
        let part_len = if parallel { part_len(words as u64, self.threads) } else { words.max(1) };
        let part_len = part_len.next_multiple_of(TOP_WORD);

        let found = self.arrays.propagate(self.game, part_len);
        self.level = match self.events.last() {
            Some(event) if !found => event.level,
            None if !found => return Ok(false),
            _ => self.level.checked_add(1).expect("distances end at 2^32 plies"),
        };
        self.take_planes()?;
        let lost_by_rule = self.let_events_happen();
        self.arrays.check(self.game, part_len);
        for (word, mask) in lost_by_rule {
            self.arrays.lost.whole().add(word, mask);
        }
        let tally = self.arrays.merge(part_len, self.level);
        self.count(tally);
        let progress =
            Progress { level: self.level, settled: self.settled, states: self.game.states() };
        if (self.solver.progress)(&progress).is_break() {
            return Err(SolveError::Cancelled);
        }
        Ok(true)
    }

    /// Lets the events of the level happen. Returns the states that the rules say lose now.
    fn let_events_happen(&mut self) -> Vec<(usize, u64)> {
        let mut lost_by_rule = Vec::new();
        let arrays = &mut self.arrays;
        while let Some(event) = self.events.pop_if(|event| event.level == self.level) {
            let (word, mask) = (event.state() as usize / 64, 1 << (event.state() % 64));
            match event.happening() {
                Happening::ExitWon => _ = arrays.won_next.whole().add(word, mask),
                Happening::ExitLost => {
                    arrays.barred[word] &= !mask;
                    arrays.lost.whole().add(word, mask);
                }
                Happening::FinalWin => {
                    arrays.fixed[word] &= !mask;
                    arrays.open[word] |= mask;
                    arrays.won_next.whole().add(word, mask);
                }
                Happening::FinalLoss => {
                    arrays.fixed[word] &= !mask;
                    arrays.open[word] |= mask;
                    // Games may visit states that are not open, and this one only now seems to be.
                    arrays.won_next.whole().remove(word, mask);
                    arrays.lost.whole().remove(word, mask);
                    lost_by_rule.push((word, mask));
                }
            }
        }
        lost_by_rule
    }

    fn count(&mut self, tally: Tally) {
        let Tally { wins, losses, words } = tally;
        self.histogram.push(Level { distance: self.level, wins, losses });
        self.settled += wins + losses;
        self.frontier_words = words;
    }

    fn take_planes(&mut self) -> Result<(), SolveError> {
        let words = self.arrays.words();
        let Some(planes) = &mut self.arrays.planes else { return Ok(()) };
        let missing = Planes::bytes_for(self.level).saturating_sub(planes.bytes_kept());
        if missing > 0 {
            self.bytes += missing as u64 * 64 * words as u64;
            self.solver.check_memory(self.bytes)?;
            planes.grow_for(self.level, words);
        }
        Ok(())
    }

    fn take_memory(&mut self, bytes: u64) -> Result<(), SolveError> {
        self.bytes += bytes;
        self.solver.check_memory(self.bytes)
    }
}
