//! The judges judge rightly, and the code keeps its rules.

mod imports;
mod judges;
mod names;
mod security;
mod skips;
mod tidy;
mod words;
mod world;
