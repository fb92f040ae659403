//! A game with its solution or its table as a [`SolvedGame`].

use std::ops::Range;
use std::sync::Arc;

use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Counts, Game, Level, Status, Value};
use retrograde_positions::AnyPositions;
use retrograde_regions::{OracleError, SolvedGame, State, States, Style, counts_of};
use retrograde_table::{Table, TableError};

use crate::compiled_game::{CompiledGame, Engine};
use crate::count::by_side;
use crate::setup::from_about;
use crate::values::{Known, Values};

/// A game with its values.
#[derive(Clone)]
pub struct GameOracle {
    game: Arc<dyn CompiledGame>,
    known: Known,
    engine: Engine,
}

const STYLE: Style = Style {
    position: "state",
    entries: &[],
    columns: &[],
    lists: false,
    map: true,
    ..Style::PLAIN
};

impl GameOracle {
    /// The game with its values. An error if they are in the table of another game.
    pub fn new(game: Arc<dyn CompiledGame>, known: Known) -> Result<GameOracle, TableError> {
        game.values(&known)?;
        let engine = if game.has_words() { Engine::BitParallel } else { Engine::Scalar };
        Ok(GameOracle { game, known, engine })
    }

    /// A table with the game that its header describes. The error says what is wrong with either.
    pub fn of_table(table: Arc<Table>) -> Result<GameOracle, String> {
        let setup = from_about(&table.header().about, &table.path().display().to_string());
        let game =
            setup.and_then(|setup| crate::game(&setup)).map_err(|error| error.to_string())?;
        GameOracle::new(game, Known::Table(table)).map_err(|error| error.to_string())
    }

    /// The rules of the game.
    pub fn rules(&self) -> &dyn CompiledGame {
        &*self.game
    }

    /// The source of the values.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// The values.
    pub fn values(&self) -> Result<Box<dyn Values + '_>, TableError> {
        self.game.values(&self.known)
    }

    /// The engine of a verification. By default, the fastest.
    #[must_use]
    pub fn engine(self, engine: Engine) -> GameOracle {
        GameOracle { engine, ..self }
    }
}

impl SolvedGame for GameOracle {
    fn game(&self) -> &str {
        self.game.name()
    }

    fn positions(&self) -> &dyn AnyPositions {
        &*self.game
    }

    fn style(&self) -> &Style {
        &STYLE
    }

    fn has_distances(&self) -> bool {
        self.known.has_distances()
    }

    fn regions(&self) -> Vec<String> {
        vec![String::new()]
    }

    fn region(&self, _: &str) -> Result<Box<dyn States + '_>, OracleError> {
        Ok(Box::new(self))
    }

    fn table(&self, _: &str) -> Result<Option<&Table>, OracleError> {
        Ok(self.known.table())
    }

    fn region_of(&self, _: &State) -> Option<String> {
        Some(String::new())
    }

    fn parse(&self, text: &str) -> Result<State, OracleError> {
        let state = self.game.read(text);
        state.map_err(|error| OracleError::State(format!("state {text}: {error}")))
    }

    fn value(&self, state: &State) -> Result<Option<Value>, OracleError> {
        match self.game.number(state) {
            Ok(number) => Ok(self.values()?.probe(number)?),
            Err(value) => Ok(Some(value)),
        }
    }

    fn verify(&self, _: &str, verifier: Verifier<'_>) -> Result<Verified, OracleError> {
        let game = &*self.game;
        game.verify(self.engine, verifier, &self.known).map_err(|error| match error {
            VerifyError::Probe(error) => OracleError::Table(error),
            VerifyError::Cancelled => OracleError::Unknown(error.to_string()),
            error => OracleError::Wrong(broken(game, &error, error.state())),
        })
    }

    fn check(&self, _: &str) -> Result<(), OracleError> {
        Ok(self.known.table().map_or(Ok(()), Table::check)?)
    }
}

/// The message about an error in a game or an answer, with the text of the state that shows it.
pub fn broken(
    game: &dyn CompiledGame,
    error: &dyn std::fmt::Display,
    state: Option<u64>,
) -> String {
    let is_state =
        |state: &u64| *state < game.states() && game.rules().status(*state) != Status::Invalid;
    let named = state.filter(is_state);
    let named = named.and_then(|state| Some(format!("; state {state} is {}", game.text(state)?)));
    format!("{}: {error}{}", game.name(), named.unwrap_or_default())
}

impl States for &GameOracle {
    fn states(&self) -> u64 {
        self.game.states()
    }

    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), OracleError> {
        Ok(self.values()?.fill(first, values)?)
    }

    fn text(&self, state: u64, value: Option<Value>) -> Option<String> {
        value.and_then(|_| self.game.text(state))
    }

    fn passed(&self, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        self.game.passed_run(states, visit);
    }

    fn counts(&self) -> Result<Vec<(String, Counts)>, OracleError> {
        let sides = self.game.sides().iter();
        match &self.known {
            Known::Solution(solution) => {
                let sides = sides.map(|side| (*side).to_owned());
                Ok(sides.zip(by_side(&*self.game, solution)).collect())
            }
            Known::Table(table) => {
                let counts = counts_of(table);
                match sides.clone().find(|side| !counts.iter().any(|(name, _)| name == *side)) {
                    None => Ok(counts),
                    Some(side) => Err(OracleError::Unknown(format!(
                        "{}: the table has no counts for {side}; write it again",
                        table.path().display()
                    ))),
                }
            }
        }
    }

    fn levels(&self) -> Result<Vec<Level>, OracleError> {
        Ok(self.known.levels()?)
    }

    fn states_named(&self) -> u64 {
        self.game.states_named()
    }
}
