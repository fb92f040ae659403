//! The games of the program by what a table says of them: name, parameters, board.

use retrograde::{ByWords, Misere, Retrograde};
use retrograde_games::{Board, Chase, Corner, Graph, Piece, Pursuit, ReadError, Show, Take, Takes};
use retrograde_table::About;
use serde_json::Value as Json;

use crate::failure::Failure;
use crate::rules::Rules;

/// The rules of a game, or what is wrong with the description of it; `None` where there is no such game.
pub(crate) fn rules(about: &About) -> Option<Result<Rules, Failure>> {
    let made = match about.game.as_str() {
        "graph" => graph(about),
        "pursuit" => pursuit(about),
        "chase" => chase(about),
        "take" => take(about),
        "corner" => corner(about),
        _ => return None,
    };
    Some(made.map_err(Failure::Input))
}

fn graph(about: &About) -> Result<Rules, ReadError> {
    Ok(maybe_misere(about, Graph::parse(board(about)?)?))
}

fn pursuit(about: &About) -> Result<Rules, ReadError> {
    let board = Board::parse(board(about)?)?;
    let police = number(about, "police")?.unwrap_or(1);
    if police == 1 {
        let game = Pursuit::new(board)?;
        let rows = game.row_len();
        return Ok(Rules::solved_by(game, Some(rows), |game, solver| solver.solve(ByWords(game))));
    }
    let game = Chase::on_board(&board, police)?;
    let rows = game.row_len();
    Ok(Rules::new(game, Some(rows)))
}

fn chase(about: &About) -> Result<Rules, ReadError> {
    let game = Chase::parse(board(about)?, number(about, "police")?.unwrap_or(1))?;
    let rows = game.row_len();
    Ok(Rules::new(game, Some(rows)))
}

fn take(about: &About) -> Result<Rules, ReadError> {
    let heaps = about.parameters["heaps"].as_array().ok_or_else(|| needed("take", "heaps"))?;
    let numbers: Option<Vec<u32>> = heaps.iter().map(small).collect();
    let heaps = numbers.ok_or_else(|| ReadError::whole("heaps are numbers"))?;
    let takes = match about.parameters["take"].as_str().ok_or_else(|| needed("take", "take"))? {
        "any" => Takes::Any,
        text => {
            let set = text.split(',').map(str::parse).collect::<Result<Vec<u32>, _>>();
            Takes::Set(set.map_err(|error| ReadError::whole(format!("take {text}: {error}")))?)
        }
    };
    Ok(maybe_misere(about, Take::new(&heaps, takes)?))
}

fn corner(about: &About) -> Result<Rules, ReadError> {
    let piece = match about.parameters["piece"].as_str() {
        Some("queen") => Piece::Queen,
        Some("rook") => Piece::Rook,
        Some("bishop") => Piece::Bishop,
        Some("king") => Piece::King,
        Some(other) => {
            let what = format!("{other:?} is no piece: queen, rook, bishop or king");
            return Err(ReadError::whole(what));
        }
        None => return Err(needed("corner", "piece")),
    };
    let rows = number(about, "rows")?.ok_or_else(|| needed("corner", "rows"))?;
    let columns = number(about, "columns")?.ok_or_else(|| needed("corner", "columns"))?;
    Ok(maybe_misere(about, Corner::new(piece, rows, columns)?))
}

fn maybe_misere<G: Show + Retrograde + Send + 'static>(about: &About, game: G) -> Rules {
    let misere = about.parameters["misere"].as_bool().unwrap_or(false);
    if misere { Rules::new(Misere(game), None) } else { Rules::new(game, None) }
}

fn board(about: &About) -> Result<&str, ReadError> {
    about.board.as_deref().ok_or_else(|| needed(&about.game, "board"))
}

fn number(about: &About, name: &str) -> Result<Option<u32>, ReadError> {
    match &about.parameters[name] {
        Json::Null => Ok(None),
        value => match small(value) {
            Some(number) => Ok(Some(number)),
            None => {
                Err(ReadError::whole(format!("{name} {value} is no number from 0 to 2^32 - 1")))
            }
        },
    }
}

fn small(value: &Json) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

fn needed(game: &str, what: &str) -> ReadError {
    ReadError::whole(format!("{game} needs {what}"))
}
