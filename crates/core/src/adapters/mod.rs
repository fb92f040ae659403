//! Adapters make games from rules about positions, and from other games. They store backward moves, or merge mirror images.
//!
//! # Predecessors are hard
//!
//! Wrong predecessors are the most common mistake. There are four ways to avoid them, from the easiest to the
//! fastest:
//!
//! 1. **[`Explicit`] stores them.** Write the moves and nothing else. It takes 4 bytes a move and 8 bytes a state, so it fits games of up
//!    to about a hundred million states. [`Explicit::memory_needed`] gives the memory in advance.
//!    [`audit_forwards`](crate::checks::audit_forwards) checks the moves first.
//! 2. **[`Explicit`] on a numbering up to symmetry.** Number orbits, as `retrograde_boards::Orbits` does. Visit the orbit that each move
//!    leads to, once for each move. Predecessors up to symmetry are the hardest to write by hand, but stored predecessors are always right.
//!    The L-game in the examples of `retrograde-boards` is an example.
//! 3. **Written by hand**, as [`Predecessors`](crate::Predecessors) or as [`BackwardMoves`]. A move taken back ends on a square that was
//!    free, starts from a square that is free now, and belongs to the side that is not to move. Use [`audit`](crate::audit()) on a small
//!    board, which names a wrong state.
//! 4. **On a numbering up to symmetry**, also written by hand. [`Rules::stabilizer`] says how many symmetries map a position to itself, and
//!    [`Numbered`] corrects the number of moves. [`Folded`] does this for games that are not about positions.

mod csr;
pub(crate) mod explicit;
pub(crate) mod folded;
pub(crate) mod numbered;
pub(crate) mod orbits;
mod origins;
pub(crate) mod quotient;
pub(crate) mod rules;

pub use crate::reachable::Within;
pub use crate::rules::AnyRules;
pub use explicit::{Edges, EdgesError, Explicit};
pub use folded::{Folded, Symmetric};
pub use numbered::Numbered;
pub use quotient::Quotient;
pub use rules::{BackwardMoves, Rules};
