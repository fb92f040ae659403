//! Letters over the network of timely: its threads, buffers and framing, and sockets that we bring.
//!
//! Of timely it takes the layer below dataflows, typed channels between workers: a solve needs to know when a round is over,
//! which its letters say themselves, and nothing of the progress of operators. A letter is copied once, into the buffer of the
//! network, and read where it arrived.

use std::io::Write;
use std::time::Duration;

use retrograde::SolveError;
use timely_bytes::arc::Bytes;
use timely_communication::{Allocator, Bytesable, Pull, Push};

use crate::post::{Body, Letter, Post};

/// What a letter begins with: its sender and whether it is the last of its round, and which that is.
const HEAD: usize = 16;

impl Bytesable for Letter {
    fn from_bytes(mut bytes: Bytes) -> Letter {
        let head = bytes.extract_to(HEAD);
        let number = |at: usize| {
            let (number, _) = head[at..].split_first_chunk().expect("the head of a letter");
            u64::from_le_bytes(*number)
        };
        let (from, round) = (number(0), number(8));
        Letter { from: (from >> 1) as usize, round, last: from & 1 != 0, body: Body::Read(bytes) }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.body.len()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let from = (self.from as u64) << 1 | u64::from(self.last);
        let head = [from.to_le_bytes(), self.round.to_le_bytes()];
        let written =
            writer.write_all(head.as_flattened()).and_then(|()| writer.write_all(&self.body));
        written.expect("timely gives as much room as a letter says it needs");
    }
}

/// The letters of one worker.
pub struct Carrier {
    allocator: Allocator,
    to: Vec<Box<dyn Push<Letter>>>,
    from: Box<dyn Pull<Letter>>,
    /// Whether something has been sent that may still lie in a buffer.
    held: bool,
}

impl Carrier {
    /// Opens the channels between all workers.
    pub fn new(mut allocator: Allocator) -> Carrier {
        let (to, from) = allocator.allocate::<Letter>(0);
        Carrier { allocator, to, from, held: false }
    }
}

impl Post for Carrier {
    fn index(&self) -> usize {
        self.allocator.index()
    }

    fn processes(&self) -> usize {
        self.allocator.peers()
    }

    fn send(&mut self, to: usize, letter: Letter) {
        // A short letter, the last of a round, may wait for its reader to wait.
        let long = letter.body.len() >= 1 << 12;
        self.to[to].push(&mut Some(letter));
        self.to[to].done();
        self.held = true;
        if long {
            self.release();
        }
    }

    fn receive(&mut self, wait: bool) -> Result<Option<Letter>, SolveError> {
        /// Should a wake-up be lost, it is looked again after this.
        const PAUSE: Duration = Duration::from_millis(50);
        loop {
            if let Some(letter) = self.from.recv() {
                return Ok(Some(letter));
            }
            if self.held {
                self.release();
            }
            self.allocator.receive();
            self.allocator.events().borrow_mut().clear();
            if let Some(letter) = self.from.recv() {
                return Ok(Some(letter));
            }
            if !wait {
                return Ok(None);
            }
            self.allocator.await_events(Some(PAUSE));
        }
    }
}

impl Carrier {
    fn release(&mut self) {
        self.allocator.release();
        self.held = false;
    }
}
