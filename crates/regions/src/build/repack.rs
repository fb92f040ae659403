//! Writes the tables of a folder again, from their own values.

use std::ops::ControlFlow;

use retrograde::Histogram;
use retrograde_files::Leases;
use retrograde_table::{
    About, BestExits, Exits, Folder, InvalidStates, Rows, Table, WithRules, Writer, container,
};

use crate::build::build_error::BuildError;
use crate::build::builder::Builder;
use crate::build::order::in_order;
use crate::build::running::open;
use crate::build::setup::{Event, Setup};
use crate::error::{Cause, RegionError};
use crate::manifest::{Entry, Manifest};
use crate::solved;

impl Builder<'_> {
    /// Writes these tables of a folder, and those that they need, as a build with the same options would
    /// write them: in the current format, with the compression and the sides of the options. Solves nothing,
    /// and keeps or leaves out distances as before. Give it all tables of the folder. If it stops, the same
    /// call continues.
    pub fn repack(self, regions: &[impl ToString]) -> Result<(), BuildError> {
        let regions = self.names(regions)?;
        self.repack_named(&regions)
    }

    fn repack_named(self, regions: &[String]) -> Result<(), BuildError> {
        let Builder { setup, mut progress } = self;
        let folder = &setup.folder;
        let regions = in_order(setup.family, regions);
        let leases = Leases::new(folder, "repack", setup.lease_interval);
        let held = regions.iter().map(|region| setup.lease(&leases, region));
        let _held = held.collect::<Result<Vec<_>, _>>()?;
        let Some(mut manifest) = Manifest::read(folder)? else {
            let first = regions.first().expect("there is something to write");
            let cause = Cause::Missing { folder: folder.clone() };
            return Err(RegionError::new(setup.family, first, folder, cause).into());
        };
        for region in regions {
            // Open the tables only for this region, because open tables hold values from the tables of other
            // regions.
            let opened = Folder::new(folder);
            let table = open(setup.family, &opened, &region)?;
            let path = setup.file(&region);
            let begun = std::time::Instant::now();
            let failed = |cause| RegionError::new(setup.family, &region, folder, cause);
            let entry = || {
                let entry = Entry::of_file(&path, table.states());
                entry.map_err(|error| failed(error.into()))
            };
            let found = entry()?;
            let noted = manifest.regions.get(&region);
            let noted = noted.is_some_and(|noted| noted.same_file(&found));
            if !noted {
                // The last run may have written this table, and stopped before it recorded the table. Or it
                // is another file.
                let whole = setup.has_written(&table) && table.check().is_ok();
                whole.then_some(()).ok_or_else(|| failed(Cause::Changed { path: path.clone() }))?;
            }
            let tell = &mut |event: Event<'_>| progress(event);
            let entry = if setup.has_written(&table) {
                found
            } else {
                write_anew(&setup, &opened, &region, &table, tell)?;
                entry()?
            };
            let needs = setup.family.needs(&region).into_iter().filter_map(|need| {
                let checksum = manifest.regions.get(&need)?.checksum.clone();
                Some((need, checksum))
            });
            let entry = Entry { needs: needs.collect(), ..entry };
            manifest.note(folder, &region, entry.clone())?;
            if tell(Event::Finished(&region, &entry, begun.elapsed())).is_break() {
                return Err(BuildError::Cancelled);
            }
        }
        manifest.compression = setup.compression.to_string();
        manifest.both_sides = setup.both_sides;
        manifest.write(folder)?;
        Ok(())
    }
}

impl Setup<'_> {
    /// Whether a table already has the requested form.
    fn has_written(&self, table: &Table) -> bool {
        let header = table.header();
        let leaves_out = !self.both_sides && header.rows().all(|rows| rows.sides > 1);
        table.version() == container::VERSION
            && header.compression == self.compression.to_string()
            && header.half().is_some() == leaves_out
            && (header.exits == Exits::Forgotten) == leaves_out
    }

    /// The writer of a table with the options of the build.
    pub(crate) fn writer<'a>(
        &self,
        about: About,
        rows: Vec<Rows>,
        exits: &'a dyn BestExits,
    ) -> Writer<'a> {
        let writer = Writer::new(about)
            .grids(rows)
            .compression(self.compression)
            .invalid_states(InvalidStates::Forgotten);
        if self.both_sides { writer } else { writer.leave_out(exits) }
    }
}

fn write_anew(
    setup: &Setup<'_>,
    opened: &Folder,
    region: &str,
    table: &Table,
    tell: &mut (dyn FnMut(Event<'_>) -> ControlFlow<()> + Send),
) -> Result<(), BuildError> {
    let (family, folder) = (setup.family, &setup.folder);
    let failed = |error| RegionError::new(family, region, folder, error);
    let needs = family.needs(region);
    let open = |need: &String| open(family, opened, need);
    let tables = needs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let levels = table.levels().map_err(failed)?;
    let histogram: Histogram = levels.into_iter().collect();
    // In memory a state of most tables takes a byte.
    let unpacked: u64 = tables.iter().map(|table| table.states()).sum();
    let loads = unpacked + table.states() < setup.memory_max / 2;
    let load = loads.then_some(setup.memory_max);
    let done = solved::with_solved(&tables, load, |solved, failure| {
        let game = family.game(region, solved);
        let exits = game.exits(table.path(), failure);
        let loaded = table.load_by(Some(&*exits), setup.memory_max).map_err(failed)?;
        let rules = game.rules();
        let values = WithRules::new(&rules, &loaded).map_err(failed)?.as_stored();
        setup
            .writer(table.header().about.clone(), game.grids(), &*exits)
            .histogram(&histogram)
            .progress(|progress| tell(Event::Writing(region, progress.done, progress.states)))
            .write(table.path(), &values)
            .map_err(BuildError::from)
    });
    let written = done.map_err(|(number, error)| {
        BuildError::from(RegionError::new(family, &needs[number], folder, error))
    })?;
    written.map(drop)
}
