//! `verify` finds a wrong value and names the first one. It finds nothing in a right solution.

use std::ops::ControlFlow;

use crate::audits::Leaky;
use crate::ways::Way;
use retrograde::bit_parallel::ByWords;
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Game, Status, Value, verify};
use retrograde_testkit::broken::{Values, corruptions, moves, without_distance};
use retrograde_testkit::long::Chain;
use retrograde_testkit::{Plain, cases, naive, random, seed};

#[test]
fn verify_passes_every_right_solution() {
    let fresh = seed();
    for seed in (0..cases(5_000)).chain(fresh..fresh + cases(5_000)) {
        let game = random::small(seed);
        for way in [Way::new(1), Way::no_distances(1)] {
            let verified = verify(&game, &way.solve(&game));
            let verified = verified.unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
            let exits: usize = game.exits.iter().map(Vec::len).sum();
            assert_eq!(verified.moves, Some(moves(&game) + exits as u64), "seed {seed}");
            assert_eq!(verified.states, game.states(), "seed {seed}");
            let in_words = Verifier::new().verify(ByWords(&game), &way.solve(&game));
            assert_eq!(in_words, Ok(Verified { moves: None, ..verified }), "seed {seed}");
        }
    }
}

#[test]
fn verify_misses_no_wrong_value() {
    for seed in 0..cases(2_500) {
        let game = random::small(seed);
        let mut solution = Values { values: naive::solve(&game), distances: true };
        for state in 0..solution.values.len() {
            let right = solution.values[state];
            for wrong in corruptions(right) {
                solution.values[state] = wrong;
                let told = verify(&game, &solution);
                let Err(VerifyError::Value { state: named, .. }) = told else {
                    panic!("seed {seed}: state {state}, {right:?} told as {wrong:?}");
                };
                let in_words = Verifier::new().verify(ByWords(&game), &solution);
                assert_eq!(in_words, Err(told.expect_err("as seen")), "seed {seed}");
                let near =
                    named == state as u64 || game.moves[named as usize].contains(&(state as u64));
                assert!(near, "seed {seed}: state {state} is wrong and {named} is named");
            }
            solution.values[state] = right;
        }
        assert!(verify(&game, &solution).is_ok(), "seed {seed}");
    }
}

/// Two states lead to each other, so both are drawn. One is said to win, and the other to lose, in the greatest number of
/// plies. A move beyond it has no distance, so no value may follow from it: the verification panicked, or would accept
/// the circle if the distance stayed the same.
#[test]
fn verify_is_not_taken_in_by_the_longest_distance() {
    let mut game = Plain::open(2);
    game.connect(0, 1);
    game.connect(1, 0);
    for kept in [false, true] {
        if kept {
            game.kept.extend([(0, 1), (1, 0)]);
        }
        let other = if kept { Value::Win(u32::MAX) } else { Value::Loss(u32::MAX) };
        let values = vec![Some(Value::Win(u32::MAX)), Some(other)];
        let solution = Values { values, distances: true };
        let told = verify(&game, &solution);
        assert!(matches!(told, Err(VerifyError::Value { state: 0, .. })), "{told:?}");
        let in_words = Verifier::new().verify(ByWords(&game), &solution);
        assert_eq!(in_words, told);
    }
}

/// All values are wrong, not only one. The verification in words must notice that too.
#[test]
fn verify_is_not_taken_in_by_answers_that_are_wrong_throughout() {
    for seed in 0..50 {
        let game = random::game(seed, 1..300);
        let right = naive::solve(&game);
        for all in [None, Some(Value::Draw), Some(Value::Win(1)), Some(Value::Loss(0))] {
            let solution = Values { values: vec![all; right.len()], distances: true };
            let told = verify(&game, &solution).map(drop);
            assert_eq!(told.is_ok(), solution.values == right, "seed {seed}: {all:?}");
            let in_words = Verifier::new().verify(ByWords(&game), &solution).map(drop);
            assert_eq!(in_words, told, "seed {seed}: {all:?}");
        }
    }
}

/// The window is much smaller than the game, and moves lead anywhere. `verify` looks up values beyond the window.
#[test]
fn verify_sees_as_much_through_a_narrow_window() {
    let game = random::game(12, 100_000..100_001);
    let right = crate::ways::values(&Way::new(2).solve(&game));
    let mut solution = Values { values: right.clone(), distances: true };
    let told = verify(&game, &solution).expect("a right answer");
    let mut shown = Vec::new();
    let narrow = Verifier::new().memory_max(1).progress(|progress| {
        shown.push(progress.done);
        ControlFlow::Continue(())
    });
    assert_eq!(narrow.verify(&game, &solution), Ok(told));
    let mut called = 0;
    let stopped = Verifier::new().progress(|_| {
        called += 1;
        ControlFlow::Break(())
    });
    assert_eq!(stopped.verify(&game, &solution), Err(VerifyError::Cancelled));
    assert_eq!(called, 1);
    let in_words = Verifier::new().memory_max(1).verify(ByWords(&game), &solution);
    assert_eq!(in_words, Ok(Verified { moves: None, ..told }));
    assert!(shown.is_sorted() && shown.last() == Some(&100_000), "{shown:?}");
    let mut rng = retrograde_testkit::Rng::new(3);
    for _ in 0..cases(60) {
        let state = rng.below(right.len() as u64) as usize;
        for wrong in corruptions(right[state]) {
            solution.values[state] = wrong;
            let wide = verify(&game, &solution).expect_err("a wrong value");
            let narrow = Verifier::new().memory_max(1).verify(&game, &solution);
            assert_eq!(narrow, Err(wide), "{:?} told as {wrong:?}", right[state]);
            let in_words = Verifier::new().memory_max(1).verify(ByWords(&game), &solution);
            assert_eq!(in_words, Err(wide), "{:?} told as {wrong:?}", right[state]);
        }
        solution.values[state] = right[state];
    }
}

