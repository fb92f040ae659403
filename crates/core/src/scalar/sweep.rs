//! Propagating one level: every state of the frontier visits its predecessors.

use std::ops::AddAssign;

use super::ahead::{Ahead, Batch, Search, Settled};
use super::cell::Cell;
use super::frontier::Frontier;
use super::marks::{BLOCK, Note};
use super::part::Part;
use super::storage::Arrays;
use crate::rules::Retrograde;
use crate::solve::thresholds::Thresholds;

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
        if won {
            visit_predecessors::<true, _, _>(game, &mut part, state, found);
        } else {
            visit_predecessors::<false, _, _>(game, &mut part, state, found);
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
    thresholds: &Thresholds,
    found: &mut Frontier,
    mut pause: impl FnMut(Tally) -> bool,
) -> Tally {
    // Often enough for a progress bar, rarely enough to cost nothing.
    const WORDS_BETWEEN_PAUSES: usize = 256;
    let (search, retire) = (Search::new(arrays.scale, level), !arrays.scale.distances);
    let (mut part, marks) = arrays.whole(level + 1);
    let mut tally = Tally::default();
    let mut ahead = Ahead::new(marks, thresholds.batch_blocks);
    let mut paused = 0;
    while !ahead.is_done() {
        let batch = ahead.next(game, &part, search);
        tally +=
            sweep_batch(game, &mut part, &batch, retire, &mut found.marked, |state, from, _| {
                no_such(state, from)
            });
        if ahead.words_done() - paused >= WORDS_BETWEEN_PAUSES || ahead.is_done() {
            paused = ahead.words_done();
            if !pause(tally) {
                break;
            }
        }
    }
    tally
}

/// Propagates the frontier of a batch of blocks. What the part does not hold is handed `outside`: the state, its
/// predecessor, and whether the move wins. `retire`: once propagated the states give up their codes.
#[inline(always)]
pub(crate) fn sweep_batch<G: Retrograde, C: Cell>(
    game: &G,
    part: &mut Part<'_, C>,
    batch: &Batch,
    retire: bool,
    found: &mut impl Note,
    mut outside: impl FnMut(u64, u64, bool),
) -> Tally {
    let mut tally = Tally::default();
    for Settled { block, lost, won } in batch.iter() {
        tally += Tally { wins: u64::from(won.count_ones()), losses: u64::from(lost.count_ones()) };
        let first = part.start + (block * BLOCK) as u64;
        if lost != 0 {
            visit_block::<false, _, _>(game, part, first, lost, found, &mut outside);
        }
        if won != 0 {
            visit_block::<true, _, _>(game, part, first, won, found, &mut outside);
        }
        if retire {
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
    let start = part.start;
    game.predecessors_of_each(first, states, |state, from| {
        let winning = wins::<WON>(game, from, state);
        if !part.visit(from.wrapping_sub(start) as usize, winning, found) {
            outside(state, from, winning);
        }
    });
}

/// Visits every predecessor of `state`, which has just settled, in the part that holds all states.
#[inline(always)]
fn visit_predecessors<const WON: bool, G: Retrograde, C: Cell>(
    game: &G,
    part: &mut Part<'_, C>,
    state: u64,
    found: &mut impl Note,
) {
    game.predecessors(state, |from| {
        if !part.visit(from as usize, wins::<WON>(game, from, state), found) {
            no_such(state, from);
        }
    });
}

/// Whether a move wins that leads to a state won or lost: it leaves the opponent lost, or keeps the turn and leaves the
/// mover won.
#[inline(always)]
fn wins<const WON: bool>(game: &impl Retrograde, from: u64, to: u64) -> bool {
    WON == game.keeps_turn(from, to)
}

#[cold]
pub(crate) fn no_such(state: u64, from: u64) -> ! {
    panic!("predecessors({state}) visits {from}, which is no state of the game")
}
