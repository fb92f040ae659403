//! The reports of a build.

use std::io::Write;

use serde::Serialize;

use crate::report::format::Report;
use crate::term::failure::Failure;
use crate::term::number::{Size, counted, time};

/// The plan of a build.
#[derive(Serialize)]
pub(super) struct PlanOf<'a> {
    pub(super) states: u64,
    pub(super) states_left: u64,
    pub(super) memory_bytes: u64,
    pub(super) memory_bytes_most: u64,
    pub(super) memory_bytes_least: u64,
    pub(super) table_bytes: Option<u64>,
    pub(super) copies_bytes: Option<u64>,
    pub(super) builders: u32,
    pub(super) seconds: Option<f64>,
    pub(super) regions: Vec<PlannedRegion<'a>>,
}

#[derive(Serialize)]
pub(super) struct PlannedRegion<'a> {
    pub(super) region: &'a str,
    pub(super) states: u64,
    pub(super) memory_bytes: u64,
    pub(super) memory_bytes_least: u64,
    pub(super) table_bytes: Option<u64>,
    pub(super) seconds: Option<f64>,
    pub(super) fits: bool,
    pub(super) done: bool,
}

/// The result of a build.
#[derive(Serialize)]
pub(super) struct BuiltOf {
    pub(super) folder: String,
    pub(super) tables: usize,
    /// More than there are tables if the build had to stop at a size.
    #[serde(skip)]
    pub(super) planned: usize,
    pub(super) made: usize,
    pub(super) verified: bool,
    pub(super) seconds: f64,
}

/// A folder that was written again.
#[derive(Serialize)]
pub(super) struct Repacked {
    pub(super) folder: String,
    pub(super) tables: usize,
    pub(super) bytes: u64,
    pub(super) bytes_before: u64,
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
