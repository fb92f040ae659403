//! The plot of solves of larger and larger boards, from the records of `scripts/big`.

use std::path::{Path, PathBuf};

use retrograde_picture::{Plot, Point, Series};

use crate::source::options::Memory;
use crate::source::text;
use crate::term::failure::Failure;

/// Plots the records, one curve each.
pub(super) fn draw(files: &[PathBuf]) -> Result<Plot, Failure> {
    if files.is_empty() {
        let advice = "picture ladder needs FILE: a record of `scripts/big` in benches/record";
        return Err(Failure::Usage(advice.to_owned()));
    }
    let mut plot = Plot {
        title: "Boards with 15% walls and 3 exits: time against states".to_owned(),
        across: "states".to_owned(),
        up: "seconds".to_owned(),
        series: Vec::new(),
        notes: Vec::new(),
    };
    for file in files {
        read(file, &mut plot)?;
    }
    Ok(plot)
}

fn read(file: &Path, plot: &mut Plot) -> Result<(), Failure> {
    let name = file.display();
    let text = text::read(file, "the output of `solve`", Memory::default())?.text;
    let mut columns: Option<(usize, usize)> = None;
    let mut points = Vec::new();
    let mut what =
        file.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    for (number, line) in text.lines().enumerate() {
        if let Some((_, rest)) = line.split_once("engine `")
            && let Some((engine, rest)) = rest.split_once('`')
        {
            what = format!("engine {engine}{}", rest.split(';').next().unwrap_or_default());
        }
        let said = line.strip_prefix("- processor: ").or(line.strip_prefix("- compiler: "));
        if let Some(said) = said.filter(|said| !plot.notes.iter().any(|note| note == said)) {
            plot.notes.push(said.to_owned());
        }
        let Some(row) = line.strip_prefix('|') else { continue };
        let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
        let Some((states, seconds)) = columns else {
            let find = |wanted: &str| cells.iter().position(|cell| *cell == wanted);
            columns = find("states").zip(find("seconds"));
            continue;
        };
        if cells.iter().all(|cell| cell.starts_with(['-', ':'])) {
            continue;
        }
        let number_in =
            |column: usize| cells.get(column)?.parse::<f64>().ok().filter(|found| *found > 0.0);
        let (Some(x), Some(y)) = (number_in(states), number_in(seconds)) else {
            return Err(Failure::Input(format!(
                "{name}: line {}: this row has no states and seconds; write the record again with `scripts/big`",
                number + 1
            )));
        };
        points.push(Point { x, y, name: cells[0].to_owned() });
    }
    if points.is_empty() {
        return Err(Failure::Input(format!(
            "{name}: it has no table of states and seconds; `scripts/big` writes such a record to benches/record"
        )));
    }
    plot.series.push(Series { name: what, points });
    Ok(())
}
