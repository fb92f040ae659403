//! The games of the program by name, and one trait to ask any of them by.
//!
//! Rules and engine must compile into one loop, so the engines are compiled for each game: that takes long and makes much
//! code. It happens once for each game, here, where the game is put behind [`Playable`]. What asks, lists, draws or reports
//! compiles once for all games.
//!
//! ```
//! use retrograde::Solver;
//! use retrograde_catalog::{Engine, Known, Name, Parameters, Recipe};
//!
//! let parameters = Parameters { heaps: Some(vec![3, 5]), take: Some("any".parse()?), ..Parameters::default() };
//! let game = Recipe::new(Name::Take, parameters, None)?.game()?;
//! let solution = game.solve(Engine::Scalar, Solver::new())?;
//! let values = game.values(Known::Solution(&solution))?;
//! assert_eq!(values.probe(game.parse("3,5")?)?, Some(retrograde::Value::Win(7)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod answer;
mod compiled;
mod count;
mod games;
mod memory;
mod plain;
mod playable;
mod recipe;
mod signals;
mod stuck;
mod values;

pub use answer::{Answer, Choice, Worth, ask, word};
pub use compiled::Compiled;
pub use count::{by_mover, by_mover_of};
pub use memory::{address_space_left, memory_available, memory_limit, stack_limit};
pub use plain::{Plain, plain};
pub use playable::{Banded, Engine, Playable, Remark, Rules};
pub use recipe::{Name, Parameters, PieceArg, Recipe, RecipeError, Source, Taker, TakesArg};
pub use signals::is_signal_ignored;
pub use values::{Known, Values, ValuesOf};
