//! A game with its solution or its table as an [`Oracle`].

use std::cmp::Reverse;
use std::ops::Range;

use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Counts, Level, Status, Value};
use retrograde_positions::{Board, End};
use retrograde_regions::Style;
use retrograde_table::{Table, TableError};
use serde_json::{Value as Json, json};

use crate::answer::{Answer, Choice, Worth};
use crate::any_game::{AnyGame, Engine};
use crate::count::by_side;
use crate::oracle::{Asked, Oracle, OracleError, Played, State, States, checked, invalid};
use crate::tables::counts_of;
use crate::values::{Known, Values};

/// A game with its values.
pub struct Solved<'a> {
    game: &'a dyn AnyGame,
    known: Known<'a>,
    values: Box<dyn Values + 'a>,
}

const STYLE: Style = Style {
    position: "state",
    entries: &[],
    columns: &[],
    lists: false,
    map: true,
    ..Style::PLAIN
};

impl<'a> Solved<'a> {
    /// The game with its values. An error if they are in the table of another game.
    pub fn new(game: &'a dyn AnyGame, known: Known<'a>) -> Result<Solved<'a>, TableError> {
        Ok(Solved { game, known, values: game.values(known)? })
    }

    /// The moves of a position, best first, and how the game has ended, if it has.
    fn moves(&self, state: &State) -> Result<(Vec<Played>, Option<End>), OracleError> {
        let (mut moves, mut failed) = (Vec::new(), None);
        let over = self.game.moves(state, &mut |step| match self.value_of(&step.next) {
            Ok(value) => {
                let value = value.after_move(step.keeps_turn);
                moves.push(Played { step, value });
            }
            Err(error) => failed = Some(error),
        });
        moves.sort_by_key(|played| Reverse(played.value));
        failed.map_or(Ok((moves, over)), Err)
    }

    fn value_of(&self, state: &State) -> Result<Value, OracleError> {
        self.value(state)?.ok_or_else(|| OracleError::Unknown(invalid(&self.text(state))))
    }
}

impl Oracle for Solved<'_> {
    fn game(&self) -> &str {
        self.game.name()
    }

    fn style(&self) -> &Style {
        &STYLE
    }

    fn players(&self) -> Vec<&'static str> {
        self.game.players().into()
    }

    fn has_distances(&self) -> bool {
        self.values.has_distances()
    }

    fn regions(&self) -> Vec<String> {
        vec![String::new()]
    }

    fn region(&self, _: &str) -> Result<Box<dyn States + '_>, OracleError> {
        Ok(Box::new(self))
    }

    fn table(&self, _: &str) -> Result<Option<&Table>, OracleError> {
        Ok(match self.known {
            Known::Solution(_) => None,
            Known::Table(table) => Some(table),
        })
    }

    fn region_of(&self, _: &State) -> Option<String> {
        Some(String::new())
    }

    fn start(&self) -> Option<State> {
        self.game.start()
    }

    fn parse(&self, text: &str) -> Result<State, OracleError> {
        let state = self.game.read(text);
        state.map_err(|error| OracleError::State(format!("state {text}: {error}")))
    }

    fn text(&self, state: &State) -> String {
        self.game.write(state)
    }

    fn player(&self, state: &State) -> usize {
        self.game.player(state)
    }

    fn value(&self, state: &State) -> Result<Option<Value>, OracleError> {
        Ok(self.values.probe(self.game.number(state))?)
    }

    fn ask(&self, state: &State) -> Result<Asked, OracleError> {
        let value = self.value_of(state)?;
        let (moves, over) = self.moves(state)?;
        checked(self, state, Asked { value, moves, over })
    }

    fn object(&self, state: &State) -> Result<Json, OracleError> {
        let distances = self.has_distances();
        let value = self.value(state)?;
        let moves = if value.is_some() { self.moves(state)?.0 } else { Vec::new() };
        let choice = |played: Played| Choice {
            to: self.text(&played.step.next),
            worth: Worth::new(Some(played.value), distances),
        };
        Ok(json!(Answer {
            state: self.text(state),
            worth: Worth::new(value, distances),
            moves: moves.into_iter().map(choice).collect(),
        }))
    }

    fn board(&self, state: &State) -> Option<Board> {
        self.game.board(state)
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<State> {
        self.game.with_board(board, player)
    }

    fn verify(
        &self,
        _: &str,
        engine: Engine,
        verifier: Verifier<'_>,
    ) -> Result<Verified, OracleError> {
        let game = self.game;
        game.verify(engine, verifier, self.known).map_err(|error| match error {
            VerifyError::Probe(error) => OracleError::Table(error),
            VerifyError::Cancelled => OracleError::Unknown(error.to_string()),
            error => OracleError::Wrong(broken(game, &error, error.state())),
        })
    }

    fn check(&self, _: &str) -> Result<(), OracleError> {
        match self.known {
            Known::Solution(_) => Ok(()),
            Known::Table(table) => Ok(table.check()?),
        }
    }
}

/// The message about an error in a game or an answer, with the text of the state that shows it.
pub fn broken(game: &dyn AnyGame, error: &dyn std::fmt::Display, state: Option<u64>) -> String {
    let is_state = |state: &u64| *state < game.states() && game.status(*state) != Status::Invalid;
    let named = state.filter(is_state);
    let named = named.and_then(|state| Some(format!("; state {state} is {}", game.text(state)?)));
    format!("{}: {error}{}", game.name(), named.unwrap_or_default())
}

impl States for &Solved<'_> {
    fn states(&self) -> u64 {
        self.game.states()
    }

    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), OracleError> {
        Ok(self.values.fill(first, values)?)
    }

    fn text(&self, state: u64, value: Option<Value>) -> Option<String> {
        value.and_then(|_| self.game.text(state))
    }

    fn passed(&self, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        self.game.passed_run(states, visit);
    }

    fn counts(&self) -> Result<Vec<(String, Counts)>, OracleError> {
        let sides = self.game.sides().iter();
        match self.known {
            Known::Solution(solution) => {
                let sides = sides.map(|side| (*side).to_owned());
                Ok(sides.zip(by_side(self.game, solution)).collect())
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
        match self.known {
            Known::Solution(solution) => Ok(solution.histogram().levels().collect()),
            Known::Table(table) => Ok(table.levels()?),
        }
    }

    fn states_named(&self) -> u64 {
        self.game.states_named()
    }
}
