//! A game as the program plays with it: what it can do, and what it says of itself, beyond what all games
//! can and say.

use retrograde::{Misere, Solution, SolveError, Solver, audit_words};
use retrograde_games::{Chase, Corner, Graph, Pursuit, Show, Take};
use serde_json::{Value as Json, json};

/// A game of the program.
pub(crate) trait Playable: Show + Sized {
    /// Whether it can be solved 64 states at a time, as it then is unless one asks otherwise.
    const WORDS: bool = false;

    /// Solves it 64 states at a time, if it can be.
    fn solve_words(&self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.solve(self)
    }

    /// Compares its moves of 64 states at a time with those of one, if it has the former.
    fn audit_words(&self) -> Result<(), String> {
        Ok(())
    }

    /// What there is to add once it is solved.
    fn remark(&self, solution: &Solution) -> Option<Remark> {
        let _ = solution;
        None
    }
}

/// A remark, for a reader and for a program.
pub(crate) struct Remark {
    /// In words, without a line break at the end.
    pub(crate) text: String,
    /// Its name and value in `--json`, where a program has a use for it.
    pub(crate) json: Option<(&'static str, Json)>,
}

impl Playable for Graph {}

impl Playable for Take {}

impl Playable for Pursuit {
    const WORDS: bool = true;

    fn solve_words(&self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.solve_words(self)
    }

    fn audit_words(&self) -> Result<(), String> {
        audit_words(self).map_err(|error| error.to_string())
    }
}

impl Playable for Corner {
    /// The board of signs, by which one knows the game.
    fn remark(&self, solution: &Solution) -> Option<Remark> {
        let Ok(signs) = self.signs(solution);
        Some(Remark { text: signs, json: None })
    }
}

impl Playable for Chase {
    /// Whether so many police are enough for the graph: its cop number is the least such.
    fn remark(&self, solution: &Solution) -> Option<Remark> {
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

impl<G: Playable> Playable for Misere<G> {
    fn remark(&self, solution: &Solution) -> Option<Remark> {
        self.0.remark(solution)
    }
}
