//! The entries in the headers of a family's tables, for each side to move.

use std::io::Write;

use retrograde_regions::HeaderSide;

use crate::term::failure::Failure;
use crate::term::number::grouped;

/// Prints a line for each region and side to move, with a position of the longest win.
pub(crate) fn write_sides<'a>(
    sides: impl IntoIterator<Item = (&'a str, HeaderSide<'a>)>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut row = |cells: [&str; 7]| {
        let [region, side, win, draw, loss, longest, position] = cells;
        let line = format!(
            "{region:<8} {side:<7} {win:>15} {draw:>15} {loss:>15} {longest:>11}  {position}"
        );
        writeln!(out, "{}", line.trim_end())
    };
    row(["region", "to move", "win", "draw", "loss", "longest win", "example"])?;
    for (region, HeaderSide { side, counts, longest_win }) in sides {
        let [win, draw, loss] = ["win", "draw", "loss"]
            .map(|outcome| grouped(counts[outcome].as_u64().unwrap_or_default()));
        let longest = counts["longest"].as_u64().map_or("-".to_owned(), grouped);
        row([region, &side, &win, &draw, &loss, &longest, longest_win.unwrap_or_default()])?;
    }
    Ok(())
}
