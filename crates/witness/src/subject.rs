//! The game of a table, from its header, and the rules and other tables needed for its proof.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde_json::Value as Json;

use crate::Refusal;
use crate::complete::complete;
use crate::proof::{Proved, Rules, prove};
use crate::remote::url;
use crate::rules::{
    Board, Chase, Chess, Corner, Graph, LGame, Material, Morris, NUMBERING, Pursuit, Quixo, Region,
    Take, Text, material_named, needs,
};
use crate::table::Table;
use crate::values::{Source, Values};

/// Options of a proof.
#[derive(Debug)]
pub struct Options {
    /// How many bytes of values may be unpacked at a time. The proof uses more only if it must.
    pub memory: u64,
    /// The number of threads.
    pub threads: usize,
    /// About how many positions to look at, chosen at random. By default all, which is a proof.
    pub sample: Option<u64>,
    /// How many bytes to ask a server for at a time, if a table is a URL.
    pub part_bytes: u64,
    /// Progress: the number of finished states, and of all states.
    pub progress: [AtomicU64; 2],
}

impl Default for Options {
    fn default() -> Options {
        Options {
            memory: 256 << 20,
            threads: 1,
            sample: None,
            // Each request takes long, and a proof reads all of a table.
            part_bytes: 1 << 20,
            progress: Default::default(),
        }
    }
}

/// The tables of a folder by name, or the one file that a path or a URL names.
pub fn tables(path: &Path) -> Result<Vec<PathBuf>, Refusal> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = path.read_dir().map_err(|error| Refusal::unreadable(path, &error.to_string()))?;
    let mut tables: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    tables.retain(|path| path.extension().is_some_and(|extension| extension == "table"));
    tables.sort();
    if tables.is_empty() {
        return Err(Refusal::unreadable(path, "there is no table in this folder"));
    }
    Ok(tables)
}

/// Proves every value of a table. A path that begins with `http://` or `https://` is read by the program `curl`. If moves lead to other tables of the same folder, their values are taken as
/// given.
pub fn witness(path: &Path, options: &Options) -> Result<Proved, Refusal> {
    let table = Table::open(path, options.part_bytes)?;
    let about = &table.header["parameters"];
    let (misere, police) = (about["misere"] == true, about["police"].as_u64().unwrap_or(1));
    let number = |key: &str| about[key].as_u64();
    let text = table.header["board"].as_str().unwrap_or_default();
    let not_made = || Refusal::unreadable(path, "its header does not describe a game");
    let board = || Board::parse(text).ok_or_else(not_made);
    match table.header["game"].as_str() {
        Some("pursuit") if police == 1 => start(&Pursuit::new(board()?), table, options),
        Some("pursuit") => {
            let chase = Chase::on_board(&board()?, police).ok_or_else(not_made)?;
            start(&chase, table, options)
        }
        Some("chase") => {
            let chase = Chase::parse(text, police).ok_or_else(not_made)?;
            start(&chase, table, options)
        }
        Some("take") => {
            let heaps = about["heaps"].as_array().map(|heaps| heaps.iter().map(Json::as_u64));
            let heaps = heaps.and_then(|heaps| heaps.collect::<Option<Vec<u64>>>());
            let takes = about["take"].as_str();
            let take = heaps.zip(takes).and_then(|(heaps, takes)| Take::new(&heaps, takes, misere));
            start(&take.ok_or_else(not_made)?, table, options)
        }
        Some("corner") => {
            let size = number("rows").zip(number("columns")).zip(about["piece"].as_str());
            let corner =
                size.and_then(|((rows, columns), piece)| Corner::new(piece, rows, columns, misere));
            start(&corner.ok_or_else(not_made)?, table, options)
        }
        Some("graph") => {
            let graph = Graph::parse(text, misere).ok_or_else(not_made)?;
            start(&graph, table, options)
        }
        Some("quixo") => {
            let quixo = number("size").and_then(Quixo::new);
            start(&quixo.ok_or_else(not_made)?, table, options)
        }
        Some("text") if number("numbering") != Some(NUMBERING) => {
            Err(Refusal::unreadable(path, "this program does not know the numbering of its text"))
        }
        Some("text") => {
            let rules = Text::new(text).map_err(|what| Refusal::unreadable(path, &what))?;
            start(&rules, table, options)
        }
        Some("l-game") => start(&LGame::new(), table, options),
        Some("chess") => {
            let opened = CHESS.open(table, options.part_bytes)?;
            let rules = |these: &[Material]| Box::new(Chess::new(these));
            prove_first(opened, rules, options)
        }
        Some("morris") => {
            let opened = MORRIS.open(table, options.part_bytes)?;
            let other = |each: &&RegionTable<Region>| !each.region.is_beside(&opened[0].region);
            if let Some(RegionTable { table, .. }) = opened.iter().find(other) {
                return Err(Refusal::wrong(&table.path, "it has another number of men"));
            }
            prove_first(opened, |these: &[Region]| Box::new(Morris::new(these)), options)
        }
        _ => Err(Refusal::unreadable(path, "this program does not know its game")),
    }
}

/// A family of games in which each region is a table, and moves lead from table to table.
struct Family<K> {
    /// The name of the game in a header.
    game: &'static str,
    /// The region of a header and the name of its table.
    region: fn(&Json) -> Option<(K, String)>,
    /// The names of the other tables that moves from a region lead to.
    needs: fn(&K) -> Vec<String>,
}

