//! Positions of a family: what people write, look at and play, where [`Family`] knows only states.

use std::fmt::Display;
use std::ops::Range;

use retrograde::Value;
use retrograde_table::About;
use serde_json::{Map, Value as Json};

use crate::family::Family;
use crate::tablebase::{Answer, Choice, Tablebase, TablebaseError};
use crate::view::View;

/// A family whose tables can be asked by position.
pub trait Positions: Family + Sized {
    /// A position of the game. Its text is one that [`read`](Positions::read) reads.
    type Position: Clone + Display;

    /// A move of the game.
    type Move;

    /// The numbering of the states of a region.
    type Index: Send + Sync;

    /// What the game is called in errors: `chess`.
    const GAME: &'static str;

    /// A command that builds some tables of the game, up to the name of the folder.
    const BUILD: &'static str;

    /// What the players are called. The first begins.
    const PLAYERS: [&'static str; 2] = ["white", "black"];

    /// How answers are written.
    const STYLE: Style = Style::PLAIN;

    /// The family of that [name](Family::name), which stands in a folder's manifest; `None` for another game. Without a
    /// manifest there is no name: a game with one family may take an empty folder for its own.
    fn of_manifest(family: Option<&str>) -> Option<Self>;

    /// The family that the header of a table is of.
    fn of_table(about: &About) -> Option<Self> {
        let _ = about;
        Self::of_manifest(None)
    }

    /// The region of that name, or what is wrong with the name.
    fn region(&self, name: &str) -> Result<Self::Region, String>;

    /// What a region is, in words that people use; `None` where its name says it.
    fn title(&self, region: &Self::Region) -> Option<String> {
        let _ = region;
        None
    }

    /// Sorts regions into the order in which they are listed.
    fn sort(&self, regions: &mut [Self::Region]);

    /// The numbering of a region.
    fn index(&self, region: &Self::Region) -> Self::Index;

    /// The position that play begins in, if the game has one.
    fn start(&self) -> Option<Self::Position> {
        None
    }

    /// The position that a text names, or what is wrong with it.
    fn read(&self, text: &str) -> Result<Self::Position, String>;

    /// The positions that words of a command line name: each in one word, or one that was not quoted in all of them.
    fn gather(words: Vec<String>) -> Vec<String> {
        let quoted = words.iter().all(|word| word.contains(' ') || word == "start");
        if quoted { words } else { vec![words.join(" ")] }
    }

    /// The region of a position, or its value where the rules decide and no table has it.
    fn place(&self, position: &Self::Position) -> Result<Self::Region, Value>;

    /// How many states a region has, invalid ones included.
    fn states(index: &Self::Index) -> u64;

    /// The state of a position of a region.
    fn state(index: &Self::Index, position: &Self::Position) -> u64;

    /// The position of a state; `None` where the state is invalid.
    fn position(index: &Self::Index, state: u64) -> Option<Self::Position>;

    /// Which of the [players](Positions::PLAYERS) is to move.
    fn player(position: &Self::Position) -> usize;

    /// The moves of a position, each with the position it leads to.
    fn moves(&self, position: &Self::Position) -> Vec<(Self::Move, Self::Position)>;

    /// How the game is over, where it is: there is no move, or no table has the position.
    fn over(&self, position: &Self::Position) -> Option<Over>;

    /// A move as people write it.
    fn label(&self, position: &Self::Position, played: &Self::Move) -> String;

    /// A move as objects name it: the entries, with their names.
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

    /// The cells of the [view](Positions::view) to point at, in order, to choose a move.
    fn path(&self, position: &Self::Position, played: &Self::Move) -> Vec<usize> {
        let _ = (position, played);
        Vec::new()
    }

    /// The position drawn as text, where a board says more than the text.
    fn picture(position: &Self::Position) -> Option<String> {
        let _ = position;
        None
    }

    /// For each player, the letter of his men, and how many he has yet to put on the board. Empty if no player has any.
    fn hand(position: &Self::Position) -> Vec<(char, u32)> {
        let _ = position;
        Vec::new()
    }

    /// The board of a position.
    fn view(position: &Self::Position) -> View;

    /// The position with one man of its [view](Positions::view) on another cell; `None` where he cannot stand there.
    fn moved(position: &Self::Position, man: usize, cell: usize) -> Option<Self::Position> {
        let _ = (position, man, cell);
        None
    }

    /// Visits the states of a run with the first player to move, each with the state of the same placement with the other to move.
    fn passed(index: &Self::Index, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        let _ = (index, states, visit);
    }

    /// What the parameters in a table's header say of each side to move.
    fn told(parameters: &Json) -> Vec<Told<'_>> {
        let _ = parameters;
        Vec::new()
    }

    /// What they say, for programs.
    fn told_object(parameters: &Json) -> Json {
        let _ = parameters;
        Json::Array(Vec::new())
    }

    /// An answer for programs.
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

/// How answers of a family are written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// What the text of a position is called: `position`.
    pub position: &'static str,
    /// How wide the names of moves are.
    pub move_width: usize,
    /// The names of the [entries](Positions::entries) of a move.
    pub entries: &'static [&'static str],
    /// Those of them that stand in a column beside its name.
    pub columns: &'static [&'static str],
    /// What a number of moves of the winner is called, where people count those and not plies: `mate in`.
    pub moves: Option<&'static str>,
    /// Whether games are written in PGN.
    pub pgn: bool,
    /// Whether a probe lists the moves for people: not where there may be millions.
    pub lists: bool,
    /// Whether a picture says of each cell what it is worth with a man there, if nothing else is asked for.
    pub map: bool,
    /// The entry of `info` that says what each side wins, and its title for people.
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

/// How a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// What that is worth to the player to move.
    pub value: Value,
    /// The kind of end, for programs: `stuck`.
    pub kind: &'static str,
    /// Why, for people: `no move left`.
    pub why: &'static str,
    /// The same behind the result of a game that was played: `stalemate`.
    pub end: &'static str,
}

/// What a table's header says of one side to move.
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
