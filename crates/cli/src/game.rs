//! Which game: its name, its parameters and the text of its board, from the arguments or from a
//! table, and the game they make.

use std::fmt;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use retrograde::Misere;
use retrograde_games::{Board, Chase, Corner, Graph, Piece, Pursuit, ReadError, Take, Takes};
use retrograde_table::About;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::playable::Playable;
use crate::source::Source;

/// Something to do with a game, whichever it is.
pub(crate) trait Task {
    /// Does it.
    fn run<G: Playable>(self, game: &G) -> Result<(), Failure>;
}

/// All that it takes to set up a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recipe {
    pub(crate) game: Name,
    pub(crate) parameters: Parameters,
    /// The board or graph, for games that have one.
    pub(crate) board: Option<Source>,
}

/// The games of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// Any directed graph, from a list of moves or a DOT file
    Graph,
    /// Police and thief on a grid
    Pursuit,
    /// Police and thief on an undirected graph
    Chase,
    /// Heaps, and allowed takes
    Take,
    /// A piece on its way to the corner of a board
    Corner,
}

/// What the rules of a game depend on beside its board.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[command(next_help_heading = "Game")]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Parameters {
    /// pursuit, chase: how many police [default: 1]
    #[arg(long, value_name = "K")]
    #[serde(skip_serializing_if = "Option::is_none")]
    police: Option<u32>,
    /// take: how large the heaps are, like 3,5,7
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Option::is_none")]
    heaps: Option<Vec<u32>>,
    /// take: how many one may take at once, like 1,2,3, or `any`
    #[arg(long, value_name = "N,..|any")]
    #[serde(skip_serializing_if = "Option::is_none")]
    take: Option<TakeArg>,
    /// corner: what walks
    #[arg(long, value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    piece: Option<PieceArg>,
    /// corner: how many rows
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u32>,
    /// corner: how many columns
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<u32>,
    /// graph, take, corner: who cannot move wins
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    misere: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PieceArg {
    Queen,
    Rook,
    Bishop,
    King,
}

/// `any`, or numbers with commas between.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
struct TakeArg(Takes);

impl FromStr for TakeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<TakeArg, String> {
        if text == "any" {
            return Ok(TakeArg(Takes::Any));
        }
        let numbers: Result<Vec<u32>, String> = text
            .split(',')
            .map(|number| number.parse().map_err(|error| format!("`{number}`: {error}")))
            .collect();
        Ok(TakeArg(Takes::Set(numbers?)))
    }
}

impl TryFrom<String> for TakeArg {
    type Error = String;

    fn try_from(text: String) -> Result<TakeArg, String> {
        text.parse()
    }
}

impl From<TakeArg> for String {
    fn from(TakeArg(takes): TakeArg) -> String {
        match takes {
            Takes::Any => "any".to_owned(),
            Takes::Set(numbers) => numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
        }
    }
}

impl Recipe {
    /// The recipe for what the arguments name. Refuses what the game has no use for, rather than
    /// passing over it.
    pub(crate) fn new(
        game: Name,
        mut parameters: Parameters,
        board: Option<Source>,
    ) -> Result<Recipe, Failure> {
        if let Some((option, games)) = parameters.misplaced(game) {
            let games: Vec<String> = games.iter().map(Name::to_string).collect();
            return Err(Failure::Usage(format!(
                "{option} is not for {game}, but for {}; leave it out",
                games.join(", ")
            )));
        }
        if matches!(game, Name::Pursuit | Name::Chase) {
            // The same game, whether one says so or not.
            parameters.police = parameters.police.or(Some(1));
        }
        Ok(Recipe { game, parameters, board })
    }

    /// What a table says of the game it is of.
    pub(crate) fn about(&self) -> About {
        About {
            game: self.game.to_string(),
            // Numbers, words and lists of them are always JSON.
            parameters: serde_json::to_value(&self.parameters).unwrap_or_default(),
            board: self.board.as_ref().map(|board| board.text.clone()),
            ..About::default()
        }
    }

