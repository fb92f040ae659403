//! Heaps and takes: players in turn take from one heap as many as the rules allow. Who takes last
//! wins, since who cannot move loses; [`Misere`](retrograde::Misere) turns that round.
//!
//! A state is the heaps read as digits, each in the base of its largest size plus one, so that a take is
//! a subtraction and all smaller positions are solved along with the one that was asked for.

use crate::{MOVES_MAX, ReadError, Show};
use retrograde::{Game, Retrograde, Status, Value};

/// How many one may take from a heap at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any number, from one up: the game of Nim.
    Any,
    /// One of these.
    Set(Vec<u32>),
}

/// The game on some heaps, and on all that can come of them.
#[derive(Clone, Debug)]
pub struct Take {
    heaps: Vec<Heap>,
    /// The allowed takes in ascending order, each once; `None` for any.
    takes: Option<Vec<u32>>,
    states: u64,
    degree_max: u32,
}

#[derive(Clone, Debug)]
struct Heap {
    size: u32,
    /// What one piece of this heap counts in the number of a state.
    weight: u64,
}

impl Take {
    /// The game that begins with heaps of these sizes.
    pub fn new(heaps: &[u32], takes: Takes) -> Result<Take, ReadError> {
        if heaps.is_empty() {
            return Err(ReadError::whole("no heaps: give at least one size, such as 15 or 3,5,7"));
        }
        let takes = match takes {
            Takes::Any => None,
            Takes::Set(mut set) => {
                set.sort_unstable();
                set.dedup();
                match set.first() {
                    None => {
                        return Err(ReadError::whole(
                            "no takes: allow at least one, such as 1,2,3, or any",
                        ));
                    }
                    Some(0) => {
                        return Err(ReadError::whole("a take of 0 is no move: leave it out"));
                    }
                    Some(_) => Some(set),
                }
            }
        };
        let mut game = Take { heaps: Vec::new(), takes, states: 1, degree_max: 0 };
        let mut degree = 0;
        for &size in heaps.iter().rev() {
            game.heaps.push(Heap { size, weight: game.states });
            degree += u64::from(game.takes_from(size));
            game.states = game.states.checked_mul(u64::from(size) + 1).ok_or_else(|| {
                ReadError::whole(
                    "these heaps have more than 2^64 positions: give fewer or smaller heaps",
                )
            })?;
        }
        game.heaps.reverse();
        match u32::try_from(degree).ok().filter(|degree| *degree <= MOVES_MAX) {
            Some(degree) => game.degree_max = degree,
            None => {
                let what =
                    "these heaps allow over four thousand million moves at once: give smaller ones";
                return Err(ReadError::whole(what));
            }
        }
        Ok(game)
    }

    /// How large each heap is in `state`.
    fn sizes(&self, state: u64) -> impl Iterator<Item = (&Heap, u32)> {
        let mut rest = state;
        self.heaps.iter().map(move |heap| {
            let size = (rest / heap.weight) as u32;
            rest %= heap.weight;
            (heap, size)
        })
    }

    /// How many moves a heap of this size allows.
    fn takes_from(&self, size: u32) -> u32 {
        match &self.takes {
            None => size,
            Some(set) => set.partition_point(|&take| take <= size) as u32,
        }
    }

    /// Visits every allowed take of at most `most`.
    fn takes(&self, most: u32, visit: impl FnMut(u32)) {
        match &self.takes {
            None => (1..=most).for_each(visit),
            Some(set) => set.iter().copied().take_while(|&take| take <= most).for_each(visit),
        }
    }
}

impl Game for Take {
    fn states(&self) -> u64 {
        self.states
    }

    fn status(&self, _state: u64, _exit: impl FnMut(Value)) -> Status {
        Status::Open
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        for (heap, size) in self.sizes(state) {
            self.takes(size, |take| visit(state - u64::from(take) * heap.weight));
        }
    }

    fn degree(&self, state: u64) -> u32 {
        self.sizes(state).map(|(_, size)| self.takes_from(size)).sum()
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.degree_max)
    }
}

impl Retrograde for Take {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        for (heap, size) in self.sizes(state) {
            self.takes(heap.size - size, |take| visit(state + u64::from(take) * heap.weight));
        }
    }
}

impl Show for Take {
    fn name(&self) -> &'static str {
        "take"
    }

    fn start(&self) -> Option<u64> {
        Some(self.states - 1)
    }

    fn text(&self, state: u64) -> String {
        self.sizes(state).map(|(_, size)| size.to_string()).collect::<Vec<_>>().join(",")
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        let sizes: Vec<&str> = text.split(',').collect();
        if sizes.len() != self.heaps.len() {
            let (named, heaps) = (sizes.len(), self.heaps.len());
            return Err(format!(
                "{text:?} names {named} heaps: name all {heaps}, separated by commas"
            ));
        }
        let mut state = 0;
        for (heap, text) in self.heaps.iter().zip(sizes) {
            let size = text.trim().parse::<u32>().ok().filter(|&size| size <= heap.size);
            let size = size.ok_or_else(|| {
                format!("{text:?} is no size of this heap: give 0 to {}", heap.size)
            })?;
            state += u64::from(size) * heap.weight;
        }
        Ok(state)
    }
}
