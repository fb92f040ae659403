//! Draws solved games as SVG, or as text for a terminal: boards, small graphs, histograms of distances,
//! plots.
//!
//! The crate knows no game: you say which cells, men, vertices and levels there are. The colours are safe for
//! colour-blind readers and for printers without colour. Every picture explains its colours.
//!
//! ```
//! use retrograde::Value;
//! use retrograde_picture::{Board, Cell, Legend};
//!
//! let values = [Value::Loss(2), Value::Win(1), Value::Draw, Value::Loss(0)];
//! let board = Board {
//!     title: "Four cells".to_owned(),
//!     notes: vec![],
//!     columns: 2,
//!     cells: values.map(|value| Cell { value: Some(value), ..Cell::default() }).into(),
//!     men: vec![],
//!     ways: vec![],
//!     names: None,
//!     legend: Some(Legend::of("wins".to_owned(), "loses".to_owned(), true, values)),
//! };
//! assert!(board.svg().starts_with("<svg "));
//! assert_eq!(board.text(false).lines().nth(2), Some("0  −2 +1"));
//! ```
#![forbid(unsafe_code)]

mod board;
mod graph;
mod histogram;
mod legend;
mod men;
mod plot;
mod svg;
mod text;
mod tint;
mod ways;

pub use board::{Board, Cell, Man, Way};
pub use graph::{Graph, NODES_MAX, Node};
pub use histogram::{Bin, Histogram, bins};
pub use legend::Legend;
pub use men::Figure;
pub use plot::{Plot, Point, Series};
pub use text::bars;
pub use tint::{Scale, Tint, sign};
