//! Random games on one to five ranks, judged by the naive solver. The ranks are threads.

use retrograde::bit_parallel::{BitParallel, ByWords, Share};
use retrograde::internal::Thresholds;
use retrograde::parts::Parted;
use retrograde::{Code, Game, Histogram, SolveError, Solver, Value};
use retrograde_cluster::{
    BetweenThreads, BlockPartition, Bounds, OwnValues, Plan, Repartitioned, Shard, SharedWords,
    Supersteps, Transport,
};
use retrograde_testkit::broken::without_distance;
use retrograde_testkit::{Plain, Rng, cases, judged, naive, random, seed};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::thread;

/// The result of a rank: its states and their values.
pub(crate) type Known = Vec<(u64, Option<Value>)>;

/// What a rank does with the scalar engine.
pub(crate) fn shard_values<P: Transport>(
    game: &dyn Parted,
    plan: &Plan,
    mut transport: P,
    solver: Solver<'_>,
) -> Result<(Known, Histogram), SolveError> {
    let rank = transport.rank();
    let bytes = plan.bytes(rank, 0);
    let supersteps = Supersteps::new(&mut transport, plan.superstep_bytes());
    let mut solved = solver.run(bytes, || Shard::new(game, plan, supersteps, None))?;
    let known = known_of(&solved.engine.values().0, plan.block_partition(), rank);
    Ok((known, solved.histogram))
}

/// What a rank does with the bit-parallel engine.
pub(crate) fn word_values<P: Transport>(
    game: &impl BitParallel,
    blocks: usize,
    mut transport: P,
    solver: Solver<'_>,
) -> Result<(Known, Histogram), SolveError> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    // Some supersteps carry one word to each rank, and some a whole level.
    let bytes = if blocks == 2 { 1 } else { 1 << 20 };
    let share = Share::new(game.states(), rank, ranks, blocks);
    let block_partition = BlockPartition::of_words(game.states(), ranks, &share);
    let mut shared =
        SharedWords::new(block_partition, Supersteps::new(&mut transport, bytes), None);
    let solved = ByWords(game).solve_share(solver, None, (&share, &mut shared))?;
    Ok((known_of(&solved, &block_partition, rank), solved.histogram().clone()))
}

fn known_of(values: &dyn OwnValues, block_partition: &BlockPartition, rank: usize) -> Known {
    let mut known = Vec::new();
    for state in block_partition.own(rank).flat_map(|block| block_partition.states_of(block)) {
        let (value, mut code) = (values.value(state), [Code::INVALID]);
        let value = value.expect("its log can be read");
        values.fill_codes(state, &mut code).expect("its log can be read");
        assert_eq!(code, [Code::of(value)]);
        known.push((state, value));
    }
    known
}

/// Runs each rank on a thread.
fn each(
    ranks: usize,
    run: impl Fn(BetweenThreads) -> Result<(Known, Histogram), SolveError> + Sync,
) -> Vec<(Known, Histogram)> {
    let run = |transport| run(transport).expect("nothing stops this solve");
    let run = &run;
    thread::scope(|scope| {
        let all = BetweenThreads::all(ranks).into_iter();
        let running = all.map(|transport| scope.spawn(move || run(transport)));
        let running: Vec<_> = running.collect();
        running.into_iter().map(|thread| thread.join().expect("no rank fails")).collect()
    })
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
    assert!(seen.iter().all(|&seen| seen), "{what}: a state without a rank");
}

/// A random partition and random options.
fn drawn(rng: &mut Rng, game: &Plain) -> (BlockPartition, bool) {
    let ranks = 1 + rng.below(5) as usize;
    let block = rng.pick(&[64, 64, 128, 256, 1 << 12]);
    let states = Game::states(game);
    (BlockPartition::new(states, ranks, block), rng.chance(50))
}

fn planned(
    parted: &dyn Parted,
    block_partition: BlockPartition,
    distances: bool,
    least: bool,
) -> Plan {
    let plan = Plan::new(parted, block_partition, distances).threads(1 + usize::from(distances));
    match least {
        true => plan.thresholds(Thresholds::least(), Bounds::least()),
        false => plan,
    }
}

#[test]
fn updates_arrive_in_any_number_of_supersteps() {
    let fresh = seed();
    for seed in (0..cases(1_500)).chain(fresh..fresh + cases(500)) {
        let game = random::game(seed, 0..400);
        let mut rng = Rng::new(!seed);
        let distances = seed % 3 != 0;
        let (block_partition, least) = drawn(&mut rng, &game);
        let plan = planned(&game, block_partition, distances, least);
        let solver = || Solver::new().distances(distances);
        let found = each(block_partition.ranks(), |transport| {
            shard_values(&game, &plan, transport, solver())
        });
        judge(&game, found, distances, &format!("seed {seed}, {block_partition:?}"));
    }
    judged(cases(500), "games on ranks");
}

/// A game, the number of ranks, and the number of blocks of each. The least length of a block is 4,096 states.
fn drawn_words(seed: u64) -> (Plain, usize, usize) {
    let mut rng = Rng::new(!seed);
    let game = random::game(seed, 4_000..9_000);
    (game, 1 + rng.below(5) as usize, 1 + rng.below(3) as usize)
}

