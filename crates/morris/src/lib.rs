//! Three, six and nine men's morris: built as tables in a folder, and asked by position.
//!
//! Tables are built once, by the program (`retrograde build morris --men 3 --out merels`) or by [`build`], and asked from then on:
//!
//! ```
//! use retrograde_morris::{Builder, Men, Morris, Position, Region, Tablebase, Value, build};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = std::env::temp_dir().join(format!("merels-{}", std::process::id()));
//! build(Builder::new(&Morris::new(Men::Three), &folder), &[Region::start(Men::Three)])?;
//!
//! let tables = Tablebase::open(&folder)?;
//! let answer = tables.probe(&Position::start(Men::Three))?;
//! assert!(matches!(answer.value, Value::Win(_))); // for who begins
//! assert_eq!(answer.position.text(&answer.moves[0].played), "b2"); // in the middle
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! **The rules.** White begins. Both place their men in turn, one a move, on any free point; then they move one along a line to the next
//! point, if it is free. Whoever so makes three in a row, a *mill*, takes a stone of the other's: one that stands in no mill, or any if
//! all do. Two mills closed at once take one stone. Who has fewer than three men left, on the board and in hand, has lost, and so
//! has who must move and cannot. Play that repeats itself is a draw. In nine men's morris who has three men left, and none in hand, flies:
//! he may move one to any free point. In six and three men's morris nobody flies. In three men's morris the diagonals count as lines for
//! mills, not for steps; whoever closes a mill has won.
//!
//! These are the rules that nine men's morris was solved by (R. Gasser, Solving Nine Men's Morris, 1996); the three men's are those that
//! H. J. R. Murray calls the smaller merels (A History of Chess, 1913), by which men step to adjacent points alone.
//!
//! **Below that** lies the family: a [`Region`] has so many stones on each side, an [`Index`] numbers its states, and [`Mill`] is its game,
//! given the solutions of what its moves lead to.
#![forbid(unsafe_code)]

mod board;
#[cfg(feature = "build")]
mod build;
mod classes;
mod family;
mod forwards;
mod game;
mod index;
mod key;
mod mills;
mod picture;
mod placing;
mod position;
mod region;
mod stats;
mod tablebase;

pub use board::{Board, Men};
#[cfg(feature = "build")]
pub use build::{build, measure, plan};
pub use family::{GAME, Morris};
pub use game::Mill;
pub use index::Index;
pub use picture::picture;
pub use position::{Move, Position, PositionError, Side};
pub use region::{Region, RegionNameError};
pub use retrograde::Value;
pub use retrograde_regions::TablebaseError;
#[cfg(feature = "build")]
pub use retrograde_regions::{BuildError, Builder};
pub use stats::Stats;
pub use tablebase::{Answer, Choice, Opened, Tablebase};
