//! Which files of a crate import which: the plain solves can be read alone, and no files import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::tidy::{root, sources_under};

/// A plain solve: the file where it begins, and the most files and lines that it imports, directly or through others.
const PLAIN: [(&str, usize, usize); 2] =
    [("scalar/engine.rs", 23, 4_105), ("words/engine.rs", 24, 5_205)];

/// The most lines of each of these files.
const FILE_LINES_MAX: usize = 450;

/// The crates whose files import each other in no circle, but for this number of files.
const CIRCLES: [(&str, usize); 18] = [
    ("answers", 0),
    ("boards", 2),
    ("catalog", 0),
    ("chess", 0),
    ("cli", 0),
    ("cluster", 0),
    ("core", 0),
    ("described", 6),
    ("disk", 0),
    ("games", 2),
    ("morris", 4),
    ("picture", 0),
    ("play", 0),
    ("positions", 0),
    ("python", 0),
    ("regions", 0),
    ("server", 0),
    ("table", 3),
];

/// A reader of the solve of a game in memory meets no log, no window and no other process.
#[test]
fn the_plain_solves_can_be_read_alone() {
    let core = Imports::of("core");
    for (begin, files_max, lines_max) in PLAIN {
        let files = core.reach(begin);
        let lines: usize = files.iter().map(|file| core.files[file].lines().count()).sum();
        println!("{begin} imports {} files, {lines} lines: {files:?}", files.len());
        assert!(files.len() > 10, "this rule has lost sight of the imports: {files:?}");
        let away = files.iter().find(|file| file.starts_with("residence/"));
        assert!(away.is_none(), "{begin} imports {away:?}");
        let long = files.iter().find(|file| core.files[*file].lines().count() > FILE_LINES_MAX);
        assert!(long.is_none(), "{long:?} is longer than {FILE_LINES_MAX} lines");
        assert!(
            files.len() <= files_max && lines <= lines_max,
            "{begin} imports {} files of {lines} lines: {files:?}",
            files.len()
        );
    }
}

#[test]
fn files_import_each_other_in_no_circle() {
    for (name, files_max) in CIRCLES {
        let imports = Imports::of(name);
        assert!(imports.imports.len() > 4, "this rule has lost sight of {name}");
        let is_in_circle = |file: &&String| {
            imports.imports[*file].iter().any(|other| imports.reach(other).contains(*file))
        };
        let circles: Vec<_> = imports.imports.keys().filter(is_in_circle).collect();
        println!("{name}: {} files in circles: {circles:?}", circles.len());
        assert!(circles.len() <= files_max, "files of {name} import each other: {circles:?}");
    }
}

/// The imports of the files of a crate.
struct Imports {
    /// The code of each file, without its unit tests, by its path below `src`.
    files: BTreeMap<String, String>,
    /// For each file, the other files that define what it names.
    imports: BTreeMap<String, BTreeSet<String>>,
}

/// A path of modules and a name.
type Names = Vec<String>;

impl Imports {
    fn of(name: &str) -> Imports {
        let src = root().join("crates").join(name).join("src");
        let mut files = BTreeMap::new();
        let mut modules = BTreeMap::new();
        for path in sources_under(&src) {
            let text = fs::read_to_string(&path).expect("a source file can be read");
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let below = path.strip_prefix(&src).expect("a file of the crate");
            let file = below.to_string_lossy().replace('\\', "/");
            let module = file.trim_end_matches(".rs").trim_end_matches("mod").trim_end_matches('/');
            let module = if module == "lib" { "" } else { module };
            let names = module.split('/').filter(|name| !name.is_empty()).map(String::from);
            modules.insert(names.collect::<Names>(), file.clone());
            files.insert(file, code.to_string());
        }
        let mut named = BTreeMap::new();
        let mut renamed = BTreeMap::new();
        for (module, file) in &modules {
            for (public, path) in uses(&files[file]) {
                let Some(whole) = absolute(&modules, module, &path) else { continue };
                match public {
                    true => renamed.entry(module.clone()).or_insert_with(Vec::new).push(whole),
                    false => named.entry(file.clone()).or_insert_with(Vec::new).push(whole),
                }
            }
        }
        let mut imports = BTreeMap::new();
        for file in modules.values().filter(|file| *file != "lib.rs") {
            let all = named.get(file).into_iter().flatten();
            let found = all.filter_map(|path| defines(&modules, &renamed, path, 0));
            imports.insert(file.clone(), found.filter(|other| other != file).collect());
        }
        Imports { files, imports }
    }

