//! A pass takes all parts that have something to do to the next level. Only some parts are in memory at a time.
//!
//! ```text
//! the parts have swept the level: all its updates are in the inboxes
//! each part that has something to do, on any thread, those in memory first:
//!     read it, in place of the part in memory that was stepped longest ago
//!     step it: apply its updates and events, end the level, sweep the next level, and send the updates of that
//! ```
//!
//! A part stays in memory until another needs its place. So if all fit, a pass touches no file. Otherwise it reads and
//! writes only as many as do not fit, because the last parts of a pass are the first of the next one.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use retrograde::SolveError;
use retrograde::parts::{Outboxes, Part, Parted, Partition, PendingEvents, Tally};

use crate::error::DiskError;
use crate::inboxes::{Extent, Inboxes, read_updates};
use crate::on_disk::{Files, OnDisk, Resident};
use crate::packed::Packer;

/// All parts of a solve between two levels.
pub(crate) struct Parts {
    pub(crate) on_disk: Vec<OnDisk>,
    /// The parts in memory.
    pub(crate) here: Vec<Option<Box<Resident>>>,
    /// How many those are.
    pub(crate) taken: usize,
    pub(crate) inboxes: Inboxes,
    /// How many bytes were read and written.
    pub(crate) read: u64,
    pub(crate) written: u64,
}

/// The data of a pass.
pub(crate) struct Pass<'a> {
    pub(crate) game: &'a dyn Parted,
    pub(crate) partition: &'a Partition,
    pub(crate) files: &'a Files,
    /// The level that ends.
    pub(crate) level: u32,
    /// The latest level in the name of a file that a manifest names.
    pub(crate) named: u32,
    /// How many parts are in memory at a time.
    pub(crate) slots: usize,
    /// How many threads step.
    pub(crate) threads: usize,
    /// How many updates a part collects in its outboxes. Then it pauses, and passes them to the inboxes.
    pub(crate) updates_max: usize,
}

/// Reports how many states have settled at the level, or how many are seeded.
pub(crate) type Tell<'t> = dyn FnMut(u64) -> Result<(), SolveError> + Send + 't;

/// The data that the threads of a pass share.
struct Shared<'p> {
    on_disk: &'p mut [OnDisk],
    here: &'p mut [Option<Box<Resident>>],
    taken: &'p mut usize,
    /// The parts that no thread has taken yet.
    to_do: VecDeque<usize>,
    tally: Tally,
    /// How many states to report.
    done: u64,
    read: u64,
    written: u64,
    tell: &'p mut Tell<'p>,
    failed: Option<SolveError>,
}

/// The locks of a pass.
struct Locks<'p> {
    shared: Mutex<Shared<'p>>,
    inboxes: Mutex<&'p mut Inboxes>,
}

/// The buffers of a thread.
struct Buffers {
    /// Created at its first use.
    packer: Option<Packer>,
    outboxes: Outboxes,
    updates: Vec<u32>,
}

impl Parts {
    /// Parts on disk, and the updates that wait for them.
    pub(crate) fn new(on_disk: Vec<OnDisk>, inboxes: Inboxes) -> Parts {
        let here = on_disk.iter().map(|_| None).collect();
        Parts { on_disk, here, taken: 0, inboxes, read: 0, written: 0 }
    }

    /// Writes all parts and updates, and waits until they are on the disk. Parts stay in memory.
    pub(crate) fn save(
        &mut self,
        files: &Files,
        named: u32,
    ) -> Result<Vec<(u32, Extent)>, DiskError> {
        let mut packer = None;
        for (number, (resident, on_disk)) in self.here.iter_mut().zip(&mut self.on_disk).enumerate()
        {
            if let Some(resident) = resident {
                self.written += write(files, &mut packer, number, resident, on_disk, named)?;
            }
            if on_disk.swept > named {
                files.sync_part(number, on_disk.swept)?;
            }
        }
        let waiting = self.inboxes.save()?;
        self.written += self.inboxes.take_written();
        files.sync()?;
        Ok(waiting)
    }
}

