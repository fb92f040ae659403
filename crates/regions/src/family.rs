//! A family: a big game that is solved in regions.

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::path::Path;

use retrograde::adapters::AnyRules;
use retrograde::bit_parallel::WordsVisitor;
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Code, Game, Predecessors, Probe, Status, Value};
use retrograde_table::{About, Kept, Rows, TableError};
use serde_json::json;

use crate::facts::{Run, SideFacts};
use crate::solved::SolvedRegion;
use crate::words::Verify;

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

    /// The entry of a header's parameters that names the region.
    const REGION: &'static str = "region";

    /// The cost of exits.
    const EXITS: ExitCosts = ExitCosts::SCALAR;

    /// The name of the family in one lower-case word: `chess`.
    fn name(&self) -> &str;

    /// The rules, for a family that a text describes: what the header of a table would say of them. The manifest of a folder keeps
    /// it.
    fn rules(&self) -> Option<About> {
        None
    }

    /// The region with this name. The error says what is wrong with the name.
    fn region_named(&self, name: &str) -> Result<Self::Region, String>;

    /// The regions that moves of this one lead to, each once, without itself.
    fn needs(&self, region: &Self::Region) -> Vec<Self::Region>;

    /// The game of a region, from the solutions of the regions that it [`needs`](Family::needs), in that order.
    ///
    /// A plan builds games with [blank](SolvedRegion::blank) solutions. So use a solution only after the solver asks for
    /// the status of a state.
    fn game<'a>(&self, region: &Self::Region, solved: Vec<SolvedRegion<'a>>) -> Self::Game<'a>;

    /// Calls `visitor` with the game, or hands it back if the game can only be solved state by state. Override it, and
    /// [`EXITS`](Family::EXITS), if the game can be solved [64 states at a time](retrograde::bit_parallel::ByWords).
    fn visit_words<V: WordsVisitor>(game: &Self::Game<'_>, visitor: V) -> Result<V::Output, V> {
        let _ = game;
        Err(visitor)
    }

    /// Checks values of a region. Override it if you have a faster way.
    fn verify<P: Probe>(
        &self,
        game: &Self::Game<'_>,
        values: &P,
        verifier: Verifier<'_>,
    ) -> Result<Verified, VerifyError<P::Error>> {
        match Self::visit_words(game, Verify(verifier, values)) {
            Ok(verified) => verified,
            Err(Verify(verifier, _)) => verifier.verify(&AnyRules::of(game), values),
        }
    }

    /// The states of each side to move, in order, for the counts in the header of a table. Without runs, nothing is
    /// counted.
    fn runs(game: &Self::Game<'_>) -> Vec<Run> {
        let _ = game;
        Vec::new()
    }

    /// The header of the region's table, with the facts of each side of the [`runs`](Family::runs). It must at least name
    /// the rules and the region.
    fn about(&self, region: &Self::Region, game: &Self::Game<'_>, sides: &[SideFacts]) -> About {
        let _ = (game, sides);
        let parameters = json!({ (Self::REGION): region.to_string() });
        About { game: self.name().to_string(), parameters, ..About::default() }
    }

    /// The rows of the states, which make tables smaller: see [`Writer::grids`](retrograde_table::Writer::grids).
    /// If two or more sides alternate with every move, a table may keep only the states of one side.
    fn grids(&self, game: &Self::Game<'_>) -> Vec<Rows> {
        let _ = game;
        Vec::new()
    }

    /// For each state from `first` on, writes the code of its best exit, or [`Code::INVALID`] for a state without exits. A
    /// table that keeps one side leaves out values that a reader can find by this method. Override it if you can look up the exits of neighbouring states together.
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

/// The cost of the exits of a game, for plans.
#[derive(Clone, Copy, Debug)]
pub struct ExitCosts {
    /// About how many bytes a solve keeps for the exits of 64 neighbouring states, if so many of them have exits that win
    /// or lose. A state that is alone at its level takes at most 4 bytes. States that exits settle at the same level take
    /// fewer.
    pub bytes: fn(u64) -> u64,
    /// A solve reserves so many bytes. This percentage of them it writes to, and so really uses.
    pub used_percent: u64,
    /// The game keeps values of the regions that its exits lead to in memory: two bytes a state, and at most this.
    pub cache_bytes_max: u64,
    /// Whether a solve reads exits in about the order of their states. If so, a build does not unpack the tables that
    /// exits lead to.
    pub in_order: bool,
}

impl ExitCosts {
    /// The cost of a game that is solved state by state.
    pub const SCALAR: ExitCosts = ExitCosts {
        bytes: |states| 4 * states,
        used_percent: 100,
        cache_bytes_max: 0,
        in_order: false,
    };

    /// How many bytes the game itself keeps, if its exits lead to regions of so many states.
    pub fn cache_bytes(&self, states: u64) -> u64 {
        self.cache_bytes_max.min(2 * states)
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
    let mut ask = |states: &[u64]| {
        match kept.least_of(states) {
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
        if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let _ = game.successors(state, |to| {
        // Sides alternate, so every move passes the turn.
        states[count] = to;
        count += 1;
        if count < MOVES {
            return ControlFlow::Continue(());
        }
        count = 0;
        ask(&states)
    });
    if count > 0 {
        let _ = ask(&states[..count]);
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
                Some(best.unwrap_or(game.stuck()))
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
