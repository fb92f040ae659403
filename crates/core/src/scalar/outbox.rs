//! Propagating one level over threads.
//!
//! Each sweeps the parts it owns and puts visits to other parts into outboxes, which their owners empty once all have
//! paused. The visits of a level commute (each tells of a move of its own, and a state that some move wins never
//! runs out of moves), so the result is the same in any order.

use rayon::prelude::*;

use super::ahead::{Ahead, Search};
use super::cell::Cell;
use super::frontier::Frontier;
use super::marks::Marked;
use super::part::Part;
use super::storage::Arrays;
use super::sweep::{Tally, no_such, sweep_batch};
use crate::rules::Retrograde;
use crate::solve::thresholds::Thresholds;

/// Propagates marked blocks on all threads of the current pool.
pub(crate) fn sweep_marks_parallel<G: Retrograde, C: Cell>(
    game: &G,
    arrays: &mut Arrays<C>,
    level: u32,
    part_len: usize,
    thresholds: &Thresholds,
    found: &mut Frontier,
    mut pause: impl FnMut(Tally) -> bool,
) -> Tally {
    let (search, retire) = (Search::new(arrays.scale, level), !arrays.scale.distances);
    let count = arrays.cells.len().div_ceil(part_len);
    let mut workers: Vec<Worker<'_, C>> = arrays
        .parts(part_len, level + 1)
        .map(|(part, marks)| Worker {
            part,
            ahead: Ahead::new(marks, thresholds.batch_blocks),
            outboxes: Outboxes::new(count, part_len),
            tally: Tally::default(),
            found: Marked::default(),
        })
        .collect();
    loop {
        workers.par_iter_mut().for_each(|worker| worker.sweep(game, search, retire, thresholds));
        deliver(&mut workers);
        let mut tally = Tally::default();
        workers.iter().for_each(|worker| tally += worker.tally);
        if !pause(tally) || workers.iter().all(|worker| worker.ahead.is_done()) {
            found.marked.0 += workers.iter().map(|worker| worker.found.0).sum::<u64>();
            return tally;
        }
    }
}

/// One part, what it has still to sweep, and what it has to tell the others.
struct Worker<'a, C> {
    part: Part<'a, C>,
    ahead: Ahead<'a>,
    outboxes: Outboxes,
    tally: Tally,
    found: Marked,
}

impl<C: Cell> Worker<'_, C> {
    /// Sweeps until all is done or the outboxes are full.
    fn sweep<G: Retrograde>(
        &mut self,
        game: &G,
        search: Search<C>,
        retire: bool,
        thresholds: &Thresholds,
    ) {
        let outboxes = &mut self.outboxes;
        while outboxes.len < thresholds.outbox_visits && !self.ahead.is_done() {
            let batch = self.ahead.next(game, &self.part, search);
            self.tally += sweep_batch(
                game,
                &mut self.part,
                &batch,
                retire,
                &mut self.found,
                |state, from, winning| outboxes.post(state, from, winning),
            );
        }
    }
}

/// For each part the visits it is owed: the position inside it, and in the lowest bit whether the move wins.
#[derive(Default)]
struct Outboxes {
    boxes: Vec<Vec<u32>>,
    /// How many visits wait in all.
    len: usize,
    /// The binary logarithm of the length of parts.
    shift: u32,
}

impl Outboxes {
    fn new(count: usize, part_len: usize) -> Outboxes {
        Outboxes { boxes: vec![Vec::new(); count], len: 0, shift: part_len.trailing_zeros() }
    }

    /// Out of line: most visits stay at home, and their loop is better short.
    #[inline(never)]
    fn post(&mut self, state: u64, from: u64, winning: bool) {
        let Some(outbox) = self.boxes.get_mut((from >> self.shift) as usize) else {
            no_such(state, from)
        };
        let at = from & ((1 << self.shift) - 1);
        outbox.push((at as u32) << 1 | u32::from(winning));
        self.len += 1;
    }

    fn clear(&mut self) {
        self.boxes.iter_mut().for_each(Vec::clear);
        self.len = 0;
    }
}

/// Makes the visits that wait in outboxes, and empties them.
fn deliver<C: Cell>(workers: &mut [Worker<'_, C>]) {
    let mail: Vec<Outboxes> =
        workers.iter_mut().map(|worker| std::mem::take(&mut worker.outboxes)).collect();
    workers.par_iter_mut().enumerate().for_each(|(to, worker)| {
        for outbox in mail.iter().map(|outboxes| &outboxes.boxes[to]) {
            for &visit in outbox {
                let at = visit as usize >> 1;
                if !worker.part.visit(at, visit & 1 != 0, &mut worker.found) {
                    no_such_at_all(worker.part.start + at as u64);
                }
            }
        }
    });
    for (worker, mut outboxes) in workers.iter_mut().zip(mail) {
        outboxes.clear();
        worker.outboxes = outboxes;
    }
}

#[cold]
fn no_such_at_all(from: u64) -> ! {
    panic!("predecessors(..) visits {from}, which is no state of the game")
}
