//! Which game: its name, its parameters and the text of its board, as arguments or a table give them, and
//! the game they make.

use std::fmt;
use std::str::FromStr;

use crate::compiled::Compiled;
use crate::playable::Playable;
use crate::stuck::Stuck;
use retrograde_games::{
    Board, Chase, Corner, Graph, Piece, Pursuit, Quixo, ReadError, Small, Take, Takes,
};
use retrograde_table::About;
use serde::{Deserialize, Serialize};

/// All that it takes to set up a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    game: Name,
    parameters: Parameters,
    board: Option<Source>,
}

/// The games by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// Any directed graph, from a list of moves or a DOT file.
    Graph,
    /// Police and thief on a grid.
    Pursuit,
    /// Police and thief on an undirected graph.
    Chase,
    /// Heaps, and allowed takes.
    Take,
    /// A piece on its way to the corner of a board.
    Corner,
    /// Cubes that slide.
    Quixo,
    /// One of the small games.
    Small(Small),
}

/// The text of a board or graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Where it comes from, to be blamed in errors.
    pub name: String,
    /// The text itself.
    pub text: String,
}

/// What the rules of a game depend on beside its board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// pursuit, chase: how many police.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub police: Option<u32>,
    /// take: how large the heaps are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heaps: Option<Vec<u32>>,
    /// take: how many one may take at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<TakesArg>,
    /// corner: what walks, a queen, rook, bishop or king.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<PieceArg>,
    /// corner: how many rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// corner: how many columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<u32>,
    /// quixo: how many rows of cubes, 3 or 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// graph, take, corner: who cannot move wins.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub misere: bool,
}

/// What may be taken at once: `any`, or numbers with commas between.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TakesArg(pub Takes);

/// What walks to the corner, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PieceArg(pub Piece);

/// Whoever wants a game as what it is, and not behind a table of functions.
pub trait Taker {
    /// What is made of a game.
    type Made;

    /// Takes it.
    fn take<G: Compiled + 'static>(self, game: G) -> Self::Made;
}

/// Makes of any game one that can be asked what all can.
struct Boxed;

impl Taker for Boxed {
    type Made = Box<dyn Playable>;

    fn take<G: Compiled + 'static>(self, game: G) -> Box<dyn Playable> {
        game.boxed()
    }
}

