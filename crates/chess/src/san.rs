//! Moves as text: `e7e8q` for programs, `exd8=Q+` for people.

use std::fmt;

use crate::moves::{Legal, Move};
use crate::piece::Role;
use crate::position::Position;

/// The move in UCI: from, to, and the new piece of a promoted pawn.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl Position {
    /// One of the position's [`moves`](Position::moves) in standard algebraic notation, with `+` for check
    /// and `#` for mate.
    pub fn san(&self, played: &Move) -> String {
        self.san_among(played, &self.moves(), &Legal::of(&self.play(played)))
    }

    /// The same, given all moves and the legal moves after this one.
    pub(crate) fn san_among(&self, played: &Move, moves: &[Move], after: &Legal) -> String {
        let mut text = String::new();
        match played.role {
            Role::Pawn if played.captured.is_some() => text.push(file(played)),
            Role::Pawn => {}
            role => {
                text.push(role.letter());
                text.push_str(&told_apart(played, moves));
            }
        }
        if played.captured.is_some() {
            text.push('x');
        }
        text.push_str(&played.to.to_string());
        if let Some(role) = played.promotion {
            text.extend(['=', role.letter()]);
        }
        if after.check {
            text.push(if after.none() { '#' } else { '+' });
        }
        text
    }
}

/// The part of the origin that the text of a move needs. It is empty, the file, the rank, or both: the first
/// that distinguishes the man from all equal men who can go to the same square.
fn told_apart(played: &Move, moves: &[Move]) -> String {
    let rivals: Vec<_> = moves
        .iter()
        .filter(|other| other.role == played.role && other.to == played.to)
        .map(|other| other.from)
        .filter(|&from| from != played.from)
        .collect();
    let (from, rank) = (played.from, (b'1' + played.from.rank()) as char);
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        file(played).to_string()
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        rank.to_string()
    } else {
        from.to_string()
    }
}

fn file(played: &Move) -> char {
    (b'a' + played.from.file()) as char
}