const CHESS: Family<Material> = Family {
    game: "chess",
    region: |header| {
        let name = header["parameters"]["material"].as_str()?;
        material_named(name).map(|material| (material, name.into()))
    },
    needs,
};

const MORRIS: Family<Region> = Family {
    game: "morris",
    region: |header| Region::of(header).map(|region| (region, region.name())),
    needs: Region::needs,
};

/// A table of a family.
struct RegionTable<K> {
    region: K,
    table: Table,
    /// The tables that moves lead to, by their place in a list. None if the proof does not ask for them.
    needs: Vec<usize>,
}

impl<K> Family<K> {
    /// Opens the tables that the proof of one needs.
    fn open(&self, table: Table, part_bytes: u64) -> Result<Vec<RegionTable<K>>, Refusal> {
        let (mut names, mut tables, mut opened) = (vec![String::new()], vec![table], Vec::new());
        while opened.len() < tables.len() {
            let at = opened.len();
            let Table { path, header, distances, .. } = &tables[at];
            let described = (self.region)(header).filter(|_| header["game"] == self.game);
            let (region, name) = described.ok_or_else(|| {
                let game = self.game;
                Refusal::unreadable(path, &format!("its header describes no region of {game}"))
            })?;
            let file_name = path.file_stem().and_then(|stem| stem.to_str());
            if at > 0 && file_name != Some(&name) {
                return Err(Refusal::wrong(path, &format!("it is the table of {name}")));
            }
            if *distances != tables[0].distances {
                return Err(Refusal::wrong(path, "it has no distances, but other tables have"));
            }
            // A value that a table leaves out follows from the moves of that position, and so from the tables
            // that these lead to.
            let wanted = at == 0 || !tables[at].is_complete();
            let mut needs = Vec::new();
            for need in if wanted { (self.needs)(&region) } else { Vec::new() } {
                let known = names.iter().position(|name| *name == need);
                needs.push(known.unwrap_or(tables.len()));
                if known.is_some() {
                    continue;
                }
                let file = beside(&tables[0].path, &format!("{need}.table"));
                if url(&file).is_none() && !file.exists() {
                    let what =
                        format!("its moves lead to {need}, but there is no {}", file.display());
                    return Err(Refusal::unreadable(&tables[at].path, &what));
                }
                tables.push(Table::open(&file, part_bytes)?);
                names.push(need);
            }
            opened.push((region, needs));
        }
        let opened = opened.into_iter().zip(tables);
        Ok(opened.map(|((region, needs), table)| RegionTable { region, table, needs }).collect())
    }
}

/// The path of another file of the same folder.
fn beside(path: &Path, name: &str) -> PathBuf {
    match url(path).and_then(|url| url.rsplit_once('/')) {
        Some((folder, _)) => format!("{folder}/{name}").into(),
        None => path.with_file_name(name),
    }
}

/// Proves the table of a game that has one table.
fn start<R: Rules>(rules: &R, table: Table, options: &Options) -> Result<Proved, Refusal> {
    prove_first(
        vec![RegionTable { region: (), table, needs: Vec::new() }],
        |_: &[()]| rules,
        options,
    )
}

/// Proves the first of some tables. `about` makes rules for the regions of a list. They number the states of the
/// first one.
fn prove_first<K: Copy, R: Deref<Target: Rules + Sized>>(
    opened: Vec<RegionTable<K>>,
    about: impl Fn(&[K]) -> R,
    options: &Options,
) -> Result<Proved, Refusal> {
    let threads = options.threads.max(1);
    let [told, of] = &options.progress;
    told.store(0, Relaxed);
    of.store(opened[0].table.states, Relaxed);
    let order = ends_first(&opened);
    let (mut regions, mut needs, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    for RegionTable { region, table, needs: its } in opened {
        regions.push(region);
        needs.push(its);
        sources.push(Arc::new(Source { table, whole: None }));
    }
    let with = |sources: &[Arc<Source>], these: &[usize]| {
        let tables = these.iter().map(|&at| Arc::clone(&sources[at])).collect();
        let rules = about(&these.iter().map(|&at| regions[at]).collect::<Vec<K>>());
        (rules, Values::new(tables, options.memory, threads as u64))
    };
    for at in order {
        if options.sample.is_none() && !sources[at].table.is_complete() {
            let (rules, values) = with(&sources, &[&[at], &needs[at][..]].concat());
            let whole = complete(&*rules, &values, threads)?;
            drop(values);
            let source = Arc::get_mut(&mut sources[at]).expect("no other values are left");
            source.whole = Some(whole);
        }
    }
    let (rules, values) = with(&sources, &(0..sources.len()).collect::<Vec<_>>());
    prove(&*rules, &values, (threads, options.sample), told)
}

/// The places of some tables, each after those that it needs.
fn ends_first<K>(opened: &[RegionTable<K>]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < opened.len() {
        let ready = |at: &usize| {
            !order.contains(at) && opened[*at].needs.iter().all(|need| order.contains(need))
        };
        let next: Vec<usize> = (0..opened.len()).filter(ready).collect();
        assert!(!next.is_empty(), "moves between tables never come back");
        order.extend(next);
    }
    order
}
