//! For your own engine or transport: the loop of a solve, and the parts of a game.
//!
//! A solve is a loop over levels, [`Solver::run`](crate::Solver::run). The loop uses an [`Engine`], which holds
//! the data of all states. The scalar engine consists of parts. A [`Part`] holds a run of states, and only its
//! owner writes to it. When a part sweeps its frontier, it updates its own states immediately, and
//! [sends](UpdateSink::send) all other updates. You choose where parts are, and how they exchange updates. For
//! example, parts may be files that you load one at a time, or processes in a network. A test may delay and
//! reorder updates.
//!
//! ```text
//! seed each part: settle at level 0 what the rules decide, add later events to the pending events
//! for each level, as the loop says:
//!     begin it in each part
//!     until all parts have swept their frontier and all updates have been read, in any order:
//!         sweep a part, until it is done or its updates are full
//!         bring updates to a part, and apply them
//!     end it in each part, and add up what has settled
//! ```
//!
//! The updates of a level commute, so their order changes nothing. But you must apply each update once, and at its
//! level, which is the level of the part that sent it. A part needs nothing else from other parts. So parts may be
//! at different levels. A part may end a level when all parts that can send it updates have swept that level, and
//! it has applied their updates. The loop adds up two things over all parts: the [`Tally`] of each level and, if
//! nothing settled, the next level with pending events. See [`Engine::add_up`].
//!
//! [`Outboxes`] hold updates part by part, as most transports need them. [`Parted`] is a game as a trait object,
//! so a transport compiles once for all games.
//!
//! A game in two parts, with a vector for updates:
//!
//! ```
//! use std::io::{self, Read, Write};
//! use retrograde::parts::{PendingEvents, Partition, Engine, Kind, Part, Tally, UpdateSink, Watch};
//! use retrograde::{Game, Predecessors, SolveError, Solver, Value};
//! # use retrograde::adapters::Explicit;
//!
//! struct Halves<'g, G> {
//!     game: &'g G,
//!     partition: Partition,
//!     parts: Vec<Part>,
//! }
//!
//! #[derive(Default)]
//! struct Updates(Vec<(u64, bool)>);
//!
//! impl UpdateSink for Updates {
//!     fn send(&mut self, _: u64, predecessor: u64, wins: bool) {
//!         self.0.push((predecessor, wins));
//!     }
//! }
//!
//! impl<G: Predecessors> Engine for Halves<'_, G> {
//!     fn kind(&self) -> Kind {
//!         self.partition.kind(*b"halves 1")
//!     }
//!     fn states(&self) -> u64 {
//!         self.game.states()
//!     }
//!     fn bytes(&self, level: u32) -> u64 {
//!         (0..self.parts.len()).map(|part| self.partition.bytes(part, level)).sum()
//!     }
//!     fn seed(&mut self, pending: &mut PendingEvents, _: &mut Watch<'_>) -> Result<Tally, SolveError> {
//!         Ok(self.parts.iter_mut().map(|part| part.seed(self.game, pending)).sum())
//!     }
//!     fn settle(
//!         &mut self,
//!         level: u32,
//!         pending: &PendingEvents,
//!         _: &mut Watch<'_>,
//!     ) -> Result<Tally, SolveError> {
//!         let mut updates = Updates::default();
//!         for part in &mut self.parts {
//!             part.begin(level);
//!             part.sweep(self.game, &mut updates);
//!         }
//!         for (state, wins) in updates.0 {
//!             self.parts[self.partition.part_of(state)].update([(state, wins)]);
//!         }
//!         Ok(self.parts.iter_mut().map(|part| part.end(pending)).sum())
//!     }
//!     fn write(&self, to: &mut dyn Write) -> io::Result<()> {
//!         self.parts.iter().try_for_each(|part| part.write(to))
//!     }
//!     fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
//!         self.parts.iter_mut().map(|part| part.read(level, from)).sum::<Result<_, _>>().map(Some)
//!     }
//! }
//!
//! # let game = Explicit::from_edges(100, (1..100).map(|state| (state, state - 1)));
//! let partition = Partition::new(&game, game.states() / 2, true);
//! let parts = (0..partition.parts()).map(|part| partition.part(part)).collect();
//! let solved = Solver::new().run(0, || Halves { game: &game, partition, parts })?;
//! assert_eq!(solved.engine.parts[1].value(99), Some(Value::Win(99)));
//! # Ok::<(), SolveError>(())
//! ```

mod part;
mod parted;
mod partition;

pub use parted::Parted;
pub use partition::Partition;

pub use crate::scalar::{Outboxes, Part, UpdateSink};
pub use crate::solve::course::{Engine, Kind, Solved, Sums, Watch};
pub use crate::solve::histogram::Tally;
pub use crate::solve::pending::{Day, Event, PendingEvents};
pub use crate::solve::solver::Choices;
