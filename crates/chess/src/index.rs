//! The numbering of a region's states.
//!
//! ```text
//! state = ((kings * 2 + turn) * rest + others) * 64 + word
//! ```
//!
//! `kings` is the placement of the kings up to symmetry, and `turn` is 0 for white. `word` is the square of
//! one man, the *man of the word*. So 64 neighbouring states differ only in the square of this man.
//! `others` numbers the squares of the remaining men, kind by kind. Equal men count as a set, and a pawn has 48
//! squares.
//!
//! The man of the word is never a king. He is the strongest man without an equal. When he steps, only his square
//! and the turn change. So all his steps from the states of one word lead into one word: the same, with the other side
//! to move. Steps of another man lead into as many words as he has target squares. If every man but
//! the kings has an equal, the man of the word is one of the strongest white men.
//!
//! A number is invalid if men share a square, if a pawn is on the first or last rank, or if the side not to
//! move is in check. If the man of the word has equals, a number is also invalid unless he stands on the
//! greatest square of his kind.
//!
//! # En passant
//!
//! Positions with a possible en passant capture are further states, after all others:
//!
//! ```text
//! state = placements + ((kings * 2 + turn) * 14 + pair) * 64^(pieces - 4) + others
//! ```
//!
//! `pair` is one of the 14 ways in which the pushed pawn and the capturing pawn stand side by side. If two
//! pawns can capture, `pair` uses the pawn on the lower file. `others` are the squares of the remaining men,
//! equal men in ascending order. The capture need not be legal. It is enough that a pawn attacks the square
//! that the pushed pawn has passed. A number is also invalid if no double step can lead to its position.

use std::ops::Range;

use crate::kings::Kings;
use crate::material::{Material, SLOTS, Squares};
use crate::piece::{Color, Piece, Role, Square, squares};
use crate::position::Position;
use crate::sets::Group;

/// The numbering of all positions of a material.
pub struct Index {
    material: Material,
    /// The men, slot by slot. Unused slots hold the white king.
    pieces: [Piece; SLOTS],
    count: usize,
    pub(crate) kings: &'static Kings,
    /// The men numbered by `others`.
    groups: Vec<Group>,
    /// The slots of the man of the word and of his equals. The man of the word has the last of these slots.
    word: Range<usize>,
    /// How many numbers `others` needs.
    rest: u64,
    /// For each man without equals: how much the state grows if that man stands one square further.
    strides: [Option<u64>; SLOTS],
    passing: Option<Passing>,
}

/// The numbering of en passant positions.
struct Passing {
    /// The first slot of each side's pawns. In these states, it holds the pawn of the pair.
    pawns: [usize; 2],
    /// The slots of the remaining men, kind by kind.
    kinds: Vec<Range<usize>>,
    /// How many numbers the squares of these men need.
    rest: u64,
}

/// The states with one placement of the kings and one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The states.
    pub states: Range<u64>,
    /// The side to move in all of them.
    pub turn: Color,
    /// How many placements on the board each state stands for.
    pub multiplicity: u32,
}

