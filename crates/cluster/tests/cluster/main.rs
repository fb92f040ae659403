//! A solve on several ranks gives the solution of one rank. The naive solver judges it. The ranks are threads here; the tests
//! of `mpi` have ranks that are processes.

mod exits;
mod faults;
mod jobs;
mod regions;
mod solves;
