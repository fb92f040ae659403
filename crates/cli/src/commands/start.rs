//! The value and the best moves of a state: the start of play, or the requested state.

use std::cmp::Ordering;
use std::io::Write;

use retrograde::Value;
use retrograde_catalog::{CompiledGame, State, Values};
use retrograde_positions::Move;

use crate::report::list::distance;
use crate::report::start::{StartOf, StateReport};
use crate::report::verdict::side_of;
use crate::term::failure::{Failure, input};
use crate::term::number::grouped;

/// A state with the value of its best moves.
pub(crate) struct Start {
    pub(crate) state: State,
    pub(crate) value: Value,
    /// The value of its best moves; `None` if there is no move.
    best: Option<Value>,
    /// How many best moves there are.
    count: u64,
}

impl Start {
    /// Looks at the state and its moves. `None` if the number is no state.
    pub(crate) fn new(
        game: &dyn CompiledGame,
        values: &dyn Values,
        state: State,
    ) -> Result<Option<Start>, Failure> {
        let found = match game.number(&state) {
            Ok(number) => values.probe(number).map_err(input)?,
            Err(value) => Some(value),
        };
        let Some(value) = found else { return Ok(None) };
        let mut start = Start { state, value, best: None, count: 0 };
        each_move(game, values, &start.state.clone(), |_, value| {
            let order = |best: Value| value.cmp(&best);
            match start.best.map_or(Ordering::Greater, order) {
                Ordering::Greater => (start.best, start.count) = (Some(value), 1),
                Ordering::Equal => start.count += 1,
                Ordering::Less => {}
            }
            Ok(())
        })?;
        Ok(Some(start))
    }

    /// Visits the best moves with their number.
    pub(crate) fn each_best(
        &self,
        game: &dyn CompiledGame,
        values: &dyn Values,
        mut visit: impl FnMut(u64, &Move<State>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut place = 0;
        each_move(game, values, &self.state, |step, value| {
            if Some(value) != self.best {
                return Ok(());
            }
            place += 1;
            visit(place - 1, step)
        })
    }

    /// The report, with the states after the best moves as text.
    pub(crate) fn report(
        &self,
        game: &dyn CompiledGame,
        values: &dyn Values,
    ) -> Result<StateReport, Failure> {
        let mut best = Vec::new();
        self.each_best(game, values, |_, step| {
            best.push(game.write(&step.next));
            Ok(())
        })?;
        let Start { state, value, .. } = self;
        let value = *value;
        let distance = distance(value, values.has_distances());
        Ok(StateReport {
            state: game.write(state),
            side: side_of(game, state).to_owned(),
            value,
            distance,
            best,
        })
    }

    /// The JSON form.
    pub(crate) fn object<'a>(
        &'a self,
        game: &'a dyn CompiledGame,
        values: &'a dyn Values,
    ) -> StartOf<'a> {
        let distance = distance(self.value, values.has_distances());
        StartOf::new(game.write(&self.state), self.value, distance, |visit| {
            self.each_best(game, values, |_, step| visit(&game.write(&step.next)))
        })
    }

    /// Prints the best moves and the states after them, one per line; only the first few if there are many.
    pub(crate) fn write_best(
        &self,
        game: &dyn CompiledGame,
        values: &dyn Values,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        const SHOWN: u64 = 8;
        self.each_best(game, values, |place, step| {
            let head = if place == 0 { "best" } else { "" };
            let (name, after) = (&step.name, game.write(&step.next));
            match place < SHOWN {
                true if *name == after => Ok(writeln!(out, "{head:<10} {name}")?),
                true => Ok(writeln!(out, "{head:<10} {name:<6} {after}")?),
                false => Ok(()),
            }
        })?;
        if self.count > SHOWN {
            writeln!(out, "{:<10} and {} more", "", grouped(self.count - SHOWN))?;
        }
        Ok(())
    }
}

/// Visits the moves of a state with their values. Stores none of them.
fn each_move(
    game: &dyn CompiledGame,
    values: &dyn Values,
    state: &State,
    mut visit: impl FnMut(&Move<State>, Value) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut visited = Ok(());
    game.moves(state, &mut |step| {
        if visited.is_ok() {
            let value = game.number(&step.next).map_or_else(Ok, |number| value_of(values, number));
            visited = value.and_then(|value| visit(&step, value.after_move(step.keeps_turn)));
        }
    });
    visited
}

/// The value of a state that is not invalid.
fn value_of(values: &dyn Values, state: u64) -> Result<Value, Failure> {
    let value = values.probe(state).map_err(input)?;
    value
        .ok_or_else(|| Failure::Input(format!("state {state} is invalid; nothing is played there")))
}