impl Index {
    /// The numbering for a material.
    pub fn new(material: Material) -> Index {
        let mut pieces = [Piece { color: Color::White, role: Role::King }; SLOTS];
        let mut count = 0;
        for piece in material.slots() {
            pieces[count] = piece;
            count += 1;
        }
        let kinds = kinds(&pieces[..count]);
        let alone = kinds.iter().filter(|kind| kind.len() == 1);
        let word = alone.min_by_key(|kind| pieces[kind.start].role).unwrap_or(&kinds[0]).clone();

        let mut groups = Vec::new();
        let mut strides = [None; SLOTS];
        strides[word.start] = (word.len() == 1).then_some(1);
        let mut rest = 1;
        for kind in &kinds {
            let slots = if *kind == word { kind.start..kind.end - 1 } else { kind.clone() };
            if slots.is_empty() {
                continue;
            }
            let group = Group::new(slots.clone(), pieces[slots.start].role, rest);
            if kind.len() == 1 {
                strides[kind.start] = Some(group.stride * 64);
            }
            rest *= group.sets.len() as u64;
            groups.push(group);
        }
        let passing = material.has_en_passant().then(|| Passing::new(&pieces[..count], &kinds));
        let kings = Kings::get(material.pawns() > 0);
        Index { material, pieces, count, kings, groups, word, rest, strides, passing }
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// How many states there are, including invalid ones.
    pub fn states(&self) -> u64 {
        let passing = self.passing.as_ref().map_or(0, |passing| 14 * passing.rest);
        self.placements() + self.kings.placements() * 2 * passing
    }

    /// How many states have no en passant capture. These states come first.
    pub fn placements(&self) -> u64 {
        self.kings.placements() * 2 * self.block()
    }

    /// The states without an en passant capture, in blocks. A block says how many placements on the board
    /// each of its states stands for: symmetric positions share a state.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        (0..self.kings.placements() * 2).map(|number| {
            let states = number * self.block()..(number + 1) * self.block();
            let turn = [Color::White, Color::Black][(number % 2) as usize];
            let multiplicity = self.kings.multiplicity((number / 2) as u16);
            Block { states, turn, multiplicity }
        })
    }

    /// The states with an en passant capture, by side to move.
    pub(crate) fn passing(&self) -> impl Iterator<Item = (Color, Range<u64>)> + '_ {
        let each = self.passing.as_ref().map_or(0, |passing| 14 * passing.rest);
        let numbers = 0..if each == 0 { 0 } else { self.kings.placements() * 2 };
        numbers.map(move |number| {
            let first = self.placements() + number * each;
            ([Color::White, Color::Black][(number % 2) as usize], first..first + each)
        })
    }

    /// The position of a state, or `None` if it is invalid.
    pub fn position(&self, state: u64) -> Option<Position> {
        let decoded = self.decode(state);
        if self.is_invalid(state, &decoded) {
            return None;
        }
        let Position { turn, en_passant, .. } = decoded.position;
        let placed: Vec<_> = decoded.position.placed().collect();
        Some(Position::new(&placed, turn, en_passant).expect("valid states are legal positions"))
    }

    /// Which of the 64 states from `64 * word` on are invalid: bit `i` is state `64 * word + i`. States beyond
    /// the last are invalid.
    pub fn invalid_states(&self, word: u64) -> u64 {
        if let Some(frame) = self.frame(word) {
            return frame.invalid();
        }
        (0..64).fold(0, |invalid_states, bit| {
            let state = word * 64 + bit;
            let invalid = state >= self.states() || self.is_invalid(state, &self.decode(state));
            invalid_states | u64::from(invalid) << bit
        })
    }

    /// How far apart the two states of a placement are: the number of the state with black to move, minus the number
    /// of the state with white to move.
    pub fn turn_stride(&self) -> u64 {
        self.block()
    }

    /// The state of a position, which must have this material, with either colour as the stronger side.
    pub fn state(&self, position: &Position) -> u64 {
        let (material, flip) = position.material().expect("two bare kings have no index");
        assert_eq!(material, self.material, "a position of another material");
        let position = if flip { position.flipped() } else { *position };
        self.encode(position.turn, &position.squares, position.en_passant)
    }

    fn block(&self) -> u64 {
        self.rest * 64
    }
}

impl Position {
    /// The region of the position, and its state in this region. `None` for two bare kings, which are always
    /// a draw.
    pub fn region(&self) -> Option<(Material, u64)> {
        let (material, _) = self.material()?;
        Some((material, Index::new(material).state(self)))
    }
}

/// The position of a state, and the number of the placement of its kings.
pub(crate) struct Decoded {
    /// Not checked: for an invalid state, this is an illegal position.
    pub(crate) position: Position,
    pub(crate) kings: u16,
}

impl Index {
    #[inline]
    pub(crate) fn decode(&self, state: u64) -> Decoded {
        assert!(state < self.states(), "state {state} of {} is beyond the last", self.material);
        match state.checked_sub(self.placements()) {
            None => {
                let word = state / 64;
                let mut decoded = self.decode_placement(word / self.rest, word % self.rest);
                decoded.position.squares[self.word.end - 1] = Square::new((state % 64) as u8);
                decoded
            }
            Some(number) => self.decode_passing(number),
        }
    }

    /// The first position of a word. The man of the word is on a1.
    #[inline]
    pub(crate) fn decode_placement(&self, block: u64, others: u64) -> Decoded {
        let mut decoded = self.decode_kings(block);
        let squares = &mut decoded.position.squares;
        // A division of 32 bits takes at most half the time of a division of 64 bits.
        let mut others = others as u32;
        for group in &self.groups {
            let sets = group.sets.len() as u32;
            group.place(others % sets, squares);
            others /= sets;
        }
        squares[self.word.end - 1] = Square::new(0);
        decoded
    }

