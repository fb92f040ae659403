//! Building, compiled once in this crate. The engine for morris takes long to compile, and programs that
//! build tables need not repeat it.

use std::time::Duration;

use retrograde_regions::{BuildError, Builder, Built, Parameter, Plan, Rates, Spec, Values};

use crate::board::Men;
use crate::family::Morris;
use crate::region::Region;

/// Builds the tables of these regions and of all they need, unless they exist: see [`Builder::build`].
pub fn build(builder: Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.build(targets)
}

/// What such a build takes: see [`Builder::plan`].
pub fn plan(builder: &Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
    builder.plan(targets)
}

/// How long it takes, by trial: see [`Builder::measure`].
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
        about: "Morris: both place their men in turn, then move one along a line to the next point. A mill, three in a row, takes a \
                stone of the other's: one in no mill, or any if all are; two mills at once take one. Who has fewer than three men left \
                has lost, and who cannot move; repetition is a draw. With nine men each, who has three left may jump to any point; with \
                six or three they may not. With three the diagonals are mills too, and the first mill wins.",
        rules: "White begins. Both players place their men in turn, one a move, on any free point. Then they move a man along a line to the \
                next point, if it is free. Three men in a row are a mill. A player who closes a mill takes a man of the opponent: one in no \
                mill, or any if all are in mills. Two mills closed at once take one man. A player with fewer than three men loses. So does \
                a player who cannot move. Endless play is a draw. With nine men each, a player with three men left may jump to any point. \
                With three men each, the diagonals are mills too, and the first mill wins.",
        regions: "stones, like 5-4, or while they are placed how many have been, then those on the board of who is to move and of the \
                  other, like p3-1-2 [default: the whole game]",
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
        let men = given("men").and_then(Men::of).ok_or("say which morris: --men 3, 6 or 9")?;
        let read = |name: &String| Region::named(men, name).map_err(|error| error.to_string());
        let targets: Vec<Region> = regions.iter().map(read).collect::<Result<_, _>>()?;
        let whole = || vec![Region::start(men)];
        Ok((Morris::new(men), if targets.is_empty() { whole() } else { targets }))
    }

    fn build(builder: Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
        build(builder, targets)
    }

    fn plan(builder: &Builder<'_, Morris>, targets: &[Region]) -> Result<Plan<Region>, BuildError> {
        plan(builder, targets)
    }

    fn measure(
        builder: Builder<'_, Morris>,
        targets: &Plan<Region>,
        time: Duration,
    ) -> Result<Rates, BuildError> {
        measure(builder, targets, time)
    }
}
