//! `retrograde build`: builds or completes the tables of a family of regions in a folder.

pub(crate) mod report;
mod together;
pub(crate) mod watch;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::{Args, ValueHint};
use retrograde_catalog::{Ranks, Selection};
use retrograde_regions::{BuildError, Builder, Manifest, Plan, Rates};

use self::report::{BuiltOf, PlanOf, PlannedRegion, Repacked};
use self::watch::{News, Watch};
use crate::commands::examples;
use crate::report::format::{FormatArg, Printer};
use crate::source::checkpoint::Every;
use crate::source::disk::with_one_heap;
use crate::source::family::FamilyArgs;
use crate::source::options::{Memory, Packing, Threads, threads_refused};
use crate::source::parameters::shared;
use crate::term::failure::{Failure, input};
use crate::term::number::{Size, counted, grouped};
use crate::term::quiet::Quiet;
use crate::term::stop;

/// Build a game in regions, a table of each in a folder: chess endgames, morris, or the text of a game. Tables that exist are kept
///
/// If a build is stopped, in any way, the same command continues it. To build faster, run the same command several times, on this
/// machine or on others that see the folder: each takes the next region.
#[derive(Args)]
#[command(after_help = examples::BUILD, mut_args = shared)]
pub(crate) struct Build {
    #[command(flatten)]
    of: FamilyArgs,
    /// Only print the plan: states, memory, disk and time. To estimate the time, the program builds some small regions
    /// for two seconds and drops them
    #[arg(long)]
    plan: bool,
    /// With --plan: how long several builders of the same command take, each on a machine like this one
    #[arg(long, value_name = "N", default_value_t = 1, requires = "plan", hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    builders: u32,
    #[command(flatten)]
    packing: Packing,
    /// Keep values without distances: faster, in less memory
    #[arg(long, help_heading = "Engine")]
    no_distance: bool,
    /// Keep the states of both sides to move. The tables are more than twice as large; a lookup for the side that is
    /// otherwise left out takes a tenth of the time
    #[arg(long)]
    both_sides: bool,
    /// Write the tables of the folder again without solving, in the form that this command asks for: for tables of an
    /// older format, or to change the compression or the sides
    #[arg(long, conflicts_with_all = ["plan", "disk", "verify", "no_distance"])]
    repack: bool,
    /// Stop before the tables of the folder take more than this, like 100GB. The smallest are built first; the largest
    /// finished one tells how much the next will take
    #[arg(long, value_name = "SIZE", conflicts_with = "repack")]
    until: Option<Size>,
    /// Prove each solution before it is written: compare every value with the values one move later
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    /// Solve regions that do not fit in memory with their arrays in files of this folder, and continue a stopped solve
    /// from there. The files are removed at the end
    #[arg(long, value_name = "DIR", help_heading = "Engine", value_hint = ValueHint::DirPath)]
    disk: Option<PathBuf>,
    #[command(flatten)]
    quiet: Quiet,
    /// How often to renew the lease of a region, so that no other builder takes it
    #[arg(long, value_name = "TIME", default_value = "5s", hide = true)]
    lease_interval: Every,
    /// How often each of several ranks saves its state, at the end of a level
    #[arg(long, value_name = "TIME", default_value = "60s", hide = true)]
    checkpoint_interval: Every,
}

impl Build {
    /// Only one of several ranks reports.
    pub(crate) fn hush_unless(&mut self, reports: bool) {
        if !reports {
            self.quiet = Quiet::YES;
        }
    }

    /// Prints the plan, or builds and prints the tables.
    pub(crate) fn run(self, ranks: Option<&dyn Ranks>, out: &mut dyn Write) -> Result<(), Failure> {
        if ranks.is_some() && (self.repack || self.disk.is_some()) {
            let option = if self.repack { "--repack" } else { "--disk" };
            let advice = format!("several ranks build in memory: use `retrograde build {option}`");
            return Err(Failure::Usage(advice));
        }
        if ranks.is_some() && self.of.is_text() {
            let advice = "several ranks solve a text at once: use `retrograde-mpi solve`";
            return Err(Failure::Usage(advice.to_owned()));
        }
        if self.disk.is_some() {
            with_one_heap();
        }
        stop::gently();
        let mut printer = self.format.printer(out);
        self.threads.check_room()?;
        let chosen = &self.selection()?;
        if self.repack {
            return self.write_anew(chosen, &mut printer);
        }
        if self.plan && ranks.is_some_and(|ranks| ranks.rank() > 0) {
            return Ok(());
        }
        if self.plan {
            let Some((plan, rates)) = self.plan(chosen)? else { return Ok(()) };
            return printer.either(
                |out| self.write_plan(&plan, &rates, out),
                || Ok(self.object_of_plan(&plan, &rates)),
            );
        }
        match ranks {
            Some(ranks) if ranks.rank() > 0 => {
                self.threads.start(ranks.beside())?;
                together::follow(&self, ranks, chosen.family.name())
            }
            _ => self.build(ranks, chosen, &mut printer),
        }
    }

