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
use super::outbox::Outboxes;
use super::part::PartMut;
use super::rules::ScalarRules;
use super::storage::Storage;
use super::sweep::{Left, Prefetcher, Search};
use crate::solve::course::Watch;
use crate::solve::error::SolveError;
use crate::solve::solver::Thresholds;
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

/// Applies the updates that wait in the outboxes, and empties them.
fn deliver(workers: &mut [Worker<'_>], outboxes: &mut [Outboxes]) {
    for (from, outboxes) in (0..).zip(&*outboxes) {
        outboxes.filled.iter().for_each(|&to| workers[to as usize].senders.push(from));
    }
    let all = &*outboxes;
    threads::each_of(workers, |to, worker| {
        for from in worker.senders.drain(..) {
            for &update in all[from as usize].of(to) {
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
