//! A family: a big game that is solved in regions.

use std::fmt;
use std::hash::Hash;
use std::path::Path;

use retrograde::bit_parallel::{LogStore, LoggedSolution, Share, WordExchange};
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Code, Game, Predecessors, Probe, Solution, SolveError, Solver, Status, Value};
use retrograde_table::{About, Kept, Rows, TableError};

use crate::solved::Solved;

/// A game in regions. It lists the regions. For each region, it gives the game, and the other regions that it
/// needs.
///
/// A region is a game whose moves into other regions are [exits](retrograde::Game::status). Such moves never lead
/// back, because no move undoes a capture.
pub trait Family: Sync + 'static {
    /// The name of a region. Its text is the name of its table: letters, digits, `-`, `_`, `+`, `,`, `=` and
    /// `.`, not starting with a dot.
    type Region: Clone + Eq + Hash + fmt::Display + fmt::Debug + Send + Sync;

    /// The game of a region.
    type Game<'a>: Predecessors + Send + 'a;

    /// The name of the family in one lower-case word: `chess`.
    fn name(&self) -> &str;

    /// The regions that moves of this one lead to, each once, without itself.
    fn needs(&self, region: &Self::Region) -> Vec<Self::Region>;

    /// The game of a region, from the solutions of the regions that it [`needs`](Family::needs), in that order.
    ///
    /// A plan builds games with [blank](Solved::blank) solutions. So use a solution only after the solver asks for
    /// the status of a state.
    fn game<'a>(&self, region: &Self::Region, solved: Vec<Solved<'a>>) -> Self::Game<'a>;

    /// Solves the game of a region, state by state. Override this method, [`memory_needed`](Family::memory_needed)
    /// and [`exit_bytes`](Family::exit_bytes) if the game can be solved [64 states at a
    /// time](retrograde::bit_parallel::ByWords). The solution must be the same.
    fn solve(&self, game: &Self::Game<'_>, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.solve(game)
    }

    /// Solves the game of a region in less memory, with its distances in a log. The build calls it only if
    /// [`memory_needed_logged`](Family::memory_needed_logged) returns a number. Override both methods if the game
    /// can be solved 64 states at a time: see [`solve_logged`](retrograde::bit_parallel::ByWords::solve_logged).
    fn solve_logged(
        &self,
        game: &Self::Game<'_>,
        solver: Solver<'_>,
        log: Box<dyn LogStore>,
    ) -> Result<LoggedSolution, SolveError> {
        let _ = (game, solver, log);
        unreachable!("{} keeps no logs of distances", self.name())
    }

    /// How much memory [`solve_logged`](Family::solve_logged) takes, without exits. `None` if the family does not
    /// implement it.
    fn memory_needed_logged(&self, game: &Self::Game<'_>, solver: &Solver<'_>) -> Option<u64> {
        let _ = (game, solver);
        None
    }

    /// Solves the share of one of several processes, 64 states at a time. The caller calls it only if
    /// [`memory_needed_share`](Family::memory_needed_share) returns a number. Override both methods if
    /// [`solve`](Family::solve) works so, too.
    fn solve_share(
        &self,
        game: &Self::Game<'_>,
        solver: Solver<'_>,
        share: &Share,
        exchange: &mut dyn WordExchange,
    ) -> Result<Solution, SolveError> {
        let _ = (game, solver, share, exchange);
        unreachable!("{} is not solved 64 states at a time", self.name())
    }

    /// How much memory [`solve_share`](Family::solve_share) takes, if the process reads `ghosts` words of others. `None` if
    /// processes must solve the game state by state.
    fn memory_needed_share(
        &self,
        game: &Self::Game<'_>,
        solver: &Solver<'_>,
        (share, ghosts): (&Share, u64),
    ) -> Option<u64> {
        let _ = (game, solver, share, ghosts);
        None
    }

    /// Checks values of a region, state by state. Override it together with [`solve`](Family::solve).
    fn verify<P: Probe<Error: Send>>(
        &self,
        game: &Self::Game<'_>,
        values: &P,
        verifier: Verifier<'_>,
    ) -> Result<Verified, VerifyError<P::Error>> {
        verifier.verify(game, values)
    }

    /// How much memory [`solve`](Family::solve) takes, without exits.
    fn memory_needed(&self, game: &Self::Game<'_>, solver: &Solver<'_>) -> u64 {
        solver.memory_needed(game)
    }

    /// About how many bytes [`solve`](Family::solve) keeps for the exits of 64 neighbouring states, if `states` of
    /// them have exits that win or lose. A state that is alone at its level takes at most 4 bytes. States that
    /// exits settle at the same level take fewer.
    fn exit_bytes(&self, states: u64) -> u64 {
        4 * states
    }

    /// Whether [`solve`](Family::solve) reads exits in about the order of their states. If so, a build does not unpack
    /// the tables that exits lead to.
    fn reads_exits_in_order(&self) -> bool {
        false
    }

    /// [`solve`](Family::solve) reserves memory for arrays and exits. This is how many of these bytes it writes
    /// to, and so really uses. Only plans use this number.
    fn memory_used(&self, arrays: u64, exits: u64) -> u64 {
        arrays + exits
    }

    /// The header of the region's table. It must at least name the rules. You can also count values here. Read
    /// them in order, because they may come from other machines.
    fn about<P: Probe>(
        &self,
        region: &Self::Region,
        game: &Self::Game<'_>,
        values: &P,
    ) -> Result<About, P::Error> {
        let _ = (game, values);
        Ok(About {
            game: self.name().to_string(),
            parameters: serde_json::json!({ "region": region.to_string() }),
            ..About::default()
        })
    }

    /// The same for a solution in memory. Override it if counting there is faster than value by value.
    fn about_solved(
        &self,
        region: &Self::Region,
        game: &Self::Game<'_>,
        solution: &Solution,
    ) -> About {
        let Ok(about) = self.about(region, game, solution);
        about
    }

    /// The region that the header of a table names, if it names one. A reader refuses a table with the name of
    /// another region.
    fn named(about: &About) -> Option<&str> {
        about.parameters["region"].as_str()
    }

    /// Counts the numbers of [`about`](Family::about) again from the values of the table. Returns what is wrong
    /// with the header.
    fn judge<P: Probe>(
        &self,
        region: &Self::Region,
        about: &About,
        game: &Self::Game<'_>,
        values: &P,
    ) -> Result<Option<String>, P::Error> {
        let _ = (region, about, game, values);
        Ok(None)
    }

    /// The rows of the states, which make tables smaller: see [`Writer::grids`](retrograde_table::Writer::grids).
    /// If two or more sides alternate with every move, a table may keep only the states of one side.
    fn grids(&self, game: &Self::Game<'_>) -> Vec<Rows> {
        let _ = game;
        Vec::new()
    }

    /// The value of the best exit of a state, or `None` for a state without exits. A table that keeps one side leaves out
    /// values that a reader can find by this method.
    fn best_exit(game: &Self::Game<'_>, state: u64) -> Option<Value> {
        let mut best = None;
        game.classify(state..state + 1, |_, _, _, told| best = told.iter().copied().max());
        best
    }

    /// For each state from `first` on, writes the code of its best exit, or [`Code::INVALID`] for a state without exits.
    /// Override it if you can look up the exits of neighbouring states together.
    fn best_exits(game: &Self::Game<'_>, first: u64, exits: &mut [Code]) {
        let states = first..first + exits.len() as u64;
        game.classify(states, |state, _, _, told| {
            exits[(state - first) as usize] = Code::of(told.iter().copied().max());
        });
    }

    /// Finds the values of the states from `first` on, which a table does not keep, from the values that it keeps.
    /// Override it if you can compute the moves of neighbouring states together.
    fn recover(
        game: &Self::Game<'_>,
        kept: &Kept<'_>,
        first: u64,
        values: &mut [Option<Value>],
    ) -> Result<(), TableError> {
        recover(game, kept, first, values)
    }

    /// The command that builds a region's table in a folder.
    fn command(&self, region: &Self::Region, folder: &Path) -> String {
        format!("retrograde build {} {region} --out {}", self.name(), folder.display())
    }
}

