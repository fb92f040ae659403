//! The tables that the user has opened: files of this machine, or a folder of a web server.

use std::io::{ErrorKind, Read};

use retrograde_answers::{Limits, Problem, ProblemKind, Tables};
use retrograde_files::{FetchedFolder, File, MissingBytes, Mounted};
use retrograde_regions::Manifest;
use retrograde_table::{Folder, Options};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Query;

/// What the user opens.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FolderSource {
    /// Its name in messages: the address of a folder, or a word for chosen files.
    name: String,
    /// Whether it is on a web server. Then the folder may have more files than those listed here.
    online: bool,
    /// The files, each with its length if that is known.
    files: Vec<(String, Option<u64>)>,
    /// Differs each time that the user opens something.
    attempt: f64,
}

/// More bytes of files than this are not kept from one question to the next.
const KEPT_BYTES: u64 = 512 << 20;

/// The name under which the page supplies the web server's list of the files of a folder. No file has it.
pub(crate) const LISTING: &str = "list of files";

/// A folder, and its tables once they are open.
pub(crate) struct OpenFolder {
    source: FolderSource,
    folder: FetchedFolder,
    _mounted: Mounted,
    tables: Option<Tables>,
}

/// The answer to a question about tables.
pub(crate) enum Reply {
    Answer(Result<Value, Problem>),
    /// Bytes are missing. The page fetches them, and asks again.
    Missing(Vec<MissingBytes>),
}

impl OpenFolder {
    pub(crate) fn new(source: FolderSource) -> OpenFolder {
        let folder = FetchedFolder::new(&source.name, source.online);
        for (name, len) in &source.files {
            folder.add(name, *len);
        }
        OpenFolder { source, _mounted: folder.mount(), folder, tables: None }
    }

    pub(crate) fn is_of(&self, source: &FolderSource) -> bool {
        self.source == *source
    }

    pub(crate) fn folder(&self) -> &FetchedFolder {
        &self.folder
    }

    /// Answers a question. `is_again` if the page asks it again with bytes that were missing.
    pub(crate) fn answer(&mut self, path: &str, query: &Query, is_again: bool) -> Reply {
        if !is_again && self.folder.bytes() > KEPT_BYTES {
            self.folder.forget_bytes();
        }
        let answer = self.try_answer(path, query);
        let missing = self.folder.take_missing();
        if missing.is_empty() {
            return Reply::Answer(answer);
        }
        // A table that has failed to recover a value once does not try again.
        self.tables = None;
        Reply::Missing(missing)
    }

    fn try_answer(&mut self, path: &str, query: &Query) -> Result<Value, Problem> {
        let tables = match &mut self.tables {
            Some(tables) => tables,
            none => none.insert(open(&self.source, &self.folder)?),
        };
        answer(tables, path, query)
    }
}

/// Opens all tables of a folder that can be opened.
fn open(source: &FolderSource, folder: &FetchedFolder) -> Result<Tables, Problem> {
    let path = folder.path();
    if source.online {
        find_files(source, folder)?;
    }
    let mut tables = Tables::of_folder(path, Options::new()).map_err(fault)?;
    let has_manifest = !tables.is_empty();
    let mut left_out = Vec::new();
    let files = Folder::new(path);
    for name in files.names().map_err(fault)? {
        let is_chosen =
            source.files.iter().any(|(file, _)| file.strip_suffix(".table") == Some(&name));
        if tables.contains(&name) || (has_manifest && !is_chosen) {
            continue;
        }
        let file = files.file(&name).map_err(fault)?;
        let table = Options::new().open(file).map_err(|error| error.to_string());
        if let Err(problem) = table.and_then(|table| tables.add(&name, table)) {
            left_out.push(problem);
        }
    }
    if tables.is_empty() {
        let why = match left_out.is_empty() {
            true => format!("{}: there is no table here", source.name),
            false => left_out.join("; "),
        };
        return Err(refused(format!(
            "{why}. Open a file that `retrograde solve --out` has written, or a whole folder of `retrograde build` with its manifest.json"
        )));
    }
    Ok(tables)
}

