//! Decides the order in which a build solves its regions, and the threads for each.
//!
//! It is faster to solve two regions at a time than to solve one on all threads. So a build does this if two regions
//! are ready and fit in memory together. A region that is alone gets all threads.
//!
//! Other builders may work in the same folder. Each takes the next region that no other has taken. Those on one machine
//! share its memory. A builder with nothing to do waits until others have finished what it needs.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use retrograde_files::{FolderLock, Lease, Take};

use crate::build::build_error::BuildError;
use crate::build::plan::{Fit, MemoryMost, Plan, scale};

/// How many regions this process solves at a time.
pub(crate) const REGIONS_AT_A_TIME: usize = 2;

/// A region to solve now.
pub(crate) struct Job {
    /// Its index in the plan.
    pub(crate) place: usize,
    /// Its number of threads.
    pub(crate) threads: usize,
    /// How it fits in memory.
    pub(crate) fit: Fit,
    /// How much memory it may take.
    pub(crate) memory_max: u64,
    /// How much it probably takes.
    pub(crate) memory: u64,
    /// The estimated size of its table.
    table_bytes: u64,
    /// Keeps other builders away while the job runs.
    lease: Option<Lease>,
}

impl Job {
    /// Whether another builder has taken the region, because this one stood still.
    pub(crate) fn is_lost(&self) -> bool {
        self.lease.as_ref().is_some_and(Lease::is_lost)
    }
}

/// The other builders in the folder.
pub(crate) trait Others: Sync {
    /// What has changed since the last call: regions that others have finished, each with the length of its table, and
    /// regions that are to be solved again.
    fn news(&self) -> Result<Vec<(usize, Option<u64>)>, BuildError>;

    /// The memory that builders on this machine use. Until the result is dropped, no other builder takes a region.
    fn memory(&self) -> Result<(u64, Option<FolderLock>), BuildError>;

    /// Claims a region, which will take this much memory. A region that another builder has just finished counts as held.
    fn claim(&self, place: usize, memory: u64) -> Result<Take, BuildError>;

    /// Says that this builder has nothing to do, and for which region and whom it waits.
    fn wait(&self, place: usize, holder: &str) -> Result<(), BuildError>;
}

/// Runs a job for each region of the plan that is not done, `at_a_time` of them together, until one fails. A region
/// comes after all regions that it needs. A job returns the size of the table, or `None` if it leaves the region to another
/// builder. If a table would bring the total size
/// above `tables_max` bytes, by an estimate from finished tables, its job does not begin.
pub(crate) fn run(
    plan: &Plan,
    at_a_time: usize,
    threads: usize,
    (memory_max, tables_max): (u64, u64),
    others: Option<&dyn Others>,
    solve: impl Fn(&Job) -> Result<Option<u64>, BuildError> + Sync,
) -> Result<(), BuildError> {
    let board = Board::new(plan, at_a_time, threads, memory_max);
    let board = Mutex::new(Board { tables_max, others, ..board });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        // This thread runs jobs, too. If the system refuses to start another thread, it runs all jobs alone.
        for _ in 1..at_a_time.min(threads) {
            let work = || work(&board, &changed, &solve);
            drop(std::thread::Builder::new().spawn_scoped(scope, work));
        }
        work(&board, &changed, &solve);
    });
    board.into_inner().unwrap_or_else(PoisonError::into_inner).result
}

/// The memory of a build besides its regions: the program, its threads, and the buffers of readers and writers.
/// Measured for chess of three to five pieces and for six men's morris.
const PROGRAM_BYTES: u64 = 12_000_000;