    fn decode_passing(&self, number: u64) -> Decoded {
        let passing = self.passing.as_ref().expect("pawns of both sides");
        let (pair, others) = (number / passing.rest, number % passing.rest);
        let mut decoded = self.decode_kings(pair / 14);
        let Position { squares, turn, en_passant, .. } = &mut decoded.position;
        let pushed = !*turn;
        let pair = (pair % 14) as u8 + 1;
        let (file, captor) = (pair / 2, if pair % 2 == 1 { pair / 2 + 1 } else { pair / 2 - 1 });
        let rank = [3, 4][pushed as usize];
        squares[passing.pawns[pushed as usize]] = Square::at(file, rank);
        squares[passing.pawns[*turn as usize]] = Square::at(captor, rank);
        *en_passant = Some(Square::at(file, rank).offset(-pushed.ahead()));
        let mut digits = others;
        for slot in passing.kinds.iter().rev().cloned().flat_map(Iterator::rev) {
            squares[slot] = Square::new((digits % 64) as u8);
            digits /= 64;
        }
        decoded
    }

    fn decode_kings(&self, block: u64) -> Decoded {
        let kings = (block / 2) as u16;
        let turn = [Color::White, Color::Black][(block % 2) as usize];
        let [white, black] = self.kings.squares(kings);
        let mut squares = [white; SLOTS];
        squares[1] = black;
        let (pieces, count) = (self.pieces, self.count as u8);
        Decoded { position: Position { pieces, squares, count, turn, en_passant: None }, kings }
    }

    /// Whether a state is invalid.
    pub(crate) fn is_invalid(&self, state: u64, decoded: &Decoded) -> bool {
        let position = &decoded.position;
        let ordered = match position.en_passant {
            None => position.squares[self.word.clone()].is_sorted(),
            Some(target) => {
                position.capturers().is_some_and(|captors| captors != 0)
                    && self.number_passing(decoded.kings, position.turn, &position.squares, target)
                        == state
            }
        };
        !ordered || position.is_invalid()
    }

    /// The state of pieces on these squares.
    pub(crate) fn encode(&self, turn: Color, squares: &Squares, passed: Option<Square>) -> u64 {
        let place = self.kings.place(squares[0], squares[1]).expect("kings that do not touch");
        let squares = squares.map(|square| place.symmetry.apply(square));
        match passed {
            None => self.number(place.number, turn, &squares),
            Some(passed) => {
                let passed = place.symmetry.apply(passed);
                self.number_passing(place.number, turn, &squares, passed)
            }
        }
    }

    /// The state of pieces on these squares. The caller has already mapped the squares by the symmetry that brings the
    /// kings to placement `kings`.
    #[inline]
    pub(crate) fn number(&self, kings: u16, turn: Color, squares: &Squares) -> u64 {
        let mut squares = *squares;
        if self.word.len() > 1 {
            squares[self.word.clone()].sort_unstable();
        }
        let others: u64 =
            self.groups.iter().map(|group| group.stride * group.number(&squares)).sum();
        let block = u64::from(kings) * 2 + turn as u64;
        (block * self.rest + others) * 64 + u64::from(squares[self.word.end - 1].number())
    }

    /// The state in which a pawn has just passed over `passed` and can be captured there.
    pub(crate) fn number_passing(
        &self,
        kings: u16,
        turn: Color,
        squares: &Squares,
        passed: Square,
    ) -> u64 {
        let passing = self.passing.as_ref().expect("pawns of both sides");
        let mut squares = *squares;
        let pushed = passed.offset((!turn).ahead());
        let slot = self.slots_of(!turn, Role::Pawn).find(|&slot| squares[slot] == pushed);
        squares.swap(slot.expect("a pawn has passed"), passing.pawns[!turn as usize]);
        let beside = |square: Square| {
            square.rank() == pushed.rank() && square.file().abs_diff(pushed.file()) == 1
        };
        let captor = self
            .slots_of(turn, Role::Pawn)
            .filter(|&slot| beside(squares[slot]))
            .min_by_key(|&slot| squares[slot])
            .expect("a pawn that can capture");
        squares.swap(captor, passing.pawns[turn as usize]);

        let captor = squares[passing.pawns[turn as usize]];
        let pair = pushed.file() * 2 + u8::from(captor > pushed) - 1;
        let mut others = 0;
        for kind in &passing.kinds {
            squares[kind.clone()].sort_unstable();
            for slot in kind.clone() {
                others = others * 64 + u64::from(squares[slot].number());
            }
        }
        let block = u64::from(kings) * 2 + turn as u64;
        self.placements() + (block * 14 + u64::from(pair)) * passing.rest + others
    }

