//! All games of the program by name, behind one trait.
//!
//! The rules of a game and the solver compile into one loop, which takes long and makes much code. So this
//! crate compiles them once for each game. [`game`] puts a game behind the trait [`CompiledGame`]. Code that
//! probes, lists, draws or reports is compiled once for all games.
//!
//! ```
//! use retrograde::Solver;
//! use retrograde_catalog::{Engine, Known, game};
//! use retrograde_games::Setup;
//!
//! let game = game(&Setup::parse("take", &[("heaps", "3,5"), ("take", "any")], None)?)?;
//! let known = Known::Solution(game.solve(Engine::Scalar, Solver::new())?.into());
//! assert_eq!(game.values(&known)?.probe(game.state("3,5")?)?, Some(retrograde::Value::Win(7)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod compiled;
mod compiled_game;
mod count;
pub mod families;
mod game_oracle;
mod job;
mod memory;
mod pgn;
mod plain;
mod registry;
mod runs;
mod setup;
mod signals;
mod speech;
mod text_family;
mod values;

pub use compiled_game::{CompiledGame, Engine};
pub use count::{by_side, by_side_of};
pub use families::{FAMILIES, family_named, family_of, open_family};
pub use game_oracle::{GameOracle, broken};
pub use job::{Checkpoints, Job, JobDone, JobError, JobPlan, JobReport, Keep, Output, Ranks, Task};
pub use memory::{address_space_left, memory_available, memory_limit, stack_limit};
pub use pgn::{Pgn, numbered, result};
pub use plain::{Plain, plain};
pub use registry::{Registry, SpecObject, registry_object, spec_named, spec_object, specs};
pub use retrograde::{counted, grouped};
pub use retrograde_regions::{
    AnyFamily, Choices, Line, NO_DISTANCES, Oracle, OracleError, Played, Selection, State,
    StateAnswer, States, Style, Worth, gather, word,
};
pub use runs::{First, LONGEST, Lines, Tally, list_run, quoted, tally_run};
pub use setup::{about, from_about, from_json, game, text_report, to_json};
pub use signals::is_signal_ignored;
pub use speech::{nearest, plies, shortened};
pub use text_family::{TEXTS, TextFamily};
pub use values::{Known, Values, ValuesOf};
