//! Positions of morris, for a folder of tables.

use std::cmp::Reverse;

use retrograde::Value;
use retrograde_regions::{Family, Positions};

use crate::board::Men;
use crate::family::{GAME, Morris};
use crate::index::Index;
use crate::position::{Move, Position};
use crate::region::Region;

/// An open folder of tables of morris.
pub type Tablebase = retrograde_regions::Tablebase<Morris>;
/// An open region: its numbering and its table.
pub type Opened = retrograde_regions::Opened<Index>;
/// The value of a position and of each of its moves.
pub type Answer = retrograde_regions::Answer<Position, Move>;
/// A move, its target and its value.
pub type Choice = retrograde_regions::Choice<Position, Move>;

impl Positions for Morris {
    type Position = Position;
    type Move = Move;
    type Index = Index;

    const GAME: &'static str = GAME;
    const BUILD: &'static str = "retrograde build morris --men 3";

    fn of_manifest(name: Option<&str>) -> Option<Morris> {
        Men::ALL.into_iter().map(Morris::new).find(|morris| Some(Family::name(morris)) == name)
    }

    fn region(&self, name: &str) -> Result<Region, String> {
        Region::named(self.men(), name).map_err(|error| error.to_string())
    }

    /// First the regions with all stones placed, the smallest first, then those of the placing phase, the
    /// latest first.
    fn sort(&self, regions: &mut [Region]) {
        regions
            .sort_unstable_by_key(|region| (Reverse(region.placed().unwrap_or(u32::MAX)), *region));
    }

    fn index(&self, region: &Region) -> Index {
        self.index(*region)
    }

    fn start(&self) -> Option<Position> {
        Some(Position::start(self.men()))
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        Position::read(self.men(), text).map_err(|error| error.to_string())
    }

    fn place(&self, position: &Position) -> Result<Region, Value> {
        position.region().ok_or(Value::Loss(0))
    }

    fn state(index: &Index, position: &Position) -> u64 {
        index.state(position)
    }

    fn moves(&self, position: &Position) -> Vec<(Move, Position)> {
        let after = |played: Move| (played, position.play(&played));
        position.moves().into_iter().map(after).collect()
    }

    fn stuck(&self, _: &Position) -> Value {
        Value::Loss(0)
    }
}
