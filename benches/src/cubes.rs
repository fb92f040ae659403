//! Cubes that slide (Quixo): a game whose un-moves lead anywhere, as somebody would write it who knows no more of the
//! engine than its front page.
//!
//! A square of cubes, at first all blank. Players in turn take a cube from the rim that is blank or bears their sign, and
//! push it, with their sign, into the gap from another end of its row or column. A full row, column or diagonal of a
//! sign wins for its owner, even if the other completes it together with one of his own.

use retrograde::{Game, Retrograde, Scouts, Status, Value};

/// The game on a square of 3 by 3 or 4 by 4 cubes: 19,683 or 43,046,721 states.
///
/// A state is the cubes read as digits to the base three: 0 is blank, 1 bears the sign of who is to move, 2 the other.
#[derive(Clone, Debug)]
pub struct Cubes {
    states: u64,
    /// The cells from where a cube is taken to where it is pushed in, for each way to do so.
    slides: Vec<Vec<usize>>,
    lines: Vec<u16>,
    corners: u16,
    edges: u16,
    /// By the digits of eight cells: the digits, and the number of the same cubes as the other player sees them.
    eights: Vec<([u8; 8], u64)>,
}

/// As many states as eight cells have.
const EIGHT: u64 = 6_561;

impl Cubes {
    /// The game on a square of so many cubes a side.
    pub fn new(side: usize) -> Cubes {
        assert!(matches!(side, 3 | 4), "a square of 3 by 3 or 4 by 4");
        let (mut slides, mut corners, mut edges) = (Vec::new(), 0, 0);
        for cell in 0..side * side {
            let (row, column) = (cell / side, cell % side);
            let on = |at: usize| at == 0 || at + 1 == side;
            if !on(row) && !on(column) {
                continue;
            }
            *(if on(row) && on(column) { &mut corners } else { &mut edges }) |= 1 << cell;
            let to_left = (0..=column).rev().map(|column| row * side + column).collect();
            let to_right = (column..side).map(|column| row * side + column).collect();
            let up = (0..=row).rev().map(|row| row * side + column).collect();
            let down = (row..side).map(|row| row * side + column).collect();
            let ways: [Vec<usize>; 4] = [to_left, to_right, up, down];
            slides.extend(ways.into_iter().filter(|way| way.len() > 1));
        }
        let set =
            |cells: &mut dyn Iterator<Item = usize>| cells.fold(0, |set, cell| set | 1 << cell);
        let mut lines = vec![
            set(&mut (0..side).map(|at| at * side + at)),
            set(&mut (0..side).map(|at| at * side + side - 1 - at)),
        ];
        for at in 0..side {
            lines.push(set(&mut (0..side).map(|column| at * side + column)));
            lines.push(set(&mut (0..side).map(|row| row * side + at)));
        }
        let eights = (0..EIGHT).map(|number| {
            let digits: [u8; 8] = std::array::from_fn(|cell| (number / power(cell) % 3) as u8);
            let other = (0..8).map(|cell| u64::from((3 - digits[cell]) % 3) * power(cell)).sum();
            (digits, other)
        });
        let eights = eights.collect();
        Cubes { states: power(side * side), slides, lines, corners, edges, eights }
    }

    fn digits(&self, state: u64) -> [u8; 16] {
        let halves = [state % EIGHT, state / EIGHT].map(|half| self.eights[half as usize].0);
        *halves.as_flattened().first_chunk().expect("twice eight")
    }

    /// The same cubes as the other player sees them.
    fn turned(&self, state: u64) -> u64 {
        let [low, high] = [state % EIGHT, state / EIGHT].map(|half| self.eights[half as usize].1);
        low + high * EIGHT
    }
}

fn power(cell: usize) -> u64 {
    3u64.pow(cell as u32)
}

/// The cells that have a digit.
fn cells_of(digits: &[u8; 16], digit: u8) -> u16 {
    digits.iter().rev().fold(0, |set, &at| set << 1 | u16::from(at == digit))
}

impl Game for Cubes {
    fn states(&self) -> u64 {
        self.states
    }

    fn status(&self, state: u64, _: impl FnMut(Value)) -> Status {
        let digits = self.digits(state);
        let has_line = |digit| {
            let cells = cells_of(&digits, digit);
            self.lines.iter().any(|&line| !cells & line == 0)
        };
        match (has_line(1), has_line(2)) {
            (true, _) => Status::Final(Value::Win(0)),
            (false, true) => Status::Final(Value::Loss(0)),
            (false, false) => Status::Open,
        }
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let digits = self.digits(state);
        for way in &self.slides {
            if digits[way[0]] == 2 {
                continue;
            }
            let mut to = state;
            for (i, &cell) in way.iter().enumerate() {
                let after = way.get(i + 1).map_or(1, |&next| digits[next]);
                to = to + u64::from(after) * power(cell) - u64::from(digits[cell]) * power(cell);
            }
            visit(self.turned(to));
        }
    }

    fn degree(&self, state: u64) -> u32 {
        let free = !cells_of(&self.digits(state), 2);
        (free & self.corners).count_ones() * 2 + (free & self.edges).count_ones() * 3
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.slides.len() as u32)
    }
}

impl Retrograde for Cubes {
    const SCOUTS: Scouts = Scouts::All;

    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let state = self.turned(state);
        let digits = self.digits(state);
        for way in &self.slides {
            let pushed = way[way.len() - 1];
            if digits[pushed] != 1 {
                continue;
            }
            // The cube that was taken was blank; or it bore the sign already.
            let mut from = state - u64::from(digits[way[0]]) * power(way[0]);
            for pair in way.windows(2) {
                let (before, now) = (digits[pair[0]], digits[pair[1]]);
                from = from + u64::from(before) * power(pair[1]) - u64::from(now) * power(pair[1]);
            }
            visit(from);
            visit(from + power(way[0]));
        }
    }
}
