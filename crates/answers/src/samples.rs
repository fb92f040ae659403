//! Examples of states of a table: those with the longest wins, and a random one.

use std::time::{SystemTime, UNIX_EPOCH};

use retrograde::Value;
use retrograde_catalog::Worth;
use serde::Serialize;
use serde_json::Value as Json;
use xxhash_rust::xxh3::xxh3_64;

use crate::ask::RegionOracle;
use crate::folder::{Entry, Folder};
use crate::limits::Deadline;
use crate::problem::Problem;

/// How many of the longest wins are listed.
const LISTED: usize = 12;

/// Larger games are not searched for their longest wins.
const SEARCHED_MAX: u64 = 1 << 24;

/// How often to try for a random state: some numbers are no positions.
const TRIES: u64 = 1000;

/// A state and its value.
#[derive(Serialize)]
pub(crate) struct Sample {
    state: String,
    #[serde(flatten)]
    worth: Worth,
}

/// The states with the longest wins, longest first. For tables of regions, one state for each side.
pub(crate) fn longest(
    folder: &Folder,
    entry: &Entry,
    deadline: Deadline,
) -> Result<Vec<Sample>, Problem> {
    match entry {
        Entry::Region(_) => Ok(told(&folder.table(entry)?.header().about.parameters)),
        Entry::Game(_) => RegionOracle::table(folder, entry)?.longest(deadline),
    }
}

/// The longest wins in the parameters of a table.
fn told(parameters: &Json) -> Vec<Sample> {
    let parts: Vec<&Json> = match parameters {
        Json::Object(object) => object
            .values()
            .flat_map(|value| value.as_array().map_or(vec![value], |all| all.iter().collect()))
            .collect(),
        _ => Vec::new(),
    };
    let sample = |part: &Json| {
        let text = part.get("fen").or_else(|| part.get("position"))?.as_str()?;
        let plies = u32::try_from(part.get("longest")?.as_u64()?).ok()?;
        Some(Sample {
            state: text.to_owned(),
            worth: Worth { value: "win", distance: Some(plies) },
        })
    };
    let mut samples: Vec<Sample> = parts.into_iter().filter_map(sample).collect();
    samples.sort_by_key(|sample| std::cmp::Reverse(sample.worth.distance));
    samples
}

impl RegionOracle {
    /// The states with the longest wins. The levels tell which distance is so long that few enough states have it.
    pub(crate) fn longest(&self, deadline: Deadline) -> Result<Vec<Sample>, Problem> {
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
            deadline.check()?;
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

    /// A state at random.
    pub(crate) fn random(&self) -> Result<Sample, Problem> {
        let states = self.states()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_nanos() as u64);
        for attempt in 0..TRIES {
            let number = xxh3_64(&(now ^ attempt << 48).to_le_bytes()) % states.states().max(1);
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
