//! `retrograde line`: best play from a state to the end, drawn where there is a board.

use std::io::Write;

use clap::Args;
use retrograde::{LineEnd, Value, line};
use retrograde_catalog::{Playable, Rules, Values, word};
use serde_json::{Value as Json, json};

use crate::answers::unanswered;
use crate::chess::Endgames;
use crate::engine::{EngineArgs, How};
use crate::examples;
use crate::failure::Failure;
use crate::list::distance;
use crate::options::{self, FORMAT, ToFile};
use crate::subject::{Subject, state_words};
use crate::verdict::{brief, mover, start, verdict};

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
    json: options::Json,
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
            let json = self.json;
            return self.to.write(out, None, |out| mills.line(&words, json, out));
        }
        if let Some((endgames, state)) = self.subject.endgames()? {
            let Some(fen) = Endgames::fen(self.from, state, rest)? else {
                let advice = "say from which position to play: one FEN";
                return Err(Failure::Usage(advice.to_owned()));
            };
            let json = self.json;
            return self.to.write(out, None, |out| endgames.line(&fen, json, out));
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
        let answers = opened.answers(&self.engine, How::at_once(true))?;
        let (game, values) = (&*opened.game, answers.values()?);
        let played = play(game, &*values, start)?;
        self.to.write(out, read.as_deref(), |out| match self.json.json {
            true => played.json(out),
            false => played.text(out),
        })
    }
}

/// Best play from a state to the end.
struct Played<'a> {
    game: &'a dyn Playable,
    values: &'a dyn Values,
    value: Value,
    line: retrograde::Line,
}

fn play<'a>(
    game: &'a dyn Playable,
    values: &'a dyn Values,
    from: u64,
) -> Result<Played<'a>, Failure> {
    let distances = values.has_distances();
    let value = value_of(values, from)?;
    if value != Value::Draw && !distances {
        let advice = "no distances were kept, and without them nobody sees the way to the end";
        return Err(Failure::Input(advice.to_owned()));
    }
    let line = line(&Rules(game), &values, from).map_err(unanswered)?;
    if let LineEnd::Broken { found, expected } = line.end {
        let (found, expected) = (brief(found, distances), brief(expected, distances));
        let last = line.states.last().expect("a line has the state it begins in");
        return Err(Failure::Input(format!(
            "{}: a {found} is said, but the best move makes it a {expected}; `retrograde verify` \
             finds what is wrong",
            game.text(*last)
        )));
    }
    Ok(Played { game, values, value, line })
}

impl Played<'_> {
    fn last(&self) -> u64 {
        *self.line.states.last().expect("a line has the state it begins in")
    }

    /// Writes it for a person.
    fn text(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let &Played { game, values, ref line, .. } = self;
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
            LineEnd::Final(value) => writeln!(out, "by the rules: {}", worth(value)),
            LineEnd::Stuck => writeln!(out, "no move is left: {}", worth(value_of(values, last)?)),
            LineEnd::Exit(value) => writeln!(out, "out of the game, by a move: {}", worth(value)),
            LineEnd::Broken { .. } => Ok(()),
            LineEnd::Cycle { back_to } => {
                writeln!(out, "from here play goes back to ply {back_to}, and round again: a draw")
            }
        }?)
    }

    /// Writes it as an object, state by state: there may be millions.
    fn json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let &Played { game, values, ref line, .. } = self;
        let distances = values.has_distances();
        let (kind, value, back_to) = match line.end {
            LineEnd::Final(value) => ("final", value, None),
            LineEnd::Stuck => ("stuck", value_of(values, self.last())?, None),
            LineEnd::Exit(value) => ("exit", value, None),
            LineEnd::Cycle { back_to } => ("cycle", Value::Draw, Some(back_to as u64)),
            LineEnd::Broken { .. } => ("broken", self.value, None),
        };
        let end = End { kind, value: word(value), back_to };
        let head = Head { game: game.name(), value: self.value, distances };
        write_line(head, line.states.iter(), end, out, |&state| {
            let value = value_of(values, state)?;
            Ok(json!({
                "state": game.text(state),
                "value": word(value),
                "distance": distance(value, distances),
                "picture": game.picture(state),
            }))
        })
    }
}

/// What is said of a line before its states.
pub(crate) struct Head<'a> {
    pub(crate) game: &'a str,
    pub(crate) value: Value,
    pub(crate) distances: bool,
}

/// How a line ends: the value is that of its last state.
pub(crate) struct End<'a> {
    pub(crate) kind: &'a str,
    pub(crate) value: &'a str,
    /// The ply whose state comes again.
    pub(crate) back_to: Option<u64>,
}

/// Writes a line as an object, whatever the game.
pub(crate) fn write_line<S>(
    head: Head<'_>,
    states: impl Iterator<Item = S>,
    end: End<'_>,
    out: &mut dyn Write,
    say: impl Fn(S) -> Result<Json, Failure>,
) -> Result<(), Failure> {
    let Head { game, value, distances } = head;
    let (value, distance) = (json!(word(value)), json!(distance(value, distances)));
    write!(
        out,
        "{{\"format\":{FORMAT},\"game\":\"{game}\",\"value\":{value},\"distance\":{distance},"
    )?;
    write!(out, "\"states\":[")?;
    for (place, state) in states.enumerate() {
        let between = if place == 0 { "" } else { "," };
        write!(out, "{between}{}", say(state)?)?;
    }
    let End { kind, value, back_to } = end;
    Ok(writeln!(
        out,
        "],\"end\":{}}}",
        json!({ "kind": kind, "value": value, "back_to": back_to })
    )?)
}

/// The value of a state that is not void.
pub(crate) fn value_of(values: &dyn Values, state: u64) -> Result<Value, Failure> {
    let value = values.probe(state).map_err(unanswered)?;
    value.ok_or_else(|| Failure::Input(format!("state {state} is void; nothing is played there")))
}
