//! `retrograde stats`: what the tables of a folder hold, by side to move.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde_json::{Map, Value as Json, json};

use super::{input, open};
use crate::examples;
use crate::failure::Failure;
use crate::number::grouped;
use crate::options::{self, FORMAT};

/// Say how many placements each side wins, draws and loses in chess endgames, and the longest mates
///
/// Symmetric placements are all counted, like pieces unordered; positions in which a pawn can be captured
/// in passing are further ones and not counted. The longest mate is that of the side to move, in plies.
#[derive(Args)]
#[command(after_help = examples::STATS)]
pub(crate) struct StatsOf {
    /// A folder of endgame tables
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    #[command(flatten)]
    json: options::Json,
}

impl StatsOf {
    /// Prints what the headers of the tables say.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = open(&self.folder)?;
        let materials = folder.materials();
        if materials.is_empty() {
            let path = self.folder.display();
            return Err(Failure::Input(format!(
                "{path}: there is no finished table here; `retrograde build chess --pieces 3 --out \
                 {path}` makes some"
            )));
        }
        let mut all = Map::new();
        for material in materials {
            let table = folder.endings(&material).map_err(input)?.table();
            all.insert(material.to_string(), sides(&table.header().about.parameters));
        }
        if self.json.json {
            return Ok(writeln!(out, "{}", json!({ "format": FORMAT, "tables": all }))?);
        }
        write_text(all.iter().map(|(material, sides)| (material.as_str(), sides.clone())), out)
    }
}

/// What the parameters in the header of a table say of each side to move.
pub(crate) fn sides(parameters: &Json) -> Json {
    let side = |name: &str| {
        let said = &parameters[name];
        json!({
            "win": said["win"], "draw": said["draw"], "loss": said["loss"],
            "longest": said["longest"], "fen": said["fen"],
        })
    };
    json!({ "white": side("white"), "black": side("black") })
}

/// Two lines for each material.
pub(super) fn write_text<'a>(
    all: impl IntoIterator<Item = (&'a str, Json)>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut row = |cells: [&str; 7]| {
        let [material, side, win, draw, loss, longest, fen] = cells;
        let line =
            format!("{material:<8} {side:<5} {win:>15} {draw:>15} {loss:>15} {longest:>7}  {fen}");
        writeln!(out, "{}", line.trim_end())
    };
    row(["region", "moves", "win", "draw", "loss", "longest", "such as"])?;
    for (material, sides) in all {
        for side in ["white", "black"] {
            let said = &sides[side];
            let [win, draw, loss] = ["win", "draw", "loss"]
                .map(|outcome| grouped(said[outcome].as_u64().unwrap_or_default()));
            let longest = said["longest"].as_u64().map_or("-".to_owned(), grouped);
            let fen = said["fen"].as_str().unwrap_or_default();
            row([material, side, &win, &draw, &loss, &longest, fen])?;
        }
    }
    Ok(())
}
