//! Questions about the states of one table, the same for every game: the value of a state, its moves, and
//! best play.

use retrograde::play::moves;
use retrograde::{Probe, Status, Value};
use retrograde_catalog::{Answer, Choice, Known, Playable, Rules, Values, Worth, ask};
use retrograde_regions::AnyTablebase;

use crate::folder::{Entry, Folder};
use crate::line::{Line, Next, Passed, walk};
use crate::problem::Problem;

/// The states that a request may ask about.
pub(crate) enum Asked<'a> {
    /// Positions of one region of a family.
    Region(&'a dyn AnyTablebase, &'a str),
    /// The states of a game.
    Game(&'a dyn Playable, Box<dyn Values + 'a>),
}

impl<'a> Asked<'a> {
    /// The states of a table.
    pub(crate) fn table(folder: &'a Folder, entry: &'a Entry) -> Result<Asked<'a>, Problem> {
        match entry {
            Entry::Region(region) => Ok(Asked::Region(folder.family()?, region)),
            Entry::Game(kept) => Asked::game(kept.game()?, Known::Table(kept.table())),
        }
    }

    /// The states of a game.
    pub(crate) fn game(game: &'a dyn Playable, known: Known<'a>) -> Result<Asked<'a>, Problem> {
        Ok(Asked::Game(game, game.values(known)?))
    }

    /// The state that play begins in, as text.
    pub(crate) fn start(&self) -> Option<String> {
        match self {
            Asked::Region(tables, region) => tables.start(region),
            Asked::Game(game, _) => game.start().map(|start| game.text(start)),
        }
    }

    /// A state and its value.
    pub(crate) fn worth(&self, text: &str) -> Result<(String, Worth), Problem> {
        match self {
            Asked::Region(tables, region) => {
                let (position, _) = position(*tables, text, region)?;
                let worth = Worth::new(Some(tables.value(&position)?), tables.has_distances());
                Ok((position, worth))
            }
            Asked::Game(game, values) => {
                let state = state(*game, text)?;
                let worth = Worth::new(values.probe(state)?, values.has_distances());
                Ok((game.text(state), worth))
            }
        }
    }

    /// A state, its value, and each of its moves.
    pub(crate) fn answer(&self, text: &str) -> Result<Answer, Problem> {
        match self {
            Asked::Region(tables, region) => {
                let answer = tables.probe(&position(*tables, text, region)?.0)?;
                let worth = |value: Value| Worth::new(Some(value), tables.has_distances());
                let (state, value) = (answer.position, worth(answer.value));
                let moves = answer.moves.into_iter();
                let moves =
                    moves.map(|one| Choice { to: Some(one.after), worth: worth(one.value) });
                Ok(Answer { state, worth: value, moves: moves.collect() })
            }
            Asked::Game(game, values) => Ok(ask(*game, &**values, state(*game, text)?)?),
        }
    }

    /// At most so many plies of best play.
    pub(crate) fn line(&self, text: &str, plies: usize) -> Result<Line, Problem> {
        match self {
            Asked::Region(tables, region) => {
                let (position, _) = position(*tables, text, region)?;
                walk(position, plies, |position| pass_region(*tables, &position))
            }
            Asked::Game(game, values) => {
                walk(state(*game, text)?, plies, |state| pass(*game, &**values, state))
            }
        }
    }
}

/// Visits a position on a line.
fn pass_region(tables: &dyn AnyTablebase, text: &str) -> Result<Passed<String>, Problem> {
    let (text, region) = tables.read(text)?;
    let answer = tables.probe(&text)?;
    let worth = |value: Value| Worth::new(Some(value), tables.has_distances());
    let value = worth(answer.value);
    let next = match answer.moves.into_iter().next() {
        _ if region.is_none() => Next::End("terminal"),
        Some(best) => Next::To(best.after, worth(best.value)),
        None => Next::End("stuck"),
    };
    Ok(Passed { text, worth: value, next })
}

/// Visits a state on a line.
fn pass(game: &dyn Playable, values: &dyn Values, state: u64) -> Result<Passed<u64>, Problem> {
    let distances = values.has_distances();
    let value = Probe::probe(&values, state)?;
    let next = if let Status::Terminal(_) = game.status(state) {
        Next::End("terminal")
    } else {
        match moves(&Rules(game), &values, state)?.first() {
            None => Next::End("stuck"),
            Some(best) => match best.to {
                None => Next::End("exit"),
                Some(to) => Next::To(to, Worth::new(Some(best.value), distances)),
            },
        }
    };
    Ok(Passed { text: game.text(state), worth: Worth::new(value, distances), next })
}

/// The state of a game with this text.
fn state(game: &dyn Playable, text: &str) -> Result<u64, Problem> {
    game.parse(text).map_err(|error| Problem::bad(format!("state: {error}")))
}

/// The position with this text, if it belongs to this region or to none.
fn position(
    tables: &dyn AnyTablebase,
    text: &str,
    region: &str,
) -> Result<(String, Option<String>), Problem> {
    match tables.read(text)? {
        (_, Some(found)) if found != region => Err(Problem::missing(format!(
            "this position is of {found}, not of {region}: ask /tables/{found}"
        ))),
        read => Ok(read),
    }
}
