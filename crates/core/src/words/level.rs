//! One level in sets: check, then merge.
//!
//! What has just lost tells the states with a move into it that they win; the masks gather, word by word. What has
//! just won only marks the words with a move into it, and their open states are then checked: a state
//! none of whose moves leads anywhere but into won ones has lost. Nothing is written that a check
//! reads, so neither the order of words matters nor who looks at them. When all are done, the new values are
//! merged, and at once tell and mark what the next level has to look at.
//!
//! Over threads, each has words of its own to check and to merge. Only the masks and marks of the next
//! level are written by all, and they are sets that only grow.

use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::Words;
use super::marks::{Marks, add_bits, take, zeros};
use super::planes::{Planes, PlanesPart};

/// What is known of every state, and the sets of the level.
pub(crate) struct Arrays {
    /// The open states; the void ones too, which are recognised by being won as well.
    pub(crate) open: Vec<u64>,
    /// The states that a move should better not lead to: won, or void.
    pub(crate) won: Vec<u64>,
    /// The distances, if they are kept.
    pub(crate) planes: Option<Planes>,
    /// What loses at the level under way; empty between levels.
    pub(crate) losses: Vec<u64>,
    /// The words that lose something.
    pub(crate) losing: Marks,
    /// States that some exit keeps from losing, where there are any.
    pub(crate) barred: Vec<u64>,
    /// Final draws, and finals whose level has not come yet, where there are any.
    pub(crate) fixed: Vec<u64>,
    /// What may settle at the level under way, and at the next.
    pub(crate) now: Told,
    pub(crate) next: Told,
}

/// What a level has been told by the level before.
pub(crate) struct Told {
    /// States with a move that wins, among them some that have settled or never will.
    pub(crate) wins: Vec<AtomicU64>,
    /// The words that hold such.
    pub(crate) winning: Marks,
    /// The words with a state one of whose moves has just become known to lose.
    pub(crate) may_lose: Marks,
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

impl Told {
    fn new(words: usize) -> Told {
        Told { wins: zeros(words), winning: Marks::new(words), may_lose: Marks::new(words) }
    }

    /// Tells what follows for the next level from new values of a word.
    #[inline(always)]
    pub(crate) fn tell<const SHARED: bool, G: Words>(
        &self,
        game: &G,
        word: usize,
        wins: u64,
        losses: u64,
    ) {
        // A move wins that leaves the opponent lost, or keeps the turn and leaves the mover won.
        if losses != 0 {
            game.predecessors_of(word as u64, losses, |word, states, keeps_turn| {
                self.tell_word::<SHARED>(word as usize, states, !keeps_turn);
            });
        }
        if wins != 0 {
            game.predecessors_of(word as u64, wins, |word, states, keeps_turn| {
                self.tell_word::<SHARED>(word as usize, states, keeps_turn);
            });
        }
    }

    #[inline(always)]
    fn tell_word<const SHARED: bool>(&self, word: usize, states: u64, winning: bool) {
        if winning {
            add_bits::<SHARED>(&self.wins[word], states);
            self.winning.add::<SHARED>(word);
        } else {
            self.may_lose.add::<SHARED>(word);
        }
    }
}

impl Arrays {
    /// Arrays for so many words, in which every state is lost.
    pub(crate) fn new(words: usize, distances: bool) -> Arrays {
        Arrays {
            open: vec![0; words],
            won: vec![0; words],
            planes: distances.then(|| Planes::new(words)),
            losses: vec![0; words],
            losing: Marks::new(words),
            barred: Vec::new(),
            fixed: Vec::new(),
            now: Told::new(words),
            next: Told::new(words),
        }
    }

    /// What arrays for so many words take.
    pub(crate) fn bytes(words: u64, distances: bool) -> u64 {
        5 * 8 * words + 5 * Marks::bytes(words) + if distances { 64 * words } else { 0 }
    }

    pub(crate) fn words(&self) -> usize {
        self.open.len()
    }

