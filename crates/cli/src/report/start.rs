//! The start, or a requested state: its value and its best moves.

use std::io::Write;

use retrograde::Value;
use retrograde_catalog::word;
use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::term::failure::Failure;
use crate::term::number::{grouped, plies};

/// The report about a state.
pub(crate) struct StateReport {
    pub(crate) state: String,
    pub(crate) side: String,
    pub(crate) value: Value,
    pub(crate) distance: Option<u32>,
    /// The best moves, or the states after them.
    pub(crate) best: Vec<String>,
}

impl StateReport {
    /// Writes the value and the best moves: short texts in one line, others in a line each, only the first
    /// few.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        const SHOWN: usize = 8;
        let StateReport { state, side, value, distance, best } = self;
        let distance = distance.map_or(String::new(), |d| format!(" in {}", plies(d)));
        let value = word(*value).to_uppercase();
        writeln!(out, "{value}{distance} for {side}, from {state}")?;
        if best.iter().all(|best| !best.contains(' ')) {
            return Ok(writeln!(out, "{:<10} {}", "best", best.join(" "))?);
        }
        for (place, best) in best.iter().take(SHOWN).enumerate() {
            let head = if place == 0 { "best" } else { "" };
            writeln!(out, "{head:<10} {best}")?;
        }
        if best.len() > SHOWN {
            writeln!(out, "{:<10} and {} more", "", grouped((best.len() - SHOWN) as u64))?;
        }
        Ok(())
    }

    /// The same as an object.
    pub(crate) fn object(&self) -> StartOf<'_> {
        let StateReport { state, value, distance, best, .. } = self;
        let each = |visit: &mut Visit<'_>| best.iter().try_for_each(|best| visit(best));
        StartOf::new(state.clone(), *value, *distance, each)
    }
}

/// The texts of a move.
pub(crate) type Visit<'v> = dyn FnMut(&str) -> Result<(), Failure> + 'v;

/// A state, as an object.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StartOf<'a> {
    state: String,
    #[cfg_attr(test, schemars(extend("enum" = ["win", "loss", "draw"])))]
    value: &'static str,
    distance: Option<u32>,
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    best: Best<'a>,
}

impl<'a> StartOf<'a> {
    /// `each` visits the best moves as text.
    pub(crate) fn new(
        state: String,
        value: Value,
        distance: Option<u32>,
        each: impl Fn(&mut Visit<'_>) -> Result<(), Failure> + 'a,
    ) -> StartOf<'a> {
        StartOf { state, value: word(value), distance, best: Best(Box::new(each)) }
    }
}

/// The best moves. There may be millions, so each is formatted when it is written.
struct Best<'a>(Box<Each<'a>>);

/// Visits moves.
type Each<'a> = dyn Fn(&mut Visit<'_>) -> Result<(), Failure> + 'a;

impl Serialize for Best<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut refused = None;
        let visited = (self.0)(&mut |best| {
            list.serialize_element(best).map_err(|error| {
                refused = Some(error);
                Failure::Closed
            })
        });
        match (refused, visited) {
            (Some(error), _) => Err(error),
            (None, Err(failure)) => Err(S::Error::custom(failure.message())),
            (None, Ok(())) => list.end(),
        }
    }
}
