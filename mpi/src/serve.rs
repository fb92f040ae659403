//! The thread that calls MPI: it exchanges buffers for the command, and watches another rank.
//!
//! An exchange sends the length of each buffer with its first bytes, and then the rest, in pieces whose length a C `int` can hold. Each rank pings the
//! next one while its command waits for others, or while its solve makes progress. A rank that hears nothing from the one
//! before it for too long names it, and ends the job. So a rank that has stopped is noticed, and so is one whose solve
//! hangs, though its thread here still runs.

use std::mem;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use mpi::Tag;
use mpi::request::{LocalScope, Request, scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};
use retrograde::SolveError;
use retrograde_cluster::{Transport, Work};

/// What the command asks for.
pub(crate) enum Task {
    /// An exchange of buffers.
    Exchange(Vec<Vec<u8>>),
    /// The command has ended with this status.
    Ended(u8),
}

/// The way from the command to the thread that calls MPI.
pub(crate) struct Link {
    rank: usize,
    ranks: usize,
    ask: Sender<Task>,
    answers: Receiver<Vec<Vec<u8>>>,
}

impl Link {
    pub(crate) fn new(
        (rank, ranks): (usize, usize),
        ask: Sender<Task>,
        answers: Receiver<Vec<Vec<u8>>>,
    ) -> Link {
        Link { rank, ranks, ask, answers }
    }
}

impl Transport for Link {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn begin(&mut self, buffers: Vec<Vec<u8>>) -> Result<(), SolveError> {
        self.ask.send(Task::Exchange(buffers)).map_err(|_| gone())
    }

    fn finish(&mut self) -> Result<Vec<Vec<u8>>, SolveError> {
        self.answers.recv().map_err(|_| gone())
    }
}

fn gone() -> SolveError {
    SolveError::Outside("the thread of MPI has ended".into())
}

/// The longest piece of a buffer: MPI counts with C's `int`.
const PIECE_BYTES: usize = 1 << 30;
const HEAD: Tag = 1;
const DATA: Tag = 2;
const PING: Tag = 3;

/// Serves the command until it ends in all ranks. Returns its status if it fails in this rank, or 1 if another rank hangs.
pub(crate) fn serve(
    world: &SimpleCommunicator,
    asked: &Receiver<Task>,
    answer: &Sender<Vec<Vec<u8>>>,
    work: &Work,
    stall: Duration,
) -> Result<(), u8> {
    /// How often this thread looks for pings while the command computes.
    const LOOK: Duration = Duration::from_millis(50);
    /// The status of a program that has panicked.
    const PANICKED: u8 = 101;
    let mut exchanges = Exchanges::new(world, PIECE_BYTES, head_bytes(world.size() as usize));
    let mut watch = Watch::new(world, work, stall);
    loop {
        match asked.recv_timeout(LOOK) {
            Ok(Task::Exchange(buffers)) => {
                // If the command is gone, the next round says so.
                let _ = answer.send(exchanges.exchange(buffers, &mut watch)?);
            }
            Ok(Task::Ended(0)) => {
                // MPI would wait for the other ranks without a ping.
                exchanges.exchange(vec![Vec::new(); world.size() as usize], &mut watch)?;
                watch.end();
                return Ok(());
            }
            Ok(Task::Ended(status)) => return Err(status),
            Err(RecvTimeoutError::Timeout) => watch.look(false)?,
            Err(RecvTimeoutError::Disconnected) => return Err(PANICKED),
        }
    }
}

/// How many bytes of a buffer travel with its length. The other bytes wait until the receiver knows the length, which takes
/// long on a slow network. With many ranks there are fewer, so that all heads together take 1 MiB or 4 KiB a rank.
fn head_bytes(ranks: usize) -> usize {
    /// What Open MPI sends by TCP without a question, with some space for its own head.
    const EAGER: usize = 60 << 10;
    ((1 << 20) / ranks).clamp(4 << 10, EAGER)
}

/// The exchanges of this rank, and memory that the next one uses again.
struct Exchanges<'w> {
    world: &'w SimpleCommunicator,
    /// The longest piece of a buffer.
    piece_bytes: usize,
    /// How many bytes of a buffer travel with its length.
    head_bytes: usize,
    /// For each other rank, the length of a buffer and its first bytes.
    sent: Vec<Vec<u8>>,
    received: Vec<Vec<u8>>,
    /// What was sent last. The next buffers arrive in its memory.
    spare: Vec<Vec<u8>>,
}

/// The bytes of a length.
const LENGTH: usize = size_of::<u64>();

