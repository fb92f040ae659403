//! The L-game: a player lays the own L elsewhere, also turned or mirrored, and may then move one of two neutral
//! stones. A player who cannot lay the L elsewhere loses.

use std::ops::Range;

use super::square::{image, rows, squares, symmetries};
use super::{run, runs};
use crate::proof::{Place, Rules};

const SIDE: u32 = 4;

/// The L of the player to move, that of the opponent, and the neutral stones.
type Laid = [u64; 3];

pub(crate) struct LGame {
    symmetries: Vec<Vec<u32>>,
    /// All ways to lay an L.
    places: Vec<u64>,
    /// The ranks of all positions up to symmetry, ascending, and the positions.
    all: Vec<([u64; 3], Laid)>,
}

impl LGame {
    pub(crate) fn new() -> LGame {
        let symmetries = symmetries(SIDE);
        let mut places: Vec<u64> = Vec::new();
        // Three squares in a row, and one more beside an end.
        for (row, column) in (0..3).flat_map(|row| (0..2).map(move |column| (row, column))) {
            let at = row * SIDE + column;
            let upright =
                [at, at + 1, at + 2, at + SIDE].iter().fold(0, |set, square| set | 1 << square);
            places.extend(symmetries.iter().map(|turn| image(turn, upright)));
        }
        places.sort_unstable();
        places.dedup();
        let mut game = LGame { symmetries, places, all: Vec::new() };
        for (&mine, &theirs) in
            game.places.iter().flat_map(|mine| game.places.iter().map(move |theirs| (mine, theirs)))
        {
            let free = 0xffff & !(mine | theirs);
            for one in squares(if mine & theirs == 0 { free } else { 0 }) {
                for other in squares(free).filter(|&other| other > one) {
                    let position = [mine, theirs, 1 << one | 1 << other];
                    if game.least(position) == ranks(position) {
                        game.all.push((ranks(position), position));
                    }
                }
            }
        }
        game.all.sort_unstable();
        game
    }

    /// The least ranks of the images of a position.
    fn least(&self, position: Laid) -> [u64; 3] {
        let images = self.symmetries.iter().map(|turn| ranks(position.map(|set| image(turn, set))));
        images.min().expect("there are symmetries")
    }
}

/// The ranks of the three sets, each among the squares that those before it leave free.
fn ranks([mine, theirs, neutral]: Laid) -> [u64; 3] {
    [rank(mine, 0), rank(theirs, mine), rank(neutral, mine | theirs)]
}

/// The sum of C(si, i) over the squares s1 < s2 < ... of a set, counted without those that are taken.
fn rank(set: u64, taken: u64) -> u64 {
    let binomial = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i.min(n)) / (i + 1));
    let free =
        |square: u32| u64::from(square) - u64::from((taken & ((1 << square) - 1)).count_ones());
    (1..).zip(squares(set)).map(|(i, square)| binomial(free(square), i)).sum()
}

impl Rules for LGame {
    type Position = Laid;

    fn runs(&self) -> u64 {
        runs(self.all.len() as u64)
    }

    fn run(&self, number: u64) -> Range<u64> {
        run(number, self.all.len() as u64)
    }

    fn each(&self, number: u64, mut visit: impl FnMut(&Laid)) {
        self.run(number).for_each(|state| visit(&self.all[state as usize].1));
    }

    fn place(&self, position: &Laid) -> Place {
        let least = self.least(*position);
        match self.all.binary_search_by_key(&least, |(ranks, _)| *ranks) {
            Ok(state) => Place::Table(0, state as u64),
            Err(_) => Place::Nowhere,
        }
    }

    fn moves(&self, &[mine, theirs, neutral]: &Laid, mut visit: impl FnMut(&Laid)) {
        for &place in &self.places {
            if place == mine || place & (theirs | neutral) != 0 {
                continue;
            }
            visit(&[theirs, place, neutral]);
            for gone in squares(neutral) {
                for put in squares(0xffff & !(theirs | place | neutral)) {
                    visit(&[theirs, place, neutral & !(1 << gone) | 1 << put]);
                }
            }
        }
    }

    fn text(&self, &[mine, theirs, neutral]: &Laid) -> String {
        format!("x {}", rows(SIDE, &[('x', mine), ('o', theirs), ('n', neutral)]))
    }
}
