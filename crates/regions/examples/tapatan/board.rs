//! The nine points, and positions on them.

use std::fmt;

/// Points are numbered row by row from the top left.
pub(crate) const POINTS: u32 = 9;
/// How many men a side has.
pub(crate) const MEN: u32 = 3;
/// The lines of three, along which men move.
pub(crate) const LINES: [[u32; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The men of the side to move and of the other side, as sets of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Men {
    pub(crate) own: u16,
    pub(crate) other: u16,
}

impl Men {
    /// A number below 3^9: a digit for each point, 1 for the side to move, 2 for the other.
    pub(crate) fn number(self) -> u64 {
        let digit =
            |point: u32| u64::from(self.own >> point & 1) + 2 * u64::from(self.other >> point & 1);
        (0..POINTS).fold(0, |number, point| 3 * number + digit(point))
    }

    /// The men of a number.
    pub(crate) fn of_number(mut number: u64) -> Men {
        let mut men = Men { own: 0, other: 0 };
        for point in (0..POINTS).rev() {
            match number % 3 {
                1 => men.own |= 1 << point,
                2 => men.other |= 1 << point,
                _ => {}
            }
            number /= 3;
        }
        men
    }

    /// The same with the other side to move.
    pub(crate) fn turned(self) -> Men {
        Men { own: self.other, other: self.own }
    }

    pub(crate) fn free(self) -> impl Iterator<Item = u32> {
        points(!(self.own | self.other))
    }
}

/// The points of a set.
pub(crate) fn points(set: u16) -> impl Iterator<Item = u32> {
    (0..POINTS).filter(move |point| set >> point & 1 != 0)
}

/// Whether a set holds three in a row.
pub(crate) fn has_row(set: u16) -> bool {
    LINES.iter().any(|line| line.iter().all(|point| set >> point & 1 != 0))
}

/// The points one step away.
pub(crate) fn beside(point: u32) -> u16 {
    let mut set = 0;
    for [one, middle, other] in LINES {
        match point {
            p if p == middle => set |= 1 << one | 1 << other,
            p if p == one || p == other => set |= 1 << middle,
            _ => {}
        }
    }
    set
}

/// The name of a point: a column and a row, as in chess.
pub(crate) fn name(point: u32) -> String {
    format!("{}{}", char::from(b'a' + (point % 3) as u8), 3 - point / 3)
}

/// A position as text: the side to move, then the board row by row from the top: `x .../.../...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// The men of `x`, the side that begins, and of `o`.
    pub(crate) sides: [u16; 2],
    /// The side to move: 0 or 1.
    pub(crate) turn: usize,
}

/// A move: a man put down, or moved from a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// The point that the man came from; `None` is the hand.
    pub(crate) from: Option<u32>,
    /// The point that it goes to.
    pub(crate) to: u32,
}

impl Position {
    /// The empty board.
    pub(crate) const START: Position = Position { sides: [0; 2], turn: 0 };

    /// How many men are on the board.
    pub(crate) fn placed(&self) -> u32 {
        (self.sides[0] | self.sides[1]).count_ones()
    }

    pub(crate) fn men(&self) -> Men {
        Men { own: self.sides[self.turn], other: self.sides[1 - self.turn] }
    }

    /// A position with these men and `turn` to move.
    pub(crate) fn of(men: Men, turn: usize) -> Position {
        let sides = if turn == 0 { [men.own, men.other] } else { [men.other, men.own] };
        Position { sides, turn }
    }

    /// Reads the text of a position.
    pub(crate) fn read(text: &str) -> Result<Position, String> {
        if text.trim() == "start" {
            return Ok(Position::START);
        }
        let form = "write a position like `x .../.../...`: the side to move, then the board";
        let (turn, board) = text.trim().split_once(' ').ok_or(form)?;
        let turn = ["x", "o"].iter().position(|side| *side == turn).ok_or(form)?;
        let signs: Vec<char> = board.chars().filter(|sign| *sign != '/').collect();
        if signs.len() != POINTS as usize || board.split('/').any(|row| row.chars().count() != 3) {
            return Err(form.to_owned());
        }
        let mut sides = [0; 2];
        for (point, sign) in signs.into_iter().enumerate() {
            match sign {
                'x' => sides[0] |= 1 << point,
                'o' => sides[1] |= 1 << point,
                '.' => {}
                other => return Err(format!("`{other}` is not a man: write x, o or .")),
            }
        }
        let position = Position { sides, turn };
        let [x, o] = sides.map(u16::count_ones);
        let placing = x + o < 2 * MEN;
        if (placing && (o + turn as u32 != x || x > MEN)) || (!placing && (x, o) != (MEN, MEN)) {
            return Err(format!(
                "with {x} men of x and {o} of o, it cannot be the turn of {}",
                ["x", "o"][turn]
            ));
        }
        if has_row(position.men().own) {
            return Err("the side to move has three in a row already".to_owned());
        }
        Ok(position)
    }

    /// Every move, with the position after it.
    pub(crate) fn moves(&self) -> Vec<(Move, Position)> {
        let men = self.men();
        if has_row(men.other) {
            return Vec::new();
        }
        let after = |played: Move| {
            let own = men.own & !played.from.map_or(0, |from| 1 << from) | 1 << played.to;
            let men = Men { own: men.other, other: own };
            (played, Position::of(men, 1 - self.turn))
        };
        if self.placed() < 2 * MEN {
            return men.free().map(|to| after(Move { from: None, to })).collect();
        }
        let free = |from: u32| men.free().filter(move |to| beside(from) >> to & 1 != 0);
        let from = |from: u32| free(from).map(move |to| Move { from: Some(from), to });
        points(men.own).flat_map(from).map(after).collect()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", ["x", "o"][self.turn])?;
        for point in 0..POINTS {
            if point > 0 && point % 3 == 0 {
                write!(f, "/")?;
            }
            let sign = match self.sides.map(|side| side >> point & 1 != 0) {
                [true, _] => 'x',
                [_, true] => 'o',
                _ => '.',
            };
            write!(f, "{sign}")?;
        }
        Ok(())
    }
}
