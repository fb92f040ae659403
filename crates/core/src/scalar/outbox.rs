//! Sweeps one level on several threads.
//!
//! ```text
//! until all parts are done:
//!     each part, on any thread: sweep, and put updates for other parts into outboxes, until they are full
//!     each part, on any thread: apply the updates that other parts have for it
//! ```
//!
//! Only the owner of a part writes to it, so there are no atomics.

use super::frontier::Marked;
use super::part::PartMut;
use super::rules::ScalarRules;
use super::storage::Storage;
use super::sweep::{Left, Prefetcher, Search, UpdateSink, no_such};
use crate::solve::course::Watch;
use crate::solve::solver::SolveError;
use crate::solve::thresholds::Thresholds;
use crate::threads;

/// Sweeps the marked blocks that settled at the level before, on all threads of the current pool. Each part has
/// its outboxes, which are empty before and after.
#[expect(clippy::too_many_arguments)]
pub(super) fn sweep_marks_parallel(
    game: &dyn ScalarRules,
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
            senders: Vec::new(),
        })
        .collect();
    while workers.iter().any(|worker| !worker.prefetcher.is_done() || !worker.left.is_empty()) {
        let mut pairs: Vec<_> = workers.iter_mut().zip(&mut *outboxes).collect();
        threads::each_of(&mut pairs, |_, (worker, outboxes)| {
            let Worker { part, prefetcher, left, found, .. } = worker;
            game.sweep_marks(part, prefetcher, left, search, found, outboxes);
        });
        deliver(&mut workers, outboxes);
        watch.tell(workers.iter().map(|worker| worker.found.0.total()).sum())?;
    }
    workers.iter().for_each(|worker| found.0 += worker.found.0);
    outboxes.iter_mut().for_each(|outboxes| outboxes.trim(thresholds.outbox_updates));
    Ok(())
}

/// One part, and what it still has to sweep. No two workers share a cache line, because each state that settles
/// is counted here.
#[repr(align(128))]
struct Worker<'a> {
    part: PartMut<'a>,
    prefetcher: Prefetcher<'a>,
    left: Left,
    found: Marked,
    /// The parts that have updates for this one.
    senders: Vec<u32>,
}

/// The updates from one part for other parts. No two share a cache line, because each update is counted here.
#[repr(align(128))]
pub struct Outboxes {
    /// For each part its updates: the position in the part, and in the lowest bit whether the move wins.
    boxes: Vec<Vec<u32>>,
    /// The boxes that hold updates, and the boxes that have memory. Most moves lead to few parts, so no loop looks
    /// at all boxes.
    filled: Vec<u32>,
    grown: Vec<u32>,
    /// How many updates wait, and how many may wait before the part pauses.
    len: usize,
    len_max: usize,
    /// The binary logarithm of the length of parts.
    shift: u32,
}

impl Outboxes {
    /// Outboxes for `parts` parts of `part_states` states, a power of two of at most 2^31.
    pub(crate) fn new(parts: usize, part_states: u64, len_max: usize) -> Outboxes {
        let shift = part_states.trailing_zeros();
        let boxes = vec![Vec::new(); parts];
        Outboxes { boxes, filled: Vec::new(), grown: Vec::new(), len: 0, len_max, shift }
    }

    /// How many updates wait.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no update waits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The updates that wait for a part.
    pub fn of(&self, part: usize) -> &[u32] {
        &self.boxes[part]
    }

    /// Passes the waiting updates to `take`, part by part in ascending order. The boxes keep their memory.
    pub fn drain(&mut self, mut take: impl FnMut(usize, &[u32])) {
        self.len = 0;
        self.filled.sort_unstable();
        for part in self.filled.drain(..) {
            let outbox = &mut self.boxes[part as usize];
            take(part as usize, outbox);
            outbox.clear();
        }
    }

    /// Frees the memory of the boxes if it exceeds that of `updates_max` updates. Call it when no update waits.
    /// Otherwise one box could hold this memory at one level, and another box as much at the next level.
    pub fn trim(&mut self, updates_max: usize) {
        let Outboxes { boxes, grown, .. } = self;
        if grown.iter().map(|&part| boxes[part as usize].capacity()).sum::<usize>() > updates_max {
            grown.drain(..).for_each(|part| boxes[part as usize] = Vec::new());
        }
    }
}

impl UpdateSink for Outboxes {
    #[inline(always)]
    fn send(&mut self, settled: u64, predecessor: u64, wins: bool) {
        let part = (predecessor >> self.shift) as usize;
        let Some(outbox) = self.boxes.get_mut(part) else { no_such(settled, predecessor) };
        if outbox.is_empty() {
            fill(&mut self.filled, (outbox.capacity() == 0).then_some(&mut self.grown), part);
        }
        let at = predecessor & ((1 << self.shift) - 1);
        outbox.push((at as u32) << 1 | u32::from(wins));
        self.len += 1;
    }

    fn is_full(&self) -> bool {
        self.len >= self.len_max
    }
}

/// Records that a box will hold updates. A separate function, so that the loop of updates stays short.
#[cold]
fn fill(filled: &mut Vec<u32>, grown: Option<&mut Vec<u32>>, part: usize) {
    filled.push(part as u32);
    grown.into_iter().for_each(|grown| grown.push(part as u32));
}

/// Applies the updates that wait in the outboxes, and empties them.
fn deliver(workers: &mut [Worker<'_>], outboxes: &mut [Outboxes]) {
    for (from, outboxes) in (0..).zip(&*outboxes) {
        outboxes.filled.iter().for_each(|&to| workers[to as usize].senders.push(from));
    }
    let all = &*outboxes;
    threads::each_of(workers, |to, worker| {
        for from in worker.senders.drain(..) {
            for &update in &all[from as usize].boxes[to] {
                let at = update as usize >> 1;
                if !worker.part.update(at, update & 1 != 0, &mut worker.found) {
                    no_such_at_all(worker.part.start() + at as u64);
                }
            }
        }
    });
    threads::each_of(outboxes, |_, outboxes| outboxes.drain(|_, _| {}));
}

#[cold]
fn no_such_at_all(from: u64) -> ! {
    panic!("predecessors(..) visits {from}, which is not a state of the game")
}
