//! Games and boards: their rules, the text one writes them in, the pictures one reads them by.
//!
//! One game a module. A module knows its rules and its text; it never solves.
#![forbid(unsafe_code)]

mod board;
mod corner;
mod error;
mod show;
mod take;

pub use board::{Board, Cell, Steps};
pub use corner::{Corner, Piece};
pub use error::ReadError;
pub use show::Show;
pub use take::{Take, Takes};