    /// Finds what loses at the level under way.
    pub(crate) fn check<G: Words>(&mut self, game: &G, part_len: usize) {
        let Arrays { open, won, losses, losing, barred, fixed, now, .. } = self;
        let (open, won, losing, now) = (&*open, &*won, &*losing, &*now);
        let in_word = |set: &Vec<u64>, word: usize| set.get(word).copied().unwrap_or(0);
        let lost_moves = |word: u64, keeps_turn: bool| {
            let word = word as usize;
            if keeps_turn {
                let (open, won) = (open[word], won[word]);
                !(open | won | in_word(fixed, word)) | (open & won)
            } else {
                // Beyond the last word there is nothing but void states.
                won.get(word).copied().unwrap_or(!0)
            }
        };
        let check = |(i, losses): (usize, &mut [u64])| {
            let first = i * part_len;
            now.may_lose.drain(first..first + losses.len(), |word| {
                let wins = now.wins[word].load(Relaxed);
                let states = open[word] & !won[word] & !wins & !in_word(barred, word);
                if states == 0 {
                    return;
                }
                let lost = game.all_moves_into(word as u64, states, lost_moves);
                if lost != 0 {
                    losses[word - first] = lost;
                    losing.add::<false>(word);
                }
            });
        };
        let parts = losses.chunks_mut(part_len).enumerate();
        if part_len >= open.len() {
            parts.for_each(check);
        } else {
            parts.collect::<Vec<_>>().into_par_iter().for_each(check);
        }
    }

    /// Settles what wins and what loses at `level`, and tells the next.
    pub(crate) fn merge<G: Words>(&mut self, game: &G, part_len: usize, level: u32) -> Tally {
        let Arrays { open, won, planes, losses, losing, now, next, .. } = self;
        let words = open.len();
        let mut planes = planes.as_mut().map(|planes| planes.parts(part_len, level));
        let known = open.chunks_mut(part_len).zip(won.chunks_mut(part_len));
        let parts =
            known.zip(losses.chunks_mut(part_len)).enumerate().map(|(i, ((open, won), losses))| {
                Merge {
                    first: i * part_len,
                    open,
                    won,
                    losses,
                    losing,
                    planes: planes.as_mut().and_then(Iterator::next),
                    now,
                    next,
                }
            });
        let mut tally = Tally::default();
        if part_len >= words {
            parts.for_each(|part| tally += part.run::<false, G>(game));
        } else {
            let parts: Vec<_> = parts.collect();
            let tallies: Vec<Tally> =
                parts.into_par_iter().map(|part| part.run::<true, G>(game)).collect();
            tallies.into_iter().for_each(|part| tally += part);
        }
        std::mem::swap(now, next);
        tally
    }
}

/// One part of a merge.
struct Merge<'a> {
    first: usize,
    open: &'a mut [u64],
    won: &'a mut [u64],
    losses: &'a mut [u64],
    losing: &'a Marks,
    planes: Option<PlanesPart<'a>>,
    now: &'a Told,
    next: &'a Told,
}

impl Merge<'_> {
    fn run<const SHARED: bool, G: Words>(self, game: &G) -> Tally {
        let Merge { first, open, won, losses, losing, mut planes, now, next } = self;
        let mut tally = Tally::default();
        now.winning.drain_both(losing, first..first + open.len(), |word, may_win, may_lose| {
            let at = word - first;
            let mut wins = 0;
            if may_win {
                wins = take(&now.wins[word]) & open[at] & !won[at];
            }
            let mut lost = 0;
            if may_lose {
                lost = std::mem::take(&mut losses[at]);
            }
            let settled = wins | lost;
            if settled == 0 {
                return;
            }
            open[at] &= !settled;
            won[at] |= wins;
            if let Some(planes) = &mut planes {
                planes.set_later(at, settled);
            }
            tally += Tally {
                wins: u64::from(wins.count_ones()),
                losses: u64::from(lost.count_ones()),
                words: 1,
            };
            next.tell::<SHARED, G>(game, word, wins, lost);
        });
        if let Some(planes) = &mut planes {
            planes.set_now();
        }
        tally
    }
}
