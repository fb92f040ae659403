//! The program solves the files of `examples/`, and must print what the `.expected` files beside them say.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value as Json;

use crate::{program, ran, results};

#[test]
fn every_example_has_the_answer_beside_it() {
    let mut solved = 0;
    for entry in fs::read_dir(folder()).expect("there are examples") {
        let path = entry.expect("the examples can be listed").path();
        if path.extension().is_none_or(|extension| extension != "expected") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("the answers can be read");
        let mut question = "";
        let mut answers: Vec<&str> = Vec::new();
        for line in text.lines().chain(["solve"]) {
            if line.starts_with("solve") {
                if !question.is_empty() {
                    check(question, &answers);
                    solved += 1;
                }
                (question, answers) = (line, Vec::new());
            } else if !line.is_empty() && !line.starts_with('#') {
                answers.push(line);
            }
        }
    }
    assert!(solved >= 10, "these tests have lost sight of the examples");
}

/// Compares the answer of the program to one question with the expected lines.
fn check(question: &str, answers: &[&str]) {
    let object: Json = serde_json::from_str(&asked(question, "--json")).expect("one JSON object");
    let list = asked(&question.replacen("solve ", "list ", 1), "");
    let values: BTreeMap<&str, (&str, &str)> = list
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            (fields[0], (fields[1], fields[2]))
        })
        .collect();
    let mut rows = Vec::new();
    for answer in answers {
        let fields: Vec<&str> = answer.split('\t').collect();
        match fields[..] {
            ["start", state, value, distance] => {
                assert_eq!(object["start"]["state"], state, "{question}");
                assert_eq!(object["start"]["value"], value, "{question}");
                let found = object["start"]["distance"].as_u64();
                assert_eq!(found, distance.parse().ok(), "{question}");
                assert_eq!(values[state], (value, distance), "{question}");
            }
            ["counts", win, loss, draw] => {
                for (name, count) in [("win", win), ("loss", loss), ("draw", draw)] {
                    assert_eq!(object[name].to_string(), count, "{question}: {name}");
                    let listed = values.values().filter(|(value, _)| *value == name).count();
                    assert_eq!(listed.to_string(), count, "{question}: {name} in the list");
                }
            }
            // The longest of wins and losses together.
            ["longest", longest] => {
                let distances = values.values().filter_map(|(_, distance)| distance.parse().ok());
                assert_eq!(distances.max(), longest.parse::<u32>().ok(), "{question}");
            }
            ["cop-win", win] => {
                let win = win == "yes";
                assert_eq!(object["police_first"].is_array(), win, "{question}");
            }
            ["state", state, value, distance] => {
                assert_eq!(values[state], (value, distance), "{question}: {state}");
            }
            ["row", row] => rows.push(row.to_owned()),
            _ => panic!("{question}: what is `{answer}`?"),
        }
    }
    if !rows.is_empty() {
        let text = asked(question, "");
        assert!(text.ends_with(&format!("\n{}\n", rows.join("\n"))), "{question}:\n{text}");
    }
}

fn asked(question: &str, options: &str) -> String {
    let mut program = program(&format!("{question} {options}"));
    results(ran(program.current_dir(folder()).output().expect("the program starts")))
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}
