//! Plays endgames without a mistake in any chess program, by the Universal Chess Interface (UCI).
//!
//! A chess program starts an engine as a process, writes commands to it and reads its answers. [`talk`] is such an engine. It
//! does not search: it looks up the tables that `retrograde build chess` has made. For each position in them it plays the
//! move that mates soonest, or that is mated last, and says in how many moves. With the option `MultiPV`, it says this of
//! every move.
//!
//! ```
//! use retrograde_uci::talk;
//!
//! let mut answers = Vec::new();
//! talk(&b"uci\nisready\nquit\n"[..], &mut answers, None)?;
//! assert!(String::from_utf8_lossy(&answers).ends_with("uciok\nreadyok\n"));
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

mod engine;
mod game;

use std::io::{self, BufRead, Write};
use std::path::Path;

use crate::engine::Engine;

/// Answers the commands of a chess program, until it sends `quit` or closes its end. `tables` is a folder of tables. The
/// program may name another one with the option `Tables`.
pub fn talk(input: impl BufRead, out: impl Write, tables: Option<&Path>) -> io::Result<()> {
    let mut engine = Engine::new(out);
    if let Some(folder) = tables {
        engine.open(folder)?;
    }
    for line in input.lines() {
        if engine.hear(&line?)?.is_break() {
            break;
        }
    }
    engine.end()
}
