//! Games beyond memory in several ways: `beyond GAME WAY MEGABYTES FOLDER`. A way is `disk` (the scalar engine on disk),
//! `words` (the same game by words, three bits a state, its log on disk), `any` (the same
//! without its type), `window` (two bits a state, of which the rest is
//! on disk too), or `memory` (the scalar engine in memory). It prints seconds, seconds of the processor, the most memory
//! that the solve takes beside the game, the most space on disk, and a checksum of all values.
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use retrograde::adapters::{AnyRules, Explicit};
use retrograde::bit_parallel::ByWords;
use retrograde::{Code, Game, Predecessors, Probe, SolveError, Solver, Status, forward};
use retrograde_benches::by_state::ByState;
use retrograde_benches::{measure::processor_seconds, random::RandomGraph};
use retrograde_chess::{Endgame, Material};
use retrograde_disk::{Disk, LogFile};
use retrograde_games::{Board, Corner, Piece, Pursuit, Quixo, Take, Takes};
use retrograde_morris::{Men, Morris, Region};
use retrograde_regions::{Family, SolvedRegion};

#[path = "../../../crates/core/examples/mancala.rs"]
#[allow(dead_code, reason = "it prints")]
mod mancala;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, way, megabytes, folder] = &arguments[..] else {
        eprintln!("usage: beyond GAME WAY MEGABYTES FOLDER");
        return ExitCode::FAILURE;
    };
    let memory = megabytes.parse::<u64>().expect("a number of megabytes") << 20;
    let case = Case { way, memory, folder: Path::new(folder) };
    let (name, rest) = game.split_once(':').unwrap_or((game, ""));
    let number = || rest.parse::<u32>().expect("a number after the name");
    match name {
        "quixo" => case.solve::<_, true>(&Quixo::new(number()).expect("a game")),
        "morris" => {
            let family = Morris::new(Men::Nine);
            let region = Region::named(Men::Nine, rest).expect("a region");
            let needs = solved(&family, &region, &mut HashMap::new());
            case.solve::<_, true>(&family.game(&region, needs));
        }
        "chess" => {
            let material: Material = rest.parse().expect("a material");
            let needs = solved(&retrograde_chess::Chess, &material, &mut HashMap::new());
            case.solve::<_, true>(&Endgame::new(material, needs));
        }
        "queen" => {
            let (rows, columns) = pair(rest);
            case.solve::<_, true>(&Corner::new(Piece::Queen, rows, columns).expect("a board"));
        }
        "take" | "misere" => {
            let heaps: Vec<u32> =
                rest.split(',').map(|heap| heap.parse().expect("a heap")).collect();
            let take = Take::new(&heaps, Takes::Any).expect("heaps");
            case.solve::<_, true>(&take.misere(name == "misere"));
        }
        "chain" => {
            let (levels, width) = pair(rest);
            case.solve::<_, true>(&Chain { levels: levels.into(), width: width.into() });
        }
        "mancala" => case.solve::<_, false>(&mancala::game(number() as u8)),
        "random" => {
            let graph = RandomGraph { vertices: u64::from(number()), seed: 1 };
            case.solve::<_, true>(&Explicit::from_game(graph));
        }
        "kept" => {
            let graph = Kept(RandomGraph { vertices: u64::from(number()), seed: 1 });
            case.solve::<_, false>(&Explicit::from_game(graph));
        }
        "pursuit" => {
            let board = Board::random(number(), number(), 15, 3, 0, 1).expect("a board");
            case.solve::<_, true>(&Pursuit::new(board).expect("a pursuit"));
        }
        _ => panic!("no such game"),
    }
    ExitCode::SUCCESS
}

/// Two numbers, as in `20x10000`.
fn pair(text: &str) -> (u32, u32) {
    let (a, b) = text.split_once('x').expect("two numbers");
    (a.parse().expect("a number"), b.parse().expect("a number"))
}

/// A chain of levels: each state has one move, to the state as far along the level below.
struct Chain {
    levels: u64,
    width: u64,
}

impl Game for Chain {
    fn states(&self) -> u64 {
        self.levels * self.width
    }

    fn status(&self, _: u64) -> Status {
        Status::Open
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        state.checked_sub(self.width).into_iter().try_for_each(visit)
    }

    fn degree_max(&self) -> Option<u32> {
        Some(1)
    }
}

impl Predecessors for Chain {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        if state + self.width < self.states() {
            visit(state + self.width);
        }
    }
}

/// The same graph, in which a quarter of all moves keep the turn.
struct Kept(RandomGraph);

impl Game for Kept {
    forward!(Game for this => this.0; but keeps_turn);

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        (from ^ to).is_multiple_of(4)
    }
}

