//! Positions of a family, for people: texts, moves and boards. [`Family`] has only states.

use std::fmt::Display;
use std::ops::Range;

use retrograde::Value;
use retrograde_table::About;
use serde_json::{Map, Value as Json};

use crate::family::Family;
use crate::tablebase::{Answer, Choice, Tablebase, TablebaseError};
use crate::view::View;

/// A family with positions that people can read, see and play.
pub trait Positions: Family + Sized {
    /// A position of the game. [`read`](Positions::read) can read its text.
    type Position: Clone + Display;

    /// A move of the game.
    type Move;

    /// The numbering of the states of a region.
    type Index: Send + Sync;

    /// The name of the game in errors: `chess`.
    const GAME: &'static str;

    /// A command that builds some tables of the game. The name of the folder must be added.
    const BUILD: &'static str;

    /// The names of the players. The first player begins.
    const PLAYERS: [&'static str; 2] = ["white", "black"];

    /// How to write answers.
    const STYLE: Style = Style::PLAIN;

    /// The family with this [name](Family::name), from a folder's manifest. `None` for another game. If the folder has no
    /// manifest, there is no name. Then a game with one family may return this family.
    fn of_manifest(family: Option<&str>) -> Option<Self>;

    /// The family of the table with this header.
    fn of_table(about: &About) -> Option<Self> {
        let _ = about;
        Self::of_manifest(None)
    }

    /// The region with this name. The error says what is wrong with the name.
    fn region(&self, name: &str) -> Result<Self::Region, String>;

    /// A title of a region, for people. `None` if the name is clear enough.
    fn title(&self, region: &Self::Region) -> Option<String> {
        let _ = region;
        None
    }

    /// Sorts regions into the order of lists.
    fn sort(&self, regions: &mut [Self::Region]);

    /// The numbering of a region.
    fn index(&self, region: &Self::Region) -> Self::Index;

    /// The position that play begins with, if the game has one.
    fn start(&self) -> Option<Self::Position> {
        None
    }

    /// The position that a text names. The error says what is wrong with the text.
    fn read(&self, text: &str) -> Result<Self::Position, String>;

    /// The texts of positions in the words of a command line. Each word is one text, or all words together are one text
    /// without quotes.
    fn gather(words: Vec<String>) -> Vec<String> {
        let quoted = words.iter().all(|word| word.contains(' ') || word == "start");
        if quoted { words } else { vec![words.join(" ")] }
    }

    /// The region of a position. If the rules decide a position that no table has, its value.
    fn place(&self, position: &Self::Position) -> Result<Self::Region, Value>;

    /// How many states a region has, including invalid ones.
    fn states(index: &Self::Index) -> u64;

    /// The state of a position of a region.
    fn state(index: &Self::Index, position: &Self::Position) -> u64;

    /// The position of a state, or `None` if the state is invalid.
    fn position(index: &Self::Index, state: u64) -> Option<Self::Position>;

    /// Which of the [players](Positions::PLAYERS) is to move.
    fn player(position: &Self::Position) -> usize;

    /// The moves of a position, each with the position that it leads to.
    fn moves(&self, position: &Self::Position) -> Vec<(Self::Move, Self::Position)>;

    /// How the game has ended, if it has: there is no move, or the rules decide the position.
    fn over(&self, position: &Self::Position) -> Option<Over>;

    /// A move as people write it.
    fn label(&self, position: &Self::Position, played: &Self::Move) -> String;

    /// A move in JSON: the names of its entries, and their values.
    fn entries(
        &self,
        position: &Self::Position,
        played: &Self::Move,
    ) -> Vec<(&'static str, String)> {
        vec![("move", self.label(position, played))]
    }

    /// Other ways in which a player may write a move.
    fn spellings(&self, position: &Self::Position, played: &Self::Move) -> Vec<String> {
        let _ = (position, played);
        Vec::new()
    }

    /// The cells of the [view](Positions::view) that a player clicks, in order, to choose a move.
    fn path(&self, position: &Self::Position, played: &Self::Move) -> Vec<usize> {
        let _ = (position, played);
        Vec::new()
    }

    /// The position drawn as text, if a board is clearer than the text.
    fn picture(position: &Self::Position) -> Option<String> {
        let _ = position;
        None
    }

    /// For each player, the letter of his men, and the number of men that he must still put on the board. Empty if there
    /// are none.
    fn hand(position: &Self::Position) -> Vec<(char, u32)> {
        let _ = position;
        Vec::new()
    }

    /// The board of a position.
    fn view(position: &Self::Position) -> View;

    /// The position with one man of its [view](Positions::view) on another cell, or `None` if he cannot stand there.
    fn moved(position: &Self::Position, man: usize, cell: usize) -> Option<Self::Position> {
        let _ = (position, man, cell);
        None
    }

    /// Visits the states of a run with the first player to move. For each, it also gives the state of the same placement
    /// with the other player to move.
    fn passed(index: &Self::Index, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        let _ = (index, states, visit);
    }

    /// The counts of each side to move, from the parameters in a table's header.
    fn told(parameters: &Json) -> Vec<Told<'_>> {
        let _ = parameters;
        Vec::new()
    }

    /// The same counts in JSON.
    fn told_object(parameters: &Json) -> Json {
        let _ = parameters;
        Json::Array(Vec::new())
    }

    /// The answer about a position in JSON.
    fn object(tables: &Tablebase<Self>, position: &Self::Position) -> Result<Json, TablebaseError> {
        let Answer { position, value, distance, moves } = tables.probe(position)?;
        let worth = |object: &mut Map<String, Json>, value: Value, distance: Option<u32>| {
            object.insert("value".into(), outcome(value).into());
            object.insert("distance".into(), distance.into());
        };
        let choice = |choice: &Choice<Self::Position, Self::Move>| {
            let Choice { played, after, value, distance } = choice;
            let mut object = Map::new();
            object.insert("to".into(), after.to_string().into());
            for (name, word) in tables.family().entries(&position, played) {
                object.insert(name.into(), word.into());
            }
            worth(&mut object, *value, *distance);
            Json::Object(object)
        };
        let mut object = Map::new();
        object.insert("state".into(), position.to_string().into());
        worth(&mut object, value, distance);
        object.insert("moves".into(), moves.iter().map(choice).collect());
        Ok(Json::Object(object))
    }
}

/// How to write the answers of a family.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The word for the text of a position: `position`.
    pub position: &'static str,
    /// The width of the names of moves.
    pub move_width: usize,
    /// The names of the [entries](Positions::entries) of a move.
    pub entries: &'static [&'static str],
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
        entries: &["move"],
        columns: &[],
        moves: None,
        pgn: false,
        lists: true,
        map: false,
        told: ("positions", "positions, one for all that are symmetric"),
    };
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// The value for the player to move.
    pub value: Value,
    /// The kind of end, for programs: `stuck`.
    pub kind: &'static str,
    /// The reason, for people: `no move left`.
    pub why: &'static str,
    /// The reason as it stands after the result of a game: `stalemate`.
    pub end: &'static str,
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

/// `win`, `loss` or `draw`.
fn outcome(value: Value) -> &'static str {
    match value.outcome() {
        retrograde::Outcome::Win => "win",
        retrograde::Outcome::Loss => "loss",
        retrograde::Outcome::Draw => "draw",
    }
}
