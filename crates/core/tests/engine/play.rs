//! Best moves and lines of play, against the values of the naive solver.

use crate::ways::Way;
use retrograde::play::{Line, LineEnd, Move, PlayError, line, moves};
use retrograde::{Game, Status, Value};
use retrograde_testkit::broken::Values;
use retrograde_testkit::{Plain, cases, naive, random, seed};
use std::collections::BTreeSet;

fn for_games(test: impl Fn(u64, &Plain, &Values)) {
    let fresh = seed();
    for seed in (0..cases(10_000)).chain(fresh..fresh + cases(10_000)) {
        let game = random::small(seed);
        let right = Values { values: naive::solve(&game), distances: true };
        test(seed, &game, &right);
    }
}

#[test]
fn the_best_move_is_worth_what_the_state_is_worth() {
    for_games(|seed, game, right| {
        for state in 0..game.states() {
            let found = moves(game, right, state).unwrap();
            let at = state as usize;
            if game.statuses[at] != Status::Open {
                assert_eq!(found, [], "seed {seed}, state {state}");
                continue;
            }
            let best = found.first().map_or(game.stuck(), |best| best.value);
            assert_eq!(Some(best), right.values[at], "seed {seed}, state {state}");
            let preferences: Vec<_> = found.iter().map(|each| each.value).collect();
            assert!(
                preferences.is_sorted_by(|a, b| a >= b),
                "seed {seed}, state {state}: {found:?}"
            );
            let mut told: Vec<Option<u64>> = found.iter().map(|each| each.to).collect();
            let exits = game.exits[at].iter().map(|_| None);
            let mut all: Vec<Option<u64>> =
                game.moves[at].iter().copied().map(Some).chain(exits).collect();
            told.sort_unstable();
            all.sort_unstable();
            assert_eq!(told, all, "seed {seed}, state {state}");
        }
    });
}

#[test]
fn a_line_is_as_long_as_its_distance_and_ends_as_its_value_says() {
    let ends = std::sync::Mutex::new(BTreeSet::new());
    for_games(|seed, game, right| {
        let solution = Way::new(1).solve(game);
        for state in 0..game.states() {
            let Some(value) = right.values[state as usize] else { continue };
            let played = line(game, &solution, state).unwrap();
            check_line(game, right, value, &played).unwrap_or_else(|wrong| {
                panic!("seed {seed}, state {state}, {value:?}: {wrong}: {played:?}")
            });
            let end = format!("{:?}", played.end);
            ends.lock()
                .expect("no test panics here")
                .insert(end.split(['(', ' ']).next().map(str::to_string));
        }
    });
    assert_eq!(ends.into_inner().expect("no test panics here").len(), 4, "some end never occurs");
}

/// Plays the line again, and describes its first mistake.
fn check_line(game: &Plain, right: &Values, value: Value, played: &Line) -> Result<(), String> {
    let states = &played.states;
    let worth = |state: u64| right.values[state as usize].ok_or(format!("{state} is invalid"));
    let mut now = value;
    for step in states.windows(2) {
        let (from, to) = (step[0], step[1]);
        if !game.moves[from as usize].contains(&to) {
            return Err(format!("there is no move from {from} to {to}"));
        }
        if worth(to)?.after_move(game.keeps_turn(from, to)) != now {
            return Err(format!("the move from {from} to {to} gives something away"));
        }
        now = worth(to)?;
    }
    let last = *states.last().ok_or("the line is empty")?;
    let at = last as usize;
    let ended = match played.end {
        LineEnd::Terminal(end) => game.statuses[at] == Status::Terminal(end) && end == now,
        LineEnd::Stuck => {
            game.statuses[at] == Status::Open
                && game.moves[at].is_empty()
                && game.exits[at].is_empty()
                && now == game.stuck()
        }
        LineEnd::Exit(end) => game.exits[at].contains(&end) && end == now,
        LineEnd::Broken { .. } => false,
        LineEnd::Cycle { back_to } => {
            let distinct: BTreeSet<u64> = states.iter().copied().collect();
            now == Value::Draw
                && distinct.len() == states.len()
                && game.moves[at].contains(&states[back_to])
        }
    };
    if ended { Ok(()) } else { Err("it does not end as it says".to_string()) }
}