impl Plan {
    /// The most memory that the regions take on `threads` threads, with a limit of `memory_max` bytes. The build may
    /// solve two regions at a time. It assumes that the time of a region grows with its states, and shrinks with its threads.
    pub fn memory_most(&self, threads: usize, memory_max: u64) -> MemoryMost {
        let mut board = Board::new(self, REGIONS_AT_A_TIME, threads, memory_max);
        let mut running: Vec<(f64, Job)> = Vec::new();
        let (mut now, mut most) = (0.0, MemoryMost::default());
        loop {
            while running.len() < REGIONS_AT_A_TIME.min(threads.max(1))
                && let Ok(Some(job)) = board.take()
            {
                let states = self.regions[job.place].states as f64;
                running.push((now + states / job.threads.max(1) as f64, job));
                let used = running.iter().map(|(_, job)| self.regions[job.place].used(job.fit));
                most.used = most.used.max(used.sum::<u64>() + PROGRAM_BYTES);
                most.reserved = most.reserved.max(board.memory);
            }
            let ends = (0..running.len()).min_by(|&a, &b| running[a].0.total_cmp(&running[b].0));
            let Some(first) = ends else { return most };
            let (end, job) = running.swap_remove(first);
            now = end;
            board.leave(&job, Some(0));
        }
    }
}

/// The remaining and the running jobs.
struct Board<'p> {
    plan: &'p Plan,
    at_a_time: usize,
    threads: usize,
    memory_max: u64,
    /// The regions that have not begun, in the order of the plan.
    waiting: Vec<usize>,
    done: Vec<bool>,
    running: usize,
    /// How much memory the running regions probably take.
    memory: u64,
    /// How many bytes all tables may have.
    tables_max: u64,
    others: Option<&'p dyn Others>,
    /// How much memory other builders on this machine use.
    memory_of_others: u64,
    /// The regions that are ready and that other builders work on, and their descriptions.
    held: Vec<(usize, String)>,
    /// How many bytes the finished tables have, and the tables of running regions may have.
    tables: u64,
    /// The largest region that is done: how many states and how many bytes its table has.
    largest: (u64, u64),
    /// The first error.
    result: Result<(), BuildError>,
}

