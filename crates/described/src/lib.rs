//! A board game from one page of text.
//!
//! A text says in a few words how men move and who wins. [`Page::read`] compiles it to *atoms*: single moves with their
//! conditions. All else follows from the atoms: forward and backward moves, the numbers of positions, and symmetries.
//!
//! ```
//! use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};
//! use retrograde_positions::Positions;
//!
//! struct Solve;
//! impl PageVisitor for Solve {
//!     type Output = String;
//!     fn visit<const N: usize>(self, game: DescribedGame<N>) -> String {
//!         let start = game.start().unwrap();
//!         let value = retrograde::solve(&game).value(game.number(&(), &start)).unwrap();
//!         format!("{}: {value}", game.write(&start))
//!     }
//! }
//!
//! let text = "
//!     game three-in-a-row
//!     board grid 3 3
//!     men both man 3 hand
//!     drop man any
//!     move man step all placed
//!     win line 3 n e ne se
//! ";
//! let page = Page::read(text)?;
//! assert!(page.visit(Numbers::Folded, Solve)?.starts_with("first .../.../... MMMmmm: "));
//! # Ok::<(), retrograde_described::TextError>(())
//! ```
#![forbid(unsafe_code)]

mod atoms;
mod backward;
mod board;
mod cells;
#[cfg(test)]
mod dropped;
mod ends;
mod error;
mod game;
mod idle;
mod in_rows;
mod names;
mod page;
mod reach;
mod read;
mod regions;
mod report;
mod row_ends;
mod row_numbers;
mod row_steps;
mod rows;
mod royal;
mod rulebook;
mod said;
mod show;
mod slots;
mod steps;
mod symmetry;
mod tables;
mod text;
mod words;

pub use error::TextError;
pub use game::DescribedGame;
pub use page::{NUMBERING, Numbers, Page, PageVisitor};
pub use regions::CellRegion;
pub use report::{Report, ReportMen, ReportPosition};
pub use rows::GameInRows;
