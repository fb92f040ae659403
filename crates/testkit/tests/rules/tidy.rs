//! Rules that the compiler does not check: which crate may use which, how a file must begin, what core must
//! never do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each crate, and the crates of this repository that it may use, directly or through others. Tests may use
/// any crate.
const ARROWS: &[(&str, &[&str])] = &[
    ("retrograde", &[]),
    ("retrograde-boards", &[]),
    ("retrograde-positions", &["retrograde"]),
    ("retrograde-described", &["retrograde", "retrograde-boards", "retrograde-positions"]),
    (
        "retrograde-games",
        &["retrograde", "retrograde-boards", "retrograde-described", "retrograde-positions"],
    ),
    ("retrograde-picture", &["retrograde", "retrograde-positions"]),
    (
        "retrograde-play",
        &["retrograde", "retrograde-catalog", "retrograde-picture", "retrograde-positions"],
    ),
    ("retrograde-files", &["retrograde"]),
    ("retrograde-table", &["retrograde", "retrograde-files"]),
    (
        "retrograde-regions",
        &[
            "retrograde",
            "retrograde-disk",
            "retrograde-files",
            "retrograde-positions",
            "retrograde-table",
        ],
    ),
    (
        "retrograde-catalog",
        &[
            "retrograde",
            "retrograde-games",
            "retrograde-positions",
            "retrograde-table",
            "retrograde-regions",
            "retrograde-chess",
            "retrograde-morris",
        ],
    ),
    (
        "retrograde-capi",
        &["retrograde", "retrograde-catalog", "retrograde-games", "retrograde-table"],
    ),
    (
        "retrograde-answers",
        &[
            "retrograde",
            "retrograde-catalog",
            "retrograde-chess",
            "retrograde-games",
            "retrograde-positions",
            "retrograde-regions",
            "retrograde-table",
        ],
    ),
    (
        "retrograde-chess",
        &["retrograde", "retrograde-positions", "retrograde-table", "retrograde-regions"],
    ),
    (
        "retrograde-morris",
        &[
            "retrograde",
            "retrograde-boards",
            "retrograde-positions",
            "retrograde-table",
            "retrograde-regions",
        ],
    ),
    ("retrograde-disk", &["retrograde", "retrograde-files", "retrograde-table"]),
    (
        "retrograde-cluster",
        &[
            "retrograde",
            "retrograde-games",
            "retrograde-catalog",
            "retrograde-disk",
            "retrograde-files",
            "retrograde-table",
            "retrograde-regions",
            "retrograde-chess",
            "retrograde-morris",
        ],
    ),
    (
        "retrograde-cli",
        &[
            "retrograde",
            "retrograde-disk",
            "retrograde-files",
            "retrograde-games",
            "retrograde-positions",
            "retrograde-picture",
            "retrograde-play",
            "retrograde-table",
            "retrograde-catalog",
            "retrograde-regions",
            "retrograde-uci",
        ],
    ),
    ("retrograde-uci", &["retrograde", "retrograde-chess"]),
    (
        "retrograde-python",
        &[
            "retrograde",
            "retrograde-chess",
            "retrograde-files",
            "retrograde-games",
            "retrograde-positions",
            "retrograde-picture",
            "retrograde-catalog",
            "retrograde-regions",
            "retrograde-table",
        ],
    ),
    (
        "retrograde-server",
        &[
            "retrograde",
            "retrograde-answers",
            "retrograde-chess",
            "retrograde-games",
            "retrograde-positions",
            "retrograde-catalog",
            "retrograde-files",
            "retrograde-regions",
            "retrograde-table",
        ],
    ),
    ("retrograde-witness", &["retrograde", "retrograde-games"]),
    ("retrograde-testkit", &["retrograde", "retrograde-files"]),
    (
        "retrograde-benches",
        &[
            "retrograde",
            "retrograde-boards",
            "retrograde-described",
            "retrograde-positions",
            "retrograde-games",
            "retrograde-picture",
            "retrograde-table",
            "retrograde-regions",
            "retrograde-chess",
            "retrograde-disk",
            "retrograde-morris",
        ],
    ),
];

/// The folders of the program `retrograde`, from the lowest to the highest. A file uses its own layer and
/// lower layers only.
const LAYERS: [&str; 4] = ["term", "report", "source", "commands"];

/// The crates that may have unsafe code: hot loops with a measured gain, and the pointers of C.
const UNSAFE_ALLOWED: &[&str] = &["retrograde", "retrograde-capi"];

/// A longer file holds more than one technique.
const LINES_MAX: usize = 500;

#[test]
fn crates_use_each_other_along_the_arrows() {
    for manifest in manifests() {
        let name = manifest.name();
        let (_, allowed) = ARROWS
            .iter()
            .find(|(each, _)| *each == name)
            .unwrap_or_else(|| panic!("{name} is new: add it to ARROWS"));
        for used in manifest.keys("dependencies").filter(|key| key.starts_with("retrograde")) {
            assert!(
                allowed.contains(&&*used),
                "{name} uses {used}, but ARROWS does not allow that"
            );
        }
    }
}

