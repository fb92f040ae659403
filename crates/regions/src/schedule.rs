//! Which region is solved when, with how many threads.
//!
//! Two regions at a time scale better than one on all threads, as long as there are two that need nothing
//! unsolved and fit into memory together. A region that is alone gets all threads.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::BuildError;
use crate::plan::Plan;

/// How many regions are solved at a time here.
pub(crate) const REGIONS_AT_A_TIME: usize = 2;

/// A region to be solved now.
pub(crate) struct Job {
    /// Its place in the plan.
    pub(crate) place: usize,
    /// How many threads it gets.
    pub(crate) threads: usize,
    /// Whether the tables it needs are unpacked in memory.
    pub(crate) load: bool,
    /// How much memory it may take.
    pub(crate) memory_max: u64,
    /// How much it is thought to take.
    pub(crate) memory: u64,
}

/// Runs a job for each region of the plan that is not done, so many at a time, each after those it needs, until one fails.
pub(crate) fn run<R: Sync>(
    plan: &Plan<R>,
    at_a_time: usize,
    threads: usize,
    memory_max: u64,
    solve: impl Fn(&Job) -> Result<(), BuildError> + Sync,
) -> Result<(), BuildError> {
    let done: Vec<bool> =
        plan.regions.iter().map(|planned| planned.table_bytes.is_some()).collect();
    let waiting = (0..done.len()).filter(|&place| !done[place]).collect();
    let board = Mutex::new(Board {
        plan,
        at_a_time,
        threads,
        memory_max,
        waiting,
        done,
        running: 0,
        memory: 0,
        result: Ok(()),
    });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        // This thread is one of them, and goes on alone where the system refuses to start another.
        for _ in 1..at_a_time.min(threads) {
            let work = || work(&board, &changed, &solve);
            drop(std::thread::Builder::new().spawn_scoped(scope, work));
        }
        work(&board, &changed, &solve);
    });
    board.into_inner().unwrap_or_else(PoisonError::into_inner).result
}

/// What is left to do and what is being done.
struct Board<'p, R> {
    plan: &'p Plan<R>,
    at_a_time: usize,
    threads: usize,
    memory_max: u64,
    /// The regions not begun, in the order of the plan.
    waiting: Vec<usize>,
    done: Vec<bool>,
    running: usize,
    /// What the running ones are thought to take.
    memory: u64,
    /// The first error.
    result: Result<(), BuildError>,
}

fn work<R: Sync>(
    board: &Mutex<Board<'_, R>>,
    changed: &Condvar,
    solve: &(impl Fn(&Job) -> Result<(), BuildError> + Sync),
) {
    let lock = || board.lock().unwrap_or_else(PoisonError::into_inner);
    while let Some(job) = next(lock(), changed) {
        let mut leave = Leave { board, changed, job: &job, solved: Err(BuildError::Cancelled) };
        let threads = job.threads;
        leave.solved = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(|| solve(&job)),
            Err(error) => Err(BuildError::Threads { threads, source: Box::new(error) }),
        };
    }
}

/// Takes a job off the board when it is over, even by a panic: nobody must wait for it then.
struct Leave<'a, 'p, R> {
    board: &'a Mutex<Board<'p, R>>,
    changed: &'a Condvar,
    job: &'a Job,
    solved: Result<(), BuildError>,
}

impl<R> Drop for Leave<'_, '_, R> {
    fn drop(&mut self) {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        board.running -= 1;
        board.memory -= self.job.memory;
        board.done[self.job.place] = self.solved.is_ok();
        // What others stopped for says more than that they did.
        if matches!(board.result, Ok(()) | Err(BuildError::Cancelled)) && self.solved.is_err() {
            board.result = std::mem::replace(&mut self.solved, Ok(()));
        }
        self.changed.notify_all();
    }
}

/// Waits for the next job; `None` when there is none left, or one has failed.
fn next<R>(mut board: MutexGuard<'_, Board<'_, R>>, changed: &Condvar) -> Option<Job> {
    loop {
        if board.result.is_err() || board.waiting.is_empty() {
            return None;
        }
        if let Some(job) = board.take() {
            return Some(job);
        }
        assert!(board.running > 0, "a region waits and nothing runs");
        board = changed.wait(board).unwrap_or_else(PoisonError::into_inner);
    }
}

impl<R> Board<'_, R> {
    /// The first region that can be begun, if any can. Where the tables that it needs would find room in memory if it were alone, it
    /// waits for that: looked up on disk they take many times as long.
    fn take(&mut self) -> Option<Job> {
        let room = self.memory_max.saturating_sub(self.memory);
        let alone = self.running == 0;
        let at = self
            .waiting
            .iter()
            .position(|&place| self.ready(place) && (alone || self.memory_of(place) <= room))?;
        let place = self.waiting.remove(at);
        let planned = &self.plan.regions[place];
        let load = planned.memory <= room;
        let memory = if load { planned.memory } else { planned.memory_least };
        // Whoever is alone now, and will be for a while, takes all threads.
        let left = room.saturating_sub(memory);
        let mut others = self.waiting.iter();
        let company =
            !alone || others.any(|&other| self.ready(other) && self.memory_of(other) <= left);
        let threads = if company { self.threads.div_ceil(self.at_a_time) } else { self.threads };
        self.running += 1;
        self.memory += memory;
        Some(Job { place, threads, load, memory_max: room, memory })
    }

    /// Whether what a region needs is done.
    fn ready(&self, place: usize) -> bool {
        self.plan.regions[place].needs.iter().all(|&need| self.done[need])
    }

    /// How much memory a region is to have.
    fn memory_of(&self, place: usize) -> u64 {
        let planned = &self.plan.regions[place];
        if planned.memory <= self.memory_max { planned.memory } else { planned.memory_least }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;
    use crate::plan::Planned;

    /// Two regions that need nothing, in so much memory: with how many threads each is solved, and whether with its tables loaded. If
    /// they are solved at the same time neither ends before the other begins.
    fn jobs(memory_max: u64, together: bool) -> Vec<(usize, bool)> {
        let region = |region| Planned {
            region,
            needs: Vec::new(),
            states: 1,
            memory_least: 4,
            memory: 10,
            table_bytes: None,
        };
        let plan = Plan { regions: vec![region(0), region(1)] };
        let (jobs, both) = (Mutex::new(Vec::new()), Barrier::new(if together { 2 } else { 1 }));
        run(&plan, REGIONS_AT_A_TIME, 2, memory_max, |job| {
            jobs.lock().unwrap().push((job.threads, job.load));
            both.wait();
            Ok(())
        })
        .unwrap();
        jobs.into_inner().unwrap()
    }

    #[test]
    fn a_region_waits_for_room_for_its_tables_where_there_will_be_some() {
        assert_eq!(jobs(20, true), [(1, true), (1, true)]);
        assert_eq!(jobs(19, false), [(2, true), (2, true)]);
        assert_eq!(jobs(9, true), [(1, false), (1, false)]);
        assert_eq!(jobs(7, false), [(2, false), (2, false)]);
    }
}
