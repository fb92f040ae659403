//! The names of the places of a chase: labels for vertices, row and column for cells.

use crate::Board;
use crate::labels::Labels;

/// The names of the places.
#[derive(Clone, Debug)]
pub(super) enum Names {
    /// The places are the vertices of a file.
    Labels(Labels),
    /// The places are the cells of a board where players can stand, in ascending order.
    Cells {
        board: Board,
        /// Indexed by place.
        cell_of: Vec<u32>,
    },
}

impl Names {
    pub(super) fn name(&self, place: u32) -> String {
        match self {
            Names::Labels(labels) => labels.name(place).to_string(),
            Names::Cells { board, cell_of } => board.cell_text(cell_of[place as usize]),
        }
    }

    /// The place with that name. The error says that there is none.
    pub(super) fn find(&self, name: &str) -> Result<u32, String> {
        match self {
            Names::Labels(labels) => labels.find(name),
            Names::Cells { board, cell_of } => {
                let cell = board.cell_named(name)?;
                Ok(cell_of.binary_search(&cell).expect("cell_named refuses walls") as u32)
            }
        }
    }
}
