//! Compares values with plain rules, the naive solver and published results.

use std::collections::HashMap;
use std::ops::ControlFlow;

use retrograde::{Game, Outcome, Status, Value};
use retrograde_morris::{Men, Position, Region, Tablebase};
use retrograde_testkit::{deep, naive};

use crate::Built;
use crate::plain::{Board, Raw};

/// A whole game as one graph of raw boards: all that play can reach.
struct Whole {
    moves: Vec<Vec<u64>>,
}

impl Whole {
    fn new(board: &Board) -> (Whole, Vec<Raw>) {
        let mut all = vec![board.start()];
        let mut numbers = HashMap::from([(board.start(), 0)]);
        let mut moves = Vec::new();
        while let Some(raw) = all.get(moves.len()).cloned() {
            let number = |to: Raw| {
                let next = all.len() as u64;
                *numbers.entry(to).or_insert_with_key(|to| {
                    all.push(to.clone());
                    next
                })
            };
            moves.push(board.moves(&raw).into_iter().map(number).collect());
        }
        (Whole { moves }, all)
    }
}

impl Game for Whole {
    fn states(&self) -> u64 {
        self.moves.len() as u64
    }

    fn status(&self, _: u64) -> Status {
        Status::Open
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        self.moves[state as usize].iter().copied().try_for_each(visit)
    }
}

#[test]
fn three_mens_morris_comes_to_the_values_of_the_naive_solver() {
    let board = Board::new(Men::Three);
    let (whole, all) = Whole::new(&board);
    let values = naive::solve(&whole);
    let tables = Built::new(Men::Three, &[Region::start(Men::Three)]);
    let mut outcomes = [0; 3];
    for (raw, value) in all.iter().zip(values) {
        let position = tables.read(&board.text(raw)).unwrap();
        assert_eq!(Some(tables.value(&position).unwrap()), value, "{position}");
        outcomes[value.unwrap().outcome() as usize] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 100), "{outcomes:?}");
}

/// The first player wins by playing to the middle and nowhere else, as published for this variant (Wikipedia,
/// *Three men's morris*).
#[test]
fn three_mens_morris_is_won_from_the_middle() {
    let tables = Built::new(Men::Three, &[Region::start(Men::Three)]);
    let start = tables.probe(&Position::start(Men::Three)).unwrap();
    assert_eq!(start.value, Value::Win(9));
    let outcomes: Vec<_> = start.moves.iter().map(|choice| choice.value.outcome()).collect();
    assert_eq!(start.best().unwrap().played.name, "b2");
    // Then the corners, then the middles of the sides.
    assert_eq!(outcomes[0], Outcome::Win);
    assert_eq!(
        (&outcomes[1..5], &outcomes[5..]),
        (&[Outcome::Draw; 4][..], &[Outcome::Loss; 4][..])
    );
}

/// Some states of some regions have the value of their best move, by the plain rules on a raw board.
fn follows(tables: &Tablebase, regions: &[Region], step: usize) -> u64 {
    let men = tables.family().men();
    let board = Board::new(men);
    let mut checked = 0;
    for region in regions {
        let index = tables.opened(region).unwrap().index();
        for state in (0..index.states()).step_by(step) {
            let Some(text) = index.position(state).map(|at| at.to_string()) else { continue };
            let raw = board.read(&text);
            let worth = |text: &str| tables.value(&tables.read(text).unwrap()).unwrap();
            let best =
                board.moves(&raw).into_iter().map(|to| worth(&board.text(&to)).after_move(false));
            let best = best.max().unwrap_or(Value::Loss(0));
            assert_eq!(worth(&text), best, "{region}: {text}");
            checked += 1;
        }
    }
    checked
}

/// A deep check compares all positions, which takes minutes.
#[test]
fn six_mens_morris_follows_from_its_moves() {
    let tables = Built::new(Men::Six, &[Region::start(Men::Six)]);
    let step = if deep() { 1 } else { 97 };
    assert!(follows(&tables, &tables.regions(), step) > 1_900_000 / step as u64);
    assert_eq!(tables.value(&Position::start(Men::Six)).unwrap(), Value::Draw);
}

/// Regions where both sides fly, one side flies, and no side flies.
#[test]
fn nine_mens_morris_follows_from_its_moves() {
    let tables = Built::new(Men::Nine, &[Region::moving(3, 3)]);
    assert!(follows(&tables, &tables.regions(), 301) > 500);
}

/// The same for the tables of a whole game, with some hundreds of positions of each region.
#[test]
#[ignore = "run by scripts/morris: MORRIS_TABLES=FOLDER/tables"]
fn a_whole_game_follows_from_its_moves() {
    let folder = std::env::var_os("MORRIS_TABLES").expect("MORRIS_TABLES says where they are");
    let tables = Tablebase::open(folder).unwrap();
    let mut checked = 0;
    for region in tables.regions() {
        let states = tables.opened(&region).unwrap().index().states();
        checked += follows(&tables, &[region], states.div_ceil(500) as usize);
    }
    let men = tables.family().men();
    let (regions, value) = match men {
        Men::Three => (7, Value::Win(9)),
        Men::Six => (71, Value::Draw),
        Men::Nine => (291, Value::Draw),
    };
    assert_eq!(tables.regions().len(), regions);
    assert_eq!(tables.value(&Position::start(men)).unwrap(), value);
    println!("{checked} positions follow from their moves");
}
