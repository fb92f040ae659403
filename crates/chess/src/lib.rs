//! Builds chess endgame tables in a folder, and probes them by position.
//!
//! With these tables, an engine plays any endgame of up to six pieces without a mistake. You build tables
//! once, with the program (`retrograde build chess KQvKR --out endgames`) or with a [`builder`], and then probe
//! them:
//!
//! ```
//! use retrograde_chess::{Tablebase, Value, builder};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = std::env::temp_dir().join(format!("endgames-{}", std::process::id()));
//! builder(&folder).build(&["KRvK"])?;
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
//! **In the search of an engine**, call [`Tablebase::value`]. It looks at no moves of the position. Once a block of
//! the table is in memory, it allocates nothing and takes no lock. So all threads can share one [`Tablebase`]. You
//! can pass a position as a FEN, as a [`Position`], or as [`Bitboards`]. This example makes [`Bitboards`] from a
//! board of `cozy_chess` (`shakmaty` has the same sets under the same names, each in a field `0`):
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
//! Distances count plies to mate. There is no fifty-move rule. Tables have no positions with castling rights, so do
//! not ask for them. If a table is missing or damaged, you get an error that says how to make the table, and never a
//! wrong value. `cargo run --release -p retrograde-chess --example play` plays a won endgame to the end.
//!
//! # In an engine
//!
//! If your engine only probes tables, turn off the feature `build`, which is on by default:
//!
//! ```toml
//! retrograde-chess = { version = "0.2", default-features = false }
//! ```
//!
//! Cargo then compiles neither the builder nor the solver on disk. The features only add:
//!
//! | feature | adds |
//! | --- | --- |
//! | `build` (default) | `builder` and `Builder`, which make tables |
//!
//! # Costs
//!
//! * **Memory.** An open table takes its header and the blocks in its cache. [`Tablebase::open_with`] limits the
//!   cache. A build takes two or three bits a state, and reads the tables of smaller endgames from the folder.
//! * **Time.** If the block is in memory, a lookup takes well under a microsecond. Otherwise it reads and
//!   decompresses the block. If a table keeps one side to move, a value of the other side takes one lookup for each
//!   move.
//! * **Threads.** One [`Tablebase`] serves all threads. A probe takes no lock once its block is in memory.
//! * **Determinism.** The same endgame gives the same bytes on every machine, with any number of threads.
//! * **Persistence.** Tables are files with checksums. The folder has a manifest that names each table and its checksum.
//!
//! # Rules and numbers
//!
//! **Lower layers.** A [`Material`] names a region, and an [`Index`] numbers its states. An [`Endgame`] is its game,
//! which needs the solutions of the materials that captures and promotions lead to. A [`Position`] has moves, texts
//! and a state in the region of its material. [`Chess`] connects the rules to regions and tables.
#![forbid(unsafe_code)]

mod attacks;
mod bitboards;
#[cfg(feature = "build")]
mod build;
mod classify;
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
mod places;
mod position;
mod positions;
mod report;
mod runs;
mod san;
mod sets;
mod tablebase;
mod texts;
mod words;
mod worths;

pub use bitboards::{Bitboards, ToPosition};
#[cfg(feature = "build")]
pub use build::{FAMILY, builder};
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
#[cfg(feature = "build")]
pub use retrograde_regions::{BuildError, Builder};
pub use retrograde_regions::{SolvedRegion, TablebaseError};
pub use tablebase::{Answer, Choice, OpenRegion, Tablebase};
