//! Quixo for people. Unlike a state, a position is not up to symmetry: it shows the cubes where the players see them. A square
//! is a letter for the column and a number for the row, as in chess.

use retrograde::{Status, Value};
use retrograde_boards::squares;
use retrograde_positions::{Board, End, Move, Positions};

use super::{Cubes, Quixo, SPEC};
use crate::square::{self, read_player, read_rows, write_rows};
use crate::{Facts, Solvable};

/// The players, and the signs on their cubes.
const PLAYERS: [&str; 2] = ["x", "o"];
const SIGNS: [char; 2] = ['x', 'o'];

/// The cubes of each player, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The cubes of `x` and of `o`, as sets of squares.
    cubes: [u64; 2],
    player: usize,
}

impl Position {
    /// The cubes of the player to move, and the opponent's.
    fn own_and_other(&self) -> [u64; 2] {
        [self.cubes[self.player], self.cubes[1 - self.player]]
    }
}

impl Quixo {
    fn cubes(&self) -> &Cubes {
        &self.0.0
    }
}

impl Positions for Quixo {
    type Position = Position;
    type Region = ();
    type Index = ();

    fn players(&self) -> &'static [&'static str] {
        &PLAYERS
    }

    fn start(&self) -> Option<Position> {
        Some(Position { cubes: [0; 2], player: 0 })
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        let (player, rows) = read_player(text, &PLAYERS);
        let cubes = read_rows(rows, self.cubes().side, SIGNS).ok_or_else(|| {
            let start = self.write(&Position { cubes: [0; 2], player: 0 });
            format!(
                "{text:?} is no position: write the player to move and the rows, like {start:?}"
            )
        })?;
        Ok(Position { cubes, player })
    }

    /// The player to move, and the board row by row: `x .../x.o/...`.
    fn write(&self, position: &Position) -> String {
        let rows = write_rows(self.cubes().side, SIGNS, position.cubes);
        format!("{} {rows}", PLAYERS[position.player])
    }

    fn player(&self, position: &Position) -> usize {
        position.player
    }

    /// A move points at the square where the cube is taken, and at the one where it is pushed in: `a3-c3`.
    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move<Position>)) -> Option<End> {
        let (game, [mine, theirs]) = (self.cubes(), position.own_and_other());
        if let Status::Terminal(value) = game.status_of([mine, theirs], 1) {
            let why = match value {
                Value::Win(_) => "the other has filled a line of this player",
                _ => "the other has a full line",
            };
            return Some(End { why, end: "a full line", ..End::terminal(value) });
        }
        let mut stuck = true;
        for slide in game.into.iter().flatten().filter(|slide| theirs >> slide.from & 1 == 0) {
            let [taken, end] = [slide.from, slide.to].map(|at| square::name(game.side, at));
            let mut cubes = [0; 2];
            cubes[position.player] = slide.push(mine) | 1 << slide.to;
            cubes[1 - position.player] = slide.push(theirs);
            let next = Position { cubes, player: 1 - position.player };
            let points = [slide.from, slide.to].map(|at| at as usize).to_vec();
            visit(Move::new(format!("{taken}-{end}"), points, next));
            stuck = false;
        }
        stuck.then_some(End::STUCK)
    }

    fn board(&self, position: &Position) -> Option<Board> {
        let mut board = Board::chequered(self.cubes().side, |_, _| false);
        for (player, sign) in SIGNS.into_iter().enumerate() {
            let cubes = squares(position.cubes[player]).map(|square| square as usize);
            board.put(("cube", sign), Some(player), cubes);
        }
        Some(board)
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<Position> {
        board.sets(|cube| cube.player).map(|cubes| Position { cubes, player })
    }

    fn region(&self, _: &Position) -> Result<(), Value> {
        Ok(())
    }

    fn index(&self, _: &()) {}

    fn number(&self, _: &(), position: &Position) -> u64 {
        self.cubes().patterns.state(position.own_and_other())
    }

    /// The first player is to move.
    fn position(&self, _: &(), state: u64) -> Option<Position> {
        let patterns = &self.cubes().patterns;
        let valid = state < patterns.states() && patterns.stabilizer(state) != 0;
        valid.then(|| Position { cubes: patterns.position(state), player: 0 })
    }
}

impl Solvable for Quixo {
    const QUICK_MOVES: bool = true;

    fn facts(&self) -> Facts {
        Facts::of(SPEC.name)
    }
}
