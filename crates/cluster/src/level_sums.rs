//! The end of a level: all processes add up what has settled.

use retrograde::SolveError;
use retrograde::parts::{Sums, Tally};

use crate::transport::{Supersteps, Transport, outside};

/// Data that all processes must tell each other, besides counts of settled states. A process that has nothing
/// to tell sends 0.
pub trait Piggyback: Send {
    /// Returns the number to send to all processes at the end of a level.
    fn tell(&mut self) -> u64;

    /// Receives the numbers that all processes have sent, in the order of the processes.
    fn told(&mut self, all: &[u64]);
}

/// Nothing to tell.
impl Piggyback for () {
    fn tell(&mut self) -> u64 {
        0
    }

    fn told(&mut self, _: &[u64]) {}
}

impl<A: Piggyback> Piggyback for Option<A> {
    fn tell(&mut self) -> u64 {
        self.as_mut().map_or(0, Piggyback::tell)
    }

    fn told(&mut self, all: &[u64]) {
        if let Some(piggyback) = self {
            piggyback.told(all);
        }
    }
}

/// Adds up the sums of all processes. Measures how evenly the processes share the levels: at each level, all of them wait
/// for the process with the most settled states.
pub(crate) struct LevelSums<A> {
    piggyback: A,
    /// The number of all settled states.
    all: u64,
    /// The sum, over all levels, of the most states that settled in one process, times the number of
    /// processes.
    most: u64,
}

impl<A: Piggyback> LevelSums<A> {
    pub(crate) fn new(piggyback: A) -> LevelSums<A> {
        LevelSums { piggyback, all: 0, most: 0 }
    }

    /// Estimates the share of the time in which a process works, on average over all processes. It ignores the
    /// time for messages. It is 1 if the processes share each level evenly.
    pub(crate) fn evenness(&self) -> f64 {
        if self.most == 0 { 1.0 } else { self.all as f64 / self.most as f64 }
    }

    /// Ends a superstep, and adds up the sums that all processes have sent. `take` reads the other messages.
    pub(crate) fn add_up<P: Transport>(
        &mut self,
        supersteps: &mut Supersteps<P>,
        own: Sums,
        take: impl FnMut(&[u8]),
    ) -> Result<Sums, SolveError> {
        let Tally { wins, losses } = own.tally;
        let next = own.next.map_or(u64::MAX, u64::from);
        let said = [wins, losses, next, self.piggyback.tell()].map(u64::to_le_bytes);
        let all = supersteps.end(said.as_flattened(), take)?;
        let mut sums = Sums { tally: Tally::default(), next: None };
        let (mut told, mut most) = (Vec::new(), 0);
        for said in &all {
            let &[wins, losses, next, piggyback] = said.as_chunks::<8>().0 else {
                return Err(outside(
                    "a process sent counts of a level that make no sense".to_owned(),
                ));
            };
            let [wins, losses] = [wins, losses].map(u64::from_le_bytes);
            let tally = Tally { wins, losses };
            sums.tally += tally;
            most = most.max(tally.total());
            let next = u32::try_from(u64::from_le_bytes(next)).ok();
            sums.next = [sums.next, next].into_iter().flatten().min();
            told.push(u64::from_le_bytes(piggyback));
        }
        self.all += sums.tally.total();
        self.most += most * told.len() as u64;
        self.piggyback.told(&told);
        Ok(sums)
    }
}
