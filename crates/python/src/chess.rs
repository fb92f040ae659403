//! Chess endgames: folders of tables that you can build, and probe by sets of squares.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use rayon::prelude::*;
use retrograde::{Progress, Value};
use retrograde_chess::{
    Bitboards, Color, FenError, Illegal, Material, Position, Square, TablebaseError, ToPosition,
};
use retrograde_regions::{Event, RegionError};
use retrograde_table::TableError;

use crate::codes::{Columns, NONE, code};
use crate::failure::Failure;
use crate::held_game::{Arrays, arrays};
use crate::pool::pool;
use crate::remote::{is_url, mount_url};
use crate::watch::watched;

/// Open folders of endgame tables. A position is looked up in the first folder that has its table.
#[pyclass(frozen, module = "retrograde._engine")]
pub(crate) struct Tablebase {
    /// Folders with distances stand before those without.
    folders: Vec<Arc<Folder>>,
}

/// A value and a distance, as numbers.
type Coded = (i8, Option<i64>);

/// The men of white, those of black, then the kings, queens, rooks, bishops, knights and pawns of both sides. Each is a
/// set of squares: a1 is the lowest bit.
type Sets = [u64; 8];

#[pymethods]
impl Tablebase {
    #[new]
    fn new() -> Tablebase {
        Tablebase { folders: Vec::new() }
    }

    /// The same folders and one more, and how many tables that one has. If the path is a URL, `files` reads from there.
    #[pyo3(signature = (path, files = None))]
    fn with_folder(
        &self,
        py: Python<'_>,
        path: PathBuf,
        files: Option<Py<PyAny>>,
    ) -> Result<(Tablebase, usize), Failure> {
        if let Some(files) = files {
            mount_url(&path, files);
        }
        let opened = py.detach(|| Folder::open(path))?;
        let count = opened.regions().len();
        let mut folders = self.folders.clone();
        folders.push(Arc::new(opened));
        folders.sort_by_key(|tables| !tables.has_distances());
        Ok((Tablebase { folders }, count))
    }

    #[getter]
    fn paths(&self) -> Vec<PathBuf> {
        self.folders.iter().map(|tables| tables.path().into()).collect()
    }

    #[getter]
    fn distances(&self) -> bool {
        self.folders.iter().all(|tables| tables.has_distances())
    }

    /// The materials whose tables are finished, in order of solving.
    #[getter]
    fn materials(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for material in self.folders.iter().flat_map(|tables| tables.regions()) {
            let name = material.to_string();
            if !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// The value of a position for the player to move. With `dtm`, from tables with distances alone.
    fn value(
        &self,
        py: Python<'_>,
        sets: Sets,
        white: bool,
        en_passant: Option<u8>,
        dtm: bool,
    ) -> Result<Coded, Failure> {
        let position = position(&bitboards(sets, white, en_passant)?, "")?;
        // Other threads of Python run meanwhile, because a table by URL asks Python for bytes.
        let (tables, value) = py.detach(|| self.first(|tables| tables.value(&position)))?;
        if dtm && !tables.has_distances() {
            return Err(TableError::NoDistances { path: tables.path().into() }.into());
        }
        Ok(coded(tables, value))
    }

    /// The values of many positions, given as FENs. All threads work on it.
    fn probe_many<'py>(&self, py: Python<'py>, fens: Vec<String>) -> PyResult<Arrays<'py>> {
        let columns = py.detach(|| {
            let value = |fen: &String| {
                let position = position(fen.as_str(), &format!("{fen}: "))?;
                let (tables, value) = self.first(|tables| tables.value(&position))?;
                Ok(code(Some(value), tables.has_distances()))
            };
            let all = pool().install(|| fens.par_iter().map(value).collect::<Result<_, Failure>>());
            let all: Vec<(i8, i64)> = all?;
            let (values, distances) = all.into_iter().unzip();
            Ok::<_, Failure>(Columns { values, distances })
        })?;
        Ok(arrays(py, columns))
    }

    /// The value of each move of a position for the player who makes it, best first.
    fn moves(
        &self,
        py: Python<'_>,
        sets: Sets,
        white: bool,
        en_passant: Option<u8>,
    ) -> Result<Vec<(String, Coded)>, Failure> {
        let position = position(&bitboards(sets, white, en_passant)?, "")?;
        let (tables, answer) = py.detach(|| self.first(|tables| tables.probe(&position)))?;
        let moves = answer.moves.iter();
        Ok(moves.map(|choice| (choice.played.to_string(), coded(tables, choice.value))).collect())
    }

