//! Solves big games in regions. It orders the regions, plans their memory, and keeps their tables in a folder.
//!
//! In many games, no move can undo a capture or a promotion. Such moves divide the game into regions. Each region
//! is a game of its own. The moves into other regions have known values. A [`Family`] lists the regions. A
//! [`Builder`] solves them in order, two at a time if they fit in memory, and writes a table of each into a
//! folder. [`Tables`] looks values up in this folder.
//!
//! Example: A token walks around a ring of four cells, one step in either direction. The player who brings it to
//! cell 0 wins. A player may also pay a coin from a common purse to leave the token where it is. A region is the
//! number of coins left:
//!
//! ```
//! use retrograde::{Game, Predecessors, Probe, Status, Value};
//! use std::ops::ControlFlow;
//! use retrograde_regions::{Builder, Family, SolvedRegion, Tables};
//!
//! struct Ring;
//! struct Purse<'a>(Option<SolvedRegion<'a>>); // what paying leads to, unless the purse is empty
//!
//! impl Game for Purse<'_> {
//!     fn states(&self) -> u64 {
//!         4
//!     }
//!     fn status(&self, cell: u64) -> Status {
//!         if cell == 0 { Status::Terminal(Value::Loss(0)) } else { Status::Open }
//!     }
//!     fn exits(&self, cell: u64, mut visit: impl FnMut(Value)) {
//!         if let Some(poorer) = &self.0 {
//!             let Ok(value) = poorer.probe(cell);
//!             visit(value.expect("no cell is invalid").after_move(false));
//!         }
//!     }
//!     fn successors(&self, cell: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
//!         [(cell + 1) % 4, (cell + 3) % 4].into_iter().try_for_each(visit)
//!     }
//! }
//!
//! impl Predecessors for Purse<'_> {
//!     fn predecessors(&self, cell: u64, visit: impl FnMut(u64)) {
//!         self.each_successor(cell, visit);
//!     }
//! }
//!
//! impl Family for Ring {
//!     type Region = u32;
//!     type Game<'a> = Purse<'a>;
//!     fn name(&self) -> &str {
//!         "ring"
//!     }
//!     fn region_named(&self, name: &str) -> Result<u32, String> {
//!         name.parse().map_err(|_| format!("`{name}` is not a number of coins"))
//!     }
//!     fn needs(&self, coins: &u32) -> Vec<u32> {
//!         coins.checked_sub(1).into_iter().collect()
//!     }
//!     fn game<'a>(&self, _: &u32, solved: Vec<SolvedRegion<'a>>) -> Purse<'a> {
//!         Purse(solved.into_iter().next())
//!     }
//! }
//!
//! # let folder = std::env::temp_dir().join(format!("retrograde-ring-{}", std::process::id()));
//! Builder::new(&Ring, &folder).verify(true).build(&[3])?; // and so 0, 1 and 2
//! let tables = Tables::open(Ring, &folder)?;
//! // On cell 2 a step loses, so you want an odd number of coins.
//! assert_eq!(tables.probe(&0, 2)?, Some(Value::Loss(2)));
//! assert_eq!(tables.probe(&2, 2)?, Some(Value::Loss(4)));
//! assert_eq!(tables.probe(&3, 2)?, Some(Value::Win(5)));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Audit a region
//!
//! A region is a game, so [`audit`](retrograde::audit()) compares its moves with its backward moves. You need not
//! build anything before. Give the game [blank](SolvedRegion::blank) solutions in place of the regions that it needs.
//! They answer a draw to every question. So the audit compares moves, but not exits:
//!
//! ```
//! # use retrograde::{Game, Predecessors, Status, Value};
//! # use std::ops::ControlFlow;
//! # use retrograde_regions::{Family, SolvedRegion};
//! # struct Ring;
//! # struct Purse;
//! # impl Game for Purse {
//! #     fn states(&self) -> u64 { 4 }
//! #     fn status(&self, _: u64) -> Status { Status::Open }
//! #     fn successors(&self, cell: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
//! #         [(cell + 1) % 4, (cell + 3) % 4].into_iter().try_for_each(visit)
//! #     }
//! # }
//! # impl Predecessors for Purse {
//! #     fn predecessors(&self, cell: u64, visit: impl FnMut(u64)) { self.each_successor(cell, visit); }
//! # }
//! # impl Family for Ring {
//! #     type Region = u32;
//! #     type Game<'a> = Purse;
//! #     fn name(&self) -> &str { "ring" }
//! #     fn region_named(&self, name: &str) -> Result<u32, String> { name.parse().map_err(|_| String::new()) }
//! #     fn needs(&self, coins: &u32) -> Vec<u32> { coins.checked_sub(1).into_iter().collect() }
//! #     fn game<'a>(&self, _: &u32, _: Vec<SolvedRegion<'a>>) -> Purse { Purse }
//! # }
//! let (family, region) = (Ring, 3);
//! let fields = |_: &u32| 4; // how many states a region has
//! let blanks = family.needs(&region).iter().map(|need| SolvedRegion::blank(fields(need))).collect();
//! let game = family.game(&region, blanks);
//! assert_eq!(retrograde::audit(&game)?.states, 4);
//! # Ok::<(), retrograde::checks::AuditError>(())
//! ```
//!
//! Once you have built the tables, [`Tables::with_game`] sets up the game with them:
//! `tables.with_game(&region, |game| audit(game))`. [`Tables::verify`] compares the values of a region with its rules.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `build` (default) | [`Builder`] and [`Plan`]: everything that makes tables, and the solver on disk behind it |
//!
//! If your program only probes tables, turn the default off. Then it compiles neither the builder nor the solver
//! on disk.
//!
//! # More
//!
//! * [`Builder::plan`] and [`Builder::measure`] estimate the cost of a build before it starts.
//! * If a build stops, start the same build again. It continues, and writes the same bytes.
//! * If a table is missing or damaged, the error names the table and the command that makes it: see
//!   [`RegionError`].
#![forbid(unsafe_code)]

