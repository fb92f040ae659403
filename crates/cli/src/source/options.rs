//! Options with the same meaning in all commands. Each is declared once here, so it has one name, one form
//! and one help.

use std::fmt::Display;
use std::thread::available_parallelism;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use retrograde_catalog::{address_space_left, memory_available, memory_limit};
use retrograde_games::whole_number;
use retrograde_table::Compression;

use crate::term::failure::Failure;
use crate::term::number::{Size, counted};

/// How many threads to use.
#[derive(Args, Clone, Copy)]
pub(crate) struct Threads {
    /// How many threads to use, up to 1024 [default: all; one for a small game]
    #[arg(long, short = 'j', value_name = "N", help_heading = "Engine",
        value_parser = |text: &str| whole_number::<u16>(text, 1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// Starts the requested number of threads. All parallel code runs on them. Without a number, so many processes share
    /// the processors of this machine.
    pub(crate) fn start(self, processes: usize) -> Result<(), Failure> {
        self.check_room()?;
        let threads = self.beside(processes);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        pool.map_err(|error| Failure::Input(threads_refused(threads, &error)))
    }

    /// Returns an error if a limit leaves no room for the stacks of the threads. The standard library ends the program
    /// if a thread has a stack, but finds no memory to handle signals.
    pub(crate) fn check_room(self) -> Result<(), Failure> {
        const STACK_BYTES: u64 = 2 << 20;
        let threads = self.count();
        match address_space_left() {
            Some(left) if left < threads as u64 * STACK_BYTES => {
                Err(Failure::Input(threads_refused(threads, &"no room for their stacks")))
            }
            _ => Ok(()),
        }
    }

    /// How many each of so many processes has. Without a number, they share the processors of this machine.
    pub(crate) fn beside(self, processes: usize) -> usize {
        self.threads.map_or_else(|| (self.count() / processes).max(1), usize::from)
    }

    /// How many there will be, for callers that start them.
    pub(crate) fn count(self) -> usize {
        let all = || available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// How many threads a solve uses: the requested number, or as many as the game has work for.
    pub(crate) fn for_states(self, states: u64) -> usize {
        /// Below this, one thread is done before several have synchronized.
        const STATES_A_THREAD: u64 = 1 << 18;
        let started = rayon::current_num_threads();
        match self.threads {
            Some(_) => started,
            None => (states / STATES_A_THREAD).clamp(1, started as u64) as usize,
        }
    }
}

/// The error if the system refuses to start threads.
pub(crate) fn threads_refused(threads: usize, error: &dyn Display) -> String {
    let threads = counted(threads, "thread");
    format!(
        "the system refuses to start {threads} ({error}); --threads N starts fewer, and `ulimit -v` and \
         `ulimit -u` say what limits them"
    )
}

/// How much memory the program may use.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct Memory {
    /// How much memory it may take, like 8GiB [default: what is available]
    #[arg(long, value_name = "SIZE", help_heading = "Engine")]
    memory: Option<Size>,
}

impl Memory {
    /// The requested limit.
    pub(crate) fn asked(self) -> Option<u64> {
        self.memory.map(|size| size.bytes)
    }

    /// The limit: as requested, or the free memory, if it is known.
    pub(crate) fn limit(self) -> Option<u64> {
        memory_limit(self.asked())
    }

    /// Refuses work that takes more memory than the limit. `work` names it, such as `reading this graph`.
    pub(crate) fn allow(self, work: &str, bytes: u64) -> Result<(), Failure> {
        let Some(limit) = self.limit().filter(|&limit| bytes > limit) else { return Ok(()) };
        let whose = self.whose_limit(limit);
        let (needed, limit) = (Size { bytes }, Size { bytes: limit });
        Err(Failure::Input(format!(
            "{work} takes about {needed} of memory and {whose} {limit}; --memory SIZE sets another limit"
        )))
    }

    /// The source of this limit, as the beginning of a sentence.
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

/// How to compress a table.
#[derive(Args, Clone, Copy)]
pub(crate) struct Packing {
    /// How strongly to compress tables
    #[arg(long, value_name = "HOW", default_value = "standard", help_heading = "Table",
        requires = "out", value_parser = compressions())]
    pub(crate) compression: Compression,
}

fn compressions() -> impl TypedValueParser<Value = Compression> {
    let values = [
        ("none", "no compression"),
        ("fast", "for temporary tables"),
        ("standard", "for most"),
        ("best", "a tenth to a fifth smaller, at a few times the work"),
    ];
    let values = values.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Compression>())
}
