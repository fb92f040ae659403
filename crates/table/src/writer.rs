//! Writes a table.
//!
//! The writer asks for values block by block, so there is never a second copy of all of them. Memory holds a
//! few blocks for each thread.

use std::ops::ControlFlow;
use std::path::Path;

use retrograde::{Histogram, Level, Probe, Progress};
use retrograde_files::Durable;

use crate::compression::Compression;
use crate::container::{self, Contents, Kind};
use crate::error::WriteError;
use crate::exits::BestExits;
use crate::header::{About, Exits, GridHeader, Header, InvalidStates, PLIES};
use crate::layout::{ALL, Grid, Layout, Rows};
use crate::pack::{Local, PackTiles, Packing, Tile};
use crate::shape;

/// Options for writing a table.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use retrograde::{Game, Predecessors, Status, Value};
/// # struct Stones(u64);
/// # impl Game for Stones {
/// #     fn states(&self) -> u64 { self.0 + 1 }
/// #     fn status(&self, _: u64) -> Status { Status::Open }
/// #     fn successors(&self, stones: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
/// #         (1..=3.min(stones)).map(|take| stones - take).try_for_each(visit)
/// #     }
/// # }
/// # impl Predecessors for Stones {
/// #     fn predecessors(&self, stones: u64, visit: impl FnMut(u64)) {
/// #         (1..=3).map(|take| stones + take).filter(|&from| from <= self.0).for_each(visit);
/// #     }
/// # }
/// use retrograde_table::{About, Compression, Table, Writer};
///
/// # let folder = std::env::temp_dir().join(format!("retrograde-writer-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("stones.table");
/// let solution = retrograde::solve(&Stones(1000));
/// let about = About { game: "stones".into(), ..About::default() };
/// Writer::new(about)
///     .compression(Compression::Best)
///     .histogram(solution.histogram())
///     .write(&path, &solution)?;
/// assert_eq!(Table::open(&path)?.probe(12)?, Some(Value::Loss(6)));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Writer<'a> {
    about: About,
    compression: Compression,
    invalid_states: InvalidStates,
    rows: Vec<Rows>,
    half: Option<u64>,
    exits: Option<&'a dyn BestExits>,
    leave_out: Option<&'a dyn BestExits>,
    histogram: Option<&'a Histogram>,
    replace: bool,
    progress: Box<Tell<'a>>,
}

/// A callback for progress, over the states that the table will keep.
type Tell<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// The result of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The length of the file.
    pub bytes: u64,
    /// How many states it keeps.
    pub states: u64,
    /// How many blocks it has.
    pub blocks: u64,
    /// Whether the system says that the table survives a power cut. If it does not, the table is in its place all the
    /// same.
    pub durable: bool,
}

/// For each side, the writer estimates the size of the table by a quick trial. It tries a side with the compression of
/// the table only if its estimate is at most this factor times the least one.
const SIDE_CLOSE: f64 = 1.5;

