//! A directed graph as a game. Players move one token along the edges, in turn, and a player who cannot move
//! loses. A vertex may have a value instead of moves.
//!
//! The graph may come from another, small game, which then only adds its own texts. So the engines compile
//! once for all of these games.

mod dot;
mod lines;
mod tokens;

use std::fmt;
use std::sync::Arc;

use crate::labels::Labels;
use crate::small::{Positions, Rules};
use crate::spec::MISERE;
use crate::{Board, FileSpec, GameSpec, ReadError, Setup, SetupError, Show, Visitor, Way};
use retrograde::adapters::{Edges, Explicit};
use retrograde::{Game, Predecessors, Status, Value, forward};

pub(crate) static SPEC: GameSpec = GameSpec {
    name: "graph",
    summary: "any directed graph: players in turn move a token along its edges",
    rules: "Two players move one token along the edges, in turn. A player who cannot move loses; with `misere` that player wins. \
            A vertex may also have a value by rule. The first vertex named is the start.",
    file: Some(FileSpec {
        holds: "graph",
        recognizes: |text| {
            let has_move = text.lines().any(|line| line.split_whitespace().count() > 1);
            !Board::is_like(text) && has_move
        },
        reading_bytes,
    }),
    parameters: &[MISERE],
    example: "examples/graph.txt",
};

pub(crate) fn build<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    Ok(visitor.visit(setup.read(Graph::parse)?.misere(setup.is_set(MISERE.name))))
}

/// How much memory it takes to read a graph: the text, and a number of bytes for each move. This number is
/// the most that we measured, for a graph in which each move has a new vertex.
fn reading_bytes(text: &str) -> u64 {
    const MOVE: u64 = 64;
    let lines = text.bytes().filter(|&byte| byte == b'\n').count();
    let arrows = text.matches("->").count();
    text.len() as u64 + MOVE * lines.max(arrows) as u64
}

/// A game on a directed graph from a file. Its states are the vertices, in the order in which the file
/// first names them; the first is the start.
#[derive(Clone)]
pub struct Graph {
    game: Explicit<Edges>,
    /// Whether the player who cannot move wins.
    misere: bool,
    /// The texts of the states: the names of the vertices in a file, or the positions of a small game.
    looks: Arc<dyn Show + Send>,
}

impl Graph {
    /// Reads a graph, as DOT if it begins like that and as a list of moves otherwise.
    ///
    /// ```
    /// use retrograde_games::{Graph, Show};
    /// let list = Graph::parse("a b\nb c # and c has no moves\n").unwrap();
    /// let dot = Graph::parse("digraph { a -> b -> c }").unwrap();
    /// assert_eq!(list.text(2), "c");
    /// assert_eq!(dot.parse("c"), Ok(2));
    /// ```
    pub fn parse(text: &str) -> Result<Graph, ReadError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parts = if dot::is_dot(text) { dot::read(text)? } else { lines::read(text)? };
        let states = u64::from(parts.labels.count());
        if states == 0 {
            return Err(ReadError::whole(
                "the graph is empty: write its moves, one a line: `from to`",
            ));
        }
        let edges = Edges::new(states, parts.edges).with_terminals(parts.terminals);
        Ok(Graph::of(edges, parts.labels))
    }

    /// A small game. Its states are the positions that play reaches from the start.
    pub(crate) fn small(rules: &'static dyn Rules) -> Graph {
        let (positions, edges) = Positions::explore(rules);
        Graph::of(edges, positions)
    }

    /// A graph with the texts of another game.
    pub(crate) fn of(edges: Edges, looks: impl Show + Send + 'static) -> Graph {
        Graph { game: Explicit::from_game(edges), misere: false, looks: Arc::new(looks) }
    }

    /// The same game. With `misere`, the player who cannot move wins.
    pub fn misere(mut self, misere: bool) -> Graph {
        self.misere = misere;
        self
    }
}

/// The contents of a file in either form.
#[derive(Default)]
struct Parts {
    labels: Labels,
    edges: Vec<(u64, u64)>,
    terminals: Vec<(u64, Value)>,
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} states", self.looks.name(), self.game.states())
    }
}

impl Game for Graph {
    forward!(Game for graph => graph.game; but status classify invalid_states);

    fn status(&self, state: u64) -> Status {
        match self.game.status(state) {
            Status::Open if self.misere && self.game.degree(state) == 0 => {
                Status::Terminal(Value::Win(0))
            }
            status => status,
        }
    }
}

impl Predecessors for Graph {
    forward!(Predecessors for graph => graph.game);
}

impl Show for Graph {
    fn name(&self) -> &'static str {
        self.looks.name()
    }

    fn sides(&self) -> &'static [&'static str] {
        self.looks.sides()
    }

    fn side_to_move(&self, state: u64) -> usize {
        self.looks.side_to_move(state)
    }

    fn side_run(&self, state: u64) -> u64 {
        self.looks.side_run(state)
    }

    fn start(&self) -> Option<u64> {
        self.looks.start()
    }

    fn text(&self, state: u64) -> String {
        self.looks.text(state)
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        self.looks.parse(text)
    }

    fn picture(&self, state: u64) -> Option<String> {
        self.looks.picture(state)
    }

    fn step(&self, from: u64, to: u64) -> String {
        self.looks.step(from, to)
    }

    fn ways(&self, from: u64, to: u64) -> Vec<Way> {
        self.looks.ways(from, to)
    }

    fn hand(&self, state: u64) -> Vec<(char, u32)> {
        self.looks.hand(state)
    }

    fn passed(&self, state: u64) -> Option<u64> {
        self.looks.passed(state)
    }
}

impl Show for Labels {
    fn name(&self) -> &'static str {
        "graph"
    }

    fn start(&self) -> Option<u64> {
        Some(0)
    }

    fn text(&self, state: u64) -> String {
        Labels::name(self, state as u32).to_string()
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        self.find(text).map(u64::from)
    }
}
