//! Random games on one to five processes.

use crate::late::transports;
use retrograde::parts::Parted;
use retrograde::parts::Thresholds;
use retrograde::{Code, Histogram, Solver, Value};
use retrograde_cluster::{
    BlockPartition, Bounds, Plan, Renumbered, Repartitioned, Shard, Supersteps, TimelyTransport,
    Transport,
};
use retrograde_testkit::broken::without_distance;
use retrograde_testkit::{Plain, Rng, naive, random, seed};
use std::io::Cursor;
use std::ops::ControlFlow;
use std::thread;
use timely_communication::allocator::ProcessBuilder;
use timely_communication::{Allocator, Hooks};

/// The result of a process: its states and their values.
pub(crate) type Known = Vec<(u64, Option<Value>)>;

pub(crate) fn shard_values<P: Transport>(
    game: &dyn Parted,
    plan: &Plan,
    transport: P,
    solver: Solver<'_>,
) -> (Known, Histogram) {
    let process = transport.index();
    let bytes = plan.bytes(process, 0);
    let solved = solver.run(bytes, || Shard::new(game, plan, Supersteps::new(transport), ()));
    let mut solved = solved.expect("nothing stops this solve");
    let block_partition = plan.block_partition();
    let parts = process * block_partition.parts()..(process + 1) * block_partition.parts();
    let first = parts.map(|part| part as u64 * block_partition.part_states());
    let mut known = Vec::new();
    for renumbered in first.flat_map(|first| first..first + block_partition.part_len()) {
        let (value, mut code) = (solved.engine.values().0.value(renumbered), [Code::INVALID]);
        solved.engine.values().0.fill_codes(renumbered, &mut code);
        assert_eq!(code, [Code::of(value)]);
        match block_partition.state(renumbered) {
            Some(state) => known.push((state, value)),
            None => assert_eq!(value, None, "a hole of the block_partition has a value"),
        }
    }
    (known, solved.histogram)
}

