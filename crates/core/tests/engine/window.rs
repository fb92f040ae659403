//! Solves with a window: the bits of most states are in the store.

use crate::log::{Blocks, Checked, logged_values};
use crate::ways::in_pool;
use retrograde::bit_parallel::{ByWords, LOG_BLOCK_BYTES, LogError, WordSolution};
use retrograde::internal::Thresholds;
use retrograde::{Outcome, SolveError, Solver, Status, Value};
use retrograde_testkit::{Plain, Rng, cases, levels, random, seed};
use std::ops::ControlFlow;

/// A game whose moves lead at most `far` states away. Every move passes the turn, and nothing is decided at a distance
/// above 0.
pub(crate) fn near(seed: u64, states: u64, far: u64) -> Checked<Plain> {
    let mut rng = Rng::new(seed);
    let (invalid, terminal) = (rng.pick(&[0, 5, 30]), rng.pick(&[1, 4, 20]));
    let (only_lost, moves_max) = (rng.chance(50), rng.pick(&[2, 3, 5]));
    let statuses = (0..states).map(|_| match rng.below(100) {
        share if share < invalid => Status::Invalid,
        share if share < invalid + terminal => {
            let won = !only_lost && rng.chance(50);
            Status::Terminal(if won { Value::Win(0) } else { Value::Loss(0) })
        }
        _ => Status::Open,
    });
    let mut game = Plain::new(statuses.collect());
    for from in 0..states {
        if game.statuses[from as usize] != Status::Open {
            continue;
        }
        for _ in 0..1 + rng.below(moves_max) {
            let to = (from + rng.below(2 * far + 1)).saturating_sub(far).min(states - 1);
            if game.statuses[to as usize] != Status::Invalid {
                game.connect(from, to);
            }
        }
    }
    Checked(game)
}

/// A solver with the least thresholds whose window has space for some shards of 4,096 states more than the least.
fn solver(game: &Checked<Plain>, shards: u64) -> Solver<'static> {
    let solver = Solver::new().thresholds(Thresholds::least());
    let plan = ByWords(game).plan_window(&solver).expect("a window is smaller");
    solver.memory_max(plan.memory_least + shards * 1024)
}

fn solve(game: &Checked<Plain>, solver: Solver<'_>) -> (WordSolution, Blocks) {
    let store = Blocks::new();
    let solved = ByWords(game).solve_in(solver, Box::new(store.clone()));
    (solved.expect("nothing stops it"), store)
}

/// A solve was silent until its first level.
#[test]
fn a_window_tells_how_many_states_are_seeded() {
    let game = near(1, 220_000, 701);
    let mut seeded = Vec::new();
    let solver = solver(&game, 3).threads(1).progress(|progress| match progress.level {
        None => {
            seeded.push(progress.done);
            ControlFlow::Continue(())
        }
        Some(_) => ControlFlow::Break(()),
    });
    let stopped = ByWords(&game).solve_in(solver, Box::new(Blocks::new()));
    assert!(matches!(stopped, Err(SolveError::Cancelled)));
    assert!(seeded.len() > 3 && seeded.is_sorted(), "{seeded:?}");
    assert_eq!(seeded.last(), Some(&220_000));
}

#[test]
fn a_window_gives_the_values_of_the_whole() {
    let fresh = seed();
    for seed in (0..cases(10)).chain(fresh..fresh + cases(10)) {
        let states = 220_000 + seed % 7 * 4_099;
        let game = near(seed, states, 1 + seed % 5 * 700);
        let right = levels::solve(&game);
        for (threads, shards) in [(1, 0), (2, 3), (2, 30), (1, 7)] {
            in_pool(threads, || {
                let solver = || solver(&game, shards).threads(threads);
                let (logged, store) = solve(&game, solver());
                assert!(logged_values(&logged).unwrap() == right, "seed {seed}, {shards} more");
                let held = retrograde::solve(ByWords(&game));
                assert_eq!(logged.histogram(), held.histogram());
                let range = 77..states - 5;
                assert_eq!(logged.count(range.clone()).unwrap(), held.count(range.clone()));
                for outcome in [Outcome::Win, Outcome::Loss] {
                    let longest = logged.longest(range.clone(), outcome).unwrap();
                    assert_eq!(longest, held.longest(range.clone(), outcome));
                }
                let (read, written) = logged.bytes_moved();
                assert!(
                    read > 0
                        && written >= (store.blocks.lock().unwrap().len() * LOG_BLOCK_BYTES) as u64
                );

                let (bare, _) = solve(&game, solver().distances(false));
                let outcomes = (0..states).step_by(97).map(|state| bare.outcome(state).unwrap());
                let told = right.iter().step_by(97).map(|value| value.map(Value::outcome));
                assert!(outcomes.eq(told), "seed {seed} without distances");
            });
        }
    }
}

