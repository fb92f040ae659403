//! A pass takes all parts from one completed level to the same later level. Only some parts are in memory at a time.
//!
//! One thread reads parts, and one thread writes parts. The calling thread reports progress. The other threads step
//! parts: they take a part to its next level. The [schedule](crate::schedule) chooses the parts.
//!
//! One lock guards the data that the threads share. A thread holds this lock only between two jobs. Another lock guards
//! the updates. Each kind of thread has its own notifier. A step is short, so the end of a step must not wake all other
//! threads.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use retrograde::SolveError;
use retrograde::parts::{Part, Parted, Partition, PendingEvents, Tally, Watch};

use crate::error::DiskError;
use crate::inboxes::Inboxes;
use crate::links::{Links, Ranked};
use crate::on_disk::{Files, OnDisk, Resident};
use crate::packed::Packer;
use crate::schedule::Schedule;

/// The data of a pass.
pub(crate) struct Pass<'a> {
    pub(crate) game: &'a dyn Parted,
    pub(crate) partition: &'a Partition,
    pub(crate) files: &'a Files,
    pub(crate) links: &'a Links,
    pub(crate) ranked: &'a Ranked,
    /// The number of the pass. The names of its files contain it.
    pub(crate) number: u32,
    /// The completed level of all parts before the pass.
    pub(crate) completed: u32,
    /// The completed level of all parts after the pass.
    pub(crate) target: u32,
    /// How many parts are in memory at a time.
    pub(crate) slots: usize,
    /// How many threads step.
    pub(crate) threads: usize,
    /// How many updates a part collects in its outboxes. Then it pauses, and passes them to the inboxes.
    pub(crate) updates_max: usize,
}

/// The result of a pass.
pub(crate) struct Passed {
    pub(crate) parts: Vec<OnDisk>,
    pub(crate) inboxes: Inboxes,
    /// Parts that are no longer needed. Other parts reuse their memory.
    pub(crate) free: Vec<Part>,
    /// The settled states by level.
    pub(crate) tallies: BTreeMap<u32, Tally>,
    /// Neighbours found while seeding.
    pub(crate) found: Vec<(usize, usize)>,
    pub(crate) read: u64,
    pub(crate) written: u64,
}

/// Why a pass did not end.
pub(crate) enum Broken {
    /// A part has sent an update to an unknown neighbour. The neighbour may already be past the level of the update, so
    /// the pass must start again.
    Surprise(usize, usize),
    Solve(SolveError),
}

impl From<DiskError> for Broken {
    fn from(error: DiskError) -> Broken {
        Broken::Solve(error.into())
    }
}

/// The data that all threads of a pass share.
struct Shared<'l> {
    schedule: Schedule<'l>,
    parts: Vec<OnDisk>,
    /// The parts in memory, except those that a thread works on.
    here: Vec<Option<Box<Resident>>>,
    /// Parts that are no longer needed. The parts that are read next reuse their memory.
    free: Vec<Part>,
    tallies: BTreeMap<u32, Tally>,
    /// How many states have settled in this pass, or how many the first pass has seeded.
    done: u64,
    /// How many jobs are done.
    noted: u64,
    /// Neighbours found while seeding.
    found: Vec<(usize, usize)>,
    /// How many bytes the pass has read and written.
    read: u64,
    written: u64,
    broken: Option<Broken>,
    /// Whether a thread has panicked, because the game breaks its contract.
    panicked: bool,
}

/// The pass reports progress after this number of jobs, or after a short pause.
const NOTES_A_WATCH: u64 = 16;

/// The locks and notifiers of a pass.
struct Locks<'p, 'a> {
    pass: &'p Pass<'a>,
    shared: Mutex<Shared<'a>>,
    inboxes: Mutex<Inboxes>,
    /// Wakes the threads that step.
    step: Condvar,
    /// Wakes the thread that reads.
    read: Condvar,
    /// Wakes the thread that writes.
    write: Condvar,
    /// Wakes the thread that reports progress.
    watch: Condvar,
}

