//! Tests of the judges. The naive solver and the laws of a right solution share no idea; they must agree with
//! each other, and with known solutions.

use retrograde::{Game, Status, Value};
use retrograde_testkit::broken::{MISTAKES, corruptions, misprint};
use retrograde_testkit::long::{Chain, Hubs};
use retrograde_testkit::{Plain, laws, levels, naive, random, seed, symmetric};
use std::collections::BTreeSet;

#[test]
fn the_naive_solver_obeys_the_laws() {
    let seed = seed();
    let (mut seen, mut far) = (BTreeSet::new(), false);
    for seed in (0..2000).chain(seed..seed + 2000) {
        let game = random::small(seed);
        let values = naive::solve(&game);
        assert_eq!(laws::broken(&game, |state| values[state as usize]), None, "seed {seed}");
        // These seeds never change, so all kinds of game occur among them.
        if seed < 2000 {
            seen.extend(values.iter().map(|value| format!("{value:?}")));
            far |= values.iter().flatten().any(|value| value.distance() > Some(u32::from(u8::MAX)));
        }
    }
    assert!(far, "no random game has a distance beyond a byte");
    for kind in ["None", "Some(Draw)", "Some(Win(0))", "Some(Loss(30))"] {
        assert!(seen.contains(kind), "no random game has a state of value {kind}");
    }
    assert!(seen.iter().any(|value| value.len() == "Some(Loss(70000))".len()), "no large distance");
}

#[test]
fn the_solver_by_levels_agrees_with_the_naive_solver() {
    let seed = seed();
    for seed in (0..5_000).chain(seed..seed + 5_000) {
        let game = random::small(seed);
        assert_eq!(levels::solve(&game), naive::solve(&game), "seed {seed}");
    }
    for seed in 0..5 {
        let game = random::game(seed, 1_000..2_000);
        assert!(levels::solve(&game) == naive::solve(&game), "the larger game of seed {seed}");
    }
}

#[test]
fn the_laws_miss_no_wrong_value() {
    for seed in 0..500 {
        let game = random::small(seed);
        let mut values = naive::solve(&game);
        for state in 0..values.len() {
            let right = values[state];
            for wrong in corruptions(right) {
                values[state] = wrong;
                let found = laws::broken(&game, |state| values[state as usize]);
                assert!(found.is_some(), "seed {seed}: state {state}, {right:?} told as {wrong:?}");
            }
            values[state] = right;
        }
    }
}

#[test]
fn the_naive_solver_knows_a_game_done_by_hand() {
    // State 0 has no move. 1 may go to 0, and 2 only to 1. 3 may go to 2, or in a circle with 4. 5 keeps the
    // turn on its way to 1.
    let mut game = Plain::open(7);
    for (from, to) in [(1, 0), (2, 1), (3, 2), (3, 4), (4, 3), (5, 1), (6, 5), (6, 6)] {
        game.connect(from, to);
    }
    game.kept.insert((5, 1));
    let values: Vec<Value> = naive::solve(&game).into_iter().flatten().collect();
    use Value::{Draw, Loss, Win};
    assert_eq!(values, [Loss(0), Win(1), Loss(2), Win(3), Loss(4), Win(2), Draw]);
    game.exits[2] = vec![Draw];
    game.exits[0] = vec![Loss(9), Loss(1000)];
    let values: Vec<Value> = naive::solve(&game).into_iter().flatten().collect();
    assert_eq!(values, [Loss(1000), Win(1001), Draw, Draw, Draw, Win(1002), Draw]);
}

#[test]
fn long_games_have_the_answers_their_formulas_give() {
    let chain = Chain { states: 300 };
    assert_eq!(laws::broken(&chain, |state| Some(chain.value(state))), None);
    for (states, degree) in [(2, 1), (2, 5), (10, 3), (11, 5), (11, 17), (40, 300)] {
        let hubs = Hubs { chain: states, degree, hubs: 4 };
        assert_eq!(laws::broken(&hubs, |state| Some(hubs.value(state))), None, "{hubs:?}");
        let values = naive::solve(&hubs);
        assert!((0..hubs.states()).all(|state| values[state as usize] == Some(hubs.value(state))));
    }
}

#[test]
fn symmetric_games_are_symmetric() {
    for seed in 0..300 {
        let symmetric = symmetric::game(seed);
        let values = naive::solve(&symmetric.game);
        for state in 0..symmetric.game.states() {
            let canonical = symmetric.canonical(state);
            assert_eq!(values[state as usize], values[canonical as usize], "seed {seed}");
        }
    }
}

#[test]
fn a_misprint_makes_moves_and_backward_moves_differ() {
    for seed in 0..300 {
        for mistake in MISTAKES {
            let mut game = random::small(seed);
            assert_eq!(differing(&game), [], "seed {seed}");
            let mut wrong = misprint(&mut game, mistake, seed);
            wrong.sort_unstable();
            assert_eq!(differing(&game), wrong, "seed {seed}, {mistake:?}");
        }
    }
}

/// The moves between open states on which forward and backward moves disagree.
fn differing(game: &Plain) -> Vec<(u64, u64)> {
    let mut moves = Vec::new();
    let mut backward_moves = Vec::new();
    for state in game.states_where(|status| status == Status::Open) {
        moves.extend(game.moves[state as usize].iter().map(|&to| (state, to)));
    }
    for to in 0..game.states() {
        let from_open = game.backward_moves[to as usize]
            .iter()
            .filter(|&&from| game.statuses[from as usize] == Status::Open);
        backward_moves.extend(from_open.map(|&from| (from, to)));
    }
    let count = |list: &[(u64, u64)], wanted| list.iter().filter(|&&each| each == wanted).count();
    let all: BTreeSet<(u64, u64)> = moves.iter().chain(&backward_moves).copied().collect();
    all.into_iter().filter(|&each| count(&moves, each) != count(&backward_moves, each)).collect()
}
