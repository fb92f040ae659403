//! Each record says when and how it was measured, and the figures of the README are those of the newest record.

use std::fs;
use std::path::{Path, PathBuf};

use retrograde_benches::records::{HEAD, Record};

/// The rows of the README, and what the record calls them.
const ROWS: [(&str, &str); 6] = [
    ("textbook program", "textbook, no distances"),
    ("scalar engine, 1 thread", "a state at a time, 1 thread"),
    ("scalar engine, 2 threads", "a state at a time, 2 threads"),
    ("bit-parallel engine, 1 thread", "retrograde, 1 thread"),
    ("bit-parallel engine, 2 threads", "retrograde, 2 threads"),
    ("bit-parallel engine, 1 thread, no distances", "  without distances"),
];

/// Seven records lacked a commit, although the page said that each has one.
#[test]
fn each_record_has_a_date_a_processor_a_compiler_and_a_commit() {
    let records = records();
    assert!(records.len() >= 10, "this test has lost sight of the records");
    for path in records {
        let text = fs::read_to_string(&path).expect("a record can be read");
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let all = format!("{name}\n{text}");
        assert!(has(&all, "20", 10, is_date), "{name} has no date");
        assert!(all.contains("AMD") || all.contains("Intel"), "{name} has no processor");
        assert!(has(&all, "rustc ", 6, |_| true), "{name} has no compiler");
        let commits = ["commit ", "commit: "];
        assert!(commits.iter().any(|word| has(&all, word, 7, is_hash)), "{name} has no commit");
    }
}

/// Whether the word stands somewhere, and so many bytes from it on, or after a word that is a label, satisfy a
/// condition.
fn has(text: &str, word: &str, len: usize, is: impl Fn(&str) -> bool) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let from = if word.ends_with(' ') { at + word.len() } else { at };
        text.get(from..from + len).is_some_and(&is)
    })
}

fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len()).all(|at| match at {
        4 | 7 => bytes[at] == b'-',
        _ => bytes[at].is_ascii_digit(),
    })
}

fn is_hash(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The figures of the README were 668 commits old.
#[test]
fn the_readme_shows_the_newest_ratios() {
    let newest = records().into_iter().filter(|path| path.to_string_lossy().contains("/ratios-"));
    let newest = newest.max().expect("there is a record");
    let record = fs::read_to_string(&newest).expect("a record can be read");
    let (board, graph) = record.split_once("random graph").expect("two measurements");
    let [readme, engines] = ["README.md", "docs/engines.md"]
        .map(|page| fs::read_to_string(root().join(page)).expect("a page can be read"));
    let link = format!("(benches/record/{})", newest.file_name().unwrap().to_string_lossy());
    assert!(readme.contains(&link), "README.md does not lead to {link}");
    for (row, name) in ROWS {
        let figures = Figures::of(board, name);
        let row = format!(
            "| {row} | {} | {:.0}x | {:.0} MB |\n",
            figures.seconds, figures.faster, figures.megabytes
        );
        assert!(readme.contains(&row), "README.md lacks {row}");
    }
    for (_, name) in [ROWS[0], ROWS[1], ROWS[3]] {
        let figures = Figures::of(board, name);
        let told = format!("{} s and {:.0} MB", figures.seconds, figures.megabytes);
        // The lines of a page may end anywhere.
        let words = engines.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&told), "docs/engines.md lacks {told}");
    }
    for name in ["textbook, no distances", "retrograde, 2 threads"] {
        let seconds: f64 = Figures::of(graph, name).seconds.parse().expect("a number");
        assert!(readme.contains(&format!(" {seconds:.1} s")), "README.md lacks {seconds:.1} s");
    }
}

/// `scripts/records --keep` measures them, and this says where they must stand.
#[test]
fn the_pages_show_the_records_of_famous_games() {
    let [page, readme] = ["benches/README.md", "README.md"]
        .map(|page| fs::read_to_string(root().join(page)).expect("a page can be read"));
    let records = Record::all().expect("the records can be read");
    assert!(page.contains(HEAD), "benches/README.md lacks the head of the records");
    for record in &records {
        assert_eq!(record.differences(&record.0["measured"]), [""; 0], "{}", record.name());
        assert!(page.contains(&record.row()), "benches/README.md lacks {}", record.row());
    }
    let dobutsu = records.iter().find(|record| record.name() == "dobutsu").expect("a record");
    let measured = |key: &str| dobutsu.0["measured"][key].as_f64().expect("it was measured");
    let told = format!(
        "in {:.0} seconds of processor time and {:.1} GB",
        measured("processor_seconds"),
        measured("peak_mb") / 1e3
    );
    let words = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&told), "README.md lacks {told}");
}

#[test]
fn a_run_that_finds_other_counts_or_writes_another_table_is_told() {
    let records = Record::all().expect("the records can be read");
    let dobutsu = records.iter().find(|record| record.name() == "dobutsu").expect("a record");
    for key in ["win", "loss", "draw", "longest", "sha256"] {
        let mut measured = dobutsu.0["measured"].clone();
        measured[key] = 1.into();
        let wrong = dobutsu.differences(&measured);
        assert!(wrong.iter().any(|line| line.starts_with(key)), "{key}: {wrong:?}");
    }
}

/// A line of a record.
struct Figures {
    /// As it stands there.
    seconds: String,
    faster: f64,
    megabytes: f64,
}

impl Figures {
    fn of(text: &str, name: &str) -> Figures {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name}  ")));
        let line = line.unwrap_or_else(|| panic!("the record has no line of {name}"));
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |word: &str| word.trim_end_matches('x').parse().expect("a number");
        Figures {
            seconds: words[0].to_owned(),
            faster: number(words[1]),
            megabytes: number(words[2]),
        }
    }
}

/// All records but the plots.
fn records() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("benches/record")).expect("there are records");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let mut records: Vec<_> = paths.filter(|path| path.extension().unwrap() != "svg").collect();
    records.sort();
    records
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
