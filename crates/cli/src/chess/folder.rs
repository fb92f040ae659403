//! A folder of endgame tables, asked by position.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

use retrograde::Value;
use retrograde_chess::{Chess, Index, Material, Move, Position};
use retrograde_regions::{Family, Manifest, Tables};

use crate::failure::Failure;

/// Whether a path is a folder of endgame tables.
pub(crate) fn is_folder(path: &Path) -> bool {
    let manifest = Manifest::read(path).ok().flatten();
    manifest.is_some_and(|manifest| manifest.family == Chess.name())
}

/// An open folder.
pub(super) struct Folder {
    tables: Tables<Chess>,
    /// The numberings of the materials that were asked for.
    indices: RefCell<HashMap<Material, Index>>,
}

/// A legal move, where it leads and what it is worth.
pub(super) struct Choice {
    pub(super) played: Move,
    pub(super) after: Position,
    /// To the player who makes it, the move counted.
    pub(super) value: Value,
}

impl Folder {
    /// Opens a folder.
    pub(super) fn open(path: &Path) -> Result<Folder, Failure> {
        let display = path.display();
        if !path.is_dir() {
            return Err(Failure::Input(format!(
                "{display}: there is no such folder; `retrograde build chess --pieces 3 --out \
                 {display}` makes one"
            )));
        }
        let tables =
            Tables::open(Chess, path).map_err(|error| Failure::Input(error.to_string()))?;
        let family = &tables.manifest().family;
        if family != Chess.name() {
            let advice = format!("{display}: these are tables of {family}, not of chess");
            return Err(Failure::Input(advice));
        }
        Ok(Folder { tables, indices: RefCell::default() })
    }

    /// The tables.
    pub(super) fn tables(&self) -> &Tables<Chess> {
        &self.tables
    }

    /// The materials whose tables are finished, in order of solving.
    pub(super) fn materials(&self) -> Result<Vec<Material>, Failure> {
        let names = self.tables.manifest().regions.keys();
        let parsed = names.map(|name| {
            name.parse::<Material>()
                .map_err(|error| Failure::Input(format!("the manifest: {error}")))
        });
        let mut materials = parsed.collect::<Result<Vec<_>, _>>()?;
        materials.sort_unstable();
        Ok(materials)
    }

    /// Whether the tables say how long a win takes.
    pub(super) fn has_distances(&self) -> bool {
        self.tables.manifest().distances
    }

    /// What a position is worth to the player to move.
    pub(super) fn value(&self, position: &Position) -> Result<Value, Failure> {
        let Some((material, _)) = position.material() else { return Ok(Value::Draw) };
        let state = {
            let mut indices = self.indices.borrow_mut();
            indices.entry(material).or_insert_with(|| Index::new(material)).state(position)
        };
        let value = self.tables.probe(&material, state).map_err(input)?;
        // Forgotten void states may read as anything, but no position is one.
        value.ok_or_else(|| {
            Failure::Input(format!("the table of {material} knows nothing of {position}"))
        })
    }

    /// The legal moves of a position, best first: the fastest win, the slowest loss.
    pub(super) fn choices(&self, position: &Position) -> Result<Vec<Choice>, Failure> {
        let choice = |played: Move| {
            let after = position.play(&played);
            let value = self.value(&after)?.after_move(false);
            Ok(Choice { played, after, value })
        };
        let choices: Result<Vec<_>, Failure> = position.moves().into_iter().map(choice).collect();
        let mut choices = choices?;
        choices.sort_by_key(|choice| Reverse(choice.value.preference()));
        Ok(choices)
    }
}

/// Reads a FEN.
pub(super) fn position(text: &str) -> Result<Position, Failure> {
    text.parse().map_err(|error| Failure::Input(format!("FEN `{text}`: {error}")))
}

/// A table at fault; the message says how to make it again.
pub(super) fn input(error: impl std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}
