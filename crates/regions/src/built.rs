//! What a command line says to build the tables of a family, as data, and the building itself.

use std::time::Duration;

use crate::build_error::BuildError;
use crate::builder::Builder;
use crate::plan::{Plan, Rates};
use crate::positions::Positions;

/// A family that can be built by name.
pub trait Built: Positions {
    /// What there is to say.
    const SPEC: Spec;

    /// The family and the regions that arguments mean, or what is wrong with them. `given` has the values of the
    /// [parameters](Spec::parameters) by name.
    fn chosen(
        given: &dyn Fn(&str) -> Option<u32>,
        regions: &[String],
    ) -> Result<(Self, Vec<Self::Region>), String>;

    /// [`Builder::build`]. Override this, [`plan`](Built::plan) and [`measure`](Built::measure) where the engine takes long to
    /// compile, so that it is compiled in the crate of the family, once.
    fn build(
        builder: Builder<'_, Self>,
        targets: &[Self::Region],
    ) -> Result<Plan<Self::Region>, BuildError> {
        builder.build(targets)
    }

    /// [`Builder::plan`].
    fn plan(
        builder: &Builder<'_, Self>,
        targets: &[Self::Region],
    ) -> Result<Plan<Self::Region>, BuildError> {
        builder.plan(targets)
    }

    /// [`Builder::measure`].
    fn measure(
        builder: Builder<'_, Self>,
        plan: &Plan<Self::Region>,
        time: Duration,
    ) -> Result<Rates, BuildError> {
        builder.measure(plan, time)
    }
}

/// What a command line says of a family.
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
    /// The arguments beside the regions.
    pub parameters: &'static [Parameter],
}

/// An argument of a family.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name: `men`.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
    /// Which numbers it takes.
    pub values: Values,
}

/// The numbers that an argument takes.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// Those from the first to the second.
    Range(u32, u32),
    /// These.
    OneOf(&'static [&'static str]),
}
