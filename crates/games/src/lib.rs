//! Games and boards: their rules, and the texts and pictures of their states.
//!
//! Each module is one game. A module has the rules and texts of its game, and never solves it.
//!
//! ```
//! use retrograde_games::{Board, Pursuit};
//! use retrograde_positions::Positions;
//!
//! let board = Board::parse("P..\n.*.\n..T").unwrap();
//! let game = Pursuit::new(board).unwrap();
//! let start = game.start().unwrap();
//! assert_eq!(game.write(&start), "police 0,0 2,2");
//! let value = retrograde::solve(&game).value(start).unwrap();
//! assert_eq!(value.to_string(), "win in 7");
//! ```
#![forbid(unsafe_code)]

mod board;
mod chase;
mod corner;
mod error;
mod graph;
mod l_game;
mod labels;
mod misere;
mod placement;
mod pursuit;
mod quixo;
mod reached;
mod registry;
mod setup;
mod size;
mod solvable;
mod square;
mod take;
mod text;
mod words;

/// The most moves that the engine can count in one state. The other 32-bit numbers are codes.
const MOVES_MAX: u32 = 4_000_000_000;

pub use board::{Board, Cell, Steps};
pub use chase::Chase;
pub use corner::{Corner, Piece};
pub use error::ReadError;
pub use graph::Graph;
pub use placement::{Placement, SIDES};
pub use pursuit::Pursuit;
pub use quixo::{Cubes, Quixo};
pub use registry::{GAMES, find_game, game_named, parameter_named};
pub use retrograde_described::{CellRegion, NUMBERING, Report as TextReport, ReportPosition};
pub use retrograde_positions::{
    Argument, Arguments, FileSpec, Kind, Parameter, Spec, whole_number,
};
pub use setup::{Setup, SetupError, Source, Visitor};
pub use size::bytes;
pub use solvable::{Banded, Facts, Remark, Solvable, Turns, successors_or_end};
pub use take::{Take, Takes};
pub use text::{TEXT, regions, report, report_position};
