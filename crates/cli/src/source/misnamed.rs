//! Paths that are no files, but names of games, or nearly the names of games or tables.

use std::path::Path;

use retrograde_catalog::{nearest, spec_named, specs};
use retrograde_games::Spec;
use retrograde_table::Folder;

use crate::term::failure::Failure;

/// Refuses the text of a game, and a path that is no file, but a game, or nearly a game or a table.
pub(crate) fn misnamed(path: &Path) -> Result<(), Failure> {
    if is_text_path(path) {
        return Err(Failure::Usage(is_text(path)));
    }
    if path.exists() {
        return Ok(());
    }
    let name = path.display().to_string();
    let mut table = path.as_os_str().to_owned();
    table.push(format!(".{}", Folder::EXTENSION));
    if Path::new(&table).is_file() {
        let table = Path::new(&table).display();
        let problem = format!("{name}: there is no such table; did you mean {table}?");
        return Err(Failure::Input(problem));
    }
    let known = specs().map(|spec| spec.name.to_owned());
    Err(Failure::Usage(match spec_named(&name) {
        Some(family) if family.regions.is_some() => format!(
            "the tables of {0} are built in a folder: `{1} --out DIR`; then name DIR, or a table in it, in place of {0}",
            family.name,
            family.command()
        ),
        Some(game) => is_a_game(game),
        None => match nearest(&name, known).filter(|_| is_word(path)) {
            Some(game) => {
                format!("`{name}` is neither a game nor a table; did you mean {game}?")
            }
            None => return Ok(()),
        },
    }))
}

/// The error if a game is named in place of a table.
pub(crate) fn is_a_game(game: &Spec) -> String {
    let (name, solve) = (game.name, game.command());
    format!("{name} is a game and not a table; `{solve} --out FILE` writes a table")
}

/// The error if the text of a game is named in place of a table.
pub(crate) fn is_text(path: &Path) -> String {
    let path = path.display();
    format!(
        "{path} is the text of a game and not a table; `retrograde solve {path} --out FILE` writes a table"
    )
}

/// Whether a path is that of a text.
pub(crate) fn is_text_path(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "game")
}

/// Whether a path may be the misspelt name of a game.
pub(crate) fn is_word(path: &Path) -> bool {
    path.components().count() < 2 && path.extension().is_none()
}
