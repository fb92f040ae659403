//! The arguments that choose the regions of a family, as data, and the build.

use std::time::Duration;

use crate::build_error::BuildError;
use crate::builder::Builder;
use crate::plan::{Plan, Rates};
use crate::positions::Positions;

/// A family that a program can build by its name.
pub trait Built: Positions {
    /// The texts and the arguments of the family.
    const SPEC: Spec;

    /// The family and the regions that arguments choose. The error says what is wrong with the arguments. `given`
    /// has the values of the [parameters](Spec::parameters) by name.
    fn chosen(
        given: &dyn Fn(&str) -> Option<u32>,
        regions: &[String],
    ) -> Result<(Self, Vec<Self::Region>), String>;

    /// Calls [`Builder::build`]. If the engine takes long to compile, override this method, [`plan`](Built::plan)
    /// and [`measure`](Built::measure). Then it compiles once, in the crate of the family.
    fn build(
        builder: Builder<'_, Self>,
        targets: &[Self::Region],
    ) -> Result<Plan<Self::Region>, BuildError> {
        builder.build(targets)
    }

    /// Calls [`Builder::plan`].
    fn plan(
        builder: &Builder<'_, Self>,
        targets: &[Self::Region],
    ) -> Result<Plan<Self::Region>, BuildError> {
        builder.plan(targets)
    }

    /// Calls [`Builder::measure`].
    fn measure(
        builder: Builder<'_, Self>,
        plan: &Plan<Self::Region>,
        time: Duration,
    ) -> Result<Rates, BuildError> {
        builder.measure(plan, time)
    }
}

/// The texts and the arguments of a family, for the command line.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The game in a line.
    pub summary: &'static str,
    /// Its rules or its regions, in a paragraph.
    pub about: &'static str,
    /// Its rules, in a few sentences.
    pub rules: &'static str,
    /// How a region is written.
    pub regions: &'static str,
    /// The arguments besides the regions.
    pub parameters: &'static [Parameter],
}

/// An argument of a family.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name: `men`.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
    /// The values that it accepts.
    pub values: Values,
}

/// The values that an argument accepts.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// The numbers from the first to the second.
    Range(u32, u32),
    /// These texts.
    OneOf(&'static [&'static str]),
}
