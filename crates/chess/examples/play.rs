//! Plays a won endgame out, both sides as well as can be: `cargo run --release -p retrograde-chess --example play`.
//!
//! With `-- FOLDER FEN` it plays that position from the tables in that folder. Without, it builds a rook's
//! ending first and plays its longest mate.

use std::error::Error;
use std::path::Path;

use retrograde_chess::{Answer, Tablebase, Value, builder};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => {
            let folder = std::env::temp_dir().join(format!("endgames-{}", std::process::id()));
            builder(&folder).build(&["KRvK"])?;
            let played = play(&folder, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
            std::fs::remove_dir_all(&folder)?;
            print!("{}", played?);
        }
        [folder, fen] => print!("{}", play(folder.as_ref(), fen)?),
        _ => return Err("give a folder of endgame tables and a FEN, or nothing".into()),
    }
    Ok(())
}

/// A line for each move, up to the mate: the move, what it leaves, and the position.
pub(crate) fn play(folder: &Path, fen: &str) -> Result<String, Box<dyn Error>> {
    let tables = Tablebase::open(folder)?;
    let mut answer = tables.probe(fen)?;
    if answer.value == Value::Draw {
        return Err(format!("{fen} is a draw: there is nothing to play out").into());
    }
    if !tables.has_distances() {
        return Err("these tables have no distances, without which no mate comes nearer".into());
    }
    let mut text = String::new();
    while let Some(best) = answer.best() {
        let Answer { position, .. } = answer;
        let (san, left) = (position.san(&best.played), best.distance.unwrap_or(0));
        text += &format!("{san:<8} mate in {left:>3} plies, this one counted   {}\n", best.after);
        answer = tables.probe(&best.after)?;
    }
    Ok(text + &answer.position.picture() + "\n")
}
