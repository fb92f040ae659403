//! What can be asked for values: a solution, a table.

use super::code::Code;
use super::value::Value;

/// Wins, losses or draws and distances by state: what a [`Solution`](crate::Solution) and a table on
/// disk have in common. Lines of play, best moves and checks work from either, and from answers of any other origin:
///
/// ```
/// use retrograde::adapters::{Edges, Explicit};
/// use retrograde::{Probe, Value, verify};
///
/// /// Somebody else's answer, to be checked.
/// struct Claimed(Vec<Value>);
///
/// impl Probe for Claimed {
///     type Error = std::convert::Infallible;
///
///     fn states(&self) -> u64 {
///         self.0.len() as u64
///     }
///     fn has_distances(&self) -> bool {
///         true
///     }
///     fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error> {
///         Ok(Some(self.0[state as usize]))
///     }
/// }
///
/// let path = Explicit::from_edges(3, [(0, 1), (1, 2)]);
/// assert!(verify(&path, &Claimed(vec![Value::Loss(2), Value::Win(1), Value::Loss(0)])).is_ok());
/// let wrong = verify(&path, &Claimed(vec![Value::Draw, Value::Win(1), Value::Loss(0)]));
/// assert!(wrong.unwrap_err().to_string().starts_with("state 0 is Draw but Loss(2) follows"));
/// ```
pub trait Probe: Sync {
    /// What can go wrong when a state is looked up.
    type Error: std::fmt::Display;

    /// How many states there are, holes included.
    fn states(&self) -> u64;

    /// Whether distances were kept. Without them every distance reads 0.
    fn has_distances(&self) -> bool;

    /// The value of a state, or `None` where the state is invalid.
    fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error>;

    /// The codes of the states from `first` on, as many as `codes` has room for. To know the distance behind a
    /// [far](Code::is_far) code, probe its state. Override where many at once cost less than one by one.
    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), Self::Error> {
        for (state, code) in (first..).zip(codes) {
            *code = Code::of(self.probe(state)?);
        }
        Ok(())
    }

    /// The values of the states from `first` on, as many as `values` has room for: what
    /// [`fill_codes`](Probe::fill_codes) says, in full.
    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), Self::Error> {
        // Few enough to stay in the nearest cache until they are values.
        let mut codes = [Code::INVALID; 1 << 10];
        for (run, values) in values.chunks_mut(codes.len()).enumerate() {
            // Nothing is added to a first state that there is not.
            let first = first + (run * codes.len()) as u64;
            let codes = &mut codes[..values.len()];
            self.fill_codes(first, codes)?;
            for (at, (code, value)) in codes.iter().zip(values).enumerate() {
                *value = if code.is_far() { self.probe(first + at as u64)? } else { code.value() };
            }
        }
        Ok(())
    }

    /// The least of what these states are worth, as players order values: what the best move to one of them leaves to the
    /// opponent. `None` where there are none, or one is invalid. Override where many at once cost less than one by one.
    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, Self::Error> {
        let mut least: Option<Value> = None;
        for &state in states {
            let Some(value) = self.probe(state)? else { return Ok(None) };
            if least.is_none_or(|least| value < least) {
                least = Some(value);
            }
        }
        Ok(least)
    }
}

impl<P: Probe + ?Sized> Probe for &P {
    type Error = P::Error;

    fn states(&self) -> u64 {
        P::states(self)
    }

    fn has_distances(&self) -> bool {
        P::has_distances(self)
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, P::Error> {
        P::probe(self, state)
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), P::Error> {
        P::fill_codes(self, first, codes)
    }

    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, P::Error> {
        P::least_of(self, states)
    }
}