/// The solver learns from a sample how far moves lead. Here the sample misses the longest move.
#[test]
fn a_move_beyond_the_window_starts_the_solve_again() {
    let states = 64 * 9_001;
    for (from, to) in [(4 * 64 + 1, 700 * 64), (8_000 * 64, 7_300 * 64 + 9)] {
        let mut game = near(3, states, 40);
        let Checked(plain) = &mut game;
        // A win that only this move gives: its state has no other move.
        for state in [from, to] {
            plain.statuses[state as usize] = Status::Open;
            for next in std::mem::take(&mut plain.moves[state as usize]) {
                plain.backward_moves[next as usize].retain(|before| *before != state);
            }
        }
        plain.connect(from, to);
        let right = levels::solve(&game);
        assert_eq!(right[from as usize], Some(Value::Win(1)));
        let (logged, _) = solve(&game, solver(&game, 100).threads(1));
        assert!(logged_values(&logged).unwrap() == right, "from {from}");
        // With the least memory there is no space for this move.
        let refused = ByWords(&game).solve_in(solver(&game, 0), Box::new(Blocks::new()));
        assert!(matches!(refused, Err(SolveError::Memory { .. })), "from {from}");
    }
}

#[test]
fn a_solve_with_a_window_goes_on_after_any_pass() {
    let game = near(11, 150_000, 90);
    let right = levels::solve(&game);
    for stop in [1, 2, 5] {
        let store = Blocks::new();
        let (mut seen, mut kept) = (0, Vec::new());
        let stopped = solver(&game, 2).threads(1).at_level_end(|snapshot| {
            seen += 1;
            // The solve goes on past the snapshot, and overwrites what the snapshot does not name.
            match seen {
                _ if seen == stop => snapshot.write(&mut kept).expect("there is room"),
                _ if seen == stop + 2 => return ControlFlow::Break(()),
                _ => {}
            }
            ControlFlow::Continue(())
        });
        let stopped = ByWords(&game).solve_in(stopped, Box::new(store.clone()));
        assert!(matches!(stopped, Err(SolveError::Cancelled)), "{seen} ends of passes");
        let resumed = solver(&game, 9).threads(1).resume(&kept[..]);
        let logged = ByWords(&game).solve_in(resumed, Box::new(store)).expect("it goes on");
        assert!(logged_values(&logged).unwrap() == right, "pass {stop}");
    }
}

/// The solve used to overwrite the bits of the last good snapshot once it had written another one, even if that one was
/// never published.
#[test]
fn a_snapshot_that_is_not_published_leaves_the_one_before_whole() {
    let game = near(11, 150_000, 90);
    let right = levels::solve(&game);
    // What becomes of the later snapshots, and how many of them are offered.
    for (fate, offered) in [("discarded", 4), ("unknown", 1)] {
        let store = Blocks::new();
        let (mut seen, mut kept, mut later) = (0, Vec::new(), Vec::new());
        let stopped = solver(&game, 2).threads(1).at_level_end(|snapshot| {
            seen += 1;
            if seen == 1 {
                snapshot.write(&mut kept).expect("there is room");
                snapshot.published();
                return ControlFlow::Continue(());
            }
            later.clear();
            snapshot.write(&mut later).expect("there is room");
            if fate == "discarded" {
                snapshot.discarded();
            }
            if seen <= 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let stopped = ByWords(&game).solve_in(stopped, Box::new(store.clone()));
        assert_eq!((stopped.is_err(), seen), (offered == 4, 1 + offered), "{fate}");
        let mut snapshots = vec![&kept];
        snapshots.extend((fate == "unknown").then_some(&later));
        for snapshot in snapshots {
            let resumed = solver(&game, 9).threads(1).resume(&snapshot[..]);
            let store = store.copied();
            let logged = ByWords(&game).solve_in(resumed, Box::new(store)).expect("it goes on");
            assert!(logged_values(&logged).unwrap() == right, "{fate}");
        }
    }
}

#[test]
fn a_damaged_window_is_an_error_and_never_a_wrong_value() {
    let game = near(5, 160_000, 300);
    for number in [0, 7, 19] {
        let (logged, store) = solve(&game, solver(&game, 4).threads(1));
        store.blocks.lock().unwrap().get_mut(&(3 * number)).unwrap()[99] ^= 1;
        let told = logged_values(&logged).map(drop);
        assert!(
            matches!(told, Err(LogError::Damaged { block }) if block == 3 * number),
            "{told:?}"
        );
    }
}

#[test]
fn a_game_that_a_window_cannot_solve_needs_memory() {
    // Exits, and moves that lead everywhere.
    for game in [Checked(random::game(7, 300_000..300_001)), near(1, 80_000, 80_000)] {
        let solver = Solver::new().thresholds(Thresholds::least());
        let needed = ByWords(&game).memory_needed_in(&solver);
        assert!(ByWords(&game).plan_window(&solver).is_none());
        let solved =
            ByWords(&game).solve_in(solver.memory_max(needed - 1), Box::new(Blocks::new()));
        assert!(matches!(solved, Err(SolveError::Memory { .. })));
    }
    // The engine once ignored drawn exits, because they cause no event: states with such an exit lost.
    for exit in [Value::Win(4), Value::Loss(3), Value::Draw] {
        let mut game = near(2, 80_000, 90);
        game.0.statuses[70_000] = Status::Open;
        game.0.exits[70_000].push(exit);
        let solved = ByWords(&game).solve_in(solver(&game, 5), Box::new(Blocks::new()));
        assert!(matches!(solved, Err(SolveError::Memory { .. })), "{exit:?}");
    }
}
