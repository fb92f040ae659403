//! The options that mean the same wherever they stand. Each is declared once, here, so that it has one name, one
//! form and one help in all commands.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use retrograde_catalog::{address_space_left, memory_available, memory_limit};
use retrograde_table::{Compression, Drafted};

use crate::failure::Failure;
use crate::number::Size;
use crate::outlet::outlet;
use crate::progress::note;
use crate::save::place;
use crate::stop;

/// The version of the shapes in docs/json.md, which every object begins with.
pub(crate) const FORMAT: u32 = 2;

/// An object that does not say of which version its shape is, with that said.
pub(crate) fn versioned(object: String) -> String {
    format!("{{\"format\":{FORMAT},{}", object.strip_prefix('{').unwrap_or(&object))
}

/// How many threads to work on.
#[derive(Args, Clone, Copy)]
pub(crate) struct Threads {
    /// How many threads to use, up to 1024 [default: all; one for a small game]
    #[arg(long, value_name = "N", help_heading = "Engine",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// Starts as many threads as are asked for. Everything parallel runs on them.
    pub(crate) fn start(self) -> Result<(), Failure> {
        let threads = self.count();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        pool.map_err(|error| Failure::Input(threads_refused(threads, &error)))
    }

    /// How many there are to be, for whoever starts them by itself.
    pub(crate) fn count(self) -> usize {
        let all = || available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// How many threads a solve runs on: those asked for, or as many as such a game has work for.
    pub(crate) fn for_states(self, states: u64) -> usize {
        /// Fewer are solved sooner than threads have spoken to each other.
        const STATES_A_THREAD: u64 = 1 << 18;
        let started = rayon::current_num_threads();
        match self.threads {
            Some(_) => started,
            None => (states / STATES_A_THREAD).clamp(1, started as u64) as usize,
        }
    }
}

/// What is said of threads that the system refuses to start.
pub(crate) fn threads_refused(threads: usize, error: &dyn Display) -> String {
    let threads = if threads == 1 { "a thread".to_owned() } else { format!("{threads} threads") };
    format!(
        "the system refuses to start {threads} ({error}); --threads N starts fewer, and `ulimit -v` and \
         `ulimit -u` say what limits them"
    )
}

/// How much memory may be taken.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct Memory {
    /// How much memory it may take, like 8GiB [default: what is available]
    #[arg(long, value_name = "SIZE", help_heading = "Engine")]
    memory: Option<Size>,
}

impl Memory {
    /// The bytes asked for.
    pub(crate) fn asked(self) -> Option<u64> {
        self.memory.map(|size| size.bytes)
    }

    /// The bytes that may be taken: those asked for, or what is available, as far as that is known.
    pub(crate) fn limit(self) -> Option<u64> {
        memory_limit(self.asked())
    }

    /// Refuses to read a game that takes more memory than there may be taken.
    pub(crate) fn allow_reading(self, bytes: u64) -> Result<(), Failure> {
        let Some(limit) = self.limit().filter(|&limit| bytes > limit) else { return Ok(()) };
        let whose = self.whose_limit(limit);
        let (needed, limit) = (Size { bytes }, Size { bytes: limit });
        Err(Failure::Input(format!(
            "to read this graph takes about {needed} of memory and {whose} {limit}; --memory SIZE tries in as much as that"
        )))
    }

    /// Who sets this limit, in words that the limit follows.
    pub(crate) fn whose_limit(self, limit: u64) -> &'static str {
        let asked = self.asked().is_some_and(|asked| asked <= limit);
        let caged = address_space_left() < memory_available();
        match (asked, address_space_left().is_some() && caged) {
            (true, _) => "--memory allows",
            (false, true) => "the limit on this process (`ulimit -v`) leaves",
            (false, false) => "there are",
        }
    }
}

/// Whether to keep still.
#[derive(Args, Clone, Copy)]
pub(crate) struct Quiet {
    /// No progress and no notes on standard error
    #[arg(long, short)]
    quiet: bool,
}

impl Quiet {
    /// Says something beside the results, unless it is to keep still.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            note(text);
        }
    }

    /// Whether somebody sits in front of a terminal and wants to be told how far it is.
    pub(crate) fn is_watched(self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }
}

/// How a table is packed.
#[derive(Args, Clone, Copy)]
pub(crate) struct Packing {
    /// How hard tables are packed
    #[arg(long, value_name = "HOW", default_value = "standard", help_heading = "Table",
        requires = "out", value_parser = compressions())]
    pub(crate) compression: Compression,
}

fn compressions() -> impl TypedValueParser<Value = Compression> {
    let values = [
        ("none", "not at all"),
        ("fast", "for tables that are soon written again"),
        ("standard", "for most"),
        ("best", "a tenth smaller or more, at twenty times the work"),
    ];
    let values = values.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Compression>())
}

/// Whether a program reads the results.
#[derive(Args, Clone, Copy)]
pub(crate) struct Json {
    /// Print JSON, an object a line, in the shapes of docs/json.md
    #[arg(long)]
    pub(crate) json: bool,
}

/// A file for results that would go to standard output.
#[derive(Args)]
pub(crate) struct ToFile {
    /// Write to this file instead of standard output; it appears whole or not at all
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
    /// Write over a file that is there already
    #[arg(long, requires = "out")]
    force: bool,
}

impl ToFile {
    /// Lets the results be written to where they are asked for.
    pub(crate) fn write(
        self,
        out: &mut dyn Write,
        read: Option<&Path>,
        results: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.free(read)?;
        let Some(path) = self.out else { return results(out) };
        let fault = |error: &dyn Display| Failure::Input(error.to_string());
        stop::gently();
        let mut file = Stoppable(Drafted::create(&path).map_err(|error| fault(&error))?);
        let mut buffer = outlet(&mut file, false);
        let written = results(&mut buffer);
        let flushed = buffer.flush();
        buffer.forget();
        let draft = file.0.end().map_err(|error| fault(&error))?;
        written?;
        flushed?;
        let published = if self.force { draft.publish() } else { draft.publish_new() };
        published.map_err(|error| fault(&error))
    }

    /// Refuses a file that may not be written, or that is read itself; known before the work begins.
    pub(crate) fn free(&self, read: Option<&Path>) -> Result<(), Failure> {
        let Some(path) = &self.out else { return Ok(()) };
        if read.is_some_and(|read| place(read) == place(path)) {
            return Err(Failure::Input(format!(
                "{}: the command needs this file itself; give --out another name",
                path.display()
            )));
        }
        free_or_forced(path, self.force)
    }

    /// The file, where one is named.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// Whether results go to standard output.
    pub(crate) fn is_standard(&self) -> bool {
        self.out.is_none()
    }

    /// Whether results go to a terminal.
    pub(crate) fn is_seen(&self) -> bool {
        self.out.is_none() && io::stdout().is_terminal()
    }
}

/// A file that takes nothing more once a signal asks to stop.
struct Stoppable(Drafted);

impl Write for Stoppable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match stop::is_asked() {
            true => Err(io::Error::other("a signal asks to stop")),
            false => self.0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Refuses to write over a file, unless that is asked for.
pub(crate) fn free_or_forced(path: &Path, force: bool) -> Result<(), Failure> {
    let name = path.display();
    if path.is_dir() {
        return Err(Failure::Input(format!("{name}: this is a folder; name a file in it")));
    }
    match !force && path.exists() {
        true => Err(Failure::Input(format!(
            "{name}: there is a file of this name; --force writes over it"
        ))),
        false => Ok(()),
    }
}
