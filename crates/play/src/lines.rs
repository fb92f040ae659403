//! Play in lines: for pipes, scripts, and terminals without a screen mode.

use std::io::{self, BufRead, Write};

use retrograde_catalog::shortened;

use crate::error::PlayError;
use crate::order;
use crate::paint::Ink;
use crate::session::Session;

/// Writes a drawing, with its colours.
pub type Draw = fn(&mut dyn Write, &str) -> io::Result<()>;

/// The source of the lines.
pub struct Source<'a> {
    /// The lines.
    pub input: &'a mut dyn BufRead,
    /// Its name in error messages.
    pub name: String,
    /// Whether a person needs a prompt.
    pub prompt: bool,
    /// Whether a wrong line ends the game, as in a script.
    pub strict: bool,
}

/// Plays until the game or the input ends. Returns the records of the games.
pub fn play(
    session: &mut Session<'_>,
    source: Source<'_>,
    colour: bool,
    draw: Draw,
    out: &mut dyn Write,
) -> Result<Vec<String>, PlayError> {
    let Source { input, name, prompt, strict } = source;
    let ink = Ink(colour);
    let mut games = Vec::new();
    writeln!(out, "{}: {}", session.field().title(), session.who())?;
    begin(session, ink, draw, out)?;
    let mut number = 0u64;
    loop {
        if prompt {
            write!(out, "> ")?;
        }
        out.flush()?;
        let mut line = Vec::new();
        number += 1;
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|error| PlayError::Input(format!("{name}: {error}")))? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&line);
        let words = session.field().words(line.trim_end_matches(['\n', '\r']));
        for word in words {
            let done = order::read(word, session.game().node())
                .map_err(PlayError::Input)
                .and_then(|order| session.obey(order));
            let said = match done {
                Ok(said) => said,
                Err(PlayError::Input(problem)) if strict => {
                    out.flush()?;
                    return Err(PlayError::Input(format!("{name}: line {number}: {problem}")));
                }
                Err(PlayError::Input(problem)) => {
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
                begin(session, ink, draw, out)?;
            } else if said.moved {
                reply(session, ink, draw, out)?;
            }
        }
    }
    games.extend(session.written());
    Ok(games)
}

/// Shows the first position and its value.
fn begin(
    session: &mut Session<'_>,
    ink: Ink,
    draw: Draw,
    out: &mut dyn Write,
) -> Result<(), PlayError> {
    writeln!(out, "{}", session.verdict())?;
    reply(session, ink, draw, out)
}

/// Lets the program move if it is its turn, and shows the new position.
fn reply(
    session: &mut Session<'_>,
    ink: Ink,
    draw: Draw,
    out: &mut dyn Write,
) -> Result<(), PlayError> {
    while !session.by_hand()
        && let Some(said) = session.reply()?
    {
        writeln!(out, "{said}")?;
    }
    draw(out, &format!("\n{}\n\n", ink.look(&session.game().node().look)))?;
    match session.news() {
        Some(news) => writeln!(out, "{news}")?,
        None => writeln!(out, "{} to move", session.name(session.game().side()))?,
    }
    Ok(())
}
