//! Sliding cubes (Quixo): a game whose backward moves lead anywhere. It is written as by an author who knows
//! only the front page of the engine.
//!
//! A square of cubes, at first all blank. A player takes a cube from the rim that is blank or has the
//! player's sign. The cube, with that sign, is pushed into the gap from another end of its row or column. A
//! full row, column or diagonal of a sign wins for its owner, even if the opponent completes it together with
//! an own line.

use std::ops::ControlFlow;

use retrograde::{Game, Predecessors, Prefetch, Status, Value};

/// The game on a square of 3 by 3 or 4 by 4 cubes: 19,683 or 43,046,721 states.
///
/// A state has the cubes as digits in base three: 0 is blank, 1 is the side to move, 2 the other side. A move
/// changes one row or column, which has 27 or 81 states. So tables can hold all moves.
#[derive(Clone, Debug)]
pub struct Cubes {
    states: u64,
    /// For the eight low cells and the eight high cells, indexed by their digits.
    eights: [Vec<Eight>; 2],
    /// For each row and column and each of its states: what its moves add to the number of the state.
    after: Vec<Vec<i64>>,
    /// The same for backward moves.
    before: Vec<Vec<i64>>,
    /// Rows, columns and diagonals.
    lines: Vec<u16>,
}

/// What a table knows of eight cells.
#[derive(Clone, Copy, Debug)]
struct Eight {
    /// Their digits in each row and column, a byte each.
    rows: u64,
    /// The number of the same cubes as the other player sees them.
    turned: u64,
    /// The cells of the side to move, and those of the other side.
    signs: [u16; 2],
}

/// How many states eight cells have.
const EIGHT: u64 = 6_561;

impl Cubes {
    /// The game on a square with `side` cubes a side.
    pub fn new(side: usize) -> Cubes {
        assert!(matches!(side, 3 | 4), "a square of 3 by 3 or 4 by 4");
        let row = |at: usize| (0..side).map(|i| at * side + i).collect::<Vec<_>>();
        let column = |at: usize| (0..side).map(|i| i * side + at).collect::<Vec<_>>();
        let rows: Vec<Vec<usize>> = (0..side).map(row).chain((0..side).map(column)).collect();
        let down = (0..side).map(|i| i * side + i).collect();
        let up = (0..side).map(|i| (i + 1) * (side - 1)).collect();
        let lines = rows.iter().chain([&down, &up]);
        let lines = lines.map(|line| line.iter().fold(0, |set, cell| set | 1 << cell)).collect();
        let (mut after, mut before) = (Vec::new(), Vec::new());
        for row in &rows {
            let on_rim = |cell: usize| {
                let on = |at: usize| at == 0 || at + 1 == side;
                on(cell / side) || on(cell % side)
            };
            let all = power(side);
            let (mut to, mut from) = (vec![vec![]; all as usize], vec![vec![]; all as usize]);
            let number = |cubes: &[u64]| (0..side).map(|i| cubes[i] * power(row[i])).sum::<u64>();
            for state in 0..all {
                let cubes: Vec<u64> = (0..side).map(|i| state / power(i) % 3).collect();
                for taken in (0..side).filter(|&i| on_rim(row[i]) && cubes[i] != 2) {
                    for end in [0, side - 1].into_iter().filter(|&end| end != taken) {
                        let mut slid = cubes.clone();
                        slid.remove(taken);
                        slid.insert(end, 1);
                        let adds = number(&slid) as i64 - number(&cubes) as i64;
                        let slid = (0..side).map(|i| slid[i] * power(i)).sum::<u64>();
                        to[state as usize].push(adds);
                        from[slid as usize].push(-adds);
                    }
                }
            }
            after.extend(to);
            before.extend(from);
        }
        let eight = |number: u64, first: usize| {
            let mut known = Eight { rows: 0, turned: 0, signs: [0; 2] };
            for cell in first..(first + 8).min(side * side) {
                let digit = number / power(cell - first) % 3;
                known.turned += (3 - digit) % 3 * power(cell);
                for (at, row) in rows.iter().enumerate() {
                    let place = row.iter().position(|&other| other == cell);
                    known.rows += place.map_or(0, |place| (digit * power(place)) << (8 * at));
                }
                if digit > 0 {
                    known.signs[digit as usize - 1] |= 1 << cell;
                }
            }
            known
        };
        let eights = [0, 8].map(|first| (0..EIGHT).map(|number| eight(number, first)).collect());
        Cubes { states: power(side * side), eights, after, before, lines }
    }

    fn eights(&self, state: u64) -> [Eight; 2] {
        let [low, high] = &self.eights;
        [low[(state % EIGHT) as usize], high[(state / EIGHT) as usize]]
    }

    /// The same cubes as the other player sees them.
    fn turned(&self, state: u64) -> u64 {
        let [low, high] = self.eights(state);
        low.turned + high.turned
    }

    /// Visits the results of the lists of all rows and columns.
    #[inline(always)]
    fn each(
        &self,
        lists: &[Vec<i64>],
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [low, high] = self.eights(state);
        let of_row = lists.len() / (self.lines.len() - 2);
        let rows = (low.rows + high.rows).to_le_bytes();
        for (lists, row) in lists.chunks(of_row).zip(rows) {
            for &adds in &lists[usize::from(row)] {
                visit(state.wrapping_add_signed(adds))?;
            }
        }
        ControlFlow::Continue(())
    }
}

fn power(cell: usize) -> u64 {
    3u64.pow(cell as u32)
}

impl Game for Cubes {
    fn states(&self) -> u64 {
        self.states
    }

    fn status(&self, state: u64) -> Status {
        let [low, high] = self.eights(state);
        let [own, other] = [0, 1].map(|sign| low.signs[sign] | high.signs[sign]);
        let has_line = |signs: u16| self.lines.iter().any(|&line| !signs & line == 0);
        match (has_line(own), has_line(other)) {
            (true, _) => Status::Terminal(Value::Win(0)),
            (false, true) => Status::Terminal(Value::Loss(0)),
            (false, false) => Status::Open,
        }
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.each(&self.after, state, |to| visit(self.turned(to)))
    }

    fn degree_max(&self) -> Option<u32> {
        Some(32)
    }
}

impl Predecessors for Cubes {
    fn prefetch(&self) -> Prefetch {
        Prefetch::All
    }

    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let _ = self.each(&self.before, self.turned(state), |from| {
            visit(from);
            ControlFlow::Continue(())
        });
    }
}