fn work(
    board: &Mutex<Board<'_>>,
    changed: &Condvar,
    solve: &(impl Fn(&Job) -> Result<Option<u64>, BuildError> + Sync),
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

/// Takes a job off the list when it ends, even by a panic, so that no thread waits for it.
struct Leave<'a, 'p> {
    board: &'a Mutex<Board<'p>>,
    changed: &'a Condvar,
    job: &'a Job,
    solved: Result<Option<u64>, BuildError>,
}

impl Drop for Leave<'_, '_> {
    fn drop(&mut self) {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        board.leave(self.job, self.solved.as_ref().ok().copied().flatten());
        // The first error says more than that other jobs were cancelled.
        if matches!(board.result, Ok(()) | Err(BuildError::Cancelled))
            && let Err(error) = std::mem::replace(&mut self.solved, Ok(None))
        {
            board.result = Err(error);
        }
        self.changed.notify_all();
    }
}

/// Waits for the next job. Returns `None` if there is none left, or if one has failed.
fn next<'b, 'p>(mut board: MutexGuard<'b, Board<'p>>, changed: &Condvar) -> Option<Job> {
    /// How often to look what others have done: at first, and after a while.
    const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(640)];
    let mut pause = PAUSES[0];
    loop {
        if board.result.is_err() {
            return None;
        }
        match board.turn() {
            Ok(Turn::Job(job)) => return Some(job),
            Ok(Turn::End) => return None,
            Ok(Turn::Wait { since_news: false }) => pause = PAUSES[1].min(2 * pause),
            Ok(Turn::Wait { since_news: true }) => pause = PAUSES[0],
            Err(error) => {
                board.result = Err(error);
                changed.notify_all();
                return None;
            }
        }
        board = changed.wait_timeout(board, pause).unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// What a thread does next.
enum Turn {
    Job(Job),
    /// Looks again later.
    Wait {
        since_news: bool,
    },
    End,
}

impl<'p> Board<'p> {
    /// All regions that are not done.
    fn new(plan: &'p Plan, at_a_time: usize, threads: usize, memory_max: u64) -> Board<'p> {
        let done: Vec<bool> =
            plan.regions.iter().map(|planned| planned.table_bytes.is_some()).collect();
        let waiting = (0..done.len()).filter(|&place| !done[place]).collect();
        let mut board = Board {
            plan,
            at_a_time,
            threads,
            memory_max,
            waiting,
            done,
            running: 0,
            memory: 0,
            tables_max: u64::MAX,
            others: None,
            memory_of_others: 0,
            held: Vec::new(),
            tables: 0,
            largest: (0, 0),
            result: Ok(()),
        };
        for planned in &plan.regions {
            planned.table_bytes.into_iter().for_each(|bytes| board.add(planned.states, bytes));
        }
        board
    }

    /// Adds a finished table.
    fn add(&mut self, states: u64, bytes: u64) {
        self.tables += bytes;
        self.largest = self.largest.max((states, bytes));
    }

    /// About how many bytes the table of a region will have. 0 if no table is finished yet.
    fn table_bytes(&self, place: usize) -> u64 {
        let (states, bytes) = self.largest;
        scale(self.plan.regions[place].states, bytes, states)
    }

    /// Whether the table of a region stays within the limit, together with those that others work on.
    fn has_room_for(&self, place: usize) -> bool {
        let held = self.held.iter().map(|&(held, _)| self.table_bytes(held));
        let tables = self.tables.saturating_add(held.sum());
        tables.saturating_add(self.table_bytes(place)) <= self.tables_max
    }

    /// Whether no table of a region that is ready stays within the limit.
    fn is_full(&self) -> bool {
        self.waiting.iter().all(|&place| !self.ready(place) || !self.has_room_for(place))
    }

    /// Removes a finished job.
    fn leave(&mut self, job: &Job, table_bytes: Option<u64>) {
        self.running -= 1;
        self.memory -= job.memory;
        self.tables -= job.table_bytes;
        self.done[job.place] = table_bytes.is_some();
        match (table_bytes, self.waiting.binary_search(&job.place)) {
            (Some(bytes), _) => self.add(self.plan.regions[job.place].states, bytes),
            (None, Err(at)) => self.waiting.insert(at, job.place),
            (None, Ok(_)) => {}
        }
    }

    /// Hears what others have done, and takes the next job.
    fn turn(&mut self) -> Result<Turn, BuildError> {
        let news = self.others.map_or(Ok(Vec::new()), |others| others.news())?;
        let since_news = !news.is_empty();
        for (place, table_bytes) in news {
            self.hear(place, table_bytes);
        }
        if self.waiting.is_empty() {
            return Ok(Turn::End);
        }
        if let Some(job) = self.take()? {
            return Ok(Turn::Job(job));
        }
        if self.running == 0 {
            if self.held.is_empty() && self.memory_of_others == 0 {
                assert!(self.is_full(), "a region waits and nothing runs");
                return Ok(Turn::End);
            }
            let memory = || (self.waiting[0], "builders that use the memory".to_owned());
            let (place, holder) = self.held.first().cloned().unwrap_or_else(memory);
            self.others.map_or(Ok(()), |others| others.wait(place, &holder))?;
        }
        Ok(Turn::Wait { since_news })
    }

    /// Another builder has finished a region, or a region is to be solved again.
    fn hear(&mut self, place: usize, table_bytes: Option<u64>) {
        let (at, done) = (self.waiting.binary_search(&place), self.done[place]);
        match (at, table_bytes) {
            (Ok(at), Some(bytes)) => {
                self.waiting.remove(at);
                self.done[place] = true;
                self.add(self.plan.regions[place].states, bytes);
            }
            (Err(at), None) if done => {
                self.waiting.insert(at, place);
                self.done[place] = false;
            }
            _ => {}
        }
    }

    /// The first region that can begin, if any. A region may wait until it is alone, if only then the tables that it
    /// needs fit in memory. The reason is that lookups on disk take many times as long.
    fn take(&mut self) -> Result<Option<Job>, BuildError> {
        let memory = self.others.map_or(Ok((0, None)), |others| others.memory());
        let (memory_of_others, _guard) = memory?;
        self.memory_of_others = memory_of_others;
        let room = self.memory_max.saturating_sub(self.memory + memory_of_others);
        let alone = self.running == 0 && memory_of_others == 0;
        self.held.clear();
        for at in 0..self.waiting.len() {
            let place = self.waiting[at];
            let planned = &self.plan.regions[place];
            let has_memory = alone || self.memory_of(place) <= room;
            if !(has_memory && self.ready(place) && self.has_room_for(place)) {
                continue;
            }
            let (fit, memory) = planned.fit(room);
            let claim = self.others.map(|others| others.claim(place, memory)).transpose()?;
            let lease = match claim {
                None => None,
                Some(Take::Ours(lease)) => Some(lease),
                Some(Take::Held(holder)) => {
                    self.held.push((place, holder));
                    continue;
                }
            };
            self.waiting.remove(at);
            // A job that will be alone for a while gets all threads.
            let left = room.saturating_sub(memory);
            let mut others = self.waiting.iter();
            let company =
                !alone || others.any(|&other| self.ready(other) && self.memory_of(other) <= left);
            let threads =
                if company { self.threads.div_ceil(self.at_a_time) } else { self.threads };
            self.running += 1;
            self.memory += memory;
            let table_bytes = self.table_bytes(place);
            self.tables += table_bytes;
            let memory_max = room;
            let job = Job { place, threads, fit, memory_max, memory, table_bytes, lease };
            return Ok(Some(job));
        }
        Ok(None)
    }

    /// Whether all regions that a region needs are done.
    fn ready(&self, place: usize) -> bool {
        self.plan.regions[place].needs.iter().all(|&need| self.done[need])
    }

    /// How much memory a region gets.
    fn memory_of(&self, place: usize) -> u64 {
        self.plan.regions[place].fit(self.memory_max).1
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;
    use crate::build::plan::Planned;

    /// Two regions without needs.
    fn two() -> Plan {
        let region = |region: &str| Planned {
            region: region.to_owned(),
            needs: Vec::new(),
            states: 1,
            memory_least: 4,
            memory_distances: 4,
            memory: 10,
            memory_used: 3,
            table_bytes: None,
            leaves_out: false,
        };
        Plan { regions: vec![region("one"), region("two")] }
    }

    /// Solves these regions with so much memory. Returns for each its number of threads, and whether its
    /// tables were loaded. Regions that are solved together do not end before both have begun.
    fn jobs(memory_max: u64, together: bool) -> Vec<(usize, bool)> {
        let plan = two();
        let (jobs, both) = (Mutex::new(Vec::new()), Barrier::new(if together { 2 } else { 1 }));
        run(&plan, REGIONS_AT_A_TIME, 2, (memory_max, u64::MAX), None, |job| {
            jobs.lock().unwrap().push((job.threads, job.fit == Fit::Whole));
            both.wait();
            Ok(Some(0))
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

    #[test]
    fn no_region_is_begun_whose_table_would_be_too_much() {
        let mut plan = two();
        plan.regions[0].table_bytes = Some(100);
        for (tables_max, expected) in [(199, 0), (200, 1)] {
            let begun = Mutex::new(0);
            run(&plan, REGIONS_AT_A_TIME, 2, (20, tables_max), None, |_| {
                *begun.lock().unwrap() += 1;
                Ok(Some(100))
            })
            .unwrap();
            assert_eq!(begun.into_inner().unwrap(), expected, "{tables_max}");
        }
    }

    /// A plan told the memory of the largest region, where two that are solved at a time take twice as much: nine men's morris
    /// was planned at 10 GB and took 19.
    #[test]
    fn a_plan_counts_the_regions_that_are_solved_at_a_time() {
        let most = |threads, memory_max| two().memory_most(threads, memory_max);
        assert_eq!(most(2, 20), MemoryMost { reserved: 20, used: 18 + PROGRAM_BYTES });
        assert_eq!(most(2, 19), MemoryMost { reserved: 10, used: 9 + PROGRAM_BYTES });
        assert_eq!(most(2, 9), MemoryMost { reserved: 8, used: 6 + PROGRAM_BYTES });
        assert_eq!(most(1, 20), MemoryMost { reserved: 10, used: 9 + PROGRAM_BYTES });
    }
}
