//! Shared by the tests of tables: a temporary folder, games to write, a slow reader.
#![allow(dead_code, unreachable_pub, reason = "each test uses its part of it")]

pub mod twin;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use retrograde::{Probe, Value};
use retrograde_games::{Board, Chase};

/// The folder of one test, removed at its end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("table-{}-{count}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The names of the files in it, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A chase on a board, and the length of its rows.
pub fn chase(board: &Board, police: u32) -> (Chase, u64) {
    let chase = Chase::on_board(board, police).unwrap();
    let places = board.floor().count() as u64;
    let columns = (1..=u64::from(police)).fold(1, |crowds, i| crowds * (places + i - 1) / i);
    (chase, columns)
}

/// All values, probed one by one.
pub fn values<P: Probe>(probe: &P) -> Vec<Option<Value>>
where
    P::Error: std::fmt::Debug,
{
    (0..probe.states()).map(|state| probe.probe(state).unwrap()).collect()
}

/// Values that a test made up.
pub struct Given {
    pub values: Vec<Option<Value>>,
    pub distances: bool,
}

impl Probe for Given {
    type Error = std::convert::Infallible;

    fn states(&self) -> u64 {
        self.values.len() as u64
    }

    fn has_distances(&self) -> bool {
        self.distances
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error> {
        Ok(self.values[state as usize])
    }
}