/// The least value of the states that the moves of a state lead to, or `None` if it has no moves.
fn least_of_moves<G: Game>(
    game: &G,
    kept: &Kept<'_>,
    state: u64,
) -> Result<Option<Value>, TableError> {
    /// How many states to ask for at a time, in an array without an allocation.
    const MOVES: usize = 64;
    let (mut states, mut count) = ([0; MOVES], 0);
    let (mut least, mut failed): (Option<Value>, _) = (None, None);
    let mut ask = |states: &[u64]| match kept.least_of(states) {
        Ok(Some(value)) => least = Some(least.map_or(value, |least| least.min(value))),
        Ok(None) => {
            let (path, problem) = (
                kept.table().path().into(),
                format!("a move of state {state} leads to a state that is invalid in it"),
            );
            failed = Some(TableError::Game { path, problem });
        }
        Err(error) => failed = Some(error),
    };
    game.successors(state, |to| {
        // Sides alternate, so every move passes the turn.
        states[count] = to;
        count += 1;
        if count == MOVES {
            ask(&states);
            count = 0;
        }
    });
    if count > 0 {
        ask(&states[..count]);
    }
    failed.map_or(Ok(least), Err)
}

/// Finds the values of states that a table does not keep, one by one, from their best moves.
pub fn recover<G: Game>(
    game: &G,
    kept: &Kept<'_>,
    first: u64,
    values: &mut [Option<Value>],
) -> Result<(), TableError> {
    let prefer = |best: &mut Option<Value>, value: Value| {
        if best.is_none_or(|best| value > best) {
            *best = Some(value);
        }
    };
    for (state, value) in (first..).zip(values) {
        let mut best = None;
        let found = match game.status(state) {
            Status::Invalid => None,
            Status::Terminal(value) => Some(value),
            Status::Open => {
                game.exits(state, |exit| prefer(&mut best, exit));
                if let Some(least) = least_of_moves(game, kept, state)? {
                    prefer(&mut best, least.after_move(false));
                }
                Some(best.unwrap_or(Value::Loss(0)))
            }
        };
        *value = match found {
            Some(Value::Win(_)) if !kept.has_distances() => Some(Value::Win(0)),
            Some(Value::Loss(_)) if !kept.has_distances() => Some(Value::Loss(0)),
            found => found,
        };
    }
    Ok(())
}
