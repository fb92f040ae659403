//! The log of distances: in memory and in a store, stopped and resumed, damaged, and without space.

use crate::ways::{WAYS, in_pool, thresholds, values};
use retrograde::bit_parallel::{
    BitParallel, ByWords, LOG_BLOCK_BYTES, LogError, LogStore, WordSolution,
};
use retrograde::{Code, Game, Outcome, Predecessors, Probe, SolveError, Solver, Value, forward};
use retrograde_testkit::{cases, judged, levels, naive, random, seed};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// A game that checks words for wins by their moves. All moves pass the turn.
pub(crate) struct Checked<G>(pub(crate) G);

impl<G: Game> Game for Checked<G> {
    forward!(Game for game => game.0; but keeps_turn);
}

impl<G: Predecessors> Predecessors for Checked<G> {
    forward!(Predecessors for game => game.0);
}

impl<G: Predecessors> BitParallel for Checked<G> {
    const CHECKS_WINS: bool = true;
}

/// A store in memory, with space for so many blocks.
#[derive(Clone)]
pub(crate) struct Blocks {
    pub(crate) blocks: Arc<Mutex<BTreeMap<u64, Vec<u8>>>>,
    room: usize,
    /// How many blocks there were at the last sync.
    synced: Arc<Mutex<usize>>,
}

impl Blocks {
    pub(crate) fn new() -> Blocks {
        Blocks { blocks: Arc::default(), room: usize::MAX, synced: Arc::default() }
    }

    /// A store of its own, with the same blocks.
    pub(crate) fn copied(&self) -> Blocks {
        let blocks = self.blocks.lock().unwrap().clone();
        Blocks { blocks: Arc::new(Mutex::new(blocks)), ..Blocks::new() }
    }

    fn len(&self) -> usize {
        self.blocks.lock().unwrap().len()
    }
}

impl LogStore for Blocks {
    fn write_block(&self, number: u64, block: &[u8]) -> io::Result<()> {
        assert_eq!(block.len(), LOG_BLOCK_BYTES);
        let mut blocks = self.blocks.lock().unwrap();
        blocks.insert(number, block.to_vec());
        if blocks.len() > self.room { Err(io::Error::other("the store is full")) } else { Ok(()) }
    }

    fn read_block(&self, number: u64, block: &mut [u8]) -> io::Result<()> {
        let blocks = self.blocks.lock().unwrap();
        let found = blocks.get(&number).ok_or(io::ErrorKind::NotFound)?;
        block.copy_from_slice(found);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        *self.synced.lock().unwrap() = self.len();
        Ok(())
    }
}

pub(crate) fn logged_values(solution: &WordSolution) -> Result<Vec<Option<Value>>, LogError> {
    let mut values = vec![None; solution.states() as usize];
    solution.fill(0, &mut values)?;
    Ok(values)
}

/// A game of many levels and many entries, and its values.
fn large() -> (impl BitParallel, Vec<Option<Value>>) {
    let game = Checked(random::game(7, 300_000..300_001));
    let right = levels::solve(&game);
    (game, right)
}

#[test]
fn wins_that_are_checked_and_logs_in_a_store_agree_with_the_naive_solver() {
    let fresh = seed();
    for seed in (0..cases(10_000)).chain(fresh..fresh + cases(10_000)) {
        let game = Checked(random::small(seed));
        let right = naive::solve(&game);
        for way in WAYS {
            let told: Vec<_> = right.iter().map(|&value| way.tells(value)).collect();
            assert_eq!(values(&way.solve_words(&game)), told, "seed {seed}, {way:?}");
        }
        for (threads, least) in [(1, false), (2, true)] {
            let solver = Solver::new().thresholds(thresholds(least));
            let solve = || {
                let solution = ByWords(&game).solve_in(solver, Box::new(Blocks::new()));
                logged_values(&solution.expect("nothing stops it")).expect("the store is whole")
            };
            assert_eq!(in_pool(threads, solve), right, "seed {seed} in a store");
        }
    }
    judged(cases(10_000), "games in a store");
}

#[test]
fn a_store_answers_as_memory_does_in_every_way() {
    let (game, right) = large();
    for (threads, least) in [(1, false), (3, false), (2, true)] {
        in_pool(threads, || {
            let solver = || Solver::new().thresholds(thresholds(least));
            let store = Blocks::new();
            let logged = ByWords(&game).solve_in(solver(), Box::new(store.clone())).unwrap();
            let held = solver().solve(ByWords(&game)).unwrap();
            assert!(least || store.len() > 10, "only {} blocks", store.len());
            assert_eq!(logged.bytes_moved(), (0, (store.len() * LOG_BLOCK_BYTES) as u64));
            assert!(logged_values(&logged).unwrap() == right);
            assert_eq!(logged.histogram(), held.histogram());
            for range in [0..300_000, 77..78, 100_001..270_007, 5..5] {
                assert_eq!(logged.count(range.clone()).unwrap(), held.count(range.clone()));
                for outcome in [Outcome::Win, Outcome::Loss, Outcome::Draw] {
                    let longest = logged.longest(range.clone(), outcome).unwrap();
                    assert_eq!(longest, held.longest(range.clone(), outcome));
                }
                let len = (range.end - range.start) as usize;
                let (mut a, mut b) = (vec![Code::INVALID; len], vec![Code::DRAW; len]);
                logged.fill_codes(range.start, &mut a).unwrap();
                let Ok(()) = held.fill_codes(range.start, &mut b);
                assert!(a == b);
            }
            for state in (0..30).rev().map(|i| i * 9_973) {
                assert_eq!(logged.probe(state).unwrap(), right[state as usize]);
            }
        });
    }
}