    /// Visits the states in which the man of one slot stands on a square of `targets`, and `turn` is to move.
    /// In `state` the same side is to move and all other men stand the same, but this man stands on his old square.
    #[inline]
    pub(crate) fn steps(
        &self,
        (state, decoded, turn): (u64, &Decoded, Color),
        slot: usize,
        targets: u64,
        mut visit: impl FnMut(u64, Square),
    ) {
        if self.word.len() > 1 && self.word.contains(&slot) {
            let mut moved = decoded.position.squares;
            for to in squares(targets) {
                moved[slot] = to;
                visit(self.number(decoded.kings, turn, &moved), to);
            }
            return;
        }
        self.steps_beside((state, decoded), slot, targets, visit);
    }

    /// The same for a man who is no equal of the man of the word.
    #[inline]
    pub(crate) fn steps_beside(
        &self,
        (state, decoded): (u64, &Decoded),
        slot: usize,
        targets: u64,
        mut visit: impl FnMut(u64, Square),
    ) {
        let from = decoded.position.squares[slot];
        if let Some(stride) = self.strides[slot] {
            // This may go below zero, because a pawn's squares are counted from the second rank.
            let base = state.wrapping_sub(u64::from(from.number()) * stride);
            squares(targets)
                .for_each(|to| visit(base.wrapping_add(u64::from(to.number()) * stride), to));
            return;
        }
        let mut moved = decoded.position.squares;
        // Only the number of the set of equal men changes.
        let group = self.groups.iter().find(|group| group.slots.contains(&slot));
        let group = group.expect("a king's step changes more than the squares of a group");
        let base = state - group.number(&moved) * group.stride * 64;
        for to in squares(targets) {
            moved[slot] = to;
            visit(base + group.number(&moved) * group.stride * 64, to);
        }
    }

    /// Visits the states of the position `earlier`, in which `turn` is to move, and from which a king's step leads
    /// to the placement `later` of the kings.
    pub(crate) fn before_king_step(
        &self,
        later: u16,
        turn: Color,
        earlier: &Squares,
        mut visit: impl FnMut(u64),
    ) {
        self.kings.before_step(later, [earlier[0], earlier[1]], |place| {
            let brought = earlier.map(|square| place.symmetry.apply(square));
            visit(self.number(place.number, turn, &brought));
        });
    }

    /// The slot of the man of the run, in a material with [runs](crate::runs).
    pub(crate) fn run_slot(&self) -> Option<usize> {
        let slots = &self.groups.first()?.slots;
        let alone = self.word.len() == 1 && slots.len() == 1 && self.passing.is_none();
        Some(slots.start).filter(|&slot| alone && self.pieces[slot].role != Role::Pawn)
    }

    /// How many words a block has.
    pub(crate) fn block_words(&self) -> u64 {
        self.rest
    }

    /// The slot of the man of the word, if he has no equals.
    pub(crate) fn word_slot(&self) -> Option<usize> {
        (self.word.len() == 1).then_some(self.word.start)
    }

    /// The slot of the man of the word.
    pub(crate) fn man(&self) -> usize {
        self.word.end - 1
    }

    /// The slots of the equals of the man of the word.
    pub(crate) fn equals(&self) -> Range<usize> {
        self.word.start..self.man()
    }

    /// The slots of one kind of piece.
    pub(crate) fn slots_of(&self, color: Color, role: Role) -> impl Iterator<Item = usize> + '_ {
        (0..self.count).filter(move |&slot| self.pieces[slot] == Piece { color, role })
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.count]
    }
}

impl Passing {
    fn new(pieces: &[Piece], kinds: &[Range<usize>]) -> Passing {
        let first = |color| {
            let pawn = Piece { color, role: Role::Pawn };
            pieces.iter().position(|&piece| piece == pawn).expect("pawns of both sides")
        };
        let pawns = [first(Color::White), first(Color::Black)];
        let free = |kind: &Range<usize>| {
            let start = if pawns.contains(&kind.start) { kind.start + 1 } else { kind.start };
            start..kind.end
        };
        Passing {
            pawns,
            kinds: kinds.iter().map(free).collect(),
            rest: 64u64.pow(pieces.len() as u32 - 4),
        }
    }
}

/// The slots of each kind of man.
fn kinds(pieces: &[Piece]) -> Vec<Range<usize>> {
    let mut kinds = Vec::new();
    let mut start = 2;
    for kind in pieces[2..].chunk_by(|a, b| a == b) {
        kinds.push(start..start + kind.len());
        start += kind.len();
    }
    kinds
}
