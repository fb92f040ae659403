//! A family: a big game that is solved in regions.

use std::fmt;
use std::hash::Hash;
use std::path::Path;

use retrograde::bit_parallel::{LogStore, LoggedSolution};
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Game, Predecessors, Probe, Solution, SolveError, Solver, Status, Value};
use retrograde_table::{About, Kept, Rows, TableError};

use crate::solved::Solved;

/// A game in regions: which regions there are, which ones each needs, and the game of one.
///
/// A region is a game whose moves into other regions are [exits](retrograde::Game::status). Moves
/// from region to region never come back: captures are not undone.
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

    /// The game of a region, given the solutions of those it [`needs`](Family::needs), in that order.
    ///
    /// A plan builds games with [blank](Solved::blank) solutions. So do not look into a solution before the
    /// game is asked for the status of a state.
    fn game<'a>(&self, region: &Self::Region, solved: Vec<Solved<'a>>) -> Self::Game<'a>;

    /// Solves the game of a region, state by state. Override it for games that can be solved
    /// [by words](retrograde::bit_parallel::ByWords), together with [`memory_needed`](Family::memory_needed) and
    /// [`exit_bytes`](Family::exit_bytes): the solution must be the same.
    fn solve(&self, game: &Self::Game<'_>, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.solve(game)
    }

    /// Solves the game of a region in less memory, with its distances in a log. It is called where
    /// [`memory_needed_logged`](Family::memory_needed_logged) says that it can be. Override the two for games that are solved by words: see
    /// [`solve_logged`](retrograde::bit_parallel::ByWords::solve_logged).
    fn solve_logged(
        &self,
        game: &Self::Game<'_>,
        solver: Solver<'_>,
        log: Box<dyn LogStore>,
    ) -> Result<LoggedSolution, SolveError> {
        let _ = (game, solver, log);
        unreachable!("{} keeps no logs of distances", self.name())
    }

    /// How much memory [`solve_logged`](Family::solve_logged) takes, exits aside; `None` where it cannot be called.
    fn memory_needed_logged(&self, game: &Self::Game<'_>, solver: &Solver<'_>) -> Option<u64> {
        let _ = (game, solver);
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

    /// About how many bytes [`solve`](Family::solve) keeps for 64 neighbouring states of which so many have
    /// exits that win or lose: 4 at most for each that is alone at its level, fewer where an exit settles several at the same.
    fn exit_bytes(&self, states: u64) -> u64 {
        4 * states
    }

    /// How many of the reserved bytes, for arrays and exits, [`solve`](Family::solve) writes to and so really
    /// uses. Only plans use this.
    fn memory_used(&self, arrays: u64, exits: u64) -> u64 {
        arrays + exits
    }

    /// The header of the region's table. The least is what it takes to find the rules again. You can also
    /// count values here, best in order, because they may come from other machines.
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

    /// The region that the header of a table names as its own, where it names one: a table under another's name
    /// is not asked.
    fn named(about: &About) -> Option<&str> {
        about.parameters["region"].as_str()
    }

    /// What is wrong with the header, given the values of the table: counts the numbers of
    /// [`about`](Family::about) again.
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

    /// The rows that the states of the game fall into. It makes tables smaller: see
    /// [`Writer::grids`](retrograde_table::Writer::grids). If two or more sides alternate with every move, a
    /// table may keep the states of one side alone.
    fn grids(&self, game: &Self::Game<'_>) -> Vec<Rows> {
        let _ = game;
        Vec::new()
    }

    /// Writes what the best exit of each state from `first` on is worth; `None` for a state without exits. Override
    /// it if neighbouring states share their exits. A table that keeps one side leaves out values that this tells.
    fn best_exits(game: &Self::Game<'_>, first: u64, exits: &mut [Option<Value>]) {
        let states = first..first + exits.len() as u64;
        game.classify(states, |state, _, _, told| {
            exits[(state - first) as usize] = told.iter().copied().max();
        });
    }

    /// Finds the values of the states from `first` on, which a table does not keep, from those that it keeps.
    /// Override it if neighbouring states share their moves.
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

/// The least value of the states that moves of a state lead to; `None` if it has no moves.
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

/// The values of states that a table does not keep, one by one: those of their best moves.
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
