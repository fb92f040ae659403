//! Functions to build tables. The engines for endgames take long to compile. So they compile once in this
//! crate, and not in each program that builds tables.

use std::time::Duration;

use retrograde_regions::{
    BuildError, Builder, Built, Parameter, Plan, Rates, Spec, Tablebase, TablebaseError, Values,
};
use serde_json::{Value as Json, json};

use crate::family::Chess;
use crate::material::{Material, MaterialError};
use crate::position::Position;
use crate::report::report;

/// Builds the tables of these materials and of all materials that they need, unless they exist: see
/// [`Builder::build`].
pub fn build(
    builder: Builder<'_, Chess>,
    targets: &[Material],
) -> Result<Plan<Material>, BuildError> {
    builder.build(targets)
}

/// The plan of such a build: see [`Builder::plan`].
pub fn plan(
    builder: &Builder<'_, Chess>,
    targets: &[Material],
) -> Result<Plan<Material>, BuildError> {
    builder.plan(targets)
}

/// The speed of a build, measured by trials: see [`Builder::measure`].
pub fn measure(
    builder: Builder<'_, Chess>,
    plan: &Plan<Material>,
    time: Duration,
) -> Result<Rates, BuildError> {
    builder.measure(plan, time)
}

impl Built for Chess {
    const SPEC: Spec = Spec {
        summary: "Chess with three to six pieces, kings included",
        about: "In chess each material (the pieces on the board) is a region. It is built after the smaller materials that captures and promotions lead to.",
        rules: "The rules of chess, without castling. Mate wins, and stalemate is a draw. The tables do not count the fifty moves without \
                a capture or a move of a pawn: a win may take longer than that.",
        regions: "materials, like KQvKR",
        parameters: &[Parameter {
            name: "pieces",
            help: "all materials of at most this number of pieces, including kings",
            values: Values::Range(3, 6),
        }],
    };

    fn chosen(
        given: &dyn Fn(&str) -> Option<u32>,
        regions: &[String],
    ) -> Result<(Chess, Vec<Material>), String> {
        let read = |name: &String| {
            name.parse().map_err(|error: MaterialError| format!("material `{name}`: {error}"))
        };
        let mut targets: Vec<Material> = regions.iter().map(read).collect::<Result<_, _>>()?;
        targets.extend((3..=given("pieces").unwrap_or(0)).flat_map(Material::all));
        if targets.is_empty() {
            return Err(
                "name materials, like KQvKR, or add --pieces with the largest number of pieces"
                    .into(),
            );
        }
        Ok((Chess, targets))
    }

    /// In the JSON format of lichess's table server.
    fn object(
        tables: &Tablebase<Chess>,
        position: &Position,
    ) -> Option<Result<Json, TablebaseError>> {
        Some(report(tables, position).map(|report| json!(report)))
    }

    retrograde_regions::compiled_here!();
}
