//! `retrograde solve`: solves a game, and prints the value of the start and a summary of all states.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use retrograde_catalog::{GameOracle, Ranks, State, States, Values};
use serde::Serialize;

use crate::commands::examples;
use crate::commands::info::Info;
use crate::commands::start::Start;
use crate::report::file::FileOf;
use crate::report::format::{FormatArg, Printer};
use crate::report::start::StartOf;
use crate::report::summary::{Longest, Summary, states_named, write_levels};
use crate::report::verdict::{side_of, verdict};
use crate::source::checkpoint::{Checkpoint, CheckpointArgs};
use crate::source::cost::Cost;
use crate::source::disk::{DiskArgs, DiskCost};
use crate::source::engine::{EngineArgs, How};
use crate::source::game_source::{GameSource, open_table};
use crate::source::parameters::shared;
use crate::source::ranks;
use crate::source::save::{Save, SaveArgs, Saved};
use crate::source::subject::Subject;
use crate::source::target::start_of as start_meant;
use crate::source::wrong::failed;
use crate::term::failure::{Failure, input};
use crate::term::quiet::Quiet;
use crate::term::stop;

/// Solve a game: who wins, in how many plies, and how many states are won, lost and drawn
#[derive(Args)]
#[command(after_help = examples::solve(), mut_args = shared)]
pub(crate) struct Solve {
    #[command(flatten)]
    subject: Subject,
    /// Print the value of this state [default: the game's start]
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    from: Option<String>,
    #[command(flatten)]
    format: FormatArg,
    /// Keep values without distances: faster, in less memory
    #[arg(long, help_heading = "Engine")]
    no_distance: bool,
    #[command(flatten)]
    save: SaveArgs,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    disk: DiskArgs,
    /// Print the plan of a solve on disk or on several ranks: memory, disk, reads and writes, or exchanges. Solve nothing
    #[arg(long, help_heading = "Engine")]
    plan: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Solve {
    /// Only one of several ranks reports.
    pub(crate) fn hush_unless(&mut self, reports: bool) {
        if !reports {
            self.engine.quiet = Quiet::YES;
        }
    }

    /// Solves and prints.
    pub(crate) fn run(self, ranks: Option<&dyn Ranks>, out: &mut dyn Write) -> Result<(), Failure> {
        let Solve { subject, from, format, no_distance, save, checkpoint, .. } = self;
        let Solve { disk, plan, engine, .. } = self;
        if let Some(table) = subject.table().map(Path::to_owned) {
            let (table, quiet) = (table.display(), engine.quiet);
            let asked = [
                (save.is_asked_for(), "--out"),
                (checkpoint.is_asked_for(), "--checkpoint"),
                (disk.is_asked_for(), "--disk"),
                (plan, "--plan"),
            ];
            if let Some((_, option)) = asked.iter().find(|(asked, _)| *asked) {
                let advice = format!("{table} already holds the solution; leave {option} out");
                return Err(Failure::Usage(advice));
            }
            Info { subject, from, full: false, format, engine }.run(out)?;
            quiet.note(&format!(
                "note: {table} already holds the solution. `retrograde info {table}` prints the same. From the next \
                 release on, `solve` takes no table."
            ));
            return Ok(());
        }
        if plan && !disk.is_asked_for() && ranks.is_none() {
            let advice = "--plan is for a solve on disk or on several ranks: add --disk DIR, or start retrograde-mpi";
            return Err(Failure::Usage(advice.to_owned()));
        }
        let mut printer = format.printer(out);
        engine.start_threads_of(ranks)?;
        disk.with_one_heap();
        let board = subject.board();
        let opened = subject.open(engine.memory)?;
        if let Some(ranks) = ranks {
            let how = (!no_distance, &checkpoint, disk.folder());
            let in_use: Vec<PathBuf> = board.into_iter().collect();
            return solve_on(
                ranks,
                &opened,
                (save, from, in_use),
                how,
                (plan, &engine),
                &mut printer,
            );
        }
        if (checkpoint.is_asked_for() || disk.is_asked_for())
            && !plan
            && let Some(table) = save.finished(&opened, !no_distance)
        {
            let path = table.path().display();
            engine.quiet.note(&format!("note: {path} is finished; there is nothing to solve"));
            let start = start_meant(&*opened.game, from.as_deref())?;
            let file = Some(FileOf::of(&table));
            let solved = opened.with(table)?;
            let told = Report::new(&solved, start)?.with_file(file).tell(&mut printer);
            if let Ok(()) | Err(Failure::Closed) = &told {
                if let Some(disk) = disk.checked(&opened, &engine, (!no_distance, true))? {
                    disk.clear()?;
                } else if let Some(checkpoint) = checkpoint.checked(&opened)? {
                    checkpoint.clear(!no_distance)?;
                }
            }
            return told;
        }
        if checkpoint.is_asked_for() || save.is_asked_for() {
            stop::gently();
        }
        let checkpoint = checkpoint.checked(&opened)?;
        let in_use: Vec<PathBuf> =
            board.into_iter().chain(checkpoint.as_ref().map(Checkpoint::file)).collect();
        let mut save = save.checked(&opened, engine.quiet, &in_use)?;
        let disk = disk.checked(&opened, &engine, (!no_distance, plan || save.is_some()))?;
        if let Some(disk) = disk.as_ref().filter(|_| plan) {
            return disk.print_plan(&opened, &mut printer);
        }
        let how = How { distances: !no_distance, checkpoint: checkpoint.as_ref() };
        let game = &*opened.game;
        // Check before the solve, not after it, that the start is a state.
        let start = start_meant(game, from.as_deref())?;
        save.as_ref().map_or(Ok(()), |save| save.prepare(game))?;
        if let Some(disk) = disk
            && let Some(save) = save.take()
        {
            let on_disk = disk.solve(&opened, &engine, save)?;
            let (_, table) = open_table(on_disk.saved.path())?;
            let file = Some(FileOf::of(&table));
            let solved = opened.with(table)?;
            let mut report = Report::new(&solved, start)?.with_file(file);
            report.disk = Some(&on_disk.cost);
            let told = report.tell(&mut printer);
            drop(report);
            let saved = match told {
                Ok(()) | Err(Failure::Closed) => on_disk.remove()?,
                Err(_) => on_disk.saved,
            };
            return end(told, Some(saved));
        }
        let (solved, cost) = engine.solved(&opened, how)?;
        let saved = match (save, solved.known().solution()) {
            (Some(save), Some(solution)) => Some(save.write(&solved, solution)?),
            _ => None,
        };
        let counting = engine.quiet.doing("counting");
        let report = Report::new(&solved, start)?.with_file(saved.as_ref().map(Saved::file));
        let report = Report { cost, ..report };
        drop(counting);
        let told = report.tell(&mut printer);
        // Remove the checkpoint only now: if a step above fails, the user can repeat it from the checkpoint. A reader
        // that has closed the pipe has read enough, so that is no failure.
        let durable = saved.as_ref().is_none_or(Saved::is_durable);
        if let (Ok(()) | Err(Failure::Closed), Some(checkpoint)) = (&told, checkpoint)
            && durable
        {
            checkpoint.remove()?;
        }
        end(told, saved)
    }
}

/// Solves on several ranks. The first one prints.
fn solve_on(
    ranks: &dyn Ranks,
    opened: &GameSource,
    (save, from, in_use): (SaveArgs, Option<String>, Vec<PathBuf>),
    how @ (distances, checkpoint, _): ranks::How<'_>,
    (plan, engine): (bool, &EngineArgs),
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let (game, is_first) = (&*opened.game, ranks.rank() == 0);
    let start = start_meant(game, from.as_deref())?;
    let finished = match is_first && checkpoint.is_asked_for() && !plan {
        true => save.finished(opened, distances),
        false => None,
    };
    // Only the first rank must see the table.
    let told =
        ranks.tell(if finished.is_some() { "finished" } else { "" }).map_err(Failure::Input)?;
    // The ranks leave their values in a table. Without --out, it is removed at the end.
    let (save, temporary) = match (finished.is_none(), is_first) {
        (true, true) => match save.checked(opened, engine.quiet, &in_use)? {
            Some(save) => (save, None),
            None => Save::temporary(opened, engine.quiet).map(|(save, made)| (save, Some(made)))?,
        },
        _ => (Save::nowhere(opened, engine.quiet), None),
    };
    let job = ranks::job_of(ranks, opened, &save, how, engine)?;
    if plan && is_first {
        printer.print(&ranks::plan(ranks, &job)?)?;
    }
    if plan {
        return Ok(());
    }
    if let Some(table) = finished {
        let path = table.path().display();
        engine.quiet.note(&format!("note: {path} is finished; there is nothing to solve"));
        let file = Some(FileOf::of(&table));
        let solved = opened.with(table)?;
        Report::new(&solved, start)?.with_file(file).tell(printer)?;
        return ranks.clear(&job).map_err(Failure::Input);
    }
    if !told.is_empty() {
        return Ok(());
    }
    stop::gently();
    if is_first {
        save.prepare(game)?;
    }
    let Some((table, saved)) = ranks::solve(ranks, opened, &save, &job, engine)? else {
        return Ok(());
    };
    let file = temporary.is_none().then(|| FileOf::of(&table));
    let solved = opened.with(table)?;
    let report = Report::new(&solved, start)?.with_file(file);
    end(report.tell(printer), temporary.is_none().then_some(saved))
}

/// Ends a solve whose results are printed. Fails if the table is not at the requested path.
fn end(told: Result<(), Failure>, saved: Option<Saved>) -> Result<(), Failure> {
    match told {
        Ok(()) | Err(Failure::Closed) => saved.map_or(Ok(()), Saved::end).and(told),
        failed => failed,
    }
}

/// The JSON output of `solve`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SolveOf<'a> {
    game: &'a str,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "crate::report::summary::SummaryOf"))]
    summary: &'a Summary<'static>,
    start: Option<StartOf<'a>>,
    #[serde(flatten)]
    cost: Cost,
    table: Option<&'a FileOf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disk: Option<&'a DiskCost>,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "crate::report::entries::Remark"))]
    remark: BTreeMap<&'static str, Option<Vec<String>>>,
}

