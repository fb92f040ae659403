//! `retrograde line`: best play from a state to the end, drawn where there is a board.

use std::io::Write;

use clap::Args;
use retrograde::Value;
use retrograde::play::{LineEnd, line};
use retrograde_catalog::{Playable, Rules, Values, word};

use crate::commands::examples;
use crate::report::format::FormatArg;
use crate::report::line::{End, Played, Step};
use crate::report::list::distance;
use crate::report::verdict::{brief, mover, start, verdict};
use crate::source::answers::value_of;
use crate::source::endgames::Endgames;
use crate::source::engine::{EngineArgs, How};
use crate::source::state::state_words;
use crate::source::subject::Subject;
use crate::term::failure::{Failure, input};
use crate::term::file::ToFile;

/// Show best play to the end: the winner hurries, the loser delays; a draw goes round in a cycle
#[derive(Args)]
#[command(after_help = examples::LINE)]
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
    format: FormatArg,
    #[command(flatten)]
    to: ToFile,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Line {
    /// Solves, plays and prints.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let rest = std::mem::take(&mut self.rest);
        if let Some((mills, state)) = self.subject.mills()? {
            let is_whole = |from: &str| from.contains(' ') || from == "start";
            let words = state_words(self.from, state, rest, is_whole)?;
            let format = self.format;
            return self.to.write(out, None, |out| mills.line(&words, &mut format.printer(out)));
        }
        if let Some((endgames, state)) = self.subject.endgames()? {
            let Some(fen) = Endgames::fen(self.from, state, rest)? else {
                let advice = "say from which position to play: one FEN";
                return Err(Failure::Usage(advice.to_owned()));
            };
            let format = self.format;
            return self.to.write(out, None, |out| endgames.line(&fen, &mut format.printer(out)));
        }
        if let Some(extra) = rest.first() {
            return Err(Failure::Usage(format!("unexpected argument '{extra}' found")));
        }
        let from = self.subject.state(self.from.take())?;
        let read = self.subject.board();
        let opened = self.subject.open(self.engine.memory)?;
        let read = read.or_else(|| Some(opened.table.as_ref()?.path().to_owned()));
        self.to.free(read.as_deref())?;
        let Some(start) = start(&*opened.game, from.as_deref())? else {
            let advice = "the game names no start: say with --from STATE where to play from";
            return Err(Failure::Usage(advice.to_owned()));
        };
        let answers = self.engine.answers(&opened, How::at_once(true))?;
        let (game, values) = (&*opened.game, answers.values()?);
        let played = play(game, &*values, start)?;
        self.to.write(out, read.as_deref(), |out| {
            self.format.printer(out).either(|out| played.text(out), || played.object())
        })
    }
}

/// Best play from a state to the end.
struct Best<'a> {
    game: &'a dyn Playable,
    values: &'a dyn Values,
    value: Value,
    line: retrograde::play::Line,
}

fn play<'a>(
    game: &'a dyn Playable,
    values: &'a dyn Values,
    from: u64,
) -> Result<Best<'a>, Failure> {
    let distances = values.has_distances();
    let value = value_of(values, from)?;
    if value != Value::Draw && !distances {
        let advice = "the table has no distances, so best play is unknown";
        return Err(Failure::Input(advice.to_owned()));
    }
    let line = line(&Rules(game), &values, from).map_err(input)?;
    if let LineEnd::Broken { found, expected } = line.end {
        let (found, expected) = (brief(found, distances), brief(expected, distances));
        let last = line.states.last().expect("a line has the state it begins in");
        return Err(Failure::Wrong(format!(
            "{}: a {found} is said, but the best move makes it a {expected}; `retrograde verify` \
             finds what is wrong",
            game.text(*last)
        )));
    }
    Ok(Best { game, values, value, line })
}

impl Best<'_> {
    fn last(&self) -> u64 {
        *self.line.states.last().expect("a line has the state it begins in")
    }

    /// Writes it for a person.
    fn text(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let &Best { game, values, ref line, .. } = self;
        let (distances, last) = (values.has_distances(), self.last());
        writeln!(out, "{}\n", verdict(game, line.states[0], self.value, distances))?;
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
            LineEnd::Terminal(value) => writeln!(out, "by the rules: {}", worth(value)),
            LineEnd::Stuck => writeln!(out, "no move is left: {}", worth(value_of(values, last)?)),
            LineEnd::Exit(value) => writeln!(out, "out of the game, by a move: {}", worth(value)),
            LineEnd::Broken { .. } => Ok(()),
            LineEnd::Cycle { back_to } => {
                writeln!(out, "from here play goes back to ply {back_to}, and round again: a draw")
            }
        }?)
    }

    /// The same as an object.
    fn object(&self) -> Result<Played<'_>, Failure> {
        let &Best { game, values, ref line, .. } = self;
        let distances = values.has_distances();
        let (kind, value, back_to) = match line.end {
            LineEnd::Terminal(value) => ("terminal", value, None),
            LineEnd::Stuck => ("stuck", value_of(values, self.last())?, None),
            LineEnd::Exit(value) => ("exit", value, None),
            LineEnd::Cycle { back_to } => ("cycle", Value::Draw, Some(back_to as u64)),
            LineEnd::Broken { .. } => ("broken", self.value, None),
        };
        let end = End { kind, value: word(value), back_to };
        let step = move |place: usize| {
            let state = line.states[place];
            let value = value_of(values, state)?;
            Ok(Step {
                state: game.text(state),
                value: word(value),
                distance: distance(value, distances),
                picture: game.picture(state),
                played: None,
            })
        };
        Ok(Played::new((game.name(), self.value, distances), line.states.len(), step, end))
    }
}
