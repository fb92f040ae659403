//! Tic-Tac-Chec: each side has a pawn, a knight, a bishop and a rook in hand, and 4x4 squares are empty. You drop a piece, or move one
//! as in chess. A piece taken goes back to the hand of its owner, and a pawn turns round at either edge. Four in a row win. The printed
//! rules forbid moves in the first three turns of each side; here they are allowed. No move is for good, so the game is one region. A
//! board of 3x3, three in a row and no knights, is a region as well. Of two mirror images only one has a number on 4x4 squares: the one
//! whose first stone stands in the left half.
//!
//! `cargo run --release -p retrograde-regions --example tic_tac_chec` solves 3x3 and plans 4x4; `-- FOLDER` builds 4x4 there.
use std::{env, error::Error};

use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::checks::Auditor;
use retrograde::{Flow, Value, audit};
use retrograde_boards::{Cells, Group, Kind, singles, squares};
use retrograde_regions::{Builder, Family, SolvedRegion, Tables};

/// The squares in a column, and the numbering of positions. Squares are counted column by column.
pub(crate) struct Board(u32, Cells);
/// Seen by the side to move: pawns that walk up, pawns that walk down, knights, bishops, rooks.
type Side = [u64; 5];
const STEPS: [&[(i32, i32)]; 3] = [
    &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    &[(1, 1), (1, -1), (-1, -1), (-1, 1)],
    &[(1, 0), (0, -1), (-1, 0), (0, 1)],
];
fn union(side: &Side) -> u64 {
    side.iter().fold(0, |all, set| all | set)
}
/// A side with one stone more, or less.
fn with(mut side: Side, kind: usize, stone: u64) -> Side {
    side[kind] ^= stone;
    side
}

impl Board {
    pub(crate) fn new(size: u32) -> Board {
        let squares = size * size;
        let most = [1, 1, u32::from(size > 3), 1, 1].repeat(2);
        let kinds: Vec<Kind> =
            most.into_iter().map(|most| Kind::on((1 << squares) - 1, most)).collect();
        let one_pawn = |n: &[u32]| n[0] + n[1] <= 1 && n[5] + n[6] <= 1;
        let mirror = (0..squares as u8)
            .map(|at| squares as u8 - size as u8 * (at / size as u8 + 1) + at % size as u8);
        let group = Group::generated(squares, &[mirror.collect()]);
        Board(size, Cells::new(group, &kinds, one_pawn))
    }
    /// The squares that a stone walks to by these steps: one of them, or as many as are free.
    fn reach(&self, stone: u64, steps: &[(i32, i32)], slides: bool, taken: u64) -> u64 {
        let (size, from) = (self.0 as i32, stone.trailing_zeros() as i32);
        let mut reached = 0;
        for (right, up) in steps {
            let (mut x, mut y) = (from / size + right, from % size + up);
            while (0..size).contains(&x) && (0..size).contains(&y) {
                reached |= 1 << (x * size + y);
                if !slides || taken >> (x * size + y) & 1 == 1 {
                    break;
                }
                (x, y) = (x + right, y + up);
            }
        }
        reached
    }
    /// The kind of a stone on a square: at an edge a pawn has turned.
    fn kind(&self, kind: usize, stone: u64) -> usize {
        let row = stone.trailing_zeros() % self.0;
        if kind > 1 || (1..self.0 - 1).contains(&row) { kind } else { usize::from(row > 0) }
    }
    /// Where a pawn goes, or takes.
    fn pawn(&self, stone: u64, up: bool, takes: bool) -> u64 {
        let ahead = if up { 1 } else { -1 };
        let steps: &[(i32, i32)] = if takes { &[(-1, ahead), (1, ahead)] } else { &[(0, ahead)] };
        self.reach(stone, steps, false, 0)
    }
    /// The kinds that a side may put on a square, of those in its hand.
    fn in_hand(&self, side: Side, stone: u64) -> impl Iterator<Item = usize> {
        let free =
            move |&kind: &usize| if kind < 2 { side[0] | side[1] == 0 } else { side[kind] == 0 };
        (0..5)
            .filter(move |&kind| self.kind(kind, stone) == kind && (kind != 2 || self.0 > 3))
            .filter(free)
    }
    /// The position as the other side sees it.
    fn turned(&self, sides: [Side; 2]) -> [Side; 2] {
        let turn = |set: u64| set.reverse_bits() >> (64 - self.0 * self.0);
        let side = |[up, down, knight, bishop, rook]: Side| {
            [turn(down), turn(up), turn(knight), turn(bishop), turn(rook)]
        };
        [side(sides[1]), side(sides[0])]
    }
    fn has_row(&self, side: &Side) -> bool {
        let (size, all) = (self.0, union(side));
        let line = |from: u32, step: u32| (0..size).all(|at| all >> (from + at * step) & 1 == 1);
        (0..size).any(|at| line(at * size, 1) || line(at, size))
            || line(0, size + 1)
            || line(size - 1, size - 1)
    }
}

