//! `retrograde verify FOLDER` and `retrograde check FOLDER`, for endgame tables.

use std::io::Write;

use super::endgames::Endgames;
use super::input;
use crate::engine::EngineArgs;
use crate::failure::Failure;
use crate::options::{Json, Quiet};

impl Endgames {
    /// Checks that every value of the tables meant, follows from those one move on.
    pub(crate) fn verify(
        &self,
        json: Json,
        engine: &EngineArgs,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        for material in self.materials() {
            let name = material.to_string();
            let region = self.region(&material, &name)?;
            let verifier = engine.verifier_of(&region);
            let verified = self.tables.verify_with(&material, verifier).map_err(input)?;
            region.say_verified(verified, json, out)?;
        }
        Ok(())
    }

    /// What to do instead of checking the rules, which are the same for every table.
    pub(crate) fn not_audited(&self) -> Failure {
        let meant = match &self.materials()[..] {
            [one] => self.file(one),
            _ => self.tables.path().to_owned(),
        };
        Failure::Usage(format!(
            "the rules of chess need no check here; whether the values follow from them says \
             `retrograde verify {}`",
            meant.display()
        ))
    }

    /// Checks every byte of the tables meant.
    pub(crate) fn check(
        &self,
        json: Json,
        quiet: Quiet,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        for material in self.materials() {
            let watched = quiet.doing(format!("{material} checking"));
            self.tables.check(&material).map_err(input)?;
            drop(watched);
            self.region(&material, &material.to_string())?.say_checked(json, out)?;
        }
        Ok(())
    }
}
