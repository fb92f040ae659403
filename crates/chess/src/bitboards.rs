//! Positions as chess engines store them: a set of squares for each colour and each kind of piece.

use crate::fen::FenError;
use crate::material::PIECES_MAX;
use crate::piece::{Color, Piece, Role, Square, squares};
use crate::position::{Illegal, Position};

/// A position as sets of squares, a1 the lowest bit, b1 the next, h8 the highest.
///
/// The fields have the names and contents of those in `cozy_chess::Board` and `shakmaty::Board`. There are no
/// castling rights, so do not probe a position with such rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bitboards {
    /// All men of white.
    pub white: u64,
    /// All men of black.
    pub black: u64,
    /// The kings of both sides.
    pub kings: u64,
    /// The queens of both sides.
    pub queens: u64,
    /// The rooks of both sides.
    pub rooks: u64,
    /// The bishops of both sides.
    pub bishops: u64,
    /// The knights of both sides.
    pub knights: u64,
    /// The pawns of both sides.
    pub pawns: u64,
    /// The side to move.
    pub turn: Color,
    /// The square that a pawn has just passed over, if the last move was a double step.
    pub en_passant: Option<Square>,
}

/// What you can probe a tablebase with: a position, its bitboards, or its FEN.
pub trait ToPosition {
    /// The position. The error says why tables cannot answer for it.
    fn to_position(&self) -> Result<Position, FenError>;
}

impl ToPosition for Position {
    fn to_position(&self) -> Result<Position, FenError> {
        Ok(*self)
    }
}

impl ToPosition for str {
    fn to_position(&self) -> Result<Position, FenError> {
        self.parse()
    }
}

impl ToPosition for String {
    fn to_position(&self) -> Result<Position, FenError> {
        self.parse()
    }
}

impl ToPosition for Bitboards {
    fn to_position(&self) -> Result<Position, FenError> {
        self.position().map_err(FenError::Illegal)
    }
}

impl Bitboards {
    /// The position of these sets, if it is legal.
    pub fn position(&self) -> Result<Position, Illegal> {
        let count = (self.white | self.black).count_ones();
        if count > PIECES_MAX {
            return Err(Illegal::TooMany(count as usize));
        }
        let roles = [self.kings, self.queens, self.rooks, self.bishops, self.knights, self.pawns];
        let of_a_role = roles.iter().fold(0, |all, set| all | set);
        if let Some(odd) = squares(of_a_role ^ (self.white | self.black)).next() {
            return Err(Illegal::Half(odd));
        }
        const KING: Piece = Piece { color: Color::White, role: Role::King };
        let mut placed = [(KING, Square::new(0)); 2 * PIECES_MAX as usize];
        let mut len = 0;
        // If a square is in two sets, it occurs twice here. Then `Position::new` refuses the position.
        for (color, own) in [(Color::White, self.white), (Color::Black, self.black)] {
            for (role, set) in Role::ALL.into_iter().zip(roles) {
                for square in squares(own & set) {
                    let slot = placed.get_mut(len).ok_or(Illegal::Shared(square))?;
                    *slot = (Piece { color, role }, square);
                    len += 1;
                }
            }
        }
        if len > count as usize {
            let twice = |n: &usize| placed[..*n].iter().any(|(_, square)| *square == placed[*n].1);
            let shared = (0..len).find(twice).expect("more pieces than squares");
            return Err(Illegal::Shared(placed[shared].1));
        }
        Position::new(&placed[..len], self.turn, self.en_passant)
    }
}

impl Position {
    /// The position as sets of squares.
    pub fn bitboards(&self) -> Bitboards {
        let all = |wanted: &dyn Fn(Piece) -> bool| {
            let placed = self.placed().filter(|&(piece, _)| wanted(piece));
            placed.fold(0, |set, (_, square)| set | square.bit())
        };
        let [white, black] =
            [Color::White, Color::Black].map(|color| all(&|piece| piece.color == color));
        let [kings, queens, rooks, bishops, knights, pawns] =
            Role::ALL.map(|role| all(&|piece| piece.role == role));
        let (turn, en_passant) = (self.turn(), self.en_passant());
        Bitboards { white, black, kings, queens, rooks, bishops, knights, pawns, turn, en_passant }
    }
}
