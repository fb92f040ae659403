//! The common interface of solutions and tables: both give the value of a state.

use super::value::{Code, Value};

/// Gives the value of each state: a win, a loss or a draw, with its distance. A [`Solution`](crate::Solution) and a
/// table on disk implement it. The functions for lines of play, best moves and checks accept both. They also accept
/// your own type:
///
/// ```
/// use retrograde::adapters::{Edges, Explicit};
/// use retrograde::{Probe, Value, verify};
///
/// /// The answer of another program, to be checked.
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
    type Error: std::fmt::Display + Send;

    /// How many states there are, including invalid ones.
    fn states(&self) -> u64;

    /// Whether it has distances. If not, every distance is 0.
    fn has_distances(&self) -> bool;

    /// The value of a state, or `None` if the state is invalid.
    fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error>;

    /// Writes the codes of the states from `first` on, until `codes` is full. A [far](Code::is_far) code does not hold
    /// the distance: call [`probe`](Probe::probe) for its state. Override this method if it is cheaper to look up many
    /// states together.
    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), Self::Error> {
        for (state, code) in (first..).zip(codes) {
            *code = Code::of(self.probe(state)?);
        }
        Ok(())
    }

    /// Writes the values of the states from `first` on, until `values` is full. Unlike
    /// [`fill_codes`](Probe::fill_codes), it gives every distance.
    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), Self::Error> {
        // So few codes that they stay in the nearest cache until the loop below has read them.
        let mut codes = [Code::INVALID; 1 << 10];
        for (run, values) in values.chunks_mut(codes.len()).enumerate() {
            // If `first` does not exist, the first call fails. So this sum does not overflow.
            let first = first + (run * codes.len()) as u64;
            let codes = &mut codes[..values.len()];
            self.fill_codes(first, codes)?;
            for (at, (code, value)) in codes.iter().zip(values).enumerate() {
                *value = if code.is_far() { self.probe(first + at as u64)? } else { code.value() };
            }
        }
        Ok(())
    }

    /// Returns the least value of these states, in the order of the player to move. If a player moves to one of them,
    /// this is the least value that the opponent can get. Returns `None` if there are no states, or if one is invalid.
    /// Override this method if it is cheaper to look up many states together.
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
