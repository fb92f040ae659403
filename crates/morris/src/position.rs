//! Positions for people: stones on the board and in hand, the side to move, moves and texts.
//!
//! The text of a position names the side to move and the points of its stones, then the other side and its
//! stones: `white a1 d1 black a7 d7 g7`. In the placing phase it ends with the number of stones that the side
//! to move has in hand: `black a7 white a1 d1 hand 8`. The empty board is `white black hand 9`, or `start`.

use std::fmt;

use retrograde_boards::squares;

use crate::board::Men;
use crate::region::{Region, in_hand};

/// A position of morris.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    men: Men,
    /// The stones of white and of black.
    stones: [u64; 2],
    /// The side to move.
    turn: Side,
    /// How many stones both sides together have placed.
    placed: u32,
}

/// One of the players. White begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who begins.
    White,
    /// The other player.
    Black,
}

/// A move: a stone that is placed or moved, and the stone that it takes if it closes a mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The point that it comes from, or `None` if it comes from the hand.
    pub from: Option<u32>,
    /// The point it goes to.
    pub to: u32,
    /// The taken stone of the other side.
    pub taken: Option<u32>,
}

/// The error for a text that is not a possible position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError(String);

impl Side {
    /// The other player.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// `white` or `black`.
    pub fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    fn named(name: &str) -> Option<Side> {
        [Side::White, Side::Black].into_iter().find(|side| side.name() == name)
    }
}

impl Position {
    /// The empty board.
    pub fn start(men: Men) -> Position {
        Position { men, stones: [0; 2], turn: Side::White, placed: 0 }
    }

    /// A position of a region, from the stones of the side to move and of the other side. If all stones are
    /// placed, the colours do not matter, and white is to move.
    pub(crate) fn in_region(men: Men, region: Region, (own, other): (u64, u64)) -> Position {
        let placed = region.placed().unwrap_or(2 * men.number());
        let turn = if placed.is_multiple_of(2) { Side::White } else { Side::Black };
        let stones = if turn == Side::White { [own, other] } else { [other, own] };
        Position { men, stones, turn, placed }
    }

