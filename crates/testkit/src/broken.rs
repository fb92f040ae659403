//! Games with one wrong backward move, and solutions with one wrong value: `audit` and `verify` must find
//! them.

use crate::{Plain, Rng};
use retrograde::bit_parallel::{BitParallel, Keys, Singles, WordKeys, WordStatus};
use retrograde::{Game, Predecessors, Probe, Status, Value, forward};
use std::convert::Infallible;
use std::ops::{Deref, Range};

/// The mistakes an embedder makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A backward move is missing.
    Dropped,
    /// A backward move leads to a state that has no such move.
    Added,
    /// A backward move leads to the wrong state.
    Redirected,
    /// The same backward move twice.
    Doubled,
    /// A successor is visited once more than there are moves.
    SuccessorDoubled,
}

/// All mistakes.
pub const MISTAKES: [Mistake; 5] = [
    Mistake::Dropped,
    Mistake::Added,
    Mistake::Redirected,
    Mistake::Doubled,
    Mistake::SuccessorDoubled,
];

/// Makes one mistake in the game. Returns the moves `(from, to)` on which the two directions now disagree. If
/// the game has no place for the mistake, the list is empty and the game is unchanged.
pub fn misprint(game: &mut Plain, mistake: Mistake, seed: u64) -> Vec<(u64, u64)> {
    let mut rng = Rng::new(seed);
    let open = game.states_where(|status| status == Status::Open);
    let ends = game.states_where(|status| status != Status::Invalid);
    let moves: Vec<(u64, u64)> = open
        .iter()
        .flat_map(|&from| game.moves[from as usize].iter().map(move |&to| (from, to)))
        .collect();
    if open.is_empty() || (moves.is_empty() && mistake != Mistake::Added) {
        return vec![];
    }
    let (from, to) = if moves.is_empty() { (0, 0) } else { rng.pick(&moves) };
    let stranger = rng.pick(&open);
    let backward_moves = &mut game.backward_moves[to as usize];
    let place = backward_moves.iter().position(|&state| state == from);
    match mistake {
        Mistake::Dropped => {
            backward_moves.remove(place.expect("every move has its backward move"));
            vec![(from, to)]
        }
        Mistake::Added => {
            let to = rng.pick(&ends);
            game.backward_moves[to as usize].push(stranger);
            vec![(stranger, to)]
        }
        Mistake::Redirected if stranger == from => vec![],
        Mistake::Redirected => {
            backward_moves[place.expect("every move has its backward move")] = stranger;
            vec![(from, to), (stranger, to)]
        }
        Mistake::Doubled => {
            backward_moves.push(from);
            vec![(from, to)]
        }
        Mistake::SuccessorDoubled => {
            game.moves[from as usize].push(to);
            vec![(from, to)]
        }
    }
}

/// A game that is right about one state at a time. If a caller asks about many states at once, one method is
/// wrong about the state `wrong`.
#[derive(Clone, Debug)]
pub struct WrongForMany {
    /// The game.
    pub game: Plain,
    /// The method that is wrong. Some can be wrong in several ways: see
    /// [`IN_MANY_WAYS`](WrongForMany::IN_MANY_WAYS).
    pub method: &'static str,
    /// The state that it is wrong about.
    pub wrong: u64,
}

impl WrongForMany {
    /// The mistakes of `classify_words` about a state. It puts the state into wrong sets, adds an exit, or
    /// does not visit its word.
    pub const IN_MANY_WAYS: [&str; 8] = [
        "classify_words: invalid",
        "classify_words: won",
        "classify_words: special",
        "classify_words: won and lost",
        "classify_words: invalid and won",
        "classify_words: invalid and special",
        "classify_words: an exit",
        "classify_words: nothing",
    ];

    fn errs_about(&self, method: &str, state: u64) -> bool {
        self.method == method && self.wrong == state
    }
}

impl Game for WrongForMany {
    forward!(Game for wrong => wrong.game; but degree classify invalid_states degree_max);

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.game.classify(states, |state, status, degree, exits| {
            visit(state, status, degree + u32::from(self.errs_about("classify", state)), exits);
        });
    }

    fn invalid_states(&self, word: u64) -> u64 {
        let errs = self.method == "invalid_states" && word == self.wrong / 64;
        self.game.invalid_states(word) ^ u64::from(errs) << (self.wrong % 64)
    }
}

impl Predecessors for WrongForMany {
    forward!(Predecessors for wrong => wrong.game; but prefetch predecessors_of_each);

    fn predecessors_of_each(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        self.game.predecessors_of_each(first, set, |state, from| {
            if !self.errs_about("predecessors_of_each", state) {
                visit(state, from);
            }
        });
    }
}

