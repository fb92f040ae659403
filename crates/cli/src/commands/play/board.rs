//! The games of the program as fields to play on.

use retrograde::play::moves;
use retrograde::{Status, Value};
use retrograde_catalog::{Playable, Rules, Values};
use retrograde_games::{Cell, Stage};

use super::field::{Choice, Field, Grid, Node, Paint, Record, Tile, View};
use super::record;
use crate::source::answers::value_of;
use crate::term::failure::{Failure, input};

/// A game of the program with its values.
pub(crate) struct OfGame<'a> {
    /// What was asked for: `pursuit examples/board.txt`.
    pub(crate) title: String,
    /// The game.
    pub(crate) game: &'a dyn Playable,
    /// Its values, with distances.
    pub(crate) values: &'a dyn Values,
}

impl OfGame<'_> {
    /// Who moves a state, where the sides are not alike.
    fn side(&self, state: u64) -> Option<usize> {
        (!self.alike()).then(|| self.game.mover(state))
    }

    fn choice(&self, from: u64, to: Option<u64>, value: Value) -> Choice {
        let game = self.game;
        let Some(to) = to else {
            let label = "exit".to_owned();
            return Choice {
                label,
                also: vec![],
                to: None,
                value,
                keeps_turn: false,
                path: vec![],
            };
        };
        let text = game.text(to);
        Choice {
            label: game.step(from, to),
            also: vec![text.clone()],
            to: Some(text),
            value,
            keeps_turn: game.keeps_turn(from, to),
            path: game.stage().map_or_else(Vec::new, |stage| path(stage, game.mover(from), to)),
        }
    }
}

impl Field for OfGame<'_> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn sides(&self) -> [String; 2] {
        match self.game.movers() {
            &[one, other] => [one, other].map(str::to_owned),
            _ => ["first", "second"].map(str::to_owned),
        }
    }

    fn alike(&self) -> bool {
        self.game.movers().len() < 2
    }

    fn look(&self, position: &str) -> Result<Node, Failure> {
        let game = self.game;
        let state = game.parse(position);
        let state = state.map_err(|error| Failure::Input(format!("state {position}: {error}")))?;
        let value = value_of(self.values, state)?;
        let found = moves(&Rules(game), &self.values, state).map_err(input)?;
        let end = match game.status(state) {
            Status::Terminal(_) => "by the rules",
            _ => "no move is left",
        };
        let moves: Vec<Choice> =
            found.into_iter().map(|found| self.choice(state, found.to, found.value)).collect();
        if moves.first().is_some_and(|best| best.value != value) {
            return Err(Failure::Input(format!(
                "{}: the best move is not worth what the state is said to be; `retrograde verify` finds what \
                 is wrong",
                game.text(state)
            )));
        }
        let view = match game.stage() {
            Some(stage) => View::Grid(grid(stage, state)),
            None => View::Text(game.picture(state).unwrap_or_else(|| game.text(state))),
        };
        Ok(Node { text: game.text(state), side: self.side(state), value, moves, end, view })
    }

    fn words<'a>(&self, line: &'a str) -> Vec<&'a str> {
        // The names of vertices may hold anything, so only a line that begins with a sign for it is a remark.
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') { vec![] } else { vec![line] }
    }

    fn written(&self, record: &Record<'_>) -> String {
        record::lines(self, record)
    }
}

/// The cells to point at for a move to a state: the new place of the one who has moved. Where several have
/// moved at once there is no such cell.
fn path(stage: &dyn Stage, mover: usize, to: u64) -> Vec<usize> {
    let men = stage.men(to);
    let mut moved = men.iter().filter(|man| man.mover == mover);
    match (moved.next(), moved.next()) {
        (Some(man), None) => vec![man.cell as usize],
        _ => vec![],
    }
}

/// The board of a state.
fn grid(stage: &dyn Stage, state: u64) -> Grid {
    let floor = |cell| match stage.cell(cell) {
        Cell::Wall => Tile { sign: '*', paint: Paint::Wall },
        Cell::Floor => Tile { sign: '.', paint: Paint::Floor },
        Cell::Exit => Tile { sign: 'E', paint: Paint::Exit },
    };
    let mut cells: Vec<Tile> = (0..stage.rows() * stage.columns()).map(floor).collect();
    for man in stage.men(state) {
        let tile = &mut cells[man.cell as usize];
        let sign = match (tile.paint, tile.sign) {
            (Paint::Man(mover, _), _) if mover != man.mover => 'X',
            (Paint::Man(..), sign @ '2'..='8') => char::from(sign as u8 + 1),
            (Paint::Man(..), '9' | '#') => '#',
            (Paint::Man(..), _) => '2',
            _ => man.letter,
        };
        *tile = Tile { sign, paint: Paint::Man(man.mover, false) };
    }
    Grid { columns: stage.columns() as usize, cells, names: None }
}
