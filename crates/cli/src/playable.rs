//! A game as the program plays with it: what it can do, and what it says of itself, beyond what all games
//! can and say.

use retrograde::{
    Broken, Misere, Probe, Solution, SolveError, Solver, Verified, Verifier, audit_words,
};
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

    /// Verifies values 64 at a time, if it can be.
    fn verify_words<P: Probe<Error: Send>>(
        &self,
        verifier: Verifier<'_>,
        values: &P,
    ) -> Result<Verified, Broken<P::Error>> {
        verifier.verify(self, values)
    }

    /// How long the rows are that its states fall into, all of one mover and the next row of the next, where
    /// they do: tables are smaller for knowing it.
    fn row_len(&self) -> Option<u64> {
        None
    }

    /// What there is to add once it is solved.
    fn remark<P: Probe>(&self, values: &P) -> Result<Option<Remark>, P::Error> {
        let _ = values;
        Ok(None)
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

    fn verify_words<P: Probe<Error: Send>>(
        &self,
        verifier: Verifier<'_>,
        values: &P,
    ) -> Result<Verified, Broken<P::Error>> {
        verifier.verify_words(self, values)
    }

    fn row_len(&self) -> Option<u64> {
        Some(self.row_len())
    }
}

impl Playable for Corner {
    /// The board of signs, by which one knows the game.
    fn remark<P: Probe>(&self, values: &P) -> Result<Option<Remark>, P::Error> {
        Ok(Some(Remark { text: self.signs(values)?, json: None }))
    }
}

impl Playable for Chase {
    fn row_len(&self) -> Option<u64> {
        Some(self.row_len())
    }

    /// Whether so many police are enough for the graph: its cop number is the least such.
    fn remark<P: Probe>(&self, values: &P) -> Result<Option<Remark>, P::Error> {
        if self.name() != "chase" {
            return Ok(None);
        }
        let places = self.cop_win(values)?;
        let text = match &places {
            Some(places) => format!(
                "Choosing places first, the police catch the thief wherever he starts: {}",
                places.join(" ")
            ),
            None => "Choosing places first, the police cannot be sure of the thief".to_owned(),
        };
        Ok(Some(Remark { text, json: Some(("police_first", json!(places))) }))
    }
}

impl<G: Playable> Playable for Misere<G> {
    fn row_len(&self) -> Option<u64> {
        self.0.row_len()
    }

    fn remark<P: Probe>(&self, values: &P) -> Result<Option<Remark>, P::Error> {
        self.0.remark(values)
    }
}
