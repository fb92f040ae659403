//! What goes wrong when tables are asked, each in words that say what to do.

use std::fmt;
use std::path::PathBuf;

use retrograde_regions::{ManifestError, RegionError};

use crate::position::PositionError;
use crate::region::{Region, RegionNameError};

/// Why a tablebase cannot be opened, or cannot answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// The folder's manifest cannot be read.
    Manifest(ManifestError),
    /// There are no tables of morris in the folder.
    OtherGame {
        /// The folder.
        path: PathBuf,
    },
    /// The folder's manifest names what is no region.
    Name {
        /// The folder.
        path: PathBuf,
        /// What is wrong with the name.
        error: RegionNameError,
    },
    /// What was asked about is no position.
    Position {
        /// What was written.
        text: String,
        /// What is wrong with it.
        error: PositionError,
    },
    /// The table is missing, damaged or another one.
    Region(RegionError),
    /// The table takes a position for none.
    Unknown {
        /// The region of the table.
        region: Region,
        /// The position.
        position: String,
    },
    /// The moves of a position are not worth what the position is said to be.
    Contradiction {
        /// The position.
        position: String,
    },
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablebaseError::Manifest(error) => error.fmt(f),
            TablebaseError::OtherGame { path } => {
                let path = path.display();
                write!(
                    f,
                    "{path}: there are no tables of morris here; `retrograde build morris --men 3 --out \
                     {path}` makes some"
                )
            }
            TablebaseError::Name { path, error } => {
                write!(f, "{}: the manifest: {error}", path.display())
            }
            TablebaseError::Position { text, error } => write!(f, "position `{text}`: {error}"),
            TablebaseError::Region(error) => error.fmt(f),
            TablebaseError::Unknown { region, position } => {
                write!(f, "the table of {region} knows nothing of {position}")
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
            TablebaseError::Position { error, .. } => Some(error),
            TablebaseError::Region(error) => Some(error),
            _ => None,
        }
    }
}

impl From<RegionError> for TablebaseError {
    fn from(error: RegionError) -> TablebaseError {
        TablebaseError::Region(error)
    }
}
