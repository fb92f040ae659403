//! Men's morris with three to five stones a side, as a family of regions: what it takes to solve a game
//! of one's own in pieces.
//!
//! Two players slide stones along the lines of a board. A player who closes a mill, three stones on a line,
//! takes a stone of the opponent that is in no mill, if there is one. A player with three stones may jump to
//! any free point. A player with two stones has lost, and so has a player who cannot move. This example
//! leaves out the placing of stones.
//!
//! A region is a count of stones, `5v4`. Stones that are taken do not come back, so that 5v4 needs 4v4 and 5v3.
//!
//! ```text
//! cargo run --release --example morris -- 5v4 /tmp/morris
//! ```
//!
//! With `square` as a third word, on the smallest board.

use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

use retrograde::{Game, Predecessors, Probe, Status, Value};
use retrograde_regions::{Builder, Event, Family, Solved, Tables};

/// The points of a board, and what lies on a line.
pub(crate) struct Board {
    points: u32,
    /// Pairs of neighbours.
    lines: &'static [[u32; 2]],
    mills: &'static [[u32; 3]],
}

/// A square: its corners and the middles of its sides. Small enough to be solved by hand.
pub(crate) static SQUARE: Board = Board {
    points: 8,
    lines: &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]],
    mills: &[[0, 1, 2], [2, 3, 4], [4, 5, 6], [6, 7, 0]],
};

/// Two squares, one in the other, joined in the middles of their sides: the board of six men's morris.
pub(crate) static SQUARES: Board = Board {
    points: 16,
    lines: &[
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 5],
        [5, 6],
        [6, 7],
        [7, 0],
        [8, 9],
        [9, 10],
        [10, 11],
        [11, 12],
        [12, 13],
        [13, 14],
        [14, 15],
        [15, 8],
        [1, 9],
        [3, 11],
        [5, 13],
        [7, 15],
    ],
    mills: &[
        [0, 1, 2],
        [2, 3, 4],
        [4, 5, 6],
        [6, 7, 0],
        [8, 9, 10],
        [10, 11, 12],
        [12, 13, 14],
        [14, 15, 8],
    ],
};

/// Stones of both sides, the larger count first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stones {
    /// Of the side that has more.
    pub(crate) most: u32,
    /// Of the side that has fewer.
    pub(crate) least: u32,
}

impl Stones {
    fn of(a: u32, b: u32) -> Stones {
        Stones { most: a.max(b), least: a.min(b) }
    }
}

impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.most, self.least)
    }
}

impl FromStr for Stones {
    type Err = String;

    fn from_str(text: &str) -> Result<Stones, String> {
        let (a, b) = text.split_once('v').ok_or("write both counts, such as 5v4")?;
        match (a.parse(), b.parse()) {
            (Ok(a @ 3..=5), Ok(b @ 3..=5)) => Ok(Stones::of(a, b)),
            _ => Err(format!("`{text}`: each side has three to five stones")),
        }
    }
}

/// Men's morris on some board.
pub(crate) struct Morris(pub(crate) &'static Board);

impl Family for Morris {
    type Region = Stones;
    type Game<'a> = Region<Solved<'a>>;

    fn name(&self) -> &str {
        "morris"
    }

    fn needs(&self, &Stones { most, least }: &Stones) -> Vec<Stones> {
        let mut needs = Vec::new();
        if least > 3 {
            needs.push(Stones::of(most, least - 1));
        }
        if most > least {
            needs.push(Stones::of(most - 1, least));
        }
        needs
    }

    fn game<'a>(&self, stones: &Stones, solved: Vec<Solved<'a>>) -> Region<Solved<'a>> {
        let smaller = self.needs(stones).into_iter().zip(solved).collect();
        Region { board: self.0, stones: *stones, smaller }
    }

    fn command(&self, stones: &Stones, folder: &Path) -> String {
        let board = if self.0.points == SQUARE.points { " square" } else { "" };
        format!("cargo run --release --example morris -- {stones} {}{board}", folder.display())
    }
}

