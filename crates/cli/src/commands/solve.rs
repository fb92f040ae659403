//! `retrograde solve`: the value of the start, and what there is to say of all states.

use std::cmp::Ordering;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use retrograde::{Status, Value};
use retrograde_catalog::{Playable, Values, word};
use serde_json::json;

use crate::answers::{Answers, unanswered};
use crate::checkpoint::{Checkpoint, CheckpointArgs};
use crate::cluster::{ProcessesArgs, Solved};
use crate::disk::{DiskArgs, DiskSolved};
use crate::engine::{EngineArgs, How};
use crate::examples;
use crate::failure::Failure;
use crate::line::value_of;
use crate::list;
use crate::number::grouped;
use crate::options::{FORMAT, Json};
use crate::save::{SaveArgs, Saved};
use crate::stop;
use crate::subject::{Subject, open_table};
use crate::summary::{Longest, Summary, states_named, write_levels};
use crate::verdict::{self, verdict};

/// Solve a game: who wins, in how many plies, and how many states are won, lost and drawn
#[derive(Args)]
#[command(after_help = examples::SOLVE)]
pub(crate) struct Solve {
    #[command(flatten)]
    subject: Subject,
    /// The state whose value is asked for [default: the game's start]
    #[arg(long, value_name = "STATE")]
    from: Option<String>,
    #[command(flatten)]
    json: Json,
    /// Values alone: faster, in less memory
    #[arg(long, help_heading = "Engine")]
    no_distance: bool,
    #[command(flatten)]
    save: SaveArgs,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    processes: ProcessesArgs,
    #[command(flatten)]
    disk: DiskArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Solve {
    /// Solves and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let Solve {
            mut subject,
            from,
            json,
            no_distance,
            save,
            checkpoint,
            processes,
            disk,
            engine,
        } = self;
        disk.with_one_heap();
        let solved = |family| {
            let advice = "these tables are solved already, and more of them are by";
            let asked = save.is_asked_for() || checkpoint.is_asked_for();
            asked.then(|| {
                Failure::Usage(format!(
                    "{advice} `retrograde build {family}`; leave --out and --checkpoint out"
                ))
            })
        };
        if let Some(mills) = subject.whole_mills()? {
            solved("morris").map_or(Ok(()), Err)?;
            return mills.summary(from.as_deref(), json.json, out);
        }
        if let Some(endgames) = subject.whole_endgames()? {
            solved("chess").map_or(Ok(()), Err)?;
            return endgames.summary(from.as_deref(), json.json, out);
        }
        let board = subject.board();
        let opened = subject.open(engine.memory)?;
        if (checkpoint.is_asked_for() || disk.is_asked_for())
            && let Some(table) = save.finished(&opened, !no_distance)
        {
            let path = table.path().display();
            engine.quiet.note(&format!("note: {path} is finished; nothing is solved again"));
            let start = verdict::start(&*opened.game, from.as_deref())?;
            let answers = Answers::looked_up(&*opened.game, &table)?;
            let told = Report::new(&*opened.game, start, &answers, None)?.tell(json, out);
            if let Ok(()) | Err(Failure::Closed) = &told {
                if processes.is_asked_for() {
                    processes.clear(&opened, !no_distance, &checkpoint, engine.memory)?;
                } else if let Some(disk) = disk.checked(&opened, &engine, (!no_distance, true))? {
                    disk.clear()?;
                } else if let Some(checkpoint) = checkpoint.checked(&opened)? {
                    checkpoint.clear(!no_distance)?;
                }
            }
            return told;
        }
        if processes.is_asked_for() {
            if engine.wants_words() {
                let advice = "several processes go state by state; leave --engine words out";
                return Err(Failure::Usage(advice.to_owned()));
            }
            let in_use: Vec<PathBuf> = board.into_iter().collect();
            let Some(save) = save.checked(&opened, &engine, &in_use)? else { return Ok(()) };
            let start = verdict::start(&*opened.game, from.as_deref())?;
            stop::gently();
            save.prepare(&*opened.game)?;
            let how = (!no_distance, &checkpoint);
            let solved = processes.solve(&opened, &save, how, (engine.memory, engine.quiet))?;
            let Solved::Table(table, saved) = solved else { return Ok(()) };
            let answers = Answers::looked_up(&*opened.game, &table)?;
            let report = Report::new(&*opened.game, start, &answers, None)?;
            return end(report.tell(json, out), Some(saved));
        }
        if checkpoint.is_asked_for() || save.is_asked_for() {
            stop::gently();
        }
        let checkpoint = checkpoint.checked(&opened)?;
        let in_use: Vec<PathBuf> =
            board.into_iter().chain(checkpoint.as_ref().map(Checkpoint::file)).collect();
        let mut save = save.checked(&opened, &engine, &in_use)?;
        let disk = disk.checked(&opened, &engine, (!no_distance, save.is_some()))?;
        if let Some(disk) = disk.as_ref().filter(|disk| disk.plan) {
            return disk.write_plan(&opened, json.json, out);
        }
        let how = How { distances: !no_distance, checkpoint: checkpoint.as_ref() };
        let game = &*opened.game;
        // A start that is no state is better known before the solve than after.
        let start = verdict::start(game, from.as_deref())?;
        save.as_ref().map_or(Ok(()), |save| save.prepare(game))?;
        if let Some(disk) = disk
            && let Some(save) = save.take()
        {
            let solved = disk.solve(&opened, &engine, save)?;
            let (_, table) = open_table(solved.saved.path())?;
            let answers = Answers::looked_up(game, &table)?;
            let mut report = Report::new(game, start, &answers, None)?;
            report.disk = Some(&solved);
            let told = report.tell(json, out);
            drop(report);
            let saved = match told {
                Ok(()) | Err(Failure::Closed) => solved.remove()?,
                Err(_) => solved.saved,
            };
            return end(told, Some(saved));
        }
        let answers = opened.answers(&engine, how)?;
        let saved = match (save, answers.solution()) {
            (Some(save), Some(solution)) => Some(save.write(game, solution)?),
            _ => None,
        };
        let counting = engine.quiet.doing("counting");
        let report = Report::new(game, start, &answers, saved)?;
        drop(counting);
        let told = report.tell(json, out);
        // Only now: whatever fails before can be repeated from there. Who reads no further has read enough.
        if let (Ok(()) | Err(Failure::Closed), Some(checkpoint)) = (&told, checkpoint) {
            checkpoint.remove()?;
        }
        end(told, report.saved)
    }
}

