//! Builds tables of three, six and nine men's morris in a folder, and probes them by position.
//!
//! You build tables once, with the program (`retrograde build morris --men 3 --out merels`) or with
//! [`Morris::builder`], and then probe them:
//!
//! ```
//! use retrograde_morris::{Men, Morris, Position, Region, Tablebase, Value};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = std::env::temp_dir().join(format!("merels-{}", std::process::id()));
//! Morris::new(Men::Three).builder(&folder).build(&[Region::start(Men::Three)])?;
//!
//! let tables = Tablebase::open(&folder)?;
//! let answer = tables.probe(&Position::start(Men::Three))?;
//! assert!(matches!(answer.value, Value::Win(_))); // white begins
//! assert_eq!(answer.moves[0].played.name, "b2"); // in the middle
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! **The rules.** White begins. Both players place their men in turn, one a move, on any free point. Then
//! they move a man along a line to the next point, if it is free. Three men in a row are a *mill*. A player
//! who closes a mill takes a stone of the opponent. It must be in no mill, unless all are in mills. If one
//! move closes two mills, the player takes only one stone. A player with fewer than three men on the board
//! and in hand loses. So does a player who cannot move. Endless play is a draw. In nine men's morris a player
//! with three men left, and none in hand, flies: a man may move to any free point. In three men's morris the
//! diagonals count for mills but not for steps, and a player who closes a mill wins.
//!
//! Nine men's morris was solved by these rules (R. Gasser, Solving Nine Men's Morris, 1996). The game with
//! three men is the one that H. J. R. Murray calls the smaller merels (A History of Chess, 1913), in which
//! men step to adjacent points only.
//!
//! **Lower layers.** A [`Region`] fixes the number of stones on each side, and an [`Index`] numbers its
//! states. [`Mill`] is its game, which needs the solutions of the regions that its moves lead to.
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
mod placing;
mod position;
mod region;
mod tablebase;
mod texts;

pub use board::{Board, Men};
#[cfg(feature = "build")]
pub use build::FAMILY;
pub use family::{GAME, Morris};
pub use game::Mill;
pub use index::Index;
pub use position::{Move, Position, PositionError, Side};
pub use region::{Region, RegionNameError};
pub use retrograde::Value;
#[cfg(feature = "build")]
pub use retrograde_regions::{BuildError, Builder};
pub use retrograde_regions::{SolvedRegion, TablebaseError};
pub use tablebase::{Answer, Choice, OpenRegion, Tablebase};
