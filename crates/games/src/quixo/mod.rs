//! Quixo, by Thierry Chapeau, up to symmetry: on four by four cubes, 43 million positions are 5.4 million
//! states.
//!
//! A player takes a cube from the rim that is blank or shows the player's own sign. The cube, now with that
//! sign, is pushed into the gap from another end of its row or column. A full row, column or diagonal wins
//! for its owner. A player who completes a line of the opponent loses, even with a line of their own.

mod show;

use std::ops::{ControlFlow, Range};

use retrograde::adapters::{Folded, Symmetric};
use retrograde::{Game, Predecessors, Status, Value, forward};
use retrograde_boards::{Code, Group, Patterns, squares};

use crate::{Kind, Parameter, ReadError, Setup, SetupError, Spec, Visitor};

pub(crate) static SPEC: Spec = Spec {
    name: "quixo",
    summary: "cubes pushed in from the rim of a square, until a line is full",
    rules: "A player takes a cube from the rim that is blank or shows the own sign. The cube, now with that sign, is pushed back into \
            its row or column from another end. A full row, column or diagonal wins for its owner. A player who completes a line of the \
            opponent loses, even with a line of their own.",
    parameters: &[Parameter {
        name: "size",
        kind: Kind::Number { min: 3, max: 4 },
        default: None,
        help: "how many rows of cubes, 3 or 4",
    }],
    example: "--size 3",
    ..Spec::EMPTY
};

pub(crate) fn build<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    Ok(visitor.visit(setup.made(Quixo::new(setup.number("size")))?))
}

/// The game on a square of cubes.
#[derive(Clone, Debug)]
pub struct Quixo(pub Folded<Cubes>);

/// The rules. A state is a position and all its mirror images, as the player to move sees it.
#[derive(Clone, Debug)]
pub struct Cubes {
    side: u32,
    /// The cubes of the player to move, and the opponent's.
    patterns: Patterns<2>,
    /// For each set of cubes, whether it has a line.
    lined: Vec<bool>,
    /// The slides that push a cube in at each square.
    into: Vec<Vec<Slide>>,
    rim: u64,
    corners: u64,
}

/// A cube taken, and the end where it is pushed in.
#[derive(Clone, Debug)]
struct Slide {
    from: u32,
    to: u32,
    /// The squares from one end to the other. Each but the last takes over the sign of the next one.
    run: u64,
    /// The distance as a shift, in one direction or the other.
    left: u32,
    right: u32,
    /// The cube where it was, if it showed the sign of the side to move.
    cube: Code,
}

impl Quixo {
    /// The game with `side` rows of cubes: 3 or 4.
    pub fn new(side: u32) -> Result<Quixo, ReadError> {
        match side {
            3 | 4 => {}
            5 => {
                return Err(ReadError::whole(
                    "quixo with 5 rows of cubes has 105,918,450,471 positions up to symmetry, of a byte or two each: \
                     give 3 or 4 rows",
                ));
            }
            _ => {
                return Err(ReadError::whole("quixo has 3 or 4 rows of cubes: give one of these"));
            }
        }
        let at = |row: u32, column: u32| row * side + column;
        let set =
            |squares: &dyn Fn(u32) -> u32| (0..side).fold(0u64, |set, i| set | 1 << squares(i));
        let last = side - 1;
        let mut lines = vec![set(&|i| at(i, i)), set(&|i| at(i, last - i))];
        for k in 0..side {
            lines.extend([set(&|i| at(k, i)), set(&|i| at(i, k))]);
        }
        let rows = set(&|i| i) | set(&|i| at(last, i));
        let columns = set(&|i| at(i, 0)) | set(&|i| at(i, last));
        let (rim, corners) = (rows | columns, rows & columns);
        let patterns = Patterns::new(Group::square(side), rim);
        let mut into = vec![Vec::new(); (side * side) as usize];
        for from in squares(rim) {
            let (row, column) = (from / side, from % side);
            let ends = [
                (at(row, 0), 1),
                (at(row, last), 1),
                (at(0, column), side),
                (at(last, column), side),
            ];
            for (to, step) in ends.into_iter().filter(|&(to, _)| to != from) {
                let run = (from.min(to)..=from.max(to)).step_by(step as usize);
                let run = run.fold(0, |set, at| set | 1 << at);
                let (left, right) = if to > from { (0, step) } else { (step, 0) };
                let cube = patterns.code(0, 1 << from);
                into[to as usize].push(Slide { from, to, run, left, right, cube });
            }
        }
        let has_line = |set: u64| lines.iter().any(|line| set & line == *line);
        let lined = (0..1 << (side * side)).map(has_line).collect();
        Ok(Quixo(Folded(Cubes { side, patterns, lined, into, rim, corners })))
    }
}

