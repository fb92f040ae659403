//! One level in sets: propagate, check, merge.
//!
//! The frontier is two sets, of what lost and what won at the last level. What the lost set is reached from
//! wins; what the won set is reached from is a candidate, and loses if none of its moves leads anywhere
//! but into what has won. New values are merged only when the level is complete, so that
//! the order of words does not matter. The set of candidates is the set of losses of the last level, emptied.
//!
//! Over threads, the words are cut into parts as the states are in the scalar engine: each part has one
//! owner, and visits to other parts wait in outboxes.

use std::ops::{AddAssign, ControlFlow};

use rayon::prelude::*;

use super::Words;
use super::planes::{Planes, PlanesPart};
use super::set::{Set, SetPart};

/// How many visits to other parts a worker collects before it pauses.
pub(crate) const OUTBOX_MAX: usize = 1 << 15;

/// A visit to a word of another part: its place there, and the states.
type Visit = (u32, u64);

/// What is known of every state, and the sets of the level.
pub(crate) struct Arrays {
    /// The open states; the void ones too, which are recognised by being won as well.
    pub(crate) open: Vec<u64>,
    /// The states that a move should better not lead to: won, or void.
    pub(crate) won: Vec<u64>,
    /// The distances, if they are kept.
    pub(crate) planes: Option<Planes>,
    /// What lost at the last level; then, until they are checked, the candidates.
    pub(crate) lost: Set,
    /// What won at the last level.
    pub(crate) won_now: Set,
    /// What wins at the next.
    pub(crate) won_next: Set,
    /// States that some exit keeps from losing, where there are any.
    pub(crate) barred: Vec<u64>,
    /// Final draws, and finals whose level has not come yet, where there are any.
    pub(crate) fixed: Vec<u64>,
}

/// What has settled at a level.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) wins: u64,
    pub(crate) losses: u64,
    /// How many words hold them.
    pub(crate) words: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.words += other.words;
    }
}

impl Arrays {
    pub(crate) fn words(&self) -> usize {
        self.open.len()
    }

    /// Finds what wins and the candidates of the next level. False if there is none.
    pub(crate) fn propagate<G: Words>(&mut self, game: &G, part_len: usize) -> bool {
        let count = self.words().div_ceil(part_len);
        let sets = self.lost.parts(part_len).zip(self.won_now.parts(part_len));
        let mut workers: Vec<Worker<'_>> = sets
            .zip(self.won_next.parts(part_len))
            .enumerate()
            .map(|(i, ((lost, won), won_next))| Worker {
                first: i as u64 * part_len as u64,
                part_len: part_len as u64,
                lost,
                won,
                won_next,
                kept: Vec::new(),
                outboxes: vec![Outbox::default(); if count > 1 { count } else { 0 }],
                room: OUTBOX_MAX,
                found: false,
                done: false,
            })
            .collect();
        // The lost sets must be empty before candidates take their place.
        in_waves(&mut workers, |worker| worker.propagate_lost(game));
        in_waves(&mut workers, |worker| worker.propagate_won(game));
        in_waves(&mut workers, |worker| worker.propagate_kept());
        workers.iter().any(|worker| worker.found)
    }

    /// Leaves of the candidates those that lose.
    pub(crate) fn check<G: Words>(&mut self, game: &G, part_len: usize) {
        let Arrays { open, won, barred, fixed, lost, won_next, .. } = self;
        let in_word = |set: &Vec<u64>, word: usize| set.get(word).copied().unwrap_or(0);
        let losing = |word: u64, keeps_turn: bool| {
            let word = word as usize;
            if keeps_turn {
                let (open, won) = (open[word], won[word]);
                !(open | won | in_word(fixed, word)) | (open & won)
            } else {
                won[word]
            }
        };
        let sets = lost.parts(part_len).zip(won_next.parts(part_len));
        let parts: Vec<_> = sets.collect();
        let check = |(i, (mut lost, won_next)): (usize, (SetPart<'_>, SetPart<'_>))| {
            let first = i * part_len;
            lost.update(|at, candidates| {
                let word = first + at;
                let bar = in_word(barred, word);
                let candidates = candidates & open[word] & !won[word] & !won_next.word(at) & !bar;
                if candidates == 0 {
                    return 0;
                }
                game.all_moves_lose(word as u64, candidates, losing)
            });
        };
        if parts.len() == 1 {
            parts.into_iter().enumerate().for_each(check);
        } else {
            parts.into_par_iter().enumerate().for_each(check);
        }
    }

    /// Settles what wins and what loses at `level`, which becomes the frontier.
    pub(crate) fn merge(&mut self, part_len: usize, level: u32) -> Tally {
        let mut planes = self.planes.as_mut().map(|planes| planes.parts(part_len, level));
        let sets = self.lost.parts(part_len).zip(self.won_next.parts(part_len));
        let known = self.open.chunks_mut(part_len).zip(self.won.chunks_mut(part_len));
        let parts: Vec<_> = sets
            .zip(known)
            .map(|((lost, won_next), (open, won))| Merge {
                lost,
                won_next,
                open,
                won,
                planes: planes.as_mut().and_then(Iterator::next),
            })
            .collect();
        let mut tally = Tally::default();
        if parts.len() == 1 {
            parts.into_iter().for_each(|part| tally += part.run());
        } else {
            let tallies: Vec<Tally> = parts.into_par_iter().map(Merge::run).collect();
            tallies.into_iter().for_each(|part| tally += part);
        }
        std::mem::swap(&mut self.won_now, &mut self.won_next);
        tally
    }
}

