//! What one game says of itself beyond what all games say.

use retrograde::{Misere, Solution};
use retrograde_games::{Chase, Corner, Graph, Pursuit, Show, Take};
use serde_json::{Value as Json, json};

/// A remark, for a reader and for a program.
pub(crate) struct Remark {
    /// In words, without a line break at the end.
    pub(crate) text: String,
    /// Its name and value in `--json`, where a program has a use for it.
    pub(crate) json: Option<(&'static str, Json)>,
}

/// A game that may have something to add once it is solved.
pub(crate) trait Extra {
    /// What it adds.
    fn extra(&self, solution: &Solution) -> Option<Remark> {
        let _ = solution;
        None
    }
}

impl Extra for Graph {}

impl Extra for Pursuit {}

impl Extra for Take {}

impl Extra for Corner {
    /// The board of signs, by which one knows the game.
    fn extra(&self, solution: &Solution) -> Option<Remark> {
        let Ok(signs) = self.signs(solution);
        Some(Remark { text: signs, json: None })
    }
}

impl Extra for Chase {
    /// Whether so many police are enough for the graph: its cop number is the least such.
    fn extra(&self, solution: &Solution) -> Option<Remark> {
        if self.name() != "chase" {
            return None;
        }
        let Ok(places) = self.cop_win(solution);
        let text = match &places {
            Some(places) => format!(
                "Choosing places first, the police catch the thief wherever he starts: {}",
                places.join(" ")
            ),
            None => "Choosing places first, the police cannot be sure of the thief".to_owned(),
        };
        Some(Remark { text, json: Some(("police_first", json!(places))) })
    }
}

impl<G: Extra> Extra for Misere<G> {
    fn extra(&self, solution: &Solution) -> Option<Remark> {
        self.0.extra(solution)
    }
}
