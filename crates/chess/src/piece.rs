//! Colours, pieces and squares, which all other files use.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Moves up the board. In a material, the stronger side.
    White,
    /// Moves down the board.
    Black,
}

impl Color {
    /// The rank, counted from 0, on which this side's pawns start.
    pub(crate) fn pawn_rank(self) -> u8 {
        [1, 6][self as usize]
    }

    /// The change of a square's number when this side's pawn steps ahead.
    pub(crate) fn ahead(self) -> i8 {
        [8, -8][self as usize]
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The kind of a piece, of either colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The king.
    King,
    /// The queen.
    Queen,
    /// The rook.
    Rook,
    /// The bishop.
    Bishop,
    /// The knight.
    Knight,
    /// The pawn.
    Pawn,
}

impl Role {
    /// The name: `queen`.
    pub(crate) fn word(self) -> &'static str {
        ["king", "queen", "rook", "bishop", "knight", "pawn"][self as usize]
    }

    /// Every role, in the order of their names above.
    pub const ALL: [Role; 6] =
        [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

    /// All but the king, from the strongest to the weakest: the order in which a material is written.
    pub const MEN: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

    /// What a pawn may promote to.
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// The letter of the piece, upper case.
    pub fn letter(self) -> char {
        ['K', 'Q', 'R', 'B', 'N', 'P'][self as usize]
    }

    /// The piece that an upper-case letter stands for.
    pub fn from_letter(letter: char) -> Option<Role> {
        Some(match letter {
            'K' => Role::King,
            'Q' => Role::Queen,
            'R' => Role::Rook,
            'B' => Role::Bishop,
            'N' => Role::Knight,
            'P' => Role::Pawn,
            _ => return None,
        })
    }
}

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Its colour.
    pub color: Color,
    /// Its kind.
    pub role: Role,
}

impl Piece {
    /// The piece as FEN writes it: upper case for white.
    pub fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece that FEN writes so.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let role = Role::from_letter(letter.to_ascii_uppercase())?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Piece { color, role })
    }
}

/// A square, numbered along the ranks: a1 is 0, b1 is 1, h8 is 63. The same number is its bit in a
/// set of squares, which is a `u64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this number, which must be below 64.
    pub const fn new(number: u8) -> Square {
        assert!(number < 64, "squares are numbered below 64");
        Square(number)
    }

    /// The square on a file and a rank, both counted from 0.
    pub fn at(file: u8, rank: u8) -> Square {
        assert!(file < 8 && rank < 8, "file {file}, rank {rank} is off the board");
        Square(rank * 8 + file)
    }

    /// Its number, below 64.
    #[inline]
    pub fn number(self) -> u8 {
        self.0
    }

    /// Its file, counted from 0 for the a-file.
    pub fn file(self) -> u8 {
        self.0 & 7
    }

    /// Its rank, counted from 0.
    pub fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set of this square alone.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << self.0
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0 & 63)
    }

    /// The square `by` numbers further on. It must be on the board.
    pub(crate) fn offset(self, by: i8) -> Square {
        Square(self.0.wrapping_add_signed(by) & 63)
    }

    /// The same square seen from the other side of the board.
    pub(crate) fn flip_ranks(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// Reflected in the diagonal from a1 to h8.
    pub(crate) fn transpose(self) -> Square {
        Square(self.0 >> 3 | (self.0 & 7) << 3)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl FromStr for Square {
    type Err = ();

    fn from_str(text: &str) -> Result<Square, ()> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at(file - b'a', rank - b'1')),
            _ => Err(()),
        }
    }
}

/// The squares of a set, lowest first.
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| Square(set.trailing_zeros() as u8))?;
        set &= set - 1;
        Some(lowest)
    })
}
