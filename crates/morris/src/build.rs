//! Functions to build tables. The engine for morris takes long to compile. So it compiles once in this crate,
//! and not in each program that builds tables.

use std::time::Duration;

use retrograde_regions::{BuildError, Builder, Built, Parameter, Plan, Rates, Spec, Values};

use crate::board::Men;
use crate::family::Morris;
use crate::region::Region;

/// Builds the tables of these regions and of all regions that they need, unless they exist: see
/// [`Builder::build`].
pub fn build(builder: Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.build(targets)
}

/// The plan of such a build: see [`Builder::plan`].
pub fn plan(builder: &Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.plan(targets)
}

/// The speed of a build, measured by trials: see [`Builder::measure`].
pub fn measure(
    builder: Builder<'_, Morris>,
    plan: &Plan<Region>,
    time: Duration,
) -> Result<Rates, BuildError> {
    builder.measure(plan, time)
}

impl Built for Morris {
    const SPEC: Spec = Spec {
        summary: "Three, six or nine men's morris",
        about: "Morris: first both players put their men on the board in turn. Then a move takes one man along a line to the next free \
                point. Three men in a row are a mill. A player who closes a mill takes a man of the opponent: one in no mill, or any if \
                all are in mills. Two mills closed at once take one man. A player with fewer than three men loses. So does a player who \
                cannot move. Endless play is a draw. With nine men each, a player with three men left may jump to any free point. With \
                three men each, the diagonals are mills too, and the first mill wins.",
        rules: "White begins. Both players place their men in turn, one a move, on any free point. Then they move a man along a line to the \
                next point, if it is free. Three men in a row are a mill. A player who closes a mill takes a man of the opponent: one in no \
                mill, or any if all are in mills. Two mills closed at once take one man. A player with fewer than three men loses. So does \
                a player who cannot move. Endless play is a draw. With nine men each, a player with three men left may jump to any point. \
                With three men each, the diagonals are mills too, and the first mill wins.",
        regions: "the stones of both sides, like 5-4; in the placing phase like p3-1-2: how many are placed, then how many are on the \
                  board, first those of the side to move [default: the whole game]",
        parameters: &[Parameter {
            name: "men",
            help: "how many men each side has",
            values: Values::OneOf(&["3", "6", "9"]),
        }],
    };

    fn chosen(
        given: &dyn Fn(&str) -> Option<u32>,
        regions: &[String],
    ) -> Result<(Morris, Vec<Region>), String> {
        let men = given("men").and_then(Men::of).ok_or("name the game: --men 3, 6 or 9")?;
        let read = |name: &String| Region::named(men, name).map_err(|error| error.to_string());
        let targets: Vec<Region> = regions.iter().map(read).collect::<Result<_, _>>()?;
        let whole = || vec![Region::start(men)];
        Ok((Morris::new(men), if targets.is_empty() { whole() } else { targets }))
    }

    retrograde_regions::compiled_here!();
}
