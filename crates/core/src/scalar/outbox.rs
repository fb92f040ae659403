//! Propagating one level over threads.
//!
//! ```text
//! until all parts are done:
//!     each part, on any thread: sweep; visits to other parts go into outboxes, until those are full
//!     each part, on any thread: make the visits that the others have for it
//! ```
//!
//! The owner of a part is the only one to write it, so there are no atomics.

use super::marks::Marked;
use super::part::PartMut;
use super::prefetcher::{Prefetcher, Search};
use super::storage::Storage;
use super::sweep::{Left, UpdateSink, no_such, sweep_marks};
use crate::rules::Predecessors;
use crate::solve::course::Watch;
use crate::solve::solver::SolveError;
use crate::solve::thresholds::Thresholds;
use crate::threads;

/// Propagates the marked blocks that settled at the level before, on all threads of the current pool. Each part has its
/// outboxes, which are empty before and after.
#[expect(clippy::too_many_arguments)]
pub(crate) fn sweep_marks_parallel<G: Predecessors>(
    game: &G,
    storage: &mut Storage,
    level: u32,
    part_len: usize,
    outboxes: &mut [Outboxes],
    thresholds: &Thresholds,
    found: &mut Marked,
    watch: &mut Watch<'_>,
) -> Result<(), SolveError> {
    let search = (Search::new(storage.scale, level - 1), !storage.scale.distances);
    let mut workers: Vec<Worker<'_>> = storage
        .parts(part_len, level)
        .map(|(part, marks)| Worker {
            part,
            prefetcher: Prefetcher::new(marks, 0, thresholds.batch_blocks),
            left: Left::nothing(),
            found: Marked::default(),
        })
        .collect();
    while workers.iter().any(|worker| !worker.prefetcher.is_done() || !worker.left.is_empty()) {
        let mut pairs: Vec<_> = workers.iter_mut().zip(&mut *outboxes).collect();
        threads::each_of(&mut pairs, |_, (worker, outboxes)| {
            let Worker { part, prefetcher, left, found } = worker;
            sweep_marks(game, part, prefetcher, left, search, usize::MAX, found, *outboxes);
        });
        deliver(&mut workers, outboxes);
        watch.tell(workers.iter().map(|worker| worker.found.0.total()).sum())?;
    }
    workers.iter().for_each(|worker| found.0 += worker.found.0);
    outboxes.iter_mut().for_each(Outboxes::trim);
    Ok(())
}

/// One part, and what it has still to sweep. Two to no line of the cache: each state that
/// settles is counted here.
#[repr(align(128))]
struct Worker<'a> {
    part: PartMut<'a>,
    prefetcher: Prefetcher<'a>,
    left: Left,
    found: Marked,
}

/// Visits that leave a part, by the part they go to.
pub struct Outboxes {
    /// For each part the visits it is owed: the position inside it, and in the lowest bit whether the move wins.
    boxes: Vec<Vec<u32>>,
    /// How many wait, and how many may before the part pauses.
    len: usize,
    len_max: usize,
    /// The binary logarithm of the length of parts.
    shift: u32,
}

impl Outboxes {
    /// For so many parts of so many states, a power of two and at most 2^31.
    pub(crate) fn new(parts: usize, part_states: u64, len_max: usize) -> Outboxes {
        let shift = part_states.trailing_zeros();
        Outboxes { boxes: vec![Vec::new(); parts], len: 0, len_max, shift }
    }

    /// How many visits wait.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Takes what waits for each part to which anything goes, in the order of the parts; the boxes keep their memory.
    pub fn drain(&mut self, mut take: impl FnMut(usize, &[u32])) {
        self.len = 0;
        for (part, outbox) in self.boxes.iter_mut().enumerate().filter(|(_, it)| !it.is_empty()) {
            take(part, outbox);
            outbox.clear();
        }
    }

    /// Frees the memory of the boxes, if it is more than what may wait takes: one box may hold all of it at one level, and
    /// another one at the next.
    fn trim(&mut self) {
        if self.boxes.iter().map(Vec::capacity).sum::<usize>() > self.len_max {
            self.boxes.iter_mut().for_each(|outbox| *outbox = Vec::new());
        }
    }
}

impl UpdateSink for Outboxes {
    #[inline(always)]
    fn send(&mut self, settled: u64, predecessor: u64, wins: bool) {
        let Some(outbox) = self.boxes.get_mut((predecessor >> self.shift) as usize) else {
            no_such(settled, predecessor)
        };
        let at = predecessor & ((1 << self.shift) - 1);
        outbox.push((at as u32) << 1 | u32::from(wins));
        self.len += 1;
    }

    fn is_full(&self) -> bool {
        self.len >= self.len_max
    }
}

/// Makes the visits that wait in outboxes, and empties them.
fn deliver(workers: &mut [Worker<'_>], outboxes: &mut [Outboxes]) {
    let all = &*outboxes;
    threads::each_of(workers, |to, worker| {
        for &visit in all.iter().flat_map(|outboxes| &outboxes.boxes[to]) {
            let at = visit as usize >> 1;
            if !worker.part.visit(at, visit & 1 != 0, &mut worker.found) {
                no_such_at_all(worker.part.start() + at as u64);
            }
        }
    });
    threads::each_of(outboxes, |_, outboxes| outboxes.drain(|_, _| {}));
}

#[cold]
fn no_such_at_all(from: u64) -> ! {
    panic!("predecessors(..) visits {from}, which is not a state of the game")
}
