//! Several processes solve a game together, 64 states at a time. Here each process is a thread.

use crate::log::Checked;
use retrograde::bit_parallel::{BitParallel, ByWords, Settled, Share, WordExchange};
use retrograde::parts::{Sums, Tally, Thresholds};
use retrograde::{Code, Probe, SolveError, Solver, Value};
use retrograde_testkit::broken::without_distance;
use retrograde_testkit::{Rng, levels, random, seed};
use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

enum Message {
    Ghosts(Vec<Range<u64>>),
    Settled(Vec<Settled>),
    Sums(Sums),
}

/// The channels of a process to and from each of the others.
struct Channels {
    process: usize,
    to: Vec<Sender<Message>>,
    from: Vec<Receiver<Message>>,
    own: Range<u64>,
    /// The words of this process that each process reads.
    read_by: Vec<Vec<Range<u64>>>,
}

impl Channels {
    fn all(states: u64, processes: usize) -> Vec<Channels> {
        let mut pairs: Vec<Vec<_>> =
            (0..processes).map(|_| (0..processes).map(|_| Some(channel())).collect()).collect();
        let mut to: Vec<Vec<_>> = Vec::new();
        for pairs in &pairs {
            to.push(pairs.iter().map(|pair| pair.as_ref().unwrap().0.clone()).collect());
        }
        let own = Share::states(states, processes) / 64;
        let made = to.into_iter().enumerate().map(|(process, to)| Channels {
            process,
            to,
            from: pairs.iter_mut().map(|of| of[process].take().unwrap().1).collect(),
            own: own * process as u64..own * (process as u64 + 1),
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
        let own = |words: Range<u64>| words.start.max(self.own.start)..words.end.min(self.own.end);
        let of_one = all.into_iter().map(|message| {
            let Message::Ghosts(ghosts) = message else { panic!("another message") };
            ghosts.into_iter().map(own).filter(|words| !words.is_empty()).collect()
        });
        self.read_by = of_one.collect();
        assert!(self.read_by[self.process].is_empty(), "own words are no ghosts");
        Ok(self.read_by.concat())
    }

    fn exchange(&mut self, settled: &[Settled]) -> Result<Vec<Settled>, SolveError> {
        let for_one = |to: usize| {
            let reads = |word| self.read_by[to].iter().any(|words| words.contains(&word));
            settled.iter().filter(|settled| reads(settled.word)).copied().collect()
        };
        let all = self.swap(|to| Message::Settled(for_one(to)));
        let of_one = all.into_iter().map(|message| {
            let Message::Settled(settled) = message else { panic!("another message") };
            settled
        });
        Ok(of_one.collect::<Vec<_>>().concat())
    }

    fn add_up(&mut self, own: Sums) -> Result<Sums, SolveError> {
        let mut sums = Sums { tally: Tally::default(), next: None };
        for message in self.swap(|_| Message::Sums(own)) {
            let Message::Sums(Sums { tally, next }) = message else { panic!("another message") };
            sums.tally += tally;
            sums.next = [sums.next, next].into_iter().flatten().min();
        }
        Ok(sums)
    }
}

/// The values of all states from all processes. If the solve stops at a level, what each process has kept.
fn together(
    game: &(impl BitParallel + Sync),
    processes: usize,
    distances: bool,
    stop: Option<u32>,
    kept: &[Vec<u8>],
) -> Result<Vec<Option<Value>>, Vec<Vec<u8>>> {
    let states = game.states();
    let direct = retrograde::solve(game);
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
        let share = Share::new(states, processes, process);
        let solved = match ByWords(game).solve_share(solver, &share, &mut channels) {
            Ok(solved) => solved,
            Err(SolveError::Cancelled) => return Err(snapshots),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(solved.histogram(), direct.histogram());
        let own = states.min(channels.own.start * 64)..states.min(channels.own.end * 64);
        let values: Vec<_> = own.clone().map(|state| solved.value(state)).collect();
        let mut codes = vec![Code::INVALID; values.len()];
        solved.fill_codes(own.start, &mut codes).expect("it is in memory");
        assert!(codes.iter().zip(&values).all(|(code, value)| *code == Code::of(*value)));
        Ok(values)
    };
    let found: Vec<_> = thread::scope(|scope| {
        let all = Channels::all(states, processes).into_iter().enumerate();
        let running: Vec<_> =
            all.map(|(process, channels)| scope.spawn(move || solve(process, channels))).collect();
        running.into_iter().map(|thread| thread.join().expect("no process fails")).collect()
    });
    if found.iter().all(Result::is_ok) {
        return Ok(found.into_iter().flatten().flatten().collect());
    }
    Err(found.into_iter().filter_map(Result::err).collect())
}

fn check(game: &(impl BitParallel + Sync), right: &[Option<Value>], rng: &mut Rng, what: &str) {
    let (processes, distances) = (1 + rng.below(5) as usize, rng.chance(70));
    let what = format!("{what}, {processes} processes");
    let right = |state: usize| {
        let right = right[state];
        if distances { right } else { right.map(without_distance) }
    };
    let same = |found: Result<Vec<_>, _>| {
        let found = found.ok().expect("nothing stops this solve");
        for (state, value) in found.iter().enumerate() {
            assert_eq!(*value, right(state), "{what}, state {state}");
        }
        assert_eq!(found.len() as u64, game.states(), "{what}");
    };
    same(together(game, processes, distances, None, &[]));
    let stop = Some(1 + rng.below(3) as u32);
    if let Err(kept) = together(game, processes, distances, stop, &[]) {
        same(together(game, processes, distances, None, &kept));
    }
}

#[test]
fn several_processes_find_the_values_of_one() {
    let fresh = seed();
    for seed in (0..150).chain(fresh..fresh + 50) {
        // A share has at least 64 words.
        let game = random::game(seed, 0..20_000);
        let right = levels::solve(&game);
        check(&game, &right, &mut Rng::new(!seed), &format!("seed {seed}"));
    }
}

#[test]
fn the_same_if_checks_find_wins() {
    let fresh = seed();
    for seed in (0..150).chain(fresh..fresh + 50) {
        let game = Checked(random::game(seed, 0..20_000));
        let right = levels::solve(&game);
        check(&game, &right, &mut Rng::new(!seed), &format!("seed {seed}"));
    }
}
