//! The end of a level: all ranks add up what has settled.

use retrograde::SolveError;
use retrograde::parts::{Sums, Tally};

use crate::keep::Keeper;
use crate::transport::{Supersteps, outside};

/// Adds up the sums of all ranks. Measures how evenly the ranks share the levels: at each level, all of them wait
/// for the rank with the most settled states.
pub(crate) struct LevelSums {
    /// The checkpoints, if there are any: what their keepers tell each other travels with the sums.
    keeper: Option<Keeper>,
    /// The number of all settled states.
    all: u64,
    /// The sum, over all levels, of the most states that settled in one rank, times the number of
    /// ranks.
    most: u64,
}

impl LevelSums {
    pub(crate) fn new(keeper: Option<Keeper>) -> LevelSums {
        LevelSums { keeper, all: 0, most: 0 }
    }

    /// Estimates the share of the time in which a rank works, on average over all ranks. It ignores the
    /// time for messages. It is 1 if the ranks share each level evenly.
    pub(crate) fn evenness(&self) -> f64 {
        if self.most == 0 { 1.0 } else { self.all as f64 / self.most as f64 }
    }

    /// Ends a superstep, and adds up the sums that all ranks have sent.
    pub(crate) fn add_up(
        &mut self,
        supersteps: &mut Supersteps<'_>,
        own: Sums,
    ) -> Result<Sums, SolveError> {
        let said = self.said(own);
        let all = supersteps.end(&said, |_| {})?;
        self.sum(all.iter().map(|said| &said[..]))
    }

    /// What this rank tells the others at the end of a level.
    pub(crate) fn said(&mut self, own: Sums) -> Vec<u8> {
        let Tally { wins, losses } = own.tally;
        let next = own.next.map_or(u64::MAX, u64::from);
        let kept = self.keeper.as_ref().map_or(0, Keeper::tell);
        let said = [wins, losses, next, kept].map(u64::to_le_bytes);
        said.as_flattened().to_vec()
    }

    /// The sums of a level, from what all ranks have told.
    pub(crate) fn sum<'s>(
        &mut self,
        all: impl Iterator<Item = &'s [u8]>,
    ) -> Result<Sums, SolveError> {
        let mut sums = Sums { tally: Tally::default(), next: None };
        let (mut told, mut most) = (Vec::new(), 0);
        for said in all {
            let &[wins, losses, next, kept] = said.as_chunks::<8>().0 else {
                return Err(outside("a rank sent counts of a level that make no sense".to_owned()));
            };
            let [wins, losses] = [wins, losses].map(u64::from_le_bytes);
            let tally = Tally { wins, losses };
            sums.tally += tally;
            most = most.max(tally.total());
            let next = u32::try_from(u64::from_le_bytes(next)).ok();
            sums.next = [sums.next, next].into_iter().flatten().min();
            told.push(u64::from_le_bytes(kept));
        }
        self.all += sums.tally.total();
        self.most += most * told.len() as u64;
        self.keeper.as_ref().map_or(Ok(()), |keeper| keeper.told(&told))?;
        Ok(sums)
    }
}
