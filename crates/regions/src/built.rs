//! The arguments that choose the regions of a family, as data, and the build.

use std::time::Duration;

use retrograde::checks::{Verified, Verifier};
use serde_json::Value as Json;

use crate::build_error::BuildError;
use crate::builder::Builder;
use crate::family::Family;
use crate::plan::{Plan, Rates};
use crate::tablebase::{Tablebase, TablebaseError};
use crate::texts::FamilyTexts;

/// A family that a program can build by its name.
pub trait Built: FamilyTexts {
    /// The texts and the arguments of the family.
    const SPEC: Spec;

    /// The family and the regions that arguments choose. The error says what is wrong with the arguments. `given`
    /// has the values of the [parameters](Spec::parameters) by name.
    fn chosen(
        given: &dyn Fn(&str) -> Option<u32>,
        regions: &[String],
    ) -> Result<(Self, Vec<<Self as Family>::Region>), String>;

    /// The answer about a position in JSON, if the game has a form of its own.
    fn object(
        tables: &Tablebase<Self>,
        position: &Self::Position,
    ) -> Option<Result<Json, TablebaseError>> {
        let _ = (tables, position);
        None
    }

    /// Calls [`Builder::build`]. This method and those below take long to compile. To compile them once, in the
    /// crate of the family, override them by [`compiled_here!`](crate::compiled_here).
    fn build(
        builder: Builder<'_, Self>,
        targets: &[<Self as Family>::Region],
    ) -> Result<Plan<<Self as Family>::Region>, BuildError> {
        builder.build(targets)
    }

    /// Calls [`Builder::plan`].
    fn plan(
        builder: &Builder<'_, Self>,
        targets: &[<Self as Family>::Region],
    ) -> Result<Plan<<Self as Family>::Region>, BuildError> {
        builder.plan(targets)
    }

    /// Calls [`Builder::measure`].
    fn measure(
        builder: Builder<'_, Self>,
        plan: &Plan<<Self as Family>::Region>,
        time: Duration,
    ) -> Result<Rates, BuildError> {
        builder.measure(plan, time)
    }

    /// Calls [`Builder::repack`].
    fn repack(
        builder: Builder<'_, Self>,
        regions: &[<Self as Family>::Region],
    ) -> Result<(), BuildError> {
        builder.repack(regions)
    }

    /// Calls [`Tablebase::verify_with`].
    fn verify_table(
        tables: &Tablebase<Self>,
        region: &<Self as Family>::Region,
        verifier: Verifier<'_>,
    ) -> Result<Verified, TablebaseError> {
        tables.verify_with(region, verifier)
    }
}

/// Overrides the methods of [`Built`] that take long to compile. Each does the same as before. Write this macro in the
/// `impl` of a family. Then the compiler makes these methods in the crate of the family, and in no other crate.
#[macro_export]
macro_rules! compiled_here {
    () => {
        fn build(
            builder: $crate::Builder<'_, Self>,
            targets: &[<Self as $crate::Family>::Region],
        ) -> Result<$crate::Plan<<Self as $crate::Family>::Region>, $crate::BuildError> {
            builder.build(targets)
        }

        fn plan(
            builder: &$crate::Builder<'_, Self>,
            targets: &[<Self as $crate::Family>::Region],
        ) -> Result<$crate::Plan<<Self as $crate::Family>::Region>, $crate::BuildError> {
            builder.plan(targets)
        }

        fn measure(
            builder: $crate::Builder<'_, Self>,
            plan: &$crate::Plan<<Self as $crate::Family>::Region>,
            time: std::time::Duration,
        ) -> Result<$crate::Rates, $crate::BuildError> {
            builder.measure(plan, time)
        }

        fn repack(
            builder: $crate::Builder<'_, Self>,
            regions: &[<Self as $crate::Family>::Region],
        ) -> Result<(), $crate::BuildError> {
            builder.repack(regions)
        }

        fn verify_table(
            tables: &$crate::Tablebase<Self>,
            region: &<Self as $crate::Family>::Region,
            verifier: $crate::Verifier<'_>,
        ) -> Result<$crate::Verified, $crate::TablebaseError> {
            tables.verify_with(region, verifier)
        }
    };
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