/// Why there is no such game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecipeError {
    /// A parameter is given that the game has no use for.
    Misplaced {
        /// The parameter.
        parameter: &'static str,
        /// The game.
        game: Name,
        /// The games that have a use for it.
        games: &'static [Name],
    },
    /// A parameter is missing.
    Missing {
        /// The parameter, or `board`.
        parameter: &'static str,
        /// The game that needs it.
        game: Name,
    },
    /// The text of the board is at fault.
    Board {
        /// Where it comes from.
        name: String,
        /// In which line, and how.
        error: ReadError,
    },
    /// A parameter is at fault: of which game and how.
    Parameter(String),
    /// A table does not say of which game it is.
    Input(String),
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecipeError::Misplaced { parameter, game, games } => {
                let games: Vec<String> = games.iter().map(Name::to_string).collect();
                write!(
                    f,
                    "{parameter} is not for {game}, but for {}; leave it out",
                    games.join(", ")
                )
            }
            RecipeError::Missing { parameter, game } => write!(f, "{game} needs {parameter}"),
            RecipeError::Board { name, error } => write!(f, "{name}: {error}"),
            RecipeError::Parameter(problem) | RecipeError::Input(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for RecipeError {}

impl Recipe {
    /// The recipe of a game. Refuses what the game has no use for, rather than passing over it.
    pub fn new(
        game: Name,
        mut parameters: Parameters,
        board: Option<Source>,
    ) -> Result<Recipe, RecipeError> {
        if let Some((parameter, games)) = parameters.misplaced(game) {
            return Err(RecipeError::Misplaced { parameter, game, games });
        }
        if matches!(game, Name::Pursuit | Name::Chase) {
            // The same game, whether one says so or not.
            parameters.police = parameters.police.or(Some(1));
        }
        Ok(Recipe { game, parameters, board })
    }

    /// The recipe in a table's header. Errors in the board call it `name`.
    pub fn from_about(about: &About, name: &str) -> Result<Recipe, RecipeError> {
        let game = about.game.parse().map_err(|()| {
            RecipeError::Input(format!(
                "{name}: this program does not know the game `{}`",
                about.game
            ))
        })?;
        let parameters = if about.parameters.is_null() {
            Parameters::default()
        } else {
            serde_json::from_value(about.parameters.clone()).map_err(|error| {
                RecipeError::Input(format!("{name}: its parameters make no sense: {error}"))
            })?
        };
        let board = about.board.clone().map(|text| Source { name: name.to_owned(), text });
        let recipe = Recipe { game, parameters, board };
        match recipe.missing() {
            None => Ok(recipe),
            // Whoever reads a table can do nothing about it with other arguments.
            Some(missing) => Err(RecipeError::Input(format!(
                "{name}: the table does not say which {missing}; copy or write it again"
            ))),
        }
    }

    /// What it takes to set up the game and is not given.
    fn missing(&self) -> Option<&'static str> {
        let Parameters { heaps, take, piece, rows, columns, size, .. } = &self.parameters;
        let given = match self.game {
            Name::Graph | Name::Pursuit | Name::Chase => vec![("board", self.board.is_some())],
            Name::Take => vec![("heaps", heaps.is_some()), ("take", take.is_some())],
            Name::Corner => vec![
                ("piece", piece.is_some()),
                ("rows", rows.is_some()),
                ("columns", columns.is_some()),
            ],
            Name::Quixo => vec![("size", size.is_some())],
            Name::Small(_) => Vec::new(),
        };
        given.into_iter().find(|(_, given)| !given).map(|(parameter, _)| parameter)
    }

    /// About how many bytes it takes to read the game, where that is more than a little beside what it takes to solve it: a
    /// graph.
    pub fn reading_bytes(&self) -> u64 {
        /// What a move takes at the most of it, where each leads to a vertex of its own: measured.
        const MOVE: u64 = 64;
        let (Name::Graph, Some(source)) = (self.game, &self.board) else { return 0 };
        let lines = source.text.bytes().filter(|&byte| byte == b'\n').count();
        let arrows = source.text.matches("->").count();
        source.text.len() as u64 + MOVE * lines.max(arrows) as u64
    }

    /// What a table says of the game it is of.
    pub fn about(&self) -> About {
        About {
            game: self.game.to_string(),
            // Numbers, words and lists of them are always JSON.
            parameters: serde_json::to_value(&self.parameters).unwrap_or_default(),
            board: self.board.as_ref().map(|board| board.text.clone()),
            ..About::default()
        }
    }

    /// Makes the game.
    pub fn game(&self) -> Result<Box<dyn Playable>, RecipeError> {
        self.game_for(Boxed)
    }

    /// Makes the game and hands it to code that is compiled for each game, beyond what [`Playable`] has.
    pub fn game_for<T: Taker>(&self, taker: T) -> Result<T::Made, RecipeError> {
        let Parameters { misere, police, .. } = self.parameters;
        let police = police.unwrap_or(1);
        Ok(match self.game {
            Name::Graph => taker.take(Stuck::new(self.read(Graph::parse)?, misere)),
            Name::Pursuit if police == 1 => {
                taker.take(self.read(|text| Pursuit::new(Board::parse(text)?))?)
            }
            Name::Pursuit => {
                taker.take(self.read(|text| Chase::on_board(&Board::parse(text)?, police))?)
            }
            Name::Chase => taker.take(self.read(|text| Chase::parse(text, police))?),
            Name::Take => {
                let heaps = self.needed("heaps", self.parameters.heaps.as_deref())?;
                let TakesArg(takes) = self.needed("take", self.parameters.take.clone())?;
                let take = Take::new(heaps, takes).map_err(|error| self.fault(&error))?;
                taker.take(Stuck::new(take, misere))
            }
            Name::Corner => {
                let PieceArg(piece) = self.needed("piece", self.parameters.piece)?;
                let rows = self.needed("rows", self.parameters.rows)?;
                let columns = self.needed("columns", self.parameters.columns)?;
                let corner =
                    Corner::new(piece, rows, columns).map_err(|error| self.fault(&error))?;
                taker.take(Stuck::new(corner, misere))
            }
            Name::Quixo => {
                let size = self.needed("size", self.parameters.size)?;
                taker.take(Quixo::new(size).map_err(|error| self.fault(&error))?)
            }
            Name::Small(small) => taker.take(Stuck::new(Graph::small(small), misere)),
        })
    }

    /// Makes something of the text of the board.
    fn read<G>(&self, parse: impl Fn(&str) -> Result<G, ReadError>) -> Result<G, RecipeError> {
        let Source { name, text } = self.needed("board", self.board.as_ref())?;
        parse(text).map_err(|error| RecipeError::Board { name: name.clone(), error })
    }

    fn needed<A>(&self, parameter: &'static str, given: Option<A>) -> Result<A, RecipeError> {
        given.ok_or(RecipeError::Missing { parameter, game: self.game })
    }

    fn fault(&self, error: &ReadError) -> RecipeError {
        RecipeError::Parameter(format!("{}: {error}", self.game))
    }
}

