//! `retrograde list endgames/KQvK.table`: every position of an endgame, one for all that symmetry makes equal.

use std::io::Write;

use retrograde_chess::{Opened, Tablebase};

use crate::report::format::Format;
use crate::report::list::{write_runs, write_state};
use crate::source::endgames::Endgames;
use crate::term::failure::{Failure, input};
use crate::term::progress::Bar;

impl Endgames {
    /// Writes the list of the one material meant.
    pub(crate) fn list(
        &self,
        format: Format,
        bar: Option<&Bar>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let endings = self.tables.opened(&self.one()?).map_err(input)?;
        write_runs(endings.index().states(), format, bar, out, |states| {
            lines(&self.tables, endings, format, states)
        })
    }
}

fn lines(
    tables: &Tablebase,
    endings: &Opened,
    format: Format,
    states: std::ops::Range<u64>,
) -> Result<String, Failure> {
    let mut found = vec![None; (states.end - states.start) as usize];
    endings.table().fill(states.start, &mut found).map_err(input)?;
    let distances = tables.has_distances();
    let mut text = String::new();
    for (state, value) in states.zip(found) {
        // Invalid states are forgotten in the table, and known by their number.
        if let Some(position) = endings.index().position(state) {
            write_state(&mut text, format, &position.to_string(), value, distances);
        }
    }
    Ok(text)
}
