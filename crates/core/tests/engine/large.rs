//! Games that are too large for the naive solver. A second slow solver, which goes level by level, judges them.

use crate::ways::{WAYS, Way, count};
use retrograde::adapters::Explicit;
use retrograde::bit_parallel::BitParallel;
use retrograde::{Code, Game, Level, Outcome, Predecessors, Probe, Solution, Status, Value};
use retrograde_testkit::{Hashed, Plain, Rng, cases, levels, random, seed};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Every way of solving gives the right answer.
fn check(game: &impl Predecessors, name: &str) -> Vec<Option<Value>> {
    let right = levels::solve(game);
    check_ways(&WAYS, &right, name, |way| way.solve(game));
    right
}

/// The bit-parallel engine gives the right answer too.
fn check_both(game: &impl BitParallel, name: &str) {
    let right = check(game, name);
    check_ways(&WAYS, &right, &format!("{name} in words"), |way| way.solve_words(game));
}

fn check_ways(ways: &[Way], right: &[Option<Value>], name: &str, solve: impl Fn(Way) -> Solution) {
    let levels = histogram(right);
    for (i, &way) in ways.iter().enumerate() {
        let solution = solve(way);
        let mut found = vec![None; right.len()];
        let Ok(()) = solution.fill(0, &mut found);
        for ((state, found), &right) in (0..).zip(&found).zip(right) {
            assert_eq!(*found, way.tells(right), "{name}: state {state}, {way:?}");
        }
        assert!(solution.histogram().levels().eq(levels.iter().copied()), "{name}: {way:?}");
        if i == 0 {
            check_runs(&solution, right, name);
        }
    }
}

/// How many states settle at each level.
fn histogram(right: &[Option<Value>]) -> Vec<Level> {
    let mut levels: BTreeMap<u32, Level> = BTreeMap::new();
    for value in right.iter().flatten() {
        let Some(distance) = value.distance() else { continue };
        let none = Level { distance, wins: 0, losses: 0 };
        let level = levels.entry(distance).or_insert(none);
        level.wins += u64::from(value.outcome() == Outcome::Win);
        level.losses += u64::from(value.outcome() == Outcome::Loss);
    }
    levels.into_values().collect()
}

