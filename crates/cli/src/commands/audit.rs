//! `retrograde audit`: whether a game's moves and un-moves agree.

use std::io::Write;
use std::ops::{ControlFlow, Range};

use clap::Args;
use retrograde::{Audited, Auditor};
use serde_json::json;

use crate::engine::broken;
use crate::examples;
use crate::failure::Failure;
use crate::number::grouped;
use crate::options::{FORMAT, Json, Memory, Quiet, Threads};
use crate::subject::Subject;
use crate::summary::states_named;

/// Check a game's rules: every move forwards against every move backwards
#[derive(Args)]
#[command(after_help = examples::AUDIT)]
pub(crate) struct Audit {
    #[command(flatten)]
    subject: Subject,
    /// Only about so many states, spread over all
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Only the states of a range, like 0..1000000
    #[arg(long, value_name = "FROM..TO", value_parser = range)]
    states: Option<Range<u64>>,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    quiet: Quiet,
}

impl Audit {
    /// Checks and prints.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        self.threads.start()?;
        if self.subject.whole_mills()?.is_some() {
            return Err(Failure::Usage(
                "the rules of morris need no check here; whether the values follow from them says `retrograde verify`"
                    .to_owned(),
            ));
        }
        if let Some(endgames) = self.subject.whole_endgames()? {
            return Err(endgames.not_audited());
        }
        let game = self.subject.open(Memory::default())?.game;
        let all = game.states();
        let range = self.states.unwrap_or(0..all);
        if range.end > all {
            let last = all.saturating_sub(1);
            return Err(Failure::Usage(format!("--states {range:?}: the last state is {last}")));
        }
        let chosen = (range.end - range.start).min(self.sample.unwrap_or(u64::MAX));
        // Each move is looked for among the un-moves of where it leads, and the other way round.
        self.quiet.forecast(&*game, 40.0 * chosen as f64 / all.max(1) as f64);
        let mut auditor = Auditor::new().states(range);
        if let Some(states) = self.sample {
            auditor = auditor.sample(states);
        }
        if let Some(bar) = self.quiet.bar("audited") {
            // Games with words are gone through twice.
            let (mut last, mut before, times) = (0, 0, 1 + u64::from(game.has_words()));
            auditor = auditor.progress(move |done, of| {
                before += if done < last { last } else { 0 };
                last = done;
                bar.show(before + done, times * of);
                ControlFlow::Continue(())
            });
        }
        let audited = game.audit(&mut auditor);
        drop(auditor);
        let Audited { states: seen, moves } =
            audited.map_err(|error| broken(&*game, &error, error.state()))?;
        let states = states_named(&*game);
        if self.json.json {
            let object = json!({
                "format": FORMAT, "game": game.name(), "states": states, "seen": seen, "moves": moves,
            });
            return Ok(writeln!(out, "{object}")?);
        }
        let states = match seen == all {
            true => grouped(states),
            false => format!("{} of {}", grouped(seen), grouped(all)),
        };
        let moves = grouped(moves);
        Ok(writeln!(out, "OK: {states} states, {moves} moves, each found again backwards")?)
    }
}

/// Reads a range of states.
fn range(text: &str) -> Result<Range<u64>, String> {
    let bounds =
        text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    match bounds {
        Some((from, to)) if from < to => Ok(from..to),
        _ => {
            Err("a range is written FROM..TO, the first state and the one after the last"
                .to_owned())
        }
    }
}
