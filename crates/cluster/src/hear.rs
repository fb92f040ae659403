//! Who hears the reports of a rank.

use std::ops::ControlFlow;

use retrograde_catalog::JobReport;

/// Who hears the reports of a rank. `Break` asks to stop.
pub type Hear<'h> = &'h (dyn Fn(JobReport) -> ControlFlow<()> + Sync);
