//! Temporary folders, and tables for the witness.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use retrograde::{Solution, Solver};
use retrograde_catalog::{AnyGame, Engine, about, by_side};
use retrograde_chess::{Builder, Chess, build};
use retrograde_games::{Setup, Source};
use retrograde_table::{About, InvalidStates, SideCounts, Writer};
use retrograde_witness::{Options, Proved, Refusal, witness};

/// The folder of one test, removed at its end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("witness-{}-{count}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A folder of chess endgames in it.
    pub(crate) fn endgames(&self, materials: &[&str]) -> PathBuf {
        let folder = self.join("endgames");
        let targets: Vec<_> = materials.iter().map(|name| name.parse().unwrap()).collect();
        build(Builder::new(&Chess, &folder), &targets).unwrap();
        folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A game and its solution.
pub(crate) struct Solved {
    pub(crate) about: About,
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) solution: Solution,
}

impl Solved {
    pub(crate) fn new(
        name: &str,
        arguments: &[(&str, &str)],
        board: Option<&str>,
        distances: bool,
    ) -> Solved {
        let board = board.map(|text| Source { name: "board".into(), text: text.into() });
        let setup = Setup::parse(name, arguments, board).unwrap();
        let game = retrograde_catalog::game(&setup).unwrap();
        let solver = Solver::new().distances(distances);
        let solution = game.solve(Engine::BitParallel, solver).unwrap();
        let mut about = about(&setup);
        let counts = game.sides().iter().zip(by_side(&*game, &solution));
        about.counts = counts.map(|(side, counts)| SideCounts::new(side, counts)).collect();
        Solved { about, game, solution }
    }

    pub(crate) fn pursuit(board: &str, police: u32) -> Solved {
        let police = police.to_string();
        Solved::new("pursuit", &[("police", &police)], Some(board), true)
    }

    /// A writer for its table, by default with the options of the program.
    pub(crate) fn writer(&self) -> Writer<'_> {
        let writer = Writer::new(self.about.clone()).invalid_states(InvalidStates::Forgotten);
        let writer = writer.histogram(self.solution.histogram());
        match self.game.row_len() {
            Some(columns) => writer.rows(columns, self.game.sides().len() as u64),
            None => writer,
        }
    }
}

/// The verdict of the witness on a table, on two threads.
pub(crate) fn witnessed(path: &Path) -> Result<Proved, Refusal> {
    witness(path, &Options { threads: 2, ..Options::default() })
}