#[test]
fn a_line_without_distances_shows_how_a_draw_is_kept() {
    let mut game = Plain::open(4);
    for (from, to) in [(0, 1), (1, 2), (2, 1), (2, 3), (1, 3)] {
        game.connect(from, to);
    }
    game.statuses[3] = Status::Terminal(Value::Win(0));
    let solution = Way::no_distances(1).solve(&game);
    let played = line(&game, &solution, 0).unwrap();
    assert_eq!(played, Line { states: vec![0, 1, 2], end: LineEnd::Cycle { back_to: 1 } });
    let found = moves(&game, &solution, 2).unwrap();
    assert_eq!(found[0], Move { to: Some(1), value: Value::Draw });
}

/// A ring whose states are all said to be wins: no move leads nearer to the end.
#[test]
fn a_line_over_wrong_values_ends_where_they_are_wrong() {
    struct Lie([Value; 3]);
    impl retrograde::Probe for Lie {
        type Error = std::convert::Infallible;
        fn states(&self) -> u64 {
            3
        }
        fn has_distances(&self) -> bool {
            true
        }
        fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error> {
            Ok(Some(self.0[state as usize]))
        }
    }
    let mut game = Plain::open(3);
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        game.connect(from, to);
    }
    for (values, states) in [
        ([Value::Win(9), Value::Loss(8), Value::Win(7)], vec![0, 1, 2]),
        ([Value::Win(1), Value::Loss(0), Value::Win(1)], vec![0, 1]),
        ([Value::Draw, Value::Win(1), Value::Draw], vec![0]),
        ([Value::Win(4_000_000_000), Value::Loss(3), Value::Draw], vec![0]),
    ] {
        let played = line(&game, &Lie(values), 0).unwrap();
        assert_eq!(played.states, states, "{values:?}");
        assert!(matches!(played.end, LineEnd::Broken { .. }), "{values:?}");
    }
}

/// Values that did not fit the game ended the program. `moves` panicked if a move led to a state that they call
/// invalid. `line` panicked if play began in such a state, or if distances were missing.
#[test]
fn values_that_do_not_fit_the_game_are_an_error() {
    let mut game = Plain::open(3);
    game.connect(0, 1);
    game.connect(0, 2);
    let right = || vec![Some(Value::Win(1)), Some(Value::Loss(0)), Some(Value::Loss(0))];
    let mut hole = right();
    hole[2] = None;
    let hole = Values { values: hole, distances: true };
    let short = Values { values: right()[..2].to_vec(), distances: true };
    for values in [&hole, &short] {
        let error = moves(&game, values, 0).unwrap_err();
        assert_eq!(error, PlayError::Move { state: 0, visited: 2 });
        let text = error.to_string();
        assert!(text.contains("from state 0 to state 2, which has no value"), "{text}");
        assert_eq!(line(&game, values, 0), Err(error));
        assert_eq!(line(&game, values, 2), Err(PlayError::State(2)));
    }
    assert_eq!(moves(&game, &hole, 3), Err(PlayError::State(3)));
    let bare = Values { values: right(), distances: false };
    assert_eq!(line(&game, &bare, 0), Err(PlayError::NoDistances(0)));
}

/// The error of a lookup reaches the caller.
#[test]
fn a_lookup_that_fails_is_the_error_of_play() {
    struct Unread;
    impl retrograde::Probe for Unread {
        type Error = std::io::Error;
        fn states(&self) -> u64 {
            2
        }
        fn has_distances(&self) -> bool {
            true
        }
        fn probe(&self, _: u64) -> Result<Option<Value>, Self::Error> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let mut game = Plain::open(2);
    game.connect(0, 1);
    let errors = [moves(&game, &Unread, 0).unwrap_err(), line(&game, &Unread, 0).unwrap_err()];
    for error in errors {
        assert!(matches!(error, PlayError::Probe(_)));
        assert_eq!(error.to_string(), "the disk is gone");
    }
}
