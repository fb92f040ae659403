//! Messages over the network of timely: its threads, buffers and framing, on our own sockets.
//!
//! It uses the layer of timely below dataflows: typed channels between workers. A solve only needs to know
//! when a superstep is over, which its messages say themselves. It does not need the progress of operators. A
//! message is copied once, into the buffer of the network, and read where it arrived.

use std::io::Write;
use std::time::Duration;

use retrograde::SolveError;
use timely_bytes::arc::Bytes;
use timely_communication::{Allocator, Bytesable, Pull, Push};

use crate::transport::{Body, Message, Transport};

/// The head of a message: its sender, its superstep, and whether it is the last one.
const HEAD: usize = 16;

impl Bytesable for Message {
    fn from_bytes(mut bytes: Bytes) -> Message {
        let head = bytes.extract_to(HEAD);
        let number = |at: usize| {
            let (number, _) = head[at..].split_first_chunk().expect("the head of a message");
            u64::from_le_bytes(*number)
        };
        let (from, superstep) = (number(0), number(8));
        Message {
            from: (from >> 1) as usize,
            superstep,
            last: from & 1 != 0,
            body: Body::Read(bytes),
        }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.body.len()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let from = (self.from as u64) << 1 | u64::from(self.last);
        let head = [from.to_le_bytes(), self.superstep.to_le_bytes()];
        let written =
            writer.write_all(head.as_flattened()).and_then(|()| writer.write_all(&self.body));
        written.expect("timely gives as much room as a message says it needs");
    }
}

/// The messages of one worker.
pub struct TimelyTransport {
    allocator: Allocator,
    to: Vec<Box<dyn Push<Message>>>,
    from: Box<dyn Pull<Message>>,
    /// Whether a message may still be in a buffer.
    held: bool,
}

impl TimelyTransport {
    /// Opens the channels between all workers.
    pub fn new(mut allocator: Allocator) -> TimelyTransport {
        let (to, from) = allocator.allocate::<Message>(0);
        TimelyTransport { allocator, to, from, held: false }
    }
}

impl Transport for TimelyTransport {
    fn index(&self) -> usize {
        self.allocator.index()
    }

    fn processes(&self) -> usize {
        self.allocator.peers()
    }

    fn send(&mut self, to: usize, message: Message) {
        // A short last message of a superstep may wait until its reader waits.
        let long = message.body.len() >= 1 << 12;
        self.to[to].push(&mut Some(message));
        self.to[to].done();
        self.held = true;
        if long {
            self.release();
        }
    }

    fn receive(&mut self, wait: bool) -> Result<Option<Message>, SolveError> {
        /// If a wake-up is lost, it looks again after this time.
        const PAUSE: Duration = Duration::from_millis(50);
        loop {
            if let Some(message) = self.from.recv() {
                return Ok(Some(message));
            }
            if self.held {
                self.release();
            }
            self.allocator.receive();
            self.allocator.events().borrow_mut().clear();
            if let Some(message) = self.from.recv() {
                return Ok(Some(message));
            }
            if !wait {
                return Ok(None);
            }
            self.allocator.await_events(Some(PAUSE));
        }
    }
}

impl TimelyTransport {
    fn release(&mut self) {
        self.allocator.release();
        self.held = false;
    }
}
