//! Moves that have no table: each with its conditions.

use crate::atoms::{Atom, Condition, OFF};
use crate::board::{Set, bit};

/// An atom in slots.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The slot of the man before and after. A man in hand has that of his kind.
    pub(crate) before: usize,
    pub(crate) after: usize,
    /// His place before and after.
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) takes: Set,
    /// The hand that he comes from, if he is dropped.
    pub(crate) hand: Option<usize>,
    conditions: Vec<Condition>,
}

/// The men as a player sees them.
#[derive(Clone, Copy)]
pub(crate) struct Men {
    pub(crate) own: Set,
    pub(crate) other: Set,
    /// Whether the player has no man in hand, if some of his moves ask for that.
    pub(crate) placed: bool,
    /// Whether all men of the other player on the board stand in mills.
    pub(crate) milled: bool,
}

impl Men {
    #[inline(always)]
    pub(crate) fn new([own, other]: [Set; 2], placed: bool, mills: &[Set]) -> Men {
        let full = mills.iter().filter(|&line| line & !other == 0);
        let milled = full.fold(0, |all, line| all | line) == other;
        Men { own, other, placed, milled }
    }
}

impl Step {
    pub(crate) fn new(atom: &Atom, [before, after]: [usize; 2], hand: Option<usize>) -> Step {
        let Atom { change, conditions } = atom;
        let (from, to, takes) = (change.from, change.to, change.takes);
        Step { before, after, from, to, takes, hand, conditions: conditions.clone() }
    }

    /// A step of a table, which has tested its conditions.
    pub(crate) fn tested(
        [before, after]: [usize; 2],
        [from, to]: [u8; 2],
        takes: Set,
        hand: Option<usize>,
    ) -> Step {
        Step { before, after, from, to, takes, hand, conditions: Vec::new() }
    }

    /// Whether the other men let it happen. `otherwise`: by a condition for a player without other moves.
    #[inline(always)]
    pub(crate) fn is_possible(&self, men: Men, otherwise: bool) -> bool {
        let own = if self.from == OFF { men.own } else { men.own & !bit(self.from) };
        let still = own | men.other;
        self.conditions.iter().any(|condition| {
            condition.otherwise == otherwise
                && condition.free & still == 0
                && condition.full & !still == 0
                && condition.own & !own == 0
                && condition.other & !men.other == 0
                && (condition.beside == 0 || condition.beside & men.other != 0)
                && (men.placed || !condition.placed)
                && (men.milled || !condition.milled)
                && (men.other == 0 || !condition.bare)
                && !condition.never.iter().any(|never| {
                    never.own & !own == 0
                        && never.other & !men.other == 0
                        && never.free & still == 0
                })
        })
    }
}