/// Ends a solve whose results have been told. It has failed where its table is not where it was asked for.
fn end(told: Result<(), Failure>, saved: Option<Saved>) -> Result<(), Failure> {
    match told {
        Ok(()) | Err(Failure::Closed) => saved.map_or(Ok(()), Saved::end).and(told),
        failed => failed,
    }
}

/// All that is said of a game whose values are known.
struct Report<'a> {
    game: &'a dyn Playable,
    answers: &'a Answers<'a>,
    values: Box<dyn Values + 'a>,
    summary: Summary<'static>,
    start: Option<Start>,
    /// The table that was written.
    saved: Option<Saved>,
    /// What it took, where it was solved on disk.
    disk: Option<&'a DiskSolved>,
}

/// What is said of the state that play begins in.
struct Start {
    state: u64,
    value: Value,
    /// What its best moves are worth; `None` where there is no move.
    best: Option<Value>,
    /// How many of them there are.
    count: u64,
}

impl<'a> Report<'a> {
    fn new(
        game: &'a dyn Playable,
        start: Option<u64>,
        answers: &'a Answers<'a>,
        saved: Option<Saved>,
    ) -> Result<Report<'a>, Failure> {
        let values = answers.values()?;
        let counts = answers.counts()?;
        let longest = Longest::of(answers.levels()?, answers.has_distances());
        let start = start.map(|state| Start::new(game, &*values, state)).transpose()?;
        Ok(Report {
            game,
            answers,
            values,
            summary: Summary {
                numbers: states_named(game),
                movers: game.movers().iter().copied().zip(counts).collect(),
                longest,
            },
            start: start.flatten(),
            saved,
            disk: None,
        })
    }

    /// Writes it, and waits until all of it is written: what comes next may remove what it could be made from again.
    fn tell(&self, json: Json, out: &mut dyn Write) -> Result<(), Failure> {
        if json.json { self.json(out) } else { self.text(out) }?;
        Ok(out.flush()?)
    }

    fn json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let game = self.game;
        let distances = self.answers.has_distances();
        let start = self.start.as_ref().map(|start| {
            json!({
                "state": game.text(start.state),
                "value": word(start.value),
                "distance": list::distance(start.value, distances),
                // Written one by one: there may be millions.
                "best": null,
            })
        });
        let mut object = json!({ "format": FORMAT, "game": game.name() });
        self.summary.say(&mut object);
        object["start"] = json!(start);
        let remark = game.remark(&*self.values).map_err(unanswered)?;
        for (key, value) in self.answers.cost() {
            object[key] = value;
        }
        if let Some(saved) = &self.saved {
            object["table"] = saved.json();
        }
        if let Some(disk) = self.disk {
            object["disk"] = disk.json();
        }
        if let Some((key, value)) = remark.and_then(|remark| remark.json) {
            object[key] = value;
        }
        let text = object.to_string();
        let best = text.split_once("\"best\":null").zip(self.start.as_ref());
        let Some(((before, after), start)) = best else { return Ok(writeln!(out, "{text}")?) };
        write!(out, "{before}\"best\":[")?;
        start.each_best(game, &*self.values, |place, to| {
            let between = if place == 0 { "" } else { "," };
            Ok(write!(out, "{between}{}", json!(to()))?)
        })?;
        Ok(writeln!(out, "]{after}")?)
    }

    fn text(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let game = self.game;
        let distances = self.answers.has_distances();
        match &self.start {
            Some(start) => {
                writeln!(out, "{}", verdict(game, start.state, start.value, distances))?;
                start.write_best(game, &*self.values, out)?;
            }
            None => writeln!(
                out,
                "SOLVED for every start; the game names none (--from STATE asks for one)"
            )?,
        }
        writeln!(out)?;
        self.summary.write(out)?;
        if distances {
            write_levels(|| self.answers.levels(), out)?;
        }
        self.answers.write_cost(self.summary.numbers, out)?;
        if let Some(saved) = &self.saved {
            saved.write(out)?;
        }
        if let Some(disk) = self.disk {
            disk.write_cost(out)?;
        }
        if let Some(remark) = game.remark(&*self.values).map_err(unanswered)? {
            writeln!(out, "\n{}", remark.text)?;
        }
        Ok(())
    }
}