    /// Checks every byte of the tables of a material.
    fn check(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let material = material(name)?;
        watched(py, None, |_| {
            let mut checked = false;
            for tables in self.folders.iter().filter(|tables| tables.regions().contains(&material))
            {
                tables.check(&material)?;
                checked = true;
            }
            if checked { Ok(()) } else { self.first(|tables| tables.check(&material)).map(drop) }
        })
    }
}

/// One open folder.
type Folder = retrograde_chess::Tablebase;

impl Tablebase {
    /// The answer of the first folder that has the tables for it.
    fn first<T>(
        &self,
        ask: impl Fn(&Folder) -> Result<T, TablebaseError>,
    ) -> Result<(&Folder, T), Failure> {
        let mut missing = None;
        for tables in &self.folders {
            match ask(tables) {
                Ok(answer) => return Ok((tables, answer)),
                Err(TablebaseError::Region(error)) if error.is_missing() => {
                    missing.get_or_insert((error, tables.path()));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let Some((error, folder)) = missing else {
            let problem = "no folder is open; add_directory opens one".to_owned();
            return Err(Failure::NoTable {
                problem,
                material: String::new(),
                command: String::new(),
            });
        };
        let others: Vec<String> = self
            .folders
            .iter()
            .map(|tables| tables.path())
            .filter(|&path| path != folder)
            .map(|path| format!("; {} does not have it either", path.display()))
            .collect();
        let folder = folder.display().to_string();
        // A build writes into a folder of this machine.
        let out = if is_url(&folder) { "FOLDER" } else { &*folder };
        let here = |text: &str| text.replace(&format!("--out {folder}"), &format!("--out {out}"));
        let RegionError { region: material, command, .. } = &error;
        let problem = format!(
            "{}; in Python: retrograde.chess.build({out:?}, [{material:?}]){}",
            here(&error.to_string()),
            others.concat()
        );
        Err(Failure::NoTable { problem, material: material.clone(), command: here(command) })
    }
}

fn coded(tables: &Folder, value: Value) -> Coded {
    let (value, distance) = code(Some(value), tables.has_distances());
    (value, (distance != NONE).then_some(distance))
}

/// The position that a caller names. `place` says where, for the error.
fn position(named: &(impl ToPosition + ?Sized), place: &str) -> Result<Position, Failure> {
    named.to_position().map_err(|error| {
        let problem = format!("{place}{error}");
        match error {
            FenError::Castling(_) | FenError::Illegal(Illegal::TooMany(_)) => {
                Failure::NoTable { problem, material: String::new(), command: String::new() }
            }
            _ => Failure::Input(problem),
        }
    })
}

fn bitboards(sets: Sets, white: bool, en_passant: Option<u8>) -> Result<Bitboards, Failure> {
    let turn = if white { Color::White } else { Color::Black };
    let en_passant = match en_passant {
        Some(square @ 0..64) => Some(Square::at(square % 8, square / 8)),
        Some(other) => return Err(Failure::Input(format!("there is no square {other}"))),
        None => None,
    };
    let [white, black, kings, queens, rooks, bishops, knights, pawns] = sets;
    Ok(Bitboards { white, black, kings, queens, rooks, bishops, knights, pawns, turn, en_passant })
}

fn material(name: &str) -> Result<Material, Failure> {
    name.parse().map_err(|error: retrograde_chess::MaterialError| Failure::Input(error.to_string()))
}

/// Builds the tables of materials, and of all that they need, in a folder.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a caller in Python gives them by name")]
pub(crate) fn build(
    py: Python<'_>,
    path: PathBuf,
    materials: Vec<String>,
    distances: bool,
    verify: bool,
    threads: usize,
    memory_max: Option<u64>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let materials: Vec<Material> =
        materials.iter().map(|name| material(name)).collect::<Result<_, _>>()?;
    watched(py, progress.as_ref(), |signal| {
        let mut builder = retrograde_chess::builder(path);
        builder = builder.threads(threads).distances(distances).verify(verify);
        if let Some(bytes) = memory_max {
            builder = builder.memory_max(bytes);
        }
        builder = builder.progress(|event| match event {
            Event::Solving(_, at) => signal.report(at),
            Event::Finished(_, entry, _) => {
                signal.report(&Progress { level: None, done: entry.states, states: entry.states })
            }
            _ => signal.go_on(),
        });
        builder.build(&materials).map(drop).map_err(Failure::Unbuilt)
    })
}