    /// Reads the text of a position.
    pub fn read(men: Men, text: &str) -> Result<Position, PositionError> {
        let error = |problem: String| Err(PositionError(problem));
        if text.trim() == "start" {
            return Ok(Position::start(men));
        }
        let board = men.board();
        let (mut stones, mut turn, mut reading, mut hand) = ([0u64; 2], None, None, None);
        let mut said = [false; 2];
        let mut words = text.split([' ', ',', '\t']).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            if let Some(side) = Side::named(word) {
                if std::mem::replace(&mut said[side as usize], true) {
                    return error(format!("{word} comes twice"));
                }
                turn = turn.or(Some(side));
                reading = Some(side);
            } else if word == "hand" {
                let number = words.next().and_then(|number| number.parse::<u32>().ok());
                match number.filter(|number| (1..=men.number()).contains(number)) {
                    Some(number) if words.next().is_none() => hand = Some(number),
                    _ => {
                        let most = men.number();
                        return error(format!(
                            "`hand` is followed by a number of stones from 1 to {most}, and ends the position"
                        ));
                    }
                }
            } else {
                let Some(side) = reading else {
                    return error(format!(
                        "found `{word}` instead of `white` or `black`: begin with the side to move"
                    ));
                };
                let Some(point) = board.named(word) else {
                    let all: Vec<String> = board.names(board.all()).collect();
                    return error(format!(
                        "`{word}` is not a point; the points are {}",
                        all.join(" ")
                    ));
                };
                if (stones[0] | stones[1]) >> point & 1 != 0 {
                    return error(format!("there are two stones on {word}"));
                }
                stones[side as usize] |= 1 << point;
            }
        }
        let (Some(turn), [true, true]) = (turn, said) else {
            return error(
                "both sides are named, the one to move first, like `white a1 black a4 hand 2`"
                    .to_owned(),
            );
        };
        let placed = match (hand, turn) {
            (None, _) => 2 * men.number(),
            (Some(hand), Side::White) => 2 * (men.number() - hand),
            (Some(hand), Side::Black) => 2 * (men.number() - hand) + 1,
        };
        let position = Position { men, stones, turn, placed };
        position.check().map_err(PositionError)?;
        Ok(position)
    }

    /// Why the position is impossible, if it is.
    fn check(&self) -> Result<(), String> {
        for side in [self.turn, self.turn.other()] {
            let (name, count) = (side.name(), self.stones(side).count_ones());
            let placed = self.men.number() - self.hand(side);
            if count > placed {
                return Err(format!(
                    "{name} has {count} stones on the board and has placed {placed}"
                ));
            }
        }
        let (own, other) = self.own_and_other();
        let (owns, others) = (own.count_ones(), other.count_ones());
        let known =
            Region::after(self.men, self.placed, owns, others).mills(self.men, owns, others);
        for ((side, stones), known) in
            [(self.turn, own), (self.turn.other(), other)].into_iter().zip(known)
        {
            if !known.allow(self.men.board(), stones) {
                let name = side.name();
                return Err(format!(
                    "no captures can lead to the mills of {name}: the position is impossible"
                ));
            }
        }
        if self.left(self.turn.other()) < 3 {
            let name = self.turn.other().name();
            return Err(format!("{name} has fewer than three stones left and has already lost"));
        }
        Ok(())
    }

    /// The variant.
    pub fn men(&self) -> Men {
        self.men
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The stones of a side, as a set of points.
    pub fn stones(&self, side: Side) -> u64 {
        self.stones[side as usize]
    }

    /// How many stones a side has not placed.
    pub fn hand(&self, side: Side) -> u32 {
        let placed = match side {
            Side::White => self.placed.div_ceil(2),
            Side::Black => self.placed / 2,
        };
        self.men.number() - placed
    }

    /// Whether the player to move has lost: with fewer than three stones, or without a move.
    pub fn is_lost(&self) -> bool {
        self.left(self.turn) < 3 || self.moves().is_empty()
    }

    /// Whether the player to move has fewer than three stones on the board and in hand.
    pub fn is_worn(&self) -> bool {
        self.left(self.turn) < 3
    }

    /// Its region, or `None` if a side has fewer than three stones.
    pub fn region(&self) -> Option<Region> {
        let (own, other) = self.own_and_other();
        (!self.is_worn())
            .then(|| Region::after(self.men, self.placed, own.count_ones(), other.count_ones()))
    }

    /// The stones of the side to move, and of the other.
    pub fn own_and_other(&self) -> (u64, u64) {
        (self.stones(self.turn), self.stones(self.turn.other()))
    }

    /// Every move of the side to move.
    pub fn moves(&self) -> Vec<Move> {
        if self.is_worn() {
            return Vec::new();
        }
        let board = self.men.board();
        let (own, other) = self.own_and_other();
        let free = board.all() & !own & !other;
        let mut steps = Vec::new();
        if self.placed < 2 * self.men.number() {
            steps.extend(squares(free).map(|to| (None, to)));
        } else {
            for from in squares(own) {
                let near = if board.flies(own.count_ones()) {
                    free
                } else {
                    free & board.neighbours(from)
                };
                steps.extend(squares(near).map(|to| (Some(from), to)));
            }
        }
        let mut moves = Vec::new();
        for (from, to) in steps {
            let others = own & !from.map_or(0, |from| 1 << from);
            if board.closes(others, to) && other != 0 {
                let taken = squares(board.takeable(other));
                moves.extend(taken.map(|taken| Move { from, to, taken: Some(taken) }));
            } else {
                moves.push(Move { from, to, taken: None });
            }
        }
        moves
    }

    /// The position after a move.
    #[must_use]
    pub fn play(&self, played: &Move) -> Position {
        let mut after = *self;
        let own = &mut after.stones[self.turn as usize];
        *own = *own & !played.from.map_or(0, |from| 1 << from) | 1 << played.to;
        after.stones[self.turn.other() as usize] &= !played.taken.map_or(0, |taken| 1 << taken);
        after.turn = self.turn.other();
        after.placed = u32::min(self.placed + 1, 2 * self.men.number());
        after
    }

    /// The same stones with the other side to move, if all stones are placed and the side to move has more.
    /// So only one of the two positions has a result.
    pub fn passed(&self) -> Option<Position> {
        let (own, other) = self.own_and_other();
        let moves = self.placed == 2 * self.men.number();
        (moves && own.count_ones() > other.count_ones())
            .then(|| Position { turn: self.turn.other(), ..*self })
    }

    /// The position with these stones of white and black on the board, and so many in both hands. `None` if it is impossible.
    pub(crate) fn with_stones(
        men: Men,
        stones: [u64; 2],
        turn: Side,
        in_hand: u32,
    ) -> Option<Position> {
        let placed = (2 * men.number()).checked_sub(in_hand)?;
        let moves = in_hand == 0 || placed % 2 == turn as u32;
        let position = Position { men, stones, turn, placed };
        (moves && position.check().is_ok()).then_some(position)
    }

    /// A move as text: `d2` for a placed stone, `d2-d3` for a step, followed by `xa4` if it takes a stone.
    pub fn text(&self, played: &Move) -> String {
        let name = |point| self.men.board().name(point);
        let from = played.from.map_or(String::new(), |from| name(from) + "-");
        let taken = played.taken.map_or(String::new(), |taken| format!("x{}", name(taken)));
        format!("{from}{}{taken}", name(played.to))
    }

    fn left(&self, side: Side) -> u32 {
        self.stones(side).count_ones() + self.hand(side)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, side) in [self.turn, self.turn.other()].into_iter().enumerate() {
            write!(f, "{}{}", if place == 0 { "" } else { " " }, side.name())?;
            for name in self.men.board().names(self.stones(side)) {
                write!(f, " {name}")?;
            }
        }
        match self.hand(self.turn) {
            0 => Ok(()),
            _ => write!(f, " hand {}", in_hand(self.men, self.placed)),
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({} men)", self.men.number())
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PositionError {}
