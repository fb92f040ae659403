//! Questions about solved games, and their answers as JSON.
//!
//! A page shows boards, values, moves and lines of play. It asks for them here: over HTTP from a server, or inside the
//! browser from the same code as WebAssembly. This crate opens no file and reads no clock.
//!
//! ```
//! use std::ops::ControlFlow;
//! use retrograde_answers::{Limits, Question, Solves};
//!
//! let solves = Solves::new(Limits::default());
//! let question: Question = serde_json::from_str(r#"{"parameters": {"heaps": [3, 5], "take": "any"}}"#)?;
//! let said = solves.answer("take", question, &|_| ControlFlow::Continue(()), &|| Ok(()))?;
//! let said = serde_json::to_value(said)?;
//! assert_eq!(said["answer"]["value"], "win");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod limits;
mod line;
mod oracle;
#[cfg(feature = "schema")]
mod parameters;
mod problem;
mod recent;
mod samples;
mod solve;
mod tables;
mod view;

pub use limits::{Check, Limits};
pub use line::Line;
pub use oracle::{BatchAnswer, RegionOracle};
pub use problem::{Problem, ProblemKind};
pub use samples::Sample;
pub use solve::{Question, SolveAnswer, Solves};
pub use tables::{AboutTable, BatchReport, Brief, Samples, TableList, TableStats, Tables};
pub use view::View;
