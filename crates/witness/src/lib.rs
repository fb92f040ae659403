//! A second opinion on solved games: proves every value of a table from the rules.
//!
//! A table is believed for years, and the program that wrote it can check it only by its own lights. What is here shares
//! nothing with it: it reads the format from the specification, has rules and numbers of its own (those of chess by another
//! hand), solves nothing, and needs no more than forwards moves. It is short, so that whoever doubts can check the
//! checker as well.
//!
//! ```no_run
//! let proved = retrograde_witness::witness("board.table".as_ref(), &Default::default())?;
//! println!("{} positions, every value proved", proved.positions);
//! # Ok::<(), retrograde_witness::Refusal>(())
//! ```
#![forbid(unsafe_code)]

mod proof;
mod rules;
mod subject;
mod table;
mod tally;
mod values;

use std::fmt;
use std::path::Path;

pub use proof::Proved;
pub use subject::{Options, tables, witness};

/// Why a table is not believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It cannot be read, or not be understood: which file and why.
    Unreadable(String),
    /// Something in it is not so: in which file, of which state, and what is.
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