impl Rules for Board {
    type Position = [Side; 2];
    fn states(&self) -> u64 {
        self.1.states()
    }
    fn position(&self, state: u64) -> Option<[Side; 2]> {
        let sets = *self.1.position::<10>(state)?.sets();
        // Some numbers have pawns that have not turned at an edge.
        let pawns = [0, 1, 5, 6]
            .map(|kind| squares(sets[kind]).all(|at| self.kind(kind % 5, 1 << at) == kind % 5));
        let side = |first| std::array::from_fn(|kind| sets[first + kind]);
        (pawns == [true; 4]).then(|| [side(0), side(5)])
    }
    fn state(&self, sides: &[Side; 2]) -> u64 {
        self.state_and_stabilizer(sides).0
    }
    fn stabilizer(&self, sides: &[Side; 2]) -> u32 {
        self.state_and_stabilizer(sides).1
    }
    fn state_and_stabilizer(&self, sides: &[Side; 2]) -> (u64, u32) {
        let sets = sides.as_flattened().try_into().expect("two sides of five kinds");
        self.1.number::<10>(&self.1.with_sets(sets))
    }
    fn terminal(&self, [mine, theirs]: &[Side; 2]) -> Option<Value> {
        let lost = self.has_row(theirs).then_some(Value::Loss(0));
        lost.or_else(|| self.has_row(mine).then_some(Value::Win(0)))
    }
    fn moves(&self, sides: &[Side; 2], mut visit: impl FnMut(&[Side; 2]) -> Flow) -> Flow {
        let [mine, theirs] = *sides;
        let (own, other) = (union(&mine), union(&theirs));
        let free = !(own | other) & ((1 << (self.0 * self.0)) - 1);
        for to in singles(free) {
            // A pawn is dropped to walk up, but for the last row.
            let mut drops =
                self.in_hand(mine, to).filter(|&kind| kind != 1 || self.kind(0, to) == 1);
            drops.try_for_each(|kind| visit(&self.turned([with(mine, kind, to), theirs])))?;
        }
        for kind in 0..5 {
            for from in singles(mine[kind]) {
                let reached = match kind {
                    0 | 1 => {
                        self.pawn(from, kind == 0, false) & free
                            | self.pawn(from, kind == 0, true) & other
                    }
                    _ => self.reach(from, STEPS[kind - 2], kind > 2, own | other) & !own,
                };
                for to in singles(reached) {
                    let moved = with(with(mine, kind, from), self.kind(kind, to), to);
                    visit(&self.turned([moved, theirs.map(|set| set & !to)]))?;
                }
            }
        }
        Flow::Continue(())
    }
    fn degree_max(&self) -> Option<u32> {
        Some(80)
    }
}