impl Start {
    fn new(game: &dyn Playable, values: &dyn Values, state: u64) -> Result<Option<Start>, Failure> {
        let Some(value) = values.probe(state).map_err(unanswered)? else { return Ok(None) };
        let mut start = Start { state, value, best: None, count: 0 };
        each_move(game, values, state, |_, value| {
            let order = |best: Value| value.preference().cmp(&best.preference());
            match start.best.map_or(Ordering::Greater, order) {
                Ordering::Greater => (start.best, start.count) = (Some(value), 1),
                Ordering::Equal => start.count += 1,
                Ordering::Less => {}
            }
            Ok(())
        })?;
        Ok(Some(start))
    }

    /// Visits the best moves with their places among them, and what says where each leads.
    fn each_best(
        &self,
        game: &dyn Playable,
        values: &dyn Values,
        mut visit: impl FnMut(u64, &dyn Fn() -> String) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut place = 0;
        each_move(game, values, self.state, |to, value| {
            if Some(value) != self.best {
                return Ok(());
            }
            place += 1;
            visit(place - 1, &|| to.map_or("exit".to_owned(), |to| game.text(to)))
        })
    }

    /// The best moves, one a line; the first few where there are many.
    fn write_best(
        &self,
        game: &dyn Playable,
        values: &dyn Values,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        const SHOWN: u64 = 8;
        self.each_best(game, values, |place, to| {
            let head = if place == 0 { "best" } else { "" };
            match place < SHOWN {
                true => Ok(writeln!(out, "{head:<10} {}", to())?),
                false => Ok(()),
            }
        })?;
        if self.count > SHOWN {
            writeln!(out, "{:<10} and {} more", "", grouped(self.count - SHOWN))?;
        }
        Ok(())
    }
}

/// Visits the moves of a state, exits first, with what each is worth. None is kept.
fn each_move(
    game: &dyn Playable,
    values: &dyn Values,
    state: u64,
    mut visit: impl FnMut(Option<u64>, Value) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut visited = Ok(());
    let status = game.status(state, &mut |value| {
        if visited.is_ok() {
            visited = visit(None, value);
        }
    });
    if status == Status::Open {
        game.successors(state, &mut |to| {
            if visited.is_ok() {
                visited = value_of(values, to).and_then(|value| {
                    visit(Some(to), value.after_move(game.keeps_turn(state, to)))
                });
            }
        });
    }
    visited
}
