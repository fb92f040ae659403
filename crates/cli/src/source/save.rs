//! `solve --out`: writes a solution as a table.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use clap::{Args, ValueHint};
use retrograde::{Counts, Histogram, Probe, Solution};
use retrograde_catalog::{CompiledGame, GameOracle, Keep, Output, by_side};
use retrograde_files::{FileError, TempFile, Unfinished, path_problem, sync_folder};
use retrograde_table::{
    About, Compression, InvalidStates, SideCounts, Table, WriteError, Writer, Written,
};

use crate::report::file::FileOf;
use crate::source::game_source::GameSource;
use crate::source::options::Packing;
use crate::term::failure::{Failure, input};
use crate::term::file::{free_or_forced, place};
use crate::term::progress::note;
use crate::term::quiet::Quiet;
use crate::term::stop;

/// Whether and how to write a table.
#[derive(Args)]
#[command(next_help_heading = "Table")]
pub(crate) struct SaveArgs {
    /// Write a table, for probing without solving again
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
    #[command(flatten)]
    packing: Packing,
    /// Replace a file that exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Keep only the states of one side to move; a probe of the other side looks one move ahead
    #[arg(long, requires = "out")]
    half: bool,
}

/// The side to move whose states a half table keeps. It has more moves, so its values would be slower to
/// recover.
const KEPT: u64 = 0;

impl SaveArgs {
    /// Whether to write a table.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.out.is_some()
    }

    /// The requested table, if it exists already and is complete: a solve that continues may have been
    /// stopped after it wrote its table. A table of the same name counts if its header is as expected.
    pub(crate) fn finished(&self, opened: &GameSource, distances: bool) -> Option<Table> {
        let path = self.out.as_ref().filter(|_| !self.force)?;
        let table = Table::open(path).ok()?;
        let (header, about) = (table.header(), opened.about());
        let of_game =
            |about: &About| (about.game.clone(), about.parameters.clone(), about.board.clone());
        let as_asked = of_game(&header.about) == of_game(&about)
            && header.states == opened.game.states()
            && header.distances == distances
            && header.half() == self.half.then_some(KEPT)
            && header.compression == self.packing.compression.to_string();
        // A killed solve may have given it its name a moment ago.
        let is_durable = || sync_folder(path.parent().unwrap_or(Path::new(""))).is_ok();
        (as_asked && table.check().is_ok() && is_durable()).then_some(table)
    }

    /// The table to write, if any. It may not replace a file that the solve reads or keeps, and no other file
    /// without permission.
    pub(crate) fn checked(
        self,
        opened: &GameSource,
        quiet: Quiet,
        in_use: &[PathBuf],
    ) -> Result<Option<Save>, Failure> {
        let SaveArgs { out, packing: Packing { compression }, force, half } = self;
        let Some(path) = out else { return Ok(None) };
        let name = path.display();
        if in_use.iter().any(|used| place(used) == place(&path)) {
            return Err(Failure::Input(format!(
                "{name}: the solve needs this file itself; give --out another name"
            )));
        }
        free_or_forced(&path, force)?;
        Ok(Some(Save { path, compression, force, half, about: opened.about(), quiet }))
    }
}

/// A table to be written.
pub(crate) struct Save {
    path: PathBuf,
    compression: Compression,
    force: bool,
    half: bool,
    about: About,
    quiet: Quiet,
}

impl Save {
    /// A table in a temporary folder, which is removed with the second result.
    pub(crate) fn temporary(
        opened: &GameSource,
        quiet: Quiet,
    ) -> Result<(Save, Unfinished), Failure> {
        let folder = env::temp_dir().join(format!("retrograde-solve-{}", process::id()));
        fs::create_dir(&folder).map_err(|error| {
            let problem = path_problem(&folder, &error);
            Failure::Input(format!("{}: {problem}", folder.display()))
        })?;
        let (path, about) = (folder.join("solved.table"), opened.about());
        let (compression, force, half) = (Compression::Fast, false, false);
        let save = Save { path, compression, force, half, about, quiet };
        Ok((save, Unfinished::folder(folder)))
    }

    /// For a rank that writes nothing.
    pub(crate) fn nowhere(opened: &GameSource, quiet: Quiet) -> Save {
        let (path, about) = (PathBuf::new(), opened.about());
        let (compression, force, half) = (Compression::Fast, false, false);
        Save { path, compression, force, half, about, quiet }
    }

