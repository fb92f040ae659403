//! Random games on one to five processes.

use crate::late::posts;
use retrograde::parts::Parted;
use retrograde::parts::Thresholds;
use retrograde::{Histogram, Solver, Value};
use retrograde_cluster::{Bounds, Carrier, Dealing, Dealt, Plan, Post, Redealt, Rounds, Shard};
use retrograde_testkit::broken::without_distance;
use retrograde_testkit::{Plain, Rng, naive, random, seed};
use std::io::Cursor;
use std::ops::ControlFlow;
use std::thread;
use timely_communication::allocator::ProcessBuilder;
use timely_communication::{Allocator, Hooks};

/// What a process knows in the end: its states and their values.
pub(crate) type Known = Vec<(u64, Option<Value>)>;

pub(crate) fn shard_values<P: Post>(
    game: &dyn Parted,
    plan: &Plan,
    post: P,
    solver: Solver<'_>,
) -> (Known, Histogram) {
    let process = post.index();
    let bytes = plan.bytes(process, 0);
    let solved = solver.run(bytes, || Shard::new(game, plan, Rounds::new(post), ()));
    let solved = solved.expect("nothing stops this solve");
    let dealing = plan.dealing();
    let parts = process * dealing.parts()..(process + 1) * dealing.parts();
    let first = parts.map(|part| part as u64 * dealing.part_states());
    let mut known = Vec::new();
    for dealt in first.flat_map(|first| first..first + dealing.part_len()) {
        let mut value = [None];
        solved.engine.fill(dealt, &mut value);
        match dealing.state(dealt) {
            Some(state) => known.push((state, value[0])),
            None => assert_eq!(value[0], None, "a hole of the dealing has a value"),
        }
    }
    (known, solved.histogram)
}

/// Solves with a post for each process, and judges.
fn check(
    game: &Plain,
    plan: &Plan,
    parted: &dyn Parted,
    posts: Vec<impl Post + Send>,
    distances: bool,
    what: &str,
) {
    let found: Vec<(Known, Histogram)> = thread::scope(|scope| {
        let running = posts
            .into_iter()
            .map(|post| scope.spawn(move || shard_values(parted, plan, post, Solver::new())));
        let running: Vec<_> = running.collect();
        running.into_iter().map(|thread| thread.join().expect("no process fails")).collect()
    });
    judge(game, found, distances, what);
}

fn judge(game: &Plain, found: Vec<(Known, Histogram)>, distances: bool, what: &str) {
    let right = naive::solve(game);
    let mut seen = vec![false; right.len()];
    let direct = Solver::new().threads(1).distances(distances).solve(game);
    let direct = direct.expect("nothing stops this solve");
    for (known, histogram) in found {
        assert_eq!(&histogram, direct.histogram(), "{what}");
        for (state, value) in known {
            let right = right[state as usize];
            let right = if distances { right } else { right.map(without_distance) };
            assert_eq!(value, right, "{what}, state {state}");
            assert!(!std::mem::replace(&mut seen[state as usize], true), "{what}: {state} twice");
        }
    }
    assert!(seen.iter().all(|&seen| seen), "{what}: a state that nobody holds");
}

/// How a game is dealt out and solved, at random.
fn drawn(rng: &mut Rng, game: &Plain) -> (Dealing, bool) {
    let processes = 1 + rng.below(5) as usize;
    let block = rng.pick(&[1, 7, 64, 64, 100, 128, 256, 1_000]);
    let states = retrograde::Game::states(game);
    let dealing = match rng.chance(50) {
        true => Dealing::new(states, processes, block),
        false => {
            let own =
                states.div_ceil(block).div_ceil(processes as u64) * block.next_multiple_of(64);
            let part_max = own.div_ceil(rng.pick(&[2, 3, 5])).max(1);
            Dealing::in_parts(states, processes, block, part_max)
        }
    };
    (dealing, rng.chance(50))
}

fn planned(parted: &dyn Parted, dealing: Dealing, distances: bool, least: bool) -> Plan {
    let plan = Plan::new(parted, dealing, distances);
    match least {
        true => plan.thresholds(Thresholds::least(), Bounds::least()),
        false => plan,
    }
}

#[test]
fn letters_may_be_late_and_out_of_order() {
    let fresh = seed();
    for seed in (0..700).chain(fresh..fresh + 300) {
        let game = random::game(seed, 0..400);
        let mut rng = Rng::new(!seed);
        let distances = seed % 3 != 0;
        let (dealing, least) = drawn(&mut rng, &game);
        let dealt = Dealt::new(&game, dealing);
        let plan = planned(&dealt, dealing, distances, least);
        let posts = posts(dealing.processes(), seed);
        check(&game, &plan, &dealt, posts, distances, &format!("seed {seed}, {dealing:?}"));
    }
}

#[test]
fn letters_of_timely_arrive() {
    for seed in 0..60 {
        let game = random::game(seed, 0..2_000);
        let mut rng = Rng::new(!seed);
        let (dealing, least) = drawn(&mut rng, &game);
        let dealt = Dealt::new(&game, dealing);
        let plan = planned(&dealt, dealing, true, least);
        let Hooks { refill, .. } = Hooks::default();
        let builders = ProcessBuilder::new_bytes_vector(dealing.processes(), refill, None);
        let (parted, plan): (&dyn Parted, &Plan) = (&dealt, &plan);
        let found: Vec<_> = thread::scope(|scope| {
            let running = builders.into_iter().map(|builder| {
                scope.spawn(move || {
                    let carrier = Carrier::new(Allocator::Process(builder.build()));
                    shard_values(parted, plan, carrier, Solver::new())
                })
            });
            let running: Vec<_> = running.collect();
            running.into_iter().map(|thread| thread.join().expect("no process fails")).collect()
        });
        judge(&game, found, true, &format!("seed {seed}, {dealing:?}"));
    }
}

