//! The game that a directed graph is: players in turn move one token along the edges, and who cannot
//! move loses. Vertices may have a value by rule instead of moves.

mod dot;
mod lines;
mod tokens;

use crate::labels::{Labeller, Labels};
use crate::{ReadError, Show};
use retrograde::{Edges, Explicit, Game, Retrograde, Value, forward};

/// A game on a directed graph from a file. Its states are the vertices, in the order in which the file
/// first names them; the first is the start.
#[derive(Clone, Debug)]
pub struct Graph {
    game: Explicit<Edges>,
    labels: Labels,
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
                "a graph of nothing: write its moves, one a line: `from to`",
            ));
        }
        let edges = Edges::new(states, parts.edges).with_finals(parts.finals);
        Ok(Graph { game: Explicit::from_game(edges), labels: parts.labels.finish() })
    }
}

/// What a file says, in whichever form.
#[derive(Default)]
struct Parts<'a> {
    labels: Labeller<'a>,
    edges: Vec<(u64, u64)>,
    finals: Vec<(u64, Value)>,
}

impl Game for Graph {
    forward!(graph => graph.game; states status successors degree degree_max);
}

impl Retrograde for Graph {
    forward!(graph => graph.game; SCOUTS<Explicit<Edges>> predecessors);
}

impl Show for Graph {
    fn name(&self) -> &'static str {
        "graph"
    }

    fn start(&self) -> Option<u64> {
        Some(0)
    }

    fn text(&self, state: u64) -> String {
        self.labels.name(state as u32).to_string()
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        self.labels.find(text).map(u64::from)
    }
}
