//! Writing a table.
//!
//! The values are asked for block by block, so there is never a second copy of them; what is in memory is a few
//! blocks for each thread.

use std::ops::ControlFlow;
use std::path::Path;

use retrograde::{Histogram, Level, Probe};

use crate::compression::Compression;
use crate::container::{self, Contents, Kind};
use crate::error::WriteError;
use crate::header::{About, GridHeader, Header, PLIES, Voids};
use crate::layout::{Grid, Layout};
use crate::shape;
use crate::source::{Scratch, Source};

/// How a table is to be written.
///
/// ```
/// # use retrograde::{Game, Predecessors, Status, Value};
/// # struct Stones(u64);
/// # impl Game for Stones {
/// #     fn states(&self) -> u64 { self.0 + 1 }
/// #     fn status(&self, _: u64) -> Status { Status::Open }
/// #     fn successors(&self, stones: u64, visit: impl FnMut(u64)) {
/// #         (1..=3.min(stones)).map(|take| stones - take).for_each(visit);
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
    voids: Voids,
    rows: Vec<Rows>,
    half: Option<u64>,
    one_side: bool,
    histogram: Option<&'a Histogram>,
    replace: bool,
    progress: Box<Progress<'a>>,
}

/// Is told how many states are written, and of how many.
type Progress<'a> = dyn FnMut(u64, u64) -> ControlFlow<()> + Send + 'a;

/// In the place of a number of states: as many as there are.
const ALL: u64 = u64::MAX;

/// States of a numbering that follow one another and fall into rows of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// How many states.
    pub states: u64,
    /// How long a row is.
    pub columns: u64,
    /// How many movers take turns from row to row: in row `r`, counted from the first of these states, it is mover
    /// `r % movers`.
    pub movers: u64,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// How long the file is.
    pub bytes: u64,
    /// How many states it keeps.
    pub states: u64,
    /// How many blocks they are in.
    pub blocks: u64,
}

