//! `retrograde picture`: draws a solved game as SVG or as text. This module turns games and tables into pictures; the
//! crate `retrograde-picture` decides how they look.

mod solved;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use retrograde_catalog::plain;
use retrograde_picture::{Drawing, Graph, Histogram, bars};

use crate::source::begun::Begun;
use crate::source::parameters::shared;
use crate::source::wrong::failed;
use crate::term::colour::Ink;
use crate::term::failure::Failure;
use crate::term::file::ToFile;
use crate::term::outlet::write_drawn;

/// Draw a solved game: who wins from each state and how soon, best play, and how many states there are at each distance
///
/// The picture is SVG, or text on a terminal.
#[derive(Args)]
#[command(after_help = EXAMPLES, mut_args = shared)]
pub(crate) struct Picture {
    #[command(flatten)]
    begun: Begun,
    /// What to draw [default: a map if a player has one man, a graph of a small game without sides, otherwise a position, or a histogram]
    #[arg(long = "as", value_name = "KIND")]
    kind: Option<Kind>,
    /// Which man to put on each cell of a map: police or thief; in chess the square of a piece [default: the side that
    /// is not to move]
    #[arg(long, value_name = "WHO")]
    of: Option<String>,
    /// Leave out the line of best play
    #[arg(long)]
    no_line: bool,
    /// Draw the heights of a histogram as logarithms
    #[arg(long)]
    logarithmic: bool,
    /// Draw text, also if it does not go to a terminal
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    to: ToFile,
}

const EXAMPLES: &str = "\
Examples:
  # where the thief is caught and where he gets away, with best play
  retrograde picture pursuit examples/board.txt -o board.svg
  # the same for the police, with the thief where he stands, as text
  retrograde picture pursuit examples/board.txt --of police --text
  # Wythoff's game
  retrograde picture corner --piece queen --rows 12 --columns 20 -o corner.svg
  # a small graph, by layers
  retrograde picture graph examples/graph.txt -o graph.svg
  # how many states are won and lost at each distance
  retrograde picture take --heaps 9,9,9 --take any --as histogram -o take.svg
  retrograde build chess KQvKR --out endgames
  # a chess position with its best line, and a map of where the black king could stand
  retrograde picture endgames/KQvKR.table -o position.svg
  retrograde picture endgames/KQvKR.table --of k -o map.svg
";

/// What to draw.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A board. The colour of each cell is the value of the state with a man there.
    Map,
    /// A position with its best line.
    Position,
    /// All states and moves of a small game.
    Graph,
    /// How many states are won and lost at each distance.
    Histogram,
}

/// A finished picture.
pub(crate) enum Drawn {
    /// A board.
    Board(Box<Drawing>),
    /// A graph.
    Graph(Box<Graph>),
    /// A histogram.
    Histogram(Histogram),
}

impl Picture {
    /// Solves the game or opens the table, and draws.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let subject = &self.begun.subject;
        self.begun.engine.start_threads()?;
        let read = subject.board().or_else(|| subject.table().map(PathBuf::from));
        self.to.free(read.as_deref())?;
        if let Some(path) = self.to.path().filter(|_| !self.text) {
            is_svg(path)?;
        }
        let mut drawn = self.drawn()?;
        let seen = self.to.is_seen();
        let letters = self.text || seen;
        self.to.write(out, read.as_deref(), |out| match letters {
            true => drawn.write_text(Ink::wanted(seen).0, out),
            false => Ok(out.write_all(drawn.svg().as_bytes())?),
        })
    }

    fn drawn(&mut self) -> Result<Drawn, Failure> {
        let title = self.begun.subject.title();
        let (target, start) = self.begun.open()?;
        let oracle = &self.begun.oracle(&target)?;
        let (style, region) = (oracle.style(), target.one());
        let states = match &region {
            Ok(region) => oracle.region(region).map_err(failed)?.states(),
            Err(_) => u64::MAX,
        };
        let scene = solved::Scene { title, oracle, states };
        let board = start.as_ref().and_then(|start| oracle.board(start));
        let squares = board.as_ref().is_some_and(|board| board.lines.is_empty());
        let moves = style.map && start.as_ref().is_some_and(|start| scene.has_map(start));
        let kind = self.kind.unwrap_or_else(|| match style.map {
            _ if self.of.is_some() => Kind::Map,
            false => Kind::Position,
            true if moves && squares => Kind::Map,
            true if scene.is_small() && oracle.players().len() == 1 => Kind::Graph,
            true if moves => Kind::Map,
            true if board.is_some() => Kind::Position,
            true => Kind::Histogram,
        });
        let of = self.of.as_deref();
        if kind == Kind::Map && !style.map && of.is_none() {
            return Err(Failure::Usage(
                "a map puts one piece on every square: name the piece with --of and its letter or its square"
                    .to_owned(),
            ));
        }
        let begin = || match &start {
            Some(start) => Ok(start.clone()),
            None => target.begin(None),
        };
        Ok(match kind {
            Kind::Position => Drawn::Board(Box::new(scene.position(&begin()?, !self.no_line)?)),
            Kind::Map => Drawn::Board(Box::new(scene.map(&begin()?, of, !self.no_line)?)),
            Kind::Graph => Drawn::Graph(Box::new(scene.graph(&region?, start.as_ref())?)),
            Kind::Histogram => Drawn::Histogram(scene.histogram(&region?, self.logarithmic)?),
        })
    }
}

/// Refuses a file name with the ending of another format than SVG.
fn is_svg(path: &Path) -> Result<(), Failure> {
    match path.extension() {
        Some(extension) if !extension.eq_ignore_ascii_case("svg") => Err(Failure::Usage(format!(
            "{}: pictures are SVG files: give --out {}, or draw text with --text",
            path.display(),
            path.with_extension("svg").display()
        ))),
        _ => Ok(()),
    }
}

impl Drawn {
    fn svg(&self) -> String {
        match self {
            Drawn::Board(board) => board.svg(),
            Drawn::Graph(graph) => graph.svg(),
            Drawn::Histogram(histogram) => histogram.svg(),
        }
    }

    fn write_text(&mut self, colour: bool, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Drawn::Board(board) => {
                // Titles, notes and names hold text from outside: the name of a file, a FEN, a vertex.
                let Drawing { title, notes, board: shown, .. } = &mut **board;
                let names = shown.points.iter_mut().map(|point| &mut point.name);
                for text in notes.iter_mut().chain([title]).chain(names) {
                    *text = plain(text).into_owned();
                }
                write_drawn(out, &board.text(colour))?;
            }
            Drawn::Histogram(histogram) => {
                writeln!(out, "{}\n", histogram.title)?;
                write_drawn(out, &bars(&histogram.levels, colour))?;
                writeln!(out)?;
                for note in &histogram.notes {
                    writeln!(out, "{note}")?;
                }
            }
            Drawn::Graph(graph) => out.write_all(graph.text().as_bytes())?,
        }
        Ok(())
    }
}
