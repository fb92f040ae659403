//! `retrograde verify --checksums`: whether every byte of a table is as it was written.

use retrograde_table::Table;

use crate::report::format::Printer;
use crate::report::sound::Checked;
use crate::source::subject::Subject;
use crate::source::wrong::wrong_table;
use crate::term::failure::Failure;
use crate::term::quiet::Quiet;

/// Checks and prints.
pub(crate) fn check(
    mut subject: Subject,
    quiet: Quiet,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    if let Some(mills) = subject.whole_mills()? {
        return mills.check(quiet, printer);
    }
    if let Some(endgames) = subject.whole_endgames()? {
        return endgames.check(quiet, printer);
    }
    for path in subject.tables("it is solved and checked without --checksums")? {
        let table = Table::open(&path).map_err(wrong_table)?;
        let watched = quiet.doing(format!("checking {}", path.display()));
        table.check().map_err(wrong_table)?;
        drop(watched);
        printer.print(&Checked::of(&table))?;
    }
    Ok(())
}
