//! Games too large for the naive solver: judged by the laws of a right answer, and the same to the bit for any
//! number of threads.

use crate::ways::{Way, count, values};
use retrograde::{Explicit, Game, Outcome, Probe, Retrograde, Solution, Status, Value, Words};
use retrograde_testkit::{Plain, Rng, laws, random, seed};
use std::cmp::Reverse;

/// One thread's answer obeys the laws, and every other way of solving gives the same one.
fn check(game: &impl Retrograde, name: &str) {
    let first = Way::new(1).solve(game);
    let right = values(&first);
    assert_eq!(laws::broken(game, |state| right[state as usize]), None, "{name}");
    check_runs(&first, &right, name);
    for threads in [2, 3, 8] {
        let solution = Way::new(threads).solve(game);
        assert!(values(&solution) == right, "{name}: {threads} threads give other values");
        assert_eq!(solution.histogram(), first.histogram(), "{name}: {threads} threads");
    }
    for threads in [1, 2, 5] {
        let way = Way::no_distances(threads);
        let solution = way.solve(game);
        let told: Vec<_> = right.iter().map(|&value| way.tells(value)).collect();
        assert!(values(&solution) == told, "{name}: {way:?} gives other values");
        assert_eq!(solution.histogram(), first.histogram(), "{name}: {way:?}");
    }
}

/// The solution counts rightly from and to any state, and tells runs as it tells states.
fn check_runs(solution: &Solution, right: &[Option<Value>], name: &str) {
    let values = values(solution);
    let mut rng = Rng::new(right.len() as u64);
    let whole = (0, right.len() as u64);
    let ranges = (0..20).map(|_| {
        let from = rng.below(right.len() as u64);
        (from, from + rng.below(right.len() as u64 - from + 1))
    });
    for (from, to) in ranges.chain([whole]) {
        let counted = count(&right[from as usize..to as usize]);
        assert_eq!(solution.count(from..to), counted, "{name}: {from}..{to}");
        let run = &values[from as usize..to as usize];
        let mut told = vec![None; run.len()];
        let Ok(()) = solution.fill(from, &mut told);
        assert!(told == run, "{name}: {from}..{to} reads otherwise as a run");
        for outcome in [Outcome::Win, Outcome::Loss, Outcome::Draw] {
            let distances = (from..).zip(run).filter_map(|(at, value)| {
                let value = value.filter(|value| value.outcome() == outcome)?;
                Some((at, value.distance()?))
            });
            let longest = distances.max_by_key(|&(at, distance)| (distance, Reverse(at)));
            let told = solution.longest(from..to, outcome);
            assert_eq!(told, longest, "{name}: {from}..{to}, {outcome:?}");
        }
    }
}

/// The words engine gives the scalar engine's answer, for any number of threads.
fn check_words(game: &impl Words, name: &str) {
    let scalar = Way::new(1).solve(game);
    let right = values(&scalar);
    for threads in [1, 2, 8] {
        for way in [Way::new(threads), Way::no_distances(threads)] {
            let solution = way.solve_words(game);
            let told: Vec<_> = right.iter().map(|&value| way.tells(value)).collect();
            assert!(values(&solution) == told, "{name}: {way:?} in words gives other values");
            assert_eq!(solution.histogram(), scalar.histogram(), "{name}: {way:?}");
            check_runs(&solution, &right, name);
        }
    }
}

#[test]
fn random_games_of_every_mixture() {
    let fresh = seed();
    for seed in (0..8).chain(fresh..fresh + 4) {
        let (game, name) =
            (random::game(seed, 66_000..260_000), format!("the game of seed {seed}"));
        check(&game, &name);
        if seed < 4 || seed == fresh {
            check_words(&game, &name);
        }
    }
}

#[test]
fn dense_levels() {
    // Half a million states of which one in eight is lost by rule: levels of tens of thousands.
    let game = sea(500_000, 3, 12, 1);
    let solution = Way::new(2).solve(&game);
    let widest = solution.histogram().levels().map(|level| level.wins + level.losses).max();
    assert!(widest > Some(50_000), "the levels are not dense: {widest:?}");
    check(&game, "a sea of moves");
    check(&Explicit::from_game(&game), "the same, explicit");
    check_words(&game, "a sea of moves");
}

#[test]
fn levels_that_swell_and_shrink() {
    // A frontier that changes between sparse and dense again and again, at every size from 1 to 20,000.
    for (sizes, name) in [
        (vec![1, 10, 100, 1_000, 4_095, 4_096, 4_097, 8_191, 8_192, 8_193, 20_000, 1], "rising"),
        (vec![20_000, 8_193, 8_192, 8_191, 4_097, 4_096, 4_095, 63, 1, 20_000], "falling"),
        ([1, 20_000].repeat(8), "beating"),
    ] {
        check(&tiers(&sizes), name);
        check_words(&tiers(&sizes), name);
    }
}

/// `degree` random moves from each of so many open states; `lost` in a hundred states are lost by rule.
fn sea(states: u64, degree: u64, lost: u64, seed: u64) -> Plain {
    let mut rng = Rng::new(seed);
    let mut game = Plain::open(states);
    for state in 0..states {
        if rng.chance(lost) {
            game.statuses[state as usize] = Status::Final(Value::Loss(0));
            continue;
        }
        for _ in 0..degree {
            game.connect(state, rng.below(states));
        }
    }
    game
}

/// Tiers of states of the given sizes, from the end of the game upwards; moves lead one tier down, the states of a
/// tier lie scattered over the numbering, and some have a move back up.
fn tiers(sizes: &[u64]) -> Plain {
    let mut rng = Rng::new(7);
    let states: u64 = sizes.iter().sum();
    let mut places: Vec<u64> = (0..states).collect();
    for last in (1..places.len()).rev() {
        places.swap(last, rng.below(last as u64 + 1) as usize);
    }
    let mut game = Plain::open(states);
    let mut below: &[u64] = &[];
    let mut rest = &places[..];
    for &size in sizes {
        let (tier, above) = rest.split_at(size as usize);
        for &from in tier {
            if !below.is_empty() {
                for _ in 0..1 + rng.below(3) {
                    game.connect(from, rng.pick(below));
                }
            }
            if !above.is_empty() && !below.is_empty() && rng.chance(2) {
                game.connect(from, rng.pick(above));
            }
        }
        (below, rest) = (tier, above);
    }
    game
}

#[test]
fn the_numbers_of_states_around_a_block() {
    for states in [1, 2, 63, 64, 65, 127, 128, 4_095, 4_096, 4_097, 8_192, 12_289] {
        let game = random::game(states, states..states + 1);
        assert_eq!(game.states(), states);
        check(&game, &format!("{states} states"));
        check_words(&game, &format!("{states} states"));
    }
}
