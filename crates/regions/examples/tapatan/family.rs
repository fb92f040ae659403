//! The family: its regions, and the regions that each needs.

use std::fmt;
use std::str::FromStr;

use retrograde_regions::{Family, SolvedRegion};

use super::board::MEN;
use super::game::Placing;

/// Tapatan.
pub(crate) struct Tapatan;

/// How many men have been placed: `p0` to `p5`; then `m`, in which men move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tier(u32);

impl Tier {
    /// The region with `placed` men placed.
    pub(crate) fn of(placed: u32) -> Tier {
        Tier(placed)
    }

    /// The empty board.
    pub(crate) const START: Tier = Tier(0);

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

    fn region_named(&self, name: &str) -> Result<Tier, String> {
        name.parse()
    }

    fn needs(&self, tier: &Tier) -> Vec<Tier> {
        if tier.0 < 2 * MEN { vec![Tier(tier.0 + 1)] } else { Vec::new() }
    }

    fn game<'a>(&self, tier: &Tier, solved: Vec<SolvedRegion<'a>>) -> Placing<'a> {
        Placing::new(*tier, solved.into_iter().next())
    }
}