impl Cubes {
    /// The status of a position. If the stabilizer is 0, the state is a gap in the numbering.
    fn status_of(&self, [mine, theirs]: [u64; 2], stabilizer: u32) -> Status {
        match stabilizer {
            0 => Status::Invalid,
            // The opponent, who has just moved, completed it.
            _ if self.lined[mine as usize] => Status::Terminal(Value::Win(0)),
            _ if self.lined[theirs as usize] => Status::Terminal(Value::Loss(0)),
            _ => Status::Open,
        }
    }

    /// A cube from a corner has two ways to go. A cube from elsewhere on the rim has three.
    fn degree_of(&self, theirs: u64) -> u32 {
        3 * (self.rim & !theirs).count_ones() - (self.corners & !theirs).count_ones()
    }
}

impl Slide {
    /// The squares of a set after the slide, without the cube that is pushed in.
    fn push(&self, set: u64) -> u64 {
        set & !self.run | (set << self.left >> self.right) & self.run & !(1 << self.to)
    }

    /// The squares before it, without the cube that was taken.
    fn pull(&self, set: u64) -> u64 {
        set & !self.run | (set << self.right >> self.left) & self.run & !(1 << self.from)
    }
}

impl Game for Quixo {
    forward!(Game for quixo => quixo.0);
}

impl Predecessors for Quixo {
    forward!(Predecessors for quixo => quixo.0);
}

impl Game for Cubes {
    fn states(&self) -> u64 {
        self.patterns.states()
    }

    fn status(&self, state: u64) -> Status {
        self.status_of(self.patterns.position(state), self.patterns.stabilizer(state))
    }

    #[inline]
    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [mine, theirs] = self.patterns.position(state);
        for slide in self.into.iter().flatten().filter(|slide| theirs >> slide.from & 1 == 0) {
            visit(self.patterns.state([slide.push(theirs), slide.push(mine) | 1 << slide.to]))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.patterns.each(states, |state, sets, stabilizer| {
            let status = self.status_of(sets, stabilizer);
            let degree = if status == Status::Open { self.degree_of(sets[1]) } else { 0 };
            visit(state, status, degree, &[]);
        });
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.degree_of(0))
    }
}

impl Symmetric for Cubes {
    fn stabilizer(&self, state: u64) -> u32 {
        self.patterns.stabilizer(state)
    }

    #[inline(always)]
    fn moves_into(&self, state: u64, mut visit: impl FnMut(u64, u32)) {
        let [theirs, mine] = self.patterns.position(state);
        for slide in squares(mine & self.rim).flat_map(|to| &self.into[to as usize]) {
            // The cube was blank, or it showed the sign of the side to move.
            let [mine, theirs] = [slide.pull(mine), slide.pull(theirs)];
            let blank = self.patterns.code(0, mine) + self.patterns.code(1, theirs);
            for code in [blank, blank + slide.cube] {
                let (from, stabilizer) = self.patterns.number(code);
                visit(from, stabilizer);
            }
        }
    }
}
