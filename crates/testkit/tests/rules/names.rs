//! Each public name of `core`, `boards` and `table` stands in `names.txt` with the reason why it is public, and with a file whose code uses
//! it and runs: an example of the documentation, an example or a test. A type that users get and never name stands with the name that
//! gives it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names that a source makes public: those of `pub use`, and its own items at the left margin.
fn names_of(source: &str, before: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in source.split(';') {
        let Some((_, used)) = line.split_once("pub use ") else { continue };
        let used = used.rsplit("::").next().unwrap_or(used);
        let used = used.split(|c: char| !c.is_alphanumeric() && c != '_');
        names.extend(used.filter(|name| !name.is_empty()).map(|name| format!("{before}::{name}")));
    }
    for line in source.lines() {
        let item = ["fn ", "struct ", "enum ", "trait ", "type "]
            .iter()
            .find_map(|kind| line.strip_prefix("pub ").and_then(|line| line.strip_prefix(kind)));
        let name = item.and_then(|item| item.split(['<', '(', ' ', ':', ';']).next());
        names.extend(name.map(|name| format!("{before}::{name}")));
    }
    names
}

/// The public names of the three crates. Modules that are hidden from the documentation are left out.
fn public_names() -> BTreeSet<String> {
    let core = text("crates/core/src/lib.rs");
    let (before, rest) = core.split_once("pub mod bit_parallel {").expect("it has this module");
    let (words, rest) = rest.split_once("\n}\n").expect("the module ends");
    let (_, after) = rest.split_once("\n}\n").expect("the hidden module ends");
    let mut names = names_of(before, "retrograde");
    names.extend(names_of(words, "retrograde::bit_parallel"));
    names.extend(names_of(after, "retrograde"));
    for module in ["adapters", "checks", "parts"] {
        let source = text(&format!("crates/core/src/{module}/mod.rs"));
        names.extend(names_of(&source, &format!("retrograde::{module}")));
    }
    names.extend(names_of(&text("crates/core/src/play.rs"), "retrograde::play"));
    names.extend(names_of(&text("crates/boards/src/lib.rs"), "retrograde_boards"));
    names.extend(names_of(&text("crates/table/src/lib.rs"), "retrograde_table"));
    names.extend(["retrograde::forward", "retrograde_boards::forward"].map(String::from));
    names.into_iter().collect()
}

/// The code of a file that runs: all of an example or a test, and the examples in the comments of a source.
fn code(path: &str) -> String {
    let text = text(path);
    let is_source = ["core", "boards", "table"].map(|name| format!("crates/{name}/src/"));
    if !is_source.iter().any(|folder| path.starts_with(folder)) {
        return text;
    }
    let mut inside = false;
    let mut code = String::new();
    for line in text.lines().map(str::trim_start) {
        let Some(line) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            inside = false;
            continue;
        };
        match line.trim_start().starts_with("```") {
            true => inside = !inside,
            false if inside => code += &format!("{line}\n"),
            false => {}
        }
    }
    code
}

#[test]
fn each_public_name_has_a_reason_and_an_example_that_runs() {
    let list = text("crates/testkit/tests/rules/names.txt");
    let mut listed = BTreeSet::new();
    for line in list.lines() {
        let columns: Vec<&str> = line.split(" | ").collect();
        let [name, reason, example] = columns[..] else { panic!("{line}: not three columns") };
        assert!(!reason.is_empty() && listed.insert(name.to_owned()), "{line}");
        if let Some(giver) = example.strip_prefix("by ") {
            assert!(list.contains(&format!("{giver} | ")), "{line}: {giver} is not in the list");
            continue;
        }
        let short = name.rsplit("::").next().expect("a name has a last part");
        let code = code(example);
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        assert!(words.any(|word| word == short), "{example} does not use {name}");
    }
    let public = public_names();
    let new: Vec<_> = public.difference(&listed).collect();
    assert!(new.is_empty(), "add these to names.txt, or do not make them public: {new:#?}");
    let gone: Vec<_> = listed.difference(&public).collect();
    assert!(gone.is_empty(), "these are no longer public: remove them from names.txt: {gone:#?}");
}
