//! Games with a stored graph: graphs from files, and rules without backward moves.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

use super::csr::{self, Csr};
use crate::forward;
use crate::rules::{BitParallel, Game, Predecessors, Prefetch, Status, Value, WordKeys};

/// Adds backward moves to a game: it stores them in memory. It makes them from the moves, on several threads.
///
/// It takes 4 bytes a move and 8 bytes a state. If the game has more than 2^32 states, it takes 8 bytes a move.
/// While it makes the backward moves, it takes up to 6 more bytes a move.
/// [`memory_needed`](Explicit::memory_needed) gives the sum in advance. The solve needs further memory. All other
/// methods are still those of the game.
///
/// ```
/// use retrograde::adapters::Explicit;
/// use retrograde::{Game, Status, Value};
/// use std::ops::ControlFlow;
///
/// /// A player halves an even number, or triples an odd number and adds 1. Or the player adds 5. The result must be
/// /// below 1000. The player who reaches 1 wins. It would be tedious to write the predecessors.
/// struct Collatz;
///
/// impl Game for Collatz {
///     fn states(&self) -> u64 {
///         1000
///     }
///     fn status(&self, number: u64) -> Status {
///         match number {
///             0 => Status::Invalid,
///             1 => Status::Terminal(Value::Loss(0)),
///             _ => Status::Open,
///         }
///     }
///     fn successors(&self, number: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
///         let next = if number % 2 == 0 { number / 2 } else { 3 * number + 1 };
///         [next, number + 5].into_iter().filter(|&to| to < 1000).try_for_each(visit)
///     }
/// }
///
/// let game = Explicit::from_game(Collatz);
/// let solution = retrograde::solve(&game);
/// assert_eq!(solution.value(2), Some(Value::Win(1)));
/// assert_eq!(solution.value(999), Some(Value::Loss(0))); // no number to go on to
/// retrograde::verify(&game, &solution)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explicit<G> {
    game: G,
    origins: Csr,
}

impl<G: Game> Explicit<G> {
    /// Stores the backward moves of a game.
    pub fn from_game(game: G) -> Explicit<G> {
        let states = game.states();
        let origins = Csr::new(states, moves(&game), states, &|from, visit| {
            for from in from.filter(|&state| game.status(state) == Status::Open) {
                game.each_successor(from, |to| visit(to, from));
            }
        });
        Explicit { game, origins }
    }

    /// How many bytes it takes at the peak to store the predecessors of a game. To count the moves, this visits
    /// all states once.
    ///
    /// ```
    /// use retrograde::adapters::{Edges, Explicit};
    ///
    /// let graph = Edges::new(1_000, (0..999).map(|from| (from, from + 1)));
    /// let peak = Explicit::memory_needed(&graph);
    /// let stored = Explicit::from_game(&graph).bytes();
    /// assert_eq!(stored, 4 * 999 + 8 * 1_001);
    /// assert!(peak > stored);
    /// ```
    pub fn memory_needed(game: &G) -> u64 {
        csr::bytes(game.states(), moves(game)).0
    }

    /// How many bytes the stored predecessors take.
    pub fn bytes(&self) -> u64 {
        self.origins.bytes()
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }
}

impl Explicit<Edges> {
    /// The game on a directed graph of `states` vertices. A player who cannot move loses, unless you use
    /// [`Edges::with_stuck`].
    ///
    /// # Panics
    ///
    /// If an edge leaves `0..states`.
    ///
    /// ```
    /// use retrograde::adapters::Explicit;
    /// use retrograde::{Value, solve};
    ///
    /// // 0 <-> 1 -> 2: to 2 one moves only if one must lose.
    /// let game = Explicit::from_edges(3, [(0, 1), (1, 0), (1, 2)]);
    /// let solution = solve(&game);
    /// assert_eq!(solution.value(1), Some(Value::Win(1)));
    /// assert_eq!(solution.value(0), Some(Value::Loss(2)));
    /// ```
    pub fn from_edges(states: u64, edges: impl IntoIterator<Item = (u64, u64)>) -> Explicit<Edges> {
        Explicit::from_game(Edges::new(states, edges))
    }
}

impl<G: Game> Game for Explicit<G> {
    forward!(Game for this => this.game);
}

impl<G: Game> Predecessors for Explicit<G> {
    /// The neighbours of a state may lie anywhere.
    fn prefetch(&self) -> Prefetch {
        Prefetch::All
    }

    #[inline]
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        self.origins.for_each(state, visit);
    }
}

/// Uses the default methods for words, because neighbouring states have unrelated moves.
impl<G: Game> BitParallel for Explicit<G> {}

impl<G: Game> WordKeys for Explicit<G> {}

/// A directed graph, with a value for each vertex that the rules decide.
///
/// ```
/// use retrograde::adapters::{Edges, Explicit};
/// use retrograde::{Value, solve};
///
/// // A path on which the last vertex is drawn.
/// let edges = Edges::new(3, [(0, 1), (1, 2)]).with_terminals([(2, Value::Draw)]);
/// assert_eq!(solve(&Explicit::from_game(edges)).value(0), Some(Value::Draw));
/// ```
#[derive(Clone, Debug)]
pub struct Edges {
    targets: Csr,
    /// The terminal states and their values, in ascending order.
    terminals: Vec<(u64, Value)>,
    states: u64,
    degree_max: u32,
    stuck: Value,
}

