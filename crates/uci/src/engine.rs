//! The commands of a chess program, and the answers.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use retrograde_chess::{Answer, Choice, Tablebase, TablebaseError, ToPosition, Value};

use crate::game::Game;

/// The plies of the lines after the first. A program shows their beginning.
const LINE_PLIES: u32 = 12;
/// A draw may be claimed after so many plies without a capture or a pawn move.
const FIFTY_MOVES: u32 = 100;

pub(crate) struct Engine<W: Write> {
    out: W,
    tables: Option<Tablebase>,
    game: Game,
    /// How many moves an answer has, at most.
    lines: usize,
    /// The best move, which the program wants to hear when it says `stop`.
    held: Option<String>,
}

/// What an answer costs.
struct Cost {
    begun: Instant,
    lookups: u64,
}

impl<W: Write> Engine<W> {
    pub(crate) fn new(out: W) -> Engine<W> {
        Engine { out, tables: None, game: Game::default(), lines: 1, held: None }
    }

    /// Opens a folder of tables. If that fails, the program hears why.
    pub(crate) fn open(&mut self, folder: &Path) -> io::Result<()> {
        match Tablebase::open(folder) {
            Ok(tables) => self.tables = Some(tables),
            Err(error) => {
                self.tables = None;
                self.note(error)?;
            }
        }
        self.out.flush()
    }

    /// Answers a command. Breaks at the last one.
    pub(crate) fn hear(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => self.introduce()?,
            Some("isready") => writeln!(self.out, "readyok")?,
            Some("setoption") => self.set(line)?,
            Some("position") => match Game::read(words) {
                Ok(game) => self.game = game,
                Err(problem) => self.note(problem)?,
            },
            Some("go") => self.go(&words.collect::<Vec<_>>())?,
            Some("stop" | "ponderhit") => self.end()?,
            Some("quit") => return Ok(ControlFlow::Break(())),
            Some("ucinewgame" | "debug" | "register") | None => {}
            Some(other) => self.note(format!(
                "there is no command `{other}`; this is an engine for chess programs (UCI)"
            ))?,
        }
        // The program waits for the answer.
        self.out.flush()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Says the move that waits for `stop`, if there is one.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        if let Some(best) = self.held.take() {
            writeln!(self.out, "{best}")?;
        }
        self.out.flush()
    }

    fn introduce(&mut self) -> io::Result<()> {
        writeln!(self.out, "id name Retrograde {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(self.out, "id author the developers of Retrograde")?;
        let folder = self
            .tables
            .as_ref()
            .map_or("<empty>".into(), |tables| tables.path().to_string_lossy().into_owned());
        writeln!(self.out, "option name Tables type string default {folder}")?;
        // No position of chess has more moves.
        writeln!(self.out, "option name MultiPV type spin default 1 min 1 max 218")?;
        writeln!(self.out, "uciok")
    }

    /// A line for the person at the program.
    fn note(&mut self, text: impl Display) -> io::Result<()> {
        let text = text.to_string().replace('\n', "; ");
        writeln!(self.out, "info string {text}")
    }

    /// `setoption name NAME value VALUE`. Values may have spaces.
    fn set(&mut self, line: &str) -> io::Result<()> {
        let (_, option) = line.split_once("name").unwrap_or_default();
        let (name, value) = option.split_once(" value").unwrap_or((option, ""));
        let (name, value) = (name.trim().to_lowercase(), value.trim());
        match (name.as_str(), value.parse()) {
            ("tables", _) if matches!(value, "" | "<empty>") => self.tables = None,
            ("tables", _) => self.open(Path::new(value))?,
            ("multipv", Ok(lines)) if (1..=218).contains(&lines) => self.lines = lines,
            ("multipv", _) => {
                self.note(format!("MultiPV is a number from 1 to 218, not `{value}`"))?;
            }
            _ => self.note(format!("there is no option `{name}`; there are Tables and MultiPV"))?,
        }
        Ok(())
    }

    /// Finds the best move. The answer is there at once, so limits of time, depth and nodes mean nothing.
    fn go(&mut self, limits: &[&str]) -> io::Result<()> {
        self.end()?;
        let mut moves = self.game.moves();
        let only = limits
            .iter()
            .position(|word| *word == "searchmoves")
            .map_or(&[][..], |at| &limits[at + 1..]);
        if only.iter().any(|word| moves.iter().any(|each| each == word)) {
            moves.retain(|each| only.contains(&each.as_str()));
        }
        let best = match moves.first() {
            None => {
                writeln!(
                    self.out,
                    "info depth 0 score {}",
                    if self.game.in_check() { "mate 0" } else { "cp 0" }
                )?;
                "bestmove (none)".to_owned()
            }
            Some(first) => match self.look_up(&moves)? {
                Some(best) => best,
                None => {
                    self.note(format!(
                        "no table knows this position, so {first} is any legal move"
                    ))?;
                    format!("bestmove {first}")
                }
            },
        };
        match limits.iter().any(|word| matches!(*word, "infinite" | "ponder")) {
            true => self.held = Some(best),
            false => writeln!(self.out, "{best}")?,
        }
        Ok(())
    }

    /// Says what the tables know of these moves, and returns the answer. Without tables for them, says which are missing.
    fn look_up(&mut self, moves: &[String]) -> io::Result<Option<String>> {
        let Some(tables) = &self.tables else {
            self.note("there are no tables; name a folder with the option Tables")?;
            return Ok(None);
        };
        match answer(tables, &self.game, moves, self.lines) {
            Err(error) => self.note(error).map(|()| None),
            Ok((infos, best)) => {
                infos.iter().try_for_each(|info| writeln!(self.out, "info {info}"))?;
                Ok(Some(best))
            }
        }
    }
}

