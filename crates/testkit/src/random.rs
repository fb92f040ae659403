//! Random games, the same for the same seed. They have cycles, parallel moves, self-loops, terminal and
//! invalid states, exits, and moves that keep the turn. Each game first draws its own proportions, so every
//! mixture occurs, also with shares of 0.

use crate::{Plain, Rng};
use retrograde::{Game, Status, Value};
use std::ops::Range;

/// The proportions of a game, in per cent unless a comment says otherwise.
struct Mix {
    invalid: u64,
    terminal: u64,
    /// The share of draws among terminal states and exits.
    drawn: u64,
    exit: u64,
    kept: u64,
    /// The most moves of a state.
    moves_max: u64,
    /// Moves to one of the three valid states before. They make long lines of play.
    downward: u64,
    /// For each value, one of these numbers is the bound for its distance.
    distances: &'static [u64],
}

impl Mix {
    fn draw(rng: &mut Rng) -> Self {
        Mix {
            invalid: rng.pick(&[0, 0, 10, 40]),
            terminal: rng.pick(&[0, 5, 20, 60]),
            drawn: rng.pick(&[0, 20, 60]),
            exit: rng.pick(&[0, 0, 5, 20, 60]),
            kept: rng.pick(&[0, 0, 10, 50, 100]),
            moves_max: rng.pick(&[1, 2, 3, 4, 8]),
            downward: rng.pick(&[0, 50, 95]),
            distances: rng.pick(&[&[1][..], &[1, 4], &[1, 4, 16], &[4, 300], &[1, 4, 300, 70_000]]),
        }
    }
}

/// A random game. Its number of states is in this range.
pub fn game(seed: u64, states: Range<u64>) -> Plain {
    let mut rng = Rng::new(seed);
    let count = rng.within(states);
    let mix = Mix::draw(&mut rng);
    let mut game = Plain::new((0..count).map(|_| status(&mut rng, &mix)).collect());
    let ends = game.states_where(|status| status != Status::Invalid);
    for (rank, &from) in ends.iter().enumerate() {
        if game.statuses[from as usize] != Status::Open {
            continue;
        }
        for _ in 0..rng.below(mix.moves_max + 1) {
            let below = rank > 0 && rng.chance(mix.downward);
            let to = if below {
                rank - 1 - rng.below(3.min(rank as u64)) as usize
            } else {
                rng.below(ends.len() as u64) as usize
            };
            let parallel = rng.pick(&[1, 1, 1, 1, 1, 1, 2, 3]);
            for _ in 0..parallel {
                game.connect(from, ends[to]);
            }
            if rng.chance(mix.kept) {
                game.kept.insert((from, ends[to]));
            }
        }
        while rng.chance(mix.exit) {
            game.exits[from as usize].push(value(&mut rng, &mix, 1));
        }
    }
    blur(&mut game, &mut rng);
    game
}

/// A small game of 0 to 40 states. A test takes ten thousand of them.
pub fn small(seed: u64) -> Plain {
    game(seed, 0..41)
}

fn status(rng: &mut Rng, mix: &Mix) -> Status {
    if rng.chance(mix.invalid) {
        Status::Invalid
    } else if rng.chance(mix.terminal) {
        Status::Terminal(value(rng, mix, 0))
    } else {
        Status::Open
    }
}

fn value(rng: &mut Rng, mix: &Mix, distance_min: u64) -> Value {
    let bound = rng.pick(mix.distances);
    let distance = (distance_min + rng.below(bound)) as u32;
    if rng.chance(mix.drawn) {
        Value::Draw
    } else if rng.chance(50) {
        Value::Win(distance)
    } else {
        Value::Loss(distance)
    }
}

/// A value for a player who cannot move.
pub(crate) fn stuck(rng: &mut Rng) -> Option<Value> {
    let others = [Value::Win(0), Value::Draw, Value::Loss(0), Value::Win(3), Value::Loss(2)];
    if rng.chance(50) { None } else { Some(rng.pick(&others)) }
}

/// Also varies what the contract leaves open: the order of backward moves, backward moves to states that are
/// not open, and a bound on the degree that is missing, exact or far too large.
fn blur(game: &mut Plain, rng: &mut Rng) {
    let closed = game.states_where(|status| status != Status::Open);
    if !closed.is_empty() && rng.chance(50) {
        for _ in 0..1 + game.states() / 4 {
            let to = rng.below(game.states()) as usize;
            if game.statuses[to] != Status::Invalid {
                game.backward_moves[to].push(rng.pick(&closed));
            }
        }
    }
    for backward_moves in &mut game.backward_moves {
        for last in (1..backward_moves.len()).rev() {
            backward_moves.swap(last, rng.below(last as u64 + 1) as usize);
        }
    }
    let degree = game.degree_largest();
    game.degree_max = rng.pick(&[
        None,
        None,
        Some(degree),
        Some(degree + 1),
        Some(degree + 250),
        Some(degree + 70_000),
    ]);
    game.stuck = stuck(rng);
}
