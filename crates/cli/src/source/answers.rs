//! The source of values: a game that was just solved, or a table. Both answer the same questions.

use std::io::Write;

use retrograde::{Counts, Level, Solution, Value};
use retrograde_catalog::{AnyGame, Known, Solved as SolvedGame, States, Values};
use retrograde_table::Table;
use serde::Serialize;

use crate::report::file::FileOf;
use crate::source::wrong::failed;
use crate::term::failure::{Failure, input};
use crate::term::number::{Size, counted, rounded, share, time};

/// A solved game.
pub(crate) struct Solved {
    /// Its values.
    pub(crate) solution: Solution,
    /// How long it took.
    pub(crate) seconds: f64,
    /// How many threads worked on it.
    pub(crate) threads: usize,
}

/// The values of a game, and the totals over all of them.
pub(crate) struct Answers<'a> {
    game: &'a dyn AnyGame,
    origin: Origin<'a>,
    /// Whether the table stays after the command.
    stays: bool,
}

enum Origin<'a> {
    Solved(Solved),
    Table(&'a Table),
}

impl<'a> Answers<'a> {
    /// The answers of a game that was just solved.
    pub(crate) fn solved(game: &'a dyn AnyGame, solved: Solved) -> Answers<'a> {
        Answers { game, origin: Origin::Solved(solved), stays: false }
    }

    /// The answers of a table. It must be a table of this game.
    pub(crate) fn looked_up(
        game: &'a dyn AnyGame,
        table: &'a Table,
    ) -> Result<Answers<'a>, Failure> {
        let answers = Answers { game, origin: Origin::Table(table), stays: true };
        answers.values()?;
        Ok(answers)
    }

    /// The same answers, of a table that is removed at the end of the command.
    pub(crate) fn of_temporary(self) -> Answers<'a> {
        Answers { stays: false, ..self }
    }

    /// The source of the values.
    pub(crate) fn known(&self) -> Known<'_> {
        match &self.origin {
            Origin::Solved(solved) => Known::Solution(&solved.solution),
            Origin::Table(table) => Known::Table(table),
        }
    }

    /// The values.
    pub(crate) fn values(&self) -> Result<Box<dyn Values + '_>, Failure> {
        self.game.values(self.known()).map_err(input)
    }

    /// Whether distances are known.
    pub(crate) fn has_distances(&self) -> bool {
        match &self.origin {
            Origin::Solved(solved) => solved.solution.has_distances(),
            Origin::Table(table) => table.has_distances(),
        }
    }

    /// The solution, if the game was just solved.
    pub(crate) fn solution(&self) -> Option<&Solution> {
        match &self.origin {
            Origin::Solved(solved) => Some(&solved.solution),
            Origin::Table(_) => None,
        }
    }

    /// The game with its values.
    pub(crate) fn solved_game(&self) -> Result<SolvedGame<'_>, Failure> {
        SolvedGame::new(self.game, self.known()).map_err(input)
    }

    /// How many states each of [`sides`](AnyGame::sides) wins, loses and draws.
    pub(crate) fn counts(&self) -> Result<Vec<Counts>, Failure> {
        let counts = (&self.solved_game()?).counts().map_err(failed)?;
        Ok(counts.into_iter().map(|(_, counts)| counts).collect())
    }

    /// How many states settle at each distance, from the shortest to the longest.
    pub(crate) fn levels(&self) -> Result<Box<dyn Iterator<Item = Level> + '_>, Failure> {
        Ok(match &self.origin {
            Origin::Solved(solved) => Box::new(solved.solution.histogram().levels()),
            Origin::Table(table) => Box::new(table.levels().map_err(input)?.into_iter()),
        })
    }

    /// Prints the cost of the solve, in lines of their own. `states` is the number of states that a person counts.
    pub(crate) fn write_cost(&self, states: u64, out: &mut dyn Write) -> Result<(), Failure> {
        let Solved { solution, seconds, threads } = match &self.origin {
            Origin::Solved(solved) => solved,
            Origin::Table(_) => {
                return self.file().map_or(Ok(()), |file| file.write(out));
            }
        };
        let (threads, rate) = (counted(*threads, "thread"), rounded(states as f64 / seconds));
        writeln!(out, "time       {} on {threads}, {rate} states/s", time(*seconds))?;
        let bytes = solution.bytes();
        let share = share(bytes as f64 / states.max(1) as f64, "bytes");
        Ok(writeln!(out, "memory     {}{share}", Size { bytes })?)
    }

    /// The cost of the solve, as entries of an object.
    pub(crate) fn cost(&self) -> Cost {
        match &self.origin {
            Origin::Solved(Solved { solution, seconds, threads }) => Cost {
                seconds: Some(*seconds),
                threads: Some(*threads),
                memory_bytes: Some(solution.bytes()),
            },
            Origin::Table(_) => Cost::default(),
        }
    }

    /// The table with the answers, if there is one that stays.
    pub(crate) fn file(&self) -> Option<FileOf> {
        match &self.origin {
            Origin::Table(table) if self.stays => Some(FileOf::of(table)),
            _ => None,
        }
    }
}

/// The cost of a solve. Empty if a table has answered.
#[derive(Default, Serialize)]
pub(crate) struct Cost {
    seconds: Option<f64>,
    threads: Option<usize>,
    memory_bytes: Option<u64>,
}

/// The value of a state that is not invalid.
pub(crate) fn value_of(values: &dyn Values, state: u64) -> Result<Value, Failure> {
    let value = values.probe(state).map_err(input)?;
    value
        .ok_or_else(|| Failure::Input(format!("state {state} is invalid; nothing is played there")))
}