/// A dealt game is the game: moves and backward moves agree, and so do what is said of one state and of many.
#[test]
fn dealing_changes_no_game() {
    for seed in 0..200 {
        let game = random::game(seed, 0..300);
        let (dealing, _) = drawn(&mut Rng::new(seed), &game);
        let dealt = Dealt::new(&game, dealing);
        if let Err(error) = retrograde::audit(&dealt) {
            panic!("seed {seed}: {error}");
        }
        for state in 0..retrograde::Game::states(&game) {
            assert_eq!(dealing.state(dealing.dealt(state)), Some(state), "seed {seed}");
        }
    }
}

/// All processes stop at one level; as many or another number, dealt out otherwise, go on from what each has kept.
#[test]
fn a_solve_goes_on_from_the_snapshots_of_all() {
    let mut stopped = 0;
    for seed in 0..60 {
        let game = random::game(seed, 0..400);
        let (dealing, least) = drawn(&mut Rng::new(seed), &game);
        let dealt = Dealt::new(&game, dealing);
        let plan = &planned(&dealt, dealing, true, least);
        let parted: &dyn Parted = &dealt;
        let stop = 1 + seed % 3;
        let kept: Vec<Option<Vec<u8>>> = thread::scope(|scope| {
            let running = posts(dealing.processes(), seed).into_iter().map(|post| {
                scope.spawn(move || {
                    let (mut seen, mut kept) = (0, Vec::new());
                    let solver = Solver::new().at_level_end(|snapshot| {
                        seen += 1;
                        if seen < stop {
                            return ControlFlow::Continue(());
                        }
                        snapshot.write(&mut kept).expect("there is room");
                        ControlFlow::Break(())
                    });
                    let ran = solver.run(0, || Shard::new(parted, plan, Rounds::new(post), ()));
                    ran.is_err().then_some(kept)
                })
            });
            let running: Vec<_> = running.collect();
            running.into_iter().map(|thread| thread.join().expect("no process fails")).collect()
        });
        let Some(kept) = kept.into_iter().collect::<Option<Vec<_>>>() else { continue };
        stopped += 1;
        for other in [false, true] {
            let (again, least) = match other {
                true => drawn(&mut Rng::new(seed + 1_000), &game),
                false => (dealing, least),
            };
            let dealt = Dealt::new(&game, again);
            let plan = &planned(&dealt, again, true, least);
            let (parted, kept): (&dyn Parted, &[Vec<u8>]) = (&dealt, &kept);
            let found: Vec<_> = thread::scope(|scope| {
                let running = posts(again.processes(), !seed).into_iter().map(|post| {
                    scope.spawn(move || {
                        let solver = match other {
                            true => {
                                let files = kept.iter().map(Cursor::new).collect();
                                let redealt = Redealt::new(plan, post.index(), dealing, files);
                                Solver::new().resume(redealt.expect("snapshots that are whole"))
                            }
                            false => Solver::new().resume(&kept[post.index()][..]),
                        };
                        shard_values(parted, plan, post, solver)
                    })
                });
                let running: Vec<_> = running.collect();
                running.into_iter().map(|thread| thread.join().expect("no process fails")).collect()
            });
            judge(&game, found, true, &format!("seed {seed}, {dealing:?}, {again:?}"));
        }
    }
    assert!(stopped > 20, "only {stopped} solves were stopped");
}

/// Shares are about equal, and little of them is invalid.
#[test]
fn dealing_wastes_little() {
    for (states, processes, block) in
        [(200_000_000, 2, 256), (1_000_000_007, 3, 64), (1 << 40, 256, 256), (99_999, 5, 64)]
    {
        let dealing = Dealing::new(states, processes, block);
        let held = dealing.part_len() * (dealing.parts() * processes) as u64;
        let waste = held as f64 / states as f64;
        assert!(waste < 1.07, "{dealing:?}: {waste}");
    }
}

/// A dealing divided by multiplications without checking that they are exact: state 1,865,059,441,471 was said to lie in a block
/// that it does not lie in, so two states had one number.
#[test]
fn states_beyond_2_to_the_40_are_dealt_out_and_found_again() {
    let mut rng = Rng::new(seed());
    let games = [1_865_059_441_472, 1 << 40, (1 << 44) + 12_345, (1 << 52) - 1];
    for (states, block) in games.into_iter().flat_map(|states| {
        [13_870_016, Dealing::BLOCK_MAX, Dealing::BLOCK_MAX - 1, 64].map(|block| (states, block))
    }) {
        let processes = rng.within(1..1_000) as usize;
        let dealing = Dealing::new(states, processes, block);
        for _ in 0..1_000 {
            // Where a quotient may be off: around multiples, near the end.
            let multiple = rng.within(states / block / 2..states / block + 1) * block;
            for state in [multiple - 1, multiple, states - 1, rng.below(states)] {
                let place = state / block;
                let (turn, process) = (place / processes as u64, place % processes as u64);
                let parts = dealing.parts() as u64;
                let dealt = dealing.dealt(state);
                let context = format!("{dealing:?}: {state}");
                let part = process * parts + turn % parts;
                assert_eq!(dealt / dealing.part_states(), part, "{context}");
                assert_eq!(dealing.state(dealt), Some(state), "{context}");
                let mut runs = dealing.runs(state..state + 1);
                assert_eq!(
                    runs.next(),
                    Some((process as usize, dealt, state..state + 1)),
                    "{context}"
                );
            }
        }
    }
}
