//! The thread that calls MPI: it exchanges buffers for the command, and watches another rank.
//!
//! An exchange sends the lengths first, and then the buffers, in pieces whose length a C `int` can hold. Each rank pings the
//! next one while its command waits for others, or while its solve makes progress. A rank that hears nothing from the one
//! before it for too long names it, and ends the job. So a rank that has stopped is noticed, and so is one whose solve
//! hangs, though its thread here still runs.

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
pub(crate) enum Asked {
    /// An exchange of buffers.
    Exchange(Vec<Vec<u8>>),
    /// The command has ended with this status.
    Ended(u8),
}

/// The way from the command to the thread that calls MPI.
pub(crate) struct Link {
    rank: usize,
    ranks: usize,
    ask: Sender<Asked>,
    answers: Receiver<Vec<Vec<u8>>>,
}

impl Link {
    pub(crate) fn new(
        (rank, ranks): (usize, usize),
        ask: Sender<Asked>,
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

    fn exchange(&mut self, buffers: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, SolveError> {
        let gone = || SolveError::Outside("the thread of MPI has ended".into());
        self.ask.send(Asked::Exchange(buffers)).map_err(|_| gone())?;
        self.answers.recv().map_err(|_| gone())
    }
}

/// The longest piece of a buffer: MPI counts with C's `int`.
const PIECE_BYTES: usize = 1 << 30;
const LENGTH: Tag = 1;
const DATA: Tag = 2;
const PING: Tag = 3;

/// Serves the command until it ends in all ranks. Returns its status if it fails in this rank, or 1 if another rank hangs.
pub(crate) fn serve(
    world: &SimpleCommunicator,
    asked: &Receiver<Asked>,
    answer: &Sender<Vec<Vec<u8>>>,
    work: &Work,
    stall: Duration,
) -> Result<(), u8> {
    /// How often this thread looks for pings while the command computes.
    const LOOK: Duration = Duration::from_millis(50);
    /// The status of a program that has panicked.
    const PANICKED: u8 = 101;
    let mut watch = Watch::new(world, work, stall);
    loop {
        match asked.recv_timeout(LOOK) {
            Ok(Asked::Exchange(buffers)) => {
                // If the command is gone, the next round says so.
                let _ = answer.send(exchange(world, &buffers, &mut watch)?);
            }
            Ok(Asked::Ended(0)) => {
                // MPI would wait for the other ranks without a ping.
                let nothing = vec![Vec::new(); world.size() as usize];
                exchange(world, &nothing, &mut watch)?;
                watch.end();
                return Ok(());
            }
            Ok(Asked::Ended(status)) => return Err(status),
            Err(RecvTimeoutError::Timeout) => watch.look(false)?,
            Err(RecvTimeoutError::Disconnected) => return Err(PANICKED),
        }
    }
}

/// Sends each other rank its buffer, and receives one from each.
fn exchange(
    world: &SimpleCommunicator,
    buffers: &[Vec<u8>],
    watch: &mut Watch<'_>,
) -> Result<Vec<Vec<u8>>, u8> {
    let own = world.rank();
    let others = || (0..world.size()).filter(|rank| *rank != own);
    let lengths: Vec<u64> = buffers.iter().map(|buffer| buffer.len() as u64).collect();
    let mut received = vec![0u64; buffers.len()];
    scope(|scope| {
        let mut requests = Vec::new();
        let lengths_of = received.iter_mut().zip(0..).filter(|(_, rank)| *rank != own);
        for (length, rank) in lengths_of {
            let from = world.process_at_rank(rank);
            requests.push(from.immediate_receive_into_with_tag(scope, length, LENGTH));
        }
        let mut sends = Vec::new();
        for rank in others() {
            let to = world.process_at_rank(rank);
            sends.push(to.immediate_send_with_tag(scope, &lengths[rank as usize], LENGTH));
        }
        finish(requests, watch)?;
        finish(sends, watch)
    })?;
    let mut arrived: Vec<Vec<u8>> =
        received.iter().map(|length| vec![0; *length as usize]).collect();
    scope(|scope| {
        let (mut receives, mut sends) = (Vec::new(), Vec::new());
        for (buffer, rank) in arrived.iter_mut().zip(0..).filter(|(_, rank)| *rank != own) {
            let from = world.process_at_rank(rank);
            // An empty buffer has no piece, so no pointer to nothing goes to MPI.
            for piece in buffer.chunks_mut(PIECE_BYTES) {
                receives.push(from.immediate_receive_into_with_tag(scope, piece, DATA));
            }
        }
        for rank in others() {
            let to = world.process_at_rank(rank);
            for piece in buffers[rank as usize].chunks(PIECE_BYTES) {
                sends.push(to.immediate_send_with_tag(scope, piece, DATA));
            }
        }
        finish(receives, watch)?;
        finish(sends, watch)
    })?;
    Ok(arrived)
}

/// Waits for requests, and pings meanwhile. If another rank hangs, the process ends here, because the requests cannot be
/// dropped.
fn finish<'a, D: ?Sized>(
    requests: Vec<Request<'a, D, &LocalScope<'a>>>,
    watch: &mut Watch<'_>,
) -> Result<(), u8> {
    /// How often it asks in vain before it lets other threads run.
    const SPINS: u32 = 64;
    let (mut open, mut spins) = (requests, 0u32);
    while !open.is_empty() {
        let before = open.len();
        open = open.into_iter().filter_map(|request| request.test().err()).collect();
        if open.len() < before {
            spins = 0;
            continue;
        }
        spins += 1;
        if spins.is_multiple_of(SPINS) {
            thread::yield_now();
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
