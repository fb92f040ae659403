//! Games made of rules and of games: positions as states, stored backward moves, mirror images, the other way to end.
//!
//! # Predecessors are hard
//!
//! Wrong predecessors are the most common mistake. There are four ways to avoid them, from the easiest to the
//! fastest:
//!
//! 1. **[`Explicit`] stores them.** Write the moves and nothing else. It keeps 4 bytes a move and 8 a state, so it fits games of up to
//!    about a hundred million states. [`Explicit::memory_needed`] says what it takes. [`audit_forwards`](crate::checks::audit_forwards) checks the
//!    moves first.
//! 2. **[`Explicit`] on a numbering up to symmetry.** Number orbits, as `retrograde_boards::Orbits` does, and visit the orbit that each move leads
//!    to, as often as moves lead there. Predecessors up to symmetry are the hardest to write by hand; stored ones are right by
//!    construction. The L-game in the examples of `retrograde-boards` is written so.
//! 3. **Written by hand**, as [`Predecessors`](crate::Predecessors) or as [`BackwardMoves`]. A move taken back ends on a square that was free, starts from
//!    a square that is free now, and belongs to the side that is not to move. Let [`audit`](crate::audit()) name what is wrong, on a small
//!    board.
//! 4. **[`Folded`] on a numbering up to symmetry**, written by hand. You say how many symmetries a position has of its own, and [`Folded`]
//!    counts rightly.

mod csr;
pub(crate) mod explicit;
pub(crate) mod folded;
pub(crate) mod misere;
pub(crate) mod numbered;
pub(crate) mod quotient;

pub use crate::reachable::Within;
pub use explicit::{Edges, Explicit};
pub use folded::{Folded, Symmetric};
pub use misere::Misere;
pub use numbered::{BackwardMoves, Numbered, Rules};
pub use quotient::Quotient;
