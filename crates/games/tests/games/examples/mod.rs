//! The files of `examples/` and the expected answers beside them. A second copy of the rules has derived each answer.
//! The games and the engine must give the same.
//!
//! An expected file has a block for each question. The line `solve` is the question, in the form of the command line.
//! The lines after it are the answers: the value at the start, how many states are won, lost and drawn for the player
//! to move, the longest distance, whether the police win from places of their choice, and sometimes every state. Tabs
//! separate columns, and `#` begins a comment.

mod engine;
mod question;
mod rules;

use crate::naive::Values;
use question::Question;
use retrograde::{Outcome, Value};
use std::fs;
use std::path::PathBuf;

/// A question and its answers, line by line.
struct Block {
    question: Question,
    answers: Vec<String>,
}

/// One way to answer: by the naive rules, or by the games and the engine.
struct Solved {
    values: Values,
    start: Option<String>,
    /// Only for a chase.
    cop_win: Option<bool>,
    /// The picture of a corner.
    signs: Option<String>,
}

#[test]
fn every_example_has_the_answer_beside_it() {
    let mut blocks = 0;
    for file in fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_some_and(|extension| extension == "expected") {
            for block in read(&fs::read_to_string(&file).unwrap()) {
                let name =
                    format!("{}: solve {}", file.display(), block.question.words().join(" "));
                assert_eq!(
                    block.answers,
                    answers(&rules::answer(&block.question), &block),
                    "{name}, by the rules"
                );
                assert_eq!(
                    block.answers,
                    answers(&engine::answer(&block.question), &block),
                    "{name}, by the engine"
                );
                blocks += 1;
            }
        } else {
            let name = file.file_stem().unwrap().to_str().unwrap();
            // The output of the generator, the texts of games, and the checker of certificates have tests of their own.
            let elsewhere = ["board-random", "games", "certificates"].contains(&name);
            assert!(file.with_extension("expected").exists() || elsewhere, "{name} has no answer");
        }
    }
    assert!(blocks > 0);
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn read(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(question) = line.strip_prefix("solve ") {
            let words = question.split(' ').map(str::to_string).collect();
            blocks.push(Block { question: Question::new(words), answers: Vec::new() });
        } else {
            blocks.last_mut().expect("a file begins by asking").answers.push(line.to_string());
        }
    }
    blocks
}

/// The answers in the form of the file, in the file's order.
fn answers(solved: &Solved, block: &Block) -> Vec<String> {
    let value = |value: Value| {
        let (word, distance) = match value.outcome() {
            Outcome::Win => ("win", value.distance()),
            Outcome::Loss => ("loss", value.distance()),
            Outcome::Draw => ("draw", None),
        };
        format!("{word}\t{}", distance.map_or("-".to_string(), |distance| distance.to_string()))
    };
    let count = |outcome| solved.values.values().filter(|value| value.outcome() == outcome).count();
    let mut lines = Vec::new();
    lines.extend(
        solved
            .start
            .as_ref()
            .map(|start| format!("start\t{start}\t{}", value(solved.values[start]))),
    );
    lines.push(format!(
        "counts\t{}\t{}\t{}",
        count(Outcome::Win),
        count(Outcome::Loss),
        count(Outcome::Draw)
    ));
    let longest = solved.values.values().filter_map(|value| value.distance()).max().unwrap_or(0);
    lines.push(format!("longest\t{longest}"));
    lines.extend(solved.cop_win.map(|win| format!("cop-win\t{}", if win { "yes" } else { "no" })));
    if block.answers.iter().any(|line| line.starts_with("state\t")) {
        lines.extend(
            solved.values.iter().map(|(text, &state)| format!("state\t{text}\t{}", value(state))),
        );
    }
    lines.extend(
        solved.signs.iter().flat_map(|signs| signs.lines().map(|row| format!("row\t{row}"))),
    );
    lines
}