/// The game of so many stones a side.
pub(crate) struct Region<P> {
    board: &'static Board,
    stones: Stones,
    /// What captures lead to.
    smaller: Vec<(Stones, P)>,
}

/// Stones as sets of points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// Of the player to move.
    pub(crate) own: u32,
    /// Of the other.
    pub(crate) other: u32,
}

impl Position {
    /// The region it lies in; `None` where the player to move has lost by having two stones.
    pub(crate) fn stones(self) -> Option<Stones> {
        let (own, other) = (self.own.count_ones(), self.other.count_ones());
        (own >= 3).then(|| Stones::of(own, other))
    }
}

impl<P: Probe<Error = Infallible>> Game for Region<P> {
    fn states(&self) -> u64 {
        states(self.board, self.stones)
    }

    fn status(&self, _: u64) -> Status {
        Status::Open
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        self.captures(state, |left| visit(self.worth(left)));
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let position = position(self.board, self.stones, state);
        self.moves(position, |after| {
            if !self.closes_mill(position.own, after.other) {
                visit(number(self.board, self.stones, after));
            }
        });
    }
}

impl<P: Probe<Error = Infallible>> Predecessors for Region<P> {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let Position { own, other } = position(self.board, self.stones, state);
        // The other has just moved, and closed no mill.
        for to in bits(other).filter(|&to| !self.in_mill(other, to)) {
            for from in bits(self.reach(to, other) & !own & !other) {
                let before = Position { own: other & !(1 << to) | 1 << from, other: own };
                visit(number(self.board, self.stones, before));
            }
        }
    }
}

impl<P> Region<P> {
    /// Visits the position after each move that takes a stone, once for each stone it may take.
    pub(crate) fn captures(&self, state: u64, mut visit: impl FnMut(Position)) {
        let position = position(self.board, self.stones, state);
        self.moves(position, |after| {
            if self.closes_mill(position.own, after.other) {
                for taken in bits(self.takeable(after.own)) {
                    visit(Position { own: after.own & !(1 << taken), other: after.other });
                }
            }
        });
    }
    fn moves(&self, Position { own, other }: Position, mut visit: impl FnMut(Position)) {
        for from in bits(own) {
            for to in bits(self.reach(from, own) & !own & !other) {
                visit(Position { own: other, other: own & !(1 << from) | 1 << to });
            }
        }
    }

    /// Where a stone of a side may go, were all points free.
    fn reach(&self, point: u32, own: u32) -> u32 {
        if own.count_ones() == 3 {
            return (1 << self.board.points) - 1;
        }
        let ends = self.board.lines.iter().filter(|line| line.contains(&point));
        ends.fold(0, |set, [a, b]| set | 1 << a | 1 << b)
    }

    fn in_mill(&self, stones: u32, point: u32) -> bool {
        let mut mills = self.board.mills.iter().filter(|mill| mill.contains(&point));
        mills.any(|mill| mill.iter().all(|point| stones & 1 << point != 0))
    }

    /// Whether the stone that has moved stands in a mill.
    fn closes_mill(&self, before: u32, after: u32) -> bool {
        bits(after & !before).any(|to| self.in_mill(after, to))
    }

    /// The stones that may be taken: those in no mill, or any where all are.
    fn takeable(&self, stones: u32) -> u32 {
        let loose = bits(stones).filter(|&point| !self.in_mill(stones, point));
        let loose = loose.fold(0, |set, point| set | 1 << point);
        if loose == 0 { stones } else { loose }
    }
}

impl<P: Probe<Error = Infallible>> Region<P> {
    /// What it is worth to have moved into a position with fewer stones.
    fn worth(&self, left: Position) -> Value {
        let Some(stones) = left.stones() else { return Value::Win(1) };
        let (_, solution) =
            self.smaller.iter().find(|(other, _)| *other == stones).expect("needed");
        let Ok(value) = solution.probe(number(self.board, stones, left));
        value.expect("no state is invalid").after_move(false)
    }
}

