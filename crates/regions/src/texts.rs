//! A family in the words of a program: its name, the names of its regions, and how its answers are written.

use retrograde_positions::{Move, Positions};
use retrograde_table::About;
use serde_json::{Map, Value as Json};

use crate::family::Family;
use crate::spec::Spec;
use crate::tablebase::{Tablebase, TablebaseError};

/// A family whose tables people can look at, by position.
pub trait FamilyTexts:
    Family<Region: Ord> + Positions<Region = <Self as Family>::Region> + Sized
{
    /// The texts and the arguments of the family.
    const SPEC: Spec;

    /// The family with this [name](Family::name), from a folder's manifest, or with a table of this header. `None` for another
    /// game. Without both, a game with one family may return this family.
    fn of(name: Option<&str>, about: Option<&About>) -> Option<Self>;

    /// The family and the regions that arguments choose. The error says what is wrong with the arguments. `given`
    /// has the values of the [parameters](Spec::parameters) by name.
    fn chosen(
        given: &dyn Fn(&str) -> Option<u32>,
        regions: &[String],
    ) -> Result<(Self, Vec<<Self as Family>::Region>), String>;

    /// The region with this name. The error says what is wrong with the name.
    fn region_named(&self, name: &str) -> Result<<Self as Family>::Region, String>;

    /// A title of a region, for people.
    fn title(&self, region: &<Self as Family>::Region) -> String;

    /// The answer about a position in JSON, if the game has a form of its own.
    fn object(
        tables: &Tablebase<Self>,
        position: &Self::Position,
    ) -> Option<Result<Json, TablebaseError>> {
        let _ = (tables, position);
        None
    }
}

/// A way to write a [`Move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Its name.
    Name,
    /// The spelling with this number.
    Spelling(usize),
}

impl Notation {
    /// A move in this notation.
    pub fn of<P>(self, played: &Move<P>) -> &str {
        match self {
            Notation::Name => &played.name,
            Notation::Spelling(number) => {
                played.spellings.get(number).map_or(&played.name, |spelling| spelling)
            }
        }
    }
}

/// How to write the answers of a family.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The word for the text of a position: `position`.
    pub position: &'static str,
    /// The width of the names of moves.
    pub move_width: usize,
    /// The entries of a move in JSON: their names, and what they hold.
    pub entries: &'static [(&'static str, Notation)],
    /// The entries that stand in columns beside the name of a move.
    pub columns: &'static [&'static str],
    /// The title for the number of moves of the winner, if people count moves and not plies: `mate in`.
    pub moves: Option<&'static str>,
    /// Whether to write games in PGN.
    pub pgn: bool,
    /// Whether a probe lists the moves for people. Say no if there may be millions.
    pub lists: bool,
    /// Whether a picture shows, by default, the value of each cell with a man on it.
    pub map: bool,
    /// The entry of `info` with the counts of each side, and its title for people.
    pub told: (&'static str, &'static str),
}

impl Style {
    /// Moves and plies.
    pub const PLAIN: Style = Style {
        position: "position",
        move_width: 10,
        entries: &[("move", Notation::Name)],
        columns: &[],
        moves: None,
        pgn: false,
        lists: true,
        map: false,
        told: ("positions", "positions, one for all that are symmetric"),
    };
}

/// The counts of one side to move in a table's header.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// The side: `white`.
    pub side: String,
    /// Its counts `win`, `draw` and `loss`, and `longest`.
    pub said: &'a Json,
    /// A position with the longest win.
    pub such: Option<&'a str>,
}

/// The counts of each side to move, from the parameters in a table's header. They stand in a list, or under the names of the
/// players.
pub fn told<'a>(parameters: &'a Json, players: &[&str]) -> Vec<Told<'a>> {
    let such = |said: &'a Json| said["position"].as_str().or(said["fen"].as_str());
    if let Some(sides) = parameters["sides"].as_array() {
        let told = |said: &'a Json| {
            let side = format!("{}-{}", said["own"], said["other"]);
            Told { side, said, such: such(said) }
        };
        return sides.iter().map(told).collect();
    }
    let of = players.iter().filter_map(|player| Some((player, parameters.get(*player)?)));
    of.map(|(player, said)| Told { side: (*player).to_owned(), said, such: such(said) }).collect()
}

/// The same counts in JSON.
pub fn told_object(parameters: &Json, players: &[&str]) -> Json {
    if let Some(sides) = parameters.get("sides") {
        return sides.clone();
    }
    let of = players.iter().filter_map(|player| Some((player, parameters.get(*player)?)));
    let of: Map<_, _> = of.map(|(player, said)| ((*player).to_owned(), said.clone())).collect();
    if of.is_empty() { Json::Array(Vec::new()) } else { of.into() }
}
