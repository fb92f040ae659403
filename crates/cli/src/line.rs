//! `retrograde line`: best play from a state to the end, drawn where there is a board.

use std::io::Write;

use clap::Args;
use retrograde::{LineEnd, Value, line};
use retrograde_playable::{Playable, Rules, Values, word};

use crate::answers::unanswered;
use crate::engine::{EngineArgs, How};
use crate::examples;
use crate::failure::Failure;
use crate::subject::Subject;
use crate::verdict::{brief, mover, start, verdict};

/// Show best play to the end: the winner hurries, the loser delays; a draw goes round in a cycle
#[derive(Args)]
#[command(after_help = examples::ALL)]
pub(crate) struct Line {
    #[command(flatten)]
    subject: Subject,
    /// The state to play from [default: the game's start]; after a TABLE, it may stand without --from
    #[arg(long, value_name = "STATE")]
    from: Option<String>,
    /// The rest of a FEN that was not quoted
    #[arg(hide = true)]
    rest: Vec<String>,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Line {
    /// Solves, plays and prints.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let rest = std::mem::take(&mut self.rest);
        if let Some((endgames, state)) = self.subject.endgames()? {
            let words: Vec<String> = self.from.into_iter().chain(state).chain(rest).collect();
            let advice = "say from which position to play: one FEN";
            return match &words[..] {
                [] => Err(Failure::Usage(advice.to_owned())),
                words => endgames.line(&words.join(" "), out),
            };
        }
        if let Some(extra) = rest.first() {
            return Err(Failure::Usage(format!("unexpected argument '{extra}' found")));
        }
        let from = self.from.take().or_else(|| self.subject.take_state());
        let opened = self.subject.open()?;
        let Some(start) = start(&*opened.game, from.as_deref())? else {
            let advice = "the game names no start: say with --from STATE where to play from";
            return Err(Failure::Usage(advice.to_owned()));
        };
        let answers = opened.answers(&self.engine, How::at_once(true))?;
        play(&*opened.game, &*answers.values()?, start, out)
    }
}

/// Writes best play from a state to the end.
fn play(
    game: &dyn Playable,
    values: &dyn Values,
    from: u64,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let distances = values.has_distances();
    let value = value_of(values, from)?;
    if value != Value::Draw && !distances {
        let advice = "no distances were kept, and without them nobody sees the way to the end";
        return Err(Failure::Input(advice.to_owned()));
    }
    let line = line(&Rules(game), &values, from).map_err(unanswered)?;
    let last = *line.states.last().expect("a line has the state it begins in");
    if let LineEnd::Broken { found, expected } = line.end {
        let (found, expected) = (brief(found, distances), brief(expected, distances));
        return Err(Failure::Input(format!(
            "{}: a {found} is said, but the best move makes it a {expected}; `retrograde verify` \
             finds what is wrong",
            game.text(last)
        )));
    }
    writeln!(out, "{}\n", verdict(game, from, value, distances))?;
    for (ply, &state) in line.states.iter().enumerate() {
        let value = brief(value_of(values, state)?, distances);
        writeln!(out, "{ply:>4}  {}  ({value})", game.text(state))?;
        if let Some(picture) = game.picture(state) {
            for row in picture.lines() {
                writeln!(out, "      {row}")?;
            }
            writeln!(out)?;
        }
    }
    if game.picture(last).is_none() {
        writeln!(out)?;
    }
    let worth = |value| format!("a {} for {}", word(value), mover(game, last));
    Ok(match line.end {
        LineEnd::Final(value) => writeln!(out, "by the rules: {}", worth(value)),
        LineEnd::Stuck => writeln!(out, "no move is left: {}", worth(value_of(values, last)?)),
        LineEnd::Exit(value) => writeln!(out, "out of the game, by a move: {}", worth(value)),
        LineEnd::Broken { .. } => Ok(()),
        LineEnd::Cycle { back_to } => {
            writeln!(out, "from here play goes back to ply {back_to}, and round again: a draw")
        }
    }?)
}

/// The value of a state that is not void.
pub(crate) fn value_of(values: &dyn Values, state: u64) -> Result<Value, Failure> {
    let value = values.probe(state).map_err(unanswered)?;
    value.ok_or_else(|| Failure::Input(format!("state {state} is void; nothing is played there")))
}
