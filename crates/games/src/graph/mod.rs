//! The game that a directed graph is: players in turn move one token along the edges, and who cannot
//! move loses. Vertices may have a value by rule instead of moves.
//!
//! The graph may be that of another, small game, which then differs in looks alone: the engines are compiled once for all of
//! these.

mod dot;
mod lines;
mod tokens;

use crate::labels::Labels;
use crate::small::{Positions, Small};
use crate::{ReadError, Show};
use retrograde::{Edges, Explicit, Game, Retrograde, Value, forward};

/// A game on a directed graph from a file. Its states are the vertices, in the order in which the file
/// first names them; the first is the start.
#[derive(Clone, Debug)]
pub struct Graph {
    game: Explicit<Edges>,
    looks: Looks,
}

/// What a person sees of a graph.
#[derive(Clone, Debug)]
enum Looks {
    /// The vertices by the names they have in a file.
    Labels(Labels),
    /// The positions of a small game.
    Small(Positions),
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
        let looks = Looks::Labels(parts.labels);
        Ok(Graph { game: Explicit::from_game(edges), looks })
    }

    /// A small game. Its states are the positions that play reaches from the start.
    ///
    /// ```
    /// use retrograde_games::{Graph, Show, Small};
    /// let dodgem = Graph::small(Small::Dodgem);
    /// assert_eq!(dodgem.text(dodgem.start().unwrap()), "right >../>../.^^");
    /// ```
    pub fn small(game: Small) -> Graph {
        let (positions, edges) = Positions::explore(game);
        Graph { game: Explicit::from_game(edges), looks: Looks::Small(positions) }
    }

    fn looks(&self) -> &dyn Show {
        match &self.looks {
            Looks::Labels(labels) => labels,
            Looks::Small(positions) => positions,
        }
    }
}

/// What a file says, in whichever form.
#[derive(Default)]
struct Parts {
    labels: Labels,
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
        self.looks().name()
    }

    fn movers(&self) -> &'static [&'static str] {
        self.looks().movers()
    }

    fn mover(&self, state: u64) -> usize {
        self.looks().mover(state)
    }

    fn mover_run(&self, state: u64) -> u64 {
        self.looks().mover_run(state)
    }

    fn start(&self) -> Option<u64> {
        self.looks().start()
    }

    fn text(&self, state: u64) -> String {
        self.looks().text(state)
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        self.looks().parse(text)
    }

    fn picture(&self, state: u64) -> Option<String> {
        self.looks().picture(state)
    }

    fn step(&self, from: u64, to: u64) -> String {
        self.looks().step(from, to)
    }

    fn passed(&self, state: u64) -> Option<u64> {
        self.looks().passed(state)
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
