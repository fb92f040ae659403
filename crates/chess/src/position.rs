//! A position: a few pieces, the side to move, and a possible en passant capture.
//!
//! Pieces are a short list, not a board. With at most six pieces, a list is the fastest basis for moves,
//! numbers and texts.

use std::fmt;

use crate::attacks::{attacks, between, pawn, slides};
use crate::material::{Material, PIECES_MAX, SLOTS};
use crate::piece::{Color, Piece, Role, Square};

/// A legal position of two kings and at most four other men, without castling.
///
/// The en passant square is part of a position only if a pawn attacks it. So two positions with the same
/// captures are equal. The code for moves checks whether the capture would leave the king in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pieces in the order of [`Material::slots`] (with their colours on the board); equal pieces by
    /// square. Unused entries hold the white king.
    pub(crate) pieces: [Piece; SLOTS],
    /// Their squares.
    pub(crate) squares: [Square; SLOTS],
    pub(crate) count: u8,
    pub(crate) turn: Color,
    /// The square that a pawn has just passed over.
    pub(crate) en_passant: Option<Square>,
}

impl Position {
    /// The position of these pieces, if it is legal. `en_passant` is the square that a pawn has just passed
    /// over. It is kept if an enemy pawn attacks it.
    pub fn new(
        placed: &[(Piece, Square)],
        turn: Color,
        en_passant: Option<Square>,
    ) -> Result<Position, Illegal> {
        if placed.len() > SLOTS {
            return Err(Illegal::TooMany(placed.len()));
        }
        for color in [Color::White, Color::Black] {
            let kings =
                placed.iter().filter(|(piece, _)| *piece == Piece { color, role: Role::King });
            match kings.count() {
                1 => {}
                kings => return Err(Illegal::Kings(color, kings)),
            }
        }
        let mut occupied = 0;
        for &(_, square) in placed {
            if occupied & square.bit() != 0 {
                return Err(Illegal::Shared(square));
            }
            occupied |= square.bit();
        }
        // This is not a list on the heap, because every probe makes positions.
        let mut sorted = [placed[0]; SLOTS];
        let sorted = &mut sorted[..placed.len()];
        sorted.copy_from_slice(placed);
        sorted.sort_unstable_by_key(|&(piece, square)| (piece.role != Role::King, piece, square));
        let placed = &*sorted;
        let mut position = Position {
            pieces: [placed[0].0; SLOTS],
            squares: [placed[0].1; SLOTS],
            count: placed.len() as u8,
            turn,
            en_passant,
        };
        for (slot, &(piece, square)) in placed.iter().enumerate() {
            position.pieces[slot] = piece;
            position.squares[slot] = square;
        }
        position.check()?;
        if position.capturers().is_none_or(|pawns| pawns == 0) {
            position.en_passant = None;
        }
        Ok(position)
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The square of a possible en passant capture.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The pieces and their squares.
    pub fn placed(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        (0..self.slots()).map(|slot| (self.pieces[slot], self.squares[slot]))
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.placed().find(|&(_, at)| at == square).map(|(piece, _)| piece)
    }

    /// The material, and whether its white is this position's black. `None` for two bare kings.
    pub fn material(&self) -> Option<(Material, bool)> {
        Material::of(self.placed().map(|(piece, _)| piece))
    }

    /// Whether the player to move is in check.
    pub fn in_check(&self) -> bool {
        self.attacked(self.king(self.turn), !self.turn, self.occupied())
    }

    /// The same position with exchanged colours and the board turned.
    #[must_use]
    pub fn flipped(&self) -> Position {
        let flip = |(Piece { color, role }, at): (Piece, Square)| {
            (Piece { color: !color, role }, at.flip_ranks())
        };
        let mut placed = [flip((self.pieces[0], self.squares[0])); SLOTS];
        for (to, from) in placed.iter_mut().zip(self.placed()) {
            *to = flip(from);
        }
        let placed = &placed[..self.slots()];
        Position::new(placed, !self.turn, self.en_passant.map(Square::flip_ranks))
            .expect("a legal position is legal from the other side too")
    }

    /// Whether neither side can ever mate: two kings and at most one knight, or bishops that all stand on
    /// squares of one colour.
    pub fn insufficient_material(&self) -> bool {
        const DARK: u64 = 0xAA55_AA55_AA55_AA55;
        let of = |wanted: Role| {
            let placed = self.placed().filter(move |(piece, _)| piece.role == wanted);
            placed.fold(0, |set, (_, square)| set | square.bit())
        };
        let (knights, bishops) = (of(Role::Knight), of(Role::Bishop));
        let minor = 2 + knights.count_ones() + bishops.count_ones();
        minor as usize == self.slots()
            && match knights.count_ones() {
                0 => bishops & DARK == 0 || bishops & !DARK == 0,
                1 => bishops == 0,
                _ => false,
            }
    }

    pub(crate) fn slots(&self) -> usize {
        usize::from(self.count)
    }

    pub(crate) fn king(&self, color: Color) -> Square {
        self.squares[color as usize]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> u64 {
        self.squares[..self.slots()].iter().fold(0, |set, square| set | square.bit())
    }

    /// Whether a piece of `by` attacks `square`, if men stand on the `occupied` squares. Ignores pieces whose
    /// own square is not in `occupied`.
    #[inline]
    pub(crate) fn attacked(&self, square: Square, by: Color, occupied: u64) -> bool {
        (0..self.slots()).any(|slot| {
            let (piece, from) = (self.pieces[slot], self.squares[slot]);
            piece.color == by
                && from.bit() & occupied != 0
                && attacks(piece, from, 0) & square.bit() != 0
                && (!slides(piece.role) || between(from, square) & occupied == 0)
        })
    }

    /// Whether this decoded position is invalid: no game reaches it, or it is no position at all.
    pub(crate) fn is_invalid(&self) -> bool {
        self.occupied().count_ones() != u32::from(self.count) || self.check().is_err()
    }

    /// The squares of the pawns that can capture en passant; `None` if there is no such capture.
    pub(crate) fn capturers(&self) -> Option<u64> {
        let target = self.en_passant?;
        let mine = Piece { color: self.turn, role: Role::Pawn };
        Some(pawn(!self.turn, target) & self.squares_of(mine))
    }

    /// The squares of the pawns of this colour and kind.
    pub(crate) fn squares_of(&self, piece: Piece) -> u64 {
        self.placed().filter(|&(other, _)| other == piece).fold(0, |set, (_, at)| set | at.bit())
    }

    /// Why this is not a legal position, given that its pieces are on different squares.
    fn check(&self) -> Result<(), Illegal> {
        for (piece, square) in self.placed() {
            if piece.role == Role::Pawn && matches!(square.rank(), 0 | 7) {
                return Err(Illegal::PawnRank(square));
            }
        }
        if attacks(self.pieces[0], self.squares[0], 0) & self.squares[1].bit() != 0 {
            return Err(Illegal::KingsTouch);
        }
        if self.attacked(self.king(!self.turn), self.turn, self.occupied()) {
            return Err(Illegal::Checked(!self.turn));
        }
        match self.en_passant {
            Some(target) => self.check_en_passant(target),
            None => Ok(()),
        }
    }

    /// A pawn has passed `target` only if three things hold: it stands next to `target`, the squares that it
    /// came over are empty, and the player now to move was not in check before the step.
    fn check_en_passant(&self, target: Square) -> Result<(), Illegal> {
        let pushed = Piece { color: !self.turn, role: Role::Pawn };
        let impossible = |why| Err(Illegal::EnPassant(target, why));
        if target.rank() != [2, 5][pushed.color as usize] {
            return impossible(
                "a pawn passes only the third or the sixth rank, of the side not to move",
            );
        }
        let (from, to) =
            (target.offset(-pushed.color.ahead()), target.offset(pushed.color.ahead()));
        if self.squares_of(pushed) & to.bit() == 0 {
            return impossible("there is no pawn that could have passed it");
        }
        let occupied = self.occupied();
        if occupied & (from.bit() | target.bit()) != 0 {
            return impossible("the pawn's way was not free");
        }
        let before = occupied ^ to.bit() | from.bit();
        let king = self.king(self.turn);
        if self.attacked(king, pushed.color, before) || pawn(pushed.color, from) & king.bit() != 0 {
            return impossible("the player to move was already in check before the pawn's step");
        }
        Ok(())
    }
}

/// Why pieces on a board are not a legal position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// There are too many pieces.
    TooMany(usize),
    /// A side has not exactly one king.
    Kings(Color, usize),
    /// Two pieces share a square.
    Shared(Square),
    /// A man here has a colour and no kind, or a kind and no colour.
    Half(Square),
    /// A pawn is on the first or the last rank.
    PawnRank(Square),
    /// The kings touch.
    KingsTouch,
    /// This side is in check, but the other is to move.
    Checked(Color),
    /// No pawn can have passed this square, for the given reason.
    EnPassant(Square, &'static str),
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegal::TooMany(pieces) => {
                write!(f, "{pieces} pieces are too many: tables have at most {PIECES_MAX}")
            }
            Illegal::Kings(color, kings) => {
                write!(f, "{} has {kings} kings instead of one", name(*color))
            }
            Illegal::Shared(square) => write!(f, "two pieces stand on {square}"),
            Illegal::Half(square) => {
                write!(f, "the piece on {square} has a colour or a kind, but not both")
            }
            Illegal::PawnRank(square) => {
                write!(f, "there is a pawn on {square}, where pawns cannot stand")
            }
            Illegal::KingsTouch => f.write_str("the kings stand beside each other"),
            Illegal::Checked(color) => {
                write!(f, "{} is in check, but it is not {0}'s move", name(*color))
            }
            Illegal::EnPassant(square, why) => {
                write!(f, "no pawn can be captured en passant on {square}: {why}")
            }
        }
    }
}

impl std::error::Error for Illegal {}

pub(crate) fn name(color: Color) -> &'static str {
    ["white", "black"][color as usize]
}
