//! A chess piece walks to the bottom right corner, and never left or up. A player who cannot move loses. This
//! happens in the corner. A bishop may also stop earlier, at an edge.
//!
//! The queen's game is Wythoff's, the rook's is Nim with two heaps.

use std::ops::ControlFlow;

use crate::misere::MISERE;
use crate::square::edge_numbers;
use crate::{
    Facts, Kind, MOVES_MAX, Parameter, ReadError, Remark, Setup, SetupError, Solvable, Spec,
    Visitor, successors_or_end,
};
use retrograde::{Game, Outcome, Predecessors, Probe, Status, Value};
use retrograde_positions::{self as positions, End, Ground, Move, POINTS_MAX, Positions};

pub(crate) static SPEC: Spec = Spec {
    name: "corner",
    summary: "a chess piece on its way to the corner of a board",
    rules: "Two players move one piece in turn, right, down or diagonally down, as far as the piece goes in chess. A player who cannot \
            move loses, so the player who brings the piece to the corner wins; with `misere` that player loses.",
    parameters: &[
        Parameter {
            name: "piece",
            kind: Kind::Word(&["queen", "rook", "bishop", "king"]),
            default: None,
            help: "which piece walks",
        },
        Parameter {
            name: "rows",
            kind: Kind::Number { min: 1, max: u32::MAX },
            default: None,
            help: "how many rows",
        },
        Parameter {
            name: "columns",
            kind: Kind::Number { min: 1, max: u32::MAX },
            default: None,
            help: "how many columns",
        },
        MISERE,
    ],
    example: "--piece queen --rows 8 --columns 8",
    ..Spec::EMPTY
};

pub(crate) fn build<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    let piece = match setup.word("piece") {
        "queen" => Piece::Queen,
        "rook" => Piece::Rook,
        "bishop" => Piece::Bishop,
        _ => Piece::King,
    };
    let corner = Corner::new(piece, setup.number("rows"), setup.number("columns"));
    Ok(visitor.visit(setup.made(corner)?.misere(setup.is_set(MISERE.name))))
}

/// The piece, which decides the directions of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Right, down or diagonally, as far as the player likes.
    Queen,
    /// Right or down, as far as the player likes.
    Rook,
    /// Diagonally, as far as the player likes.
    Bishop,
    /// One step right, down or diagonally.
    King,
}

/// The game of one piece on one board. States are cells, row by row.
#[derive(Clone, Debug)]
pub struct Corner {
    piece: Piece,
    rows: u32,
    columns: u32,
    /// Whether the player who cannot move wins.
    misere: bool,
}

/// How far a piece can go in each direction.
struct Reach {
    right: u32,
    down: u32,
    diagonal: u32,
}

impl Corner {
    /// The game of `piece` on a board of that size.
    pub fn new(piece: Piece, rows: u32, columns: u32) -> Result<Corner, ReadError> {
        if rows == 0 || columns == 0 {
            return Err(ReadError::whole("a board has at least one row and one column"));
        }
        // A queen in the far corner has at most this many moves, and the solver must be able to count them.
        let longest = u64::from(rows) + u64::from(columns) + u64::from(rows.min(columns));
        if longest > u64::from(MOVES_MAX) {
            return Err(ReadError::whole(
                "the board has over 4 billion moves in one cell: ask for a smaller one",
            ));
        }
        Ok(Corner { piece, rows, columns, misere: false })
    }

    /// The same game. With `misere`, the player who cannot move wins.
    pub fn misere(mut self, misere: bool) -> Corner {
        self.misere = misere;
        self
    }

    /// The solved board: `+` where the player to move wins, `-` where that player loses. Ends without a line
    /// break.
    pub fn signs<P: Probe>(&self, probe: &P) -> Result<String, P::Error> {
        let mut signs = String::with_capacity((self.states() + u64::from(self.rows)) as usize);
        for row in 0..self.rows {
            if row > 0 {
                signs.push('\n');
            }
            for column in 0..self.columns {
                signs.push(match probe.probe(self.state(row, column))?.map(Value::outcome) {
                    Some(Outcome::Win) => '+',
                    Some(Outcome::Loss) => '-',
                    // Every walk ends in the corner, so no cell is a draw, and every cell is a state.
                    Some(Outcome::Draw) | None => '?',
                });
            }
        }
        Ok(signs)
    }

    fn state(&self, row: u32, column: u32) -> u64 {
        u64::from(row) * u64::from(self.columns) + u64::from(column)
    }

