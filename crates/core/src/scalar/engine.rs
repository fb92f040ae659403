//! The engine that works state by state, in the memory of one process.

use std::io::{self, Read, Write};

use super::ahead::{Ahead, Search};
use super::cell::{Cell, Scale};
use super::frontier::Frontier;
use super::marks::{MARK_WORD, Marked};
use super::outbox::sweep_marks_parallel;
use super::part::PartMut;
use super::seed::{EXIT_COUNT_MAX, degree_max, let_happen, seed_part};
use super::storage::Storage;
use super::sweep::{Nowhere, sweep_marks, sweep_queue};
use crate::rules::Retrograde;
use crate::solve::agenda::Agenda;
use crate::solve::course::{Engine, Solved, Tally, Watch};
use crate::solve::snapshot::Kind;
use crate::solve::solution::Solution;
use crate::solve::solver::{Solvable, SolveError, Solver};
use crate::solve::thresholds::Thresholds;
use crate::threads;

/// State by state: the way for every game that can walk backwards.
impl<G: Retrograde> Solvable for &G {
    /// Exits take 16 bytes more for the states of a word that win, or no longer lose, at one level by an exit, and
    /// distances too long for a cell one more byte per state; neither is known beforehand.
    fn memory_needed(self, solver: &Solver<'_>) -> u64 {
        let threads = solver.threads_used();
        let how = How { threads, thresholds: solver.thresholds };
        match Width::of(degree_max(self, threads > 1), solver.distances) {
            Width::Byte(scale) => bytes::<u8>(self.states(), how, scale, 0),
            Width::Two(scale) => bytes::<u16>(self.states(), how, scale, 0),
            Width::Four(scale) => bytes::<u32>(self.states(), how, scale, 0),
        }
    }

    fn solve(self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.in_pool(|solver, threads| {
            let degree_max = degree_max(self, threads > 1);
            let how = How { threads, thresholds: solver.thresholds };
            match Width::of(degree_max, solver.distances) {
                Width::Byte(scale) => run::<_, u8>(solver, self, how, degree_max, scale),
                Width::Two(scale) => run::<_, u16>(solver, self, how, degree_max, scale),
                Width::Four(scale) => run::<_, u32>(solver, self, how, degree_max, scale),
            }
        })
    }
}

/// The width of cells that a game needs.
enum Width {
    Byte(Scale),
    Two(Scale),
    Four(Scale),
}

impl Width {
    fn of(degree_max: u32, distances: bool) -> Width {
        let count_max = u64::from(degree_max) + EXIT_COUNT_MAX;
        if let Some(scale) = Scale::new::<u8>(count_max, distances) {
            Width::Byte(scale)
        } else if let Some(scale) = Scale::new::<u16>(count_max, distances) {
            Width::Two(scale)
        } else {
            let scale = Scale::new::<u32>(count_max, distances);
            Width::Four(scale.expect("no state has four thousand million moves"))
        }
    }
}

/// On how many threads, and where one way of working gives way to another.
#[derive(Clone, Copy)]
struct How {
    threads: usize,
    thresholds: Thresholds,
}

/// What a solve takes beside what exits may add, where states settle at `level`.
fn bytes<C: Cell>(states: u64, how: How, scale: Scale, level: u32) -> u64 {
    let Thresholds { queue_max, outbox_visits, .. } = how.thresholds;
    let queues = 2 * queue_max as u64 * 8;
    let outboxes = match how.part_len(states) {
        Some(len) => states.div_ceil(len as u64).saturating_mul(outbox_visits as u64 * 4),
        None => 0,
    };
    Storage::<C>::bytes(states, scale, level).saturating_add(queues + outboxes)
}

impl How {
    /// How many states to a part, where there is more than one: enough parts that no thread waits
    /// long for another, few enough that most moves stay inside one.
    fn part_len(self, states: u64) -> Option<usize> {
        const PARTS_PER_THREAD: u64 = 16;
        let parts = self.threads as u64 * PARTS_PER_THREAD;
        let len = states.div_ceil(parts) as usize;
        let len = len.next_power_of_two().clamp(self.thresholds.part_states, 1 << 31);
        (self.threads > 1 && states > len as u64).then_some(len.next_multiple_of(MARK_WORD))
    }
}

