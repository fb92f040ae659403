//! The course of a game: who is to move, what has been played, what has been seen before, and how it ends.

use retrograde::{Outcome, Value};

use retrograde_catalog::{Played, State};

use crate::error::PlayError;
use crate::field::{Field, Node};
use crate::record::{End, Record};

/// A game that is being played.
pub(crate) struct Game<'a> {
    field: Field<'a>,
    /// What has been played.
    plies: Vec<Ply>,
    node: Node,
    side: usize,
    /// A draw that was agreed.
    agreed: bool,
    /// The exit that was taken, if one was.
    left: Option<Value>,
}

/// A move that was made.
struct Ply {
    /// The position it was made in, and its text.
    state: State,
    from: String,
    side: usize,
    played: Played,
}

impl<'a> Game<'a> {
    /// A game that begins here.
    pub(crate) fn new(field: Field<'a>, start: &State) -> Result<Game<'a>, PlayError> {
        let node = field.look(start)?;
        let side = node.side.unwrap_or(0);
        Ok(Game { field, plies: Vec::new(), node, side, agreed: false, left: None })
    }

    /// Where it stands.
    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// Whose move it is.
    pub(crate) fn side(&self) -> usize {
        self.side
    }

    /// How many moves have been made.
    pub(crate) fn len(&self) -> usize {
        self.plies.len()
    }

    /// All moves, in order, with who made them.
    pub(crate) fn moves(&self) -> impl DoubleEndedIterator<Item = (usize, &Played)> {
        self.plies.iter().map(|ply| (ply.side, &ply.played))
    }

    /// Makes the move of that number.
    pub(crate) fn play(&mut self, choice: usize) -> Result<(), PlayError> {
        let played = self.node.moves[choice].clone();
        let Node { state, text: from, .. } = self.node.clone();
        let side = self.side;
        match &played.to {
            None => self.left = Some(played.value),
            Some(to) => {
                self.node = self.field.look(to)?;
                let next = if played.keeps_turn { side } else { 1 - side };
                self.side = self.node.side.unwrap_or(next);
            }
        }
        self.plies.push(Ply { state, from, side, played });
        Ok(())
    }

    /// Takes the last move back, if there is one.
    pub(crate) fn back(&mut self) -> Result<bool, PlayError> {
        let Some(Ply { state, side, .. }) = self.plies.pop() else { return Ok(false) };
        self.node = self.field.look(&state)?;
        self.side = side;
        self.agreed = false;
        self.left = None;
        Ok(true)
    }

    /// How often this position has been there before, the same side to move.
    pub(crate) fn repeated(&self) -> usize {
        let same = |ply: &&Ply| ply.side == self.side && ply.from == self.node.text;
        self.plies.iter().filter(same).count()
    }

    /// Whether a draw may be had: neither side can force the end, and the position has been there before.
    pub(crate) fn draw_offered(&self) -> bool {
        self.over().is_none() && self.node.value == Value::Draw && self.repeated() > 0
    }

    /// Ends it as a draw.
    pub(crate) fn agree(&mut self) {
        self.agreed = true;
    }

    /// How it ended, if it has.
    pub(crate) fn over(&self) -> Option<End> {
        if self.agreed {
            return Some(End { winner: None, why: "agreed" });
        }
        let (value, why) = match self.left {
            Some(value) => (value, "out of the game, by a move"),
            None if self.node.moves.is_empty() => (self.node.value, self.node.end),
            None => return None,
        };
        let winner = match value.outcome() {
            Outcome::Draw => None,
            Outcome::Win => Some(self.side),
            Outcome::Loss => Some(1 - self.side),
        };
        Some(End { winner, why })
    }

    /// The game, to be written out.
    pub(crate) fn record(&self, players: [String; 2]) -> Record<'_> {
        let start = self.plies.first().map_or(&*self.node.text, |ply| &ply.from);
        Record { players, start, moves: self.moves().collect(), end: self.over() }
    }
}