#[cfg(feature = "build")]
mod any_family;
#[cfg(feature = "build")]
mod build;
mod certificate;
mod error;
mod facts;
mod family;
mod manifest;
mod moves;
mod named_regions;
mod oracle;
mod solved;
mod solved_family;
mod state_answer;
mod tablebase;
mod tables;
mod texts;
mod typed_region;
mod verify;
pub mod words;
mod worth;

#[cfg(feature = "build")]
pub use any_family::{AnyFamily, Selection};
#[cfg(feature = "build")]
pub use build::{
    BuildError, Builder, Event, MemoryMost, Plan, Planned, Rates, SolvableRegion, SolvableRegions,
    Tell,
};
pub use certificate::{Certificate, CertificateError};
pub use error::{Cause, RegionError};
pub use facts::{Run, SideFacts};
pub use family::{ExitCosts, Family, recover};
pub use manifest::{Entry, Manifest, ManifestRules};
pub use moves::RegionExits;
pub use named_regions::{LookupError, NamedRegions, RegionGame};
pub use oracle::{
    Choices, Line, NO_DISTANCES, Oracle, OracleError, Played, SolvedGame, State, States, gather,
};
pub use retrograde::checks::{Verified, Verifier};
pub use retrograde_positions::{Arguments, Kind, Parameter, Spec};
pub use solved::{Failure, SolvedRegion};
pub use solved_family::counts_of;
pub use state_answer::{MoveAnswer, StateAnswer, StateObject};
pub use tablebase::{Answer, Choice, FamilyTexts, OpenRegion, Tablebase, TablebaseError};
pub use tables::Tables;
pub use texts::{HeaderSide, Notation, Style, header_sides, header_sides_object};
pub use worth::{Worth, word};
