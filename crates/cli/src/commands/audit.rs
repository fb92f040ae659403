//! `retrograde verify --rules`: checks that the moves and the backward moves of a game agree.

use std::ops::{ControlFlow, Range};

use clap::Args;
use retrograde::checks::Auditor;
use retrograde_catalog::broken;
use retrograde_games::whole_number;

use crate::report::format::Printer;
use crate::report::sound::Audited;
use crate::report::summary::states_named;
use crate::source::options::Memory;
use crate::source::subject::Subject;
use crate::term::failure::Failure;
use crate::term::quiet::Quiet;

/// Which states to check.
#[derive(Args)]
pub(crate) struct RulesArgs {
    /// With --rules: check about this number of states, spread over all
    #[arg(long, value_name = "STATES", requires = "rules",
        value_parser = |text: &str| whole_number::<u64>(text, 1..=u64::MAX))]
    sample: Option<u64>,
    /// With --rules: check only a range of states, like 0..1000000
    #[arg(long, value_name = "FROM..TO", requires = "rules", value_parser = range)]
    states: Option<Range<u64>>,
}

impl RulesArgs {
    /// Checks the rules, and prints the result.
    pub(crate) fn check(
        self,
        mut subject: Subject,
        quiet: Quiet,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        if let Some(tables) = subject.whole_tables()? {
            return Err(Failure::Usage(format!(
                "the rules of {} need no check here; `retrograde verify {}` checks whether the values follow from them",
                tables.oracle.game(),
                tables.place().display()
            )));
        }
        let game = subject.open(Memory::default())?.game;
        let all = game.states();
        let range = self.states.unwrap_or(0..all);
        if range.end > all {
            let last = all.saturating_sub(1);
            return Err(Failure::Usage(format!("--states {range:?}: the last state is {last}")));
        }
        let chosen = (range.end - range.start).min(self.sample.unwrap_or(u64::MAX));
        // The audit looks for each move among the backward moves of the state where it leads, and the other way round.
        quiet.forecast(&*game, 40.0 * chosen as f64 / all.max(1) as f64);
        let mut auditor = Auditor::new().states(range);
        if let Some(states) = self.sample {
            auditor = auditor.sample(states);
        }
        if let Some(bar) = quiet.bar("audited") {
            // The audit goes through a game with words twice.
            let (mut last, mut before, times) = (0, 0, 1 + u64::from(game.has_words()));
            auditor = auditor.progress(move |progress| {
                let done = progress.done;
                before += if done < last { last } else { 0 };
                last = done;
                bar.show(before + done, times * progress.states);
                ControlFlow::Continue(())
            });
        }
        let audited = game.audit(&mut auditor);
        drop(auditor);
        let retrograde::checks::Audited { states: seen, moves } =
            audited.map_err(|error| Failure::Wrong(broken(&*game, &error, error.state())))?;
        let states = states_named(&*game);
        printer.print(&Audited { game: game.name(), states, seen, moves, all })
    }
}

/// Reads a range of states.
fn range(text: &str) -> Result<Range<u64>, String> {
    let bounds =
        text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    match bounds {
        Some((from, to)) if from < to => Ok(from..to),
        _ => {
            Err("write a range as FROM..TO: the first state, and the state after the last"
                .to_owned())
        }
    }
}