/// The report on a solved game, as text or as JSON.
struct Report<'a> {
    solved: &'a GameOracle,
    values: Box<dyn Values + 'a>,
    summary: Summary<'static>,
    start: Option<Start>,
    cost: Cost,
    /// The table with the values, if it stays after the command.
    file: Option<FileOf>,
    /// The result and the cost of the solve on disk, if the program solved on disk.
    disk: Option<&'a DiskCost>,
}

impl<'a> Report<'a> {
    fn new(solved: &'a GameOracle, start: Option<State>) -> Result<Report<'a>, Failure> {
        let (game, known) = (solved.rules(), solved.known());
        let values = solved.values().map_err(input)?;
        let counts = (&solved).counts().map_err(failed)?.into_iter().map(|(_, counts)| counts);
        let positions = game.position_counts(&*values).map_err(input)?;
        let levels = known.levels().map_err(input)?.into_iter();
        let longest = Longest::of(levels, known.has_distances());
        let start = start.map(|state| Start::new(game, &*values, state)).transpose()?;
        Ok(Report {
            solved,
            values,
            summary: Summary {
                numbers: states_named(game),
                sides: game.sides().iter().copied().zip(counts).collect(),
                positions,
                longest,
            },
            start: start.flatten(),
            cost: Cost::default(),
            file: None,
            disk: None,
        })
    }

    /// The same report, with the table that has the values.
    fn with_file(self, file: Option<FileOf>) -> Report<'a> {
        Report { file, ..self }
    }

