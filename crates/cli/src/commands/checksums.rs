//! `retrograde verify --checksums`: checks that every byte of a table is as it was written.

use retrograde_table::Table;

use crate::report::format::Printer;
use crate::report::sound::Checked;
use crate::source::subject::Subject;
use crate::source::wrong::{failed, found, wrong_table};
use crate::term::failure::Failure;
use crate::term::quiet::Quiet;

/// Checks the tables, and prints a line for each.
pub(crate) fn check(
    mut subject: Subject,
    quiet: Quiet,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    if let Some(tables) = subject.whole_tables()? {
        for region in tables.regions() {
            let watched = quiet.doing(format!("{region} checking"));
            tables.oracle.check(&region).map_err(found)?;
            drop(watched);
            let table = tables.oracle.table(&region).map_err(failed)?;
            table.map_or(Ok(()), |table| printer.print(&Checked::of(table)))?;
        }
        return Ok(());
    }
    for path in subject.tables("; without --checksums, a game is solved and checked")? {
        let table = Table::open(&path).map_err(wrong_table)?;
        let watched = quiet.doing(format!("checking {}", path.display()));
        table.check().map_err(wrong_table)?;
        drop(watched);
        printer.print(&Checked::of(&table))?;
    }
    Ok(())
}
