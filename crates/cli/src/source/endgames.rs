//! Which endgame tables a path names: all of a folder, or one.

use std::path::{Path, PathBuf};

use retrograde_chess::{Color, Material, Position, Tablebase};
use retrograde_regions::Manifest;
use retrograde_table::{Folder, Table};

use crate::source::state::state_words;
use crate::term::failure::{Failure, input};

/// The game that endgame tables say they are of.
pub(crate) const GAME: &str = "chess";

/// Endgame tables that were named.
pub(crate) struct Endgames {
    pub(crate) tables: Tablebase,
    /// The one that was meant, where a file was named.
    only: Option<Material>,
}

/// The endgame tables that a path names, if it names such.
pub(crate) fn endgames(path: &Path) -> Result<Option<Endgames>, Failure> {
    if path.is_dir() {
        if Tablebase::is_at(path).map_err(input)? {
            let tables = Tablebase::open(path).map_err(input)?;
            return Ok(Some(Endgames { tables, only: None }));
        }
        let folder = Folder::new(path);
        let names = folder.names().unwrap_or_default();
        let mut files = names.iter().flat_map(|name| folder.file(name));
        if files.any(|file| Table::open(file).is_ok_and(|table| table.header().about.game == GAME))
        {
            return Err(Failure::Input(format!(
                "{}: here are endgame tables, but no {}, which knows whether they are those that were \
                 built; copy it again from where it is whole, or build again",
                path.display(),
                Manifest::FILE
            )));
        }
        return Ok(None);
    }
    // A file that is no table is refused later, as a table of another game.
    let Ok(table) = Table::open(path) else { return Ok(None) };
    let about = &table.header().about;
    if about.game != GAME {
        return Ok(None);
    }
    let name = path.display();
    let material = about.parameters["material"].as_str().unwrap_or_default();
    let material = material.parse().map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    if !Tablebase::is_at(folder).map_err(input)? {
        return Err(Failure::Input(format!(
            "{name}: captures lead from an endgame to others, and this one is not in the folder it was built \
             in; to build it: retrograde build chess {material} --out DIR"
        )));
    }
    let tables = Tablebase::open(folder).map_err(input)?;
    Ok(Some(Endgames { tables, only: Some(material) }))
}

impl Endgames {
    /// The materials meant: one, or all of the folder.
    pub(crate) fn materials(&self) -> Vec<Material> {
        self.only.map_or_else(|| self.tables.regions(), |only| vec![only])
    }

    /// Whether a folder was named, and not a table.
    pub(crate) fn is_folder(&self) -> bool {
        self.only.is_none()
    }

    /// The one material meant.
    pub(crate) fn one(&self) -> Result<Material, Failure> {
        let folder = self.tables.path();
        match &self.materials()[..] {
            [one] => Ok(*one),
            [] => Err(Failure::Input(format!(
                "{}: there is no finished table here; `retrograde build chess --pieces 3 --out {0}` makes \
                 some",
                folder.display()
            ))),
            [first, others @ ..] => Err(Failure::Input(format!(
                "{}: there are {} tables in this folder: name one, like {}",
                folder.display(),
                1 + others.len(),
                self.file(first).display()
            ))),
        }
    }

    /// The one table of a folder that is named.
    pub(crate) fn narrowed(self, name: &str) -> Result<Endgames, Failure> {
        let material: Material = name.parse().map_err(input)?;
        // Says how to build it, if it is not there.
        self.tables.opened(&material).map_err(input)?;
        Ok(Endgames { only: Some(material), ..self })
    }

    /// The one FEN that `--from` names, or that follows the table.
    pub(crate) fn fen(
        from: Option<String>,
        state: Option<String>,
        rest: Vec<String>,
    ) -> Result<Option<String>, Failure> {
        let words = state_words(from, state, rest, |from| fields(from) >= 4)?;
        let mut fens = fens(words);
        if let Some(second) = fens.get(1) {
            return Err(Failure::Usage(format!("`{second}` is a second position: name one FEN")));
        }
        Ok(fens.pop())
    }

    /// The longest win of the one material meant, as a FEN: of white, or of black where white wins none.
    pub(crate) fn longest(&self) -> Result<String, Failure> {
        let material = self.one()?;
        if !self.tables.has_distances() {
            return Err(Failure::Input(format!(
                "{material}: no distances were kept, so its longest win is not known: say from which position, as a FEN"
            )));
        }
        let endings = self.tables.opened(&material).map_err(input)?;
        let said = &endings.table().header().about.parameters;
        let fen = ["white", "black"].into_iter().find_map(|side| said[side]["fen"].as_str());
        fen.map(str::to_owned).ok_or_else(|| {
            Failure::Usage(format!("{material} has no won position: give a position as a FEN"))
        })
    }

    /// The file of a material's table.
    pub(crate) fn file(&self, material: &Material) -> PathBuf {
        self.tables.path().join(format!("{material}.{}", Folder::EXTENSION))
    }
}

/// The FENs among words: one that was not quoted comes in four to six of them.
pub(crate) fn fens(words: Vec<String>) -> Vec<String> {
    let mut fens: Vec<String> = Vec::new();
    for word in words {
        match fens.last_mut() {
            Some(fen) if fen.contains('/') && !word.contains('/') && fields(fen) < 6 => {
                fen.push(' ');
                fen.push_str(&word);
            }
            _ => fens.push(word),
        }
    }
    fens
}

fn fields(fen: &str) -> usize {
    fen.split([' ', '_']).filter(|field| !field.is_empty()).count()
}

/// Reads a FEN.
pub(crate) fn position(text: &str) -> Result<Position, Failure> {
    text.parse().map_err(|error| Failure::Input(format!("FEN `{text}`: {error}")))
}

/// A side by its name.
pub(crate) fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
