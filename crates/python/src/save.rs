//! Writes a solution as a table.

use std::path::Path;

use retrograde_table::{About, Compression, InvalidStates, SideCounts, Writer};

use crate::failure::Failure;
use crate::solved_game::SolvedGame;
use crate::watch::Signal;

/// The options for writing a table.
pub(crate) struct Save {
    pub(crate) compression: Compression,
    /// Whether to keep the states of the first side only.
    pub(crate) half: bool,
    /// The description of a game without a name in this package.
    pub(crate) about: Option<About>,
}

impl Save {
    /// Writes the table. Returns its length.
    pub(crate) fn write(
        self,
        solved: &SolvedGame,
        path: &Path,
        signal: &Signal,
    ) -> Result<u64, Failure> {
        let Some(solution) = solved.known.solution() else {
            return Err(refused("a table is written already: copy the file"));
        };
        let ours = solved.about.is_some();
        let about = solved.about.clone().or(self.about);
        let mut about = about.ok_or_else(|| refused("say with game= what the table is of"))?;
        let counts = solved.counts();
        about.counts = counts.iter().map(|(side, counts)| SideCounts::new(side, *counts)).collect();
        // The rules of our games are in the header, so a reader of the table has them.
        let invalid_states = if ours { InvalidStates::Forgotten } else { InvalidStates::Kept };
        let mut writer = Writer::new(about)
            .compression(self.compression)
            .invalid_states(invalid_states)
            .histogram(solution.histogram())
            .progress(|at| signal.report(at));
        let rows = solved.game.as_ref().and_then(|game| game.facts().turns.row_len());
        if let Some(columns) = rows {
            writer = writer.rows(columns, counts.len() as u64);
        }
        if self.half {
            if rows.is_none() || counts.len() < 2 {
                return Err(refused("half=True is for games of two unlike players; leave it out"));
            }
            writer = writer.half(0);
        }
        Ok(writer.write(path, solution).map_err(Failure::Unwritten)?.bytes)
    }
}

fn refused(what: &str) -> Failure {
    Failure::Input(what.to_owned())
}