fn run<G: Retrograde, C: Cell>(
    solver: Solver<'_>,
    game: &G,
    how: How,
    degree_max: u32,
    scale: Scale,
) -> Result<Solution, SolveError> {
    let states = game.states();
    let Solved { engine, histogram, bytes } =
        solver.run(bytes::<C>(states, how, scale, 0), || Scalar {
            game,
            how,
            degree_max,
            storage: Storage::<C>::new(0..states, scale),
            frontier: Frontier::new(how.thresholds.queue_max),
        })?;
    Ok(Solution::new(Box::new(engine.storage), histogram, bytes))
}

/// The engine.
struct Scalar<'g, G, C> {
    game: &'g G,
    how: How,
    degree_max: u32,
    storage: Storage<C>,
    /// What settled last.
    frontier: Frontier,
}

impl<G: Retrograde, C: Cell> Engine for Scalar<'_, G, C> {
    fn kind(&self) -> Kind {
        let Scale { base, distances } = self.storage.scale;
        let layout = (size_of::<C>() as u64) << 32 | u64::from(base);
        Kind { engine: *b"scalar 2", layout, distances }
    }

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn bytes(&self, level: u32) -> u64 {
        bytes::<C>(self.states(), self.how, self.storage.scale, level)
    }

    fn seed(&mut self, agenda: &mut Agenda) -> Result<Tally, SolveError> {
        let (game, degree_max) = (self.game, self.degree_max);
        let part_len = self.how.part_len(self.states()).unwrap_or(usize::MAX);
        let mut parts: Vec<_> = self.storage.parts(part_len, 0).map(|(part, _)| part).collect();
        let seed = |part: &mut PartMut<'_, C>| {
            let (mut found, mut agenda) = (Marked::default(), Agenda::default());
            seed_part(game, part, degree_max, &mut found, &mut agenda);
            (found, agenda)
        };
        let seeded = match &mut parts[..] {
            [part] => vec![seed(part)],
            parts => threads::map_of(parts, |_, part| seed(part)),
        };
        let mut found = self.empty();
        for (found_here, agenda_here) in seeded {
            found.marked.0 += found_here.0;
            agenda.append(agenda_here);
        }
        agenda.sort();
        Ok(self.close(found, 0))
    }

    fn settle(
        &mut self,
        level: u32,
        agenda: &Agenda,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        self.storage.add_planes_for(level);
        let mut found = self.empty();
        self.propagate(level, &mut found, watch)?;
        let day = agenda.day(level);
        if !day.is_empty() {
            let (mut part, _) = self.storage.whole(level);
            let_happen(&mut part, day, &mut found);
        }
        Ok(self.close(found, level))
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.storage.write(to)
    }

    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        self.storage.read(level, from)?;
        let mut found = self.empty();
        self.storage.note_settled(level, &mut found.marked);
        self.close(found, level);
        Ok(())
    }
}

impl<G: Retrograde, C: Cell> Scalar<'_, G, C> {
    fn empty(&self) -> Frontier {
        Frontier::new(self.how.thresholds.queue_max)
    }

    /// Propagates the frontier: what it decides settles at `level`.
    fn propagate(
        &mut self,
        level: u32,
        found: &mut Frontier,
        watch: &mut Watch<'_>,
    ) -> Result<(), SolveError> {
        // Often enough for a progress bar, rarely enough to cost nothing.
        const WORDS_BETWEEN_TELLING: usize = 256;
        let Scalar { game, how, storage, frontier, .. } = self;
        let (scale, retire) = (storage.scale, !storage.scale.distances);
        if !frontier.is_marked() {
            let (mut part, _) = storage.whole(level);
            sweep_queue(*game, &mut part, 0, &frontier.queue, retire, found, &mut Nowhere);
            return Ok(());
        }
        if let Some(len) = how.part_len(game.states()) {
            let found = &mut found.marked;
            return sweep_marks_parallel(*game, storage, level, len, &how.thresholds, found, watch);
        }
        let search = (Search::new(scale, level - 1), retire);
        let (mut part, marks) = storage.whole(level);
        let mut ahead = Ahead::new(marks, how.thresholds.batch_blocks);
        while !ahead.is_done() {
            let (words, found) = (WORDS_BETWEEN_TELLING, &mut found.marked);
            sweep_marks(*game, &mut part, &mut ahead, search, words, found, &mut Nowhere);
            watch.tell(found.0.total())?;
        }
        Ok(())
    }

    /// Has found all that settles at `level`, to be propagated next.
    fn close(&mut self, mut found: Frontier, level: u32) -> Tally {
        let tally = found.tally();
        found.close(&mut self.storage, level);
        self.frontier = found;
        tally
    }
}
