//! `retrograde verify FOLDER` and `retrograde check FOLDER`, for endgame tables.

use std::io::Write;
use std::path::Path;

use retrograde::Verified;

use super::{input, open};
use crate::failure::Failure;
use crate::number::Size;
use crate::verify::all_follow;

/// Checks that every value of a table, or of every table, follows from those one move on.
pub(crate) fn verify(path: &Path, only: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = open(path)?;
    let materials = match only {
        Some(name) => vec![name.parse().map_err(input)?],
        None => folder.materials(),
    };
    for material in materials {
        let Verified { states, moves } = folder.verify(&material).map_err(input)?;
        writeln!(out, "OK: {material}: {}", all_follow(states, moves))?;
        out.flush()?;
    }
    Ok(())
}

/// Checks every byte of every table.
pub(crate) fn check(path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = open(path)?;
    for material in folder.materials() {
        folder.check(&material).map_err(input)?;
        let table = folder.endings(&material).map_err(input)?.table();
        let size = Size { bytes: table.bytes() };
        writeln!(out, "OK: {material}: {size}, every checksum holds")?;
    }
    Ok(())
}
