//! What can be asked for values: a solution, a table.

use super::value::Value;

/// Wins, losses or draws and distances by state: what a [`Solution`](crate::Solution) and a table on
/// disk have in common. Lines of play, best moves and checks work from either.
pub trait Probe: Sync {
    /// What can go wrong when a state is looked up.
    type Error: std::fmt::Display;

    /// How many states there are, holes included.
    fn states(&self) -> u64;

    /// Whether distances were kept. Without them every distance reads 0.
    fn has_distances(&self) -> bool;

    /// The value of a state, or `None` where the state is void.
    fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error>;

    /// The values of the states from `first` on, as many as `values` has room for.
    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), Self::Error> {
        self.fill_with(first, values, |value| value)
    }

    /// What `made_of` makes of the values of the states from `first` on, as many as `values` has room for.
    /// Override where many at once cost less than one by one.
    fn fill_with<T: Copy + PartialEq>(
        &self,
        first: u64,
        values: &mut [T],
        made_of: impl Fn(Option<Value>) -> T,
    ) -> Result<(), Self::Error> {
        for (state, value) in (first..).zip(values) {
            *value = made_of(self.probe(state)?);
        }
        Ok(())
    }
}
