//! `retrograde play`: a game against a perfect opponent, or against one that makes a random move now and then.

use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_catalog::{NO_DISTANCES, State};
use retrograde_games::whole_number;
use retrograde_play::{Field, PlayError, Player, Session, Source, play_lines};
#[cfg(unix)]
use retrograde_play::{StopSignal, play_screen};

use crate::source::begun::Begun;
use crate::source::parameters::shared;
use crate::source::text::read;
use crate::term::colour::Ink;
#[cfg(unix)]
use crate::term::colour::is_dumb;
use crate::term::failure::Failure;
use crate::term::file::ToFile;
use crate::term::outlet::write_drawn;
#[cfg(unix)]
use crate::term::stop;

/// Play a game against a perfect or weakened opponent
///
/// On a terminal the board fills the screen. Choose a move with the arrow keys and Enter, or type it. `?` lists every
/// move with its value and distance. In a pipe, type the same in lines.
#[derive(Args)]
#[command(after_help = EXAMPLES, mut_args = shared)]
pub(crate) struct Play {
    #[command(flatten)]
    begun: Begun,
    /// Which side you play: its name (police, thief; white, black; first, second), `both` or `none`
    /// [default: the side to move]
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,
    /// Let the program make one in N of its moves at random; with 1 it makes all of them at random
    #[arg(long, value_name = "N", value_parser = |text: &str| whole_number::<u32>(text, 1..=u32::MAX.into()))]
    blunder_rate: Option<u32>,
    /// The same seed gives the same game
    #[arg(long, value_name = "S", default_value_t = 0,
        value_parser = |text: &str| whole_number::<u64>(text, 0..=u64::MAX))]
    seed: u64,
    /// Read moves and commands from a file: one per line, or PGN for chess
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    script: Option<PathBuf>,
    #[command(flatten)]
    to: ToFile,
    /// Play in lines, also on a terminal
    #[arg(long)]
    plain: bool,
}

const EXAMPLES: &str = "\
Examples:
  # the police against a perfect thief
  retrograde play pursuit examples/board.txt
  # the other side, against police who blunder once in three moves
  retrograde play pursuit examples/board.txt --side thief --blunder-rate 3
  # the program against itself, written to a file
  retrograde play take --heaps 3,5,7 --take any --side none --out game.txt
  # a file of moves, then both sides by hand
  retrograde play take --heaps 3,5,7 --take any --side both --script game.txt
  # a chess endgame, from its longest win or from any position
  retrograde build chess KQvKR --out endgames
  retrograde play endgames/KQvKR.table
  retrograde play endgames '8/8/8/8/8/1r6/6Q1/k1K5 b - -'
";

impl Play {
    /// Solves the game or opens the table, and plays.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        self.begun.engine.start_threads()?;
        let title = self.begun.subject.title();
        let (target, start) = self.begun.open()?;
        let oracle = self.begun.oracle(&target)?;
        if !oracle.has_distances() {
            return Err(Failure::Input(NO_DISTANCES.to_owned()));
        }
        let start = start.map_or_else(|| target.begin(None), Ok)?;
        self.play(Field::new(&title, &oracle), start, out)
    }

    fn play(self, field: Field<'_>, start: State, out: &mut dyn Write) -> Result<(), Failure> {
        let hands = self.hands(field, &start)?;
        self.to.free(self.script.as_deref())?;
        let players = [0, 1].map(|side| {
            // If the program plays both sides, they must not play alike.
            (!hands[side]).then(|| {
                Player::new(self.seed.wrapping_mul(2).wrapping_add(side as u64), self.blunder_rate)
            })
        });
        let mut session = Session::new(field, start, players, self.blunder_rate)?;
        let terminal = io::stdout().is_terminal();
        let ink = Ink::wanted(terminal).0;
        let games = if hands == [false, false] && self.script.is_none() {
            let source = Source {
                input: &mut io::empty(),
                name: String::new(),
                prompt: false,
                strict: true,
            };
            play_lines(&mut session, source, ink, write_drawn, out)?
        } else if let Some(script) = &self.script {
            let read = read(script, "the moves", self.begun.engine.memory)?;
            let (name, mut input) = (read.name, read.text.as_bytes());
            let source = Source { input: &mut input, name, prompt: false, strict: true };
            play_lines(&mut session, source, ink, write_drawn, out)?
        } else {
            let input = io::stdin();
            #[cfg(unix)]
            if input.is_terminal() && terminal && !self.plain && !is_dumb() {
                let games = play_screen(&mut session, ink, write_drawn, STOP, out)?;
                return write_games(&games, self.to, out);
            }
            let prompt = input.is_terminal() && terminal;
            let mut input: Box<dyn BufRead> = Box::new(BufReader::new(input));
            let name = "standard input".to_owned();
            let source = Source { input: &mut *input, name, prompt, strict: false };
            play_lines(&mut session, source, ink, write_drawn, out)?
        };
        write_games(&games, self.to, out)
    }

    /// Which sides a person plays.
    fn hands(&self, field: Field<'_>, start: &State) -> Result<[bool; 2], Failure> {
        let sides = field.sides();
        Ok(match self.side.as_deref() {
            None => {
                let first = field.first(start);
                [first == 0, first == 1]
            }
            Some("both") => [true, true],
            Some("none") => [false, false],
            Some(name) => match sides.iter().position(|side| *side == name) {
                Some(side) => [side == 0, side == 1],
                None => {
                    let [one, other] = sides;
                    let advice = format!("--side {name}: play {one}, {other}, both or none");
                    return Err(Failure::Usage(advice));
                }
            },
        })
    }
}

/// How a signal stops play on the whole screen.
#[cfg(unix)]
const STOP: StopSignal = StopSignal {
    before_end: |act| {
        stop::before_end(act);
        stop::gently();
    },
    is_asked: stop::is_asked,
};

/// Writes the moves to the requested file, or to standard output.
fn write_games(games: &[String], to: ToFile, out: &mut dyn Write) -> Result<(), Failure> {
    if games.is_empty() && to.is_standard() {
        return Ok(());
    }
    if to.is_standard() {
        writeln!(out)?;
    }
    to.write(out, None, |out| Ok(out.write_all(games.join("\n").as_bytes())?))
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Failure {
        match error {
            PlayError::Input(problem) => Failure::Input(problem),
            PlayError::Wrong(problem) => Failure::Wrong(problem),
            PlayError::Output(error) => error.into(),
        }
    }
}
