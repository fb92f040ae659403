//! Draws solved games as SVG, or as text for a terminal: boards, small graphs, histograms of distances.
//!
//! The crate knows no game: it draws boards as data, vertices and levels. The colours are safe for
//! colour-blind readers and for printers without colour. Every picture explains its colours.
//!
//! ```
//! use retrograde::Value;
//! use retrograde_picture::{Drawing, Legend};
//! use retrograde_positions::Board;
//!
//! let values = [Value::Loss(2), Value::Win(1), Value::Draw, Value::Loss(0)];
//! let drawing = Drawing {
//!     title: "Four squares".to_owned(),
//!     values: values.map(Some).into(),
//!     legend: Some(Legend::of("wins".to_owned(), "loses".to_owned(), true, values)),
//!     ..Drawing::of(Board::chequered(2, |_, _| false))
//! };
//! assert!(drawing.svg().starts_with("<svg "));
//! assert_eq!(drawing.text(false).lines().nth(2), Some("2  −2 +1"));
//! ```
#![forbid(unsafe_code)]

mod arrows;
mod drawing;
mod graph;
mod histogram;
mod legend;
mod men;
pub mod svg;
mod text;
mod tiles;
mod tint;

pub use arrows::Arrow;
pub use drawing::Drawing;
pub use graph::{Graph, NODES_MAX, Node};
pub use histogram::{Bin, Histogram, bins};
pub use legend::Legend;
pub use text::bars;
pub use tiles::{Paint, Tile, Tiles, lettered};
pub use tint::{Scale, Tint, sign};