impl<'w> Exchanges<'w> {
    fn new(world: &'w SimpleCommunicator, piece_bytes: usize, head_bytes: usize) -> Self {
        let ranks = world.size() as usize;
        let empty = || vec![Vec::new(); ranks];
        let received = vec![vec![0; LENGTH + head_bytes]; ranks];
        Exchanges { world, piece_bytes, head_bytes, sent: empty(), received, spare: empty() }
    }

    /// Sends each other rank its buffer, and receives one from each.
    fn exchange(
        &mut self,
        buffers: Vec<Vec<u8>>,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Vec<u8>>, u8> {
        let Exchanges { world, piece_bytes, head_bytes, sent, received, spare } = self;
        let own = world.rank();
        let others = || (0..world.size()).filter(|rank| *rank != own);
        for (head, buffer) in sent.iter_mut().zip(&buffers) {
            head.clear();
            head.extend((buffer.len() as u64).to_le_bytes());
            head.extend(&buffer[..buffer.len().min(*head_bytes)]);
        }
        scope(|scope| {
            let (mut receives, mut sends) = (Vec::new(), Vec::new());
            for (head, rank) in received.iter_mut().zip(0..).filter(|(_, rank)| *rank != own) {
                let from = world.process_at_rank(rank);
                receives.push(from.immediate_receive_into_with_tag(scope, &mut head[..], HEAD));
            }
            for rank in others() {
                let to = world.process_at_rank(rank);
                sends.push(to.immediate_send_with_tag(scope, &sent[rank as usize][..], HEAD));
            }
            finish(receives, watch)?;
            finish(sends, watch)
        })?;
        let mut arrived = mem::take(spare);
        for (buffer, head) in arrived.iter_mut().zip(&*received) {
            let len = head.first_chunk().map_or(0, |len| u64::from_le_bytes(*len)) as usize;
            buffer.resize(len, 0);
            let first = len.min(*head_bytes);
            buffer[..first].copy_from_slice(&head[LENGTH..LENGTH + first]);
        }
        scope(|scope| {
            let (mut receives, mut sends) = (Vec::new(), Vec::new());
            for (buffer, rank) in arrived.iter_mut().zip(0..).filter(|(_, rank)| *rank != own) {
                let from = world.process_at_rank(rank);
                // An empty rest has no piece, so no pointer to nothing goes to MPI.
                let first = buffer.len().min(*head_bytes);
                for piece in buffer[first..].chunks_mut(*piece_bytes) {
                    receives.push(from.immediate_receive_into_with_tag(scope, piece, DATA));
                }
            }
            for rank in others() {
                let (to, buffer) = (world.process_at_rank(rank), &buffers[rank as usize]);
                for piece in buffer[buffer.len().min(*head_bytes)..].chunks(*piece_bytes) {
                    sends.push(to.immediate_send_with_tag(scope, piece, DATA));
                }
            }
            finish(receives, watch)?;
            finish(sends, watch)
        })?;
        *spare = buffers;
        Ok(arrived)
    }
}

/// Waits for requests, and pings meanwhile. If another rank hangs, the process ends here, because the requests cannot be
/// dropped.
///
/// A long wait sleeps now and then, so that it leaves its processor to ranks that compute. The sleeps are short, because data
/// may move only while this thread calls MPI.
fn finish<'a, D: ?Sized>(
    requests: Vec<Request<'a, D, &LocalScope<'a>>>,
    watch: &mut Watch<'_>,
) -> Result<(), u8> {
    /// How often it asks in vain before it lets other threads run.
    const SPINS: u32 = 64;
    /// After such a wait it sleeps, for this part of the wait and no longer than the last number.
    const SPINNING: Duration = Duration::from_micros(100);
    const PART: u32 = 8;
    const SLEEP_MAX: Duration = Duration::from_micros(100);
    let (mut open, mut spins, mut began) = (requests, 0u32, Instant::now());
    while !open.is_empty() {
        let before = open.len();
        open = open.into_iter().filter_map(|request| request.test().err()).collect();
        if open.len() < before {
            (spins, began) = (0, Instant::now());
            continue;
        }
        spins += 1;
        if spins.is_multiple_of(SPINS) {
            match began.elapsed() {
                waited if waited < SPINNING => thread::yield_now(),
                waited => thread::sleep((waited / PART).min(SLEEP_MAX)),
            }
            if let Err(status) = watch.look(true) {
                watch.world.abort(i32::from(status));
            }
        }
    }
    Ok(())
}

/// Watches the rank before this one, and tells the next one that this one goes on.
struct Watch<'w> {
    world: &'w SimpleCommunicator,
    work: &'w Work,
    stall: Duration,
    /// When the rank before this one has pinged.
    heard: Instant,
    /// When this rank has pinged, and how many steps its solve had made then.
    pinged: Instant,
    steps: Option<u64>,
    looked: Instant,
}