    /// How far the piece can go if there are `right` cells to its right and `down` cells below it. For
    /// backward moves, it is the cells to its left and above it.
    fn reach(&self, down: u32, right: u32) -> Reach {
        let diagonal = down.min(right);
        match self.piece {
            Piece::Queen => Reach { right, down, diagonal },
            Piece::Rook => Reach { right, down, diagonal: 0 },
            Piece::Bishop => Reach { right: 0, down: 0, diagonal },
            Piece::King => {
                Reach { right: right.min(1), down: down.min(1), diagonal: diagonal.min(1) }
            }
        }
    }

    /// Visits, for each possible move, the change of the number of the state, until `visit` breaks.
    ///
    /// One plain loop, so that the compiler inlines the solver's update into it. With iterator adapters,
    /// there would be a call for each move, which takes twice as long.
    #[inline(always)]
    fn walks(
        &self,
        reach: &Reach,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let row = u64::from(self.columns);
        for (steps, change) in [(reach.right, 1), (reach.down, row), (reach.diagonal, row + 1)] {
            for steps in 1..u64::from(steps) + 1 {
                visit(steps * change)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn row_and_column(&self, state: u64) -> (u32, u32) {
        let columns = u64::from(self.columns);
        ((state / columns) as u32, (state % columns) as u32)
    }

    fn reach_from(&self, state: u64) -> Reach {
        let (row, column) = self.row_and_column(state);
        self.reach(self.rows - 1 - row, self.columns - 1 - column)
    }
}

impl Game for Corner {
    fn states(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.columns)
    }

    fn status(&self, _: u64) -> Status {
        Status::Open
    }

    #[inline]
    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.walks(&self.reach_from(state), |change| visit(state + change))
    }

    fn degree(&self, state: u64) -> u32 {
        let reach = self.reach_from(state);
        reach.right + reach.down + reach.diagonal
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.degree(0))
    }

    fn stuck(&self) -> Value {
        if self.misere { Value::Win(0) } else { Value::Loss(0) }
    }
}

impl Predecessors for Corner {
    #[inline]
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let (row, column) = self.row_and_column(state);
        let _ = self.walks(
            &self.reach(row, column),
            #[inline(always)]
            |change| {
                visit(state - change);
                ControlFlow::Continue(())
            },
        );
    }
}

impl Positions for Corner {
    crate::positions_are_states!();

    fn players(&self) -> &'static [&'static str] {
        &["player"]
    }

    fn start(&self) -> Option<u64> {
        Some(0)
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        let cell = text.split_once(',').and_then(|(row, column)| {
            Some((row.trim().parse::<u32>().ok()?, column.trim().parse::<u32>().ok()?))
        });
        match cell {
            Some((row, column)) if row < self.rows && column < self.columns => {
                Ok(self.state(row, column))
            }
            _ => Err(format!(
                "{text:?} is no cell: write row,column, from 0,0 at the top left to {},{}",
                self.rows - 1,
                self.columns - 1
            )),
        }
    }

    fn write(&self, state: &u64) -> String {
        let (row, column) = self.row_and_column(*state);
        format!("{row},{column}")
    }

    fn player(&self, _: &u64) -> usize {
        0
    }

    fn moves(&self, &from: &u64, visit: &mut dyn FnMut(Move<u64>)) -> Option<End> {
        let points = |to| vec![from as usize, to as usize];
        successors_or_end(self, from, |to| visit(Move::new(self.write(&to), points(to), to)))
    }

    /// The numbers of points are those of states.
    fn board(&self, &state: &u64) -> Option<positions::Board> {
        if self.states() > POINTS_MAX {
            return None;
        }
        let name = |row, column| (Ground::Floor, format!("{row},{column}"));
        let mut board = positions::Board::squares(self.rows, self.columns, name);
        board.edge = Some(edge_numbers(self.rows, self.columns));
        board.put(self.piece.kind(), None, [state as usize]);
        Some(board)
    }

    fn with_board(&self, board: &positions::Board, _: usize) -> Option<u64> {
        board.men.first().map(|man| man.point as u64)
    }
}

impl Solvable for Corner {
    fn facts(&self) -> Facts {
        Facts::of(SPEC.name)
    }

    /// The board of signs. Its pattern identifies the game.
    fn remark<P: Probe>(&self, values: &P) -> Result<Option<Remark>, P::Error> {
        Ok(Some(Remark { text: self.signs(values)?, words: None }))
    }
}

impl Piece {
    /// Its name, and its letter in chess.
    fn kind(self) -> (&'static str, char) {
        match self {
            Piece::Queen => ("queen", 'Q'),
            Piece::Rook => ("rook", 'R'),
            Piece::Bishop => ("bishop", 'B'),
            Piece::King => ("king", 'K'),
        }
    }
}
