//! The speed of games from texts, beside the same games written in Rust: `described RUNS [GAME]...`. A game is the name of a text in
//! `examples/games`. Solves take turns, on one thread, and the best run of each counts. No numbering is folded, unless the one in Rust
//! is. A text may have more states, so the processor time of a state is compared.
//!
//! Games in which a man is alone of his kind are solved state by state, and 64 positions at a time. These times include finding the rows and
//! the values by the numbers of the text, but not compiling the text. Beside endings of chess stands the crate of chess, with the smaller
//! endings that it needs.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use retrograde::adapters::{BackwardMoves, Numbered};
use retrograde::bit_parallel::ByWords;
use retrograde::{Outcome, Predecessors, Solution, Solver};
use retrograde_benches::measure::processor_seconds;
use retrograde_chess::{Endgame, Material, SolvedRegion};
use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};

#[allow(dead_code)]
#[path = "../../../crates/boards/examples/dao.rs"]
mod dao;
#[allow(dead_code)]
#[path = "../../../crates/boards/examples/dobutsu.rs"]
mod dobutsu;
#[allow(dead_code)]
#[path = "../../../crates/boards/examples/fox_and_hounds.rs"]
mod fox_and_hounds;
#[allow(dead_code)]
#[path = "../../../crates/regions/examples/tic_tac_chec.rs"]
mod tic_tac_chec;

const GAMES: [&str; 4] = ["dao", "fox-and-hounds", "tic-tac-chec-3", "dobutsu-without-elephants"];

/// Games with a lone man, and the material of those that are endings of chess.
const IN_ROWS: [(&str, Option<&str>); 4] = [
    ("king-and-rook", Some("KRvK")),
    ("queen-against-rook", Some("KQvKR")),
    ("king-and-amazon", None),
    ("fox-and-hounds", None),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(Ok(runs)) = arguments.next().map(|runs| runs.parse()) else {
        eprintln!("usage: described RUNS [GAME]...");
        return ExitCode::FAILURE;
    };
    let named: Vec<String> = arguments.collect();
    let is_named = |game: &&str| named.is_empty() || named.iter().any(|name| name == game);
    for game in GAMES.into_iter().filter(is_named) {
        let [plain, folded] = [Numbers::Plain, Numbers::Folded];
        match game {
            "dao" => compare(game, plain, &dao::game(), runs),
            "fox-and-hounds" => compare(game, plain, &fox_and_hounds::game(), runs),
            "tic-tac-chec-3" => {
                compare(game, folded, &Numbered(tic_tac_chec::Board::new(3)), runs);
            }
            _ => compare(game, folded, &Numbered(dobutsu::Dobutsu::new([2, 2, 0])), runs),
        }
    }
    for (game, material) in IN_ROWS.into_iter().filter(|(game, _)| is_named(game)) {
        rows(game, material, runs);
    }
    ExitCode::SUCCESS
}

/// The least processor time of a state in nanoseconds, and the longest win.
#[derive(Clone, Copy, Debug)]
struct Best {
    nanoseconds: f64,
    longest: Option<u32>,
}

fn measure(game: &impl Predecessors) -> Best {
    let processor = processor_seconds();
    let solution = Solver::new().threads(1).solve(game).expect("no limit");
    let spent = processor_seconds() - processor;
    let longest = solution.longest(0..game.states(), Outcome::Win).map(|(_, plies)| plies);
    Best { nanoseconds: spent / game.states() as f64 * 1e9, longest }
}

/// Solves a game in Rust and the game of a text in turn.
struct InTurn<'g, R> {
    hand: &'g Numbered<R>,
    runs: u32,
}

impl<R: BackwardMoves> PageVisitor for InTurn<'_, R> {
    type Output = [Best; 2];

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> [Best; 2] {
        let mut best = [measure(self.hand), measure(&game)];
        for _ in 1..self.runs {
            for (best, again) in best.iter_mut().zip([measure(self.hand), measure(&game)]) {
                best.nanoseconds = best.nanoseconds.min(again.nanoseconds);
            }
        }
        best
    }
}

/// The processor time of some work, and its result.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let processor = processor_seconds();
    let done = work();
    (processor_seconds() - processor, done)
}

/// Solves the game of a text, in rows or state by state, and says how long that takes.
struct Solve {
    in_rows: bool,
}

impl PageVisitor for Solve {
    type Output = (f64, Solution);

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> (f64, Solution) {
        let solver = Solver::new().threads(1);
        let solve = || if self.in_rows { game.solve(solver) } else { solver.solve(&game) };
        timed(|| solve().expect("no limit"))
    }
}

/// Solves an ending of chess, and before it those that it needs.
fn ending(material: Material) -> Solution {
    let needed: Vec<Solution> = material.needs().into_iter().map(ending).collect();
    let game = Endgame::new(material, needed.iter().map(SolvedRegion::of).collect());
    Solver::new().threads(1).solve(ByWords(&game)).expect("no limit")
}

/// Solves a game from its text in both ways, and by the crate of chess, in turn.
fn rows(name: &str, material: Option<&str>, runs: u32) {
    let page = page(name);
    let text = |in_rows| {
        // A game keeps the moves between rows, so each run has a game of its own.
        page.clone().visit(Numbers::Folded, Solve { in_rows }).expect("it has been read")
    };
    let mut best = [f64::INFINITY; 3];
    for _ in 0..runs {
        let ((by_states, solution), (in_rows, same)) = (text(false), text(true));
        let states = solution.states();
        assert!((0..states).all(|state| solution.value(state) == same.value(state)), "{name}");
        let material = material.map(|name| name.parse::<Material>().expect("a material"));
        let chess = material.map(|material| timed(|| ending(material)));
        if let Some((_, chess)) = &chess {
            let longest = |solution: &Solution| {
                solution.longest(0..solution.states(), Outcome::Win).map(|(_, plies)| plies)
            };
            assert_eq!(longest(chess), longest(&solution), "{name}: the longest wins differ");
        }
        let seconds = [by_states, in_rows, chess.map_or(f64::INFINITY, |(seconds, _)| seconds)];
        best = std::array::from_fn(|at| best[at].min(seconds[at]));
    }
    let [by_states, in_rows, chess] = best;
    print!(
        "{name}: {:.1} ms state by state, {:.1} in rows, {:.2} times as fast",
        by_states * 1e3,
        in_rows * 1e3,
        by_states / in_rows
    );
    match material {
        Some(_) => {
            println!("; {:.1} by the crate of chess: {:.2} times", chess * 1e3, in_rows / chess);
        }
        None => println!(),
    }
}

fn page(name: &str) -> Page {
    let path = format!("{}/../examples/games/{name}.game", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Page::read(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn compare<R: BackwardMoves>(name: &str, numbers: Numbers, hand: &Numbered<R>, runs: u32) {
    let best = page(name).visit(numbers, InTurn { hand, runs }).expect("it has been read");
    let [rust, text] = best;
    assert_eq!(rust.longest, text.longest, "{name}: the longest wins differ");
    println!(
        "{name}: {:.0} ns a state in Rust, {:.0} from its text: {:.2} times",
        rust.nanoseconds,
        text.nanoseconds,
        text.nanoseconds / rust.nanoseconds
    );
}