impl<'a> Writer<'a> {
    /// A writer for a table of this game. By default, the table keeps all states in the order of their numbers,
    /// marks invalid ones, and has standard compression.
    pub fn new(about: About) -> Writer<'a> {
        Writer {
            about,
            compression: Compression::default(),
            invalid_states: InvalidStates::default(),
            rows: Vec::new(),
            half: None,
            exits: None,
            leave_out: None,
            histogram: None,
            replace: true,
            progress: Box::new(|_| ControlFlow::Continue(())),
        }
    }

    /// Sets the strength of compression.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Writer<'a> {
        self.compression = compression;
        self
    }

    /// Sets whether a reader can tell invalid states from others without the rules.
    #[must_use]
    pub fn invalid_states(mut self, invalid_states: InvalidStates) -> Writer<'a> {
        self.invalid_states = invalid_states;
        self
    }

    /// Says that the states divide into rows of `columns` states. In all states of row `r`, side `r % sides` is to
    /// move. This makes the table smaller and changes no value.
    #[must_use]
    pub fn rows(self, columns: u64, sides: u64) -> Writer<'a> {
        self.grids([Rows { states: ALL, columns, sides }])
    }

    /// Like [`rows`](Writer::rows), but for a numbering whose parts have rows of different lengths. Give all parts in
    /// order.
    #[must_use]
    pub fn grids(mut self, rows: impl IntoIterator<Item = Rows>) -> Writer<'a> {
        self.rows = rows.into_iter().collect();
        self
    }

    /// Keeps only the states in which this side of [`rows`](Writer::rows) is to move. To look up the other states,
    /// use [`WithRules`](crate::WithRules).
    #[must_use]
    pub fn half(mut self, side: u64) -> Writer<'a> {
        self.half = Some(side);
        self
    }

    /// Leaves out values that a reader can find by these exits. If the best move of a state is an exit, the table
    /// may hold any value that is no better. To find the right value, a reader
    /// [recovers](crate::Table::recover_by) it or uses [`WithRules`](crate::WithRules).
    #[must_use]
    pub fn forget_exits(mut self, exits: &'a dyn BestExits) -> Writer<'a> {
        self.exits = Some(exits);
        self
    }

    /// If the [rows](Writer::rows) have several sides, leaves out all values that a reader can find by moves. The
    /// table keeps only the states of one side, the side that takes fewer bytes. It also [leaves out values that
    /// exits give](Writer::forget_exits).
    #[must_use]
    pub fn leave_out(mut self, exits: &'a dyn BestExits) -> Writer<'a> {
        self.leave_out = Some(exits);
        self
    }

    /// Sets the number of states that settle at each distance.
    #[must_use]
    pub fn histogram(mut self, histogram: &'a Histogram) -> Writer<'a> {
        self.histogram = Some(histogram);
        self
    }

    /// Sets whether the table may replace a file of the same name. By default it may. If it may not and there is
    /// such a file, that file stays. Then the new table is complete under another name, and `write` returns
    /// [`FileError::Taken`](retrograde_files::FileError::Taken) with this name.
    #[must_use]
    pub fn replace(mut self, replace: bool) -> Writer<'a> {
        self.replace = replace;
        self
    }

    /// Sets a callback for progress, which the writer calls after each batch of blocks. If it returns `Break`, the writer
    /// stops.
    #[must_use]
    pub fn progress(
        mut self,
        progress: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'a,
    ) -> Writer<'a> {
        self.progress = Box::new(progress);
        self
    }

    /// Writes the table, as a whole or not at all, with the threads of rayon's current pool. The bytes depend
    /// only on the values and the options.
    pub fn write<P: Probe>(
        self,
        path: impl AsRef<Path>,
        values: &P,
    ) -> Result<Written, WriteError> {
        let exits = self.exits.or(self.leave_out);
        self.write_tiles(path.as_ref(), &Local::new(values, exits))
    }

    /// The same, but `tiles` packs the blocks. It has the values, and the same exits as this writer.
    pub fn write_tiles(self, path: &Path, tiles: &dyn PackTiles) -> Result<Written, WriteError> {
        let Writer {
            about,
            compression,
            invalid_states,
            rows,
            half,
            exits,
            leave_out,
            histogram,
            replace,
            ..
        } = self;
        let mut progress = self.progress;
        let states = tiles.states();
        let rows = match rows.is_empty() {
            true => vec![Rows { states, columns: states.max(1), sides: 1 }],
            false => rows,
        };
        let sides = rows.iter().map(|rows| rows.sides).min().unwrap_or(1);
        let leave_out = leave_out.filter(|_| sides > 1);
        let exits = exits.or(leave_out);
        let packing = Packing { compression, invalid_states, leaves_out_exits: exits.is_some() };
        // `half` is the side to keep; `None` means all sides. Returns the few best shapes of blocks for each grid (the
        // states of one `Rows`), and the estimated size of the table in bytes.
        let shapes = |half: Option<u64>| {
            let grid = |&Rows { states: some, columns, sides }: &Rows| Grid {
                states: if some == ALL { states } else { some },
                columns,
                sides,
                half,
                block_rows: 1,
                block_columns: 1,
                first: 0,
            };
            let layout =
                Layout::new(rows.iter().map(grid).collect()).map_err(WriteError::Layout)?;
            if layout.states() != states {
                let problem =
                    format!("the rows have {} states instead of {states}", layout.states());
                return Err(WriteError::Layout(problem));
            }
            let few = |grid: &Grid| shape::best_few(*grid, packing, tiles);
            let few = layout.grids.iter().map(few).collect::<Result<Vec<_>, _>>()?;
            let (shapes, bytes): (Vec<_>, Vec<_>) = few.into_iter().unzip();
            Ok((shapes, bytes.iter().sum::<f64>()))
        };
        let sides: Result<Vec<_>, WriteError> = match leave_out.is_some() {
            true => (0..sides).map(|side| shapes(Some(side))).collect(),
            false => shapes(half).map(|shapes| vec![shapes]),
        };
        let mut sides = sides?;
        let least = sides.iter().map(|(_, bytes)| *bytes).fold(f64::INFINITY, f64::min);
        sides.retain(|(_, bytes)| *bytes <= least * SIDE_CLOSE);
        let choose = |(shapes, _): &(Vec<Vec<Grid>>, f64)| {
            let choose = |shapes: &Vec<Grid>| shape::choose(shapes, packing, tiles);
            let chosen = shapes.iter().map(choose).collect::<Result<Vec<_>, _>>()?;
            let (grids, bytes): (Vec<_>, Vec<_>) = chosen.into_iter().unzip();
            Ok((grids, bytes.iter().sum::<f64>()))
        };
        let chosen = sides.iter().map(choose).collect::<Result<Vec<_>, WriteError>>()?;
        let smallest = chosen.into_iter().min_by(|(_, a), (_, b)| a.total_cmp(b));
        let (grids, _) = smallest.expect("there is a side");
        let layout = Layout::new(grids).map_err(WriteError::Layout)?;
        let levels = || histogram.into_iter().flat_map(Histogram::levels);
        let header = Header {
            about,
            states,
            distances: tiles.has_distances(),
            unit: PLIES.into(),
            longest: levels().last().map(|level| level.distance),
            invalid_states,
            exits: if exits.is_some() { Exits::Forgotten } else { Exits::Kept },
            compression: compression.to_string(),
            grids: layout.grids.iter().map(GridHeader::of).collect(),
        };
        let (blocks, kept) = (layout.blocks(), layout.states_kept());
        let (bytes, durable) = container::write(
            path,
            Contents {
                kind: Kind::TABLE,
                header: &header.to_text(),
                text: &mut levels_text(levels()),
                blocks,
                batch: tiles.batch(),
                pack: &|blocks| {
                    let batch: Vec<Tile> = blocks.map(|block| Tile::of(&layout, block)).collect();
                    tiles.pack(&batch, packing)
                },
                replace,
            },
            |done| {
                let written = (u128::from(kept) * u128::from(done) / u128::from(blocks)) as u64;
                progress(&Progress { level: None, done: written, states: kept })
            },
        )?;
        Ok(Written { bytes, states: kept, blocks, durable: matches!(durable, Durable::Yes) })
    }
}

/// The histogram as JSON, one level a line: distance, wins, losses.
fn levels_text(levels: impl Iterator<Item = Level>) -> impl Iterator<Item = String> {
    let mut between = "";
    let lines = levels.map(move |Level { distance, wins, losses }| {
        format!("{}[{distance},{wins},{losses}]", std::mem::replace(&mut between, ",\n"))
    });
    ["[".into()].into_iter().chain(lines).chain(["]\n".into()])
}