impl BackwardMoves for Board {
    fn backward_moves(&self, &position: &[Side; 2], mut visit: impl FnMut(&[Side; 2])) {
        let [mine, theirs] = self.turned(position);
        let taken = union(&mine) | union(&theirs);
        for kind in 0..5 {
            for to in singles(mine[kind]) {
                let rest = with(mine, kind, to);
                if kind != 1 || self.kind(0, to) == 1 {
                    visit(&[rest, theirs]); // it was dropped
                }
                // At the last row a pawn came up, at the first it came down.
                let up = if self.kind(0, to) == self.kind(1, to) {
                    self.kind(0, to) == 1
                } else {
                    kind == 0
                };
                let before = if kind < 2 { usize::from(!up) } else { kind };
                let from = |captures| match kind {
                    0 | 1 => squares(self.pawn(to, !up, captures) & !taken),
                    _ => squares(self.reach(to, STEPS[kind - 2], kind > 2, taken) & !taken),
                };
                from(false).for_each(|from| visit(&[with(rest, before, 1 << from), theirs]));
                for captured in self.in_hand(theirs, to) {
                    let theirs = with(theirs, captured, to);
                    from(true).for_each(|from| visit(&[with(rest, before, 1 << from), theirs]));
                }
            }
        }
    }
}

/// Tic-Tac-Chec on boards of several sizes. A region is a board, and needs no other.
struct Chec;

impl Family for Chec {
    type Region = u32;
    type Game<'a> = Numbered<Board>;
    fn name(&self) -> &str {
        "tic-tac-chec"
    }
    fn region_named(&self, name: &str) -> Result<u32, String> {
        name.parse().map_err(|_| format!("{name} is no number"))
    }
    fn needs(&self, _: &u32) -> Vec<u32> {
        Vec::new()
    }
    fn game<'a>(&self, &size: &u32, _: Vec<SolvedRegion<'a>>) -> Numbered<Board> {
        Numbered(Board::new(size))
    }
}

/// How many numbers are positions: of 16 squares 12 do not turn a pawn, and of 240 pairs of pawns that walk towards each other 136 do not.
fn positions(board: &Board) -> u64 {
    let of_cell = |(n, numbers): (Vec<u32>, std::ops::Range<u64>)| {
        let all = numbers.end - numbers.start;
        match [n[0] + n[5], n[1] + n[6]] {
            [0, 0] => all,
            [1, 1] => all / 120 * 68,
            [2, 0] | [0, 2] => all / 120 * 66,
            _ => all / 8 * 6,
        }
    };
    // The empty board is its own mirror image.
    2 * board.1.iter().map(of_cell).sum::<u64>() - 1
}

/// Plans 4x4, and builds and verifies 3x3.
pub(crate) fn plan_and_build_small() -> Result<(), Box<dyn Error>> {
    assert_eq!(positions(&Board::new(4)), 2_462_360_745);
    let folder = env::temp_dir().join(format!("tic-tac-chec-{}", std::process::id()));
    let plan = Builder::new(&Chec, &folder).plan(&[4])?;
    println!("4x4: {} numbers, {} MB", plan.states_left(), plan.memory_least_most() / 1_000_000);
    audit(&Chec.game(&3, Vec::new()))?;
    Auditor::new().sample(5_000).audit(&Chec.game(&4, Vec::new()))?;
    Auditor::new().states(0..5_000).audit(&Chec.game(&4, Vec::new()))?;
    Builder::new(&Chec, &folder).verify(true).build(&[3])?;
    let start = Tables::open(Chec, &folder)?.probe(&3, 0)?;
    std::fs::remove_dir_all(&folder)?;
    assert_eq!(start, Some(Value::Win(15)));
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    plan_and_build_small()?;
    if let Some(folder) = env::args().nth(1) {
        Builder::new(&Chec, &folder).build(&[4])?;
        let tables = Tables::open(Chec, &folder)?;
        assert_eq!(tables.probe(&4, 0)?, Some(Value::Draw));
        let levels = tables.table(&4)?.levels()?;
        let images = |count: u64| 2 * count;
        let wins: u64 = levels.iter().map(|level| images(level.wins)).sum();
        let losses: u64 = levels.iter().map(|level| images(level.losses)).sum();
        println!("4x4: {wins} wins, {losses} losses, the longest in {}", levels.len() - 1);
        assert_eq!((wins, losses, levels.len()), (194_137_494, 14_937_024, 42));
    }
    Ok(())
}
