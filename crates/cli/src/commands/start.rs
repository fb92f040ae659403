//! The value and the best moves of a state: the start of play, or the requested state.

use std::cmp::Ordering;
use std::io::Write;

use retrograde::{Status, Value};
use retrograde_catalog::{AnyGame, Values};

use crate::report::list::distance;
use crate::report::start::{StartOf, Told};
use crate::report::verdict::side_of;
use crate::source::answers::value_of;
use crate::term::failure::{Failure, input};
use crate::term::number::grouped;

/// A state with the value of its best moves.
pub(crate) struct Start {
    pub(crate) state: u64,
    pub(crate) value: Value,
    /// The value of its best moves; `None` if there is no move.
    best: Option<Value>,
    /// How many best moves there are.
    count: u64,
}

impl Start {
    /// Looks at the state and its moves. `None` if the number is no state.
    pub(crate) fn new(
        game: &dyn AnyGame,
        values: &dyn Values,
        state: u64,
    ) -> Result<Option<Start>, Failure> {
        let Some(value) = values.probe(state).map_err(input)? else { return Ok(None) };
        let mut start = Start { state, value, best: None, count: 0 };
        each_move(game, values, state, |_, value| {
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

    /// Visits the best moves with their number, and a function that gives the text of the state after the move.
    pub(crate) fn each_best(
        &self,
        game: &dyn AnyGame,
        values: &dyn Values,
        mut visit: impl FnMut(u64, &dyn Fn() -> String) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut place = 0;
        each_move(game, values, self.state, |to, value| {
            if Some(value) != self.best {
                return Ok(());
            }
            place += 1;
            visit(place - 1, &|| to.map_or("exit".to_owned(), |to| game.text(to)))
        })
    }

    /// The report, with the best moves as text.
    pub(crate) fn told(&self, game: &dyn AnyGame, values: &dyn Values) -> Result<Told, Failure> {
        let mut best = Vec::new();
        self.each_best(game, values, |_, to| {
            best.push(to());
            Ok(())
        })?;
        let Start { state, value, .. } = *self;
        let distance = distance(value, values.has_distances());
        Ok(Told {
            state: game.text(state),
            side: side_of(game, state).to_owned(),
            value,
            distance,
            best,
        })
    }

    /// The JSON form.
    pub(crate) fn object<'a>(
        &'a self,
        game: &'a dyn AnyGame,
        values: &'a dyn Values,
    ) -> StartOf<'a> {
        let distance = distance(self.value, values.has_distances());
        StartOf::new(game.text(self.state), self.value, distance, |visit| {
            self.each_best(game, values, |_, to| visit(&to()))
        })
    }

    /// Prints the best moves, one per line; only the first few if there are many.
    pub(crate) fn write_best(
        &self,
        game: &dyn AnyGame,
        values: &dyn Values,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        const SHOWN: u64 = 8;
        self.each_best(game, values, |place, to| {
            let head = if place == 0 { "best" } else { "" };
            match place < SHOWN {
                true => Ok(writeln!(out, "{head:<10} {}", to())?),
                false => Ok(()),
            }
        })?;
        if self.count > SHOWN {
            writeln!(out, "{:<10} and {} more", "", grouped(self.count - SHOWN))?;
        }
        Ok(())
    }
}

/// Visits the moves of a state with their values, exits first. Stores none of them.
fn each_move(
    game: &dyn AnyGame,
    values: &dyn Values,
    state: u64,
    mut visit: impl FnMut(Option<u64>, Value) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut visited = Ok(());
    if game.status(state) == Status::Open {
        game.exits(state, &mut |value| {
            if visited.is_ok() {
                visited = visit(None, value);
            }
        });
        game.successors(state, &mut |to| {
            if visited.is_ok() {
                visited = value_of(values, to).and_then(|value| {
                    visit(Some(to), value.after_move(game.keeps_turn(state, to)))
                });
            }
        });
    }
    visited
}
