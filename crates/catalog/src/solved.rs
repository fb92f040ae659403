//! A game with its solution or its table as an [`Oracle`].

use std::ops::Range;

use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::play::{LineEnd, line, moves};
use retrograde::{Counts, Level, Status, Value};
use retrograde_games::{Cell, Stage, Way};
use retrograde_regions::{Ground, Man, Over, Style, View};
use retrograde_table::{Table, TableError};
use serde_json::{Value as Json, json};

use crate::answer::word;
use crate::any_game::{AnyGame, Engine, Rules};
use crate::count::by_side;
use crate::oracle::{
    Asked, Key, Line, NO_DISTANCES, Oracle, OracleError, Played, State, States, round,
};
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

    /// The state of this number.
    pub fn state(number: u64) -> State {
        State(Key::Number(number))
    }

    fn value_of(&self, state: u64) -> Result<Value, OracleError> {
        let value = self.values.probe(state)?;
        value.ok_or_else(|| {
            OracleError::Unknown(format!("state {state} is invalid; nothing is played there"))
        })
    }

    /// The name of the side to move.
    fn side_to_move(&self, state: u64) -> &'static str {
        match self.game.sides() {
            [_] => "the player to move",
            sides => sides[self.game.side_to_move(state)],
        }
    }

    fn choice(&self, from: u64, to: Option<u64>, value: Value) -> Played {
        let game = self.game;
        let (entries, label) = (Vec::new(), "exit".to_owned());
        let Some(to) = to else {
            let (spellings, path) = (Vec::new(), Vec::new());
            return Played { label, spellings, entries, to: None, value, keeps_turn: false, path };
        };
        Played {
            label: game.step(from, to),
            spellings: vec![game.text(to)],
            entries,
            to: Some(Solved::state(to)),
            value,
            keeps_turn: game.keeps_turn(from, to),
            path: game
                .stage()
                .map_or_else(Vec::new, |stage| path(stage, game.side_to_move(from), to)),
        }
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
        self.game.sides().into()
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
        self.game.start().map(Solved::state)
    }

    fn parse(&self, text: &str) -> Result<State, OracleError> {
        let state = self.game.parse(text).map(Solved::state);
        state.map_err(|error| OracleError::State(format!("state {text}: {error}")))
    }

    fn text(&self, state: &State) -> String {
        self.game.text(number(state))
    }

    fn player(&self, state: &State) -> usize {
        self.game.side_to_move(number(state))
    }

    fn value(&self, state: &State) -> Result<Option<Value>, OracleError> {
        Ok(self.values.probe(number(state))?)
    }

    fn ask(&self, state: &State) -> Result<Asked, OracleError> {
        let (game, state) = (self.game, number(state));
        let value = self.value_of(state)?;
        let found = moves(&Rules(game), &&*self.values, state)?;
        let moves = found.into_iter().map(|found| self.choice(state, found.to, found.value));
        let moves: Vec<Played> = moves.collect();
        if moves.first().is_some_and(|best| best.value != value) {
            return Err(OracleError::Wrong(format!(
                "{}: the value of the best move contradicts the value of the state; `retrograde verify` finds the wrong value",
                game.text(state)
            )));
        }
        let over = || match game.status(state) {
            Status::Terminal(_) => ("terminal", "by the rules"),
            _ => ("stuck", "no move is left"),
        };
        let over = moves.is_empty().then(over);
        let over = over.map(|(kind, why)| Over { value, kind, why, end: why });
        Ok(Asked { value, moves, over })
    }

    fn object(&self, state: &State) -> Result<Json, OracleError> {
        Ok(json!(crate::ask(self.game, &*self.values, number(state))?))
    }

    fn line(&self, from: &State) -> Result<Line, OracleError> {
        let (game, from) = (self.game, number(from));
        let value = self.value_of(from)?;
        if value != Value::Draw && !self.has_distances() {
            return Err(OracleError::Unknown(NO_DISTANCES.to_owned()));
        }
        let line = line(&Rules(game), &&*self.values, from)?;
        let last = *line.states.last().unwrap_or(&from);
        let (kind, ends, back_to) = match line.end {
            LineEnd::Terminal(value) => ("terminal", value, None),
            LineEnd::Stuck => ("stuck", self.value_of(last)?, None),
            LineEnd::Exit(value) => ("exit", value, None),
            LineEnd::Cycle { back_to } => ("cycle", Value::Draw, Some(back_to)),
            LineEnd::Broken { found, expected } => {
                let (found, expected) = (self.brief(found), self.brief(expected));
                return Err(OracleError::Wrong(format!(
                    "{}: the table says {found}, but the best move gives {expected}; `retrograde verify` finds what is \
                     wrong",
                    game.text(last)
                )));
            }
        };
        let worth = format!("a {} for {}", word(ends), self.side_to_move(last));
        let why = match (kind, back_to) {
            (_, Some(back_to)) => round(back_to),
            ("terminal", _) => format!("by the rules: {worth}"),
            ("exit", _) => format!("a move left the game: {worth}"),
            _ => format!("no move is left: {worth}"),
        };
        let states = line.states.into_iter().map(Solved::state).collect();
        Ok(Line { states, value, kind, last: ends, back_to, why })
    }

    fn passed(&self, state: &State) -> Option<State> {
        self.game.passed(number(state)).map(Solved::state)
    }

    fn played(&self, _: &State, _: &State) -> Option<Played> {
        None
    }

    fn picture(&self, state: &State) -> Option<String> {
        self.game.picture(number(state))
    }

    fn hand(&self, state: &State) -> Vec<(char, u32)> {
        self.game.hand(number(state))
    }

    fn ways(&self, from: &State, to: &State) -> Vec<Way> {
        self.game.ways(number(from), number(to))
    }

    fn view(&self, state: &State) -> Option<View> {
        self.game.stage().map(|stage| view(stage, number(state)))
    }

    fn moved(&self, state: &State, man: usize, cell: usize) -> Option<State> {
        self.game.stage()?.with(number(state), man, cell as u32).map(Solved::state)
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

impl Solved<'_> {
    /// `win in 9`, `draw`.
    fn brief(&self, value: Value) -> String {
        match value.distance().filter(|_| self.has_distances()) {
            Some(distance) => format!("{} in {distance}", word(value)),
            None => word(value).to_owned(),
        }
    }
}

