//! `--list`: every state that is not void, one a line.

use std::fmt::Write as _;
use std::io::Write;

use rayon::prelude::*;
use retrograde::{Outcome, Probe, Value};
use retrograde_games::Show;

use crate::answers::unanswered;
use crate::failure::Failure;

/// Lines are made in runs of so many states, several at a time, and written in order.
const RUN: u64 = 1 << 13;

/// Writes the list: the state's text, its value, its distance or `-`, with tabs between.
pub(crate) fn list<G: Show, P: Probe>(
    game: &G,
    values: &P,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let runs = game.states().div_ceil(RUN);
    let runs_at_once = 4 * rayon::current_num_threads() as u64;
    for first in (0..runs).step_by(runs_at_once as usize) {
        let batch = (first..runs.min(first + runs_at_once)).into_par_iter();
        let texts: Result<Vec<String>, Failure> =
            batch.map(|run| lines(game, values, run)).collect();
        for text in texts? {
            out.write_all(text.as_bytes())?;
        }
    }
    Ok(())
}

fn lines<G: Show, P: Probe>(game: &G, values: &P, run: u64) -> Result<String, Failure> {
    let mut text = String::new();
    for state in run * RUN..game.states().min((run + 1) * RUN) {
        let value = values.probe(state).map_err(unanswered)?;
        let Some(value) = value else { continue };
        text += &game.text(state);
        text.push('\t');
        text += word(value);
        text.push('\t');
        match distance(value, values.has_distances()) {
            // Writing into a string cannot fail.
            Some(distance) => _ = write!(text, "{distance}"),
            None => text.push('-'),
        }
        text.push('\n');
    }
    Ok(text)
}

/// `win`, `loss` or `draw`.
pub(crate) fn word(value: Value) -> &'static str {
    match value.outcome() {
        Outcome::Win => "win",
        Outcome::Loss => "loss",
        Outcome::Draw => "draw",
    }
}

/// The distance of a value, where it has one and distances were kept.
pub(crate) fn distance(value: Value, kept: bool) -> Option<u32> {
    value.distance().filter(|_| kept)
}
