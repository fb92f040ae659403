//! Random games, the same for the same seed: cycles, parallel moves, self-loops, finals, voids, exits, kept
//! turns. Each game draws its own proportions first, so that every mixture occurs, the empty ones included.

use crate::{Plain, Rng};
use retrograde::{Game, Status, Value};
use std::ops::Range;

/// The proportions of a game, in per cent where nothing else is said.
struct Mix {
    void: u64,
    final_: u64,
    /// Of the finals and exits, how many draw.
    drawn: u64,
    exit: u64,
    kept: u64,
    /// Moves a state has at most.
    moves_max: u64,
    /// Moves that go to a state close by and below, which makes long lines of play.
    downward: u64,
    /// Distances are drawn below one of these.
    distances: &'static [u64],
}

impl Mix {
    fn draw(rng: &mut Rng) -> Self {
        Mix {
            void: rng.pick(&[0, 0, 10, 40]),
            final_: rng.pick(&[0, 5, 20, 60]),
            drawn: rng.pick(&[0, 20, 60]),
            exit: rng.pick(&[0, 0, 5, 20, 60]),
            kept: rng.pick(&[0, 0, 10, 50, 100]),
            moves_max: rng.pick(&[1, 2, 3, 4, 8]),
            downward: rng.pick(&[0, 50, 95]),
            distances: rng.pick(&[&[1][..], &[1, 4], &[1, 4, 16], &[4, 300], &[1, 4, 300, 70_000]]),
        }
    }
}

/// A game of so many states, all else random.
pub fn game(seed: u64, states: Range<u64>) -> Plain {
    let mut rng = Rng::new(seed);
    let count = rng.within(states);
    let mix = Mix::draw(&mut rng);
    let mut game = Plain::new((0..count).map(|_| status(&mut rng, &mix)).collect());
    let ends = game.states_where(|status| status != Status::Void);
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

/// The small games of which a test takes ten thousand: 0 to 40 states.
pub fn small(seed: u64) -> Plain {
    game(seed, 0..41)
}

fn status(rng: &mut Rng, mix: &Mix) -> Status {
    if rng.chance(mix.void) {
        Status::Void
    } else if rng.chance(mix.final_) {
        Status::Final(value(rng, mix, 0))
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

/// What the contract leaves open is drawn as well: backward moves in any order, backward moves to states that are not
/// open, and a bound on the degree that is missing, exact or far too large.
fn blur(game: &mut Plain, rng: &mut Rng) {
    let closed = game.states_where(|status| status != Status::Open);
    if !closed.is_empty() && rng.chance(50) {
        for _ in 0..1 + game.states() / 4 {
            let to = rng.below(game.states()) as usize;
            if game.statuses[to] != Status::Void {
                game.unmoves[to].push(rng.pick(&closed));
            }
        }
    }
    for unmoves in &mut game.unmoves {
        for last in (1..unmoves.len()).rev() {
            unmoves.swap(last, rng.below(last as u64 + 1) as usize);
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
}
