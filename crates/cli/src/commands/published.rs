//! `retrograde verify --published`: checks that chess endgames are the published ones, byte for byte.

use retrograde_regions::Entry;

use crate::report::format::Printer;
use crate::report::sound::PublishedTable;
use crate::source::subject::Subject;
use crate::source::wrong::failed;
use crate::term::failure::{Failure, input};
use crate::term::quiet::Quiet;

/// The endgames of up to five men, and the XXH3 sums of their files: with `--compression standard`, and with `best`. They are those of
/// `benches/record`.
const SUMS: &str = include_str!("published.txt");

/// Compares the tables, and prints a line for each.
pub(crate) fn check(
    mut subject: Subject,
    quiet: Quiet,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let tables = subject.whole_tables()?.filter(|tables| tables.oracle.game() == "chess");
    let tables = tables.ok_or_else(|| {
        let what = "only chess endgames are published: name a folder of `retrograde build chess`";
        Failure::Usage(what.into())
    })?;
    for region in tables.regions() {
        let Some(table) = tables.oracle.table(&region).map_err(failed)? else { continue };
        let sums = sums_of(&region).ok_or_else(|| {
            Failure::Input(format!(
                "{region} is not among the published tables, which have up to five men and one \
                 side kept; `retrograde verify` checks its values"
            ))
        })?;
        let watched = quiet.doing(format!("{region} reading"));
        let found = Entry::of_file(table.path(), table.states()).map_err(input)?;
        drop(watched);
        if !sums.contains(&&*found.checksum) {
            return Err(Failure::Wrong(format!(
                "{}: this is not the published table of {region}: its checksum is {}, not {} or {}. \
                 Another version or other options may have written it; `retrograde verify` checks \
                 its values",
                table.path().display(),
                found.checksum,
                sums[0],
                sums[1]
            )));
        }
        printer.print(&PublishedTable::of(table.path(), found.checksum))?;
    }
    Ok(())
}

fn sums_of(region: &str) -> Option<[&'static str; 2]> {
    SUMS.lines().find_map(|line| {
        let mut words = line.split(' ');
        (words.next()? == region).then_some(())?;
        Some([words.next()?, words.next()?])
    })
}
