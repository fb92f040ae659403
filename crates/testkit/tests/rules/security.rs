//! Each sentence of SECURITY.md has a test, which `security.txt` names. So a new promise needs a new test.

use std::collections::BTreeSet;
use std::fs;

use crate::tidy::{root, sources};

/// The sentences of the document, up to how to report. Each stands on its own, without marks.
fn sentences(document: &str) -> Vec<String> {
    let (promises, _) = document.split_once("## How to report").expect("it says how to report");
    let mut paragraphs = vec![String::new()];
    for line in promises.lines() {
        let (item, text) = match line.strip_prefix("* ") {
            Some(text) => (true, text),
            None => (line.is_empty() || line.starts_with('#'), line),
        };
        if item {
            paragraphs.push(String::new());
        }
        if !line.starts_with('#') {
            let last = paragraphs.last_mut().expect("there is one");
            last.push_str(text);
            last.push(' ');
        }
    }
    let mut all = Vec::new();
    for paragraph in paragraphs {
        let mut sentence = String::new();
        for word in paragraph.split_whitespace() {
            sentence.push_str(word);
            if word.ends_with(['.', ':']) {
                all.push(std::mem::take(&mut sentence));
            } else {
                sentence.push(' ');
            }
        }
        assert!(sentence.is_empty(), "a sentence without an end: {sentence}");
    }
    all
}

#[test]
fn each_promise_has_a_test() {
    let document = fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md");
    let list = include_str!("security.txt");
    let mut listed = BTreeSet::new();
    for line in list.lines() {
        let (sentence, tests) = line.split_once(" | ").expect("a sentence and its tests");
        assert!(listed.insert(sentence.to_owned()), "twice: {sentence}");
        // A sentence that promises nothing says so.
        for test in tests.split(", ").filter(|tests| *tests != "no promise") {
            let (path, name) = test.split_once("::").expect("a file and a test in it");
            let source = fs::read_to_string(root().join(path));
            let source = source.unwrap_or_else(|error| panic!("{path}: {error}"));
            let place = source.find(&format!("fn {name}("));
            let place = place.unwrap_or_else(|| panic!("{path} has no {name}"));
            // The name of a fuzz target is `fuzz`.
            let before = source[..place].trim_end();
            let last = before.lines().last().unwrap_or_default().trim();
            assert!(last == "#[test]" || path.starts_with("fuzz/"), "{test} is no test");
        }
    }
    let sentences: BTreeSet<String> = sentences(&document).into_iter().collect();
    let new: Vec<_> = sentences.difference(&listed).collect();
    assert!(new.is_empty(), "name a test for these in security.txt: {new:#?}");
    let gone: Vec<_> = listed.difference(&sentences).collect();
    assert!(gone.is_empty(), "SECURITY.md does not say these: {gone:#?}");
}

/// Crates that read what strangers wrote, and what their code may not name. Only three of them open files. One file of the
/// witness starts `curl`, for a URL that its user gives.
#[test]
fn readers_run_nothing_and_connect_to_nothing() {
    let readers = ["table", "witness", "games", "described", "boards", "positions", "core"];
    let opens = ["table", "witness", "core"];
    for path in sources() {
        let relative = path.strip_prefix(root()).expect("it is below the root").to_string_lossy();
        let mut parts = relative.split('/');
        let (Some("crates"), Some(name), Some("src")) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let connects = relative == "crates/witness/src/remote.rs";
        if !readers.contains(&name) || relative.contains("/tests") || connects {
            continue;
        }
        let source = fs::read_to_string(&path).expect("a source");
        let (code, _) = source.split_once("#[cfg(test)]").unwrap_or((&source, ""));
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in lines {
            for word in ["process::Command", "Command::new", "std::net", "TcpStream", "UdpSocket"] {
                assert!(!line.contains(word), "{relative}: {line}");
            }
            let file = line.contains("File::open") || line.contains("fs::read");
            assert!(!file || opens.contains(&name), "{relative}: {line}");
        }
    }
}
