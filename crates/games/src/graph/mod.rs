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

use crate::labels::{Labels, VERTICES_MAX};
use crate::misere::MISERE;
use crate::{
    Facts, FileSpec, ReadError, Setup, SetupError, Solvable, Spec, Visitor, successors_or_end,
};
use retrograde::adapters::{Edges, Explicit};
use retrograde::{Game, Predecessors, Value, forward};
use retrograde_positions::{AnyPosition, AnyStates, Board, End, Move, Positions};

pub(crate) static SPEC: Spec = Spec {
    name: "graph",
    summary: "any directed graph: players in turn move a token along its edges",
    rules: "Two players move one token along the edges, in turn. A player who cannot move loses; with `misere` that player wins. \
            A vertex may also have a value by rule. The first vertex named is the start.",
    file: Some(FileSpec {
        holds: "graph",
        recognizes: |text| {
            let has_move = text.lines().any(|line| line.split_whitespace().count() > 1);
            !crate::Board::is_like(text) && has_move
        },
        reading_bytes,
        examples: &[(
            "token",
            "start left\nstart right\nleft start\nleft goal\nright trap\ntrap right\nright left\ngoal end\n",
        )],
        reference: "",
    }),
    parameters: &[MISERE],
    example: "examples/graph.txt",
    ..Spec::EMPTY
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
    looks: Looks,
    facts: Facts,
}

/// What people see of the states.
#[derive(Clone)]
enum Looks {
    /// The names of the vertices in a file.
    Vertices(Arc<Labels>),
    /// The positions of a game.
    Game(Arc<dyn AnyStates>),
}

impl Graph {
    /// Reads a graph, as DOT if it begins like that and as a list of moves otherwise.
    ///
    /// ```
    /// use retrograde_games::Graph;
    /// use retrograde_positions::AnyStates;
    /// let list = Graph::parse("a b\nb c # and c has no moves\n").unwrap();
    /// let dot = Graph::parse("digraph { a -> b -> c }").unwrap();
    /// assert_eq!(list.text(2).unwrap(), "c");
    /// assert_eq!(dot.state("c"), Ok(2));
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
        let looks = Looks::Vertices(Arc::new(parts.labels));
        let game = Explicit::from_game(edges);
        Ok(Graph { game, misere: false, looks, facts: Facts::of(SPEC.name) })
    }

    /// The states of a game with these positions.
    pub(crate) fn of(facts: Facts, edges: Edges, looks: impl AnyStates + 'static) -> Graph {
        let looks = Looks::Game(Arc::new(looks));
        Graph { game: Explicit::from_game(edges), misere: false, looks, facts }
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
        write!(f, "{} of {} states", self.facts.name, self.game.states())
    }
}

impl Game for Graph {
    forward!(Game for graph => graph.game; but stuck);

    fn stuck(&self) -> Value {
        if self.misere { Value::Win(0) } else { Value::Loss(0) }
    }
}

impl Predecessors for Graph {
    forward!(Predecessors for graph => graph.game);
}

impl Positions for Graph {
    type Position = AnyPosition;
    type Region = ();
    type Index = ();

    fn players(&self) -> &'static [&'static str] {
        match &self.looks {
            Looks::Vertices(_) => &["player"],
            Looks::Game(game) => game.players(),
        }
    }

    fn start(&self) -> Option<AnyPosition> {
        match &self.looks {
            Looks::Vertices(_) => Some(AnyPosition::new(0u64)),
            Looks::Game(game) => game.start(),
        }
    }

    fn read(&self, text: &str) -> Result<AnyPosition, String> {
        match &self.looks {
            Looks::Vertices(labels) => Ok(AnyPosition::new(labels.find(text).map(u64::from)?)),
            Looks::Game(game) => game.read(text),
        }
    }

    fn write(&self, position: &AnyPosition) -> String {
        match &self.looks {
            Looks::Vertices(labels) => labels.name(*position.of::<u64>() as u32).to_owned(),
            Looks::Game(game) => game.write(position),
        }
    }

    fn player(&self, position: &AnyPosition) -> usize {
        match &self.looks {
            Looks::Vertices(_) => 0,
            Looks::Game(game) => game.player(position),
        }
    }

    fn moves(
        &self,
        position: &AnyPosition,
        visit: &mut dyn FnMut(Move<AnyPosition>),
    ) -> Option<End> {
        match &self.looks {
            Looks::Game(game) => game.moves(position, visit),
            Looks::Vertices(labels) => {
                let from = *position.of::<u64>();
                let has_board = labels.count() <= VERTICES_MAX;
                // A file may write a move twice.
                let mut met = vec![0u64; labels.count().div_ceil(64) as usize];
                successors_or_end(self, from, |to| {
                    let (word, bit) = (&mut met[to as usize / 64], 1 << (to % 64));
                    if *word & bit != 0 {
                        return;
                    }
                    *word |= bit;
                    let points = if has_board { vec![from as usize, to as usize] } else { vec![] };
                    visit(Move::new(labels.name(to as u32), points, AnyPosition::new(to)));
                })
            }
        }
    }

    /// The vertices on a circle, and a man on the one where play stands.
    fn board(&self, position: &AnyPosition) -> Option<Board> {
        let labels = match &self.looks {
            Looks::Game(game) => return game.board(position),
            Looks::Vertices(labels) => labels,
        };
        let count = labels.count();
        if count > VERTICES_MAX {
            return None;
        }
        let mut lines = Vec::new();
        for from in 0..count.into() {
            self.each_successor(from, |to| lines.push((from as usize, to as usize)));
        }
        let names = (0..count).map(|vertex| labels.name(vertex).to_owned());
        let mut board = Board::circle(names).lined(lines);
        board.put(("token", '*'), None, [*position.of::<u64>() as usize]);
        Some(board)
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<AnyPosition> {
        match &self.looks {
            Looks::Vertices(_) => {
                board.men.first().map(|token| AnyPosition::new(token.point as u64))
            }
            Looks::Game(game) => game.with_board(board, player),
        }
    }

    fn region(&self, _: &AnyPosition) -> Result<(), Value> {
        Ok(())
    }

    fn index(&self, _: &()) {}

    fn number(&self, _: &(), position: &AnyPosition) -> u64 {
        match &self.looks {
            Looks::Vertices(_) => *position.of(),
            Looks::Game(game) => game.number(position).expect("a node of the graph is a state"),
        }
    }

    fn position(&self, _: &(), state: u64) -> Option<AnyPosition> {
        match &self.looks {
            Looks::Vertices(_) => (state < self.states()).then(|| AnyPosition::new(state)),
            Looks::Game(game) => game.position(state),
        }
    }
}

impl Solvable for Graph {
    const QUICK_MOVES: bool = true;

    fn facts(&self) -> Facts {
        self.facts
    }
}
