//! Moves, and how a game ends.

use retrograde::Value;

/// A move of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move<P> {
    /// The move as people write it. No other move of the position has this name.
    pub name: String,
    /// Other ways to write it.
    pub spellings: Vec<String>,
    /// The points of the board to point at, one after the other, to choose it: where the man stands, where it goes, and what
    /// it takes. Several moves may have the same points. Empty if the move cannot be chosen on the board.
    pub points: Vec<usize>,
    /// The points of the men that it takes.
    pub taken: Vec<usize>,
    /// Whether the same player moves again.
    pub keeps_turn: bool,
    /// The position after it.
    pub next: P,
}

impl<P> Move<P> {
    /// A move that passes the turn.
    pub fn new(name: impl Into<String>, points: Vec<usize>, next: P) -> Move<P> {
        let (spellings, taken) = (Vec::new(), Vec::new());
        Move { name: name.into(), spellings, points, taken, keeps_turn: false, next }
    }

    /// The same move, with another type of position.
    pub fn map<Q>(self, to: impl FnOnce(P) -> Q) -> Move<Q> {
        let Move { name, spellings, points, taken, keeps_turn, next } = self;
        Move { name, spellings, points, taken, keeps_turn, next: to(next) }
    }
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The value for the player to move.
    pub value: Value,
    /// The kind of end, for programs: `stuck`.
    pub kind: &'static str,
    /// The reason, for people: `no move left`.
    pub why: &'static str,
    /// The reason as it stands after the result of a game: `stalemate`.
    pub end: &'static str,
}

impl End {
    /// The rules decide the position.
    pub const fn terminal(value: Value) -> End {
        End { value, kind: "terminal", why: "by the rules", end: "by the rules" }
    }

    /// The player to move has no move, and loses.
    pub const STUCK: End = End {
        value: Value::Loss(0),
        kind: "stuck",
        why: "no move is left",
        end: "no move is left",
    };
}
