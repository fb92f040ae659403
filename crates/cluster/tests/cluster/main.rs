//! A solve on several processes is the solve on one: the naive solver judges it, over messages that are late and out of
//! order, over timely's own, and by real processes.

mod exits;
mod faults;
mod late;
mod processes;
mod regions;
mod solves;
mod strangers;
