//! Chess for people: its positions as FENs, its moves as SAN and UCI, its board.

use std::ops::Range;

use retrograde::Value;
use retrograde_positions::{self as positions, Board, End, Man, Positions};

use crate::family::Chess;
use crate::fen::FenError;
use crate::index::Index;
use crate::material::Material;
use crate::moves::{Legal, Move};
use crate::piece::{Color, Piece, Square};
use crate::position::Position;

impl Positions for Chess {
    type Position = Position;
    type Region = Material;
    type Index = Index;

    fn players(&self) -> &'static [&'static str] {
        &["white", "black"]
    }

    fn start(&self) -> Option<Position> {
        None
    }

    fn read(&self, fen: &str) -> Result<Position, String> {
        fen.trim().parse().map_err(|error: FenError| error.to_string())
    }

    fn write(&self, position: &Position) -> String {
        position.to_string()
    }

    fn player(&self, position: &Position) -> usize {
        position.turn() as usize
    }

    /// The name is SAN. The first spelling is UCI; then come SAN without its signs, and both squares with the letter of the
    /// piece.
    fn moves(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(positions::Move<Position>),
    ) -> Option<End> {
        let over = |value, kind, why, end| Some(End { value, kind, why, end });
        let moves = position.moves();
        match (moves.is_empty(), position.in_check()) {
            (true, true) => return over(Value::Loss(0), "checkmate", "mated", "mate"),
            (true, false) => {
                return over(Value::Draw, "stalemate", "no move is left", "stalemate");
            }
            (false, _) if position.material().is_none() => {
                return over(Value::Draw, "bare kings", "two bare kings", "two bare kings");
            }
            (false, _) => {}
        }
        for played in &moves {
            let next = position.play(played);
            let name = position.san_among(played, &moves, &Legal::of(&next));
            let plain = name.replace(['+', '#'], "");
            let letter =
                position.piece_at(played.from).map(|piece| piece.letter().to_ascii_uppercase());
            let letter = letter.filter(|letter| *letter != 'P').map_or(String::new(), String::from);
            let between = if played.captured.is_some() { "x" } else { "-" };
            let spellings = vec![
                played.to_string(),
                format!("{letter}{played}"),
                format!("{letter}{}{between}{}", played.from, &played.to_string()[2..]),
                plain.replace(['x', '='], ""),
                plain.replace('x', ""),
                plain.replace('=', ""),
                plain,
            ];
            let taken = taken(position, played).map(point).into_iter().collect();
            let points = vec![point(played.from), point(played.to)];
            visit(positions::Move { spellings, taken, ..positions::Move::new(name, points, next) });
        }
        None
    }

    fn board(&self, position: &Position) -> Option<Board> {
        let mut board = Board::chequered(8, |row, column| (row + column) % 2 == 1);
        board.light = Color::White as usize;
        let man = |(piece, square): (Piece, Square)| Man {
            kind: piece.role.word(),
            sign: piece.letter(),
            player: Some(piece.color as usize),
            point: point(square),
        };
        board.men = position.placed().map(man).collect();
        Some(board)
    }

    /// No pawn has just made a double step: a board does not show it.
    fn with_board(&self, board: &Board, player: usize) -> Option<Position> {
        let piece = |man: &Man| {
            let square = Square::at((man.point % 8) as u8, (7 - man.point / 8) as u8);
            Some((Piece::from_letter(man.sign)?, square))
        };
        let placed: Vec<_> = board.men.iter().map(piece).collect::<Option<_>>()?;
        Position::new(&placed, [Color::White, Color::Black][player], None).ok()
    }

    /// Two bare kings are drawn, and in no table.
    fn region(&self, position: &Position) -> Result<Material, Value> {
        position.material().map(|(material, _)| material).ok_or(Value::Draw)
    }

    fn index(&self, material: &Material) -> Index {
        Index::new(*material)
    }

    fn number(&self, index: &Index, position: &Position) -> u64 {
        index.state(position)
    }

    fn position(&self, index: &Index, state: u64) -> Option<Position> {
        index.position(state)
    }

    /// The same placement with black to move is one block further on. So this needs no position.
    fn passed_run(&self, index: &Index, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        let (placements, stride) = (index.placements(), index.turn_stride());
        let words = states.step_by(64).filter(|state| *state < placements);
        for state in words.filter(|state| (state / stride).is_multiple_of(2)) {
            let mut both =
                !(index.invalid_states(state / 64) | index.invalid_states((state + stride) / 64));
            while both != 0 {
                let at = state + u64::from(both.trailing_zeros());
                both &= both - 1;
                visit(at, at + stride);
            }
        }
    }
}

/// The square of the piece that a move takes.
fn taken(position: &Position, played: &Move) -> Option<Square> {
    played.captured?;
    // En passant takes a pawn beside the origin.
    let passing = position.piece_at(played.to).is_none();
    Some(if passing { Square::at(played.to.file(), played.from.rank()) } else { played.to })
}

/// The point of a square. The board is drawn from the top left.
fn point(square: Square) -> usize {
    usize::from(7 - square.rank()) * 8 + usize::from(square.file())
}
