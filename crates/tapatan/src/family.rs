//! The family: its regions, and the regions that each needs.

use std::fmt;
use std::str::FromStr;

use retrograde_regions::{Built, Family, Solved, Spec};

use crate::board::MEN;
use crate::game::Placing;

/// Tapatan.
pub struct Tapatan;

/// How many men have been placed: `p0` to `p5`; then `m`, in which men move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tier(u32);

impl Tier {
    /// The region with `placed` men placed.
    pub(crate) fn of(placed: u32) -> Tier {
        Tier(placed)
    }

    /// The empty board.
    pub const START: Tier = Tier(0);

    pub(crate) fn placed(self) -> u32 {
        self.0
    }
}

impl FromStr for Tier {
    type Err = String;

    fn from_str(name: &str) -> Result<Tier, String> {
        let all = (0..=2 * MEN).map(Tier).find(|tier| tier.to_string() == name);
        all.ok_or_else(|| {
            format!("`{name}` is not a region: write p0 to p5 for the placing phase, or m")
        })
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            placed if placed < 2 * MEN => write!(f, "p{placed}"),
            _ => f.write_str("m"),
        }
    }
}

impl Family for Tapatan {
    type Region = Tier;
    type Game<'a> = Placing<'a>;

    fn name(&self) -> &str {
        "tapatan"
    }

    fn needs(&self, tier: &Tier) -> Vec<Tier> {
        if tier.0 < 2 * MEN { vec![Tier(tier.0 + 1)] } else { Vec::new() }
    }

    fn game<'a>(&self, tier: &Tier, solved: Vec<Solved<'a>>) -> Placing<'a> {
        Placing::new(*tier, solved.into_iter().next())
    }
}

impl Built for Tapatan {
    const SPEC: Spec = Spec {
        summary: "Tapatan, three men each in a row",
        about: "Tapatan: first both players put three men on the board in turn. Then a move takes one man a step along a row, a column or a \
                diagonal. Three in a row win.",
        rules: "The board has three by three points, joined along rows, columns and diagonals. Both players place three men in turn. Then a \
                player moves one man a step along a line to a free point. Three in a row win.",
        regions: "how many men are placed, p0 to p5, or m [default: the whole game]",
        parameters: &[],
    };

    fn chosen(
        _: &dyn Fn(&str) -> Option<u32>,
        regions: &[String],
    ) -> Result<(Tapatan, Vec<Tier>), String> {
        let tiers: Vec<Tier> = regions.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
        Ok((Tapatan, if tiers.is_empty() { vec![Tier::START] } else { tiers }))
    }

    retrograde_regions::compiled_here!();
}