    /// The requested regions. To repack a folder, all of its regions.
    fn selection(&self) -> Result<Selection, Failure> {
        if !self.repack {
            return self.of.select(self.memory);
        }
        if !self.of.regions.is_empty() {
            let advice = "--repack writes all tables of the folder: leave the regions out";
            return Err(Failure::Usage(advice.to_owned()));
        }
        let chosen = self.of.finished().map_err(input)?;
        if chosen.regions.is_empty() {
            let folder = self.of.out.display();
            return Err(Failure::Input(format!(
                "{folder}: there is no finished table here to repack"
            )));
        }
        Ok(chosen)
    }

    fn builder<'a>(&self, chosen: &'a Selection) -> Builder<'a> {
        let mut builder = Builder::new(&*chosen.family, &self.of.out)
            .threads(self.threads.count())
            .distances(!self.no_distance)
            .compression(self.packing.compression)
            .both_sides(self.both_sides)
            .verify(self.verify)
            .lease_interval(self.lease_interval.time());
        if let Some(bytes) = self.memory.limit() {
            builder = builder.memory_max(bytes);
        }
        if let Some(folder) = &self.disk {
            builder = builder.disk(folder);
        }
        if let Some(size) = self.until {
            builder = builder.tables_max(size.bytes);
        }
        builder
    }

    /// Writes the tables of a folder again.
    fn write_anew(&self, chosen: &Selection, printer: &mut Printer<'_>) -> Result<(), Failure> {
        let read = || Manifest::read(&self.of.out).ok().flatten().map(|found| found.regions);
        let bytes =
            || -> u64 { read().iter().flat_map(|all| all.values()).map(|of| of.bytes).sum() };
        let before = bytes();
        stop::left("stopped; written tables stay, and the same command continues");
        let regions = &chosen.regions;
        match self.builder(chosen).progress(|_| stop::or_go_on()).repack(regions) {
            Ok(()) => {}
            Err(BuildError::Cancelled) if stop::is_asked() => return Ok(()),
            Err(error) => return Err(self.failure(error)),
        }
        let folder = self.of.out.display().to_string();
        let tables = regions.len();
        printer.print(&Repacked { folder, tables, bytes: bytes(), bytes_before: before })
    }

    /// The plan, and the speed that trials have measured. `None` if the user stopped the command.
    fn plan(&self, chosen: &Selection) -> Result<Option<(Plan, Rates)>, Failure> {
        /// How long the trials may build small regions: a plan takes seconds.
        const TRIAL: Duration = Duration::from_secs(2);
        let failure = |error| self.failure(error);
        let trying = self.quiet.doing("trying small regions");
        let plan = self.builder(chosen).plan(&chosen.regions).map_err(failure)?;
        let measured = match plan.states_left() {
            0 => Ok(Rates::default()),
            _ => self.builder(chosen).progress(|_| stop::or_go_on()).measure(&plan, TRIAL),
        };
        drop(trying);
        let rates = measured.map_err(failure)?;
        Ok((!stop::is_asked()).then_some((plan, rates)))
    }

    fn write_plan(&self, plan: &Plan, rates: &Rates, out: &mut dyn Write) -> Result<(), Failure> {
        let mut row = |[region, states, memory, least, disk, time, note]: [&str; 7]| {
            let row = format!(
                "{region:<8} {states:>18} {memory:>11} {least:>11} {disk:>11} {time:>11}  {note}"
            );
            writeln!(out, "{}", row.trim_end())
        };
        let size = |bytes| Size { bytes }.to_string();
        let limit = self.memory.limit().unwrap_or(u64::MAX);
        let fits = plan.fits(limit);
        row(["region", "states", "memory", "at least", "disk", "time", ""])?;
        for (planned, fits) in plan.regions.iter().zip(&fits) {
            let disk = plan.table_bytes_of(planned, rates);
            let done = planned.table_bytes.is_some();
            let time = if done || rates.states == 0 {
                String::new()
            } else {
                hours(planned.time(rates).as_secs_f64())
            };
            row([
                &planned.region,
                &grouped(planned.states),
                &size(planned.memory),
                &size(planned.memory_least),
                &size(disk),
                &time,
                match (done, fits) {
                    (true, _) => "done",
                    (false, true) => "",
                    (false, false) => "does not fit",
                },
            ])?;
        }
        let left = plan.regions.iter().filter(|planned| planned.table_bytes.is_none()).count();
        let states = plan.regions.iter().map(|planned| planned.states).sum();
        writeln!(out, "\nregions    {}, to be built {left}", plan.regions.len())?;
        writeln!(
            out,
            "states     {}, to be solved {}",
            grouped(states),
            grouped(plan.states_left())
        )?;
        let most = plan.memory_most(self.threads.count(), limit);
        writeln!(
            out,
            "memory     about {}; reserved are {} at most, {} at least",
            size(most.used),
            size(most.reserved),
            size(plan.memory_least_most())
        )?;
        let mut left = plan.regions.iter().filter(|planned| planned.table_bytes.is_none());
        if let Some(first) = left.find(|planned| planned.memory_least > limit) {
            let whose = self.whose_limit();
            let (region, limit) = (&first.region, size(limit));
            let then = if self.disk.is_some() { "is solved on disk" } else { "does not fit" };
            writeln!(out, "           {whose} {limit}: {region} {then}")?;
        }
        if fits.contains(&false) {
            let fitting = plan.regions.iter().zip(&fits).filter(|(_, fits)| **fits);
            let fitting: Vec<_> = fitting.map(|(planned, _)| planned).collect();
            let disk = fitting.iter().map(|planned| plan.table_bytes_of(planned, rates)).sum();
            let left = fitting.iter().filter(|planned| planned.table_bytes.is_none());
            let time = left.map(|planned| planned.time(rates).as_secs_f64()).sum();
            let (count, disk, time) = (fitting.len(), size(disk), hours(time));
            let what = format!("{}, with all that they need", counted(count, "region"));
            match rates.states {
                0 => writeln!(out, "fit        {what}")?,
                _ => writeln!(out, "fit        {what}: {disk} of disk, {time}")?,
            }
        }
        if plan.states_left() > 0 && rates.states == 0 {
            return Ok(writeln!(out, "disk, time unknown: no region fits that could be tried")?);
        }
        let (disk, copies) = (plan.table_bytes(rates), self.copies_bytes(plan, rates));
        let meanwhile = match copies {
            0 => String::new(),
            copies => format!("; up to {} more while it builds", size(copies)),
        };
        writeln!(out, "disk       about {}{meanwhile}", size(disk))?;
        let time = |builders| hours(plan.time(rates, builders).as_secs_f64());
        let one = time(1);
        Ok(match self.builders as usize {
            1 => writeln!(out, "time       about {one}"),
            all => {
                writeln!(out, "time       about {} with {all} builders, {one} with one", time(all))
            }
        }?)
    }

    /// The disk space that copies of tables take at most during the build.
    fn copies_bytes(&self, plan: &Plan, rates: &Rates) -> u64 {
        if self.both_sides { 0 } else { plan.copies_bytes(rates) }
    }

    fn object_of_plan<'p>(&self, plan: &'p Plan, rates: &Rates) -> PlanOf<'p> {
        let limit = self.memory.limit().unwrap_or(u64::MAX);
        let most = plan.memory_most(self.threads.count(), limit);
        // Without a trial, disk and time are unknown, unless all tables are done.
        let known = plan.states_left() == 0 || rates.states > 0;
        let regions = plan.regions.iter().zip(plan.fits(limit)).map(|(planned, fits)| {
            let disk = plan.table_bytes_of(planned, rates);
            let done = planned.table_bytes.is_some();
            let seconds = if done { 0.0 } else { planned.time(rates).as_secs_f64() };
            PlannedRegion {
                region: &planned.region,
                states: planned.states,
                memory_bytes: planned.memory,
                memory_bytes_least: planned.memory_least,
                table_bytes: (known || done).then_some(disk),
                seconds: (known || done).then_some(seconds),
                fits,
                done,
            }
        });
        PlanOf {
            states: plan.regions.iter().map(|planned| planned.states).sum(),
            states_left: plan.states_left(),
            memory_bytes: most.used,
            memory_bytes_most: most.reserved,
            memory_bytes_least: plan.memory_least_most(),
            table_bytes: known.then(|| plan.table_bytes(rates)),
            copies_bytes: known.then(|| self.copies_bytes(plan, rates)),
            builders: self.builders,
            seconds: known.then(|| plan.time(rates, self.builders as usize).as_secs_f64()),
            regions: regions.collect(),
        }
    }

    fn build(
        &self,
        ranks: Option<&dyn Ranks>,
        chosen: &Selection,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        let regions = &chosen.regions;
        let mut builder = self.builder(chosen);
        let plan = builder.plan(regions).map_err(|error| self.failure(error))?;
        stop::left("stopped; finished tables stay, and the same command continues");
        let mut watch = Watch::new(&plan, self.quiet);
        let (sender, receiver) = mpsc::channel();
        let stop = AtomicBool::new(false);
        let stopped = &stop;
        if let Some(ranks) = ranks {
            let name = chosen.family.name();
            builder = builder.elsewhere(move |planned, path, tell| {
                together::solve(self, ranks, (name, planned), path, tell)
            });
        }
        // The builder calls back from its own threads. This thread writes the results.
        let (built, written) = thread::scope(|scope| {
            // The closure owns the sender. So the channel closes when the build is done.
            let build = move || {
                let builder = builder.progress(|event| {
                    // The receiver is gone only if the build must stop anyway.
                    let heard = News::of(event).is_none_or(|news| sender.send(news).is_ok());
                    match heard && !stopped.load(Ordering::Relaxed) {
                        true => stop::or_go_on(),
                        false => ControlFlow::Break(()),
                    }
                });
                builder.build(regions).map(drop)
            };
            let building = match thread::Builder::new().spawn_scoped(scope, build) {
                Ok(building) => building,
                Err(error) => return Err(Failure::Input(threads_refused(1, &error))),
            };
            let mut written = Ok(());
            for news in receiver {
                if written.is_ok() {
                    written = watch.hear(news, printer);
                    stop.store(written.is_err(), Ordering::Relaxed);
                }
            }
            Ok((building.join(), written))
        })?;
        written?;
        let built = built.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        built.map_err(|error| self.failure(error))?;
        if let Some(ranks) = ranks {
            // There is no other region.
            ranks.tell("").map_err(Failure::Input)?;
        }
        self.print_end(&plan, &watch, printer)
    }

    fn print_end(
        &self,
        plan: &Plan,
        watch: &Watch,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        let (planned, made) = (plan.regions.len(), watch.made());
        let before = plan.regions.iter().filter(|planned| planned.table_bytes.is_some()).count();
        printer.print(&BuiltOf {
            folder: self.of.out.display().to_string(),
            tables: planned.min(before + made + watch.found()),
            planned,
            made,
            verified: self.verify,
            seconds: watch.seconds(),
        })
    }

    fn whose_limit(&self) -> &'static str {
        if self.memory.asked().is_some() { "--memory allows" } else { "there are" }
    }

    fn failure(&self, error: BuildError) -> Failure {
        let advice = match &error {
            BuildError::Memory { region, needed, limit } => {
                let (needed, limit) = (Size { bytes: *needed }, Size { bytes: *limit });
                let whose = self.whose_limit();
                let other = match (self.no_distance, &self.disk) {
                    (_, None) => "--disk DIR solves it in less; ",
                    (false, _) => "--no-distance takes less; ",
                    (true, _) => "",
                };
                return Failure::Input(format!(
                    "{region} takes {needed} of memory and {whose} {limit}; {other}finished \
                     tables stay"
                ));
            }
            BuildError::Threads { threads, source } => {
                return Failure::Input(threads_refused(*threads, source));
            }
            _ => "",
        };
        Failure::Input(format!("{error}{advice}"))
    }
}

/// A time that may take hours.
fn hours(seconds: f64) -> String {
    match seconds {
        s if s >= 5400.0 => format!("{:.1} hours", s / 3600.0),
        s if s >= 90.0 => format!("{:.0} minutes", s / 60.0),
        s if s > 1.0 => format!("{} seconds", s.ceil()),
        _ => "a second".to_owned(),
    }
}
