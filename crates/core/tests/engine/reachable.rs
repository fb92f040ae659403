//! What play can reach, against sets grown one move at a time.

use retrograde::{Counts, Game, Retrograde, Solver, Status, Value, Within, audit, reachable};
use retrograde_testkit::{Plain, random};
use std::collections::BTreeSet;

/// Adds the moves of all states of a set until nothing new comes.
fn naively(game: &Plain, starts: &[u64]) -> BTreeSet<u64> {
    let mut reached: BTreeSet<u64> = starts.iter().copied().collect();
    loop {
        let before = reached.len();
        for state in reached.clone() {
            if game.statuses[state as usize] == Status::Open {
                reached.extend(&game.moves[state as usize]);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

#[test]
fn what_is_reached_has_the_values_it_has_in_the_whole_game() {
    let mut beyond = 0;
    for seed in 0..1_000 {
        let game = random::small(seed);
        let starts: Vec<u64> = (0..game.states())
            .filter(|&state| game.statuses[state as usize] != Status::Void)
            .skip(seed as usize % 5)
            .step_by(7)
            .take(2)
            .collect();
        let reached = reachable(&game, starts.iter().copied());
        let expected = naively(&game, &starts);
        assert_eq!(reached.iter().collect::<BTreeSet<_>>(), expected, "seed {seed}");
        assert_eq!(reached.len(), expected.len() as u64);
        beyond += game.states() - reached.len();

        let within = Within(&game, &reached);
        audit(&within).expect("moves and un-moves agree");
        let (all, some) = (solved(&game), solved(&within));
        let mut counts = Counts::default();
        for state in 0..game.states() {
            let here = expected.contains(&state);
            assert_eq!(reached.contains(state), here, "seed {seed}, state {state}");
            let value = all.value(state).filter(|_| here);
            assert_eq!(some.value(state), value, "seed {seed}, state {state}");
            match value {
                Some(Value::Win(_)) => counts.win += 1,
                Some(Value::Loss(_)) => counts.loss += 1,
                Some(Value::Draw) => counts.draw += 1,
                None => {}
            }
        }
        let Ok(counted) = reached.counts(&all);
        assert_eq!(counted, counts, "seed {seed}");
        assert!(!reached.contains(game.states()), "seed {seed}");
    }
    assert!(beyond > 10_000, "only {beyond} states were out of reach");
}

#[test]
#[should_panic(expected = "play cannot begin in 40")]
fn a_start_outside_the_game_is_named() {
    let game = retrograde::Explicit::from_edges(40, [(0, 1)]);
    reachable(&game, [0, 40]);
}

fn solved(game: &impl Retrograde) -> retrograde::Solution {
    Solver::new().threads(1).solve(game).expect("no limit")
}
