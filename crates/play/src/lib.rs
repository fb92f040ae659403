//! Play against a solved game: against a perfect opponent, or against one that makes a random move now and then.
//!
//! A [`Session`] is one game after another between two players. [`play_lines`] and [`play_screen`] are two ways to talk
//! to it. `field` turns an [`Oracle`](retrograde_catalog::Oracle) into positions with boards and moves.
#![forbid(unsafe_code)]

mod error;
mod field;
#[cfg(unix)]
mod frame;
mod game;
#[cfg(unix)]
mod layout;
mod lines;
#[cfg(all(test, unix))]
mod noise;
mod order;
mod paint;
mod player;
#[cfg(unix)]
mod pointer;
mod record;
#[cfg(unix)]
mod screen;
mod session;
#[cfg(unix)]
mod terminal;

pub use error::PlayError;
pub use field::Field;
pub use lines::{Draw, Source, play as play_lines};
pub use player::Player;
#[cfg(unix)]
pub use screen::play as play_screen;
pub use session::Session;
#[cfg(unix)]
pub use terminal::StopSignal;
