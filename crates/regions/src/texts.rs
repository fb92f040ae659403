//! How the answers of a family are written, and what the headers of its tables say.

use retrograde_positions::Move;
use serde_json::Value as Json;

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
    pub counts: (&'static str, &'static str),
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
        counts: ("positions", "positions, one for all that are symmetric"),
    };
}

/// What the header of a table says of one side to move.
#[derive(Clone, Debug)]
pub struct HeaderSide<'a> {
    /// The side: `white`.
    pub side: String,
    /// Its counts `win`, `draw` and `loss`, and `longest`.
    pub counts: &'a Json,
    /// A position with the longest win.
    pub longest_win: Option<&'a str>,
}

/// What the parameters in the header of a table say of each side to move. They stand in a list, or under the names of the players.
pub fn header_sides<'a>(parameters: &'a Json, players: &[&str]) -> Vec<HeaderSide<'a>> {
    let of = |side: String, counts: &'a Json| {
        let longest_win = counts["position"].as_str().or(counts["fen"].as_str());
        HeaderSide { side, counts, longest_win }
    };
    if let Some(sides) = parameters["sides"].as_array() {
        let name = |counts: &Json| match counts["side"].as_str() {
            Some(player) => player.to_owned(),
            None => format!("{}-{}", counts["own"], counts["other"]),
        };
        return sides.iter().map(|counts| of(name(counts), counts)).collect();
    }
    let counts = players.iter().filter_map(|player| Some((player, parameters.get(*player)?)));
    counts.map(|(player, counts)| of((*player).to_owned(), counts)).collect()
}

/// The same in JSON.
pub fn header_sides_object(parameters: &Json, players: &[&str]) -> Json {
    match parameters.get("sides") {
        Some(sides) => sides.clone(),
        None => match &header_sides(parameters, players)[..] {
            [] => Json::Array(Vec::new()),
            sides => sides.iter().map(|of| (of.side.clone(), of.counts.clone())).collect(),
        },
    }
}
