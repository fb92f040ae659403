//! Play in lines: for pipes, scripts, and terminals that can do no more.

use std::io::{BufRead, Write};

use super::order;
use super::session::Session;
use crate::term::colour::Ink;
use crate::term::failure::{Failure, shortened};
use crate::term::outlet::write_drawn;

/// Where lines come from.
pub(super) struct Source<'a> {
    /// The lines.
    pub(super) input: &'a mut dyn BufRead,
    /// What they are called, to be blamed.
    pub(super) name: String,
    /// Whether a person waits for a prompt.
    pub(super) prompt: bool,
    /// Whether a wrong line ends the game: no person corrects a script.
    pub(super) strict: bool,
}

/// Plays until the game is over or the lines are. What games were played is in the answer, written out.
pub(super) fn play(
    session: &mut Session<'_>,
    source: Source<'_>,
    ink: Ink,
    out: &mut dyn Write,
) -> Result<Vec<String>, Failure> {
    let Source { input, name, prompt, strict } = source;
    let mut games = Vec::new();
    writeln!(out, "{}: {}", session.field().title(), session.who())?;
    begin(session, ink, out)?;
    let mut number = 0u64;
    loop {
        if prompt {
            write!(out, "> ")?;
        }
        out.flush()?;
        let mut line = Vec::new();
        number += 1;
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::Input(format!("{name}: {error}")))? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&line);
        let words = session.field().words(line.trim_end_matches(['\n', '\r']));
        for word in words {
            let done = order::read(word, session.game().node())
                .map_err(Failure::Input)
                .and_then(|order| session.obey(order));
            let said = match done {
                Ok(said) => said,
                Err(Failure::Input(problem)) if strict => {
                    out.flush()?;
                    return Err(Failure::Input(format!("{name}: line {number}: {problem}")));
                }
                Err(Failure::Input(problem)) => {
                    writeln!(out, "{}", shortened(&problem))?;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            for line in &said.lines {
                writeln!(out, "{line}")?;
            }
            let another = said.written.is_some() || said.moved && session.game().len() == 0;
            games.extend(said.written);
            if said.quit {
                games.extend(session.written());
                return Ok(games);
            }
            if another {
                begin(session, ink, out)?;
            } else if said.moved {
                reply(session, ink, out)?;
            }
        }
    }
    games.extend(session.written());
    Ok(games)
}

/// Shows the first position and what it is worth.
fn begin(session: &mut Session<'_>, ink: Ink, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}", session.verdict())?;
    reply(session, ink, out)
}

/// Lets the program move while it is its turn, and shows where that leads.
fn reply(session: &mut Session<'_>, ink: Ink, out: &mut dyn Write) -> Result<(), Failure> {
    while !session.by_hand()
        && let Some(said) = session.reply()?
    {
        writeln!(out, "{said}")?;
    }
    write_drawn(out, &format!("\n{}\n\n", ink.view(&session.game().node().view)))?;
    match session.news() {
        Some(news) => writeln!(out, "{news}")?,
        None => writeln!(out, "{} to move", session.name(session.game().side()))?,
    }
    Ok(())
}
