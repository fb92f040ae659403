//! The job: what to solve, how, and with which processes.

use retrograde_catalog::{Task, about};
use retrograde_games::Setup;
use serde_json::{Value as Json, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::region::Named;

/// The instructions for a process.
pub(crate) struct Job {
    /// The instructions as they were given.
    pub(crate) told: retrograde_catalog::Job,
    /// What to solve.
    pub(crate) what: What,
}

/// What to solve.
pub(crate) enum What {
    /// One of the games by name.
    Game(Box<Setup>),
    /// A region of a family. Its exits are looked up in other tables.
    Region(Named),
}

impl Job {
    /// Reads a job.
    pub(crate) fn read(line: &str) -> Result<Job, String> {
        let told = retrograde_catalog::Job::read(line)?;
        let what = match &told.task {
            Task::Region { family, region, folder } => What::Region(Named {
                family: family.clone(),
                region: region.clone(),
                folder: folder.clone(),
            }),
            Task::Game(game) => What::Game(Box::new(game.setup()?)),
        };
        Ok(Job { told, what })
    }

    /// What all processes of a solve must agree on. The keys are the names for refusals.
    pub(crate) fn identity(&self) -> Json {
        let mut identity = self.work();
        identity["number of processes"] = json!(self.told.processes);
        identity["block"] = json!(self.told.block);
        identity
    }

    /// The task itself, without the number of processes.
    pub(crate) fn work(&self) -> Json {
        let mut work = match &self.what {
            What::Region(region) => region.identity(),
            What::Game(setup) => {
                let about = about(setup);
                let board = about.board.map(|board| format!("{:016x}", xxh3_64(board.as_bytes())));
                json!({ "game": about.game, "parameters": about.parameters, "board": board })
            }
        };
        work["version of the program"] = json!(env!("CARGO_PKG_VERSION"));
        work["distances"] = json!(self.told.distances);
        work["engine"] = json!(if self.told.bit_parallel { "bit-parallel" } else { "scalar" });
        work
    }
}

/// The first difference between two jobs, as text.
pub(crate) fn difference(found: &Json, expected: &Json) -> Option<String> {
    expected.as_object().into_iter().flatten().find_map(|(key, expected)| {
        let found = found.get(key).unwrap_or(&Json::Null);
        (found != expected).then(|| format!("another {key}, {found} and not {expected}"))
    })
}
