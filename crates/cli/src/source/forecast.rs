//! Estimates how long it takes to go through all moves of a game, and says so if it is long.
//!
//! The size of a board does not determine it: nine police on eight cells have thousands of moves in each of thousands
//! of states. So the program tries a few states.

use std::time::{Duration, Instant};

use retrograde::{Game, Status};
use retrograde_catalog::CompiledGame;

use crate::report::summary::states_named;
use crate::term::number::{grouped, rounded, time};
use crate::term::progress::note;
use crate::term::quiet::Quiet;

/// A message is printed for times longer than this.
const LONG: Duration = Duration::from_secs(10);

impl Quiet {
    /// Prints on a terminal how long it will take to go through the moves of each state `times` times, if
    /// that is long.
    pub(crate) fn forecast(self, game: &dyn CompiledGame, times: f64) {
        if !self.is_watched() {
            return;
        }
        let Some(Forecast { moves, seconds }) = forecast(game) else { return };
        let seconds = times * seconds;
        if seconds > LONG.as_secs_f64() {
            let (states, moves) = (grouped(states_named(game)), rounded(moves));
            let time = time(seconds);
            note(&format!(
                "note: {states} states of about {moves} moves each; this takes about {time}"
            ));
        }
    }
}

/// How many states of a game are valid, estimated from a few.
pub(crate) fn not_invalid(game: &dyn CompiledGame) -> u64 {
    const SAMPLES: u64 = 1 << 14;
    const PATIENCE: Duration = Duration::from_millis(50);
    let (rules, states) = (game.rules(), game.states());
    let began = Instant::now();
    let (mut tried, mut found) = (0u64, 0u64);
    for sample in 0..SAMPLES.min(states) {
        let invalid = rules.status(spread(sample, states)) == Status::Invalid;
        (tried, found) = (tried + 1, found + u64::from(!invalid));
        if began.elapsed() > PATIENCE {
            break;
        }
    }
    (states as f64 * found as f64 / tried.max(1) as f64).ceil() as u64
}

/// A state for each sample: spread over all, and out of step with the numbering.
fn spread(sample: u64, states: u64) -> u64 {
    (sample.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1) % states
}

/// The estimates for all states.
struct Forecast {
    /// How many moves a state has.
    moves: f64,
    /// How long it takes to go through all moves once.
    seconds: f64,
}

fn forecast(game: &dyn CompiledGame) -> Option<Forecast> {
    // The first time, code and board are not in the cache. In the million other calls they are.
    go_through(game);
    go_through(game)
}

fn go_through(game: &dyn CompiledGame) -> Option<Forecast> {
    const SAMPLES: u64 = 128;
    const PATIENCE: Duration = Duration::from_millis(50);
    let (rules, states) = (game.rules(), game.states());
    let began = Instant::now();
    let (mut tried, mut moves) = (0u64, 0u64);
    for sample in 0..SAMPLES.min(states) {
        rules.each_successor(spread(sample, states), |_| moves += 1);
        tried += 1;
        if began.elapsed() > PATIENCE {
            break;
        }
    }
    let share = states as f64 / tried.max(1) as f64;
    (tried > 0).then(|| Forecast {
        moves: moves as f64 / tried as f64,
        seconds: began.elapsed().as_secs_f64() * share,
    })
}
