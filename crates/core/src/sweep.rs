//! Propagating one level: every state of the frontier visits its predecessors.
//!
//! Over threads, each sweeps the parts it owns and puts visits to other parts into outboxes, which
//! their owners empty once all have paused. The visits of a level commute (each tells of a move of its
//! own, and a state that some move wins never runs out of moves), so the result is the same in
//! any order.

use std::ops::AddAssign;

use rayon::prelude::*;

use crate::arrays::{Arrays, BLOCK, Part};
use crate::bits::Ones;
use crate::cell::Cell;
use crate::frontier::{Frontier, Marked, Note};
use crate::game::Retrograde;

/// How many visits to other parts a worker collects before it pauses.
pub(crate) const OUTBOX_MAX: usize = 1 << 16;

/// Wins and losses that have been propagated.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) wins: u64,
    pub(crate) losses: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
    }
}

/// Propagates the queue of a sparse frontier.
pub(crate) fn sweep_queue<G: Retrograde, C: Cell>(
    game: &G,
    arrays: &mut Arrays<C>,
    level: u32,
    queue: &[u64],
    found: &mut Frontier,
) -> Tally {
    let retire = !arrays.scale.distances;
    let (mut part, _) = arrays.whole(level + 1);
    let mut tally = Tally::default();
    for &state in queue {
        let won = part.is_won(state as usize);
        tally += Tally { wins: u64::from(won), losses: u64::from(!won) };
        let outside = |from, _| no_such(state, from);
        if won {
            visit_predecessors::<true, _, _>(game, &mut part, state, found, outside);
        } else {
            visit_predecessors::<false, _, _>(game, &mut part, state, found, outside);
        }
        if retire {
            part.retire(state as usize / BLOCK, 1 << (state % 64));
        }
    }
    tally
}

/// Propagates marked blocks on this thread. `pause` is told now and then how far it is, and may
/// end the sweep by `false`.
pub(crate) fn sweep_marks<G: Retrograde, C: Cell>(
    game: &G,
    arrays: &mut Arrays<C>,
    level: u32,
    found: &mut Frontier,
    mut pause: impl FnMut(Tally) -> bool,
) -> Tally {
    // Often enough for a progress bar, rarely enough to cost nothing.
    const WORDS_BETWEEN_PAUSES: usize = 256;
    let search = Search::new(arrays, level);
    let (mut part, marks) = arrays.whole(level + 1);
    let mut tally = Tally::default();
    let found = &mut found.marked;
    for (i, marks) in marks.chunks_mut(WORDS_BETWEEN_PAUSES).enumerate() {
        for (j, word) in marks.iter_mut().enumerate() {
            let first = (i * WORDS_BETWEEN_PAUSES + j) * 64;
            let blocks = Blocks { first, marks: std::mem::take(word) };
            tally += sweep_blocks(game, &mut part, blocks, search, found, |state, from, _| {
                no_such(state, from)
            });
        }
        if !pause(tally) {
            break;
        }
    }
    tally
}

/// Propagates marked blocks on all threads of the current pool.
pub(crate) fn sweep_marks_parallel<G: Retrograde, C: Cell>(
    game: &G,
    arrays: &mut Arrays<C>,
    level: u32,
    part_len: usize,
    found: &mut Frontier,
    mut pause: impl FnMut(Tally) -> bool,
) -> Tally {
    let search = Search::new(arrays, level);
    let count = arrays.cells.len().div_ceil(part_len);
    let mut workers: Vec<Worker<'_, C>> = arrays
        .parts(part_len, level + 1)
        .map(|(part, marks)| Worker {
            part,
            marks,
            swept: 0,
            outboxes: vec![Vec::new(); count],
            tally: Tally::default(),
            found: Marked::default(),
        })
        .collect();
    loop {
        workers.par_iter_mut().for_each(|worker| worker.sweep(game, search, part_len));
        deliver(&mut workers);
        let mut tally = Tally::default();
        workers.iter().for_each(|worker| tally += worker.tally);
        if !pause(tally) || workers.iter().all(Worker::is_done) {
            found.marked.0 += workers.iter().map(|worker| worker.found.0).sum::<u64>();
            return tally;
        }
    }
}

/// One part, what it has still to sweep, and what it has to tell the others.
struct Worker<'a, C> {
    part: Part<'a, C>,
    marks: &'a mut [u64],
    /// How many words of marks have been swept.
    swept: usize,
    /// For each part the visits it is owed: the position inside it, and in the lowest bit whether
    /// the move wins.
    outboxes: Vec<Vec<u32>>,
    tally: Tally,
    found: Marked,
}

