//! Finds the values that a table leaves out, from those in its file and from other tables.
//!
//! ```text
//! a state that the table keeps, if it leaves out values of exits: the better of its bound and its best exit
//! a state that the table does not keep: the value that the rules give, or else the value of its best move
//! ```
//!
//! An exit is a move that leaves the table. A *bound* is a value in the file that may be worse than the true
//! value. The first rule looks only at other tables. The second rule also looks at kept states of this table,
//! so it runs after the first.

use crate::Refusal;
use crate::proof::{Found, Place, Rules, check_states, each_run, wrong};
use crate::table::{DRAW, Number, Table};
use crate::values::{Asker, Unit, Values};

/// Finds all values of the first table. The other tables already have all values.
pub(crate) fn complete<R: Rules>(
    rules: &R,
    values: &Values,
    threads: usize,
) -> Result<Unit, Refusal> {
    let table = &values.tables[0].table;
    check_states(rules, table)?;
    let found = Unit::unpack(table, 0..table.states)?;
    for kept in [true, false] {
        if kept && !table.exits_forgotten {
            continue;
        }
        let start = || Completer { rules, table, asker: values.asker(), found: &found };
        each_run(rules, threads, start, |completer, run| completer.run(run, kept))?;
    }
    Ok(found)
}

/// The work of one thread.
struct Completer<'a, R> {
    rules: &'a R,
    table: &'a Table,
    asker: Asker<'a>,
    /// The values so far.
    found: &'a Unit,
}

impl<R: Rules> Completer<'_, R> {
    /// Completes the states of a run: the kept states, or the other states.
    fn run(&mut self, run: u64, kept: bool) -> Result<(), Refusal> {
        let (rules, states, mut done) = (self.rules, self.rules.run(run), Ok(()));
        rules.each(run, |position| match rules.place(position) {
            // If the number of a position lies outside this run, the proof refuses the position later.
            Place::Table(0, number)
                if states.contains(&number) && self.table.keeps(number) == kept && done.is_ok() =>
            {
                done = self.position(position, number as usize, kept);
            }
            _ => {}
        });
        done
    }

    fn position(&mut self, position: &R::Position, at: usize, kept: bool) -> Result<(), Refusal> {
        let Completer { rules, table, asker, found } = self;
        let bound = kept.then(|| found.get(at));
        let value = left_out(*rules, table, (position, 0, bound), |_, place| match place {
            Place::Known(value) => Ok(value),
            Place::Table(0, number) => Ok(found.get(number as usize)),
            Place::Table(table, number) => asker.value(table, number),
            Place::Nowhere => Ok(0),
        })?;
        match found.set(at, value) {
            true => Ok(()),
            false => {
                Err(wrong(*rules, table, position, "its distance is longer than the header says"))
            }
        }
    }
}

/// The value of a position of a table that leaves it out, or has only a bound. `value` gives those of its moves.
pub(crate) fn left_out<R: Rules>(
    rules: &R,
    of: &Table,
    (position, home, bound): (&R::Position, usize, Option<Number>),
    mut value: impl FnMut(&R::Position, Place) -> Result<Number, Refusal>,
) -> Result<Number, Refusal> {
    match (bound, rules.decided(position)) {
        // A position that the table calls invalid stays invalid. The proof refuses it later.
        (Some(0), _) => return Ok(0),
        (Some(bound), Some(_)) => return Ok(bound),
        (None, Some(decided)) => return Ok(decided),
        _ => {}
    }
    let (mut found, mut problem) = (Found::new(), None);
    rules.moves(position, |to| {
        let place = rules.place(to);
        if bound.is_some() && matches!(place, Place::Table(table, _) if table == home) {
            return;
        }
        match value(to, place) {
            Ok(0) => problem = Some(wrong(rules, of, to, "the table says it is invalid")),
            Ok(value) => found.add(value),
            Err(refusal) => problem = Some(refusal),
        }
    });
    if let Some(refusal) = problem {
        return Err(refusal);
    }
    Ok(match bound {
        None => found.value(of.distances, || rules.stuck(position)),
        Some(bound) if found.moves == 0 => bound,
        Some(bound) => {
            let exit = found.value(of.distances, || bound);
            if rank(exit) > rank(bound) { exit } else { bound }
        }
    })
}

/// Orders values as the player to move does. Losses come first, from short to long. Then come draws, and then
/// wins, from long to short.
fn rank(value: Number) -> i64 {
    match value as i64 {
        draw if draw == DRAW as i64 => 0,
        loss if loss % 2 == 0 => loss - i64::MAX,
        win => i64::MAX - win,
    }
}