/// The solution counts values right between any two states, and gives the same values in runs as one by one.
fn check_runs(solution: &Solution, values: &[Option<Value>], name: &str) {
    let mut rng = Rng::new(values.len() as u64);
    let whole = (0, values.len() as u64);
    let ranges = (0..6).map(|_| {
        let from = rng.below(values.len() as u64);
        (from, from + rng.below(values.len() as u64 - from + 1))
    });
    for (from, to) in ranges.chain([whole]) {
        let counted = count(&values[from as usize..to as usize]);
        assert_eq!(solution.count(from..to), counted, "{name}: {from}..{to}");
        let at = from.min(whole.1 - 1);
        assert_eq!(solution.value(at), values[at as usize], "{name}: state {at}");
        let run = &values[from as usize..to as usize];
        let mut told = vec![None; run.len()];
        let Ok(()) = solution.fill(from, &mut told);
        assert!(told == run, "{name}: {from}..{to} reads otherwise as a run");
        let mut codes = vec![Code::INVALID; run.len()];
        let Ok(()) = solution.fill_codes(from, &mut codes);
        let told = codes.iter().zip(run).all(|(short, value)| *short == Code::of(*value));
        assert!(told, "{name}: {from}..{to} reads otherwise in short");
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

#[test]
fn hundreds_of_games_of_thousands_of_states() {
    let fresh = seed();
    for seed in (0..cases(100)).chain(fresh..fresh + cases(100)) {
        let game = random::game(seed, 4_000..12_001);
        check_both(&game, &format!("the game of seed {seed}"));
    }
}

/// From a hundred thousand states to a million, so that parts have the length that they have in real use.
#[test]
fn a_dozen_large_random_graphs() {
    let fresh = seed();
    let steps = (0..).step_by(12 / (cases(8) + cases(4)) as usize);
    for (seed, i) in (0..cases(8)).chain(fresh..fresh + cases(4)).zip(steps) {
        // Each is a fifth larger than the one before.
        let states = (100_000.0 * 1.2f64.powi(i)) as u64 + seed % 64;
        let game = Explicit::from_game(Hashed::draw(seed, states));
        let (right, name) = (levels::solve(&game), format!("{:?}", game.game()));
        let least = Way { least: true, ..Way::new(2) };
        let ways = [Way::new(1), Way::new(2), least, Way::no_distances(3)];
        check_ways(&ways, &right, &name, |way| way.solve(&game));
        if i % 3 == 0 {
            check_ways(&ways, &right, &format!("{name} in words"), |way| way.solve_words(&game));
        }
    }
}

/// The games contain everything that the tests need.
#[test]
fn large_random_graphs_have_everything() {
    let game = Hashed::draw(0, 100_000);
    let right = levels::solve(&game);
    let (mut exits, mut kept, mut drawn, mut far) = (0, 0, 0, 0);
    for state in 0..game.states {
        let status = game.status(state);
        if status == Status::Open {
            game.exits(state, |_| exits += 1);
        }
        match status {
            Status::Terminal(Value::Draw) => drawn += 1,
            Status::Terminal(Value::Win(level) | Value::Loss(level)) => {
                far += u32::from(level > 999);
            }
            Status::Open => {
                game.each_successor(state, |to| kept += u32::from(game.keeps_turn(state, to)));
            }
            Status::Invalid => {}
        }
    }
    for (what, count) in [("exit", exits), ("kept turn", kept), ("draw", drawn), ("far", far)] {
        assert!(count > 50, "only {count} of {what}");
    }
    for outcome in [Outcome::Win, Outcome::Loss, Outcome::Draw] {
        let of = right.iter().flatten().filter(|value| value.outcome() == outcome).count();
        assert!(of > 5_000, "only {of} of {outcome:?}");
    }
}

#[test]
fn dense_levels() {
    // The rules decide one in eight as lost, so some levels have tens of thousands of states.
    let game = sea(200_000, 3, 12, 1);
    let solution = Way::new(2).solve(&game);
    let widest = solution.histogram().levels().map(|level| level.wins + level.losses).max();
    assert!(widest > Some(20_000), "the levels are not dense: {widest:?}");
    check_both(&game, "a sea of moves");
    check(&Explicit::from_game(&game), "the same, explicit");
}

#[test]
fn levels_that_swell_and_shrink() {
    // The frontier changes between sparse and dense many times, at every size from 1 to 20,000.
    for (sizes, name) in [
        (vec![1, 10, 100, 1_000, 4_095, 4_096, 4_097, 8_191, 8_192, 8_193, 20_000, 1], "rising"),
        (vec![20_000, 8_193, 8_192, 8_191, 4_097, 4_096, 4_095, 63, 1, 20_000], "falling"),
        ([1, 20_000].repeat(8), "beating"),
    ] {
        check_both(&tiers(&sizes), name);
    }
}

/// `degree` random moves from each of so many open states. Of a hundred states, the rules decide `lost` as lost.
fn sea(states: u64, degree: u64, lost: u64, seed: u64) -> Plain {
    let mut rng = Rng::new(seed);
    let mut game = Plain::open(states);
    for state in 0..states {
        if rng.chance(lost) {
            game.statuses[state as usize] = Status::Terminal(Value::Loss(0));
            continue;
        }
        for _ in 0..degree {
            game.connect(state, rng.below(states));
        }
    }
    game
}

/// Tiers of states with the given sizes, from the end of the game upwards. Moves lead one tier down. The states of a
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
        check_both(&game, &format!("{states} states"));
    }
}
