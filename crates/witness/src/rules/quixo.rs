//! Quixo: a player takes a cube from the rim that is blank or shows the own sign, and pushes it, now with that
//! sign, back into its row or column from another end. A full line wins for its owner. If a move completes a line
//! of the opponent, the opponent has won, whatever else it completes.

use std::collections::HashMap;
use std::ops::Range;

use super::square::{image, rows, symmetries};
use super::{run, runs};
use crate::proof::{LOST, Place, Rules, WON};
use crate::table::Number;

/// The cubes of the player to move, and the opponent's.
type Cubes = [u64; 2];

pub(crate) struct Quixo {
    side: u32,
    rim: Vec<u32>,
    inner: Vec<u32>,
    lines: Vec<u64>,
    symmetries: Vec<Vec<u32>>,
    /// For each filling of the rim: the number of its class, and which symmetries map the filling to the least of the class.
    fillings: Vec<(u32, u8)>,
    /// The least fillings of the classes.
    classes: Vec<u32>,
    /// How many fillings the inner squares have.
    within: u64,
}

impl Quixo {
    pub(crate) fn new(side: u64) -> Option<Quixo> {
        let side = u32::try_from(side).ok().filter(|side| (3..=4).contains(side))?;
        let edge = |at: u32| at == 0 || at == side - 1;
        let (rim, inner): (Vec<u32>, Vec<u32>) =
            (0..side * side).partition(|square| edge(square / side) || edge(square % side));
        let line =
            |squares: &dyn Fn(u32) -> u32| (0..side).fold(0, |line, at| line | 1 << squares(at));
        let mut lines = vec![line(&|at| at * (side + 1)), line(&|at| (at + 1) * (side - 1))];
        for k in 0..side {
            lines.extend([line(&|at| k * side + at), line(&|at| at * side + k)]);
        }
        let within = 3u64.pow(inner.len() as u32);
        let (symmetries, fillings, classes) = (symmetries(side), Vec::new(), Vec::new());
        let mut quixo = Quixo { side, rim, inner, lines, symmetries, fillings, classes, within };
        quixo.find_classes();
        Some(quixo)
    }

    fn find_classes(&mut self) {
        let mut numbers = HashMap::new();
        for filling in 0..3u32.pow(self.rim.len() as u32) {
            let cubes = cubes(&self.rim, filling);
            let images = self.symmetries.iter().map(|turn| code(&self.rim, turned(turn, cubes)));
            let images: Vec<u32> = images.collect();
            let least = *images.iter().min().expect("there are symmetries");
            let to_least =
                (0..8).filter(|&turn| images[turn] == least).fold(0, |set, turn| set | 1 << turn);
            // Fillings come in ascending order, so the least one of a class is met first.
            let class = *numbers.entry(least).or_insert_with(|| {
                self.classes.push(least);
                self.classes.len() as u32 - 1
            });
            self.fillings.push((class, to_least));
        }
    }

    /// The number of a position: its class, and the least filling of the inner squares beside it.
    fn number(&self, position: Cubes) -> u64 {
        let (class, to_least) = self.fillings[code(&self.rim, position) as usize];
        let turns = (0..8).filter(|turn| to_least >> turn & 1 == 1);
        let inner = turns.map(|turn| code(&self.inner, turned(&self.symmetries[turn], position)));
        u64::from(class) * self.within + u64::from(inner.min().expect("one symmetry leads there"))
    }

    fn position(&self, number: u64) -> Cubes {
        let rim = cubes(&self.rim, self.classes[(number / self.within) as usize]);
        let inner = cubes(&self.inner, (number % self.within) as u32);
        [rim[0] | inner[0], rim[1] | inner[1]]
    }

    fn is_lined(&self, set: u64) -> bool {
        self.lines.iter().any(|line| set & line == *line)
    }

    /// The squares from one to another in its row or column.
    fn way(&self, from: u32, to: u32) -> Vec<u32> {
        let step = if from / self.side == to / self.side { 1 } else { self.side };
        let count = from.abs_diff(to) / step;
        (0..=count).map(|at| if from < to { from + at * step } else { from - at * step }).collect()
    }
}

/// A filling of some squares as a number to the base of three: 1 is a cube of the player to move, 2 is one of the opponent. The
/// first square is the lowest digit.
fn code(places: &[u32], [mine, theirs]: Cubes) -> u32 {
    let digit = |square: &u32| (mine >> square & 1) as u32 + 2 * (theirs >> square & 1) as u32;
    places.iter().rev().fold(0, |code, square| 3 * code + digit(square))
}

fn cubes(places: &[u32], mut code: u32) -> Cubes {
    let mut cubes = [0; 2];
    for square in places {
        if let Some(owner) = (code % 3).checked_sub(1) {
            cubes[owner as usize] |= 1 << square;
        }
        code /= 3;
    }
    cubes
}

fn turned(symmetry: &[u32], position: Cubes) -> Cubes {
    position.map(|set| image(symmetry, set))
}

impl Rules for Quixo {
    type Position = Cubes;

    fn runs(&self) -> u64 {
        runs(self.classes.len() as u64 * self.within)
    }

    fn run(&self, number: u64) -> Range<u64> {
        run(number, self.classes.len() as u64 * self.within)
    }

    fn each(&self, number: u64, mut visit: impl FnMut(&Cubes)) {
        for state in self.run(number) {
            let position = self.position(state);
            if self.number(position) == state {
                visit(&position);
            }
        }
    }

    fn place(&self, position: &Cubes) -> Place {
        Place::Table(0, self.number(*position))
    }

    fn moves(&self, &[mine, theirs]: &Cubes, mut visit: impl FnMut(&Cubes)) {
        let last = self.side - 1;
        for &from in self.rim.iter().filter(|&&square| theirs >> square & 1 == 0) {
            let (row, column) = (from / self.side, from % self.side);
            let ends = [(row, 0), (row, last), (0, column), (last, column)];
            for to in ends.map(|(row, column)| row * self.side + column) {
                if to == from {
                    continue;
                }
                let way = self.way(from, to);
                // Each cube on the way moves one square towards the gap.
                let pushed = |set: u64| {
                    let moved = way.windows(2).filter(|pair| set >> pair[1] & 1 == 1);
                    let rest = way.iter().fold(set, |rest, square| rest & !(1 << square));
                    moved.fold(rest, |set, pair| set | 1 << pair[0])
                };
                visit(&[pushed(theirs), pushed(mine) | 1 << to]);
            }
        }
    }

    fn decided(&self, &[mine, theirs]: &Cubes) -> Option<Number> {
        match (self.is_lined(mine), self.is_lined(theirs)) {
            (true, _) => Some(WON),
            (false, true) => Some(LOST),
            (false, false) => None,
        }
    }

    fn text(&self, &[mine, theirs]: &Cubes) -> String {
        format!("x {}", rows(self.side, &[('x', mine), ('o', theirs)]))
    }
}
