//! What goes wrong when tables are asked, each in words that say what to do.

use std::fmt;
use std::path::PathBuf;

use retrograde_regions::{ManifestError, RegionError};

use crate::fen::FenError;
use crate::material::{Material, MaterialError};

/// Why a tablebase cannot be opened, or cannot answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// There is no such folder.
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder's manifest cannot be read.
    Manifest(ManifestError),
    /// The folder holds the tables of another game.
    OtherGame {
        /// The folder.
        path: PathBuf,
        /// The family of the tables in it.
        family: String,
    },
    /// The folder's manifest names what is no material.
    Name {
        /// The folder.
        path: PathBuf,
        /// What is wrong with the name.
        error: MaterialError,
    },
    /// What was asked about is no position that tables know.
    Position(FenError),
    /// The table is missing, damaged or another one.
    Region(RegionError),
    /// The table takes a position for none.
    Unknown {
        /// The material of the table.
        material: Material,
        /// The position as a FEN.
        position: String,
    },
    /// The moves of a position are not worth what the position is said to be.
    Contradiction {
        /// The position as a FEN.
        position: String,
    },
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablebaseError::NoFolder { path } => {
                let path = path.display();
                write!(
                    f,
                    "{path}: there is no such folder; `retrograde build chess --pieces 3 --out {path}` \
                     makes one"
                )
            }
            TablebaseError::Manifest(error) => error.fmt(f),
            TablebaseError::OtherGame { path, family } => {
                write!(f, "{}: these are tables of {family}, not of chess", path.display())
            }
            TablebaseError::Name { path, error } => {
                write!(f, "{}: the manifest: {error}", path.display())
            }
            TablebaseError::Position(error) => error.fmt(f),
            TablebaseError::Region(error) => error.fmt(f),
            TablebaseError::Unknown { material, position } => {
                write!(f, "the table of {material} knows nothing of {position}")
            }
            TablebaseError::Contradiction { position } => write!(
                f,
                "{position}: the best move is not worth what the position is said to be; \
                 `retrograde verify` finds what is wrong"
            ),
        }
    }
}

impl std::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TablebaseError::Manifest(error) => Some(error),
            TablebaseError::Name { error, .. } => Some(error),
            TablebaseError::Position(error) => Some(error),
            TablebaseError::Region(error) => Some(error),
            _ => None,
        }
    }
}

impl From<FenError> for TablebaseError {
    fn from(error: FenError) -> TablebaseError {
        TablebaseError::Position(error)
    }
}

impl From<RegionError> for TablebaseError {
    fn from(error: RegionError) -> TablebaseError {
        TablebaseError::Region(error)
    }
}
