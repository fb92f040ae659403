//! Games made of games: stored un-moves, mirror images, the other way to end.

mod csr;
pub(crate) mod explicit;
pub(crate) mod folded;
pub(crate) mod misere;
pub(crate) mod quotient;
