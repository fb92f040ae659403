//! The job of a solve on several processes: a line of JSON that `retrograde` writes and `retrograde-cluster`
//! reads. Both programs come from one version, so the job of another version is refused.

use std::path::PathBuf;
use std::time::Duration;

use retrograde_games::Setup;
use retrograde_table::{About, Compression};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::setup::from_about;

/// What to solve, how, and on which processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The version of the program that wrote the job.
    pub version: String,
    /// What to solve.
    pub task: Task,
    /// How many processes there are.
    pub processes: usize,
    /// The number of this process; `None` if it is to start all of them.
    #[serde(default)]
    pub process: Option<usize>,
    /// The addresses of all processes, if they are known beforehand.
    #[serde(default)]
    pub hosts: Option<Vec<String>>,
    /// How long a process may be silent, in milliseconds.
    pub timeout_ms: u64,
    /// How many threads each process has.
    pub threads: usize,
    /// How many bytes of memory each process may take.
    #[serde(default)]
    pub memory: Option<u64>,
    /// The length of blocks of states, if not the usual one.
    #[serde(default)]
    pub block: Option<u64>,
    /// Whether distances are kept.
    pub distances: bool,
    /// Whether to solve the game 64 states at a time. It must be such a game.
    pub bit_parallel: bool,
    /// The folder where each process keeps its log of distances, if not in memory.
    #[serde(default)]
    pub disk: Option<PathBuf>,
    /// Where checkpoints go.
    #[serde(default)]
    pub checkpoint: Option<Checkpoints>,
    /// What happens to the result.
    pub end: End,
}

/// What to solve.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Task {
    /// One of the games by name.
    Game(GameTask),
    /// A region of a family. Its exits are looked up in other tables.
    Region {
        /// The name of the family.
        family: String,
        /// The name of the region.
        region: String,
        /// The folder of the tables.
        folder: PathBuf,
    },
}

/// A game, as in the header of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTask {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Json,
    /// The text of its board.
    #[serde(default)]
    pub board: Option<String>,
}

/// What happens to the result of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The first process writes the table.
    Write(Output),
    /// Nothing is solved: the checkpoint of a finished solve is removed.
    Clear,
    /// Nothing is solved: the program reports the plan.
    Plan,
}

/// A folder of checkpoints, and how often to save.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoints {
    /// The folder.
    pub folder: PathBuf,
    /// The time between two of them, in milliseconds.
    pub interval_ms: u64,
}

/// The table to write.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its path.
    pub path: PathBuf,
    /// Whether it may replace a file.
    pub replace: bool,
    /// The strength of compression.
    #[serde(with = "Strength")]
    pub compression: Compression,
    /// Which states it keeps.
    pub keep: Keep,
}

/// The strengths of compression. Headers of tables have other names for them.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Compression", rename_all = "lowercase")]
enum Strength {
    None,
    Fast,
    Standard,
    Best,
}

/// Which states a table keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// All states.
    All,
    /// The states of the first side.
    Half,
    /// The states of the side that packs smaller.
    OneSide,
}

impl Job {
    /// A job of this version of the program, with usual options.
    pub fn new(task: Task, processes: usize, end: End) -> Job {
        Job {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            task,
            processes,
            process: None,
            hosts: None,
            timeout_ms: 30_000,
            threads: 1,
            memory: None,
            block: None,
            distances: true,
            bit_parallel: false,
            disk: None,
            checkpoint: None,
            end,
        }
    }

    /// Reads a job. Refuses the job of another version, and one with other keys than this version writes.
    pub fn read(line: &str) -> Result<Job, String> {
        let senseless = |error: serde_json::Error| {
            format!("the job makes no sense: {error}; start it by `retrograde solve`")
        };
        let json: Json = serde_json::from_str(line).map_err(senseless)?;
        let ours = env!("CARGO_PKG_VERSION");
        let theirs = json["version"].as_str().unwrap_or("unknown");
        if ours != theirs {
            return Err(format!(
                "retrograde-cluster is of version {ours} and retrograde of {theirs}; install both of one version"
            ));
        }
        serde_json::from_value(json).map_err(senseless)
    }

    /// The job as a line of text. Fails if a path is not Unicode.
    pub fn line(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    /// How long a process may be silent.
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }
}

impl From<About> for Task {
    fn from(about: About) -> Task {
        let About { game: name, parameters, board, .. } = about;
        Task::Game(GameTask { name, parameters, board })
    }
}

impl GameTask {
    /// The arguments of the game.
    pub fn setup(&self) -> Result<Setup, String> {
        let (game, parameters, board) =
            (self.name.clone(), self.parameters.clone(), self.board.clone());
        let about = About { game, parameters, board, ..About::default() };
        from_about(&about, "the job").map_err(|error| error.to_string())
    }
}

impl Checkpoints {
    /// The time between two checkpoints.
    pub fn interval(&self) -> Duration {
        Duration::from_millis(self.interval_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        let task =
            Task::Region { family: "chess".into(), region: "KQvK".into(), folder: "here".into() };
        let table = Output {
            path: "there".into(),
            replace: true,
            compression: Compression::Best,
            keep: Keep::OneSide,
        };
        let checkpoint = Checkpoints { folder: "kept".into(), interval_ms: 7 };
        let (block, checkpoint) = (Some(64), Some(checkpoint));
        Job { block, checkpoint, ..Job::new(task, 3, End::Write(table)) }
    }

    #[test]
    fn what_one_program_writes_the_other_reads() {
        let line = job().line().unwrap();
        assert_eq!(Job::read(&line).unwrap().line().unwrap(), line);
        assert!(!line.contains('\n'));
    }

    #[test]
    fn other_versions_and_unknown_keys_are_refused() {
        let change = |key: &str, value: Json| {
            let mut json = serde_json::to_value(job()).unwrap();
            *json.pointer_mut(key).unwrap_or(&mut Json::Null) = value.clone();
            if json.pointer(key).is_none() {
                json[&key[1..]] = value;
            }
            Job::read(&json.to_string()).unwrap_err()
        };
        let said = change("/version", "0.0.1".into());
        assert!(said.contains("retrograde of 0.0.1; install both of one version"), "{said}");
        for (key, value, problem) in [
            ("/hurry", true.into(), "unknown field `hurry`"),
            ("/processes", "two".into(), "invalid type"),
            ("/end/write/compression", "squeezed".into(), "squeezed"),
            ("/task", Json::Null, "the job makes no sense"),
        ] {
            let said = change(key, value);
            assert!(said.contains(problem) && said.contains("`retrograde solve`"), "{key}: {said}");
        }
        assert!(Job::read("what").unwrap_err().contains("the job makes no sense"));
    }
}
