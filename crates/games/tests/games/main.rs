//! Compares the games with a second copy of their rules, with theorems and with expected files. Also tests what the
//! readers refuse.

use catalog_for_tests as _;

mod examples;
mod judged;
mod laws;
mod naive;
mod readers;
mod registered;
mod theorems;
mod ways;
mod words;
