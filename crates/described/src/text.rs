//! What a text says, statement by statement, with all names resolved.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::board::{Board, Set};
use crate::words::upper;

/// A text that has been read.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) players: [String; 2],
    pub(crate) board: Board,
    /// Men of one kind of one player are a *class*.
    pub(crate) classes: Vec<Class>,
    pub(crate) moves: Vec<MoveRule>,
    pub(crate) promotions: Vec<Promotion>,
    /// What becomes of men that are taken.
    pub(crate) taken: Taken,
    /// For each kind, what it is in the hand.
    pub(crate) demotions: Vec<(String, String)>,
    pub(crate) ends: Vec<End>,
    /// The lines of a mill. A man who completes one takes another man.
    pub(crate) mills: Vec<Set>,
    pub(crate) stuck: Verdict,
    /// If only the player to move has won, and if both players have.
    pub(crate) held: Verdict,
    pub(crate) both: Verdict,
    /// The lines of statements that may turn out to have no effect.
    pub(crate) statements: Vec<(usize, Statement)>,
    /// The directions that statements name.
    pub(crate) named: BTreeSet<usize>,
}

/// What a statement adds, by index.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Line(String),
    Men(usize),
    Move(usize),
    Mill {
        length: u32,
    },
    Taken,
    Promote(Range<usize>),
    Demote(usize),
    /// None if earlier statements say the same.
    Win(Range<usize>),
}

/// The men of one kind of one player.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) player: usize,
    pub(crate) kind: String,
    /// How many there are at the start: on the board, or in hand.
    pub(crate) count: u32,
    pub(crate) in_hand: bool,
    /// Where they stand at the start.
    pub(crate) start: Set,
    /// Whether no move may leave them where they can be taken.
    pub(crate) royal: bool,
}

impl Class {
    /// The first letter of the kind, in upper case for the first player.
    pub(crate) fn sign(&self) -> char {
        let letter = self.kind.chars().next().unwrap_or('?');
        if self.player == 0 { upper(letter) } else { letter }
    }
}

/// Where men can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Travel {
    /// To the next point.
    Step,
    /// Over free points.
    Slide,
    /// Over free points as far as possible.
    Run,
    /// Over one man of the other player.
    Jump,
    /// Off the board, where a direction leads nowhere.
    Leave,
    /// From the hand to a point.
    Drop,
}

/// Whether a move takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Never,
    /// It takes a man on the point where it ends, if one of the other player stands there.
    Also,
    /// It is possible only if it takes.
    Only,
}

/// A statement `move` or `drop`.
#[derive(Clone, Debug)]
pub(crate) struct MoveRule {
    pub(crate) classes: Vec<usize>,
    pub(crate) travel: Travel,
    pub(crate) directions: Vec<usize>,
    pub(crate) takes: Takes,
    /// After a jump, the man jumps on as long as it can.
    pub(crate) again: bool,
    /// Where a man is dropped.
    pub(crate) onto: Set,
    /// The classes of men that are dropped as others, and those others.
    pub(crate) dropped_as: Vec<(usize, usize)>,
    /// A man of the other player must be next to the man in one of these directions.
    pub(crate) beside: Option<Vec<usize>>,
    /// A man is dropped only where the next point in each of these directions is not free, or missing.
    pub(crate) upon: Vec<usize>,
    /// The player has no man in hand.
    pub(crate) placed: bool,
    /// The player has no other move.
    pub(crate) otherwise: bool,
}

/// A statement `promote`.
#[derive(Clone, Debug)]
pub(crate) struct Promotion {
    pub(crate) class: usize,
    pub(crate) into: usize,
    pub(crate) zone: Set,
    /// Whether a man that moves must take to become the other kind.
    pub(crate) takes: bool,
    /// Whether men that are dropped on the zone become the other kind, too.
    pub(crate) dropped: bool,
}

/// Where taken men go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Out of the game.
    Away,
    /// To the hand of the player who takes.
    Hand,
    /// To the hand of their owner.
    Back,
}

/// A statement `win` for one player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct End {
    pub(crate) player: usize,
    pub(crate) test: Test,
}

/// When a player has won.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    /// Men of the player stand on all points of one set, and men of the other player on all points of another set.
    Pattern { own: Set, other: Set },
    /// A man of a class stands in a zone. `safe`: the other player, who is to move, cannot take him.
    Reach { class: usize, zone: Set, safe: bool },
    /// The player has no man left, on the board or in hand.
    Out,
    /// The other player has fewer men than this, on the board and in hand.
    Below(u32),
    /// The other player has no man of a class on the board.
    Take(usize),
}

/// What a situation means for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Loses,
    Wins,
    Draws,
}