impl<'a> Pass<'a> {
    /// Runs the pass, given the parts and the waiting updates.
    pub(crate) fn run(
        &self,
        parts: Vec<OnDisk>,
        inboxes: Inboxes,
        free: Vec<Part>,
        settled: u64,
        watch: &mut dyn FnMut(u64) -> Result<(), SolveError>,
    ) -> Result<Passed, Broken> {
        let inboxes = Mutex::new(inboxes);
        let count = parts.len();
        let schedule = {
            let quiet = |part: usize, completed| {
                is_quiet(parts[part], completed) && !lock(&inboxes).has_updates(part, completed)
            };
            Schedule::new(self.ranked, self.completed, self.target, self.slots, &quiet)
        };
        let shared = Shared {
            schedule,
            parts,
            here: (0..count).map(|_| None).collect(),
            free,
            tallies: BTreeMap::new(),
            done: 0,
            noted: 0,
            found: Vec::new(),
            read: 0,
            written: 0,
            broken: None,
            panicked: false,
        };
        let locks = Locks {
            pass: self,
            shared: Mutex::new(shared),
            inboxes,
            step: Condvar::new(),
            read: Condvar::new(),
            write: Condvar::new(),
            watch: Condvar::new(),
        };
        thread::scope(|scope| {
            let (locks, threads) = (&locks, self.threads + 2);
            for thread in 0..threads {
                let work = move || match thread {
                    0 => locks.guarded(Locks::read_parts),
                    1 => locks.guarded(Locks::write_parts),
                    _ => locks.guarded(Locks::step_parts),
                };
                let started = thread::Builder::new().spawn_scoped(scope, work);
                if let Err(error) = started {
                    locks.refuse(SolveError::Threads { threads, source: Box::new(error) });
                    break;
                }
            }
            locks.watch(settled, watch);
        });
        let Locks { shared, inboxes, .. } = locks;
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let inboxes = inboxes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Shared { parts, free, tallies, found, read, written, broken, .. } = shared;
        match broken {
            Some(broken) => Err(broken),
            None => Ok(Passed { parts, inboxes, free, tallies, found, read, written }),
        }
    }
}

