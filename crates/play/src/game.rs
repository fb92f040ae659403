//! The course of a game: the side to move, the moves so far, repeated positions, and the end.

use retrograde::{Outcome, Value};

use retrograde_catalog::{Played, State};

use crate::error::PlayError;
use crate::field::{Field, Node};
use crate::record::{End, Record};

/// A game that is being played.
pub(crate) struct Game<'a> {
    field: Field<'a>,
    /// The moves so far.
    plies: Vec<Ply>,
    node: Node,
    side: usize,
    /// Whether the players have agreed to a draw.
    agreed: bool,
}

/// A past move.
struct Ply {
    /// The position before it, and the text of that position.
    state: State,
    from: String,
    side: usize,
    played: Played,
}

impl<'a> Game<'a> {
    /// A new game from this state.
    pub(crate) fn new(field: Field<'a>, start: &State) -> Result<Game<'a>, PlayError> {
        let node = field.look(start)?;
        let side = node.side.unwrap_or(0);
        Ok(Game { field, plies: Vec::new(), node, side, agreed: false })
    }

    /// The current position.
    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// The side to move.
    pub(crate) fn side(&self) -> usize {
        self.side
    }

    /// How many moves have been played.
    pub(crate) fn len(&self) -> usize {
        self.plies.len()
    }

    /// All moves in order, each with its side.
    pub(crate) fn moves(&self) -> impl DoubleEndedIterator<Item = (usize, &Played)> {
        self.plies.iter().map(|ply| (ply.side, &ply.played))
    }

    /// Plays the move with this number.
    pub(crate) fn play(&mut self, choice: usize) -> Result<(), PlayError> {
        let played = self.node.moves[choice].clone();
        let Node { state, text: from, .. } = self.node.clone();
        let side = self.side;
        self.node = self.field.look(&played.step.next)?;
        let next = if played.step.keeps_turn { side } else { 1 - side };
        self.side = self.node.side.unwrap_or(next);
        self.plies.push(Ply { state, from, side, played });
        Ok(())
    }

    /// Takes the last move back, if there is one.
    pub(crate) fn back(&mut self) -> Result<bool, PlayError> {
        let Some(Ply { state, side, .. }) = self.plies.pop() else { return Ok(false) };
        self.node = self.field.look(&state)?;
        self.side = side;
        self.agreed = false;
        Ok(true)
    }

    /// How often this position occurred before with the same side to move.
    pub(crate) fn repeated(&self) -> usize {
        let same = |ply: &&Ply| ply.side == self.side && ply.from == self.node.text;
        self.plies.iter().filter(same).count()
    }

    /// Whether a draw is offered: neither side can force the end, and the position has occurred before.
    pub(crate) fn draw_offered(&self) -> bool {
        self.over().is_none() && self.node.value == Value::Draw && self.repeated() > 0
    }

    /// Ends it as a draw.
    pub(crate) fn agree(&mut self) {
        self.agreed = true;
    }

    /// How the game ended, if it did.
    pub(crate) fn over(&self) -> Option<End> {
        if self.agreed {
            return Some(End { winner: None, why: "agreed" });
        }
        if !self.node.moves.is_empty() {
            return None;
        }
        let (value, why) = (self.node.value, self.node.end);
        let winner = match value.outcome() {
            Outcome::Draw => None,
            Outcome::Win => Some(self.side),
            Outcome::Loss => Some(1 - self.side),
        };
        Some(End { winner, why })
    }

    /// The record of the game.
    pub(crate) fn record(&self, players: [String; 2]) -> Record<'_> {
        let start = self.plies.first().map_or(&*self.node.text, |ply| &ply.from);
        Record { players, start, moves: self.moves().collect(), end: self.over() }
    }
}
