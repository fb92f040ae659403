//! The three boards: their points, their lines, and the symmetries that keep the lines.

use std::sync::{LazyLock, OnceLock};

use retrograde_boards::{Group, squares};

use crate::mills::{Tally, closings, tally};

/// The game, by the number of men a side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Men {
    /// Nine points, three men each. Three in a row win.
    Three,
    /// Two squares, one in the other. No flying.
    Six,
    /// Three squares. A player with three men flies.
    Nine,
}

impl Men {
    /// All of them, the smallest first.
    pub const ALL: [Men; 3] = [Men::Three, Men::Six, Men::Nine];

    /// How many men a side has.
    pub fn number(self) -> u32 {
        match self {
            Men::Three => 3,
            Men::Six => 6,
            Men::Nine => 9,
        }
    }

    /// The game with this number of men.
    pub fn of(number: u32) -> Option<Men> {
        Men::ALL.into_iter().find(|men| men.number() == number)
    }

    /// Its board.
    pub fn board(self) -> &'static Board {
        static BOARDS: LazyLock<[Board; 3]> = LazyLock::new(|| Men::ALL.map(Board::new));
        &BOARDS[self as usize]
    }
}

/// The points and lines of a board. Points are numbered row by row from the top, each row from the left.
#[derive(Debug)]
pub struct Board {
    /// For each point, its offset from the middle of the board.
    places: Vec<(i32, i32)>,
    /// How many columns and rows it has.
    pub(crate) side: i32,
    /// For each point, its neighbours.
    neighbours: Vec<u64>,
    mills: Vec<u64>,
    /// For each set of mills, the least number of moves that can have closed them.
    closings: Vec<u8>,
    /// How many sets of stones of each size have mills of each kind. Computed at first use.
    tally: OnceLock<Vec<Tally>>,
    men: u32,
    /// For each point, the mills through it, without the point itself. Sets that are never closed fill up the
    /// array.
    through: Vec<[u64; THROUGH_MAX]>,
    /// The most mills through a point.
    through_most: usize,
    /// Whether a player with three men may jump.
    flies: bool,
    group: Group,
}

/// The most mills through a point of any board.
const THROUGH_MAX: usize = 4;

impl Board {
    fn new(men: Men) -> Board {
        // A square around the middle, given by its distance.
        let (rings, centre) = match men {
            Men::Three => (1, true),
            Men::Six => (2, false),
            Men::Nine => (3, false),
        };
        let is_point = |x: i32, y: i32| {
            let (near, far) = (x.abs().min(y.abs()), x.abs().max(y.abs()));
            (near == 0 || near == far) && (far > 0 || centre)
        };
        let across = -rings..=rings;
        let places: Vec<(i32, i32)> = (across.clone().rev())
            .flat_map(|y| across.clone().map(move |x| (x, y)))
            .filter(|&(x, y)| is_point(x, y))
            .collect();
        let at = |place| places.iter().position(|&each| each == place).expect("a point") as u32;
        let (mut neighbours, mut mills) = (vec![0; places.len()], Vec::new());
        for along in [|line, step| (step, line), |line, step| (line, step)] {
            for line in across.clone() {
                let points: Vec<i32> = across
                    .clone()
                    .filter(|&step| is_point(along(line, step).0, along(line, step).1))
                    .collect();
                // A line through the middle ends there, if the middle is not a point.
                for points in
                    points.chunk_by(|&a, &b| centre || line != 0 || a.signum() == b.signum())
                {
                    let points: Vec<u32> =
                        points.iter().map(|&step| at(along(line, step))).collect();
                    for pair in points.windows(2) {
                        neighbours[pair[0] as usize] |= 1 << pair[1];
                        neighbours[pair[1] as usize] |= 1 << pair[0];
                    }
                    if points.len() == 3 {
                        mills.push(points.iter().fold(0, |mill, point| mill | 1 << point));
                    }
                }
            }
        }
        if men == Men::Three {
            // Men never step along the diagonals, but three in a row there are a mill.
            for rise in [1, -1] {
                mills.push([-1, 0, 1].iter().fold(0, |mill, &x| mill | 1 << at((x, rise * x))));
            }
        }
        let through = |point: usize| {
            let mut through = [u64::MAX; THROUGH_MAX];
            let mills = mills.iter().filter(|&mill| mill >> point & 1 != 0);
            mills.zip(&mut through).for_each(|(mill, at)| *at = mill & !(1 << point));
            through
        };
        let through: Vec<_> = (0..places.len()).map(through).collect();
        let lines =
            |through: &[u64; THROUGH_MAX]| through.iter().filter(|&&m| m != u64::MAX).count();
        let through_most = through.iter().map(lines).max().unwrap_or(0);
        let moved = |to: &dyn Fn(i32, i32) -> (i32, i32)| -> Vec<u8> {
            places.iter().map(|&(x, y)| at(to(x, y)) as u8).collect()
        };
        let mut generators = vec![moved(&|x, y| (y, -x)), moved(&|x, y| (-x, y))];
        if !centre {
            // This symmetry turns the board inside out.
            generators.push(moved(&|x, y| {
                let ring = x.abs().max(y.abs());
                (x / ring * (rings + 1 - ring), y / ring * (rings + 1 - ring))
            }));
        }
        let group = Group::generated(places.len() as u32, &generators);
        let side = 2 * rings + 1;
        Board {
            places,
            side,
            neighbours,
            closings: closings(&mills),
            tally: OnceLock::new(),
            men: men.number(),
            mills,
            through,
            through_most,
            flies: men == Men::Nine,
            group,
        }
    }