/// Whether a part at this completed level has nothing to do in its next step, provided that no updates wait for it.
/// This is so if its own sweep has settled no state, and no pending event is due.
pub(crate) fn is_quiet(part: OnDisk, completed: u32) -> bool {
    completed > 0 && !part.found && part.next.is_none_or(|next| next > completed)
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Locks<'_, 'a> {
    /// Runs the work of a thread. If it panics, no other thread waits for it.
    fn guarded(&self, work: impl FnOnce(&Self)) {
        struct Alarm<'r, 'p, 'a>(&'r Locks<'p, 'a>);
        impl Drop for Alarm<'_, '_, '_> {
            fn drop(&mut self) {
                if thread::panicking() {
                    lock(&self.0.shared).panicked = true;
                    self.0.wake_all();
                }
            }
        }
        let _alarm = Alarm(self);
        work(self);
    }

    /// Ends the pass with this error, unless it has ended before.
    fn refuse(&self, error: SolveError) {
        lock(&self.shared).broken.get_or_insert(Broken::Solve(error));
        self.wake_all();
    }

    fn wake_all(&self) {
        [&self.step, &self.read, &self.write, &self.watch]
            .into_iter()
            .for_each(Condvar::notify_all);
    }

    /// Takes the next job. If there is none, waits until another thread notifies. Returns `None` once the pass is over.
    fn next<T>(
        &self,
        notifier: &Condvar,
        mut take: impl FnMut(&mut Shared<'a>) -> Option<T>,
    ) -> Option<T> {
        let mut shared = lock(&self.shared);
        loop {
            if shared.is_over() {
                return None;
            }
            if let Some(job) = take(&mut shared) {
                // A finished job wakes only one thread that steps, but may allow several steps. So wake the next one.
                if shared.schedule.may_step() {
                    self.step.notify_one();
                }
                return Some(job);
            }
            shared = notifier.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Records a finished job, or its error, and wakes the threads that have something to do. A thread that has
    /// `stepped` looks for its next step itself.
    fn note<T>(
        &self,
        stepped: bool,
        done: Result<T, Broken>,
        note: impl FnOnce(&mut Shared<'a>, &Mutex<Inboxes>, T),
    ) {
        let mut shared = lock(&self.shared);
        match done {
            Ok(done) => note(&mut shared, &self.inboxes, done),
            Err(broken) => _ = shared.broken.get_or_insert(broken),
        }
        if shared.is_over() {
            return self.wake_all();
        }
        let schedule = &shared.schedule;
        let wake = |notifier: &Condvar, is_needed: bool| {
            if is_needed {
                notifier.notify_one();
            }
        };
        wake(&self.step, !stepped && schedule.may_step());
        wake(&self.read, schedule.may_read());
        wake(&self.write, schedule.may_write());
        shared.noted += 1;
        if shared.noted.is_multiple_of(NOTES_A_WATCH) {
            self.watch.notify_one();
        }
    }

    /// Reports progress until the pass is over.
    fn watch(&self, before: u64, watch: &mut dyn FnMut(u64) -> Result<(), SolveError>) {
        const PAUSE: Duration = Duration::from_millis(100);
        let mut shared = lock(&self.shared);
        loop {
            let done = before + shared.done;
            drop(shared);
            let told = watch(done);
            shared = lock(&self.shared);
            if let Err(error) = told {
                drop(shared);
                self.refuse(error);
                shared = lock(&self.shared);
            }
            if shared.is_over() {
                return;
            }
            let waited = self.watch.wait_timeout(shared, PAUSE);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn read_parts(&self) {
        let Pass { partition, files, .. } = self.pass;
        let mut packer = None;
        let next = |shared: &mut Shared<'a>| {
            let part = shared.schedule.read_next()?;
            Some((part, shared.schedule.completed(part), shared.parts[part], shared.free.pop()))
        };
        while let Some((number, completed, on_disk, memory)) = self.next(&self.read, next) {
            let read = || {
                let mut part = match memory {
                    Some(mut memory) => {
                        partition.reuse(&mut memory, number);
                        memory
                    }
                    None => partition.part(number),
                };
                // Before the first pass there are no files to read.
                if completed == 0 {
                    return Ok((
                        Resident { part, pending: PendingEvents::default(), changed: true },
                        0,
                    ));
                }
                let packer = ready(&mut packer, files)?;
                let (pending, bytes) = files.read(packer, number, on_disk, &mut part)?;
                Ok((Resident { part, pending, changed: false }, bytes))
            };
            self.note(false, read(), |shared, inboxes, (resident, bytes)| {
                shared.read += bytes;
                shared.here[number] = Some(Box::new(resident));
                shared.on_schedule(inboxes, |schedule, quiet| schedule.has_come(number, quiet));
            });
        }
    }

    fn write_parts(&self) {
        let Pass { files, number: pass, .. } = *self.pass;
        let mut packer = None;
        let next = |shared: &mut Shared<'a>| {
            let part = shared.schedule.write_next()?;
            let completed = shared.schedule.completed(part);
            Some((
                part,
                completed,
                shared.here[part].take().expect("a part that is written is here"),
            ))
        };
        while let Some((number, completed, resident)) = self.next(&self.write, next) {
            let mut write = || match resident.changed {
                true => Ok(files.write(ready(&mut packer, files)?, number, pass, &resident)?),
                false => Ok(0),
            };
            self.note(false, write(), |shared, inboxes, bytes| {
                shared.written += bytes;
                if resident.changed {
                    (shared.parts[number].pass, shared.parts[number].level) = (pass, completed);
                }
                shared.free.push(resident.part);
                shared.on_schedule(inboxes, |schedule, quiet| schedule.has_left(number, quiet));
            });
        }
    }

    fn step_parts(&self) {
        let next = |shared: &mut Shared<'a>| {
            let part = shared.schedule.step_next()?;
            let completed = shared.schedule.completed(part);
            Some((part, completed, shared.here[part].take().expect("a part that steps is here")))
        };
        while let Some((number, completed, mut resident)) = self.next(&self.step, next) {
            // Make new outboxes for each step. Old ones would keep memory for neighbours that this part does not have.
            let mut outboxes = self.pass.partition.outboxes(self.pass.updates_max);
            let stepped =
                self.pass.step(&self.inboxes, number, completed, &mut resident, &mut outboxes);
            self.note(true, stepped, |shared, inboxes, (tally, found)| {
                if tally.total() > 0 {
                    *shared.tallies.entry(completed).or_default() += tally;
                }
                shared.done += match completed {
                    0 => self.pass.partition.states(number).count() as u64,
                    _ => tally.total(),
                };
                shared.found.extend(found);
                let on_disk = &mut shared.parts[number];
                on_disk.found = resident.part.found().total() > 0;
                on_disk.next = resident.pending.next();
                shared.here[number] = Some(resident);
                shared.on_schedule(inboxes, |schedule, quiet| schedule.has_stepped(number, quiet));
            });
        }
    }
}

/// The packer of a thread, created at its first use.
fn ready<'p>(packer: &'p mut Option<Packer>, files: &Files) -> Result<&'p mut Packer, DiskError> {
    if packer.is_none() {
        let failed = |source| DiskError::io(&files.folder, "parts", "pack", source);
        *packer = Some(Packer::new().map_err(failed)?);
    }
    Ok(packer.as_mut().expect("it has just been made"))
}

impl Shared<'_> {
    fn is_over(&self) -> bool {
        self.panicked || self.broken.is_some() || self.schedule.is_over()
    }

    /// Calls `tell` to change the schedule. `tell` also gets a function that says whether a part is quiet.
    fn on_schedule(
        &mut self,
        inboxes: &Mutex<Inboxes>,
        tell: impl FnOnce(&mut Schedule<'_>, &dyn Fn(usize, u32) -> bool),
    ) {
        let Shared { schedule, parts, .. } = self;
        let quiet = |part: usize, completed| {
            is_quiet(parts[part], completed) && !lock(inboxes).has_updates(part, completed)
        };
        tell(schedule, &quiet);
    }
}

/// Reports progress to the loop. `before` is how many states had settled before the loop asked for this level, or 0
/// while states are seeded.
pub(crate) fn teller<'w>(
    watch: &'w mut Watch<'_>,
    before: u64,
) -> impl FnMut(u64) -> Result<(), SolveError> + 'w {
    move |settled| watch.tell(settled.saturating_sub(before))
}
