//! Chess as a family: its rules know nothing of regions, so this is all that ties them together.

use crate::{Endgame, Material, Stats};
use retrograde::{ByWords, Solution, SolveError, Solver};
use retrograde_regions::{Family, Solved};
use retrograde_table::{About, MoverCounts};
use serde_json::json;

/// Chess: a region is a material, its states are numbered by [`Index`](crate::Index).
pub struct Chess;

impl Family for Chess {
    type Region = Material;
    type Game<'a> = Endgame<Solved<'a>>;

    fn name(&self) -> &str {
        "chess"
    }

    fn needs(&self, material: &Material) -> Vec<Material> {
        material.needs()
    }

    fn game<'a>(&self, material: &Material, solved: Vec<Solved<'a>>) -> Endgame<Solved<'a>> {
        Endgame::new(*material, solved)
    }

    fn solve(&self, game: &Self::Game<'_>, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.solve(ByWords(game))
    }

    fn memory(&self, game: &Self::Game<'_>, solver: &Solver<'_>) -> u64 {
        solver.memory_needed(ByWords(game))
    }

    /// A few states have mostly levels of their own; of many, most share one. (KQRvKQ, where half of all
    /// states have exits, keeps a byte a state.)
    fn exit_bytes(&self, states: u64) -> u64 {
        16 * (states.min(8) + states.saturating_sub(8) / 8)
    }

    fn about(&self, material: &Material, game: &Self::Game<'_>, solution: &Solution) -> About {
        let side = |stats: &Stats| {
            let longest = stats.longest_win.filter(|_| solution.has_distances());
            let fen = longest.and_then(|longest| game.index().position(longest.state));
            let longest = longest.map(|longest| longest.plies);
            json!({
                "win": stats.win, "draw": stats.draw, "loss": stats.loss,
                "longest": longest, "fen": fen.map(|position| position.to_string()),
            })
        };
        let [white, black] = Stats::of(game.index(), solution);
        About {
            game: "chess".into(),
            parameters: json!({
                "material": material.to_string(), "white": side(&white), "black": side(&black),
            }),
            counts: vec![
                MoverCounts::new("white", white.states),
                MoverCounts::new("black", black.states),
            ],
            ..About::default()
        }
    }

    fn rows(&self, game: &Self::Game<'_>) -> Option<(u64, u64)> {
        let index = game.index();
        let block = index.blocks().next().map(|block| block.states.end)?;
        (index.states() == index.placements()).then_some((block, 2))
    }
}