#[test]
fn words_arrive_in_any_number_of_supersteps() {
    let fresh = seed();
    let tried = cases(300);
    for seed in (0..tried).chain(fresh..fresh + tried / 3) {
        let (game, ranks, blocks) = drawn_words(seed);
        let distances = seed % 3 != 0;
        let solver = || Solver::new().threads(1).distances(distances);
        let found = each(ranks, |transport| word_values(&game, blocks, transport, solver()));
        judge(&game, found, distances, &format!("seed {seed}, {ranks} of {blocks} blocks"));
    }
    judged(tried / 3, "games on ranks");
}

/// All ranks stop at one level. The same or another number of ranks continue from the checkpoints.
#[test]
fn words_go_on_from_the_snapshots_of_all() {
    let (mut stopped, tried) = (0, cases(200));
    for seed in 0..tried {
        let (game, ranks, blocks) = drawn_words(seed);
        let stop = 1 + seed as u32 % 3;
        let kept: Mutex<BTreeMap<usize, Vec<u8>>> = Mutex::default();
        let stop_at = |transport: BetweenThreads| {
            let rank = transport.rank();
            let solver = Solver::new().threads(1).at_level_end(|snapshot| {
                if snapshot.level() < stop {
                    return ControlFlow::Continue(());
                }
                let mut bytes = Vec::new();
                snapshot.write(&mut bytes).expect("there is room");
                kept.lock().unwrap().insert(rank, bytes);
                ControlFlow::Break(())
            });
            match word_values(&game, blocks, transport, solver) {
                Err(SolveError::Cancelled) => Ok((Known::new(), Histogram::default())),
                ended => ended,
            }
        };
        each(ranks, stop_at);
        let kept: Vec<Vec<u8>> = kept.into_inner().unwrap().into_values().collect();
        if kept.len() < ranks {
            continue;
        }
        stopped += 1;
        let partitions = [(ranks, blocks), (ranks, blocks + 1), (1 + seed as usize % 5, 1)];
        for again in partitions {
            let found = each(again.0, |transport| {
                let rank = transport.rank();
                let share = Share::new(game.states(), rank, again.0, again.1);
                let partition = BlockPartition::of_words(game.states(), again.0, &share);
                let files = kept.iter().map(Cursor::new).collect();
                let from = Repartitioned::of_words(&share, true, (partition, rank), files);
                let solver = Solver::new().threads(1);
                let solver = match again == (ranks, blocks) {
                    true => solver.resume(&kept[rank][..]),
                    false => solver.resume(from.expect("snapshots that are whole")),
                };
                word_values(&game, again.1, transport, solver)
            });
            judge(&game, found, true, &format!("seed {seed}, {ranks}, {blocks}, {again:?}"));
        }
    }
    assert!(stopped > tried / 3, "only {stopped} solves were stopped");
}

/// All ranks stop at one level. The same or another number of ranks, with another partition, continue from the
/// checkpoints.
#[test]
fn a_solve_goes_on_from_the_snapshots_of_all() {
    let mut stopped = 0;
    for seed in 0..60 {
        let game = random::game(seed, 0..400);
        let (block_partition, least) = drawn(&mut Rng::new(seed), &game);
        let plan = &planned(&game, block_partition, true, least);
        let parted: &dyn Parted = &game;
        let stop = 1 + seed % 3;
        let kept: Vec<Option<Vec<u8>>> = thread::scope(|scope| {
            let running =
                BetweenThreads::all(block_partition.ranks()).into_iter().map(|mut transport| {
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
                        let supersteps = Supersteps::new(&mut transport, plan.superstep_bytes());
                        let ran = solver.run(0, || Shard::new(parted, plan, supersteps, None));
                        ran.is_err().then_some(kept)
                    })
                });
            let running: Vec<_> = running.collect();
            running.into_iter().map(|thread| thread.join().expect("no rank fails")).collect()
        });
        let Some(kept) = kept.into_iter().collect::<Option<Vec<_>>>() else { continue };
        stopped += 1;
        for other in [false, true] {
            let (again, least) = match other {
                // Another number of ranks, and blocks of the same length or shorter ones.
                true => {
                    let (again, least) = drawn(&mut Rng::new(seed + 1_000), &game);
                    let block = again.block_states().min(block_partition.block_states());
                    (BlockPartition::new(again.states(), again.ranks(), block), least)
                }
                false => (block_partition, least),
            };
            let plan = &planned(&game, again, true, least);
            let kept: &[Vec<u8>] = &kept;
            let found: Vec<_> = thread::scope(|scope| {
                let running = BetweenThreads::all(again.ranks()).into_iter().map(|transport| {
                    scope.spawn(move || {
                        let solver = match other {
                            true => {
                                let files = kept.iter().map(Cursor::new).collect();
                                let repartitioned = Repartitioned::new(
                                    plan,
                                    transport.rank(),
                                    block_partition,
                                    files,
                                );
                                Solver::new()
                                    .resume(repartitioned.expect("snapshots that are whole"))
                            }
                            false => Solver::new().resume(&kept[transport.rank()][..]),
                        };
                        let values = shard_values(parted, plan, transport, solver);
                        values.expect("nothing stops this solve")
                    })
                });
                let running: Vec<_> = running.collect();
                running.into_iter().map(|thread| thread.join().expect("no rank fails")).collect()
            });
            judge(&game, found, true, &format!("seed {seed}, {block_partition:?}, {again:?}"));
        }
    }
    assert!(stopped > 20, "only {stopped} solves were stopped");
}
