//! Random graphs of any size. Nothing is stored: the hash of a state gives its status and its moves.
//! Everything that games may have occurs: invalid states, terminal states near and far, terminal draws,
//! exits, moves that keep the turn, parallel moves, loops.

use std::ops::ControlFlow;

use crate::Rng;
use retrograde::{Game, Status, Value};

/// A random graph. Shares are percentages.
#[derive(Clone, Copy, Debug)]
pub struct Hashed {
    /// How many states.
    pub states: u64,
    /// The seed of the graph.
    pub seed: u64,
    /// A state has at most this number of moves, not counting parallel moves.
    pub moves_max: u64,
    /// Moves that lead to one of the 256 states with the next lower numbers. They make long lines of play.
    pub downward: u64,
    /// States that are invalid.
    pub invalid: u64,
    /// States that are terminal.
    pub terminal: u64,
    /// States with an exit. The same share of these has a second exit.
    pub exit: u64,
    /// Moves that keep the turn.
    pub kept: u64,
}

/// The share of draws among terminal states and exits.
const DRAWN: u64 = 30;

impl Hashed {
    /// A graph with this number of states, and with random shares.
    pub fn draw(seed: u64, states: u64) -> Hashed {
        let mut rng = Rng::new(seed);
        Hashed {
            states,
            seed,
            moves_max: rng.within(2..7),
            downward: rng.pick(&[0, 50, 99]),
            invalid: rng.pick(&[0, 10, 40]),
            terminal: rng.pick(&[3, 10, 20]),
            exit: rng.pick(&[1, 5, 20]),
            kept: rng.pick(&[1, 10, 50]),
        }
    }

    /// The random numbers of a state. Each purpose has its own `salt`.
    fn rng(&self, state: u64, salt: u64) -> Rng {
        Rng::new(Rng::new(self.seed ^ salt << 56).bits() ^ Rng::new(state).bits())
    }

    fn is_invalid(&self, state: u64) -> bool {
        self.rng(state, 1).chance(self.invalid)
    }
}

impl Game for Hashed {
    fn states(&self) -> u64 {
        self.states
    }

    fn status(&self, state: u64) -> Status {
        let mut rng = self.rng(state, 1);
        if rng.chance(self.invalid) {
            return Status::Invalid;
        }
        if rng.chance(self.terminal) {
            return Status::Terminal(value(&mut rng, 0));
        }
        Status::Open
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        let mut rng = self.rng(state, 1);
        // Skips the random numbers that `status` has used to find that the state is open.
        let _ = rng.chance(self.invalid) || rng.chance(self.terminal);
        while rng.chance(self.exit) {
            visit(value(&mut rng, 1));
        }
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut rng = self.rng(state, 2);
        for _ in 0..rng.below(self.moves_max + 1) {
            let below = rng.chance(self.downward);
            let by = if below { 1 + rng.below(256) } else { rng.below(self.states) };
            let mut to = (state + self.states - by % self.states) % self.states;
            while self.invalid > 0 && self.is_invalid(to) {
                to = (to + 1) % self.states;
            }
            (0..rng.pick(&[1, 1, 1, 2])).try_for_each(|_| visit(to))?;
        }
        ControlFlow::Continue(())
    }

    /// Parallel moves double the number of moves drawn.
    fn degree_max(&self) -> Option<u32> {
        Some(self.moves_max as u32 * 2)
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.rng(from ^ to << 32, 3).chance(self.kept)
    }
}

/// A random value. Most distances are short. Some do not fit in one byte, and a few do not fit in two bytes.
fn value(rng: &mut Rng, distance_min: u64) -> Value {
    let bound = rng.pick(&[1, 1, 1, 1, 4, 4, 4, 16, 16, 300, 70_000]);
    let distance = (distance_min + rng.below(bound)) as u32;
    match rng.below(100) {
        below if below < DRAWN => Value::Draw,
        below if below % 2 == 0 => Value::Win(distance),
        _ => Value::Loss(distance),
    }
}
