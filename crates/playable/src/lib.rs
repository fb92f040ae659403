//! The games of the program by name, and one trait to ask any of them by.
//!
//! Where moves are made, rules and engine must compile into one loop: an engine is compiled for each game, which
//! takes long and makes much code. So that happens here and nowhere else, once for each game, behind
//! [`Playable`]: whoever asks, lists, draws or reports compiles once for all games, and not again when a game
//! changes.
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
mod compiled;
mod count;
mod games;
mod memory;
mod playable;
mod recipe;
mod stuck;
mod values;

pub use answer::{Answer, Choice, Worth, ask, word};
pub use compiled::Compiled;
pub use count::by_mover;
pub use memory::{address_space_left, memory_available, memory_limit};
pub use playable::{Engine, Playable, Remark, Rules};
pub use recipe::{Name, Parameters, PieceArg, Recipe, RecipeError, Source, Taker, TakesArg};
pub use values::{Known, Values, ValuesOf};
