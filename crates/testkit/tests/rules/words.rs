//! Names and prose use the words of the field, which ARCHITECTURE.md lists, and links in pages lead to files and headings.

use std::fs;
use std::path::{Path, PathBuf};

/// Where the sources and the pages are.
const TOPS: [&str; 13] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "RELEASING.md",
    "SECURITY.md",
    ".github",
    "benches",
    "crates",
    "docs",
    "examples",
    "fuzz",
    "mpi",
    "scripts",
];

/// Words that this project used to have for things that the field has a name for: the word, the one to use, and the files
/// that may still have it. Names count as well: `VoidState` has the word `void`.
const WORDS: &[(&str, &str, &[&str])] = &[
    // Readers of version 1 of the table format, whose headers have these keys.
    (
        "void",
        "invalid",
        &[
            // A type of C.
            "docs/c.md",
            "crates/capi/src/oracle.rs",
            "crates/capi/src/options.rs",
            "crates/python/python/retrograde/_arrow.py",
            "crates/table/FORMAT.md",
            "crates/table/src/header.rs",
            "crates/table/tests/table/golden.rs",
            "crates/witness/src/tally.rs",
        ],
    ),
    (
        "voids",
        "invalid",
        &[
            "crates/table/FORMAT.md",
            "crates/table/src/header.rs",
            "crates/table/tests/table/common/twin.rs",
            "crates/witness/src/table.rs",
        ],
    ),
    (
        "mover",
        "side to move",
        &["crates/table/FORMAT.md", "crates/table/src/header.rs", "crates/witness/src/tally.rs"],
    ),
    (
        "movers",
        "sides",
        &[
            "crates/table/FORMAT.md",
            "crates/table/src/header.rs",
            "crates/table/tests/table/common/twin.rs",
            "crates/witness/src/table.rs",
        ],
    ),
    ("agenda", "pending events", &[]),
    ("playable", "a game", &[]),
    ("finals", "terminal states", &[]),
    ("unmove", "backward move", &[]),
    ("unmoves", "backward moves", &[]),
    ("survey", "classify", &[]),
    ("scouts", "the states to prefetch for", &[]),
    ("redeal", "repartition", &[]),
    ("mended", "corrected", &[]),
    ("whoever", "you, the caller, a thread", &[]),
    ("nobody", "no player, no thread", &["crates/games/src/chase/families.rs"]),
];

/// Words that mean something else elsewhere, and the folders that must not have them.
const WORDS_IN: &[(&str, &str, &[&str])] = &[
    // Elsewhere a draft is a release that is not published yet.
    ("draft", "temporary file", &["crates"]),
    ("drafts", "temporary files", &["crates"]),
    ("mail", "updates", &["crates/core", "crates/disk", "crates/cluster"]),
    ("office", "inboxes", &["crates/disk"]),
    ("shelf", "buffer pool", &["crates/disk"]),
    ("parked", "on disk", &["crates/disk"]),
    ("bell", "notifier", &["crates/disk"]),
    ("clock", "completed level", &["crates/disk"]),
    ("cut", "partition", &["crates/core/src/parts", "crates/disk/src", "crates/cluster/src"]),
    ("carrier", "transport", &["crates/cluster"]),
    ("letter", "message", &["crates/cluster"]),
    ("letters", "messages", &["crates/cluster"]),
    ("pulse", "heartbeat", &["crates/cluster"]),
    ("aside", "piggybacked", &["crates/cluster"]),
    ("dealing", "block partition", &["crates/cluster"]),
    ("dealt", "renumbered, partitioned", &["crates/cluster"]),
    ("round", "superstep", &["crates/cluster/src"]),
];

/// The same for several words in a row.
const PHRASES: &[(&str, &str)] = &[
    ("thousand million", "billion"),
    ("words engine", "bit-parallel engine"),
    ("engine words", "engine bit-parallel"),
    ("Engine::Words", "Engine::BitParallel"),
    ("how states fall", "a summary"),
    ("in letters", "as text"),
    ("un-move", "backward move"),
];

