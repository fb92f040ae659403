//! The reports of a build.

use std::io::Write;

use serde::Serialize;

use crate::report::format::Report;
use crate::term::failure::Failure;
use crate::term::number::{Size, counted, time};

/// The plan of a build.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PlanOf<'a> {
    pub(crate) states: u64,
    pub(crate) states_left: u64,
    pub(crate) memory_bytes: u64,
    pub(crate) memory_bytes_most: u64,
    pub(crate) memory_bytes_least: u64,
    pub(crate) table_bytes: Option<u64>,
    pub(crate) copies_bytes: Option<u64>,
    pub(crate) builders: u32,
    pub(crate) seconds: Option<f64>,
    pub(crate) regions: Vec<PlannedRegion<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PlannedRegion<'a> {
    pub(crate) region: &'a str,
    pub(crate) states: u64,
    pub(crate) memory_bytes: u64,
    pub(crate) memory_bytes_least: u64,
    pub(crate) table_bytes: Option<u64>,
    pub(crate) seconds: Option<f64>,
    pub(crate) fits: bool,
    pub(crate) done: bool,
}

/// The result of a build.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BuiltOf {
    pub(crate) folder: String,
    pub(crate) tables: usize,
    /// More than there are tables if the build had to stop at a size.
    #[serde(skip)]
    pub(crate) planned: usize,
    pub(crate) made: usize,
    pub(crate) verified: bool,
    pub(crate) seconds: f64,
}

/// A folder that was written again.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Repacked {
    pub(crate) folder: String,
    pub(crate) tables: usize,
    pub(crate) bytes: u64,
    pub(crate) bytes_before: u64,
}

impl Report for Repacked {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Repacked { folder, tables, bytes, bytes_before } = self;
        let (now, before) = (Size { bytes: *bytes }, Size { bytes: *bytes_before });
        let tables = counted(*tables, "table");
        Ok(writeln!(out, "OK: {tables} in {folder}, {now} instead of {before}")?)
    }
}

impl Report for BuiltOf {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let BuiltOf { folder, tables, planned, made, verified, seconds } = self;
        let of = if tables == planned { String::new() } else { format!("{tables} of ") };
        let there = if made == tables { String::new() } else { format!(", {made} made now") };
        let planned = counted(*planned, "table");
        let verified = if *verified && *made > 0 { ", verified" } else { "" };
        let time = time(*seconds);
        Ok(writeln!(out, "OK: {of}{planned} in {folder}{there}{verified}, {time}")?)
    }
}
