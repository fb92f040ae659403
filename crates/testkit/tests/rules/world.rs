//! Games and families are one world: one description, one kind of parameter, one oracle, and few methods to write. There were two,
//! each with its own types for the same things.

use std::collections::BTreeMap;
use std::fs;

use crate::tidy::{root, sources_under};

/// Names of the second world, and names that said nothing of what they named.
const GONE: [&str; 15] = [
    "AnyGame",
    "Answered",
    "Answering",
    "Answers",
    "Asked",
    "FamilyVisitor",
    "GameSpec",
    "Host",
    "Of",
    "Opened",
    "Origin",
    "Targets",
    "Told",
    "compiled_here",
    "renamed",
];

/// The name of the type, trait, module or macro that a line defines.
fn defined(line: &str) -> Option<&str> {
    const KINDS: [&str; 6] = ["struct ", "enum ", "trait ", "type ", "mod ", "macro_rules! "];
    let line = line.trim_start();
    let item = match line.strip_prefix("pub") {
        Some(rest) => rest.split_once(' ')?.1,
        None => line,
    };
    let rest = KINDS.iter().find_map(|kind| item.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
}

#[test]
fn names_of_the_second_world_are_gone() {
    let mut definitions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for top in ["crates", "mpi", "wasm"] {
        for path in sources_under(&root().join(top)) {
            let place = path.display().to_string();
            if !place.contains("/src/") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a source file can be read");
            for name in text.lines().filter_map(defined) {
                definitions.entry(name.to_owned()).or_default().push(place.clone());
            }
        }
    }
    assert!(definitions.len() > 500, "this rule has lost sight of the sources");
    for name in GONE {
        assert_eq!(definitions.get(name), None, "{name}");
    }
    // One name, one type. There were four.
    let solved = definitions.get("Solved").map_or(0, Vec::len);
    assert!(solved <= 1, "{:?}", definitions["Solved"]);
}

/// The traits that a game or a family implements: the file and the name of each.
const TRAITS: [(&str, &str); 3] = [
    ("crates/games/src/solvable.rs", "Solvable"),
    ("crates/regions/src/family.rs", "Family"),
    ("crates/regions/src/tablebase.rs", "FamilyTexts"),
];

/// The most methods that they have together. What people see of a game, its `Positions`, has a limit of its own.
const METHODS_MAX: usize = 25;
const POSITIONS: (&str, &str) = ("crates/positions/src/positions.rs", "Positions");
const POSITIONS_MAX: usize = 13;

/// The code of a trait.
fn code_of((file, name): (&str, &str)) -> String {
    let text =
        fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let (_, rest) =
        text.split_once(&format!("\npub trait {name}")).unwrap_or_else(|| panic!("{file}: {name}"));
    let (code, _) = rest.split_once("\n}\n").expect("a trait ends");
    let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

fn methods(code: &str) -> usize {
    code.lines().filter(|line| line.starts_with("    fn ")).count()
}

#[test]
fn a_game_and_a_family_implement_few_methods() {
    let traits = TRAITS.map(code_of);
    let counts = traits.each_ref().map(|code| methods(code));
    assert!(
        counts.iter().all(|count| *count > 0),
        "this rule has lost sight of a trait: {counts:?}"
    );
    let all: usize = counts.iter().sum();
    assert!(all <= METHODS_MAX, "{all} methods: {counts:?}");
    let positions = code_of(POSITIONS);
    assert!((1..=POSITIONS_MAX).contains(&methods(&positions)), "{}", methods(&positions));
    // A method that not all can answer is an `Option`, or it belongs to another trait.
    for code in traits.iter().chain([&positions]) {
        for word in ["panic!", "unreachable!", "unimplemented!", "todo!", ".expect(", ".unwrap()"] {
            assert!(!code.contains(word), "a default that panics: `{word}`");
        }
    }
}

/// A reader follows a solve from the command line to core and back through few files.
#[test]
fn a_solve_passes_few_files() {
    const FILES_MAX: usize = 15;
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a page");
    let (_, table) =
        page.split_once("passes these files before and after core:\n\n").expect("a table");
    let (table, _) = table.split_once("\n\n").expect("the table ends");
    let files: Vec<&str> = table.split('`').filter(|word| word.ends_with(".rs")).collect();
    assert!((8..=FILES_MAX).contains(&files.len()), "{} files", files.len());
    for file in files {
        assert!(root().join(file).is_file(), "{file}");
    }
}
