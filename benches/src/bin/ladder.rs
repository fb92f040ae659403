//! The ladder of boards: each is larger than the one before, with 15% walls and 3 exits from a fixed seed.
//! The program solves each as a whole process. Prints a row for each board, and writes a table and a plot.
//!
//! ```text
//! ladder PROGRAM ENGINE THREADS DATE RECORD_DIRECTORY SIZE ...
//! ```
#![forbid(unsafe_code)]

use retrograde_benches::boards;
use retrograde_benches::measure::{self, as_parent};
use retrograde_benches::plot::{Plot, Point, Series};
use retrograde_games::Board;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const WALLS: &str = "15";
const EXITS: &str = "3";
const SEED: &str = "1";

fn main() -> ExitCode {
    let arguments = match as_parent() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let [program, engine, threads, date, directory, sizes @ ..] = &arguments[..] else {
        eprintln!("usage: ladder PROGRAM ENGINE THREADS DATE RECORD_DIRECTORY SIZE ...");
        return ExitCode::FAILURE;
    };
    let ladder = Ladder { program, engine, threads, date };
    match ladder.climb(Path::new(directory), sizes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ladder: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What all boards share.
struct Ladder<'a> {
    program: &'a str,
    engine: &'a str,
    threads: &'a str,
    date: &'a str,
}

/// The measurements of one board.
struct Rung {
    size: String,
    states: u64,
    moves: u64,
    /// The solve alone, as the program reports it.
    seconds: f64,
    /// The whole process, from outside.
    seconds_whole: f64,
    peak: u64,
    longest: u64,
}

const HEADINGS: [&str; 9] = [
    "board",
    "states",
    "moves",
    "seconds",
    "whole process",
    "states/s",
    "ns/move",
    "bytes/state",
    "peak MB",
];

impl Rung {
    fn cells(&self) -> [String; 9] {
        let (states, moves) = (self.states as f64, self.moves as f64);
        [
            format!("{0}x{0}", self.size),
            self.states.to_string(),
            self.moves.to_string(),
            format!("{:.2}", self.seconds),
            format!("{:.2}", self.seconds_whole),
            format!("{:.3e}", states / self.seconds),
            format!("{:.2}", self.seconds * 1e9 / moves),
            format!("{:.3}", self.peak as f64 / states),
            format!("{:.1}", self.peak as f64 / 1e6),
        ]
    }
}

fn row(cells: &[String; 9]) -> String {
    cells.iter().map(|cell| format!("{cell:>14}")).collect()
}

impl Ladder<'_> {
    fn climb(&self, directory: &Path, sizes: &[String]) -> Result<(), String> {
        let mut rungs = Vec::new();
        println!("{}", row(&HEADINGS.map(str::to_string)));
        for size in sizes {
            let rung = self.measure_board(size)?;
            println!("{}", row(&rung.cells()));
            rungs.push(rung);
        }
        self.record(&rungs, directory)
    }

    /// Makes a board and solves it, both with the program.
    fn measure_board(&self, size: &str) -> Result<Rung, String> {
        let Ladder { program, engine, threads, .. } = *self;
        let making = [
            "board",
            "--rows",
            size,
            "--columns",
            size,
            "--walls",
            WALLS,
            "--exits",
            EXITS,
            "--seed",
            SEED,
        ];
        let made = Command::new(program)
            .args(making)
            .output()
            .map_err(|error| format!("{program}: {error}"))?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned());
        }
        let text = String::from_utf8_lossy(&made.stdout);
        let board = Board::parse(&text).map_err(|error| error.to_string())?;
        let file: PathBuf = std::env::temp_dir().join(format!("retrograde-ladder-{size}.txt"));
        std::fs::write(&file, &*text).map_err(|error| format!("{}: {error}", file.display()))?;

        let command: Vec<String> = [
            program,
            "solve",
            "pursuit",
            &file.to_string_lossy(),
            "--json",
            "--quiet",
            "--engine",
            engine,
            "--threads",
            threads,
        ]
        .map(str::to_string)
        .to_vec();
        let run = measure::run(&command)?;
        std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let object: serde_json::Value = serde_json::from_str(&run.output)
            .map_err(|error| format!("{program} --json: {error}"))?;
        let number =
            |key: &str| object[key].as_u64().ok_or(format!("{program} --json has no {key}"));
        Ok(Rung {
            size: size.to_string(),
            states: number("states")?,
            moves: boards::moves(&board),
            seconds: object["seconds"].as_f64().ok_or("solve --json has no seconds")?,
            seconds_whole: run.seconds,
            peak: run.peak_bytes,
            longest: number("longest")?,
        })
    }

    /// Writes the table and the plot, with the machine they were measured on.
    fn record(&self, rungs: &[Rung], directory: &Path) -> Result<(), String> {
        let Ladder { engine, threads, date, .. } = self;
        let mut table = format!(
            "# The ladder, {date}\n\n\
         Boards with {WALLS}% walls and {EXITS} exits, seed {SEED}, engine `{engine}` on {threads} threads, with distances; one run each. Made by\n\
         `scripts/big`. `ns/move` and `states/s` are of the solve, `peak` and\n\
         `whole process` are measured from outside.\n\n\
         - processor: {}\n- compiler: {}\n- commit: {}\n\n",
            processor(),
            told_by("rustc", &["--version"]),
            told_by("git", &["describe", "--always", "--dirty"]),
        );
        table.push_str(&format!("| {} | longest win |\n", HEADINGS.join(" | ")));
        table.push_str(&format!("|{}\n", " --: |".repeat(HEADINGS.len() + 1)));
        for rung in rungs {
            table.push_str(&format!("| {} | {} |\n", rung.cells().join(" | "), rung.longest));
        }
        table.push_str(&format!("\n![time against states](ladder-{engine}-{date}.svg)\n"));
        let points: Vec<Point> = rungs
            .iter()
            .map(|rung| Point {
                x: rung.states as f64,
                y: rung.seconds,
                name: format!("{0}x{0}", rung.size),
            })
            .collect();
        let plot = Plot {
            title: format!("Pursuit, {date}"),
            across: "states".to_owned(),
            up: "seconds".to_owned(),
            series: vec![Series { name: format!("{engine} on {threads} threads"), points }],
            notes: Vec::new(),
        };
        std::fs::create_dir_all(directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
        for (ending, text) in [("md", table), ("svg", plot.svg())] {
            let file = directory.join(format!("ladder-{engine}-{date}.{ending}"));
            std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
            println!("recorded in {}", file.display());
        }
        Ok(())
    }
}

fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let name =
        model.map_or(std::env::consts::ARCH.to_string(), |(_, name)| name.trim().to_string());
    format!("{name}, {count} cores")
}

fn told_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let told = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    told.unwrap_or_else(|_| "unknown".to_string())
}