/// What the tables say of some moves of a position, best first, and the answer.
fn answer(
    tables: &Tablebase,
    game: &Game,
    moves: &[String],
    lines: usize,
) -> Result<(Vec<String>, String), TablebaseError> {
    let mut cost = Cost { begun: Instant::now(), lookups: 0 };
    let answer = cost.probe(tables, game.fen().as_str())?;
    let (mut infos, mut best) = (Vec::new(), String::new());
    if !tables.has_distances() {
        infos.push("string these tables have no distances, so a win may take for ever".to_owned());
    }
    let wanted = |choice: &&Choice| moves.contains(&choice.played.to_string());
    for (place, choice) in answer.moves.iter().filter(wanted).take(lines).enumerate() {
        let line = cost.line(tables, choice, if place == 0 { u32::MAX } else { LINE_PLIES })?;
        if place == 0 {
            if let Some(ply) = line.outlasts(game.quiet_plies()) {
                infos.push(format!(
                    "string this mate outlasts the fifty-move rule: after {ply} plies a draw may be claimed"
                ));
            }
            best = format!("bestmove {}", line.moves[0]);
            line.moves.get(1).into_iter().for_each(|reply| best += &format!(" ponder {reply}"));
        }
        let Cost { begun, lookups } = &cost;
        infos.push(format!(
            "depth {} multipv {} score {} nodes {lookups} tbhits {lookups} time {} pv {}",
            choice.distance.unwrap_or(1),
            place + 1,
            score(choice.value, choice.distance),
            begun.elapsed().as_millis(),
            line.moves.join(" "),
        ));
    }
    Ok((infos, best))
}

impl Cost {
    fn probe(
        &mut self,
        tables: &Tablebase,
        position: &(impl ToPosition + ?Sized),
    ) -> Result<Answer, TablebaseError> {
        let answer = tables.probe(position)?;
        self.lookups += 1 + answer.moves.len() as u64;
        Ok(answer)
    }

    /// Best play after a move, to the mate. A draw ends it at once.
    fn line(
        &mut self,
        tables: &Tablebase,
        first: &Choice,
        most: u32,
    ) -> Result<Line, TablebaseError> {
        let mut line = Line { moves: Vec::new(), zeroing: Vec::new() };
        let (mut choice, mut left) = (*first, first.distance.unwrap_or(1).min(most));
        loop {
            line.moves.push(choice.played.to_string());
            line.zeroing.push(choice.played.zeroing());
            left = left.saturating_sub(1);
            if left == 0 {
                return Ok(line);
            }
            let answer = self.probe(tables, &choice.after)?;
            let Some(best) = answer.best() else { return Ok(line) };
            choice = *best;
        }
    }
}

/// Moves that follow each other.
struct Line {
    moves: Vec<String>,
    /// For each, whether it is a capture or a pawn move.
    zeroing: Vec<bool>,
}

impl Line {
    /// The plies after which a draw may be claimed before the end, given how many quiet plies came before.
    fn outlasts(&self, mut quiet: u32) -> Option<usize> {
        let last = self.zeroing.len() - 1;
        self.zeroing[..last]
            .iter()
            .position(|zeroing| {
                quiet = if *zeroing { 0 } else { quiet + 1 };
                quiet >= FIFTY_MOVES
            })
            .map(|at| at + 1)
    }
}

/// A value as UCI writes it, for the side that moves. A mate counts the moves of the winner.
fn score(value: Value, distance: Option<u32>) -> String {
    /// A win without a distance: no engine takes it for a mate.
    const WON: i32 = 20_000;
    match (value, distance) {
        (Value::Win(_), Some(plies)) => format!("mate {}", plies.div_ceil(2)),
        (Value::Loss(_), Some(plies)) => format!("mate -{}", plies / 2),
        (Value::Win(_), None) => format!("cp {WON}"),
        (Value::Loss(_), None) => format!("cp -{WON}"),
        (Value::Draw, _) => "cp 0".to_owned(),
    }
}
