//! Answers in the JSON format of lichess's table server, for its clients.
//!
//! Distances are in plies, negative for a loss. Each is for the player to move. After a move, this is the
//! opponent. Unknown numbers are null.

use retrograde::{Outcome, Value};
use retrograde_regions::TablebaseError;
use serde::Serialize;

use crate::bitboards::ToPosition;
use crate::moves::{Legal, Move};
use crate::piece::Color;
use crate::position::Position;
use crate::tablebase::{Choice, Tablebase, Tables, answer};

/// The answer about a position, with its moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The position.
    pub fen: String,
    /// Its value.
    #[serde(flatten)]
    pub said: Said,
    /// Its legal moves, best first.
    pub moves: Vec<MoveReport>,
}

/// A move, and the value of the position after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveReport {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Whether it resets the count of fifty moves.
    pub zeroing: bool,
    /// Whether it leads to another material.
    pub conversion: bool,
    /// The value of the position after it, for the opponent.
    #[serde(flatten)]
    pub said: Said,
}

/// The value of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Said {
    /// `win`, `loss` or `draw`, for the player to move.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "loss", "draw"])))]
    pub category: &'static str,
    /// Never known: these tables count plies to mate.
    pub dtz: Option<i64>,
    /// Never known.
    pub precise_dtz: Option<i64>,
    /// Never known.
    pub dtc: Option<i64>,
    /// Plies to mate; none for a draw, and for tables without distances.
    pub dtm: Option<i64>,
    /// Never known.
    pub dtw: Option<i64>,
    /// Whether the player to move is mated.
    pub checkmate: bool,
    /// Whether the player to move has no move and is not in check.
    pub stalemate: bool,
    /// Always false in standard chess.
    pub variant_win: bool,
    /// Always false in standard chess.
    pub variant_loss: bool,
    /// Whether neither side can ever mate.
    pub insufficient_material: bool,
}

/// Best play to the mate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mainline {
    /// The moves; empty for a draw.
    pub mainline: Vec<MainlineMove>,
    /// The winner, `w` or `b`.
    pub winner: Option<char>,
    /// Never known.
    pub dtz: Option<i64>,
    /// Never known.
    pub precise_dtz: Option<i64>,
    /// Plies to mate, for the player to move.
    pub dtm: Option<i64>,
}

/// A move of a main line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MainlineMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Never known.
    pub dtz: Option<i64>,
    /// Never known.
    pub precise_dtz: Option<i64>,
    /// Plies to mate after the move, for the player to move then.
    pub dtm: Option<i64>,
}

impl Tablebase {
    /// The values of a position and of each of its moves, in the format of lichess's table server.
    pub fn report(&self, position: &(impl ToPosition + ?Sized)) -> Result<Report, TablebaseError> {
        report(self, &position.to_position()?)
    }

    /// Best play from a won or lost position to the mate, in the format of lichess's table server. Empty if
    /// the tables have no distances.
    pub fn mainline(
        &self,
        position: &(impl ToPosition + ?Sized),
    ) -> Result<Mainline, TablebaseError> {
        let mut position = position.to_position()?;
        let value = self.value(&position)?;
        let winner = match (value.outcome(), position.turn()) {
            (Outcome::Draw, _) => None,
            (Outcome::Win, Color::White) | (Outcome::Loss, Color::Black) => Some('w'),
            _ => Some('b'),
        };
        let mut mainline = Vec::new();
        let mut left = self.distance(value).unwrap_or(0);
        // Each ply is one nearer to the mate. If the tables are wrong, the line ends there.
        while left > 0 {
            let answer = self.probe(&position)?;
            let Some(best) = answer.best().filter(|best| best.distance == Some(left)) else {
                let position = position.to_string();
                return Err(TablebaseError::Contradiction { position });
            };
            mainline.push(MainlineMove {
                uci: best.played.to_string(),
                san: position.san(&best.played),
                dtz: None,
                precise_dtz: None,
                dtm: dtm(self, self.value(&best.after)?),
            });
            position = best.after;
            left -= 1;
        }
        Ok(Mainline { mainline, winner, dtz: None, precise_dtz: None, dtm: dtm(self, value) })
    }
}

/// The same of open tables of any kind.
pub(crate) fn report(tables: &Tables, position: &Position) -> Result<Report, TablebaseError> {
    let answer = answer(tables, position)?;
    let position = answer.position;
    let played: Vec<Move> = answer.moves.iter().map(|choice| choice.played).collect();
    let report = |choice: &Choice| {
        let legal = Legal::of(&choice.after);
        Ok(MoveReport {
            uci: choice.played.to_string(),
            san: position.san_among(&choice.played, &played, &legal),
            zeroing: choice.played.zeroing(),
            conversion: choice.played.conversion(),
            said: say(
                tables,
                &choice.after,
                tables.value(&choice.after)?,
                legal.check,
                legal.none(),
            ),
        })
    };
    Ok(Report {
        fen: position.to_string(),
        said: say(tables, &position, answer.value, position.in_check(), played.is_empty()),
        moves: answer.moves.iter().map(report).collect::<Result<_, TablebaseError>>()?,
    })
}

fn say(tables: &Tables, position: &Position, value: Value, check: bool, over: bool) -> Said {
    Said {
        category: match value.outcome() {
            Outcome::Win => "win",
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
        },
        dtz: None,
        precise_dtz: None,
        dtc: None,
        dtm: dtm(tables, value),
        dtw: None,
        checkmate: over && check,
        stalemate: over && !check,
        variant_win: false,
        variant_loss: false,
        insufficient_material: position.insufficient_material(),
    }
}

fn dtm(tables: &Tables, value: Value) -> Option<i64> {
    let sign = if value.outcome() == Outcome::Loss { -1 } else { 1 };
    tables.distance(value).map(|plies| sign * i64::from(plies))
}
