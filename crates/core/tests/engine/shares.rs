//! Several processes solve a game together, 64 states at a time. Here each process is a thread.

use crate::log::{Blocks, Checked};
use retrograde::bit_parallel::{BitParallel, ByWords, LogStore, Settled, Share, WordExchange};
use retrograde::internal::Thresholds;
use retrograde::parts::{Sums, Tally};
use retrograde::{Probe, SolveError, Solver, Value};
use retrograde_testkit::broken::without_distance;
use retrograde_testkit::{Rng, cases, levels, random, seed};
use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

enum Message {
    Ghosts(Vec<Range<u64>>),
    Settled(Vec<Settled>, Sums),
}

/// The channels of a process to and from each of the others.
struct Channels {
    process: usize,
    to: Vec<Sender<Message>>,
    from: Vec<Receiver<Message>>,
    block: u64,
    /// The words of this process that each process reads.
    read_by: Vec<Vec<Range<u64>>>,
}

impl Channels {
    fn all(processes: usize, block: u64) -> Vec<Channels> {
        let mut pairs: Vec<Vec<_>> =
            (0..processes).map(|_| (0..processes).map(|_| Some(channel())).collect()).collect();
        let mut to: Vec<Vec<_>> = Vec::new();
        for pairs in &pairs {
            to.push(pairs.iter().map(|pair| pair.as_ref().unwrap().0.clone()).collect());
        }
        let made = to.into_iter().enumerate().map(|(process, to)| Channels {
            process,
            to,
            from: pairs.iter_mut().map(|of| of[process].take().unwrap().1).collect(),
            block,
            read_by: Vec::new(),
        });
        made.collect()
    }

    fn swap(&self, message: impl Fn(usize) -> Message) -> Vec<Message> {
        (0..self.to.len()).for_each(|to| self.to[to].send(message(to)).unwrap());
        self.from.iter().map(|from| from.recv().unwrap()).collect()
    }
}

impl WordExchange for Channels {
    fn subscribe(&mut self, ghosts: &[Range<u64>]) -> Result<Vec<Range<u64>>, SolveError> {
        let all = self.swap(|_| Message::Ghosts(ghosts.to_vec()));
        let processes = self.to.len() as u64;
        let own = |word: &u64| word * 64 / self.block % processes == self.process as u64;
        let of_one = all.into_iter().map(|message| {
            let Message::Ghosts(ghosts) = message else { panic!("another message") };
            ghosts.into_iter().flatten().filter(own).map(|word| word..word + 1).collect()
        });
        self.read_by = of_one.collect();
        assert!(self.read_by[self.process].is_empty(), "own words are no ghosts");
        Ok(self.read_by.concat())
    }

    fn exchange(
        &mut self,
        settled: &[Settled],
        own: Sums,
        take: &mut dyn FnMut(Vec<Settled>) -> Result<(), SolveError>,
    ) -> Result<Sums, SolveError> {
        let for_one = |to: usize| {
            let reads = |word| self.read_by[to].iter().any(|words| words.contains(&word));
            settled.iter().filter(|settled| reads(settled.word)).copied().collect()
        };
        let (mut all, mut sums) = (Vec::new(), Sums { tally: Tally::default(), next: None });
        for message in self.swap(|to| Message::Settled(for_one(to), own)) {
            let Message::Settled(settled, Sums { tally, next }) = message else {
                panic!("another message")
            };
            all.extend(settled);
            sums.tally += tally;
            sums.next = [sums.next, next].into_iter().flatten().min();
        }
        // One word at a time: the order must not matter, and neither how many come together.
        all.into_iter().try_for_each(|settled| take(vec![settled]))?;
        Ok(sums)
    }
}