impl Pass<'_> {
    /// Runs the pass. Returns what has settled at the level.
    pub(crate) fn run(&self, parts: &mut Parts, tell: &mut Tell<'_>) -> Result<Tally, SolveError> {
        let Parts { on_disk, here, taken, inboxes, read, written } = parts;
        inboxes.begin(self.level, self.named);
        // Parts grow with their distances, so fewer may fit.
        self.shed(on_disk, here, taken, written)?;
        let has_work = |part: &usize| {
            self.level == 0 || on_disk[*part].is_due(self.level) || inboxes.has_updates(*part)
        };
        let (mut to_do, elsewhere): (Vec<usize>, Vec<usize>) =
            (0..on_disk.len()).filter(has_work).partition(|&part| here[part].is_some());
        to_do.extend(elsewhere);
        let to_do = VecDeque::from(to_do);
        // If parts are read, one thread usually waits for the disk.
        let threads = self.threads + usize::from(on_disk.len() > self.slots);
        let threads = threads.min(to_do.len()).min(self.slots);
        if threads == 0 {
            return Ok(Tally::default());
        }
        let (tally, done, failed) = (Tally::default(), 0, None);
        let shared =
            Shared { on_disk, here, taken, to_do, tally, done, read: 0, written: 0, tell, failed };
        let locks = Locks { shared: Mutex::new(shared), inboxes: Mutex::new(inboxes) };
        thread::scope(|scope| {
            for _ in 1..threads {
                let started = thread::Builder::new().spawn_scoped(scope, || self.work(&locks));
                if let Err(error) = started {
                    let source = Box::new(error);
                    lock(&locks.shared).fail(SolveError::Threads { threads, source });
                }
            }
            self.work(&locks);
        });
        let shared = locks.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        (*read, *written) = (*read + shared.read, *written + shared.written);
        let (tally, failed) = (shared.tally, shared.failed);
        *written += inboxes.take_written();
        failed.map_or(Ok(tally), Err)
    }

    /// Writes parts until no more than `slots` are in memory.
    fn shed(
        &self,
        on_disk: &mut [OnDisk],
        here: &mut [Option<Box<Resident>>],
        taken: &mut usize,
        written: &mut u64,
    ) -> Result<(), DiskError> {
        if *taken <= self.slots {
            return Ok(());
        }
        let mut packer = None;
        while *taken > self.slots {
            let (number, mut out) = evict(here);
            let on_disk = &mut on_disk[number];
            *written += write(self.files, &mut packer, number, &mut out, on_disk, self.named)?;
            *taken -= 1;
        }
        Ok(())
    }

    /// The work of a thread.
    fn work(&self, locks: &Locks<'_>) {
        // If the game breaks its contract and panics, no thread begins another part.
        struct Alarm<'l, 'p>(&'l Locks<'p>);
        impl Drop for Alarm<'_, '_> {
            fn drop(&mut self) {
                if thread::panicking() {
                    lock(&self.0.shared).to_do.clear();
                }
            }
        }
        let alarm = Alarm(locks);
        if let Err(error) = self.step_all(locks) {
            lock(&locks.shared).fail(error);
        }
        drop(alarm);
    }

    fn step_all(&self, locks: &Locks<'_>) -> Result<(), SolveError> {
        let mut buffers = Buffers {
            packer: None,
            outboxes: self.partition.outboxes(self.updates_max),
            updates: Vec::new(),
        };
        loop {
            let mut shared = lock(&locks.shared);
            let Some(number) = shared.to_do.pop_front() else { return Ok(()) };
            let mut resident = match shared.here[number].take() {
                Some(resident) => resident,
                None => {
                    let out = (*shared.taken == self.slots).then(|| evict(shared.here));
                    *shared.taken += usize::from(out.is_none());
                    let swept = shared.on_disk[number].swept;
                    drop(shared);
                    let resident = self.read((number, swept), out, &mut buffers.packer, locks)?;
                    shared = lock(&locks.shared);
                    resident
                }
            };
            drop(shared);
            let tally = self.step(locks, number, &mut resident, &mut buffers)?;
            let mut shared = lock(&locks.shared);
            shared.tally += tally;
            shared.done += match self.level {
                0 => self.partition.states(number).count() as u64,
                _ => tally.total(),
            };
            let on_disk = &mut shared.on_disk[number];
            on_disk.found = resident.part.found().total() > 0;
            on_disk.next = resident.pending.next();
            shared.here[number] = Some(resident);
            shared.tell()?;
        }
    }

    /// Reads a part, into the memory of another that leaves.
    fn read(
        &self,
        (number, swept): (usize, u32),
        out: Option<(usize, Box<Resident>)>,
        packer: &mut Option<Packer>,
        locks: &Locks<'_>,
    ) -> Result<Box<Resident>, DiskError> {
        let mut memory = None;
        if let Some((out_number, mut out)) = out {
            // No other thread uses this part or its entry before the next pass.
            let mut on_disk = lock(&locks.shared).on_disk[out_number];
            let bytes = write(self.files, packer, out_number, &mut out, &mut on_disk, self.named)?;
            let mut shared = lock(&locks.shared);
            shared.on_disk[out_number] = on_disk;
            shared.written += bytes;
            memory = Some(out.part);
        }
        let mut part = in_memory(self.partition, number, memory);
        // Before the first pass there are no files.
        if swept == 0 {
            return Ok(Box::new(Resident {
                part,
                pending: PendingEvents::default(),
                changed: true,
            }));
        }
        let packer = ready(packer, self.files)?;
        let (pending, bytes) = self.files.read(packer, number, swept, &mut part)?;
        lock(&locks.shared).read += bytes;
        Ok(Box::new(Resident { part, pending, changed: false }))
    }

    /// Ends the level in a part, and sweeps the next level. At level 0, seeds the part first. Returns what has settled.
    fn step(
        &self,
        locks: &Locks<'_>,
        number: usize,
        resident: &mut Resident,
        buffers: &mut Buffers,
    ) -> Result<Tally, SolveError> {
        let Resident { part, pending, changed } = resident;
        let Buffers { outboxes, updates, .. } = buffers;
        let level = self.level;
        let tally = if level == 0 {
            let tally = self.game.seed(part, pending);
            pending.sort();
            tally
        } else {
            if part.level() < level {
                // The levels between had nothing to do here.
                part.end(pending);
                part.begin(level);
            }
            *changed |= pending.next() == Some(level);
            loop {
                lock(&locks.inboxes).take(number, updates);
                if updates.is_empty() {
                    break;
                }
                *changed = true;
                part.deliver(updates.iter().copied());
            }
            let extents = lock(&locks.inboxes).take_extents(number);
            *changed |= !extents.1.is_empty();
            read_updates(extents, number, |updates| part.deliver(updates.iter().copied()))?;
            let tally = part.end(pending);
            pending.remove(level);
            tally
        };
        *changed |= tally.total() > 0;
        part.begin(level.checked_add(1).expect("distances end at 2^32 plies"));
        loop {
            let done = self.game.sweep(part, outboxes);
            let mut sent = Ok(());
            if !outboxes.is_empty() {
                let mut inboxes = lock(&locks.inboxes);
                outboxes.drain(|to, updates| {
                    if sent.is_ok() {
                        sent = inboxes.send(to, updates);
                    }
                });
            }
            sent?;
            if done {
                // Other parts have other neighbours.
                outboxes.trim(self.updates_max);
                return Ok(tally);
            }
            // A large part takes long.
            lock(&locks.shared).tell()?;
        }
    }
}