impl Name {
    /// All of them.
    pub const ALL: [Name; 11] = [
        Name::Graph,
        Name::Pursuit,
        Name::Chase,
        Name::Take,
        Name::Corner,
        Name::Quixo,
        Name::Small(Small::Achi),
        Name::Small(Small::Dodgem),
        Name::Small(Small::Hare),
        Name::Small(Small::MuTorere),
        Name::Small(Small::Tsoro),
    ];

    /// Whether the game is read from a text.
    pub fn has_board(self) -> bool {
        matches!(self, Name::Graph | Name::Pursuit | Name::Chase)
    }
}

impl Name {
    /// The name as one types it.
    pub fn as_str(self) -> &'static str {
        match self {
            Name::Graph => "graph",
            Name::Pursuit => "pursuit",
            Name::Chase => "chase",
            Name::Take => "take",
            Name::Corner => "corner",
            Name::Quixo => "quixo",
            Name::Small(small) => small.name(),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Name {
    type Err = ();

    fn from_str(text: &str) -> Result<Name, ()> {
        Name::ALL.into_iter().find(|name| name.to_string() == text).ok_or(())
    }
}

impl Parameters {
    /// The first parameter given, if any is.
    pub fn first_given(&self) -> Option<&'static str> {
        self.given().into_iter().find(|(_, given, _)| *given).map(|(parameter, ..)| parameter)
    }

    /// The first parameter given that `game` has no use for, and the games that do.
    fn misplaced(&self, game: Name) -> Option<(&'static str, &'static [Name])> {
        let misplaced =
            self.given().into_iter().find(|(_, given, games)| *given && !games.contains(&game));
        misplaced.map(|(parameter, _, games)| (parameter, games))
    }

    fn given(&self) -> [(&'static str, bool, &'static [Name]); 8] {
        use Name::{Chase, Corner, Graph, Pursuit, Quixo, Take};
        [
            ("police", self.police.is_some(), &[Pursuit, Chase]),
            ("heaps", self.heaps.is_some(), &[Take]),
            ("take", self.take.is_some(), &[Take]),
            ("piece", self.piece.is_some(), &[Corner]),
            ("rows", self.rows.is_some(), &[Corner]),
            ("columns", self.columns.is_some(), &[Corner]),
            ("size", self.size.is_some(), &[Quixo]),
            ("misere", self.misere, &[Graph, Take, Corner]),
        ]
    }
}

impl FromStr for TakesArg {
    type Err = String;

    fn from_str(text: &str) -> Result<TakesArg, String> {
        if text == "any" {
            return Ok(TakesArg(Takes::Any));
        }
        let numbers: Result<Vec<u32>, String> = text
            .split(',')
            .map(|number| number.parse().map_err(|error| format!("`{number}`: {error}")))
            .collect();
        Ok(TakesArg(Takes::Set(numbers?)))
    }
}

impl TryFrom<String> for TakesArg {
    type Error = String;

    fn try_from(text: String) -> Result<TakesArg, String> {
        text.parse()
    }
}

impl From<TakesArg> for String {
    fn from(TakesArg(takes): TakesArg) -> String {
        match takes {
            Takes::Any => "any".to_owned(),
            Takes::Set(numbers) => numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
        }
    }
}

impl PieceArg {
    /// The pieces by name.
    pub const ALL: [(&'static str, Piece); 4] = [
        ("queen", Piece::Queen),
        ("rook", Piece::Rook),
        ("bishop", Piece::Bishop),
        ("king", Piece::King),
    ];
}

impl FromStr for PieceArg {
    type Err = String;

    fn from_str(text: &str) -> Result<PieceArg, String> {
        let piece = PieceArg::ALL.into_iter().find(|(name, _)| *name == text);
        piece.map(|(_, piece)| PieceArg(piece)).ok_or_else(|| {
            format!(
                "`{text}` is no piece that walks to the corner: name queen, rook, bishop or king"
            )
        })
    }
}

impl TryFrom<String> for PieceArg {
    type Error = String;

    fn try_from(text: String) -> Result<PieceArg, String> {
        text.parse()
    }
}

impl From<PieceArg> for String {
    fn from(PieceArg(piece): PieceArg) -> String {
        let name = PieceArg::ALL.into_iter().find(|(_, each)| *each == piece);
        name.map_or("", |(name, _)| name).to_owned()
    }
}