/// The solutions of the regions that a region needs, in memory.
fn solved<F: Family>(
    family: &F,
    region: &F::Region,
    known: &mut HashMap<String, Arc<retrograde::Solution>>,
) -> Vec<SolvedRegion<'static>> {
    let mut needs = Vec::new();
    for need in family.needs(region) {
        if !known.contains_key(&need.to_string()) {
            let below = solved(family, &need, known);
            let game = family.game(&need, below);
            let solution = Solver::new().solve(&AnyRules::of(&game)).expect("no limit");
            known.insert(need.to_string(), Arc::new(solution));
        }
        needs.push(SolvedRegion::of(Shared(Arc::clone(&known[&need.to_string()]))));
    }
    needs
}

/// A solution that several games read.
struct Shared(Arc<retrograde::Solution>);

impl Probe for Shared {
    type Error = std::convert::Infallible;

    fn states(&self) -> u64 {
        self.0.states()
    }

    fn has_distances(&self) -> bool {
        self.0.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<retrograde::Value>, Self::Error> {
        Ok(self.0.value(state))
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), Self::Error> {
        self.0.fill_codes(first, codes);
        Ok(())
    }
}

/// How to solve a game.
struct Case<'a> {
    way: &'a str,
    memory: u64,
    folder: &'a Path,
}

impl Case<'_> {
    fn solve<G: Predecessors, const PASSES: bool>(&self, game: &G) {
        fs::create_dir_all(self.folder).expect("a folder");
        let solver = || Solver::new().threads(2).memory_max(self.memory);
        let log = || Box::new(LogFile::open(&self.folder.join("log")).expect("a file"));
        match self.way {
            "memory" => self.measure(game, || solver().solve(game), |_| String::new()),
            "disk" => {
                let disk = Disk::new(self.folder.join("parts")).memory_max(self.memory).threads(2);
                match disk.plan(game) {
                    Ok(plan) => println!("{plan:?}"),
                    Err(error) => return println!("{}: {error}", self.way),
                }
                self.measure(
                    game,
                    || disk.solve(game, Solver::new()),
                    |solution| {
                        let (read, written) = solution.bytes_moved();
                        format!("{} passes, {read} read, {written} written", solution.passes())
                    },
                );
            }
            "words" => {
                let game = ByState::<_, PASSES, false>(game);
                let solve = || ByWords(&game).solve_in(solver(), log());
                self.measure(&game, solve, |solution| format!("{:?}", solution.bytes_moved()));
            }
            "any" => {
                let rules = AnyRules::of(game);
                let solve = || ByWords(&rules).solve_in(solver(), log());
                self.measure(&rules, solve, |solution| format!("{:?}", solution.bytes_moved()));
            }
            "window" if PASSES => {
                let game = ByState::<_, true, true>(game);
                println!("{:?}", ByWords(&game).plan_window(&solver()));
                let solve = || ByWords(&game).solve_in(solver(), log());
                self.measure(&game, solve, |solution| {
                    let (read, written) = solution.bytes_moved();
                    format!("{} passes, {read} read, {written} written", solution.passes())
                });
            }
            _ => println!("{}: no such way", self.way),
        }
        fs::remove_dir_all(self.folder).expect("an own folder");
    }

    fn measure<P: Probe<Error: Display>>(
        &self,
        game: &impl Game,
        solve: impl FnOnce() -> Result<P, SolveError>,
        more: impl Fn(&P) -> String,
    ) {
        // From here on, the peak is that of the solve.
        let _ = fs::write("/proc/self/clear_refs", "5");
        let before = status("VmRSS:");
        let (most, done) = (AtomicU64::new(0), AtomicBool::new(false));
        let (solution, seconds, processor) = thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    most.fetch_max(bytes_in(self.folder), Relaxed);
                    thread::sleep(Duration::from_millis(20));
                }
            });
            let (start, processor) = (Instant::now(), processor_seconds());
            let solution = solve();
            let spent = (start.elapsed().as_secs_f64(), processor_seconds() - processor);
            done.store(true, Relaxed);
            (solution, spent.0, spent.1)
        });
        let peak = status("VmHWM:") - before;
        match solution {
            Err(error) => println!("{}: {error}", self.way),
            Ok(solution) => println!(
                "{}, {} states: {seconds:.2} s, {processor:.2} s of the processor, {:.1} MB, {:.1} MB on disk, sum {:x}; {}",
                self.way,
                game.states(),
                peak as f64 / 1e3,
                most.load(Relaxed) as f64 / 1e6,
                checksum(&solution),
                more(&solution),
            ),
        }
    }
}

/// A checksum of all values.
fn checksum<P: Probe<Error: Display>>(values: &P) -> u64 {
    let (mut hasher, mut some) = (DefaultHasher::new(), vec![None; 1 << 18]);
    for first in (0..values.states()).step_by(some.len()) {
        let some = &mut some[..(values.states() - first).min(1 << 18) as usize];
        values.fill(first, some).unwrap_or_else(|error| panic!("{error}"));
        some.iter().for_each(|value| hasher.write_u64(Code::number(*value)));
    }
    hasher.finish()
}

/// A line of the status of this process, in KB.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// What the files of a folder take.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_in(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.map(bytes).sum()
}