    /// The recipe in a table's header, or what is wrong with it. Errors in the board call it `name`.
    pub(crate) fn from_about(about: &About, name: &str) -> Result<Recipe, String> {
        let game = &about.game;
        let game = Name::from_str(game, false)
            .map_err(|_| format!("this program does not know the game `{game}`"))?;
        let parameters = if about.parameters.is_null() {
            Parameters::default()
        } else {
            serde_json::from_value(about.parameters.clone())
                .map_err(|error| format!("its parameters make no sense: {error}"))?
        };
        let board = about.board.clone().map(|text| Source { name: name.to_owned(), text });
        Ok(Recipe { game, parameters, board })
    }

    /// Makes the game, and does something with it.
    pub(crate) fn with<T: Task>(&self, task: T) -> Result<(), Failure> {
        let Parameters { misere, .. } = self.parameters;
        let police = self.parameters.police.unwrap_or(1);
        match self.game {
            Name::Graph => {
                let graph = self.read(Graph::parse)?;
                if misere { task.run(&Misere(graph)) } else { task.run(&graph) }
            }
            Name::Pursuit if police == 1 => {
                task.run(&self.read(|text| Pursuit::new(Board::parse(text)?))?)
            }
            Name::Pursuit => {
                task.run(&self.read(|text| Chase::on_board(&Board::parse(text)?, police))?)
            }
            Name::Chase => task.run(&self.read(|text| Chase::parse(text, police))?),
            Name::Take => {
                let heaps = self.needed("--heaps", self.parameters.heaps.as_deref())?;
                let TakeArg(takes) = self.needed("--take", self.parameters.take.clone())?;
                let take = Take::new(heaps, takes).map_err(|error| self.fault(&error))?;
                if misere { task.run(&Misere(take)) } else { task.run(&take) }
            }
            Name::Corner => {
                let piece = match self.needed("--piece", self.parameters.piece)? {
                    PieceArg::Queen => Piece::Queen,
                    PieceArg::Rook => Piece::Rook,
                    PieceArg::Bishop => Piece::Bishop,
                    PieceArg::King => Piece::King,
                };
                let rows = self.needed("--rows", self.parameters.rows)?;
                let columns = self.needed("--columns", self.parameters.columns)?;
                let corner =
                    Corner::new(piece, rows, columns).map_err(|error| self.fault(&error))?;
                if misere { task.run(&Misere(corner)) } else { task.run(&corner) }
            }
        }
    }

    /// Makes the game of the text of its board.
    fn read<G>(&self, parse: impl Fn(&str) -> Result<G, ReadError>) -> Result<G, Failure> {
        let Source { name, text } = self.needed("FILE (or `-`)", self.board.as_ref())?;
        parse(text).map_err(|error| Failure::Input(format!("{name}: {error}")))
    }

    fn needed<A>(&self, what: &str, argument: Option<A>) -> Result<A, Failure> {
        argument.ok_or_else(|| Failure::Usage(format!("{} needs {what}", self.game)))
    }

    fn fault(&self, error: &ReadError) -> Failure {
        Failure::Input(format!("{}: {error}", self.game))
    }
}

impl Name {
    /// Whether the game is read from a file.
    pub(crate) fn has_board(self) -> bool {
        matches!(self, Name::Graph | Name::Pursuit | Name::Chase)
    }
}

impl fmt::Display for Name {
    /// The name as one types it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
    }
}

impl Parameters {
    /// The first option given, if any is.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        self.given().into_iter().find(|(_, given, _)| *given).map(|(option, ..)| option)
    }

    /// The first option given that `game` has no use for, and the games that do.
    fn misplaced(&self, game: Name) -> Option<(&'static str, &'static [Name])> {
        let misplaced =
            self.given().into_iter().find(|(_, given, games)| *given && !games.contains(&game));
        misplaced.map(|(option, _, games)| (option, games))
    }

    fn given(&self) -> [(&'static str, bool, &'static [Name]); 7] {
        use Name::{Chase, Corner, Graph, Pursuit, Take};
        [
            ("--police", self.police.is_some(), &[Pursuit, Chase]),
            ("--heaps", self.heaps.is_some(), &[Take]),
            ("--take", self.take.is_some(), &[Take]),
            ("--piece", self.piece.is_some(), &[Corner]),
            ("--rows", self.rows.is_some(), &[Corner]),
            ("--columns", self.columns.is_some(), &[Corner]),
            ("--misere", self.misere, &[Graph, Take, Corner]),
        ]
    }
}