#[test]
fn a_solve_with_a_store_goes_on_after_any_level() {
    let (game, right) = large();
    for stop in [0, 1, 2, 4] {
        let store = Blocks::new();
        let (mut seen, mut kept) = (0, Vec::new());
        let solver = Solver::new().threads(2).at_level_end(|snapshot| {
            seen += 1;
            if seen <= stop {
                return ControlFlow::Continue(());
            }
            snapshot.write(&mut kept).expect("there is room");
            ControlFlow::Break(())
        });
        let stopped = ByWords(&game).solve_in(solver, Box::new(store.clone()));
        assert!(matches!(stopped, Err(SolveError::Cancelled)), "level {stop}");
        // The resumed solve writes again what came after the snapshot.
        let beyond = store.len() as u64 + 3;
        store.blocks.lock().unwrap().insert(beyond, vec![7; LOG_BLOCK_BYTES]);
        let solver = Solver::new().threads(1).resume(&kept[..]);
        let logged = ByWords(&game).solve_in(solver, Box::new(store)).expect("it goes on");
        assert!(logged_values(&logged).unwrap() == right, "level {stop}");
    }
}

/// A snapshot used to name blocks that a power cut could still lose.
#[test]
fn a_snapshot_names_only_blocks_that_were_synced() {
    let (game, _) = large();
    let store = Blocks::new();
    let (watched, mut snapshots) = (store.clone(), 0);
    let solver = Solver::new().at_level_end(|snapshot| {
        snapshot.write(&mut Vec::new()).expect("there is room");
        assert_eq!(*watched.synced.lock().unwrap(), watched.len(), "level {}", snapshot.level());
        snapshots += 1;
        ControlFlow::Continue(())
    });
    ByWords(&game).solve_in(solver, Box::new(store.clone())).expect("nothing stops it");
    assert!(snapshots > 2 && store.len() > 10);
}

/// A game where most states have exits, which win or lose at two levels.
struct ManyExits<G>(G);

impl<G: Game> Game for ManyExits<G> {
    forward!(Game for game => game.0; but keeps_turn exits classify);

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        match state % 5 {
            0 | 1 => visit(Value::Win(5)),
            2 | 3 => visit(Value::Loss(8)),
            _ => {}
        }
    }
}

impl<G: Predecessors> Predecessors for ManyExits<G> {
    forward!(Predecessors for game => game.0);
}

/// A solve that took snapshots kept its exits in memory, and needed more of it.
#[test]
fn a_solve_with_exits_in_a_store_goes_on_after_any_level() {
    let game = Checked(ManyExits(random::game(7, 300_000..300_001)));
    let right = levels::solve(&game);
    for stop in [0, 1, 4, 5, 7, 8] {
        let store = Blocks::new();
        let mut kept = Vec::new();
        let mut blocks = 0;
        let solver = Solver::new().threads(2).at_level_end(|snapshot| {
            blocks = blocks.max(store.len());
            if snapshot.level() < stop {
                return ControlFlow::Continue(());
            }
            snapshot.write(&mut kept).expect("there is room");
            ControlFlow::Break(())
        });
        let stopped = ByWords(&game).solve_in(solver, Box::new(store.clone()));
        assert!(matches!(stopped, Err(SolveError::Cancelled)), "level {stop}");
        assert!(blocks > 2, "the exits are in the store: {blocks} blocks");
        let solver = || Solver::new().threads(1).resume(&kept[..]);
        let logged = ByWords(&game).solve_in(solver(), Box::new(store)).expect("it goes on");
        assert!(logged_values(&logged).unwrap() == right, "level {stop}");
        // Without the store, the snapshot is refused.
        let refused = solver().solve(ByWords(&game));
        assert!(matches!(refused, Err(SolveError::Snapshot)) || stop >= 8, "level {stop}");
    }
}

#[test]
fn a_damaged_block_is_an_error_and_never_a_wrong_value() {
    let (game, _) = large();
    let solved = || {
        let store = Blocks::new();
        let solver = Solver::new().threads(1);
        let logged = ByWords(&game).solve_in(solver, Box::new(store.clone()));
        (logged.unwrap(), store)
    };
    let count = solved().1.len() as u64;
    for number in [0, 1, count / 2, count - 1] {
        // A solution keeps the shards that it has read, so each kind of damage needs a new one.
        let (logged, store) = solved();
        let at = (number as usize * 7_919) % LOG_BLOCK_BYTES;
        store.blocks.lock().unwrap().get_mut(&number).unwrap()[at] ^= 4;
        let told = logged_values(&logged).map(drop);
        assert!(matches!(told, Err(LogError::Damaged { block }) if block == number), "{told:?}");
    }
    // A block in place of another.
    let (logged, store) = solved();
    let mut blocks = store.blocks.lock().unwrap();
    let (a, b) = (blocks[&0].clone(), blocks[&(count - 1)].clone());
    blocks.extend([(0, b), (count - 1, a)]);
    drop(blocks);
    let told = logged_values(&logged).map(drop);
    assert!(matches!(told, Err(LogError::Damaged { .. })), "{told:?}");
}

#[test]
fn a_store_without_room_stops_the_solve() {
    let (game, _) = large();
    let store = Blocks { room: 5, ..Blocks::new() };
    let solved = ByWords(&game).solve_in(Solver::new(), Box::new(store));
    let Err(error) = solved else { panic!("there is no room for the log") };
    assert_eq!(error.to_string(), "the store is full");
}
