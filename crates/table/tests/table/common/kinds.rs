//! Tables of both kinds for the tests of damage: with all values, and without those that exits tell.

use std::path::Path;
use std::sync::Arc;

use retrograde::Histogram;
use retrograde_games::Board;
use retrograde_table::{About, Compression, Table, TableError, Writer};

use crate::common::twin::{self, Twin};
use crate::common::{Given, Told, better, chase, values};

/// The table of a chase on a board of so many rows.
pub(crate) fn write_chase(path: &Path, rows: u32, compression: Compression) {
    let (chase, columns) = chase(&Board::random(rows, rows, 20, 2, 0, 3).unwrap(), 1);
    let solution = retrograde::solve(&chase);
    Writer::new(About { game: "chase".into(), ..About::default() })
        .compression(compression)
        .rows(columns, 2)
        .histogram(solution.histogram())
        .write(path, &solution)
        .unwrap();
}

/// The same table, or one that leaves out what some exits tell: a third of the values.
pub(crate) fn write_kind(
    path: &Path,
    rows: u32,
    compression: Compression,
    forget_exits: bool,
) -> Option<Arc<Told>> {
    write_chase(path, rows, compression);
    if !forget_exits {
        return None;
    }
    let all = Table::open(path).unwrap();
    let truth = Given { values: values(&all), distances: true };
    let exits = (0..).zip(&truth.values).map(|(at, value)| value.filter(|_| at % 3 == 0));
    let told = Arc::new(Told(exits.collect()));
    let levels: Histogram = all.levels().unwrap().into_iter().collect();
    Writer::new(all.header().about.clone())
        .compression(compression)
        .grids(all.header().rows())
        .histogram(&levels)
        .forget_exits(&*told)
        .write(path, &truth)
        .unwrap();
    Some(told)
}

/// The table, which knows these exits.
pub(crate) fn knowing(
    table: Result<Table, TableError>,
    told: &Option<Arc<Told>>,
) -> Result<Table, TableError> {
    if let (Ok(table), Some(told)) = (&table, told) {
        table.recover_by(Arc::clone(told) as _);
    }
    table
}

/// What a slow reader makes of it.
pub(crate) fn read(bytes: &[u8], told: &Option<Arc<Told>>) -> Twin {
    let mut twin = twin::read(bytes);
    if let Some(told) = told {
        for (value, exit) in twin.values.iter_mut().flatten().zip(&told.0) {
            *value = value.map(|bound| better(bound, *exit, true));
        }
    }
    twin
}