impl BitParallel for WrongForMany {
    fn classify_words(
        &self,
        words: Range<u64>,
        mut visit: impl FnMut(u64, WordStatus, Singles<'_>),
    ) {
        self.game.classify_words(words, |word, mut status, singles| {
            let way =
                self.method.strip_prefix("classify_words").filter(|_| word == self.wrong / 64);
            let Some(way) = way else { return visit(word, status, singles) };
            let (bit, Singles { terminals, exits }) = (1 << (self.wrong % 64), singles);
            let sets = [
                ("invalid", &mut status.invalid),
                ("won", &mut status.won),
                ("lost", &mut status.lost),
                ("special", &mut status.special),
            ];
            for (name, set) in sets {
                if way.contains(name) || way.is_empty() && name == "lost" {
                    *set ^= bit;
                }
            }
            match way {
                ": nothing" => {}
                ": an exit" => {
                    let exits = [exits, &[(bit, Value::Win(1_000_000))]].concat();
                    visit(word, status, Singles { terminals, exits: &exits });
                }
                _ => visit(word, status, singles),
            }
        });
    }

    fn predecessors_of_set(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        self.game.predecessors_of_set(word, set, |from, mask, keeps_turn| {
            let errs = self.method == "predecessors_of_set" && from == self.wrong / 64;
            visit(from, if errs { mask & !(1 << (self.wrong % 64)) } else { mask }, keeps_turn);
        });
    }

    fn all_moves_into(&self, word: u64, states: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        let found = self.game.all_moves_into(word, states, target);
        let errs = self.method == "all_moves_into" && word == self.wrong / 64;
        if errs { found ^ (states & 1 << (self.wrong % 64)) } else { found }
    }

    fn predecessors_of_run(
        &self,
        first: u64,
        words: u64,
        sets: &[u64; 64],
        mut visit: impl FnMut(u64, u64, bool),
    ) {
        self.game.predecessors_of_run(first, words, sets, |from, mask, keeps_turn| {
            let errs = self.method == "predecessors_of_run" && from == self.wrong / 64;
            visit(from, if errs { mask & !(1 << (self.wrong % 64)) } else { mask }, keeps_turn);
        });
    }

    fn all_moves_into_run(
        &self,
        first: u64,
        words: u64,
        sets: &mut [u64; 64],
        target: impl Fn(u64, bool) -> u64,
    ) {
        let asked = *sets;
        self.game.all_moves_into_run(first, words, sets, target);
        let (run, at) = ((self.wrong / 64) & !63, self.wrong as usize / 64 % 64);
        if self.method == "all_moves_into_run" && first == run {
            sets[at] ^= asked[at] & 1 << (self.wrong % 64);
        }
    }
}

impl WordKeys for WrongForMany {
    fn least_of_moves<K: Deref<Target = Keys>>(
        &self,
        word: u64,
        states: u64,
        keys: impl Fn(u64) -> K,
    ) -> Keys {
        let mut least = self.game.least_of_moves(word, states, keys);
        if self.method == "least_of_moves" && word == self.wrong / 64 {
            let least = &mut least[self.wrong as usize % 64];
            *least = least.turned();
        }
        least
    }
}

/// A solution as a list, for tests that change values.
#[derive(Clone, Debug)]
pub struct Values {
    /// The value of each state.
    pub values: Vec<Option<Value>>,
    /// Whether the values have distances.
    pub distances: bool,
}

impl Probe for Values {
    type Error = Infallible;

    fn states(&self) -> u64 {
        self.values.len() as u64
    }

    fn has_distances(&self) -> bool {
        self.distances
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, Infallible> {
        Ok(self.values[state as usize])
    }
}

/// A solution in which a function gives each value. It takes no memory.
#[derive(Clone, Copy, Debug)]
pub struct Computed {
    /// How many states there are.
    pub states: u64,
    /// The number that the function gets for state 0. The next state gets the next number.
    pub first: u64,
    /// The value of a state.
    pub value: fn(u64) -> Value,
}

impl Probe for Computed {
    type Error = Infallible;

    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        true
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, Infallible> {
        Ok(Some((self.value)(state.wrapping_add(self.first))))
    }
}

/// Every wrong value that is close to a right one.
pub fn corruptions(right: Option<Value>) -> Vec<Option<Value>> {
    let distance = right.and_then(Value::distance).unwrap_or(0);
    let mut wrong = vec![None, Some(Value::Draw)];
    for near in
        [distance.checked_sub(2), distance.checked_sub(1), Some(distance), Some(distance + 1)]
    {
        wrong.extend(near.map(|d| Some(Value::Win(d))));
        wrong.extend(near.map(|d| Some(Value::Loss(d))));
    }
    wrong.retain(|&value| value != right);
    wrong
}

/// The same value without its distance, as a solution without distances tells it.
pub fn without_distance(value: Value) -> Value {
    match value {
        Value::Loss(_) => Value::Loss(0),
        Value::Draw => Value::Draw,
        Value::Win(_) => Value::Win(0),
    }
}

/// How many moves the open states of the game have.
pub fn moves(game: &Plain) -> u64 {
    (0..game.states()).map(|state| game.moves[state as usize].len() as u64).sum()
}