impl Shared<'_> {
    fn fail(&mut self, error: SolveError) {
        self.to_do.clear();
        self.failed.get_or_insert(error);
    }

    fn tell(&mut self) -> Result<(), SolveError> {
        (self.tell)(self.done)
    }
}

/// Takes the part out of memory that was stepped longest ago. There is one: each other thread has only one part.
fn evict(here: &mut [Option<Box<Resident>>]) -> (usize, Box<Resident>) {
    let idle = here.iter().enumerate().filter_map(|(number, resident)| {
        resident.as_ref().map(|resident| (resident.part.level(), number))
    });
    let (_, number) = idle.min().expect("more parts fit in memory than threads work");
    (number, here[number].take().expect("it is in memory"))
}

/// Writes a part if it differs from its file, and removes the old file if no manifest names it. Returns how many bytes that
/// took.
fn write(
    files: &Files,
    packer: &mut Option<Packer>,
    number: usize,
    resident: &mut Resident,
    on_disk: &mut OnDisk,
    named: u32,
) -> Result<u64, DiskError> {
    if !resident.changed {
        return Ok(0);
    }
    let bytes = files.write(ready(packer, files)?, number, resident)?;
    let old = std::mem::replace(&mut on_disk.swept, resident.part.level());
    if old > named && old != on_disk.swept {
        files.remove_part(number, old);
    }
    resident.changed = false;
    Ok(bytes)
}

/// The memory of a part, which must be seeded or read: that of another part, or new.
pub(crate) fn in_memory(partition: &Partition, number: usize, memory: Option<Part>) -> Part {
    match memory {
        Some(mut part) => {
            partition.reuse(&mut part, number);
            part
        }
        None => partition.part(number),
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