/// A wrong draw follows from any draw. So it is found only if the value beyond the window is the right one.
#[test]
fn verify_looks_at_the_right_states_beyond_a_narrow_window() {
    // The window has the last 65,536 states.
    const STATES: u64 = 150_000;
    const LOST: u64 = 70_001;
    // Every state stays where it is, but for one without moves. The last may move there.
    let mut game = Plain::open(STATES);
    (0..STATES).filter(|&state| state != LOST).for_each(|state| game.connect(state, state));
    game.connect(STATES - 1, LOST);
    let mut solution = Values { values: vec![Some(Value::Draw); STATES as usize], distances: true };
    solution.values[LOST as usize] = Some(Value::Loss(0));
    let told = Err(VerifyError::Value {
        state: STATES - 1,
        found: Some(Value::Draw),
        expected: Some(Value::Win(1)),
    });
    let narrow = || Verifier::new().memory_max(1);
    assert_eq!(narrow().verify(&game, &solution).map(drop), told);
    assert_eq!(narrow().verify(ByWords(&game), &solution).map(drop), told);
    solution.values[STATES as usize - 1] = Some(Value::Win(1));
    assert!(narrow().verify(&game, &solution).is_ok());
    assert!(narrow().verify(ByWords(&game), &solution).is_ok());
}

#[test]
fn verify_without_distances_sees_every_wrong_outcome_that_contradicts_a_neighbour() {
    // 0 has no moves. 1 moves to 0, 2 moves to 1, and 3 moves to 2 or to itself.
    let mut game = Plain::open(4);
    for (from, to) in [(1, 0), (2, 1), (3, 2), (3, 3)] {
        game.connect(from, to);
    }
    let right: Vec<_> =
        naive::solve(&game).into_iter().map(|value| value.map(without_distance)).collect();
    let mut solution = Values { values: right.clone(), distances: false };
    assert!(verify(&game, &solution).is_ok());
    for (state, &value) in right.iter().enumerate() {
        for wrong in [None, Some(Value::Win(0)), Some(Value::Draw), Some(Value::Loss(0))] {
            if wrong != value {
                solution.values[state] = wrong;
                let told = verify(&game, &solution);
                assert!(told.is_err(), "state {state} told as {wrong:?}");
                assert_eq!(Verifier::new().verify(ByWords(&game), &solution), told);
            }
        }
        solution.values[state] = value;
    }
}

/// Words hold a value in two bytes. States with longer distances are verified one by one.
#[test]
fn verify_in_words_sees_as_much_of_long_distances() {
    let game = Chain { states: 40_000 };
    let solution = Way::new(1).solve(&game);
    let verified = verify(&game, &solution).expect("a right answer");
    let in_words = Verifier::new().verify(ByWords(&game), &solution);
    assert_eq!(in_words, Ok(Verified { moves: None, ..verified }));
    let right = crate::ways::values(&solution);
    let mut solution = Values { values: right.clone(), distances: true };
    for state in [0, 1, 31_998, 31_999, 32_000, 32_001, 32_002, 39_998, 39_999] {
        for wrong in corruptions(right[state]) {
            solution.values[state] = wrong;
            let told = verify(&game, &solution).expect_err("a wrong value");
            let in_words = Verifier::new().verify(ByWords(&game), &solution);
            assert_eq!(in_words, Err(told), "state {state} told as {wrong:?}");
        }
        solution.values[state] = right[state];
    }
    // Terminal states and distant exits, with right and wrong values.
    for far in [31_999, 32_000, 32_001, 40_000] {
        for value in [Value::Win(far), Value::Loss(far)] {
            let mut game = Plain::open(3);
            game.statuses[0] = Status::Terminal(value);
            game.connect(1, 0);
            game.exits[2] = vec![value, Value::Loss(5)];
            let right = naive::solve(&game);
            let mut solution = Values { values: right.clone(), distances: true };
            assert!(Verifier::new().verify(ByWords(&game), &solution).is_ok(), "{value:?}");
            for (state, right) in right.into_iter().enumerate() {
                for wrong in corruptions(right).into_iter().chain([Some(Value::Loss(5))]) {
                    solution.values[state] = wrong;
                    let in_words = Verifier::new().verify(ByWords(&game), &solution);
                    assert!(wrong == right || in_words.is_err(), "{value:?}, {state}: {wrong:?}");
                }
                solution.values[state] = right;
            }
        }
    }
}

#[test]
fn verify_names_the_state_that_a_move_leaves_the_game_from() {
    let values = vec![Some(Value::Loss(0)), Some(Value::Win(1)), Some(Value::Loss(0))];
    let answer = Values { values, distances: true };
    assert!(verify(&Leaky(2), &answer).is_ok());
    for visited in [3, 63, 64, 1 << 20, u64::MAX] {
        let told = verify(&Leaky(visited), &answer);
        let told = told.expect_err("a move leads out of the game");
        assert_eq!(told, VerifyError::Outside { state: 1, visited });
        assert_eq!(told.state(), Some(1));
    }
}

#[test]
fn verify_compares_the_numbers_of_states() {
    let game = Plain::open(3);
    let solution = Values { values: vec![Some(Value::Loss(0)); 2], distances: true };
    let wrong = Err(VerifyError::States { found: 2, expected: 3 });
    assert_eq!(verify(&game, &solution), wrong);
}
