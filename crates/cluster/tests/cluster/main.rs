//! A solve on several processes gives the solution of one process. The naive solver judges it: over messages that are
//! late and out of order, over timely's network, and with real processes.

mod exits;
mod faults;
mod late;
mod processes;
mod regions;
mod solves;
mod strangers;
