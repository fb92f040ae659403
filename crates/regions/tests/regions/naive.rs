//! Regions against the whole: a game that is cut up comes to the same values as when it is not.

use retrograde::{Game, Status, Value};
use retrograde_regions::{Family, Solved, Tables};
use retrograde_testkit::naive;

use crate::morris::{Morris, Region, SQUARE, Stones, number, states};
use crate::{Scratch, build};

/// All regions of morris on a square as one game: exits are moves like any other.
struct Whole {
    /// The regions, with the number of each one's first state.
    regions: Vec<(Stones, u64)>,
    states: u64,
}

impl Whole {
    fn new() -> Whole {
        let regions = ["3v3", "4v3", "4v4"].map(|text| text.parse().unwrap());
        let mut whole = Whole { regions: Vec::new(), states: 0 };
        for stones in regions {
            whole.regions.push((stones, whole.states));
            whole.states += states(&SQUARE, stones);
        }
        whole
    }

    /// The region that a state lies in, and the number of its first state.
    fn region(&self, state: u64) -> (Region<Solved<'_>>, Stones, u64) {
        let (stones, first) =
            *self.regions.iter().rev().find(|&&(_, first)| first <= state).unwrap();
        (blank(&stones), stones, first)
    }
}

/// The game of a region that knows no other: enough to be asked for moves.
fn blank(stones: &Stones) -> Region<Solved<'static>> {
    let needs = Morris(&SQUARE).needs(stones);
    let blanks = needs.into_iter().map(|need| Solved::blank(states(&SQUARE, need))).collect();
    Morris(&SQUARE).game(stones, blanks)
}

impl Game for Whole {
    fn states(&self) -> u64 {
        self.states
    }

    /// A capture from three stones has won by itself.
    fn status(&self, _: u64) -> Status {
        Status::Open
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        let (region, _, first) = self.region(state);
        region.captures(state - first, |left| {
            if left.stones().is_none() {
                visit(Value::Win(1));
            }
        });
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let (region, _, first) = self.region(state);
        region.successors(state - first, |to| visit(first + to));
        region.captures(state - first, |left| {
            if let Some(stones) = left.stones() {
                let mut regions = self.regions.iter();
                let (_, first) = regions.find(|(other, _)| *other == stones).unwrap();
                visit(first + number(&SQUARE, stones, left));
            }
        });
    }
}

#[test]
fn regions_come_to_the_values_of_the_whole() {
    let folder = Scratch::new();
    build(&Morris(&SQUARE), &folder, "4v4").unwrap();
    let tables = Tables::open(Morris(&SQUARE), &*folder).unwrap();
    let whole = Whole::new();
    let values = naive::solve(&whole);
    let mut decided = 0;
    for state in 0..whole.states {
        let (_, stones, first) = whole.region(state);
        let value = tables.probe(&stones, state - first).unwrap();
        assert_eq!(value, values[state as usize], "{stones} {}", state - first);
        decided += u32::from(value.is_some_and(|value| value != Value::Draw));
    }
    assert!(decided > 100, "a game of draws would show nothing");
}

#[test]
fn morris_passes_the_audit() {
    for text in ["3v3", "4v3", "4v4", "5v3"] {
        let stones: Stones = text.parse().unwrap();
        retrograde::audit(&blank(&stones)).unwrap();
    }
}
