//! Chess endgames: a folder of tables that you can build, and probe by sets of squares.

use std::path::PathBuf;

use pyo3::prelude::*;
use rayon::prelude::*;
use retrograde::Value;
use retrograde_chess::{Bitboards, Builder, Chess, Color, FenError, Material, Position, Square};
use retrograde_regions::Event;

use crate::answers::{Arrays, arrays};
use crate::codes::{Columns, NONE, code};
use crate::failure::Failure;
use crate::pool::pool;
use crate::watch::watched;

/// An open folder of endgame tables.
#[pyclass(frozen, module = "retrograde._engine")]
pub(crate) struct Tablebase {
    tables: retrograde_chess::Tablebase,
}

/// A value and a distance, as numbers.
type Coded = (i8, Option<i64>);

/// The men of white, those of black, then the kings, queens, rooks, bishops, knights and pawns of both sides. Each is a
/// set of squares: a1 is the lowest bit.
type Sets = [u64; 8];

#[pymethods]
impl Tablebase {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> Result<Tablebase, Failure> {
        py.detach(|| Ok(Tablebase { tables: retrograde_chess::Tablebase::open(path)? }))
    }

    #[getter]
    fn path(&self) -> PathBuf {
        self.tables.path().into()
    }

    #[getter]
    fn distances(&self) -> bool {
        self.tables.has_distances()
    }

    /// The materials whose tables are finished, in order of solving.
    #[getter]
    fn materials(&self) -> Vec<String> {
        self.tables.regions().iter().map(Material::to_string).collect()
    }

    /// The value of a position for the player to move.
    fn value(&self, sets: Sets, white: bool, en_passant: Option<u8>) -> Result<Coded, Failure> {
        Ok(self.coded(self.tables.value(&bitboards(sets, white, en_passant)?)?))
    }

    /// The values of many positions, given as FENs. All threads work on it.
    fn probe_many<'py>(&self, py: Python<'py>, fens: Vec<String>) -> PyResult<Arrays<'py>> {
        let columns = py.detach(|| {
            let value = |fen: &String| {
                let position: Position = fen.parse().map_err(|error| {
                    let problem = format!("{fen}: {error}");
                    match error {
                        FenError::Castling(_) => Failure::NoTable(problem),
                        _ => Failure::Input(problem),
                    }
                })?;
                Ok(Some(self.tables.value(&position)?))
            };
            let values: Vec<Option<Value>> =
                pool().install(|| fens.par_iter().map(value).collect::<Result<_, Failure>>())?;
            Columns::fill(values.len(), self.tables.has_distances(), |first, filled| {
                filled.copy_from_slice(&values[first..][..filled.len()]);
                Ok::<_, Failure>(())
            })
        })?;
        Ok(arrays(py, columns))
    }

    /// The value of each move of a position for the player who makes it, best first.
    fn moves(
        &self,
        sets: Sets,
        white: bool,
        en_passant: Option<u8>,
    ) -> Result<Vec<(String, Coded)>, Failure> {
        let answer = self.tables.probe(&bitboards(sets, white, en_passant)?)?;
        let moves = answer.moves.iter();
        Ok(moves.map(|choice| (choice.played.to_string(), self.coded(choice.value))).collect())
    }

    /// Checks every byte of the table of a material.
    fn check(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let material = material(name)?;
        watched(py, None, |_| Ok(self.tables.check(&material)?))
    }
}

impl Tablebase {
    fn coded(&self, value: Value) -> Coded {
        let (value, distance) = code(Some(value), self.tables.has_distances());
        (value, (distance != NONE).then_some(distance))
    }
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
        let mut builder = Builder::new(&Chess, path);
        builder = builder.threads(threads).distances(distances).verify(verify);
        if let Some(bytes) = memory_max {
            builder = builder.memory_max(bytes);
        }
        builder = builder.progress(|event| match event {
            Event::Solving(_, at) => signal.report_level(at),
            Event::Finished(_, entry, _) => signal.report(0, entry.states, entry.states),
            _ => signal.go_on(),
        });
        retrograde_chess::build(builder, &materials).map(drop).map_err(Failure::Unbuilt)
    })
}
