//! The games against their rules written a second time, against theorems and against expected files; and what the readers refuse.

mod examples;
mod judged;
mod laws;
mod naive;
mod readers;
mod registered;
mod theorems;
mod ways;
mod words;