/// The values of all states from all processes. If the solve stops at a level, what each process has kept.
fn together(
    game: &(impl BitParallel + Sync),
    (processes, blocks): (usize, usize),
    distances: bool,
    stop: Option<u32>,
    kept: &[Vec<u8>],
) -> Result<Vec<Option<Value>>, Vec<Vec<u8>>> {
    let states = game.states();
    let direct = retrograde::solve(game);
    let block = Share::new(states, 0, processes, blocks).block_states();
    let solve = |process: usize, mut channels: Channels| {
        let mut snapshots = Vec::new();
        let mut solver = Solver::new().threads(1).distances(distances);
        if let Some(kept) = kept.get(process) {
            solver = solver.resume(&kept[..]);
        }
        if stop.is_none() {
            solver = solver.thresholds(Thresholds::least());
        }
        let solver = solver.at_level_end(|snapshot| {
            if Some(snapshot.level()) != stop {
                return ControlFlow::Continue(());
            }
            snapshot.write(&mut snapshots).expect("there is room");
            ControlFlow::Break(())
        });
        let share = Share::new(states, process, processes, blocks);
        // Some processes keep their logs in a store.
        let stored = stop.is_none() && kept.is_empty() && blocks == 2;
        let store = stored.then(|| Box::new(Blocks::new()) as Box<dyn LogStore>);
        let solved = match ByWords(game).solve_share(solver, store, (&share, &mut channels)) {
            Ok(solved) => solved,
            Err(SolveError::Cancelled) => return Err(snapshots),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(solved.histogram(), direct.histogram());
        let value = |state| solved.probe(state).expect("it has room");
        let of_states: Vec<_> = (0..states).map(value).collect();
        let own = (0..states).filter(|&state| state / block % processes as u64 == process as u64);
        Ok(own.map(|state| (state, of_states[state as usize])).collect::<Vec<_>>())
    };
    let found: Vec<_> = thread::scope(|scope| {
        let all = Channels::all(processes, block).into_iter().enumerate();
        let running: Vec<_> =
            all.map(|(process, channels)| scope.spawn(move || solve(process, channels))).collect();
        running.into_iter().map(|thread| thread.join().expect("no process fails")).collect()
    });
    if found.iter().all(Result::is_ok) {
        let mut found: Vec<_> = found.into_iter().flatten().flatten().collect();
        found.sort_by_key(|(state, _)| *state);
        return Ok(found.into_iter().map(|(_, value)| value).collect());
    }
    Err(found.into_iter().filter_map(Result::err).collect())
}

/// Whether the solve was stopped and continued, too.
fn check(
    game: &(impl BitParallel + Sync),
    right: &[Option<Value>],
    rng: &mut Rng,
    what: &str,
) -> bool {
    let (processes, blocks) = (1 + rng.below(5) as usize, 1 + rng.below(3) as usize);
    let distances = rng.chance(70);
    let what = format!("{what}, {processes} processes, {blocks} blocks");
    let processes = (processes, blocks);
    let right = |state: usize| {
        let right = right[state];
        if distances { right } else { right.map(without_distance) }
    };
    let same = |found: Result<Vec<_>, _>| {
        let found = found.expect("nothing stops this solve");
        for (state, value) in found.iter().enumerate() {
            assert_eq!(*value, right(state), "{what}, state {state}");
        }
        assert_eq!(found.len() as u64, game.states(), "{what}");
    };
    same(together(game, processes, distances, None, &[]));
    let stop = Some(1 + rng.below(3) as u32);
    let kept = together(game, processes, distances, stop, &[]).err();
    if let Some(kept) = &kept {
        same(together(game, processes, distances, None, kept));
    }
    kept.is_some()
}

#[test]
fn several_processes_find_the_values_of_one() {
    let fresh = seed();
    let (tried, mut stopped) = (cases(150), 0);
    for seed in (0..tried).chain(fresh..fresh + tried / 3) {
        // A block has at least 64 words.
        let game = random::game(seed, 0..20_000);
        let right = levels::solve(&game);
        let what = format!("seed {seed}");
        stopped += u64::from(check(&game, &right, &mut Rng::new(!seed), &what));
    }
    assert!(stopped > tried / 2, "only {stopped} solves were stopped");
}

#[test]
fn the_same_if_checks_find_wins() {
    let fresh = seed();
    let (tried, mut stopped) = (cases(150), 0);
    for seed in (0..tried).chain(fresh..fresh + tried / 3) {
        let game = Checked(random::game(seed, 0..20_000));
        let right = levels::solve(&game);
        let what = format!("seed {seed}");
        stopped += u64::from(check(&game, &right, &mut Rng::new(!seed), &what));
    }
    assert!(stopped > tried / 2, "only {stopped} solves were stopped");
}
