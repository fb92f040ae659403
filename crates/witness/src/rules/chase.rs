//! Police and a thief on a graph or a board. All police move at once, each to a neighbour or not at all; then
//! the thief. The police win where one of them meets the thief. The thief wins on an exit without police.

use std::collections::BTreeSet;
use std::ops::Range;

use super::board::{Board, Cell};
use super::{POLICE, around, chased, run, runs};
use crate::proof::{Place, Rules, Side};
use crate::table::Number;

/// The number of a state is `(thief * 2 + side) * crowds + crowd`. A crowd is the places of the police, p1
/// <= p2 <= ...; its number is the sum of C(p_i + i - 1, i).
pub(crate) struct Chase {
    names: Vec<String>,
    /// For each place, itself and the places one step away, for the police and for the thief.
    steps: [Vec<Vec<u32>>; 2],
    exits: Vec<bool>,
    /// For each policeman and each place, C(p + i - 1, i).
    terms: Vec<Vec<u64>>,
    crowds: u64,
}

/// The places of all players, and the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    side: usize,
    thief: u32,
    crowd: u64,
}

impl Chase {
    /// On a board the places are the cells without walls, row by row.
    pub(crate) fn on_board(board: &Board, police: u64) -> Option<Chase> {
        let cells: Vec<u32> = board.floor().collect();
        let place =
            |cell| cells.binary_search(&cell).expect("steps lead to free cells only") as u32;
        let steps = [true, false].map(|king| {
            let around = |&cell| around(board, cell, king).into_iter().map(place).collect();
            cells.iter().map(around).collect::<Vec<_>>()
        });
        let exits = cells.iter().map(|&cell| board.cells[cell as usize] == Cell::Exit).collect();
        let names = cells.iter().map(|&cell| board.name(cell)).collect();
        Chase::new(names, steps, exits, police)
    }

    /// In a file, `a b` is an edge and `! a` an exit. Vertices are numbered in the order of first appearance.
    pub(crate) fn parse(text: &str, police: u64) -> Option<Chase> {
        let (mut names, mut edges, mut exits) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut numbers = std::collections::HashMap::new();
        let mut number = |name: &str| {
            *numbers.entry(name.to_owned()).or_insert_with(|| {
                names.push(name.to_owned());
                names.len() as u32 - 1
            })
        };
        for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
            let words = line.split('#').next().unwrap_or_default().split_whitespace();
            match *words.collect::<Vec<_>>() {
                [] | ["police" | "thief", _] => {}
                ["!", exit] => drop(exits.insert(number(exit))),
                [a, b] => edges.push((number(a), number(b))),
                _ => return None,
            }
        }
        let mut steps: Vec<BTreeSet<u32>> =
            (0..names.len() as u32).map(|own| BTreeSet::from([own])).collect();
        for (a, b) in edges {
            steps[a as usize].insert(b);
            steps[b as usize].insert(a);
        }
        let steps: Vec<Vec<u32>> =
            steps.into_iter().map(|steps| steps.into_iter().collect()).collect();
        let exits = (0..names.len() as u32).map(|place| exits.contains(&place)).collect();
        Chase::new(names, [steps.clone(), steps], exits, police)
    }

    fn new(
        names: Vec<String>,
        steps: [Vec<Vec<u32>>; 2],
        exits: Vec<bool>,
        police: u64,
    ) -> Option<Chase> {
        if !(1..=255).contains(&police) {
            return None;
        }
        // Each row is the running sum of the one before: C(p + i - 1, i) is the sum of C(q + i - 2, i - 1)
        // over q up to p.
        let mut terms: Vec<Vec<u64>> = Vec::new();
        let mut row: Vec<u64> = (0..names.len()).map(|place| u64::from(place > 0)).collect();
        for _ in 0..police {
            for place in 1..row.len() {
                row[place] = row[place].checked_add(row[place - 1])?;
            }
            terms.push(row.clone());
        }
        let last = names.len().checked_sub(1)?;
        let crowds = terms.iter().try_fold(1u64, |sum, row| sum.checked_add(row[last]))?;
        crowds.checked_mul(2 * names.len() as u64)?;
        Some(Chase { names, steps, exits, terms, crowds })
    }

    /// The places of the police, the highest first.
    fn police(&self, crowd: u64) -> Vec<u32> {
        let mut rest = crowd;
        let places = self.terms.iter().rev().map(|terms| {
            let place = terms.partition_point(|&term| term <= rest) - 1;
            rest -= terms[place];
            place as u32
        });
        places.collect()
    }

    fn states(&self) -> u64 {
        2 * self.names.len() as u64 * self.crowds
    }
}

impl Rules for Chase {
    type Position = Position;

    fn runs(&self) -> u64 {
        runs(self.states())
    }

    fn run(&self, number: u64) -> Range<u64> {
        run(number, self.states())
    }

    fn each(&self, number: u64, mut visit: impl FnMut(&Position)) {
        for state in self.run(number) {
            let row = state / self.crowds;
            let (thief, side) = ((row / 2) as u32, (row % 2) as usize);
            visit(&Position { side, thief, crowd: state % self.crowds });
        }
    }

    fn place(&self, &Position { side, thief, crowd }: &Position) -> Place {
        Place::Table(0, (u64::from(thief) * 2 + side as u64) * self.crowds + crowd)
    }

    fn moves(&self, &Position { side, thief, crowd }: &Position, mut visit: impl FnMut(&Position)) {
        if side != POLICE {
            for &thief in &self.steps[side][thief as usize] {
                visit(&Position { side: POLICE, thief, crowd });
            }
            return;
        }
        // All choices of a step for each policeman, as the digits of a counter.
        let police = self.police(crowd);
        let steps: Vec<&[u32]> =
            police.iter().map(|&place| &self.steps[POLICE][place as usize][..]).collect();
        let (mut choice, mut after) = (vec![0; police.len()], police);
        loop {
            for ((place, steps), &chosen) in after.iter_mut().zip(&steps).zip(&choice) {
                *place = steps[chosen];
            }
            after.sort_unstable();
            let crowd = self.terms.iter().zip(&after).map(|(terms, &place)| terms[place as usize]);
            visit(&Position { side: 1 - side, thief, crowd: crowd.sum() });
            let Some(at) = (0..choice.len()).find(|&at| choice[at] + 1 < steps[at].len()) else {
                return;
            };
            choice[at] += 1;
            choice[..at].fill(0);
        }
    }

    fn decided(&self, &Position { side, thief, crowd }: &Position) -> Option<Number> {
        chased(side, self.police(crowd).contains(&thief), self.exits[thief as usize])
    }

    fn sides(&self) -> Vec<Side> {
        Side::named(["police", "thief"])
    }

    fn side_to_move(&self, position: &Position) -> usize {
        position.side
    }

    fn text(&self, &Position { side, thief, crowd }: &Position) -> String {
        let mut text = String::from(["police", "thief"][side]);
        for place in self.police(crowd).into_iter().rev().chain([thief]) {
            text.push(' ');
            text.push_str(&self.names[place as usize]);
        }
        text
    }
}
