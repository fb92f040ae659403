//! The texts of chess, the arguments that choose materials, and the names of materials.

use std::ops::RangeInclusive;

use retrograde_regions::{
    Arguments, Family, FamilyTexts, Kind, Notation, Parameter, Spec, Style, Tablebase,
    TablebaseError,
};
use retrograde_table::About;
use serde_json::{Value as Json, json};

use crate::family::Chess;
use crate::material::{Material, MaterialError};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::report::report;

/// How many pieces a material may have.
const PIECES: RangeInclusive<u32> = 3..=6;

impl FamilyTexts for Chess {
    const SPEC: &'static Spec = &Spec {
        name: "chess",
        summary: "Chess with three to six pieces, kings included",
        rules: "The rules of chess, without castling. Mate wins, and stalemate is a draw. The tables do not count the fifty moves without \
                a capture or a move of a pawn: a win may take longer than that.",
        regions: Some(
            "materials, like KQvKR: the pieces on the board; each is built after the smaller materials that captures and promotions \
             lead to",
        ),
        parameters: &[Parameter {
            name: "pieces",
            kind: Kind::Number { min: *PIECES.start(), max: *PIECES.end() },
            default: None,
            help: "all materials of at most this number of pieces, including kings",
        }],
        example: "--pieces 3",
        ..Spec::EMPTY
    };

    const STYLE: Style = Style {
        position: "FEN",
        move_width: 8,
        entries: &[("uci", Notation::Spelling(0)), ("san", Notation::Name)],
        columns: &["uci"],
        moves: Some("mate in"),
        pgn: true,
        counts: ("placements", "placements on the board, symmetric ones and all"),
        ..Style::PLAIN
    };

    fn of(name: Option<&str>, _: Option<&About>) -> Option<Chess> {
        name.is_none_or(|name| name == Family::name(&Chess)).then_some(Chess)
    }

    fn chosen(given: &Arguments, regions: &[String]) -> Result<(Chess, Vec<Material>), String> {
        let read = |name: &String| {
            name.parse().map_err(|error: MaterialError| format!("material `{name}`: {error}"))
        };
        let mut targets: Vec<Material> = regions.iter().map(read).collect::<Result<_, _>>()?;
        let pieces = given.number("pieces").unwrap_or(0);
        if pieces != 0 && !PIECES.contains(&pieces) {
            let (least, most) = (PIECES.start(), PIECES.end());
            return Err(format!("{pieces} pieces: write a whole number from {least} to {most}"));
        }
        targets.extend((*PIECES.start()..=pieces).flat_map(Material::all));
        if targets.is_empty() {
            return Err(
                "name materials, like KQvKR, or add --pieces with the largest number of pieces"
                    .into(),
            );
        }
        Ok((Chess, targets))
    }

    /// `king and queen against king and rook`.
    fn title(&self, material: &Material) -> String {
        let side = |color| {
            let men = Role::MEN.map(|role| (role, material.count(color, role)));
            let men = men.into_iter().filter(|(_, count)| *count > 0);
            let men = men.map(|(role, count)| match count {
                1 => role.word().to_owned(),
                _ => format!("{count} {}s", role.word()),
            });
            let all: Vec<String> = std::iter::once("king".to_owned()).chain(men).collect();
            match all.split_last() {
                Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
                _ => all.concat(),
            }
        };
        format!("{} against {}", side(Color::White), side(Color::Black))
    }

    /// In the JSON format of lichess's table server.
    fn object(
        tables: &Tablebase<Chess>,
        position: &Position,
    ) -> Option<Result<Json, TablebaseError>> {
        Some(report(tables, position).map(|report| json!(report)))
    }
}
