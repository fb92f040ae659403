//! A transport between threads of this process, for tests.

use std::sync::mpsc::{Receiver, Sender, channel};

use retrograde::SolveError;

use crate::transport::{Transport, outside};

/// The transport of one rank. If it is dropped, exchanges of the others fail.
pub struct BetweenThreads {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
}

impl BetweenThreads {
    /// The transports of so many ranks.
    pub fn all(ranks: usize) -> Vec<BetweenThreads> {
        let new = |rank| BetweenThreads { rank, to: Vec::new(), from: Vec::new() };
        let mut all: Vec<_> = (0..ranks).map(new).collect();
        for from in 0..ranks {
            for to in 0..ranks {
                let (sender, receiver) = channel();
                all[from].to.push(sender);
                all[to].from.push(receiver);
            }
        }
        all
    }
}

impl Transport for BetweenThreads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn begin(&mut self, buffers: Vec<Vec<u8>>) -> Result<(), SolveError> {
        for (to, buffer) in buffers.into_iter().enumerate().filter(|(to, _)| *to != self.rank) {
            self.to[to].send(buffer).map_err(|_| gone(to))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<Vec<u8>>, SolveError> {
        let receive = |from: usize| match from == self.rank {
            true => Ok(Vec::new()),
            false => self.from[from].recv().map_err(|_| gone(from)),
        };
        (0..self.ranks()).map(receive).collect()
    }
}

fn gone(rank: usize) -> SolveError {
    outside(format!("rank {rank} is gone"))
}
