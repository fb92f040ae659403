//! The solve in sets: seeds, then level after level until nothing settles any more.

use std::borrow::Cow;
use std::cell::Cell;

use super::agenda::{Agenda, Day};
use super::kept::Sets;
use super::level::{Arrays, Tally};
use super::marks::TOP_WORD;
use super::planes::Planes;
use crate::rules::Value;
use crate::rules::{WordStatus, Words};
use crate::solve::exits::{Exits, Happening};
use crate::solve::histogram::{Histogram, Level};
use crate::solve::snapshot::{Course, Kind};
use crate::solve::solution::Solution;
use crate::solve::solver::{Progress, SolveError, Solver};
use crate::solve::thresholds::Thresholds;

impl Solver<'_> {
    /// How many bytes [`solve_words`](Solver::solve_words) will take, but for distances of 256 and more, which
    /// take a bit more per state for each doubling, and for exits: 16 bytes for the states of a word that
    /// win, or no longer lose, at one level by an exit.
    pub fn memory_words(&self, game: &impl Words) -> u64 {
        Arrays::bytes(game.states().div_ceil(64), self.distances)
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

/// How many words to a part: enough parts that no thread waits long for another.
fn part_len(words: u64, threads: usize, thresholds: &Thresholds) -> usize {
    const PARTS_PER_THREAD: u64 = 16;
    let len = words.div_ceil(threads as u64 * PARTS_PER_THREAD) as usize;
    len.max(1).next_multiple_of(thresholds.part_words)
}

/// What the snapshots of this engine begin with.
fn kind(distances: bool) -> Kind {
    Kind { engine: *b"words  1", layout: 64, distances }
}

/// A solve under way.
struct Solve<'g, 's, G> {
    game: &'g G,
    solver: Solver<'s>,
    threads: usize,
    arrays: Arrays,
    /// What exits and far finals have still to bring.
    agenda: Agenda,
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
        let arrays = Arrays::new(words, solver.distances, solver.thresholds.journal_words);
        let mut solve = Solve {
            game,
            solver,
            threads,
            arrays,
            agenda: Agenda::default(),
            level: 0,
            frontier_words: 0,
            histogram: Histogram::default(),
            settled: 0,
            bytes,
        };
        if !solve.take_up()? {
            solve.seed()?;
        }
        while solve.next_level()? {
            solve.end_level()?;
        }
        let sets = Sets::new(states, solve.arrays);
        Ok(Solution::new(Box::new(sets), solve.histogram, solve.bytes))
    }

    /// Goes on from where an earlier solve was, if one is given.
    fn take_up(&mut self) -> Result<bool, SolveError> {
        let Solve { game, solver, arrays, agenda, .. } = self;
        let kind = kind(solver.distances);
        let taken = solver.take_up(|source| {
            let course = Course::read(kind, *game, source)?;
            let frontier_words = source.number()?;
            agenda.read(arrays.words(), source)?;
            arrays.read(course.level, source)?;
            Ok((course, frontier_words))
        })?;
        let Some((course, frontier_words)) = taken else { return Ok(false) };
        self.frontier_words = frontier_words;
        self.level = course.level;
        self.settled = course.settled;
        self.histogram = course.histogram.into_owned();
        self.arrays.tell_all(self.game);
        let planes = self.arrays.planes.as_ref().map_or(0, Planes::high_bytes);
        self.take_memory(planes + self.agenda_bytes())?;
        Ok(true)
    }

    /// Shows the state of the solve to whoever may want to keep it.
    fn end_level(&mut self) -> Result<(), SolveError> {
        let Solve { game, arrays, agenda, frontier_words, .. } = self;
        let course = Course {
            level: self.level,
            settled: self.settled,
            histogram: Cow::Borrowed(&self.histogram),
        };
        let kind = kind(arrays.planes.is_some());
        let states = game.states();
        self.solver.end_level(&course, &|sink| {
            course.write(kind, states, sink);
            sink.number(*frontier_words);
            agenda.write(sink);
            arrays.write(sink);
        })
    }

    /// What exits and far finals take.
    fn agenda_bytes(&self) -> u64 {
        let sets = (self.arrays.fixed.len() + self.arrays.barred.len()) as u64 * 8;
        sets + self.agenda.bytes()
    }

    /// Settles what the rules decide.
    fn seed(&mut self) -> Result<(), SolveError> {
        let words = self.arrays.words();
        let Solve { game, arrays, agenda, .. } = self;
        let (known, told) = (arrays.known.as_mut(), arrays.told.share());
        let mut tally = Tally::default();
        let mut specials: Vec<(u64, Value)> = Vec::new();
        // The exits of the word at hand, told of by one closure and taken by another.
        let (exits, any_exit) = (Cell::new(Vec::<(u64, Exits)>::new()), Cell::new(false));
        let visit = |word: u64, status: WordStatus| {
            let at = word as usize;
            let open = !(status.won | status.lost | status.special);
            known[at] = [open, status.void | status.won];
            if status.won | status.lost != 0 {
                let ones = |set: u64| u64::from(set.count_ones());
                tally += Tally { wins: ones(status.won), losses: ones(status.lost), words: 1 };
                for (states, won) in [(status.won, true), (status.lost, false)] {
                    if states != 0 {
                        told.tell::<false, G>(game, at, states, won);
                    }
                }
            }
            if !any_exit.take() {
                return;
            }
            let mut some = exits.take();
            for (state, exits) in some.drain(..) {
                arrays.barred.resize(words, 0);
                arrays.barred[at] |= 1 << (state % 64);
                exits.for_each_event(state, |event| {
                    // Where a draw or a win bars the loss for good, the longest loss no longer matters.
                    if event.happening() == Happening::ExitWon || !exits.bars() {
                        agenda.add(event.level, state, event.happening());
                    }
                });
            }
            exits.set(some);
        };
        let exit = |state, value| {
            any_exit.set(true);
            let mut some = exits.take();
            match some.last_mut() {
                Some((last, exits)) if *last == state => *exits = exits.with(state, value),
                _ => some.push((state, Exits::default().with(state, value))),
            }
            exits.set(some);
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
            self.agenda.add(level, state, happening);
        }
        self.take_memory(self.agenda_bytes())?;
        self.count(tally);
        Ok(())
    }

    /// Propagates the frontier and settles the next. False when nothing will settle any more.
    fn next_level(&mut self) -> Result<bool, SolveError> {
        let words = self.arrays.words();
        let thresholds = &self.solver.thresholds;
        let parallel = self.threads > 1
            && self.frontier_words >= thresholds.frontier_words * self.threads as u64;
        let part_len = if parallel {
            part_len(words as u64, self.threads, thresholds)
        } else {
            words.max(1).next_multiple_of(TOP_WORD)
        };

        self.level = if self.frontier_words > 0 {
            self.level.checked_add(1).expect("distances end at 2^32 plies")
        } else {
            match self.agenda.next() {
                Some(level) => level,
                None => return Ok(false),
            }
        };
        self.take_planes()?;
        let day = self.agenda.take(self.level);
        self.let_happen(&day);
        self.arrays.gather(self.game, part_len);
        // Finals settle after all else of the level has been gathered, so that nobody asks for their moves.
        for (happening, won) in [(Happening::FinalWin, true), (Happening::FinalLoss, false)] {
            for (word, states) in day.of(happening) {
                self.arrays.fixed[word] &= !states;
                self.arrays.settle_also(word, states, won, part_len);
            }
        }
        let tally = self.arrays.settle(self.game, part_len, self.level);
        self.count(tally);
        let progress =
            Progress { level: self.level, settled: self.settled, states: self.game.states() };
        if (self.solver.progress)(&progress).is_break() {
            return Err(SolveError::Cancelled);
        }
        Ok(true)
    }

    /// Lets happen what exits bring at the level.
    fn let_happen(&mut self, day: &Day) {
        let Arrays { barred, told, .. } = &mut self.arrays;
        let told = told.share();
        for (word, states) in day.of(Happening::ExitLost) {
            barred[word] &= !states;
            told.may_lose::<false>(word);
        }
        for (word, states) in day.of(Happening::ExitWon) {
            told.win::<false>(word, states);
        }
    }

    fn count(&mut self, tally: Tally) {
        let Tally { wins, losses, words } = tally;
        self.histogram.push(Level { distance: self.level, wins, losses });
        self.settled += wins + losses;
        self.frontier_words = words;
    }

    fn take_planes(&mut self) -> Result<(), SolveError> {
        let words = self.arrays.words() as u64;
        let planes = self.arrays.planes.as_ref();
        let missing = planes.map_or(0, |planes| planes.missing_for(self.level));
        self.take_memory(missing as u64 * 8 * words)?;
        if let Some(planes) = &mut self.arrays.planes {
            planes.grow_for(self.level);
        }
        Ok(())
    }

    fn take_memory(&mut self, bytes: u64) -> Result<(), SolveError> {
        self.bytes += bytes;
        self.solver.check_memory(self.bytes)
    }
}
