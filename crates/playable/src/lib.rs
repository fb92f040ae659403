//! The games of the program by name, and one trait to ask any of them by.
//!
//! What is compiled for each game stands behind one trait, [`Playable`], in a crate of its own; here are the recipes by which a
//! game is made, and what is asked of any of them.
//!
//! ```
//! use retrograde::Solver;
//! use retrograde_playable::{Engine, Known, Name, Parameters, Recipe};
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
mod count;
mod memory;
mod plain;
mod recipe;
mod signals;

pub use answer::{Answer, Choice, Worth, ask, word};
pub use count::{by_mover, by_mover_of};
pub use memory::{address_space_left, memory_available, memory_limit, stack_limit};
pub use plain::{Plain, plain};
pub use recipe::{Name, Parameters, PieceArg, Recipe, RecipeError, Source, Taker, TakesArg};
pub use retrograde_compiled::{
    Banded, Compiled, Engine, Known, Playable, Remark, Rules, Values, ValuesOf,
};
pub use signals::is_signal_ignored;
