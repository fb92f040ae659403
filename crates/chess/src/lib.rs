//! Chess endgames: built as tables in a folder, and asked by position.
//!
//! What an engine needs to play any endgame of up to six pieces without a mistake. Tables are built once, by the program
//! (`retrograde build chess KQvKR --out endgames`) or by [`build`], and asked from then on:
//!
//! ```
//! use retrograde_chess::{Builder, Chess, Tablebase, Value, build};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = std::env::temp_dir().join(format!("endgames-{}", std::process::id()));
//! build(Builder::new(&Chess, &folder), &["KRvK".parse()?])?;
//!
//! let tables = Tablebase::open(&folder)?;
//! let answer = tables.probe("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")?;
//! assert_eq!(answer.value, Value::Win(31)); // plies, for the player to move
//! let best = answer.best().expect("there are moves");
//! println!("{} mates in {} plies", best.played, best.value.distance().unwrap_or(0)); // in UCI
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! **In the search of an engine**, ask for [values](Tablebase::value) alone: no move is looked at, nothing is
//! allocated and no lock is taken once a block of the table is in memory, so all threads share one [`Tablebase`]. A
//! position comes as a FEN, as a [`Position`], or as the [`Bitboards`] that every engine has. From `cozy_chess` they are
//! made so (`shakmaty` has the same sets under the same names, each in a field `0`):
//!
//! ```
//! use cozy_chess::{Board, Color, Piece};
//! use retrograde_chess::{Bitboards, Square, Tablebase, TablebaseError, Value};
//!
//! /// What an endgame is worth to the player to move.
//! fn value(tables: &Tablebase, board: &Board) -> Result<Value, TablebaseError> {
//!     let turn = match board.side_to_move() {
//!         Color::White => retrograde_chess::Color::White,
//!         Color::Black => retrograde_chess::Color::Black,
//!     };
//!     let rank = if board.side_to_move() == Color::White { 5 } else { 2 };
//!     tables.value(&Bitboards {
//!         white: board.colors(Color::White).0,
//!         black: board.colors(Color::Black).0,
//!         kings: board.pieces(Piece::King).0,
//!         queens: board.pieces(Piece::Queen).0,
//!         rooks: board.pieces(Piece::Rook).0,
//!         bishops: board.pieces(Piece::Bishop).0,
//!         knights: board.pieces(Piece::Knight).0,
//!         pawns: board.pieces(Piece::Pawn).0,
//!         turn,
//!         en_passant: board.en_passant().map(|file| Square::at(file as u8, rank)),
//!     })
//! }
//! # let _ = value;
//! ```
//!
//! Distances count plies to mate; there is no rule of fifty moves. Positions with castling rights are in no table: do
//! not ask for them. A table that is missing or damaged is an error that says how to make it, never a wrong value.
//! `cargo run --release -p retrograde-chess --example play` plays a won endgame out.
//!
//! **Below that** lie the rules. A [`Material`] names a region, an [`Index`] numbers its states, an [`Endgame`] is its
//! game, given the solutions of the materials that captures and promotions lead to. A [`Position`] is what a person
//! or a FEN knows: it has moves, texts and a state in the region of its material. [`Chess`] is all that ties the rules
//! to regions and tables.
#![forbid(unsafe_code)]

mod attacks;
mod bitboards;
mod build;
mod endgame;
mod exits;
mod family;
mod fen;
mod fill;
mod frame;
mod index;
mod kings;
mod least;
mod material;
mod moves;
mod piece;
mod position;
mod report;
mod san;
mod sets;
mod stats;
mod survey;
mod tablebase;
mod words;
mod worths;

pub use bitboards::{Bitboards, ToPosition};
pub use build::{build, measure, plan};
pub use endgame::Endgame;
pub use family::Chess;
pub use fen::FenError;
pub use index::{Block, Index};
pub use material::{Material, MaterialError, PIECES_MAX};
pub use moves::Move;
pub use piece::{Color, Piece, Role, Square};
pub use position::{Illegal, Position};
pub use report::{Mainline, MainlineMove, MoveReport, Report, Said};
pub use retrograde::{Outcome, Value};
pub use retrograde_regions::{BuildError, Builder, TablebaseError};
pub use stats::{Longest, Stats};
pub use tablebase::{Answer, Choice, Opened, Tablebase};