#[test]
fn core_depends_on_five_crates_alone() {
    let core = manifests().into_iter().find(|manifest| manifest.name() == "retrograde");
    let used: BTreeSet<String> = core.expect("there is a core").keys("dependencies").collect();
    let wanted = ["bitvec", "memmap2", "rayon", "xxhash-rust", "zerocopy"].map(String::from);
    assert_eq!(used, BTreeSet::from(wanted));
}

#[test]
fn versions_and_lints_stand_in_the_root_manifest() {
    // The benches are a workspace of their own, so they have no root manifest to take these from.
    for manifest in manifests().iter().filter(|manifest| manifest.name() != "retrograde-benches") {
        let name = manifest.name();
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for line in manifest.section(section) {
                let from_root =
                    line.contains("workspace = true") || line.starts_with(['}', ']', ' ']);
                assert!(from_root, "{name} gives its own version: {line}");
            }
        }
        let lints: Vec<&str> = manifest.section("lints").collect();
        assert_eq!(lints, ["workspace = true"], "{name} has its own lints");
    }
}

#[test]
fn what_is_published_can_be_judged_by_its_page() {
    let published = manifests();
    let published = published.iter().filter(|manifest| !manifest.text.contains("publish = false"));
    for manifest in published {
        let directory = manifest.path.parent().expect("a manifest lies in a directory");
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            let text = fs::read_to_string(directory.join(file)).unwrap_or_default();
            assert!(text.len() > 200, "{} has no {file}", manifest.name());
        }
        let package: Vec<&str> = manifest.section("package").collect();
        for key in
            ["description", "keywords", "categories", "license", "repository", "rust-version"]
        {
            assert!(
                package.iter().any(|line| line.starts_with(key)),
                "{} says no {key}",
                manifest.name()
            );
        }
    }
}

#[test]
fn files_open_by_saying_what_they_are() {
    for file in sources() {
        let text = fs::read_to_string(&file).expect("a source file can be read");
        assert!(text.starts_with("//! "), "{} does not begin with `//!`", file.display());
    }
}

#[test]
fn files_can_be_read_in_one_sitting() {
    for file in sources() {
        let lines = fs::read_to_string(&file).expect("a source file can be read").lines().count();
        assert!(lines <= LINES_MAX, "{} has {lines} lines, more than {LINES_MAX}", file.display());
    }
}

#[test]
fn nothing_is_left_undone() {
    // Split, so that this test does not find itself.
    let undone = [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("db", "g!(")];
    refuse_code(&sources(), &undone);
}

#[test]
fn core_knows_no_file_and_no_terminal() {
    let core = sources_under(&root().join("crates/core/src"));
    refuse_code(
        &core,
        &["std::fs", "std::net", "std::env", "std::process", "io::std", "print!(", "println!("],
    );
}

#[test]
fn games_never_solve() {
    let games = sources_under(&root().join("crates/games/src"));
    assert!(!games.is_empty());
    refuse_code(&games, &["Solver::", "retrograde::solve("]);
}

/// A board is data, and what a move does is in its points. Only the code that prints a board makes letters of it, so no other
/// code can read them.
#[test]
fn no_code_reads_a_drawing() {
    const PRINTERS: [&str; 6] = [
        "cli/src/report/board.rs",
        "picture/src/lib.rs",
        "picture/src/text.rs",
        "picture/src/tiles.rs",
        "play/src/field.rs",
        "python/src/scene.rs",
    ];
    let mut printers = 0;
    for path in sources_under(&root().join("crates")) {
        let text = fs::read_to_string(&path).expect("a source");
        let draws = ["lettered(", "Tiles::of("].iter().any(|word| text.contains(word));
        let allowed = PRINTERS.iter().any(|printer| path.ends_with(printer));
        // Written so that this function does not find itself.
        assert!(!draws || allowed || path.ends_with("tidy.rs"), "{} draws boards", path.display());
        printers += usize::from(draws && allowed);
    }
    assert!(printers >= 5, "this test has lost sight of the drawings");
    let page = fs::read_dir(root().join("crates/server/src/page")).expect("the page");
    for path in page.flatten().map(|entry| entry.path()) {
        let text = fs::read_to_string(&path).expect("a part of the page");
        assert!(!text.contains(".picture"), "{} reads a drawing", path.display());
    }
}

#[test]
fn unsafe_code_is_forbidden_where_it_is_not_needed() {
    for manifest in manifests() {
        if UNSAFE_ALLOWED.contains(&&*manifest.name()) {
            continue;
        }
        let directory = manifest.path.parent().expect("a manifest lies in a directory").join("src");
        for top in ["lib.rs", "main.rs"].map(|file| directory.join(file)) {
            if let Ok(text) = fs::read_to_string(&top) {
                assert!(
                    text.contains("#![forbid(unsafe_code)]"),
                    "{} allows unsafe",
                    top.display()
                );
            }
        }
    }
}

