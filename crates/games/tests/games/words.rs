//! Compares pursuit 64 states at a time with pursuit one state at a time: every value and distance on random boards of
//! any shape, and their verification.

use retrograde::bit_parallel::ByWords;
use retrograde::checks::{Verifier, VerifyError};
use retrograde::{Game, Solver};
use retrograde_games::{Board, Pursuit};
use retrograde_testkit::broken::{Values, corruptions};
use retrograde_testkit::{Rng, cases};

#[test]
fn both_engines_say_the_same_of_random_boards() {
    let (mut tried, boards) = (0, cases(300));
    for seed in 0..boards {
        let random = |most: u64, salt: u64| {
            let mixed = (seed * 31 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            ((mixed >> 33) % most) as u32
        };
        let (rows, columns) = (1 + random(30, 1), 1 + random(30, 2));
        let (walls, exits) = (random(41, 3), random(6, 4));
        // A small board may have no space for so many walls and exits.
        let Ok(board) = Board::random(rows, columns, walls, exits, 0, seed) else { continue };
        let game = Pursuit::new(board).expect("the board has no police and no thief");
        let scalar = Solver::new().solve(&game).expect("no limit");
        let words = Solver::new().solve(ByWords(&game)).expect("no limit");
        let bare = Solver::new().distances(false).solve(ByWords(&game)).expect("no limit");
        let name = format!("{rows}x{columns}, {walls}% walls, {exits} exits, seed {seed}");
        assert!(scalar.histogram().levels().eq(words.histogram().levels()), "{name}");
        for state in 0..scalar.states() {
            assert_eq!(words.value(state), scalar.value(state), "{name}, state {state}");
            assert_eq!(bare.outcome(state), scalar.outcome(state), "{name}, state {state}");
        }
        let mut rng = Rng::new(seed);
        let values = (0..scalar.states()).map(|state| scalar.value(state)).collect();
        let mut told = Values { values, distances: true };
        assert!(Verifier::new().verify(ByWords(&game), &told).is_ok(), "{name}");
        assert!(Verifier::new().verify(ByWords(&game), &bare).is_ok(), "{name}");
        for _ in 0..3 {
            let state = rng.below(scalar.states()) as usize;
            let right = told.values[state];
            told.values[state] = rng.pick(&corruptions(right));
            let Err(VerifyError::Value { state: named, .. }) =
                Verifier::new().verify(ByWords(&game), &told)
            else {
                panic!("{name}: a wrong value of state {state} goes unseen");
            };
            let mut near = named == state as u64;
            game.each_successor(named, |to| near |= to == state as u64);
            assert!(near, "{name}: state {state} is wrong and {named} is named");
            told.values[state] = right;
        }
        tried += 1;
    }
    assert!(tried * 10 > boards * 9, "only {tried} boards could be made");
}