impl<'a> Writer<'a> {
    /// A table of this game: all states, void ones known as such, in plain order, standard compression.
    pub fn new(about: About) -> Writer<'a> {
        Writer {
            about,
            compression: Compression::default(),
            voids: Voids::default(),
            rows: Vec::new(),
            half: None,
            one_side: false,
            histogram: None,
            replace: true,
            progress: Box::new(|_, _| ControlFlow::Continue(())),
        }
    }

    /// How hard the blocks are packed.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Writer<'a> {
        self.compression = compression;
        self
    }

    /// Whether a reader of the table alone can tell void states from others.
    #[must_use]
    pub fn voids(mut self, voids: Voids) -> Writer<'a> {
        self.voids = voids;
        self
    }

    /// The states fall into rows of `columns` states in which one side stays as it is, and in row `r` mover
    /// `r % movers` is to move. It makes the table smaller and changes no answer.
    #[must_use]
    pub fn rows(self, columns: u64, movers: u64) -> Writer<'a> {
        self.grids([Rows { states: ALL, columns, movers }])
    }

    /// The same where parts of the numbering have rows of different lengths: one part after the other.
    #[must_use]
    pub fn grids(mut self, rows: impl IntoIterator<Item = Rows>) -> Writer<'a> {
        self.rows = rows.into_iter().collect();
        self
    }

    /// Keeps only the states in which this mover, one of those of [`rows`](Writer::rows), is to move. The
    /// others are looked up [with the rules](crate::WithRules).
    #[must_use]
    pub fn half(mut self, mover: u64) -> Writer<'a> {
        self.half = Some(mover);
        self
    }

    /// Keeps only the states of one mover, the one whose states pack smaller, where the [rows](Writer::rows) have several movers.
    /// The others are [recovered](crate::Table::recover_by) from these.
    #[must_use]
    pub fn one_side(mut self, one_side: bool) -> Writer<'a> {
        self.one_side = one_side;
        self
    }

    /// How many states settle at each distance, for the table to tell.
    #[must_use]
    pub fn histogram(mut self, histogram: &'a Histogram) -> Writer<'a> {
        self.histogram = Some(histogram);
        self
    }

    /// Whether the table may take the place of a file that has its name: it may unless told. Where it may not, a file that has
    /// the name once the table is written stays, and [`WriteError::Taken`] says where the table is.
    #[must_use]
    pub fn replace(mut self, replace: bool) -> Writer<'a> {
        self.replace = replace;
        self
    }

    /// Calls back after each batch of blocks with the states written and those to write. To break
    /// is to cancel.
    #[must_use]
    pub fn progress(
        mut self,
        progress: impl FnMut(u64, u64) -> ControlFlow<()> + Send + 'a,
    ) -> Writer<'a> {
        self.progress = Box::new(progress);
        self
    }

    /// Writes the table, whole or not at all, with the threads of rayon's current pool. The bytes depend
    /// on the values and on what was asked for, and on nothing else.
    pub fn write<P: Probe>(self, path: &Path, values: &P) -> Result<Written, WriteError> {
        let Writer { about, compression, voids, rows, half, one_side, histogram, replace, .. } =
            self;
        let mut progress = self.progress;
        let states = values.states();
        let rows = match rows.is_empty() {
            true => vec![Rows { states, columns: states.max(1), movers: 1 }],
            false => rows,
        };
        let source = Source { values, forget_voids: voids == Voids::Forgotten };
        // The layout where these states are kept, and about how many bytes they take.
        let laid_out = |half: Option<u64>| {
            let grid = |&Rows { states: some, columns, movers }: &Rows| Grid {
                states: if some == ALL { states } else { some },
                columns,
                movers,
                half,
                block_rows: 1,
                block_columns: 1,
                first: 0,
            };
            let layout =
                Layout::new(rows.iter().map(grid).collect()).map_err(WriteError::Layout)?;
            if layout.states() != states {
                let problem = format!("the rows have {} states, not {states}", layout.states());
                return Err(WriteError::Layout(problem));
            }
            let choose = |grid: &Grid| shape::choose(*grid, compression, &source, path);
            let chosen = layout.grids.iter().map(choose).collect::<Result<Vec<_>, _>>()?;
            let (grids, bytes): (Vec<_>, Vec<_>) = chosen.into_iter().unzip();
            let layout = Layout::new(grids).map_err(WriteError::Layout)?;
            Ok((layout, bytes.iter().sum::<f64>()))
        };
        let movers = rows.iter().map(|rows| rows.movers).min().unwrap_or(1);
        let sides = match one_side && movers > 1 {
            true => (0..movers).map(|mover| laid_out(Some(mover))).collect(),
            false => laid_out(half).map(|laid_out| vec![laid_out]),
        };
        let smallest = sides?.into_iter().min_by(|(_, a), (_, b)| a.total_cmp(b));
        let (layout, _) = smallest.expect("there is a mover");
        let levels = || histogram.into_iter().flat_map(Histogram::levels);
        let header = Header {
            about,
            states,
            distances: values.has_distances(),
            unit: PLIES.into(),
            longest: levels().last().map(|level| level.distance),
            voids,
            compression: compression.to_string(),
            grids: layout.grids.iter().map(GridHeader::of).collect(),
        };
        let (blocks, kept) = (layout.blocks(), layout.states_kept());
        let bytes = container::write(
            path,
            Contents {
                kind: Kind::TABLE,
                header: &header.to_text(),
                text: &mut levels_text(levels()),
                blocks,
                compression,
                replace,
                fill: |scratch: &mut Scratch, block, bytes: &mut Vec<u8>| {
                    source.encode(scratch, layout.runs(block), bytes)
                },
            },
            |done| {
                let written = (u128::from(kept) * u128::from(done) / u128::from(blocks)) as u64;
                progress(written, kept)
            },
        )?;
        Ok(Written { bytes, states: kept, blocks })
    }
}

/// The histogram as JSON, one level a line: its distance, its wins, its losses.
fn levels_text(levels: impl Iterator<Item = Level>) -> impl Iterator<Item = String> {
    let mut between = "";
    let lines = levels.map(move |Level { distance, wins, losses }| {
        format!("{}[{distance},{wins},{losses}]", std::mem::replace(&mut between, ",\n"))
    });
    ["[".into()].into_iter().chain(lines).chain(["]\n".into()])
}
