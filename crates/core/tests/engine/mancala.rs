//! The example with moves that may keep the turn, judged by the naive solver.

#[path = "../../examples/mancala.rs"]
#[allow(dead_code, reason = "it prints")]
mod example;

use retrograde::{Game, Status, audit, verify};
use retrograde_testkit::naive;

use crate::ways::WAYS;

#[test]
fn the_mancala_example_agrees_with_the_naive_solver() {
    for stones in 1..=4 {
        let game = example::game(stones);
        let (mut kept, mut passed) = (0, 0);
        for state in (0..game.states()).filter(|&state| game.status(state) == Status::Open) {
            game.each_successor(state, |to| match game.keeps_turn(state, to) {
                true => kept += 1,
                false => passed += 1,
            });
        }
        assert!(
            kept > 0 && passed > 0,
            "{stones} stones: {kept} moves keep the turn, {passed} pass it"
        );
        audit(&game).unwrap();
        let right = naive::solve(&game);
        for way in WAYS {
            let solution = way.solve(&game);
            for (state, value) in (0..).zip(&right) {
                assert_eq!(solution.value(state), way.tells(*value), "{stones}, {state}, {way:?}");
            }
            verify(&game, &solution).unwrap();
        }
    }
}