impl<C: Cell> Worker<'_, C> {
    fn is_done(&self) -> bool {
        self.swept == self.marks.len()
    }

    /// Sweeps until all is done or the outboxes are full.
    fn sweep<G: Retrograde>(&mut self, game: &G, search: Search, part_len: usize) {
        let (shift, inside) = (part_len.trailing_zeros(), part_len as u64 - 1);
        let mut room = OUTBOX_MAX;
        while room > 0 && !self.is_done() {
            let marks = std::mem::take(&mut self.marks[self.swept]);
            let blocks = Blocks { first: self.swept * 64, marks };
            self.swept += 1;
            let outboxes = &mut self.outboxes;
            self.tally += sweep_blocks(
                game,
                &mut self.part,
                blocks,
                search,
                &mut self.found,
                |state, from, winning| {
                    let Some(outbox) = outboxes.get_mut((from >> shift) as usize) else {
                        no_such(state, from)
                    };
                    outbox.push(((from & inside) as u32) << 1 | u32::from(winning));
                    room = room.saturating_sub(1);
                },
            );
        }
    }
}

/// Makes the visits that wait in outboxes, and empties them.
fn deliver<C: Cell>(workers: &mut [Worker<'_, C>]) {
    let mut mail: Vec<Vec<Vec<u32>>> =
        workers.iter_mut().map(|worker| std::mem::take(&mut worker.outboxes)).collect();
    workers.par_iter_mut().enumerate().for_each(|(to, worker)| {
        for &visit in mail.iter().flat_map(|outboxes| &outboxes[to]) {
            let at = visit as usize >> 1;
            if !worker.part.visit(at, visit & 1 != 0, &mut worker.found) {
                no_such_at_all(worker.part.start + at as u64);
            }
        }
    });
    for (worker, outboxes) in workers.iter_mut().zip(&mut mail) {
        outboxes.iter_mut().for_each(Vec::clear);
        worker.outboxes = std::mem::take(outboxes);
    }
}

/// Up to 64 marked blocks.
struct Blocks {
    first: usize,
    marks: u64,
}

/// What the states of the frontier are recognised by.
#[derive(Clone, Copy)]
struct Search {
    code: u32,
    high: u32,
    /// Whether a state must give up the code once it is propagated.
    retire: bool,
}

impl Search {
    fn new<C: Cell>(arrays: &Arrays<C>, level: u32) -> Search {
        let (code, high) = arrays.scale.encode(level);
        Search { code, high, retire: !arrays.scale.distances }
    }
}

/// Propagates the frontier states of some blocks.
#[inline(always)]
fn sweep_blocks<G: Retrograde, C: Cell>(
    game: &G,
    part: &mut Part<'_, C>,
    blocks: Blocks,
    search: Search,
    found: &mut impl Note,
    mut outside: impl FnMut(u64, u64, bool),
) -> Tally {
    let mut tally = Tally::default();
    for block in Ones(blocks.marks) {
        let block = blocks.first + block as usize;
        let (lost, won) = part.frontier(block, C::new(search.code), search.high);
        tally += Tally { wins: u64::from(won.count_ones()), losses: u64::from(lost.count_ones()) };
        let first = part.start + (block * BLOCK) as u64;
        visit_block::<false, _, _>(game, part, first, lost, found, &mut outside);
        visit_block::<true, _, _>(game, part, first, won, found, &mut outside);
        if search.retire {
            part.retire(block, lost | won);
        }
    }
    tally
}

/// Visits every predecessor of the states of one block that have settled. Out of line, so that what
/// the loop needs stays in registers.
#[inline(never)]
fn visit_block<const WON: bool, G: Retrograde, C: Cell>(
    game: &G,
    part: &mut Part<'_, C>,
    first: u64,
    states: u64,
    found: &mut impl Note,
    outside: &mut impl FnMut(u64, u64, bool),
) {
    for state in Ones(states) {
        let state = first + state;
        visit_predecessors::<WON, _, _>(game, part, state, found, |from, winning| {
            outside(state, from, winning);
        });
    }
}

/// Visits every predecessor of `state`, which has just settled. Those that the part does not hold
/// are handed `outside`, with whether the move wins.
#[inline(always)]
fn visit_predecessors<const WON: bool, G: Retrograde, C: Cell>(
    game: &G,
    part: &mut Part<'_, C>,
    state: u64,
    found: &mut impl Note,
    mut outside: impl FnMut(u64, bool),
) {
    let start = part.start;
    game.predecessors(state, |from| {
        // A move wins that leaves the opponent lost, or keeps the turn and leaves the mover won.
        let winning = WON == game.keeps_turn(from, state);
        if !part.visit(from.wrapping_sub(start) as usize, winning, found) {
            outside(from, winning);
        }
    });
}

#[cold]
fn no_such(state: u64, from: u64) -> ! {
    panic!("predecessors({state}) visits {from}, which is no state of the game")
}

#[cold]
fn no_such_at_all(from: u64) -> ! {
    panic!("predecessors(..) visits {from}, which is no state of the game")
}