/// Solves with a transport for each process, and compares the result.
fn check(
    game: &Plain,
    plan: &Plan,
    parted: &dyn Parted,
    transports: Vec<impl Transport + Send>,
    distances: bool,
    what: &str,
) {
    let found: Vec<(Known, Histogram)> = thread::scope(|scope| {
        let running = transports.into_iter().map(|transport| {
            scope.spawn(move || shard_values(parted, plan, transport, Solver::new()))
        });
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
    assert!(seen.iter().all(|&seen| seen), "{what}: a state without a process");
}

/// A random partition and random options.
fn drawn(rng: &mut Rng, game: &Plain) -> (BlockPartition, bool) {
    let processes = 1 + rng.below(5) as usize;
    let block = rng.pick(&[1, 7, 64, 64, 100, 128, 256, 1_000]);
    let states = retrograde::Game::states(game);
    let block_partition = match rng.chance(50) {
        true => BlockPartition::new(states, processes, block),
        false => {
            let own =
                states.div_ceil(block).div_ceil(processes as u64) * block.next_multiple_of(64);
            let part_max = own.div_ceil(rng.pick(&[2, 3, 5])).max(1);
            BlockPartition::in_parts(states, processes, block, part_max)
        }
    };
    (block_partition, rng.chance(50))
}

fn planned(
    parted: &dyn Parted,
    block_partition: BlockPartition,
    distances: bool,
    least: bool,
) -> Plan {
    let plan = Plan::new(parted, block_partition, distances);
    match least {
        true => plan.thresholds(Thresholds::least(), Bounds::least()),
        false => plan,
    }
}

#[test]
fn messages_may_be_late_and_out_of_order() {
    let fresh = seed();
    for seed in (0..700).chain(fresh..fresh + 300) {
        let game = random::game(seed, 0..400);
        let mut rng = Rng::new(!seed);
        let distances = seed % 3 != 0;
        let (block_partition, least) = drawn(&mut rng, &game);
        let renumbered = Renumbered::new(&game, block_partition);
        let plan = planned(&renumbered, block_partition, distances, least);
        let transports = transports(block_partition.processes(), seed);
        check(
            &game,
            &plan,
            &renumbered,
            transports,
            distances,
            &format!("seed {seed}, {block_partition:?}"),
        );
    }
}

#[test]
fn messages_of_timely_arrive() {
    for seed in 0..60 {
        let game = random::game(seed, 0..2_000);
        let mut rng = Rng::new(!seed);
        let (block_partition, least) = drawn(&mut rng, &game);
        let renumbered = Renumbered::new(&game, block_partition);
        let plan = planned(&renumbered, block_partition, true, least);
        let Hooks { refill, .. } = Hooks::default();
        let builders = ProcessBuilder::new_bytes_vector(block_partition.processes(), refill, None);
        let (parted, plan): (&dyn Parted, &Plan) = (&renumbered, &plan);
        let found: Vec<_> = thread::scope(|scope| {
            let running = builders.into_iter().map(|builder| {
                scope.spawn(move || {
                    let timely_transport =
                        TimelyTransport::new(Allocator::Process(builder.build()));
                    shard_values(parted, plan, timely_transport, Solver::new())
                })
            });
            let running: Vec<_> = running.collect();
            running.into_iter().map(|thread| thread.join().expect("no process fails")).collect()
        });
        judge(&game, found, true, &format!("seed {seed}, {block_partition:?}"));
    }
}

/// A partitioned game is the same game: its moves and backward moves agree, and so do its answers for one state and for
/// many.
#[test]
fn partitioning_changes_no_game() {
    for seed in 0..200 {
        let game = random::game(seed, 0..300);
        let (block_partition, _) = drawn(&mut Rng::new(seed), &game);
        let renumbered = Renumbered::new(&game, block_partition);
        if let Err(error) = retrograde::audit(&renumbered) {
            panic!("seed {seed}: {error}");
        }
        for state in 0..retrograde::Game::states(&game) {
            assert_eq!(
                block_partition.state(block_partition.renumbered(state)),
                Some(state),
                "seed {seed}"
            );
        }
    }
}

/// All processes stop at one level. The same or another number of processes, with another partition, continue from the
/// checkpoints.
#[test]
fn a_solve_goes_on_from_the_snapshots_of_all() {
    let mut stopped = 0;
    for seed in 0..60 {
        let game = random::game(seed, 0..400);
        let (block_partition, least) = drawn(&mut Rng::new(seed), &game);
        let renumbered = Renumbered::new(&game, block_partition);
        let plan = &planned(&renumbered, block_partition, true, least);
        let parted: &dyn Parted = &renumbered;
        let stop = 1 + seed % 3;
        let kept: Vec<Option<Vec<u8>>> = thread::scope(|scope| {
            let running =
                transports(block_partition.processes(), seed).into_iter().map(|transport| {
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
                        let ran = solver
                            .run(0, || Shard::new(parted, plan, Supersteps::new(transport), ()));
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
                false => (block_partition, least),
            };
            let renumbered = Renumbered::new(&game, again);
            let plan = &planned(&renumbered, again, true, least);
            let (parted, kept): (&dyn Parted, &[Vec<u8>]) = (&renumbered, &kept);
            let found: Vec<_> = thread::scope(|scope| {
                let running = transports(again.processes(), !seed).into_iter().map(|transport| {
                    scope.spawn(move || {
                        let solver = match other {
                            true => {
                                let files = kept.iter().map(Cursor::new).collect();
                                let repartitioned = Repartitioned::new(
                                    plan,
                                    transport.index(),
                                    block_partition,
                                    files,
                                );
                                Solver::new()
                                    .resume(repartitioned.expect("snapshots that are whole"))
                            }
                            false => Solver::new().resume(&kept[transport.index()][..]),
                        };
                        shard_values(parted, plan, transport, solver)
                    })
                });
                let running: Vec<_> = running.collect();
                running.into_iter().map(|thread| thread.join().expect("no process fails")).collect()
            });
            judge(&game, found, true, &format!("seed {seed}, {block_partition:?}, {again:?}"));
        }
    }
    assert!(stopped > 20, "only {stopped} solves were stopped");
}

/// The shares are about equal, and few of their numbers are invalid.
#[test]
fn partitioning_wastes_little() {
    for (states, processes, block) in
        [(200_000_000, 2, 256), (1_000_000_007, 3, 64), (1 << 40, 256, 256), (99_999, 5, 64)]
    {
        let block_partition = BlockPartition::new(states, processes, block);
        let held = block_partition.part_len() * (block_partition.parts() * processes) as u64;
        let waste = held as f64 / states as f64;
        assert!(waste < 1.07, "{block_partition:?}: {waste}");
    }
}

/// A partition divided by multiplying, without checking that the quotient was exact. It put state 1,865,059,441,471
/// into a wrong block, so two states had one number.
#[test]
fn states_beyond_2_to_the_40_are_partitioned_and_found_again() {
    let mut rng = Rng::new(seed());
    let games = [1_865_059_441_472, 1 << 40, (1 << 44) + 12_345, (1 << 52) - 1];
    for (states, block) in games.into_iter().flat_map(|states| {
        [13_870_016, BlockPartition::BLOCK_MAX, BlockPartition::BLOCK_MAX - 1, 64]
            .map(|block| (states, block))
    }) {
        let processes = rng.within(1..1_000) as usize;
        let block_partition = BlockPartition::new(states, processes, block);
        for _ in 0..1_000 {
            // The quotient may be wrong around multiples, near the end.
            let multiple = rng.within(states / block / 2..states / block + 1) * block;
            // If the blocks fill the game, the last multiple is no state.
            for state in [multiple - 1, multiple.min(states - 1), states - 1, rng.below(states)] {
                let place = state / block;
                let (turn, process) = (place / processes as u64, place % processes as u64);
                let parts = block_partition.parts() as u64;
                let renumbered = block_partition.renumbered(state);
                let context = format!("{block_partition:?}: {state}");
                let part = process * parts + turn % parts;
                assert_eq!(renumbered / block_partition.part_states(), part, "{context}");
                assert_eq!(block_partition.state(renumbered), Some(state), "{context}");
                let mut runs = block_partition.runs(state..state + 1);
                assert_eq!(
                    runs.next(),
                    Some((process as usize, renumbered, state..state + 1)),
                    "{context}"
                );
            }
        }
    }
}
