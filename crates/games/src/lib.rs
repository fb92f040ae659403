//! Games and boards: their rules, the text one writes them in, the pictures one reads them by.
//!
//! One game a module. A module knows its rules and its text; it never solves.
#![forbid(unsafe_code)]

mod show;

pub use show::Show;
