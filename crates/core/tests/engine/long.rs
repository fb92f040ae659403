//! Many levels and many moves: distances and counters that exceed a byte.

use crate::ways::Way;
use retrograde::bit_parallel::BitParallel;
use retrograde::{Code, Counts, Outcome, Probe, Solution, Value, solve};
use retrograde_testkit::long::{Chain, Hubs};
use retrograde_testkit::{Plain, deep, laws, naive};

/// Solves in this way, with both engines, and compares every value with the formula.
fn check(game: &(impl BitParallel + std::fmt::Debug), way: Way, value: impl Fn(u64) -> Value) {
    compare(&way.solve(game), game, way, &value);
    compare(&way.solve_words(game), game, way, &value);
}

fn compare(
    solution: &Solution,
    game: &impl std::fmt::Debug,
    way: Way,
    value: impl Fn(u64) -> Value,
) {
    let mut run = vec![None; solution.states() as usize];
    let Ok(()) = solution.fill(0, &mut run);
    let mut codes = vec![Code::INVALID; run.len()];
    let Ok(()) = solution.fill_codes(0, &mut codes);
    for ((state, told), short) in (0..).zip(run).zip(codes) {
        let right = way.tells(Some(value(state)));
        assert_eq!(solution.value(state), right, "state {state} of {game:?}, {way:?}");
        assert_eq!(told, right, "state {state} of {game:?} in a run, {way:?}");
        assert_eq!(short, Code::of(right), "state {state} of {game:?} in short, {way:?}");
    }
}

#[test]
fn a_chain_of_any_length() {
    for states in
        [1, 2, 3, 250, 251, 252, 253, 254, 255, 256, 257, 258, 300, 511, 512, 513, 65_530, 70_000]
    {
        let chain = Chain { states };
        for way in [Way::new(1), Way::new(2), Way::no_distances(1), Way::no_distances(2)] {
            check(&chain, way, |state| chain.value(state));
        }
    }
}

#[test]
fn a_chain_whose_distances_take_three_bytes() {
    // 16.8 million levels would overflow them.
    let states = if deep() { 3_000_000 } else { 400_000 };
    let chain = Chain { states };
    for way in [Way::new(1), Way::new(2)] {
        compare(&way.solve(&chain), &chain, way, |state| chain.value(state));
    }
    let solution = Way::no_distances(1).solve(&chain);
    assert_eq!(solution.histogram().levels().count() as u64, states);
    assert_eq!(solution.count(0..states).win, states / 2);
}

#[test]
fn every_degree_beside_every_depth() {
    // A counter and a distance share a byte. So the number of moves decides how many levels fit.
    let depths = [2, 3, 12, 16, 20, 34, 100, 200, 238, 254, 256, 258, 300, 514, 700];
    let degrees = (1..8).chain(100..104).chain(225..262).chain([300, 511, 512, 513, 1_000]);
    for degree in degrees {
        for chain in depths {
            let hubs = Hubs { chain, degree, hubs: 3 };
            for way in [Way::new(1), Way::no_distances(1), Way::new(2)] {
                check(&hubs, way, |state| hubs.value(state));
            }
        }
    }
}

#[test]
fn more_moves_than_two_bytes_count() {
    for degree in [65_500, 65_517, 65_518, 65_519, 65_534, 65_535, 65_536, 65_537, 70_000, 200_000]
    {
        for chain in [2, 40, 300] {
            let hubs = Hubs { chain, degree, hubs: 3 };
            for way in [Way::new(1), Way::no_distances(2)] {
                check(&hubs, way, |state| hubs.value(state));
            }
        }
    }
    let hubs = Hubs { chain: 70_000, degree: 70_000, hubs: 4 };
    for way in [Way::new(1), Way::new(2)] {
        compare(&way.solve(&hubs), &hubs, way, |state| hubs.value(state));
    }
}

#[test]
fn exits_and_terminals_far_beyond_the_last_level() {
    let far =
        [1, 15, 16, 17, 252, 255, 256, 65_535, 65_536, 16_777_216, 3_000_000_000, u32::MAX - 8];
    for distance in far {
        for exit in [Value::Win(distance), Value::Loss(distance)] {
            // 2 and 3 form a cycle. 2 may leave by its exit or through 1. The rules decide 4.
            let mut game = Plain::open(8);
            for (from, to) in [(1, 0), (2, 1), (2, 3), (3, 2), (5, 4), (6, 5), (6, 7), (7, 7)] {
                game.connect(from, to);
            }
            game.exits[0] = vec![Value::Loss(1)];
            game.exits[2] = vec![exit];
            game.exits[7] = vec![exit, Value::Loss(2)];
            game.statuses[4] = retrograde::Status::Terminal(exit);
            let right = naive::solve(&game);
            assert_eq!(laws::broken(&game, |state| right[state as usize]), None);
            for way in [Way::new(1), Way::new(2), Way::no_distances(1)] {
                for solution in [way.solve(&game), way.solve_words(&game)] {
                    for state in 0..8 {
                        let told = way.tells(right[state as usize]);
                        assert_eq!(solution.value(state), told, "{exit:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn more_exits_than_a_byte_counts() {
    for exits in [250, 300, 70_000] {
        let mut game = Plain::open(4);
        for (from, to) in [(1, 0), (2, 1), (3, 3), (3, 2)] {
            game.connect(from, to);
        }
        game.exits[0] = (0..exits).map(|index| Value::Loss(index % 200 + 1)).collect();
        game.exits[2] = (0..exits).map(|index| Value::Win(200 - index % 200)).collect();
        game.exits[3] = vec![Value::Draw; exits as usize];
        let right = naive::solve(&game);
        assert_eq!(right[0], Some(Value::Loss(200)));
        for way in [Way::new(1), Way::new(2), Way::no_distances(1)] {
            let solution = way.solve(&game);
            for state in 0..4 {
                assert_eq!(
                    solution.value(state),
                    way.tells(right[state as usize]),
                    "{exits} exits"
                );
            }
        }
    }
}

/// Distances that have no code were lost when states got other numbers.
#[test]
fn renumbered_values_are_the_same() {
    let chain = Chain { states: 70_000 };
    let solution = solve(&chain);
    // Every number twice as large, and one more: half of the numbers are invalid.
    let renumbered = solution.renumbered(140_000, |states, numbers| {
        states.zip(numbers).for_each(|(state, number)| *number = Some(2 * state + 1));
    });
    for state in 0..70_000 {
        assert_eq!(renumbered.value(2 * state), None);
        assert_eq!(renumbered.value(2 * state + 1), Some(chain.value(state)));
    }
    let counts = solution.counts();
    assert_eq!(renumbered.counts(), Counts { invalid: 70_000, ..counts });
    assert_eq!(renumbered.longest(0..140_000, Outcome::Win), Some((139_999, 69_999)));
    assert_eq!(renumbered.histogram(), solution.histogram());
}