/// Addresses of others, which keep their words.
const ADDRESSES: [&str; 1] = ["https://json-schema.org/draft/2020-12/schema"];

#[test]
fn names_and_prose_use_the_words_of_the_field() {
    let mut found = Vec::new();
    for path in texts() {
        let name =
            path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a text is UTF-8");
        for (number, line) in text.lines().enumerate() {
            let at = format!("{name}:{}", number + 1);
            let line =
                ADDRESSES.iter().fold(line.to_owned(), |line, known| line.replace(known, ""));
            let words = words_of(&line);
            let has = |word: &str| words.iter().any(|found| found == word);
            let everywhere = WORDS.iter().filter(|(.., but)| !but.contains(&&*name));
            let here = WORDS_IN
                .iter()
                .filter(|(.., folders)| folders.iter().any(|folder| name.starts_with(folder)));
            for (word, better, _) in everywhere.chain(here).filter(|(word, ..)| has(word)) {
                found.push(format!("{at}: `{word}`: write `{better}`"));
            }
            for (phrase, better) in PHRASES.iter().filter(|(phrase, _)| line.contains(phrase)) {
                found.push(format!("{at}: `{phrase}`: write `{better}`"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn words_are_found_in_names() {
    assert_eq!(
        words_of("let is_void = IntoVoid(VOID);"),
        ["let", "is", "void", "into", "void", "void"]
    );
    assert_eq!(words_of("// avoid a table's header"), ["avoid", "a", "table", "s", "header"]);
}

#[test]
fn links_in_pages_lead_to_files_and_headings() {
    let pages: Vec<PathBuf> = texts()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    assert!(pages.len() >= 30, "this test has lost sight of the pages");
    for page in &pages {
        let text = fs::read_to_string(page).expect("a page is UTF-8");
        for link in prose(&text).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                page.clone()
            } else {
                page.parent().expect("a page has a folder").join(file)
            };
            assert!(target.exists(), "{}: {link}: there is no such file", page.display());
            if !heading.is_empty() {
                let target = fs::read_to_string(target).expect("a page is UTF-8");
                let found =
                    target.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
                assert!(found, "{}: {link}: there is no such heading", page.display());
            }
        }
    }
}

/// A page without its blocks of code.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let title = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The words of a line in lower case. Names are split where an underscore or a capital letter begins a word.
fn words_of(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut before, mut open) = (' ', false);
    for c in line.chars() {
        if !c.is_alphabetic() {
            open = false;
        } else {
            let begins = c.is_uppercase() && before.is_lowercase();
            if !open || begins {
                words.push(String::new());
            }
            words.last_mut().expect("one was begun").extend(c.to_lowercase());
            open = true;
        }
        before = c;
    }
    words
}

/// All sources and pages, without records, golden files and this test.
fn texts() -> Vec<PathBuf> {
    const ENDS: [&str; 12] =
        ["rs", "md", "py", "pyi", "js", "css", "html", "json", "toml", "yml", "txt", "expected"];
    const SKIPPED: [&str; 5] = ["target", "record", "golden", "corpus", "node_modules"];
    let mut found = Vec::new();
    let mut left: Vec<PathBuf> = TOPS.iter().map(|top| root().join(top)).collect();
    while let Some(path) = left.pop() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !SKIPPED.contains(&&*name) && !name.starts_with('.') || name == ".github" {
                left.extend(
                    fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()),
                );
            }
        } else if path.extension().is_some_and(|end| ENDS.iter().any(|known| end == *known))
            && !path.ends_with("testkit/tests/rules/words.rs")
            && !path.ends_with("benches/NOTES.md")
        {
            found.push(path);
        }
    }
    assert!(found.len() >= 300, "this test has lost sight of the sources");
    found
}

fn root() -> &'static Path {
    // Two folders above the crate.
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies in crates/")
}