/// Finds out which files a folder of a web server has: its manifest names them, or the server lists them.
fn find_files(source: &FolderSource, folder: &FetchedFolder) -> Result<(), Problem> {
    if !source.files.is_empty() {
        // One table alone, which needs no manifest.
        folder.set_absent(Manifest::FILE);
        return Ok(());
    }
    let manifest = read(folder, Manifest::FILE)?.unwrap_or_default();
    let manifest: Value = serde_json::from_str(&manifest).unwrap_or_default();
    let regions = manifest["regions"].as_object().filter(|regions| !regions.is_empty());
    if let Some(regions) = regions {
        for (name, entry) in regions {
            folder.add(&format!("{name}.table"), entry["bytes"].as_u64());
        }
        return Ok(());
    }
    let listing = read(folder, LISTING)?.ok_or_else(|| {
        refused(format!(
            "{}: no manifest here names its tables, and the server does not list its files. `scripts/site --tables` writes \
             such a manifest",
            source.name
        ))
    })?;
    for name in names_in(&listing) {
        folder.add(&name, None);
        // All files beside tables are read. What is missing of them can be fetched at once.
        if name.ends_with(".json") {
            let _ = read(folder, &name);
        }
    }
    Ok(())
}

/// The tables, and the files beside them, in the list that a web server shows.
fn names_in(listing: &str) -> impl Iterator<Item = String> + '_ {
    let links = listing.split("href=\"").skip(1).filter_map(|link| link.split('"').next());
    let names = links.filter_map(|link| decoded(link.rsplit('/').next()?));
    names.filter(|name| name.ends_with(".table") || name.ends_with(".table.json"))
}

/// A name without the escapes of an address.
fn decoded(name: &str) -> Option<String> {
    let mut parts = name.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

/// The text of a file; `None` if it is missing.
fn read(folder: &FetchedFolder, name: &str) -> Result<Option<String>, Problem> {
    let path = folder.path().join(name);
    let mut text = String::new();
    match File::open(&path).and_then(|file| file.cursor(0).read_to_string(&mut text)) {
        Ok(_) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fault(format!("{}: {error}", path.display()))),
    }
}

/// The answer to a question about tables, by the paths of the server.
fn answer(tables: &Tables, path: &str, query: &Query) -> Result<Value, Problem> {
    let never = || Ok(());
    let (state, fen) = (query.state.as_deref(), query.fen.as_deref());
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    Ok(match parts[..] {
        ["tables"] => tables.list_names(&never)?,
        ["tables", name] => json!(tables.about(name)?),
        ["tables", name, "stats"] => json!(tables.stats(name)?),
        ["tables", name, "longest"] => json!(tables.longest(name, &never)?),
        ["tables", name, "random"] => {
            let seed = query.seed.unwrap_or_default().to_bits();
            json!(tables.oracle(name)?.random(seed)?)
        }
        ["tables", name, "probe"] => {
            json!(tables.oracle(name)?.view(state.ok_or_else(|| lacks("state"))?)?)
        }
        ["tables", name, "line"] => {
            let oracle = tables.oracle(name)?;
            let plies = Limits::default().line_plies;
            json!(oracle.line(state.ok_or_else(|| lacks("state"))?, plies)?)
        }
        ["standard"] => {
            let fen = fen.ok_or_else(|| lacks("fen"))?;
            tables.touch(fen);
            json!(tables.report(fen)?)
        }
        ["standard", "mainline"] => json!(tables.mainline(fen.ok_or_else(|| lacks("fen"))?)?),
        _ => return Err(Problem::new(ProblemKind::Missing, format!("there is no {path} here"))),
    })
}

fn lacks(what: &str) -> Problem {
    Problem::new(ProblemKind::Bad, format!("add ?{what}= to the question"))
}

fn refused(text: String) -> Problem {
    Problem::new(ProblemKind::Refused, text)
}

fn fault(error: impl std::fmt::Display) -> Problem {
    Problem::new(ProblemKind::Fault, error.to_string())
}
