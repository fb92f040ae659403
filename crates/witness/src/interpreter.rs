//! Reads the text of a game (`docs/texts.md`) and plays it: the rules of described games, forwards only.
//!
//! It follows the reference page word by word. A man looks along its rays, as a player does. It shares no code with the
//! compiler of texts, the crate `retrograde-described`, which makes a list of all moves and their conditions.

mod board;
mod ends;
mod moves;
mod read;

use std::collections::BTreeSet;

use retrograde::Value;

use board::Board;
pub(crate) use ends::{Test, Win};
pub(crate) use moves::{Move, Travel};

/// The most classes of men. A class is a kind of a player.
pub(crate) const CLASSES_MAX: usize = 16;

/// A position: who is to move, where the men of each class stand, and how many are in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    pub(crate) side: usize,
    /// For each class, a set of points: a bit for each.
    pub(crate) men: [u64; CLASSES_MAX],
    pub(crate) hand: [u16; CLASSES_MAX],
}

/// A game that is played from its text.
#[derive(Debug)]
pub struct Interpreter {
    pub(crate) players: [String; 2],
    pub(crate) board: Board,
    /// First those of the first player.
    pub(crate) classes: Vec<Class>,
    pub(crate) moves: Vec<Move>,
    promotions: Vec<Promotion>,
    /// For each class, in whose hand a taken man comes, and as what.
    pub(crate) taken_as: Vec<Option<usize>>,
    /// Whether a taken man comes to the hand of the player who takes, or of its owner.
    pub(crate) taken: Option<bool>,
    pub(crate) wins: Vec<Win>,
    /// The lines of mills.
    pub(crate) mills: Vec<u64>,
    /// What it means for the player to move if that player has no move, if only that player holds an end, and if both hold one.
    stuck: Value,
    held: Value,
    both: Value,
}

/// A statement `promote`, for one player.
#[derive(Debug)]
struct Promotion {
    class: usize,
    into: usize,
    zone: u64,
    /// Whether a man that moves must take, and whether a drop counts.
    takes: bool,
    dropped: bool,
}

/// The men of one kind of one player.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) player: usize,
    pub(crate) kind: String,
    /// How many there are at the start.
    pub(crate) count: u16,
    pub(crate) in_hand: bool,
    /// Where they stand at the start.
    pub(crate) start: u64,
    /// Whether no move may leave them where they can be taken.
    pub(crate) royal: bool,
}

impl Class {
    fn sign(&self) -> char {
        let letter = self.kind.chars().next().unwrap_or('?');
        match self.player {
            0 => letter.to_uppercase().next().unwrap_or(letter),
            _ => letter,
        }
    }
}

impl Interpreter {
    /// The position that play begins with.
    pub fn start(&self) -> Placement {
        let mut start = Placement::default();
        for (at, class) in self.classes.iter().enumerate() {
            start.men[at] = class.start;
            start.hand[at] = if class.in_hand { class.count } else { 0 };
        }
        start
    }

    /// The positions after the moves of a position. There are none if the game is over.
    pub fn next(&self, position: &Placement) -> BTreeSet<Placement> {
        let mut next = BTreeSet::new();
        if self.verdict(position).is_none() {
            self.each_next(position, |after| {
                next.insert(*after);
            });
        }
        next
    }

    /// The value of a position in which the game is over, for the player to move.
    pub fn value(&self, position: &Placement) -> Option<Value> {
        let verdict = self.verdict(position);
        verdict.or_else(|| self.next(position).is_empty().then(|| self.stuck(position)))
    }

    /// The value for the player to move, who has no move.
    pub(crate) fn stuck(&self, position: &Placement) -> Value {
        match self.loses_royal(position, position.side) {
            true => Value::Loss(0),
            false => self.stuck,
        }
    }

    /// The points with men of a player.
    pub(crate) fn men(&self, position: &Placement, player: usize) -> u64 {
        self.own(player).fold(0, |all, class| all | position.men[class])
    }

    /// How many men a player has in hand.
    fn in_hand(&self, position: &Placement, player: usize) -> u16 {
        self.own(player).map(|class| position.hand[class]).sum()
    }

    /// The classes of a player.
    fn own(&self, player: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.classes.len()).filter(move |&class| self.classes[class].player == player)
    }

    /// The text of a position. The men in hand are always there.
    pub fn write(&self, position: &Placement) -> String {
        let sign = |point: usize| {
            let class =
                (0..self.classes.len()).find(|&class| position.men[class] >> point & 1 != 0);
            class.map_or('.', |class| self.classes[class].sign())
        };
        let rows: Vec<String> = self.board.rows().map(|row| row.map(sign).collect()).collect();
        let hand: String = (0..self.classes.len())
            .flat_map(|class| {
                let count = usize::from(position.hand[class]);
                std::iter::repeat_n(self.classes[class].sign(), count)
            })
            .collect();
        let hand = if hand.is_empty() { "-" } else { &hand };
        format!("{} {} {hand}", self.players[position.side], rows.join("/"))
    }

    /// The position of a text. Men in hand may be left out.
    pub fn read(&self, text: &str) -> Option<Placement> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (player, rows) = (words.first()?, words.get(1)?);
        let class = |sign: char| self.classes.iter().position(|class| class.sign() == sign);
        let mut position = Placement {
            side: self.players.iter().position(|name| name == player)?,
            ..Placement::default()
        };
        let mut signs = rows.chars().filter(|sign| *sign != '/');
        for point in self.board.rows().flatten() {
            let sign = signs.next()?;
            if sign != '.' {
                position.men[class(sign)?] |= 1 << point;
            }
        }
        for sign in words.get(2).unwrap_or(&"-").chars().filter(|sign| *sign != '-') {
            position.hand[class(sign)?] += 1;
        }
        Some(position)
    }
}

/// The points of a set, least first.
pub(crate) fn points(set: u64) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let point = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (point < 64).then_some(point)
    })
}
