//! The textbook program as a command: `textbook pursuit FILE` and `textbook random VERTICES SEED`. Prints how
//! many states win, lose and draw.
#![forbid(unsafe_code)]

use retrograde_benches::{pursuit, random::RandomGraph};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = match words[..] {
        ["pursuit", file] => std::fs::read_to_string(file)
            .map_err(|error| format!("{file}: {error}"))
            .and_then(|text| pursuit::Board::read(&text))
            .map(|board| board.solve()),
        ["random", vertices, seed] => match (vertices.parse(), seed.parse()) {
            (Ok(vertices), Ok(seed)) => Ok(RandomGraph { vertices, seed }.solve_by_textbook()),
            _ => Err("the number of vertices and the seed are numbers".to_string()),
        },
        _ => Err("usage: textbook pursuit FILE | textbook random VERTICES SEED".to_string()),
    };
    match answer {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("textbook: {error}");
            ExitCode::FAILURE
        }
    }
}
