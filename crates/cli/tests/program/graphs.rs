//! The program reads and solves graphs, and chases on graphs.

use serde_json::{Value as Json, json};

use crate::{results, run_on};

#[test]
fn a_graph_is_listed_vertex_by_vertex() {
    let graph = "a b\nb a  # round and round\nb c\nc d\n= e win\nd e\n";
    let mut lines: Vec<String> =
        results(run_on("list graph -", graph)).lines().map(str::to_owned).collect();
    lines.sort();
    // The player to move wins in e, so d is lost and c is won. The best move of b is a.
    assert_eq!(lines, ["a\tdraw\t-", "b\tdraw\t-", "c\twin\t2", "d\tloss\t1", "e\twin\t0"]);
}

#[test]
fn a_vertex_without_moves_loses_or_wins_in_misere_play() {
    for (arguments, expected) in [("", "a\twin\t1"), ("--misere", "a\tloss\t1")] {
        let list = results(run_on(&format!("list graph - {arguments}"), "a b\n"));
        assert!(list.lines().any(|line| line == expected), "{list}");
    }
}

#[test]
fn dot_is_read_as_well() {
    let list = results(run_on("list graph -", "digraph g {\n  a -> b -> c;\n}\n"));
    assert!(list.lines().any(|line| line == "a\tloss\t2"), "{list}");
}

#[test]
fn a_cycle_of_four_takes_two_police() {
    let cycle = "a b\nb c\nc d\nd a\n";
    for (police, word, catch) in [(1, "the thief can escape", false), (2, "catch the thief", true)]
    {
        let out = results(run_on(&format!("solve chase - --police {police}"), cycle));
        assert!(out.lines().last().is_some_and(|line| line.contains(word)), "{out}");
        let text = results(run_on(&format!("solve chase - --json --police {police}"), cycle));
        let object: Json = serde_json::from_str(&text).expect("one JSON object");
        assert_eq!(object["police_first"] != json!(null), catch);
    }
}

#[test]
fn a_chase_starts_where_the_file_says() {
    let out = results(run_on("solve chase -", "a b\nb c\npolice a\nthief c\n"));
    assert!(out.starts_with("WIN in 3 plies for police, from police a c\n"), "{out}");
}