impl<'w> Watch<'w> {
    fn new(world: &'w SimpleCommunicator, work: &'w Work, stall: Duration) -> Watch<'w> {
        let now = Instant::now();
        Watch { world, work, stall, heard: now, pinged: now, steps: None, looked: now }
    }

    /// Pings and listens, a few times a second. `waits` if the command waits for other ranks. Fails if the rank before this
    /// one hangs.
    fn look(&mut self, waits: bool) -> Result<(), u8> {
        let (rank, ranks) = (self.world.rank(), self.world.size());
        let now = Instant::now();
        if ranks < 2 || now - self.looked < Duration::from_millis(20) {
            return Ok(());
        }
        // If this process stood still, it has not listened. So the others have not been silent.
        if now - self.looked > self.stall / 2 {
            self.heard = now;
        }
        self.looked = now;
        let before = self.world.process_at_rank((rank + ranks - 1) % ranks);
        while before.immediate_probe_with_tag(PING).is_some() {
            let (_, _): (u8, _) = before.receive_with_tag(PING);
            self.heard = now;
        }
        let every = Duration::from_secs(1).min(self.stall / 4);
        if now - self.pinged >= every {
            let steps = self.work.steps();
            if waits || steps.is_none() || steps != self.steps {
                self.world.process_at_rank((rank + 1) % ranks).send_with_tag(&0u8, PING);
                (self.pinged, self.steps) = (now, steps);
            }
        }
        if now - self.heard > self.stall {
            eprintln!(
                "error: rank {} makes no progress, for {} s: it is stopped, or its solve hangs; all ranks end",
                (rank + ranks - 1) % ranks,
                self.stall.as_secs_f64()
            );
            return Err(1);
        }
        Ok(())
    }

    /// Takes the pings that are left.
    fn end(&mut self) {
        let (rank, ranks) = (self.world.rank(), self.world.size());
        let before = self.world.process_at_rank((rank + ranks - 1) % ranks);
        while ranks > 1 && before.immediate_probe_with_tag(PING).is_some() {
            let (_, _): (u8, _) = before.receive_with_tag(PING);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::env;

    use mpi::Threading;

    use super::*;

    /// `scripts/cluster` runs this on several ranks. A single rank exchanges nothing.
    #[test]
    fn buffers_of_any_length_arrive() {
        const PIECE: usize = 64;
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled).expect("MPI");
        let world = universe.world();
        let (own, ranks) = (world.rank() as usize, world.size() as usize);
        let work = Work::default();
        let mut watch = Watch::new(&world, &work, Duration::from_secs(600));
        let lengths =
            [0, 1, PIECE / 2, PIECE / 2 + 1, PIECE, 3 * PIECE / 2, 2 * PIECE, 5 * PIECE + 7];
        let mut exchanges = Exchanges::new(&world, PIECE, PIECE / 2);
        for round in 0..200 {
            let sent = |from: usize, to: usize| -> Vec<u8> {
                let len = lengths[(3 * from + 5 * to + round) % lengths.len()];
                let first = from * 31 + to * 17 + round;
                (first..first + len).map(|byte| byte as u8).collect()
            };
            let buffers: Vec<_> = (0..ranks).map(|to| sent(own, to)).collect();
            let arrived = exchanges.exchange(buffers, &mut watch).expect("no rank hangs");
            for from in (0..ranks).filter(|from| *from != own) {
                assert_eq!(arrived[from], sent(from, own), "round {round}, rank {from} to {own}");
            }
        }
        // More than a C int can count, and only if it is asked for, because it takes 4 GiB.
        if env::var_os("RETROGRADE_LARGE").is_some() && ranks > 1 {
            const LARGE: usize = (1 << 31) + 5;
            let mut buffers = vec![Vec::new(); ranks];
            if own == 0 {
                buffers[1] = vec![0; LARGE];
                (0..LARGE).step_by(999_983).for_each(|at| buffers[1][at] = at as u8 | 1);
                buffers[1][LARGE - 1] = 77;
            }
            let mut exchanges = Exchanges::new(&world, PIECE_BYTES, head_bytes(ranks));
            let arrived = exchanges.exchange(buffers, &mut watch).expect("no rank hangs");
            if own == 1 {
                assert_eq!((arrived[0].len(), arrived[0][LARGE - 1]), (LARGE, 77));
                let mut marks = (0..LARGE - 1).step_by(999_983);
                assert!(marks.all(|at| arrived[0][at] == at as u8 | 1), "a piece is lost");
            }
        }
    }
}
