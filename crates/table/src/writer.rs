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
use crate::header::{About, Header, PLIES, Voids};
use crate::layout::Layout;
use crate::shape;
use crate::source::{Scratch, Source};

/// How a table is to be written.
///
/// ```
/// # use retrograde::{Game, Retrograde, Status, Value};
/// # struct Stones(u64);
/// # impl Game for Stones {
/// #     fn states(&self) -> u64 { self.0 + 1 }
/// #     fn status(&self, _: u64, _: impl FnMut(Value)) -> Status { Status::Open }
/// #     fn successors(&self, stones: u64, visit: impl FnMut(u64)) {
/// #         (1..=3.min(stones)).map(|take| stones - take).for_each(visit);
/// #     }
/// # }
/// # impl Retrograde for Stones {
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
    rows: Option<(u64, u64)>,
    half: Option<u64>,
    histogram: Option<&'a Histogram>,
    replace: bool,
    progress: Box<Progress<'a>>,
}

/// Is told how many states are written, and of how many.
type Progress<'a> = dyn FnMut(u64, u64) -> ControlFlow<()> + Send + 'a;

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
            rows: None,
            half: None,
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
    pub fn rows(mut self, columns: u64, movers: u64) -> Writer<'a> {
        self.rows = Some((columns, movers));
        self
    }

    /// Keeps only the states in which this mover, one of those of [`rows`](Writer::rows), is to move. The
    /// others are looked up [with the rules](crate::WithRules).
    #[must_use]
    pub fn half(mut self, mover: u64) -> Writer<'a> {
        self.half = Some(mover);
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
        let Writer { about, compression, voids, rows, half, histogram, replace, mut progress } =
            self;
        let states = values.states();
        let (columns, movers) = rows.unwrap_or((states.max(1), 1));
        let layout = Layout { states, columns, movers, half, block_rows: 1, block_columns: 1 };
        let layout = layout.checked().map_err(WriteError::Layout)?;
        let source = Source { values, forget_voids: voids == Voids::Forgotten };
        let layout = shape::choose(layout, compression, &source, path)?;
        let levels = || histogram.into_iter().flat_map(Histogram::levels);
        let header = Header {
            about,
            states,
            distances: values.has_distances(),
            unit: PLIES.into(),
            longest: levels().last().map(|level| level.distance),
            voids,
            compression: compression.to_string(),
            columns: layout.columns,
            movers: layout.movers,
            half,
            block_rows: layout.block_rows,
            block_columns: layout.block_columns,
        };
        let (blocks, kept) =
            (layout.blocks(), layout.rows() * layout.columns * layout.movers_kept());
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
                    source.encode(scratch, &layout, block, bytes)
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
