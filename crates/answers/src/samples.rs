//! Examples of states: those with the longest wins, and a random one.

use retrograde::Value;
use retrograde_catalog::Worth;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::limits::Check;
use crate::oracle::RegionOracle;
use crate::problem::Problem;

/// How many of the longest wins are listed.
const LISTED: usize = 12;

/// Larger games are not searched for their longest wins.
const SEARCHED_MAX: u64 = 1 << 24;

/// How often to try for a random state: some numbers are no positions.
const TRIES: u64 = 1000;

/// A state and its value.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sample {
    /// The state as text.
    pub state: String,
    /// Its value.
    #[serde(flatten)]
    pub worth: Worth,
}

impl RegionOracle {
    /// The states with the longest wins. The levels tell which distance is so long that few enough states have it.
    pub fn longest(&self, check: Check<'_>) -> Result<Vec<Sample>, Problem> {
        /// How many values are read at a time.
        const BLOCK: u64 = 1 << 16;
        let states = self.states()?;
        if !self.oracle().has_distances() || states.states() > SEARCHED_MAX {
            return Ok(Vec::new());
        }
        let (mut least, mut wins) = (u32::MAX, 0);
        for level in
            states.levels()?.iter().rev().filter(|level| level.wins > 0 && level.distance > 0)
        {
            if wins >= LISTED as u64 {
                break;
            }
            (wins, least) = (wins + level.wins, level.distance);
        }
        let mut found: Vec<(u32, u64)> = Vec::new();
        let mut block = Vec::new();
        for first in (0..states.states()).step_by(BLOCK as usize) {
            check()?;
            block.resize(BLOCK.min(states.states() - first) as usize, None);
            states.fill(first, &mut block)?;
            for (state, value) in (first..).zip(&block) {
                if let Some(Value::Win(plies)) = value
                    && *plies >= least
                {
                    found.push((*plies, state));
                }
            }
            // A level may be huge, and only part of it is listed.
            found.sort_by_key(|&(plies, state)| (std::cmp::Reverse(plies), state));
            found.truncate(LISTED);
        }
        let sample = |(plies, state): (u32, u64)| {
            let state = states.text(state, Some(Value::Win(plies)))?;
            Some(Sample { state, worth: Worth { value: "win", distance: Some(plies) } })
        };
        Ok(found.into_iter().filter_map(sample).collect())
    }

    /// A state at random, chosen by a seed.
    pub fn random(&self, seed: u64) -> Result<Sample, Problem> {
        let states = self.states()?;
        for attempt in 0..TRIES {
            let number = xxh3_64(&(seed ^ attempt << 48).to_le_bytes()) % states.states().max(1);
            let mut value = [None];
            states.fill(number, &mut value)?;
            if let Some(text) = states.text(number, value[0]) {
                let (state, worth) = self.worth(&text)?;
                return Ok(Sample { state, worth });
            }
        }
        Err(Problem::refused("this table has next to no positions: none was found at random"))
    }
}
