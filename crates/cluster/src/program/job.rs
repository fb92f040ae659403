//! The job: what to solve, how, and with which processes.

use std::path::PathBuf;
use std::time::Duration;

use retrograde_catalog::{about, from_about};
use retrograde_games::Setup;
use retrograde_table::{About, Compression};
use serde_json::{Value as Json, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::region::Named;

/// The instructions for a process.
pub(crate) struct Job {
    /// The text of the job.
    pub(crate) json: Json,
    /// What to solve.
    pub(crate) what: What,
    /// The number of this process; `None` if it is to start all.
    pub(crate) process: Option<usize>,
    /// How many there are.
    pub(crate) processes: usize,
    /// The addresses of all processes, if they are known beforehand.
    pub(crate) hosts: Option<Vec<String>>,
    /// How long a process may be silent.
    pub(crate) patience: Duration,
    /// The length of blocks, or `rows`, for tests.
    pub(crate) block: Json,
    /// Whether distances are kept.
    pub(crate) distances: bool,
    /// How much memory each process may take.
    pub(crate) memory: Option<u64>,
    /// The table that the first process writes.
    pub(crate) out: PathBuf,
    /// Whether it may replace a file.
    pub(crate) replace: bool,
    pub(crate) compression: Compression,
    pub(crate) half: bool,
    /// Whether the table keeps the states of the side that packs smaller.
    pub(crate) one_side: bool,
    /// The folder of checkpoints, and the interval.
    pub(crate) checkpoint: Option<(PathBuf, Duration)>,
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
        let json: Json = serde_json::from_str(line).map_err(|error| {
            format!("the job makes no sense: {error}; start it by `retrograde solve`")
        })?;
        let ours = env!("CARGO_PKG_VERSION");
        let theirs = json["version"].as_str().unwrap_or("unknown");
        if ours != theirs {
            return Err(format!(
                "retrograde-cluster is of version {ours} and retrograde of {theirs}; install both of one version"
            ));
        }
        let missing = |what: &str| format!("the job has no {what}; start it by `retrograde solve`");
        let number = |key: &str| json[key].as_u64();
        let what = match Named::read(&json) {
            Some(region) => What::Region(region),
            None => {
                let game = json["game"].as_str().ok_or_else(|| missing("which game"))?.to_owned();
                let parameters = json["parameters"].clone();
                let board = json["board"].as_str().map(str::to_owned);
                let about = About { game, parameters, board, ..About::default() };
                let name = json["board_name"].as_str().unwrap_or("the job");
                let setup = from_about(&about, name);
                What::Game(Box::new(setup.map_err(|error| error.to_string())?))
            }
        };
        let hosts = json["hosts"].as_array().map(|hosts| {
            hosts.iter().filter_map(|host| host.as_str().map(str::to_owned)).collect()
        });
        let checkpoint = json["checkpoint"].as_str().map(PathBuf::from);
        let every = Duration::from_millis(number("every_ms").unwrap_or(60_000));
        Ok(Job {
            what,
            process: number("process").map(|process| process as usize),
            processes: number("processes").ok_or_else(|| missing("how many processes"))? as usize,
            hosts,
            patience: Duration::from_millis(number("patience_ms").unwrap_or(30_000)),
            block: json["block"].clone(),
            distances: json["distances"].as_bool().unwrap_or(true),
            memory: number("memory"),
            out: json["out"].as_str().ok_or_else(|| missing("where the table goes"))?.into(),
            replace: json["replace"].as_bool().unwrap_or(true),
            compression: json["compression"]
                .as_str()
                .unwrap_or_default()
                .parse()
                .unwrap_or_default(),
            half: json["half"].as_bool().unwrap_or(false),
            one_side: json["one_side"].as_bool().unwrap_or(false),
            checkpoint: checkpoint.map(|folder| (folder, every)),
            json,
        })
    }

    /// What all processes of a solve must agree on. The keys are the names for refusals.
    pub(crate) fn identity(&self) -> Json {
        let mut identity = self.work();
        identity["number of processes"] = json!(self.processes);
        identity["block"] = self.block.clone();
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
        work["distances"] = json!(self.distances);
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