    /// The files that a file imports, directly or through others, with itself.
    fn reach(&self, begin: &str) -> BTreeSet<String> {
        let (mut seen, mut left) = (BTreeSet::new(), vec![begin.to_string()]);
        while let Some(file) = left.pop() {
            if let Some(imports) = self.imports.get(&file)
                && seen.insert(file)
            {
                left.extend(imports.iter().cloned());
            }
        }
        seen
    }
}

/// The paths that a file names, and whether it re-exports them.
fn uses(code: &str) -> Vec<(bool, Names)> {
    let code: Vec<&str> = code.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let line = code[..at].rsplit('\n').next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with("pub") {
            let tree = code[at + 4..].split(';').next().unwrap_or_default();
            expand(&[], tree, &mut |path| found.push((!line.is_empty(), path)));
        }
    }
    // Paths within the code.
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    for word in code.split(|c| !is_name(c)).filter(|word| !word.ends_with("::")) {
        if ["crate::", "super::", "self::"].iter().any(|start| word.starts_with(start)) {
            let path = word.split("::").map(String::from);
            found.push((false, path.collect()));
        }
    }
    found
}

/// Calls `add` with each path of a tree of imports.
fn expand(before: &[String], tree: &str, add: &mut dyn FnMut(Names)) {
    let tree = tree.trim();
    let Some((path, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().split("::").map(str::trim);
        let path = path.filter(|name| !name.is_empty() && *name != "self").map(String::from);
        return add(before.iter().cloned().chain(path).collect());
    };
    let path = path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(String::from);
    let before: Names = before.iter().cloned().chain(path).collect();
    let inner = &inner[..inner.rfind('}').unwrap_or(inner.len())];
    let (mut depth, mut from) = (0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[from..at].trim().is_empty() {
                    expand(&before, &inner[from..at], add);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// A path from the root of the crate. `None` if it leads into another crate.
fn absolute(
    modules: &BTreeMap<Names, String>,
    module: &[String],
    path: &[String],
) -> Option<Names> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let base = match path.first().map(String::as_str) {
        Some("crate") => return Some(path[1..].to_vec()),
        Some("super") => &module[..module.len().checked_sub(ups)?],
        _ => module,
    };
    let whole: Names = base.iter().chain(&path[ups..]).cloned().collect();
    let is_child = modules.contains_key(&whole[..(base.len() + 1).min(whole.len())]);
    (ups > 0 || is_child).then_some(whole)
}

/// The file that defines what a path names.
fn defines(
    modules: &BTreeMap<Names, String>,
    renamed: &BTreeMap<Names, Vec<Names>>,
    path: &[String],
    depth: usize,
) -> Option<String> {
    if path == ["forward"] {
        return Some("rules/forward.rs".into());
    }
    let len = (0..=path.len()).rev().find(|&len| modules.contains_key(&path[..len]))?;
    let (module, names) = path.split_at(len);
    let name = names.first();
    let again = renamed.get(module).into_iter().flatten();
    let again =
        again.filter(|other| other.last() == name || other.last().is_some_and(|n| n == "*"));
    for other in again.filter(|_| depth < 9) {
        let whole: Names = match other.last().is_some_and(|name| name == "*") {
            true => [&other[..other.len() - 1], names].concat(),
            false => [&other[..], &names[1..]].concat(),
        };
        if let Some(file) = defines(modules, renamed, &whole, depth + 1) {
            return Some(file);
        }
    }
    modules.get(module).cloned()
}

/// The crates in which no two types have the same name, but for these.
const SAME_NAMES: [(&str, &[&str]); 5] = [
    ("core", &[]),
    ("disk", &[]),
    ("table", &["Page", "Place"]),
    ("regions", &[]),
    ("cluster", &["Share"]),
];

#[test]
fn a_name_is_that_of_one_type() {
    for (name, known) in SAME_NAMES {
        let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (file, code) in &Imports::of(name).files {
            for line in code.lines() {
                let item = match line.strip_prefix("pub") {
                    Some(rest) => rest.split_once(' ').map_or("", |(_, item)| item),
                    None => line,
                };
                let kinds = ["struct ", "enum ", "trait ", "type "];
                let named = kinds.iter().find_map(|kind| item.strip_prefix(kind));
                let named = named.and_then(|named| {
                    named.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
                });
                if let Some(named) = named {
                    files.entry(named.to_string()).or_default().insert(file.clone());
                }
            }
        }
        assert!(files.len() > 20, "this rule has lost sight of {name}");
        files.retain(|_, files| files.len() > 1);
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(names, known, "types of {name} share a name: {files:#?}");
    }
}
