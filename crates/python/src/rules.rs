//! The rules of any game, behind a table of functions: what is asked of a state now and then costs a call more, and the
//! questions are compiled once for all games. Only the solve is compiled for each.

use std::ops::Range;
use std::sync::Arc;

use retrograde::{Game, Retrograde, Solution, SolveError, Solver, Status, Value};
use retrograde_games::Show;

/// How a game is solved.
type Solve<G> = fn(&G, Solver<'_>) -> Result<Solution, SolveError>;

/// A game of some kind.
#[derive(Clone)]
pub(crate) struct Rules(Arc<dyn Any>);

impl Rules {
    /// The rules of a game, solved the plain way.
    pub(crate) fn new<G: Show + Retrograde + Send + 'static>(
        game: G,
        row_len: Option<u64>,
    ) -> Rules {
        Rules(Arc::new(Known { game, row_len, solve: |game, solver| solver.solve(game) }))
    }

    /// The rules of a game that is solved in a way of its own.
    pub(crate) fn solved_by<G: Show + Retrograde + Send + 'static>(
        game: G,
        row_len: Option<u64>,
        solve: Solve<G>,
    ) -> Rules {
        Rules(Arc::new(Known { game, row_len, solve }))
    }

    /// Solves the game.
    pub(crate) fn solve(&self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        self.0.solve(solver)
    }

    /// How long the rows are that its states fall into, where they do.
    pub(crate) fn row_len(&self) -> Option<u64> {
        self.0.row_len()
    }

    /// The game as a person sees it.
    pub(crate) fn show(&self) -> &dyn Any {
        &*self.0
    }
}

struct Known<G> {
    game: G,
    row_len: Option<u64>,
    solve: Solve<G>,
}

/// [`Show`] and [`Retrograde`], with nothing in them that cannot stand in a table of functions.
pub(crate) trait Any: Send + Sync {
    fn solve(&self, solver: Solver<'_>) -> Result<Solution, SolveError>;
    fn row_len(&self) -> Option<u64>;
    fn states(&self) -> u64;
    fn status(&self, state: u64, exit: &mut dyn FnMut(Value)) -> Status;
    fn successors(&self, state: u64, visit: &mut dyn FnMut(u64));
    fn predecessors(&self, state: u64, visit: &mut dyn FnMut(u64));
    fn keeps_turn(&self, from: u64, to: u64) -> bool;
    fn survey(
        &self,
        states: Range<u64>,
        visit: &mut dyn FnMut(u64, Status, u32),
        exit: &mut dyn FnMut(u64, Value),
    );
    fn movers(&self) -> &'static [&'static str];
    fn mover(&self, state: u64) -> usize;
    fn mover_run(&self, state: u64) -> u64;
    fn start(&self) -> Option<u64>;
    fn text(&self, state: u64) -> String;
    fn parse(&self, text: &str) -> Result<u64, String>;
    fn picture(&self, state: u64) -> Option<String>;
}

impl<G: Show + Retrograde + Send> Any for Known<G> {
    fn solve(&self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        (self.solve)(&self.game, solver)
    }

    fn row_len(&self) -> Option<u64> {
        self.row_len
    }

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn status(&self, state: u64, exit: &mut dyn FnMut(Value)) -> Status {
        self.game.status(state, exit)
    }

    fn successors(&self, state: u64, visit: &mut dyn FnMut(u64)) {
        self.game.successors(state, visit);
    }

    fn predecessors(&self, state: u64, visit: &mut dyn FnMut(u64)) {
        self.game.predecessors(state, visit);
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.game.keeps_turn(from, to)
    }

    fn survey(
        &self,
        states: Range<u64>,
        visit: &mut dyn FnMut(u64, Status, u32),
        exit: &mut dyn FnMut(u64, Value),
    ) {
        self.game.survey(states, visit, exit);
    }

    fn movers(&self) -> &'static [&'static str] {
        self.game.movers()
    }

    fn mover(&self, state: u64) -> usize {
        self.game.mover(state)
    }

    fn mover_run(&self, state: u64) -> u64 {
        self.game.mover_run(state)
    }

    fn start(&self) -> Option<u64> {
        self.game.start()
    }

    fn text(&self, state: u64) -> String {
        self.game.text(state)
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        self.game.parse(text)
    }

    fn picture(&self, state: u64) -> Option<String> {
        self.game.picture(state)
    }
}

impl Game for Rules {
    fn states(&self) -> u64 {
        self.0.states()
    }

    fn status(&self, state: u64, mut exit: impl FnMut(Value)) -> Status {
        self.0.status(state, &mut exit)
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.0.successors(state, &mut visit);
    }

    fn survey(
        &self,
        states: Range<u64>,
        mut visit: impl FnMut(u64, Status, u32),
        mut exit: impl FnMut(u64, Value),
    ) {
        self.0.survey(states, &mut visit, &mut exit);
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.0.keeps_turn(from, to)
    }
}

impl Retrograde for Rules {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.0.predecessors(state, &mut visit);
    }
}
