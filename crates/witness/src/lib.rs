//! A second opinion on solved games: it proves every value of a table from the rules.
//!
//! The program that wrote a table can only check it with its own code. This crate shares no rules, readers or numbers
//! with it. It reads tables, boards, graphs and texts by their specifications. Its chess rules come from another author. It solves nothing, and needs forward moves only. It is short, so you
//! can check the checker as well.
//!
//! ```no_run
//! let proved = retrograde_witness::witness("board.table".as_ref(), &Default::default())?;
//! println!("{} positions, every value proved", proved.positions);
//! # Ok::<(), retrograde_witness::Refusal>(())
//! ```
#![forbid(unsafe_code)]

mod complete;
pub mod interpreter;
mod proof;
mod remote;
mod rules;
mod subject;
mod table;
mod tally;
mod values;

use std::fmt;
use std::path::Path;

pub use proof::Proved;
pub use subject::{Options, tables, witness};

/// Why a table is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It cannot be read or understood: the file and the reason.
    Unreadable(String),
    /// Something in it is wrong: the file, the state, and what is wrong.
    Wrong(String),
}

impl Refusal {
    fn unreadable(path: &Path, what: &str) -> Refusal {
        Refusal::Unreadable(format!("{}: {what}", path.display()))
    }

    fn wrong(path: &Path, what: &str) -> Refusal {
        Refusal::Wrong(format!("{}: {what}", path.display()))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Refusal::Unreadable(what) | Refusal::Wrong(what)) = self;
        f.write_str(what)
    }
}

impl std::error::Error for Refusal {}
