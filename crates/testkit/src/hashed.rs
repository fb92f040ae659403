//! Random graphs of any size of which nothing is stored: a state is hashed to find what the rules say of it and where its
//! moves lead. All that games may have occurs: voids, finals near and far, final draws, exits, kept turns, parallel
//! moves, loops.

use crate::Rng;
use retrograde::{Game, Status, Value};

/// A random graph. Shares are in a hundred.
#[derive(Clone, Copy, Debug)]
pub struct Hashed {
    /// How many states.
    pub states: u64,
    /// Which of the graphs of this kind.
    pub seed: u64,
    /// States have from none to so many moves.
    pub moves_max: u64,
    /// Moves that lead to one of the 256 states below, which makes long lines of play.
    pub downward: u64,
    /// States that are void.
    pub void: u64,
    /// States that are final.
    pub final_: u64,
    /// States with an exit, and of those with one the states with another.
    pub exit: u64,
    /// Moves that keep the turn.
    pub kept: u64,
}

/// Of finals and exits, how many draw.
const DRAWN: u64 = 30;

impl Hashed {
    /// A graph of so many states, all else drawn.
    pub fn draw(seed: u64, states: u64) -> Hashed {
        let mut rng = Rng::new(seed);
        Hashed {
            states,
            seed,
            moves_max: rng.within(2..7),
            downward: rng.pick(&[0, 50, 99]),
            void: rng.pick(&[0, 10, 40]),
            final_: rng.pick(&[3, 10, 20]),
            exit: rng.pick(&[1, 5, 20]),
            kept: rng.pick(&[1, 10, 50]),
        }
    }

    /// The numbers of a state: `salt` tells those for one purpose from those for another.
    fn rng(&self, state: u64, salt: u64) -> Rng {
        Rng::new(Rng::new(self.seed ^ salt << 56).bits() ^ Rng::new(state).bits())
    }

    fn is_void(&self, state: u64) -> bool {
        self.rng(state, 1).chance(self.void)
    }
}

impl Game for Hashed {
    fn states(&self) -> u64 {
        self.states
    }

    fn status(&self, state: u64) -> Status {
        let mut rng = self.rng(state, 1);
        if rng.chance(self.void) {
            return Status::Void;
        }
        if rng.chance(self.final_) {
            return Status::Final(value(&mut rng, 0));
        }
        Status::Open
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        let mut rng = self.rng(state, 1);
        // The same numbers as its status is drawn from, which has left it open.
        let _ = rng.chance(self.void) || rng.chance(self.final_);
        while rng.chance(self.exit) {
            visit(value(&mut rng, 1));
        }
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let mut rng = self.rng(state, 2);
        for _ in 0..rng.below(self.moves_max + 1) {
            let below = rng.chance(self.downward);
            let by = if below { 1 + rng.below(256) } else { rng.below(self.states) };
            let mut to = (state + self.states - by % self.states) % self.states;
            while self.void > 0 && self.is_void(to) {
                to = (to + 1) % self.states;
            }
            (0..rng.pick(&[1, 1, 1, 2])).for_each(|_| visit(to));
        }
    }

    /// Parallel moves double what is drawn.
    fn degree_max(&self) -> Option<u32> {
        Some(self.moves_max as u32 * 2)
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.rng(from ^ to << 32, 3).chance(self.kept)
    }
}

/// Most values are near, some beyond a byte, a few beyond two.
fn value(rng: &mut Rng, distance_min: u64) -> Value {
    let bound = rng.pick(&[1, 1, 1, 1, 4, 4, 4, 16, 16, 300, 70_000]);
    let distance = (distance_min + rng.below(bound)) as u32;
    match rng.below(100) {
        below if below < DRAWN => Value::Draw,
        below if below % 2 == 0 => Value::Win(distance),
        _ => Value::Loss(distance),
    }
}