/// One part of a merge.
struct Merge<'a> {
    lost: SetPart<'a>,
    won_next: SetPart<'a>,
    open: &'a mut [u64],
    won: &'a mut [u64],
    planes: Option<PlanesPart<'a>>,
}

impl Merge<'_> {
    fn run(mut self) -> Tally {
        let mut tally = Tally::default();
        let (open, won, planes) = (self.open, self.won, &mut self.planes);
        self.won_next.update(|at, mask| {
            let wins = mask & open[at] & !won[at];
            if wins != 0 {
                open[at] &= !wins;
                won[at] |= wins;
                if let Some(planes) = planes {
                    planes.set(at, wins);
                }
                tally += Tally { wins: u64::from(wins.count_ones()), losses: 0, words: 1 };
            }
            wins
        });
        self.lost.update(|at, losses| {
            open[at] &= !losses;
            if let Some(planes) = planes {
                planes.set(at, losses);
            }
            tally += Tally { wins: 0, losses: u64::from(losses.count_ones()), words: 1 };
            losses
        });
        tally
    }
}

/// Visits that wait for the owner of another part.
#[derive(Clone, Default)]
struct Outbox {
    winning: Vec<Visit>,
    candidates: Vec<Visit>,
}

/// One part, and what it has to tell the others.
struct Worker<'a> {
    first: u64,
    part_len: u64,
    lost: SetPart<'a>,
    won: SetPart<'a>,
    won_next: SetPart<'a>,
    /// Candidates by moves that keep the turn, found while the lost set was not yet empty.
    kept: Vec<(u64, u64)>,
    /// For each part what it is owed; none if this is the only one.
    outboxes: Vec<Outbox>,
    /// How many more visits the outboxes may take before the worker pauses.
    room: usize,
    found: bool,
    done: bool,
}

/// Lets workers run until all are done, delivering what they have to tell each other in between.
fn in_waves(workers: &mut [Worker<'_>], run: impl Fn(&mut Worker<'_>) -> bool + Sync) {
    if let [worker] = workers {
        while !run(worker) {}
        return;
    }
    workers.iter_mut().for_each(|worker| worker.done = false);
    while !workers.iter().all(|worker| worker.done) {
        workers.par_iter_mut().filter(|worker| !worker.done).for_each(|worker| {
            worker.room = OUTBOX_MAX;
            worker.done = run(worker);
        });
        deliver(workers);
    }
}

/// Makes the visits that wait in outboxes, and empties them.
fn deliver(workers: &mut [Worker<'_>]) {
    let mut mail: Vec<Vec<Outbox>> =
        workers.iter_mut().map(|worker| std::mem::take(&mut worker.outboxes)).collect();
    workers.par_iter_mut().enumerate().for_each(|(to, worker)| {
        for outboxes in &mail {
            for &(at, mask) in &outboxes[to].winning {
                worker.found = true;
                assert!(worker.won_next.add(at as usize, mask), "{NO_SUCH_WORD}");
            }
            for &(at, mask) in &outboxes[to].candidates {
                worker.found = true;
                assert!(worker.lost.add(at as usize, mask), "{NO_SUCH_WORD}");
            }
        }
    });
    for (worker, outboxes) in workers.iter_mut().zip(&mut mail) {
        for outbox in outboxes.iter_mut() {
            outbox.winning.clear();
            outbox.candidates.clear();
        }
        worker.outboxes = std::mem::take(outboxes);
    }
}

const NO_SUCH_WORD: &str = "predecessors_of visits a word beyond the last state";

impl Worker<'_> {
    fn propagate_lost<G: Words>(&mut self, game: &G) -> bool {
        let Worker { first, part_len, lost, won_next, kept, outboxes, room, found, .. } = self;
        lost.drain(|at, mask| {
            game.predecessors_of(*first + at as u64, mask, |word, mask, keeps_turn| {
                if keeps_turn {
                    kept.push((word, mask));
                    return;
                }
                *found = true;
                if !won_next.add(word.wrapping_sub(*first) as usize, mask) {
                    let (outbox, at) = address(outboxes, *part_len, word);
                    outbox.winning.push((at, mask));
                    *room = room.saturating_sub(1);
                }
            });
            if *room == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    fn propagate_won<G: Words>(&mut self, game: &G) -> bool {
        let Worker { first, part_len, lost, won, won_next, outboxes, room, found, .. } = self;
        won.drain(|at, mask| {
            game.predecessors_of(*first + at as u64, mask, |word, mask, keeps_turn| {
                *found = true;
                let set = if keeps_turn { &mut *won_next } else { &mut *lost };
                if !set.add(word.wrapping_sub(*first) as usize, mask) {
                    let (outbox, at) = address(outboxes, *part_len, word);
                    let visits =
                        if keeps_turn { &mut outbox.winning } else { &mut outbox.candidates };
                    visits.push((at, mask));
                    *room = room.saturating_sub(1);
                }
            });
            if *room == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    fn propagate_kept(&mut self) -> bool {
        while let Some((word, mask)) = self.kept.pop() {
            self.found = true;
            if !self.lost.add(word.wrapping_sub(self.first) as usize, mask) {
                let (outbox, at) = address(&mut self.outboxes, self.part_len, word);
                outbox.candidates.push((at, mask));
                self.room = self.room.saturating_sub(1);
                if self.room == 0 {
                    return false;
                }
            }
        }
        true
    }
}

/// The outbox of the part that holds a word, and the word's place there.
fn address(outboxes: &mut [Outbox], part_len: u64, word: u64) -> (&mut Outbox, u32) {
    let (part, at) = (word / part_len, word % part_len);
    (outboxes.get_mut(part as usize).expect(NO_SUCH_WORD), at as u32)
}
