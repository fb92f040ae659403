//! Which game: the arguments that name one, and the game they make.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use retrograde::Misere;
use retrograde_games::{Board, Chase, Corner, Graph, Piece, Pursuit, ReadError, Take, Takes};

use crate::failure::Failure;
use crate::playable::Playable;
use crate::source::Source;

/// Something to do with a game, whichever it is.
pub(crate) trait Task {
    /// Does it.
    fn run<G: Playable>(self, game: &G) -> Result<(), Failure>;
}

/// The arguments that name a game.
#[derive(Args)]
pub(crate) struct GameArgs {
    /// The game
    #[arg(value_enum)]
    game: Name,
    /// The board or graph; `-` is standard input. `take` and `corner` need none
    file: Option<PathBuf>,
    /// pursuit, chase: how many police [default: 1]
    #[arg(long, value_name = "K", help_heading = "Game")]
    police: Option<u32>,
    /// take: how large the heaps are, like 3,5,7
    #[arg(long, value_name = "N,..", value_delimiter = ',', help_heading = "Game")]
    heaps: Option<Vec<u32>>,
    /// take: how many one may take at once, like 1,2,3, or `any`
    #[arg(long, value_name = "N,..|any", help_heading = "Game")]
    take: Option<TakeArg>,
    /// corner: what walks
    #[arg(long, value_enum, help_heading = "Game")]
    piece: Option<PieceArg>,
    /// corner: how many rows
    #[arg(long, value_name = "N", help_heading = "Game")]
    rows: Option<u32>,
    /// corner: how many columns
    #[arg(long, value_name = "N", help_heading = "Game")]
    columns: Option<u32>,
    /// graph, take, corner: who cannot move wins
    #[arg(long, help_heading = "Game")]
    misere: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
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

#[derive(Clone, Copy, ValueEnum)]
enum PieceArg {
    Queen,
    Rook,
    Bishop,
    King,
}

/// `any`, or numbers with commas between.
#[derive(Clone)]
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

impl GameArgs {
    /// Makes the game, and does something with it.
    pub(crate) fn with<T: Task>(&self, task: T) -> Result<(), Failure> {
        self.check()?;
        let police = self.police.unwrap_or(1);
        match self.game {
            Name::Graph => {
                let graph = self.read(Graph::parse)?;
                if self.misere { task.run(&Misere(graph)) } else { task.run(&graph) }
            }
            Name::Pursuit if police == 1 => {
                task.run(&self.read(|text| Pursuit::new(Board::parse(text)?))?)
            }
            Name::Pursuit => {
                task.run(&self.read(|text| Chase::on_board(&Board::parse(text)?, police))?)
            }
            Name::Chase => task.run(&self.read(|text| Chase::parse(text, police))?),
            Name::Take => {
                let heaps = self.needed("--heaps", self.heaps.as_deref())?;
                let TakeArg(takes) = self.needed("--take", self.take.clone())?;
                let take = Take::new(heaps, takes).map_err(|error| self.fault(&error))?;
                if self.misere { task.run(&Misere(take)) } else { task.run(&take) }
            }
            Name::Corner => {
                let piece = match self.needed("--piece", self.piece)? {
                    PieceArg::Queen => Piece::Queen,
                    PieceArg::Rook => Piece::Rook,
                    PieceArg::Bishop => Piece::Bishop,
                    PieceArg::King => Piece::King,
                };
                let rows = self.needed("--rows", self.rows)?;
                let columns = self.needed("--columns", self.columns)?;
                let corner =
                    Corner::new(piece, rows, columns).map_err(|error| self.fault(&error))?;
                if self.misere { task.run(&Misere(corner)) } else { task.run(&corner) }
            }
        }
    }

    /// Refuses what the game has no use for, rather than passing over it.
    fn check(&self) -> Result<(), Failure> {
        use Name::{Chase, Corner, Graph, Pursuit, Take};
        let given: [(&str, bool, &[Name]); 8] = [
            ("FILE", self.file.is_some(), &[Graph, Pursuit, Chase]),
            ("--police", self.police.is_some(), &[Pursuit, Chase]),
            ("--heaps", self.heaps.is_some(), &[Take]),
            ("--take", self.take.is_some(), &[Take]),
            ("--piece", self.piece.is_some(), &[Corner]),
            ("--rows", self.rows.is_some(), &[Corner]),
            ("--columns", self.columns.is_some(), &[Corner]),
            ("--misere", self.misere, &[Graph, Take, Corner]),
        ];
        let misplaced =
            given.iter().find(|(_, given, games)| *given && !games.contains(&self.game));
        match misplaced {
            None => Ok(()),
            Some((option, _, games)) => {
                let games: Vec<String> = games.iter().map(|&game| word(game)).collect();
                Err(Failure::Usage(format!(
                    "{option} is not for {}, but for {}; leave it out",
                    word(self.game),
                    games.join(", ")
                )))
            }
        }
    }

    /// Reads the file that the game needs, and makes the game of it.
    fn read<G>(&self, parse: impl Fn(&str) -> Result<G, ReadError>) -> Result<G, Failure> {
        let path = self.needed("FILE (or `-`)", self.file.as_deref())?;
        let source = Source::read(path)?;
        parse(&source.text).map_err(|error| Failure::Input(format!("{}: {error}", source.name)))
    }

    fn needed<A>(&self, what: &str, argument: Option<A>) -> Result<A, Failure> {
        argument.ok_or_else(|| Failure::Usage(format!("{} needs {what}", word(self.game))))
    }

    fn fault(&self, error: &ReadError) -> Failure {
        Failure::Input(format!("{}: {error}", word(self.game)))
    }
}

/// The game's name as one types it.
fn word(game: Name) -> String {
    game.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