    /// Writes the report, and waits until all of it is written. Then the caller may remove the files that a second
    /// report would need.
    fn tell(&self, printer: &mut Printer<'_>) -> Result<(), Failure> {
        printer.either(|out| self.text(out), || self.object())?;
        printer.flush()
    }

    fn object(&self) -> Result<SolveOf<'_>, Failure> {
        let (game, values) = (self.solved.rules(), &*self.values);
        let remark = game.remark_on(values).map_err(input)?;
        Ok(SolveOf {
            game: game.name(),
            summary: &self.summary,
            start: self.start.as_ref().map(|start| start.object(game, values)),
            cost: self.cost,
            table: self.file.as_ref(),
            disk: self.disk,
            remark: remark.and_then(|remark| remark.words).into_iter().collect(),
        })
    }

    fn text(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (game, known) = (self.solved.rules(), self.solved.known());
        let distances = known.has_distances();
        match &self.start {
            Some(start) => {
                let (side, state) = (side_of(game, &start.state), game.write(&start.state));
                writeln!(out, "{}", verdict(start.value, distances, side, &state))?;
                start.write_best(game, &*self.values, out)?;
            }
            None => writeln!(
                out,
                "SOLVED for every state; the game has no start (--from STATE prints the value of a state)"
            )?,
        }
        writeln!(out)?;
        self.summary.write(out)?;
        if distances {
            write_levels(|| Ok(known.levels().map_err(input)?.into_iter()), out)?;
        }
        self.cost.write(self.summary.numbers, out)?;
        if let Some(file) = &self.file {
            file.write(out)?;
        }
        if let Some(disk) = self.disk {
            disk.write(out)?;
        }
        if let Some(remark) = game.remark_on(&*self.values).map_err(input)? {
            writeln!(out, "\n{}", remark.text)?;
        }
        Ok(())
    }
}
