//! Turns arguments into a solved game: by the name of a game, from a table, or from the tables of a folder.

pub(crate) mod begun;
pub(crate) mod checkpoint;
pub(crate) mod cost;
pub(crate) mod disk;
pub(crate) mod engine;
pub(crate) mod family;
mod forecast;
pub(crate) mod game_source;
pub(crate) mod misnamed;
pub(crate) mod options;
pub(crate) mod parameters;
pub(crate) mod ranks;
pub(crate) mod save;
pub(crate) mod subject;
pub(crate) mod tables;
pub(crate) mod target;
pub(crate) mod text;
pub(crate) mod wrong;