    /// Refuses impossible paths before hours are spent on solving.
    pub(crate) fn prepare(&self, game: &dyn CompiledGame) -> Result<(), Failure> {
        if self.half && (game.facts().turns.row_len().unwrap_or(0) == 0 || game.sides().len() < 2) {
            let game = game.name();
            let advice =
                format!("--half is for games of two unlike players; leave it out for {game}");
            return Err(Failure::Usage(advice));
        }
        TempFile::create(&self.path).map(drop).map_err(|error| unwritten(error.into()))
    }

    /// The options for several ranks, which write the table.
    pub(crate) fn output(&self) -> Output {
        Output {
            path: self.path.clone(),
            replace: self.force,
            compression: self.compression,
            keep: if self.half { Keep::Half } else { Keep::All },
        }
    }

    /// The path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a solution.
    pub(crate) fn write(
        mut self,
        solved: &GameOracle,
        solution: &Solution,
    ) -> Result<Saved, Failure> {
        let (game, values) = (solved.rules(), solved.values().map_err(input)?);
        self.about.positions = game.position_counts(&*values).map_err(input)?.map(Into::into);
        self.write_values(game, by_side(game, solution), solution.histogram(), solution)
    }

    /// Writes values from any source, with the counts of each side.
    pub(crate) fn write_values(
        self,
        game: &dyn CompiledGame,
        counts: Vec<Counts>,
        histogram: &Histogram,
        values: &impl Probe,
    ) -> Result<Saved, Failure> {
        let Save { path, compression, force, half, mut about, quiet } = self;
        let counts = game.sides().iter().zip(counts);
        about.counts = counts.map(|(side, counts)| SideCounts::new(side, counts)).collect();
        let mut writer = Writer::new(about)
            .compression(compression)
            // The header has the rules, so a reader of the table has them too.
            .invalid_states(InvalidStates::Forgotten)
            .histogram(histogram)
            .replace(force);
        // If there is no free cell, a row is empty.
        if let Some(columns) = game.facts().turns.row_len().filter(|columns| *columns > 0) {
            writer = writer.rows(columns, game.sides().len() as u64);
        }
        if half {
            writer = writer.half(KEPT);
        }
        let bar = quiet.bar("written");
        writer = writer.progress(move |progress| {
            if let Some(bar) = &bar {
                bar.show(progress.done, progress.states);
            }
            stop::or_go_on()
        });
        let states = values.states();
        match writer.write(&path, values) {
            Ok(Written { bytes, durable, .. }) => {
                if !durable {
                    note(&format!(
                        "warning: {}: the folder cannot be synced, so a power cut may undo the table",
                        path.display()
                    ));
                }
                Ok(Saved { path, bytes, states, durable, beside: None })
            }
            Err(WriteError::File(FileError::Taken { kept, .. })) => Saved::at(path, kept, states),
            Err(error) => Err(unwritten(error)),
        }
    }
}

/// A table that has been written.
pub(crate) struct Saved {
    path: PathBuf,
    /// How long the file is.
    bytes: u64,
    /// How many states the numbering has.
    states: u64,
    /// Whether it survives a power cut.
    durable: bool,
    /// Why it is not at the requested path, if it is not.
    beside: Option<Failure>,
}

impl Saved {
    /// A table that could not be written to its path, and is elsewhere.
    pub(crate) fn at(path: PathBuf, kept: PathBuf, states: u64) -> Result<Saved, Failure> {
        let found = fs::metadata(&kept);
        let found =
            found.map_err(|error| Failure::Input(format!("{}: {error}", kept.display())))?;
        let beside = (path != kept).then(|| FileError::Taken { path, kept: kept.clone() }.into());
        Ok(Saved {
            path: kept,
            bytes: found.len(),
            states,
            durable: true,
            beside: beside.map(unwritten),
        })
    }

    /// Fails if the table is not at the requested path. Called last, when everything else is done.
    pub(crate) fn end(self) -> Result<(), Failure> {
        self.beside.map_or(Ok(()), Err)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it survives a power cut. If not, what it was solved from must stay.
    pub(crate) fn is_durable(&self) -> bool {
        self.durable
    }

    /// The file.
    pub(crate) fn file(&self) -> FileOf {
        FileOf::new(&self.path, self.bytes, self.states)
    }
}

/// A table that could not be written.
fn unwritten(error: WriteError) -> Failure {
    Failure::Input(error.to_string())
}
