//! Certificates of random graphs. The checker here knows the edges and nothing else. `scripts/certificates` tries the one in
//! Python, which people use, and forges certificates of eleven games.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use std::fs;

use retrograde_testkit::{Rng, seed};

use crate::{home, results, run};

type Graph = BTreeMap<String, Vec<String>>;
/// The position, and whether its row names a move.
type Key = (String, bool);

/// Each row of a part: its distance and its move.
fn parts(text: &str) -> HashMap<String, HashMap<Key, (String, String)>> {
    let mut parts: HashMap<String, HashMap<Key, _>> = HashMap::new();
    let mut part = "";
    for line in text.lines().skip(4).filter(|line| !line.starts_with("crc32")) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[0] == "rows" {
            part = fields[2];
            parts.entry(part.into()).or_default();
        } else {
            let key = (fields[0].to_owned(), !fields[2].is_empty());
            let row = (fields[1].to_owned(), fields[2].to_owned());
            assert!(
                parts.get_mut(part).unwrap().insert(key, row).is_none(),
                "{line} is there twice"
            );
        }
    }
    parts
}

/// Follows a part from its start. `good_end` says whether an end is good for its statement, and `follows` whether a distance follows
/// from the next one.
fn check(
    graph: &Graph,
    rows: &HashMap<Key, (String, String)>,
    first: Key,
    good_end: impl Fn(&Key, u32) -> bool,
    follows: impl Fn(u32, u32) -> bool,
) {
    let (mut left, mut seen) = (vec![first], HashSet::new());
    while let Some(key) = left.pop() {
        if !seen.insert(key.clone()) {
            continue;
        }
        let (distance, played) = rows.get(&key).unwrap_or_else(|| panic!("{key:?} has no row"));
        let plies = distance.parse().unwrap_or(0);
        let to: Vec<&String> = graph[&key.0].iter().filter(|to| !key.1 || *to == played).collect();
        assert!(!to.is_empty(), "{key:?} has no such move");
        for to in to {
            let next = (to.clone(), !key.1);
            if graph[to].is_empty() {
                assert!(good_end(&next, plies), "{key:?} leads to {next:?}");
            } else if let Some((after, _)) = rows.get(&next) {
                assert!(follows(plies, after.parse().unwrap_or(0)), "{key:?} leads to {next:?}");
                left.push(next);
            } else {
                // The loser who needs to last no longer needs no row.
                assert!(distance != "-" && follows(plies, 0), "{key:?} leads to {next:?}");
            }
        }
    }
    assert_eq!(seen.len(), rows.len(), "rows that no play reaches");
}

#[test]
fn certificates_of_random_graphs_prove_what_the_solver_says() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    let mut proved: BTreeMap<String, u32> = BTreeMap::new();
    for round in 0..60 {
        let vertices = 2 + rng.below(24);
        let mut graph = Graph::new();
        let mut text = String::new();
        for from in 0..vertices {
            graph.entry(format!("v{from}")).or_default();
            let count = if rng.chance(25) && from > 0 { 0 } else { 1 + rng.below(3) };
            let mut to: Vec<u64> = (0..count).map(|_| rng.below(vertices)).collect();
            to.sort_unstable();
            to.dedup();
            for to in to {
                writeln!(text, "v{from} v{to}").unwrap();
                graph.entry(format!("v{from}")).or_default().push(format!("v{to}"));
                graph.entry(format!("v{to}")).or_default();
            }
        }
        fs::write(home().join("certificate.graph"), &text).unwrap();
        let said = results(run("certificate graph certificate.graph"));
        let head: Vec<&str> = said.lines().take(4).collect();
        assert_eq!(head[..3], ["retrograde certificate\t1", "game\tgraph", "start\tv0"]);
        results(run("solve graph certificate.graph --out certificate.table --force --quiet"));
        let solved = results(run("probe certificate.table v0 --json"));
        let value: Vec<&str> = head[3].split('\t').collect();
        let context = format!("seed {seed}, round {round}:\n{text}{said}");
        assert!(solved.contains(&format!("\"value\":\"{}\"", value[1])), "{solved}{context}");
        let parts = parts(&said);
        let start = |names| ("v0".to_owned(), names);
        match value[1] {
            "draw" => {
                // A player without a move has lost. That is never the one whose part it is.
                let good = |end: &Key, _| !end.1;
                check(&graph, &parts["safe for the player to move"], start(true), good, |_, _| {
                    true
                });
                check(&graph, &parts["safe for the other player"], start(false), good, |_, _| true);
            }
            word => {
                let (wins, plies) = (word == "win", value[2].parse::<u32>().unwrap());
                let within = &parts["within"];
                assert!(plies == 0 || within[&start(wins)].0 == value[2], "{context}");
                assert!(solved.contains(&format!("\"distance\":{plies}")), "{solved}{context}");
                if plies > 0 {
                    check(
                        &graph,
                        within,
                        start(wins),
                        |end, plies| !end.1 && plies >= 1,
                        |at, after| after < at && after > 0,
                    );
                    let good = |end: &Key, plies: u32| !end.1 || plies <= 1;
                    check(&graph, &parts["at least"], start(!wins), good, |at, after| {
                        after + 1 >= at
                    });
                }
            }
        }
        *proved.entry(value[1].into()).or_default() += 1;
    }
    assert!(proved.len() == 3, "{proved:?}");
}
