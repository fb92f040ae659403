//! Tapatan whole: every value against the naive solver, which knows nothing of regions.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::{env, fs, process};

use crate::tapatan::board::Position;
use crate::tapatan::game::STATES;
use crate::tapatan::{Tapatan, Tier};
use retrograde::{Game, Status, Value};
use retrograde_positions::Positions;
use retrograde_regions::{Builder, Family, SolvedRegion, Tablebase};
use retrograde_testkit::naive;

/// All positions that play can reach, as one game: its moves are those of positions, and no region is known.
struct Whole {
    positions: Vec<Position>,
    numbers: HashMap<Position, u64>,
}

impl Whole {
    fn new() -> Whole {
        let mut whole = Whole { positions: Vec::new(), numbers: HashMap::new() };
        whole.number(Tapatan.start().expect("there is a start"));
        let mut next = 0;
        while let Some(position) = whole.positions.get(next).copied() {
            Tapatan.moves(&position, &mut |played| whole.number(played.next));
            next += 1;
        }
        whole
    }

    fn number(&mut self, position: Position) {
        let next = self.positions.len() as u64;
        self.numbers.entry(position).or_insert_with(|| {
            self.positions.push(position);
            next
        });
    }
}

impl Game for Whole {
    fn states(&self) -> u64 {
        self.positions.len() as u64
    }

    fn status(&self, state: u64) -> Status {
        match Tapatan.moves(&self.positions[state as usize], &mut |_| {}) {
            Some(over) => Status::Terminal(over.value),
            None => Status::Open,
        }
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let position = &self.positions[state as usize];
        let mut reached = Vec::new();
        Tapatan.moves(position, &mut |played| reached.push(self.numbers[&played.next]));
        reached.into_iter().try_for_each(visit)
    }
}

#[test]
fn every_value_is_that_of_the_naive_solver() {
    let folder = env::temp_dir().join(format!("retrograde-tapatan-{}", process::id()));
    let _ = fs::remove_dir_all(&folder);
    Builder::new(&Tapatan, &folder).verify(true).build(&[Tier::START]).expect("it is built");
    let tables = Tablebase::<Tapatan>::open(&folder).expect("tables");
    assert_eq!(tables.regions().len(), 7);
    let whole = Whole::new();
    let values = naive::solve(&whole);
    for (position, value) in whole.positions.iter().zip(values) {
        assert_eq!(tables.value(position).ok(), value, "{position}");
        assert_eq!(tables.read(&position.to_string()).ok(), Some(*position));
    }
    // As achi, which is the same game, solved in one piece. Who begins wins from the middle.
    let answer = tables.probe(&Tapatan.start().expect("a start")).expect("an answer");
    assert_eq!(answer.value, Value::Win(9));
    assert_eq!(answer.moves[0].played.name, "b2");
    fs::remove_dir_all(&folder).expect("it can be removed");
}

#[test]
fn each_region_passes_the_audit() {
    for name in ["m", "p5", "p2", "p0"] {
        let tier: Tier = name.parse().expect("a region");
        let blanks = Tapatan.needs(&tier).into_iter().map(|_| SolvedRegion::blank(STATES));
        retrograde::audit(&Tapatan.game(&tier, blanks.collect())).expect(name);
    }
}
