//! Temporary folders, and tables for the witness.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use retrograde::{Probe, Solution, Solver, Value};
use retrograde_catalog::{CompiledGame, Engine, about, by_side};
use retrograde_chess::builder;
use retrograde_games::{Setup, Source};
use retrograde_morris::{Men, Morris, Region};
use retrograde_table::{About, InvalidStates, SideCounts, Writer};
use retrograde_testkit::{Rng, in_memory};
use retrograde_witness::{Options, Proved, Refusal, witness};

/// The folder of one test, removed at its end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = in_memory(&format!("witness-{count}"));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A folder of chess endgames in it.
    pub(crate) fn endgames(&self, materials: &[&str]) -> PathBuf {
        let folder = self.join("endgames");
        builder(&folder).build(materials).unwrap();
        folder
    }

    /// A folder of a whole game of morris in it: a copy, because several tests need one, and a build takes seconds.
    pub(crate) fn morris(&self, men: Men) -> PathBuf {
        static BUILT: Mutex<BTreeMap<u32, PathBuf>> = Mutex::new(BTreeMap::new());
        let name = format!("morris{}", men.number());
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        let built = built.entry(men.number()).or_insert_with(|| {
            let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("witness-{name}"));
            let _ = fs::remove_dir_all(&built);
            let morris = Morris::new(men);
            let builder = morris.builder(&built).threads(2);
            builder.build(&[Region::start(men)]).unwrap();
            built
        });
        let folder = self.join(&name);
        fs::create_dir(&folder).unwrap();
        for file in fs::read_dir(built).unwrap().map(Result::unwrap) {
            if file.path().is_file() {
                fs::copy(file.path(), folder.join(file.file_name())).unwrap();
            }
        }
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
    pub(crate) game: Arc<dyn CompiledGame>,
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
        match self.game.facts().turns.row_len() {
            Some(columns) => writer.rows(columns, self.game.sides().len() as u64),
            None => writer,
        }
    }
}

/// Another value than this one, near it or far from it.
pub(crate) fn other(value: Value, rng: &mut Rng) -> Value {
    loop {
        let distance = match value.distance() {
            Some(distance) if rng.chance(70) => (distance + 4).saturating_sub(rng.below(9) as u32),
            _ => rng.below(40) as u32,
        };
        let other = rng.pick(&[Value::Draw, Value::Win(distance), Value::Loss(distance)]);
        if other != value {
            return other;
        }
    }
}

/// The witness must name a position. A wrong count in the header or histogram is not enough.
pub(crate) fn assert_refused(path: &Path, what: &str) {
    match witnessed(path) {
        Err(Refusal::Wrong(said)) if said.contains("the table says") => {}
        answer => panic!("{what}: {answer:?}"),
    }
}

/// Values with one wrong value among them.
pub(crate) struct Lie<'a, P> {
    pub(crate) truth: &'a P,
    pub(crate) state: u64,
    pub(crate) value: Value,
}

impl<P: Probe> Probe for Lie<'_, P> {
    type Error = P::Error;

    fn states(&self) -> u64 {
        self.truth.states()
    }

    fn has_distances(&self) -> bool {
        true
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, P::Error> {
        if state == self.state { Ok(Some(self.value)) } else { self.truth.probe(state) }
    }

    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), P::Error> {
        self.truth.fill(first, values)?;
        if let Some(at) = self.state.checked_sub(first).filter(|at| *at < values.len() as u64) {
            values[at as usize] = Some(self.value);
        }
        Ok(())
    }
}

/// The verdict of the witness on a table, on two threads.
pub(crate) fn witnessed(path: &Path) -> Result<Proved, Refusal> {
    witness(path, &Options { threads: 2, ..Options::default() })
}