/// A module is a file or a folder directly in the folder of its layer.
#[test]
fn modules_of_the_program_use_lower_layers_and_never_go_round() {
    let program = root().join("crates/cli/src");
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in sources_under(&program) {
        let path = file.strip_prefix(&program).expect("a file of the program").with_extension("");
        let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
        let (Some(layer), Some(name)) = (parts.next(), parts.next()) else { continue };
        // The file that declares the modules of a layer uses none of them.
        let user = format!("{layer}::{name}");
        let used = arrows.entry(user.clone()).or_default();
        let code = fs::read_to_string(&file).expect("a source file can be read");
        for path in code.split("crate::").skip(1) {
            used.extend(modules_of(path).into_iter().filter(|module| *module != user));
        }
        let above = if parts.next().is_some() { "\nuse super::super::" } else { "\nuse super::" };
        let name = file.display();
        assert!(!code.contains(above), "{name}: a module of another file is named by `crate::`");
    }
    assert!(arrows.len() >= 20, "these rules have lost sight of the program");
    let layer = |module: &str| {
        let name = module.split("::").next().unwrap_or_default();
        LAYERS.iter().position(|layer| *layer == name)
    };
    for (user, used) in &arrows {
        for module in used {
            assert!(layer(module).is_some(), "{user} uses {module}, which is in no layer");
            assert!(layer(module) <= layer(user), "{user} uses {module}, which is a layer above");
        }
    }
    // Removes the modules that use none of the others, again and again. If some remain, they form a cycle.
    while !arrows.is_empty() {
        let left: BTreeSet<String> = arrows.keys().cloned().collect();
        arrows.retain(|_, used| used.iter().any(|module| left.contains(module)));
        assert!(arrows.len() < left.len(), "these modules use each other in a circle: {arrows:#?}");
    }
}

/// The modules that a path names behind `crate::`: `layer::module::..`, or `layer::{module, other::..}`.
fn modules_of(path: &str) -> Vec<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let Some((layer, rest)) = path.split_once("::").filter(|(layer, _)| layer.chars().all(is_name))
    else {
        return Vec::new();
    };
    let name = |text: &str| text.split(|c| !is_name(c)).next().unwrap_or_default().to_owned();
    let names: Vec<String> = match rest.strip_prefix('{') {
        Some(list) => {
            let list = list.split('}').next().unwrap_or_default();
            list.split(',').map(|item| name(item.trim())).filter(|name| !name.is_empty()).collect()
        }
        None => vec![name(rest)],
    };
    names.into_iter().map(|name| format!("{layer}::{name}")).collect()
}

/// Fails if a line of code outside comments has one of the words.
fn refuse_code(files: &[PathBuf], words: &[&str]) {
    for file in files {
        let text = fs::read_to_string(file).expect("a source file can be read");
        // Unit tests at the end of a file are exempt.
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            for word in words {
                assert!(!line.contains(word), "{}:{}: `{word}`", file.display(), number + 1);
            }
        }
    }
}

/// A Cargo.toml, parsed as far as these rules need.
struct Manifest {
    path: PathBuf,
    text: String,
}

impl Manifest {
    fn name(&self) -> String {
        let named = self.section("package").find_map(|line| line.strip_prefix("name = "));
        named.expect("a package has a name").trim_matches('"').to_string()
    }

    /// The lines of a section, without blank lines and comments.
    fn section<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let header = format!("[{name}]");
        self.text
            .lines()
            .skip_while(move |line| *line != header)
            .skip(1)
            .take_while(|line| !line.starts_with('['))
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
    }

    /// The dependencies that a section names.
    fn keys(&self, section: &str) -> impl Iterator<Item = String> {
        self.section(section)
            .filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic()))
            .map(|line| line.split(['.', ' ', '=']).next().unwrap_or_default().to_string())
    }
}

/// The manifests of all members of the workspace, and of the benches.
fn manifests() -> Vec<Manifest> {
    let crates = fs::read_dir(root().join("crates")).expect("the crates are there");
    let mut directories: Vec<PathBuf> = crates.flatten().map(|entry| entry.path()).collect();
    directories.push(root().join("benches"));
    let manifests: Vec<Manifest> = directories
        .into_iter()
        .map(|directory| directory.join("Cargo.toml"))
        .filter_map(|path| fs::read_to_string(&path).ok().map(|text| Manifest { path, text }))
        .collect();
    assert!(manifests.len() >= 3, "these rules have lost sight of the crates");
    manifests
}

/// Every source file of the house.
pub(crate) fn sources() -> Vec<PathBuf> {
    let files: Vec<PathBuf> = ["crates", "benches", "fuzz", "mpi"]
        .iter()
        .flat_map(|top| sources_under(&root().join(top)))
        .collect();
    assert!(files.len() >= 10, "these rules have lost sight of the sources");
    files
}

pub(crate) fn sources_under(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut directories = vec![directory.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    directories.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
