//! Plots records of `scripts/big`, one curve each: seconds against states, as SVG.
//!
//! ```text
//! plot RECORD ... > ladder.svg
//! ```
#![forbid(unsafe_code)]

use retrograde_benches::plot::{Plot, Point, Series};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: plot RECORD ...; the records of `scripts/big` are in benches/record");
        return ExitCode::FAILURE;
    }
    let mut plot = Plot {
        title: "Boards with 15% walls and 3 exits: time against states".to_owned(),
        across: "states".to_owned(),
        up: "seconds".to_owned(),
        series: Vec::new(),
        notes: Vec::new(),
    };
    match files.iter().try_for_each(|file| read(Path::new(file), &mut plot)) {
        Ok(()) => {
            print!("{}", plot.svg());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("plot: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Adds the curve of a record.
fn read(file: &Path, plot: &mut Plot) -> Result<(), String> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
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
        let note = line.strip_prefix("- processor: ").or(line.strip_prefix("- compiler: "));
        if let Some(note) = note.filter(|note| !plot.notes.iter().any(|known| known == note)) {
            plot.notes.push(note.to_owned());
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
            return Err(format!(
                "{name}: line {}: this row has no states and seconds; write the record again with `scripts/big`",
                number + 1
            ));
        };
        points.push(Point { x, y, name: cells[0].to_owned() });
    }
    if points.is_empty() {
        return Err(format!("{name}: it has no table of states and seconds"));
    }
    plot.series.push(Series { name: what, points });
    Ok(())
}
