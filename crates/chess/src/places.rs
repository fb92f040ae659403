//! Positions that differ in the square of the man of the word, and the words that hold their states.
//!
//! If he has no equals, they are the states of one word. Otherwise the numbering takes the last of the equals as the man of the
//! word. Then each square behind all equals has its bit in one word. With the man on another square, the last equal is the man
//! of a word of its own.

use std::ops::Deref;

use retrograde::bit_parallel::{Key, Keys};

use crate::frame::{Frame, up_to};
use crate::index::Index;
use crate::material::Squares;
use crate::piece::{Color, Square, squares};

/// Positions that differ in the square of the man of the word.
pub(crate) enum Places<'i> {
    /// The states of a word.
    Word(u64),
    /// The kings, the side to move and the squares of all others.
    OfEquals(&'i Index, (u16, Color), Squares),
}

impl Places<'_> {
    /// Visits the words of the positions with the man of the word on the squares of `set`: the number of a word, a set of its
    /// states, and the squares of these.
    #[inline(always)]
    pub(crate) fn each(&self, set: u64, mut visit: impl FnMut(u64, u64, u64)) {
        match self {
            Places::Word(word) => visit(*word, set, set),
            Places::OfEquals(index, men, squares) => {
                index.each_word(*men, squares, set, &mut visit);
            }
        }
    }

    /// Which of the positions with the man of the word on the squares of `set` are in the sets that `of` returns for words.
    /// Squares outside the set may be missing.
    #[inline(always)]
    pub(crate) fn read(&self, set: impl FnOnce() -> u64, of: impl Fn(u64) -> u64) -> u64 {
        if let Places::Word(word) = self {
            return of(*word);
        }
        let mut found = 0;
        self.each(set(), |word, states, at| {
            let there = states & of(word);
            // Either squares and states have the same bits, or both are one bit.
            found |= if states == at { there } else { at * u64::from(there != 0) };
        });
        found
    }

    /// The keys of the positions with the man of the word on the squares of `set`, by square.
    #[inline(always)]
    pub(crate) fn keys<K: Deref<Target = Keys>>(
        &self,
        set: impl FnOnce() -> u64,
        of: impl Fn(u64) -> K,
        act: impl FnOnce(&Keys),
    ) {
        if let Places::Word(word) = self {
            return act(&of(*word));
        }
        let mut keys = [Key::INVALID; 64];
        self.each(set(), |word, states, at| {
            let of_word = of(word);
            let both = squares(states).zip(squares(at));
            both.for_each(|(state, square)| keys[square.index()] = of_word[state.index()]);
        });
        act(&keys);
    }
}

impl Index {
    /// The positions of a frame with these kings and this side to move.
    #[inline]
    pub(crate) fn staying<const EQUALS: bool>(
        &self,
        frame: &Frame,
        kings: u16,
        turn: Color,
    ) -> Places<'_> {
        if !EQUALS {
            return Places::Word(self.word(frame, kings, turn));
        }
        Places::OfEquals(self, (kings, turn), frame.decoded.position.squares)
    }

    // Out of the way of the materials without such equals, which are most.
    #[inline(never)]
    fn each_word(
        &self,
        (kings, turn): (u16, Color),
        men: &Squares,
        set: u64,
        visit: &mut dyn FnMut(u64, u64, u64),
    ) {
        let mut men = *men;
        let last = men[self.equals()].iter().max();
        let behind = set & last.map_or(!0, |last| !up_to(*last));
        if behind != 0 {
            men[self.man()] = Square::new(behind.trailing_zeros() as u8);
            visit(self.number(kings, turn, &men) / 64, behind, behind);
        }
        for square in squares(set & !behind) {
            men[self.man()] = square;
            let state = self.number(kings, turn, &men);
            visit(state / 64, 1 << (state % 64), square.bit());
        }
    }
}
