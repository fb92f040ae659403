//! `retrograde verify FOLDER` of endgame tables.

use retrograde_chess::TablebaseError;

use crate::report::format::Printer;
use crate::report::sound::Checked;
use crate::source::endgames::Endgames;
use crate::source::engine::EngineArgs;
use crate::source::wrong::wrong_region;
use crate::term::failure::{Failure, input};
use crate::term::quiet::Quiet;

impl Endgames {
    /// Checks that every value of the tables meant, follows from those one move on.
    pub(crate) fn verify(
        &self,
        engine: &EngineArgs,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        for material in self.materials() {
            let name = material.to_string();
            let region = self.region(&material, &name)?;
            let verifier = engine.verifier_of(&region);
            let verified = self.tables.verify_with(&material, verifier).map_err(wrong)?;
            region.say_verified(verified, printer)?;
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
    pub(crate) fn check(&self, quiet: Quiet, printer: &mut Printer<'_>) -> Result<(), Failure> {
        for material in self.materials() {
            let watched = quiet.doing(format!("{material} checking"));
            self.tables.check(&material).map_err(wrong)?;
            drop(watched);
            printer.print(&Checked::of(self.tables.opened(&material).map_err(input)?.table()))?;
        }
        Ok(())
    }
}

fn wrong(error: TablebaseError) -> Failure {
    match error {
        TablebaseError::Region(error) => wrong_region(&error),
        error => input(error),
    }
}