/// How many states a region has: with different counts, either side may be to move.
pub(crate) fn states(board: &Board, Stones { most, least }: Stones) -> u64 {
    let sides = if most == least { 1 } else { 2 };
    sides * placements(board, most, least)
}

fn placements(board: &Board, own: u32, other: u32) -> u64 {
    choose(board.points, own) * choose(board.points - own, other)
}

/// First all states in which the side with more stones is to move, then the others.
pub(crate) fn number(board: &Board, stones: Stones, Position { own, other }: Position) -> u64 {
    // The other's stones are numbered among the points that are free of one's own.
    let squeezed = bits(other).map(|point| point - (own & ((1 << point) - 1)).count_ones());
    let squeezed = squeezed.fold(0, |set, point| set | 1 << point);
    let free = board.points - own.count_ones();
    let within = rank(own) * choose(free, other.count_ones()) + rank(squeezed);
    let more = own.count_ones() >= other.count_ones();
    if more { within } else { within + placements(board, stones.most, stones.least) }
}

fn position(board: &Board, Stones { most, least }: Stones, state: u64) -> Position {
    let first = placements(board, most, least);
    let (within, own, other) =
        if state < first { (state, most, least) } else { (state - first, least, most) };
    let others = choose(board.points - own, other);
    let own = unrank(within / others, own);
    let squeezed = unrank(within % others, other);
    let free = (0..board.points).filter(|point| own & 1 << point == 0);
    let other = free.enumerate().filter(|(at, _)| squeezed & 1 << at != 0);
    Position { own, other: other.fold(0, |set, (_, point)| set | 1 << point) }
}

/// The number of a set among all of its size.
fn rank(set: u32) -> u64 {
    bits(set).zip(1..).map(|(point, size)| choose(point, size)).sum()
}

fn unrank(mut number: u64, size: u32) -> u32 {
    let mut set = 0;
    for size in (1..=size).rev() {
        let point = (0..).take_while(|&point| choose(point, size) <= number).last();
        let point = point.expect("no set has none");
        number -= choose(point, size);
        set |= 1 << point;
    }
    set
}

fn choose(count: u32, size: u32) -> u64 {
    static CHOOSE: [[u64; 8]; 32] = {
        let mut table = [[0; 8]; 32];
        let mut count = 0;
        while count < 32 {
            table[count][0] = 1;
            let mut size = 1;
            while size < 8 && count > 0 {
                table[count][size] = table[count - 1][size - 1] + table[count - 1][size];
                size += 1;
            }
            count += 1;
        }
        table
    };
    CHOOSE[count as usize][size as usize]
}

fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(lowest)
    })
}

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let (stones, folder, board) = match arguments {
        [stones, folder] => (stones, folder, &SQUARES),
        [stones, folder, board] if board == "square" => (stones, folder, &SQUARE),
        _ => return Err("usage: morris STONES FOLDER [square]".into()),
    };
    let (family, stones) = (Morris(board), stones.parse::<Stones>()?);
    let builder = Builder::new(&family, folder).verify(true).progress(|event| {
        if let Event::Finished(stones, entry, time) = event {
            println!("{stones}: {} states in {time:.1?}, {} bytes", entry.states, entry.bytes);
        }
        ControlFlow::Continue(())
    });
    let plan = builder.plan(&[stones])?;
    let memory = plan.memory_most(2, u64::MAX);
    println!("{} states to solve, about {} bytes of memory", plan.states_left(), memory.used);
    builder.build(&[stones])?;

    let tables = Tables::open(family, folder)?;
    let wins: u64 = tables.table(&stones)?.levels()?.iter().map(|level| level.wins).sum();
    println!("{stones}: the player to move wins {wins} states");
    Ok(())
}