impl Edges {
    /// A graph of `states` open vertices.
    ///
    /// # Panics
    ///
    /// If an edge leaves `0..states`. If edges are input, use [`try_new`](Edges::try_new).
    pub fn new(states: u64, edges: impl IntoIterator<Item = (u64, u64)>) -> Edges {
        let edges = edges.into_iter().map(Ok::<_, EdgesError>);
        Edges::try_new(states, edges).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The same for edges that someone else gives, such as a file: the first error ends it. It is an error of the iterator, or an edge
    /// that leaves `0..states`.
    ///
    /// ```
    /// use retrograde::adapters::{Edges, EdgesError};
    ///
    /// let read = |text: &str| -> Result<Edges, Box<dyn std::error::Error>> {
    ///     let number = |word: Option<&str>| -> Result<u64, Box<dyn std::error::Error>> {
    ///         Ok(word.ok_or("an edge has two vertices")?.parse()?)
    ///     };
    ///     Edges::try_new(3, text.lines().map(|line| {
    ///         let mut words = line.split(' ');
    ///         Ok((number(words.next())?, number(words.next())?))
    ///     }))
    /// };
    /// assert!(read("0 1\n1 2").is_ok());
    /// assert_eq!(read("0 1\n1 x").unwrap_err().to_string(), "invalid digit found in string");
    /// assert_eq!(
    ///     read("0 1\n1 3").unwrap_err().to_string(),
    ///     "the edge from 1 to 3 leaves the graph: its 3 vertices have the numbers 0 to 2"
    /// );
    /// ```
    pub fn try_new<E: From<EdgesError>>(
        states: u64,
        edges: impl IntoIterator<Item = Result<(u64, u64), E>>,
    ) -> Result<Edges, E> {
        let inside = |edge: Result<(u64, u64), E>| {
            let (from, to) = edge?;
            match from.max(to) < states {
                true => Ok((from, to)),
                false => Err(EdgesError::Edge { from, to, states }.into()),
            }
        };
        let pairs = edges.into_iter().map(inside).collect::<Result<Vec<_>, E>>()?;
        let edges = pairs.len() as u64;
        let targets = Csr::new(states, edges, edges, &|edges, visit| {
            let edges = &pairs[edges.start as usize..edges.end as usize];
            edges.iter().for_each(|&(from, to)| visit(from, to));
        });
        let degree_max = (0..states).map(|state| targets.len(state)).max().unwrap_or(0);
        let degree_max = u32::try_from(degree_max).expect("a vertex has 2^32 edges");
        Ok(Edges { targets, terminals: Vec::new(), states, degree_max, stuck: Value::Loss(0) })
    }

    /// Gives some vertices a value. Edges from these vertices no longer count.
    ///
    /// # Panics
    ///
    /// If there is no such vertex. If values are input, use [`try_with_terminals`](Edges::try_with_terminals).
    #[must_use]
    pub fn with_terminals(self, terminals: impl IntoIterator<Item = (u64, Value)>) -> Edges {
        self.try_with_terminals(terminals).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The same, with an error if there is no such vertex.
    ///
    /// ```
    /// use retrograde::adapters::{Edges, EdgesError};
    /// use retrograde::Value;
    ///
    /// let refused = Edges::new(2, [(0, 1)]).try_with_terminals([(2, Value::Draw)]);
    /// assert_eq!(refused.unwrap_err(), EdgesError::Terminal { state: 2, states: 2 });
    /// ```
    pub fn try_with_terminals(
        mut self,
        terminals: impl IntoIterator<Item = (u64, Value)>,
    ) -> Result<Edges, EdgesError> {
        self.terminals.extend(terminals);
        self.terminals.sort_by_key(|&(state, _)| state);
        self.terminals.dedup_by_key(|&mut (state, _)| state);
        match self.terminals.last() {
            Some(&(state, _)) if state >= self.states => {
                Err(EdgesError::Terminal { state, states: self.states })
            }
            _ => Ok(self),
        }
    }

    /// Gives a player who cannot move another value: see [`Game::stuck`].
    #[must_use]
    pub fn with_stuck(self, stuck: Value) -> Edges {
        Edges { stuck, ..self }
    }
}

/// What is wrong with the edges or the values of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EdgesError {
    /// An edge leaves the graph.
    Edge {
        /// Where the edge begins.
        from: u64,
        /// Where the edge ends.
        to: u64,
        /// How many vertices the graph has.
        states: u64,
    },
    /// A vertex with a value is not in the graph.
    Terminal {
        /// The vertex.
        state: u64,
        /// How many vertices the graph has.
        states: u64,
    },
}

impl fmt::Display for EdgesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (EdgesError::Edge { states, .. } | EdgesError::Terminal { states, .. }) = *self;
        match *self {
            EdgesError::Edge { from, to, .. } => {
                write!(f, "the edge from {from} to {to} leaves the graph: ")?;
            }
            EdgesError::Terminal { state, .. } => {
                write!(f, "vertex {state} has a value and is not in the graph: ")?;
            }
        }
        match states {
            0 => f.write_str("it has no vertices"),
            1 => f.write_str("its only vertex has the number 0"),
            _ => write!(f, "its {states} vertices have the numbers 0 to {}", states - 1),
        }
    }
}

impl Error for EdgesError {}

impl Game for Edges {
    fn states(&self) -> u64 {
        self.states
    }

    fn status(&self, state: u64) -> Status {
        match self.terminals.binary_search_by_key(&state, |&(state, _)| state) {
            Ok(at) => Status::Terminal(self.terminals[at].1),
            Err(_) => Status::Open,
        }
    }

    #[inline]
    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        self.targets.try_for_each(state, visit)
    }

    fn degree(&self, state: u64) -> u32 {
        self.targets.len(state) as u32
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.degree_max)
    }

    fn stuck(&self) -> Value {
        self.stuck
    }
}

/// How many moves a game has.
fn moves(game: &impl Game) -> u64 {
    csr::sum(game.states(), |states| {
        let open = states.filter(|&state| game.status(state) == Status::Open);
        open.map(|state| u64::from(game.degree(state))).sum()
    })
}
