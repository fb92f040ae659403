//! Compares the states that play can reach with sets that grow one move at a time.

use retrograde::adapters::Within;
use retrograde::play::reachable;
use retrograde::{Counts, Game, Predecessors, Solver, Status, Value, audit, forward};
use retrograde_testkit::{Plain, random};
use std::collections::{BTreeMap, BTreeSet};

/// Adds the moves of all states of a set until no new state comes.
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
            .filter(|&state| game.statuses[state as usize] != Status::Invalid)
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
        audit(&within).expect("moves and backward moves agree");
        let (all, some) = (solved(&game), solved(&within));
        let (mut counts, mut levels) = (Counts::default(), BTreeMap::new());
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
            if let Some(distance) = value.and_then(Value::distance) {
                let level = levels.entry(distance).or_insert((state, 0, 0));
                level.1 += u64::from(value == Some(Value::Win(distance)));
                level.2 += u64::from(value == Some(Value::Loss(distance)));
            }
        }
        let Ok(summary) = reached.summary(&all);
        assert_eq!(summary.counts, counts, "seed {seed}");
        let longest = levels.last_key_value().map(|(&distance, &(state, ..))| (state, distance));
        assert_eq!(summary.longest, longest, "seed {seed}");
        let levels =
            levels.into_iter().map(|(distance, (_, wins, losses))| (distance, wins, losses));
        let told =
            summary.histogram.levels().map(|level| (level.distance, level.wins, level.losses));
        assert!(told.eq(levels), "seed {seed}");
        assert!(!reached.contains(game.states()), "seed {seed}");
    }
    assert!(beyond > 10_000, "only {beyond} states were out of reach");
}

#[test]
#[should_panic(expected = "play cannot begin in 40")]
fn a_start_outside_the_game_is_named() {
    let game = retrograde::adapters::Explicit::from_edges(40, [(0, 1)]);
    reachable(&game, [0, 40]);
}

/// An invalid successor was counted as a state that play reaches.
#[test]
#[should_panic(expected = "play leads to 2, which is invalid")]
fn play_that_leads_to_no_position_is_named() {
    let mut game = Plain::open(3);
    game.connect(0, 1);
    game.connect(1, 2);
    game.statuses[2] = Status::Invalid;
    reachable(&game, [0]);
}

/// `Within` asked every state for its status and its moves, although the game can answer for many at once.
#[test]
fn within_asks_for_many_states_at_once_where_the_game_answers_so() {
    /// Panics if it is asked about a single state.
    struct Together<'g>(&'g Plain);

    impl Game for Together<'_> {
        forward!(Game for this => this.0; but status degree);

        fn status(&self, state: u64) -> Status {
            panic!("state {state} is asked for its status alone")
        }

        fn degree(&self, state: u64) -> u32 {
            panic!("state {state} is asked for its degree alone")
        }
    }

    for seed in 0..300 {
        let game = random::small(seed);
        let mut starts = 0..game.states();
        let start = starts.find(|&state| game.statuses[state as usize] != Status::Invalid);
        let reached = reachable(&game, start);
        told_alike(&Within(Together(&game), &reached), &Within(&game, &reached));
    }

    fn told_alike(together: &impl Game, alone: &impl Game) {
        let words = alone.states().div_ceil(64);
        let (mut told, mut right) = (Vec::new(), Vec::new());
        together.classify(0..alone.states(), |state, status, degree, exits| {
            told.push((state, status, degree, exits.to_vec()));
        });
        for state in 0..alone.states() {
            let mut exits = Vec::new();
            let status = alone.status(state);
            let mut degree = 0;
            if status == Status::Open {
                alone.exits(state, |exit| exits.push(exit));
                degree = alone.degree(state);
            }
            right.push((state, status, degree, exits));
        }
        assert_eq!(told, right);
        for word in 0..words {
            let invalid_states = (0..64).fold(0, |invalid_states, bit| {
                let state = right.get((word * 64 + bit) as usize);
                invalid_states
                    | u64::from(state.is_none_or(|state| state.1 == Status::Invalid)) << bit
            });
            assert_eq!(together.invalid_states(word), invalid_states, "word {word}");
        }
    }
}

fn solved(game: &impl Predecessors) -> retrograde::Solution {
    Solver::new().threads(1).solve(game).expect("no limit")
}
