//! Bad input gives one clear message that names the file, the line and what to do. The command leaves no half-written
//! file and does not panic.

use crate::{Ran, run, run_on, write_file};

/// The command fails with one message that contains all of these texts.
fn refused(ran: &Ran, holds: &[&str]) {
    assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{}", ran.err);
    assert!(ran.err.starts_with("error: "), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "one message: {}", ran.err);
    for part in holds {
        assert!(ran.err.contains(part), "`{part}` is missing: {}", ran.err);
    }
}

#[test]
fn a_missing_file_is_named() {
    for check in ["solve", "line", "verify --rules", "verify"] {
        let ran = run(&format!("{check} pursuit no/such/board.txt"));
        refused(&ran, &["no/such/board.txt", "`-`"]);
    }
    refused(&run("solve graph ."), &["error: .: "]);
}

#[test]
fn a_file_that_is_no_text_is_named_with_the_line() {
    write_file("no-text.txt", b"P.T\n.\xff.\n");
    let ran = run("solve pursuit no-text.txt");
    refused(&ran, &["no-text.txt", "line 2", "UTF-8"]);
}

#[test]
fn bad_boards_are_refused() {
    for (name, board, options, holds) in [
        ("ragged", "P..\n..\n..T\n", "", &["line 2"][..]),
        ("empty", "", "", &[]),
        ("blank", "\n\n", "", &[]),
        ("two-police", "P.P\n..T\n", "", &["police"]),
        ("two-thieves", "P.T\n..T\n", "", &["line 2", "thief"]),
        ("one-of-two-police", "P..\n..T\n", "--police 2", &["police"]),
        ("letters", "P.T\n.x.\n", "", &["line 2", "'x'"]),
        ("promised", "2 4\nP.T\n...\n", "", &["line"]),
        ("too-few-rows", "3 3\nP.T\n...\n", "", &["line 1"]),
        ("overflow", "99999999999999999999 3\nP.T\n", "", &["line 1"]),
        ("zero", "0 0\n", "", &["line 1"]),
        ("police-none", "P.T\n", "--police 0", &["police"]),
        ("police-many", "P.T\n", "--police 4000000000", &["police"]),
    ] {
        let name = format!("board-{name}.txt");
        write_file(&name, board);
        let ran = run(&format!("solve pursuit {name} {options}"));
        refused(&ran, &[&[name.as_str()], holds].concat());
    }
}

#[test]
fn bad_graphs_are_refused() {
    for (name, graph, holds) in [
        ("empty", "", &[][..]),
        ("comment", "# nothing\n", &[]),
        ("three-words", "a b\na b c\n", &["line 2"]),
        ("one-word", "a\n", &["line 1"]),
        ("value-unknown", "a b\n= b lost\n", &["line 2"]),
        ("valued-and-moving", "a b\n= a win\n", &["line"]),
        ("valued-twice", "a b\n= b win\n= b loss\n", &["line 3"]),
        ("dot-cut-short", "digraph g {\n a -> b\n", &[]),
        ("dot-undirected", "graph g {\n a -- b\n}\n", &["line"]),
    ] {
        let name = format!("graph-{name}.txt");
        write_file(&name, graph);
        refused(&run(&format!("solve graph {name}")), &[&[name.as_str()], holds].concat());
    }
}

#[test]
fn bad_chases_are_refused() {
    for (name, graph, holds) in [
        ("empty", "", &[][..]),
        ("three-words", "a b\na b c\n", &["line 2"]),
        ("unknown-start", "a b\npolice z\n", &["line 2"]),
        ("two-police", "a b\npolice a\npolice b\nthief a\n", &["police"]),
        ("two-thieves", "a b\npolice a\nthief b\nthief a\n", &["line 4"]),
    ] {
        let name = format!("chase-{name}.txt");
        write_file(&name, graph);
        refused(&run(&format!("solve chase {name}")), &[&[name.as_str()], holds].concat());
    }
}

#[test]
fn standard_input_is_named_as_such() {
    refused(&run_on("solve pursuit -", "P.T\n.\n"), &["standard input", "line 2"]);
}

#[test]
fn heaps_and_boards_of_impossible_size_are_refused() {
    for game in [
        "take --heaps 4294967295,4294967295,4294967295 --take 1",
        "take --heaps 3 --take 0",
        "corner --piece queen --rows 0 --columns 3",
        "corner --piece queen --rows 4294967295 --columns 4294967295",
    ] {
        let ran = run(&format!("solve {game}"));
        assert_eq!((ran.status, &*ran.out), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(&game[..4]), "{}", ran.err);
    }
    refused(&run("solve corner --piece king --rows 1000000000 --columns 1000000000"), &["memory"]);
    refused(&run("board --rows 0 --columns 3"), &["row"]);
    refused(&run("board --rows 3 --columns 3 --exits 9"), &["exits"]);
    refused(&run("board --rows 4294967295 --columns 4294967295"), &["board"]);
}

#[test]
fn a_state_that_is_none_is_refused() {
    let board = "P.T\n.*.\n";
    for state in ["police", "police0,0", "thief-9,9"] {
        refused(&run_on(&format!("solve pursuit - --from {state}"), board), &["--from", state]);
        refused(&run_on(&format!("line pursuit - --from {state}"), board), &["--from", state]);
    }
    refused(&run("line take --heaps 5 --take 1 --from 6"), &["--from 6"]);
    refused(&run_on("line graph - --from z", "a b\n"), &["--from z"]);
}