    /// How many points it has.
    pub fn points(&self) -> u32 {
        self.places.len() as u32
    }

    /// The neighbours of a point, as a set.
    pub fn neighbours(&self, point: u32) -> u64 {
        self.neighbours[point as usize]
    }

    /// The lines of three points, as sets.
    pub fn mills(&self) -> &[u64] {
        &self.mills
    }

    /// Its symmetries.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The name of a point: its column as a letter, its row as a number, as in chess.
    pub fn name(&self, point: u32) -> String {
        let (column, row) = self.cell(point);
        format!("{}{}", (b'a' + column as u8) as char, self.side - row)
    }

    /// The point with a name.
    pub fn named(&self, name: &str) -> Option<u32> {
        (0..self.points()).find(|&point| self.name(point) == name)
    }

    /// Its column and its row, from the left and from the top.
    pub(crate) fn cell(&self, point: u32) -> (i32, i32) {
        let (x, y) = self.places[point as usize];
        (x + self.side / 2, self.side / 2 - y)
    }

    /// All points, as a set.
    #[inline(always)]
    pub(crate) fn all(&self) -> u64 {
        (1 << self.neighbours.len()) - 1
    }

    /// Whether a side with `stones` men on the board, and none in hand, may fly.
    pub(crate) fn flies(&self, stones: u32) -> bool {
        self.flies && stones == 3
    }

    /// How many mills one stone can close.
    pub(crate) fn closed_at_once(&self) -> u32 {
        self.through_most as u32
    }

    /// Whether a stone on a point is in a mill, together with these other stones of its side.
    #[inline(always)]
    pub(crate) fn closes(&self, others: u64, to: u32) -> bool {
        self.through[to as usize][..self.through_most].iter().any(|&mill| mill & !others == 0)
    }

    /// The stones of a side that stand in mills.
    #[inline(always)]
    pub(crate) fn milled(&self, stones: u64) -> u64 {
        let closed = |all: u64, &mill: &u64| if stones & mill == mill { all | mill } else { all };
        self.mills.iter().fold(0, closed)
    }

    /// The mills of a side, as a set of their indices in the list of all mills.
    #[inline(always)]
    pub(crate) fn closed(&self, stones: u64) -> usize {
        let mut closed = 0;
        for (at, &mill) in self.mills.iter().enumerate() {
            closed |= usize::from(stones & mill == mill) << at;
        }
        closed
    }

    /// The least number of moves that can have closed these mills.
    #[inline(always)]
    pub(crate) fn closings(&self, closed: usize) -> u8 {
        self.closings[closed]
    }

    /// How many sets of stones have mills of each kind.
    pub(crate) fn tally(&self) -> &[Tally] {
        self.tally.get_or_init(|| tally(self, self.men))
    }

    /// The free points where one more stone closes a mill.
    #[inline(always)]
    pub(crate) fn closing(&self, stones: u64, free: u64) -> u64 {
        let open = |all: u64, &mill: &u64| {
            let missing = mill & !stones;
            if missing & missing.wrapping_sub(1) == 0 { all | missing } else { all }
        };
        self.mills.iter().fold(0, open) & free
    }

    /// The stones of a side that the opponent may take: all stones in no mill, or any stone if all are in
    /// mills.
    #[inline(always)]
    pub(crate) fn takeable(&self, stones: u64) -> u64 {
        let loose = stones & !self.milled(stones);
        if loose == 0 { stones } else { loose }
    }

    /// The points of a set by their names.
    pub(crate) fn names(&self, set: u64) -> impl Iterator<Item = String> {
        squares(set).map(|point| self.name(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boards_are_those_that_people_know() {
        for (men, points, steps, mills, order) in
            [(Men::Three, 9, 12, 8, 8), (Men::Six, 16, 20, 8, 16), (Men::Nine, 24, 32, 16, 16)]
        {
            let board = men.board();
            let ends: u32 = (0..points).map(|at| board.neighbours(at).count_ones()).sum();
            let found = (board.points(), ends / 2, board.mills().len(), board.group().order());
            assert_eq!(found, (points, steps, mills, order), "{men:?}");
            for element in 0..order {
                for &mill in board.mills() {
                    assert!(board.mills().contains(&board.group().image(element, mill)));
                }
                for at in 0..points {
                    let moved = board.group().square_of(element, at);
                    let image = board.group().image(element, board.neighbours(at));
                    assert_eq!(image, board.neighbours(moved), "{men:?}");
                }
            }
        }
        let nine = Men::Nine.board();
        let beside: Vec<String> = nine.names(nine.neighbours(nine.named("d6").unwrap())).collect();
        assert_eq!(beside, ["d7", "b6", "f6", "d5"]);
    }
}