/// The message about an error in a game or an answer, with the text of the state that shows it.
pub fn broken(game: &dyn AnyGame, error: &dyn std::fmt::Display, state: Option<u64>) -> String {
    let is_state = |state: &u64| *state < game.states() && game.status(*state) != Status::Invalid;
    let named = state.filter(is_state);
    let named = named.map(|state| format!("; state {state} is {}", game.text(state)));
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
        value.map(|_| self.game.text(state))
    }

    fn passed(&self, states: Range<u64>, found: &[Option<Value>], visit: &mut dyn FnMut(u64, u64)) {
        if self.game.sides().len() < 2 {
            return;
        }
        let first = states.zip(found).filter(|(state, _)| self.game.side_to_move(*state) == 0);
        for (state, _) in first.filter(|(_, value)| value.is_some()) {
            if let Some(passed) = self.game.passed(state) {
                visit(state, passed);
            }
        }
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
        self.game.states_named().unwrap_or(self.game.states())
    }
}

fn number(state: &State) -> u64 {
    match state.0 {
        Key::Number(number) => number,
        Key::Text(_) => 0,
    }
}

/// The cells to point at for a move to a state: the new cell of the man who has moved. If several men have moved at
/// once, there is no such cell.
fn path(stage: &dyn Stage, side: usize, to: u64) -> Vec<usize> {
    let men = stage.men(to);
    let mut moved = men.iter().filter(|man| man.side == side);
    match (moved.next(), moved.next()) {
        (Some(man), None) => vec![man.cell as usize],
        _ => vec![],
    }
}

/// The board of a state.
fn view(stage: &dyn Stage, state: u64) -> View {
    let ground = |cell| match stage.cell(cell) {
        Cell::Wall => Ground::Wall,
        Cell::Floor => Ground::Floor,
        Cell::Exit => Ground::Exit,
    };
    let man = |man: &retrograde_games::Man| Man {
        cell: man.cell as usize,
        letter: man.letter,
        side: man.side,
    };
    View {
        columns: stage.columns() as usize,
        cells: (0..stage.rows() * stage.columns()).map(ground).collect(),
        men: stage.men(state).iter().map(man).collect(),
        names: None,
        pieces: false,
    }
}
