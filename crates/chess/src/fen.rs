//! Positions as text: the six fields of FEN, and a picture of the board.

use std::fmt;
use std::str::FromStr;

use crate::piece::{Color, Piece, Square};
use crate::position::{Illegal, Position};

impl FromStr for Position {
    type Err = FenError;

    /// Reads FEN. You may leave out the two counters at the end, because this ignores them. Underscores may
    /// separate fields, as in addresses of web pages.
    fn from_str(text: &str) -> Result<Position, FenError> {
        let fields: Vec<&str> = text
            .split(|letter: char| letter.is_ascii_whitespace() || letter == '_')
            .filter(|field| !field.is_empty())
            .collect();
        let &[board, turn, castling, en_passant, ref counters @ ..] = &fields[..] else {
            return Err(FenError::Fields(fields.len()));
        };
        if counters.len() > 2 {
            return Err(FenError::Fields(fields.len()));
        }
        let placed = board_of(board)?;
        let turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::Turn(turn.to_owned())),
        };
        if castling != "-" {
            let known = castling.chars().all(|letter| "KQkqABCDEFGHabcdefgh".contains(letter));
            return Err(match known {
                true => FenError::Castling(castling.to_owned()),
                false => FenError::CastlingField(castling.to_owned()),
            });
        }
        let passed = match en_passant {
            "-" => None,
            square => {
                Some(square.parse().map_err(|()| FenError::EnPassantField(square.to_owned()))?)
            }
        };
        for counter in counters {
            if counter.parse::<u32>().is_err() {
                return Err(FenError::Counter((*counter).to_owned()));
            }
        }
        Position::new(&placed, turn, passed).map_err(FenError::Illegal)
    }
}

/// The pieces of the first field.
fn board_of(board: &str) -> Result<Vec<(Piece, Square)>, FenError> {
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::Ranks(ranks.len()));
    }
    let mut placed = Vec::new();
    for (text, rank) in ranks.iter().zip((0..8).rev()) {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(skipped @ 1..=8) = letter.to_digit(10) {
                file += skipped as u8;
            } else {
                let piece = Piece::from_letter(letter).ok_or(FenError::Letter(letter))?;
                if file < 8 {
                    placed.push((piece, Square::at(file, rank)));
                }
                file += 1;
            }
            if file > 8 {
                return Err(FenError::Rank(rank + 1));
            }
        }
        if file != 8 {
            return Err(FenError::Rank(rank + 1));
        }
    }
    Ok(placed)
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut skipped = 0;
            for file in 0..8 {
                let Some(piece) = self.piece_at(Square::at(file, rank)) else {
                    skipped += 1;
                    continue;
                };
                if skipped > 0 {
                    write!(f, "{skipped}")?;
                }
                skipped = 0;
                write!(f, "{}", piece.letter())?;
            }
            if skipped > 0 {
                write!(f, "{skipped}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        let turn = ["w", "b"][self.turn as usize];
        match self.en_passant {
            None => write!(f, " {turn} - - 0 1"),
            Some(square) => write!(f, " {turn} - {square} 0 1"),
        }
    }
}

impl Position {
    /// The board with its coordinates, white below.
    pub fn picture(&self) -> String {
        let mut picture = String::new();
        for rank in (0..8).rev() {
            picture.push_str(&(rank + 1).to_string());
            for file in 0..8 {
                let piece = self.piece_at(Square::at(file, rank));
                picture.push(' ');
                picture.push(piece.map_or('.', Piece::letter));
            }
            picture.push('\n');
        }
        picture + "  a b c d e f g h"
    }
}

/// Why tables cannot answer for a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// It does not have four to six fields.
    Fields(usize),
    /// It does not have eight ranks.
    Ranks(usize),
    /// A rank, counted from 1, does not describe eight squares.
    Rank(u8),
    /// A letter is not a piece.
    Letter(char),
    /// The side to move is missing.
    Turn(String),
    /// Castling is possible.
    Castling(String),
    /// The field of castling rights makes no sense.
    CastlingField(String),
    /// The en passant field is not a square.
    EnPassantField(String),
    /// A counter is not a number.
    Counter(String),
    /// The syntax is right, but the position is not legal.
    Illegal(Illegal),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Fields(found) => write!(
                f,
                "a FEN has 4 to 6 fields, not {found}: board, side to move, castling, en passant \
                 square, such as `8/8/8/8/8/2k5/8/KQ6 w - - 0 1`"
            ),
            FenError::Ranks(found) => {
                write!(f, "the board of a FEN has 8 ranks with `/` between them, not {found}")
            }
            FenError::Rank(rank) => write!(f, "rank {rank} of the board does not have 8 squares"),
            FenError::Letter(letter) => write!(
                f,
                "`{letter}` is no piece: use KQRBNP for white, kqrbnp for black, 1 to 8 for empty \
                 squares"
            ),
            FenError::Turn(text) => write!(f, "the side to move is `w` or `b`, not `{text}`"),
            FenError::Castling(text) => write!(
                f,
                "castling rights `{text}`: tables know no castling; where it no longer matters, \
                 write `-`"
            ),
            FenError::CastlingField(text) => {
                write!(f, "`{text}` is not a field of castling rights; write `-` for none")
            }
            FenError::EnPassantField(text) => {
                write!(f, "`{text}` is not an en passant square; write `-` for none")
            }
            FenError::Counter(text) => {
                write!(f, "`{text}` is not a move counter: leave it out or write a number")
            }
            FenError::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl std::error::Error for FenError {}
