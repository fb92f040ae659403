//! A transport with late messages, in any order.

use retrograde::SolveError;
use retrograde_cluster::{Message, Transport};
use retrograde_testkit::Rng;
use std::sync::mpsc::{Receiver, Sender, channel};

/// The transport of one process.
pub(crate) struct Late {
    index: usize,
    to: Vec<Sender<Message>>,
    from: Receiver<Message>,
    /// The messages that have not arrived yet.
    waiting: Vec<Message>,
    rng: Rng,
}

/// The transports of so many processes.
pub(crate) fn transports(processes: usize, seed: u64) -> Vec<Late> {
    let (to, from): (Vec<_>, Vec<_>) = (0..processes).map(|_| channel()).unzip();
    let transports = from.into_iter().enumerate().map(|(index, from)| {
        let rng = Rng::new(seed ^ index as u64);
        Late { index, to: to.clone(), from, waiting: Vec::new(), rng }
    });
    transports.collect()
}

impl Transport for Late {
    fn index(&self) -> usize {
        self.index
    }

    fn processes(&self) -> usize {
        self.to.len()
    }

    fn send(&mut self, to: usize, message: Message) {
        assert_ne!(to, self.index, "a message to oneself");
        self.to[to].send(message).expect("no process leaves before all is read");
    }

    fn receive(&mut self, wait: bool) -> Result<Option<Message>, SolveError> {
        self.waiting.extend(self.from.try_iter());
        if !wait && self.rng.chance(60) {
            return Ok(None);
        }
        if wait && self.waiting.is_empty() {
            self.waiting.push(self.from.recv().expect("a message will come"));
        }
        let len = self.waiting.len() as u64;
        Ok((len > 0).then(|| self.waiting.swap_remove(self.rng.below(len) as usize)))
    }
}
