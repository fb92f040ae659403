//! `retrograde verify FOLDER` and `retrograde check FOLDER`, for endgame tables.

use retrograde::Verified;
use std::io::Write;

use super::endgames::Endgames;
use super::input;
use crate::failure::Failure;
use crate::number::Size;
use crate::verify::all_follow;

impl Endgames {
    /// Checks that every value of the tables meant, or of the one further named, follows from those one move on.
    pub(crate) fn verify(&self, only: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
        let materials = match only {
            Some(name) => vec![name.parse().map_err(input)?],
            None => self.materials(),
        };
        for material in materials {
            let Verified { states, moves } = self.tables.verify(&material).map_err(input)?;
            writeln!(out, "OK: {material}: {}", all_follow(states, moves))?;
            out.flush()?;
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
    pub(crate) fn check(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for material in self.materials() {
            self.tables.check(&material).map_err(input)?;
            let table = self.tables.endings(&material).map_err(input)?.table();
            let size = Size { bytes: table.bytes() };
            writeln!(out, "OK: {material}: {size}, every checksum holds")?;
        }
        Ok(())
    }
}
