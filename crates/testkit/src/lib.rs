//! The naive solver and random games that judge the engine. Only ever a dev-dependency.
#![forbid(unsafe_code)]
