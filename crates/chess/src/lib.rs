//! Chess with few pieces.
//!
//! A [`Material`] names a region, an [`Index`] numbers its states, an [`Endgame`] is its game, given the
//! solutions of the materials that captures and promotions lead to. A [`Position`] is what a person or
//! a FEN knows: it has moves, texts and a state in the region of its material. [`Chess`] is all that ties
//! the rules to regions and tables.
#![forbid(unsafe_code)]

mod attacks;
mod endgame;
mod exits;
mod family;
mod fen;
mod fill;
mod frame;
mod index;
mod kings;
mod material;
mod moves;
mod piece;
mod position;
mod san;
mod sets;
mod stats;
mod survey;
mod words;

pub use endgame::Endgame;
pub use family::Chess;
pub use fen::FenError;
pub use index::{Block, Index};
pub use material::{Material, MaterialError, PIECES_MAX};
pub use moves::Move;
pub use piece::{Color, Piece, Role, Square};
pub use position::{Illegal, Position};
pub use stats::{Longest, Stats};
