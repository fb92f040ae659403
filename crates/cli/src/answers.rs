//! Where values come from: a game just solved, or a table written before. Both answer the same questions.

use std::convert::Infallible;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use retrograde::{Counts, Level, Probe, Solution, Value};
use retrograde_games::Show;
use retrograde_table::{MoverCounts, Table, TableError, WithRules};
use serde_json::{Value as Json, json};

use crate::count::by_mover;
use crate::engine::Solved;
use crate::failure::Failure;
use crate::game::{Recipe, Task};
use crate::number::{Size, rounded, time};
use crate::playable::Playable;
use crate::save::share;
use crate::subject::{Question, failure};

/// The values of a game, and what is known of all of them together.
pub(crate) trait Answers: Probe<Error: Send> {
    /// How many states each of [`Show::movers`] wins, loses and draws.
    fn counts<G: Show>(&self, game: &G) -> Result<Vec<Counts>, Failure>;

    /// How many states settle at each distance, from the shortest to the longest.
    fn levels(&self) -> Result<Box<dyn Iterator<Item = Level> + '_>, Failure>;

    /// The solution, where the game has just been solved.
    fn solution(&self) -> Option<&Solution> {
        None
    }

    /// What the values have cost, for a person: lines of their own. `states` are those a person counts.
    fn write_cost(&self, states: u64, out: &mut dyn Write) -> Result<(), Failure>;

    /// What the values have cost, as entries of an object.
    fn cost(&self) -> [(&'static str, Json); 3];
}

impl Probe for Solved {
    type Error = Infallible;

    fn states(&self) -> u64 {
        self.solution.states()
    }

    fn has_distances(&self) -> bool {
        self.solution.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, Infallible> {
        self.solution.probe(state)
    }

    fn fill_with<T: Copy + PartialEq>(
        &self,
        first: u64,
        values: &mut [T],
        made_of: impl Fn(Option<Value>) -> T,
    ) -> Result<(), Infallible> {
        self.solution.fill_with(first, values, made_of)
    }
}

impl Answers for Solved {
    fn counts<G: Show>(&self, game: &G) -> Result<Vec<Counts>, Failure> {
        Ok(by_mover(game, &self.solution))
    }

    fn levels(&self) -> Result<Box<dyn Iterator<Item = Level> + '_>, Failure> {
        Ok(Box::new(self.solution.histogram().levels()))
    }

    fn solution(&self) -> Option<&Solution> {
        Some(&self.solution)
    }

    fn write_cost(&self, states: u64, out: &mut dyn Write) -> Result<(), Failure> {
        let Solved { solution, seconds, threads } = self;
        let noun = if *threads == 1 { "thread" } else { "threads" };
        let rate = rounded(states as f64 / seconds);
        writeln!(out, "time       {} on {threads} {noun}, {rate} states/s", time(*seconds))?;
        let bytes = solution.bytes();
        let share = bytes as f64 / states.max(1) as f64;
        Ok(writeln!(out, "memory     {}, {share:.2} bytes a state", Size { bytes })?)
    }

    fn cost(&self) -> [(&'static str, Json); 3] {
        [
            ("seconds", json!(self.seconds)),
            ("threads", json!(self.threads)),
            ("bytes", json!(self.solution.bytes())),
        ]
    }
}

/// The counts of each mover that a table's header gives.
pub(crate) fn counts(table: &Table) -> Vec<(&str, Counts)> {
    let counts = table.header().about.counts.iter().map(|of| {
        let &MoverCounts { win, loss, draw, void, .. } = of;
        (of.mover.as_str(), Counts { win, loss, draw, void })
    });
    counts.collect()
}

/// An open table.
pub(crate) struct OpenTable(Box<Table>);

impl OpenTable {
    /// Opens a table.
    pub(crate) fn open(path: &Path) -> Result<OpenTable, Failure> {
        Ok(OpenTable(Box::new(Table::open(path).map_err(failure)?)))
    }

    /// The recipe of its game.
    pub(crate) fn recipe(&self) -> Result<Recipe, Failure> {
        let OpenTable(table) = self;
        let name = table.path().display().to_string();
        Recipe::from_about(&table.header().about, &name)
            .map_err(|problem| Failure::Input(format!("{name}: {problem}")))
    }

    /// Asks a question of it.
    pub(crate) fn ask<Q: Question>(&self, question: Q) -> Result<(), Failure> {
        self.recipe()?.with(Asking { table: &self.0, question })
    }
}

/// Sets up the game of a table and asks a question.
struct Asking<'a, Q> {
    table: &'a Table,
    question: Q,
}

impl<Q: Question> Task for Asking<'_, Q> {
    fn run<G: Playable>(self, game: &G) -> Result<(), Failure> {
        let Asking { table, mut question } = self;
        let mut values = WithRules::new(game, table).map_err(failure)?;
        if question.judges() {
            values = values.as_stored();
        }
        question.prepare(game)?;
        question.ask(game, &Looked { table, values })
    }
}

/// A table with its rules.
struct Looked<'a, G> {
    table: &'a Table,
    values: WithRules<'a, G>,
}

impl<G: Playable> Probe for Looked<'_, G> {
    type Error = TableError;

    fn states(&self) -> u64 {
        self.values.states()
    }

    fn has_distances(&self) -> bool {
        self.values.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        self.values.probe(state)
    }

    fn fill_with<T: Copy + PartialEq>(
        &self,
        first: u64,
        values: &mut [T],
        made_of: impl Fn(Option<Value>) -> T,
    ) -> Result<(), TableError> {
        self.values.fill_with(first, values, made_of)
    }
}

impl<G: Playable> Answers for Looked<'_, G> {
    fn counts<S: Show>(&self, game: &S) -> Result<Vec<Counts>, Failure> {
        let counted = &self.table.header().about.counts;
        let of = |mover: &&str| counted.iter().find(|counts| counts.mover == *mover);
        let counts = game.movers().iter().map(|mover| {
            let counts = of(mover).ok_or_else(|| {
                let path = self.table.path().display();
                Failure::Input(format!(
                    "{path}: the table does not say what {mover} wins; write it again"
                ))
            })?;
            Ok(Counts { win: counts.win, loss: counts.loss, draw: counts.draw, void: counts.void })
        });
        counts.collect()
    }

    fn levels(&self) -> Result<Box<dyn Iterator<Item = Level> + '_>, Failure> {
        Ok(Box::new(self.table.levels().map_err(failure)?.into_iter()))
    }

    fn write_cost(&self, _: u64, out: &mut dyn Write) -> Result<(), Failure> {
        let path = self.table.path().display();
        Ok(writeln!(out, "table      {path}: {}", share(self.table.bytes(), self.table.states()))?)
    }

    fn cost(&self) -> [(&'static str, Json); 3] {
        [("seconds", Json::Null), ("threads", Json::Null), ("bytes", json!(self.table.bytes()))]
    }
}

/// What went wrong when a state was looked up.
pub(crate) fn unanswered(error: impl Display) -> Failure {
    Failure::Input(error.to_string())
}
