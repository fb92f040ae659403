//! Which game: the arguments that say what its rules depend on.

use std::fmt;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use retrograde_catalog::{Name, Parameters, PieceArg, RecipeError, TakesArg};
use serde_json::Value as Json;

use crate::failure::Failure;

/// What the rules of a game depend on beside its board.
#[derive(Args, Clone)]
#[command(next_help_heading = "Game")]
pub(crate) struct GameArgs {
    /// pursuit, chase: how many police [default: 1]
    #[arg(long, value_name = "K")]
    police: Option<u32>,
    /// take: how large the heaps are, like 3,5,7
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    heaps: Option<Vec<u32>>,
    /// take: how many one may take at once, like 1,2,3, or `any`
    #[arg(long, value_name = "N,..|any")]
    take: Option<TakesArg>,
    /// corner: what walks
    #[arg(long, value_parser = PossibleValuesParser::new(PieceArg::ALL.map(|(name, _)| name))
        .try_map(|name| name.parse::<PieceArg>()))]
    piece: Option<PieceArg>,
    /// corner: how many rows
    #[arg(long, value_name = "N")]
    rows: Option<u32>,
    /// corner: how many columns
    #[arg(long, value_name = "N")]
    columns: Option<u32>,
    /// quixo: how many rows of cubes, 3 or 4
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// graph, take, corner: who cannot move wins
    #[arg(long)]
    misere: bool,
}

/// As they are given: ` --heaps 3,5,7 --take any`.
impl fmt::Display for GameArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = serde_json::to_value(Parameters::from(self.clone())).unwrap_or_default();
        for (name, value) in said.as_object().into_iter().flatten() {
            match value {
                Json::Bool(_) => write!(f, " --{name}")?,
                Json::String(word) => write!(f, " --{name} {word}")?,
                Json::Array(list) => {
                    let list: Vec<String> = list.iter().map(Json::to_string).collect();
                    write!(f, " --{name} {}", list.join(","))?;
                }
                other => write!(f, " --{name} {other}")?,
            }
        }
        Ok(())
    }
}

impl From<GameArgs> for Parameters {
    fn from(arguments: GameArgs) -> Parameters {
        let GameArgs { police, heaps, take, piece, rows, columns, size, misere } = arguments;
        Parameters { police, heaps, take, piece, rows, columns, size, misere }
    }
}

/// What is wrong with a game, in terms of the arguments.
impl From<RecipeError> for Failure {
    fn from(error: RecipeError) -> Failure {
        match error {
            error @ RecipeError::Board { .. } => Failure::Input(error.to_string()),
            RecipeError::Input(problem) => Failure::Input(problem),
            RecipeError::Parameter(problem) => Failure::Usage(problem),
            RecipeError::Missing { parameter: "board", game } => {
                Failure::Usage(format!("{game} needs FILE (or `-`)"))
            }
            RecipeError::Missing { parameter, game } => {
                Failure::Usage(format!("{game} needs --{parameter}"))
            }
            error @ RecipeError::Misplaced { .. } => Failure::Usage(format!("--{error}")),
        }
    }
}

/// The names of all games, with commas between.
pub(crate) fn all_games() -> String {
    Name::ALL.map(|name| name.to_string()).join(", ")
}
