//! Solves small games on request, such as a board drawn on a page.
//!
//! A client sends the board again with its next question. The games that were solved last are kept.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use retrograde::{Game, Level, Progress, Solution, SolveError, Solver, grouped};
use retrograde_catalog::{CompiledGame, Engine, Oracle, StateAnswer, Values, from_json};
use retrograde_games::{Argument, Setup, SetupError, Source, Spec, game_named};
use retrograde_table::SideCounts;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use crate::limits::{Check, Limits};
use crate::line::Line;
use crate::oracle::{BatchAnswer, RegionOracle};
use crate::problem::Problem;
use crate::recent::{Recent, RecentGame};
use crate::samples::Sample;
use crate::view::View;

/// A game, and a question about it.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The text of the board or graph, if the game has one.
    #[cfg_attr(feature = "schema", schemars(length(max = 16384)))]
    pub board: Option<String>,
    /// The other parameters of the rules.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::parameters::Parameters"))]
    pub parameters: Value,
    /// The state to answer for [default: the game's start].
    pub state: Option<String>,
    /// States whose values to return.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = 4096)))]
    pub states: Vec<String>,
    /// Whether to return all states with their moves, if there are not too many.
    #[serde(default)]
    pub all: bool,
    /// Whether to return how to draw the state, and a summary of the game.
    #[serde(default)]
    pub view: bool,
    /// How many plies of best play to return.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(max = 1000)))]
    pub plies: usize,
}

/// What a solved game is like, and the answer to the question.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveAnswer {
    game: String,
    sides: Sides,
    /// The longest distance of any value, in plies.
    longest: Option<u32>,
    /// The longest distance of a win, in plies.
    longest_win: Option<u32>,
    start: Option<String>,
    /// What the game says of its result.
    remark: Option<String>,
    /// The state of the question. A question for a view has a view.
    answer: Option<AskedState>,
    /// The other states of the question.
    answers: Vec<BatchAnswer>,
    line: Option<Line>,
    /// In a view: how many states settle at each distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<LevelCounts>>,
    /// In a view: the states with the longest wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_states: Option<Vec<Sample>>,
}

/// A state, to look at or not.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum AskedState {
    View(Box<View>),
    Answer(StateAnswer),
}

/// A distance, how many states are won in it, and how many are lost in it.
pub(crate) type LevelCounts = (u32, u64, u64);

/// The counts for each side to move.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub(crate) struct Sides(
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, ValueCounts>")
    )]
    Vec<SideCounts>,
);

/// How many states are won, lost and drawn, and how many numbers are no states.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ValueCounts {
    win: u64,
    loss: u64,
    draw: u64,
    invalid: u64,
}

impl Sides {
    pub(crate) fn of(counts: &[SideCounts]) -> Sides {
        Sides(counts.to_vec())
    }
}

fn by_name<S: Serializer>(counts: &[SideCounts], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().map(|SideCounts { side, win, loss, draw, invalid }| {
        let (win, loss, draw, invalid) = (*win, *loss, *draw, *invalid);
        (side, ValueCounts { win, loss, draw, invalid })
    }))
}

/// Solves games, and keeps those that it has solved last.
pub struct Solves {
    limits: Limits,
    recent: Recent,
    solved: AtomicU64,
}

impl Solves {
    /// Nothing is solved yet.
    pub fn new(limits: Limits) -> Solves {
        let recent = Recent::new(limits.solved_bytes);
        Solves { limits, recent, solved: AtomicU64::new(0) }
    }

    /// How many games were solved.
    pub fn count(&self) -> u64 {
        self.solved.load(Relaxed)
    }

    /// Sets the game up, solves it and answers. `hear` is told of the progress of a solve, and may stop it.
    pub fn answer(
        &self,
        game: &str,
        mut question: Question,
        hear: &(dyn Fn(&Progress) -> ControlFlow<()> + Sync),
        check: Check<'_>,
    ) -> Result<SolveAnswer, Problem> {
        let spec = game_named(game).map_err(|error| Problem::missing(error.to_string()))?;
        self.limits.check_batch(question.states.len())?;
        let limits = &self.limits;
        let solved = self.solved(spec, &mut question, hear)?;
        let RecentGame { solved, counts, longest: kept } = &*solved;
        let game = solved.rules();
        let Question { state, states, all, view, plies, .. } = question;
        let asked = RegionOracle::new(Oracle::shared(Arc::clone(solved)), "");
        let (values, levels) = (solved.values()?, solved.known().levels()?);
        let states = if all { every_state(limits, game, &*values)? } else { states };
        let from = state.or_else(|| asked.start());
        let longest = |of: fn(&Level) -> bool| {
            levels.iter().filter(|level| of(level)).map(|level| level.distance).next_back()
        };
        let line = match &from {
            Some(from) if plies > 0 => Some(asked.line(from, plies.min(limits.line_plies))?),
            _ => None,
        };
        let remark = game.remark_on(&*values)?;
        let answer = match from {
            None => None,
            Some(from) if view => Some(AskedState::View(asked.view(&from)?.into())),
            Some(from) => Some(AskedState::Answer(asked.answer(&from)?)),
        };
        let longest_states = || match kept.get() {
            Some(found) => Ok(found.clone()),
            None => asked.longest(check).map(|found| kept.get_or_init(|| found).clone()),
        };
        Ok(SolveAnswer {
            game: game.name().to_owned(),
            sides: Sides::of(counts),
            longest: longest(|_| true),
            longest_win: longest(|level| level.wins > 0),
            start: asked.start(),
            remark: remark.map(|remark| remark.text),
            answer,
            answers: asked.tell_all(states, all, check)?,
            line,
            levels: view.then(|| level_counts(&levels)),
            longest_states: view.then(longest_states).transpose()?,
        })
    }

    /// The game with its solution. It may have been solved for an earlier question.
    fn solved(
        &self,
        spec: &'static Spec,
        question: &mut Question,
        hear: &(dyn Fn(&Progress) -> ControlFlow<()> + Sync),
    ) -> Result<Arc<RecentGame>, Problem> {
        let key = json!([spec.name, question.parameters, question.board]).to_string();
        if let Some(solved) = self.recent.find(&key) {
            return Ok(solved);
        }
        let game = set_up(&self.limits, spec, &question.parameters, question.board.take())?;
        let solution = solution(&self.limits, &*game, hear)?;
        self.solved.fetch_add(1, Relaxed);
        let solved = Arc::new(RecentGame::new(game, solution)?);
        self.recent.keep(key, &solved);
        Ok(solved)
    }
}

/// How many states settle at each distance.
pub(crate) fn level_counts(levels: &[Level]) -> Vec<LevelCounts> {
    levels.iter().map(|level| (level.distance, level.wins, level.losses)).collect()
}

/// The game, if it is not too large.
fn set_up(
    limits: &Limits,
    spec: &'static Spec,
    parameters: &Value,
    board: Option<String>,
) -> Result<Arc<dyn CompiledGame>, Problem> {
    /// With more police, setting up a game takes more memory than a small game may use.
    const POLICE_MAX: u32 = 3;
    const POLICE_TOO_MANY: u32 = POLICE_MAX + 1;
    let bytes = limits.board_bytes;
    if board.as_ref().is_some_and(|board| board.len() > bytes) {
        return Err(too_large(format!("a board of more than {bytes} bytes")));
    }
    let arguments = from_json(parameters).map_err(Problem::refused)?;
    if matches!(arguments.get("police"), Some(Argument::Number(POLICE_TOO_MANY..))) {
        return Err(too_large(format!("more than {POLICE_MAX} police")));
    }
    let name = spec.file.as_ref().map_or("file", |file| file.holds);
    let board = board.map(|text| Source { name: name.to_owned(), text });
    let setup = Setup::new(spec, arguments, board).map_err(setup_problem)?;
    let game = retrograde_catalog::game(&setup).map_err(setup_problem)?;
    let degree = game.rules().degree_max().map_or(game.states(), u64::from);
    match game.states().checked_mul(degree) {
        Some(moves) if moves <= limits.solve_moves => Ok(game),
        _ => {
            let states = grouped(game.states());
            Err(too_large(format!("a game of {states} states, each with up to {degree} moves")))
        }
    }
}

fn solution(
    limits: &Limits,
    game: &dyn CompiledGame,
    hear: &(dyn Fn(&Progress) -> ControlFlow<()> + Sync),
) -> Result<Solution, Problem> {
    let engine = if game.has_words() { Engine::BitParallel } else { Engine::Scalar };
    let solver = Solver::new().threads(1).memory_max(limits.solve_bytes).progress(hear);
    game.solve(engine, solver).map_err(|error| match error {
        SolveError::Memory { .. } => too_large(error.to_string()),
        SolveError::Cancelled => too_large("a solve of this length".to_owned()),
        error => Problem::fault(error),
    })
}

/// The texts of all valid states, if they are few.
fn every_state(
    limits: &Limits,
    game: &dyn CompiledGame,
    values: &dyn Values,
) -> Result<Vec<String>, Problem> {
    let mut met = Vec::new();
    for state in 0..game.states() {
        if values.probe(state)?.is_some() {
            met.push(state);
        }
        if met.len() > limits.batch {
            break;
        }
    }
    limits.check_batch(met.len())?;
    Ok(met.into_iter().filter_map(|state| game.text(state)).collect())
}

fn setup_problem(error: SetupError) -> Problem {
    Problem::refused(error.to_string())
}

fn too_large(what: String) -> Problem {
    Problem::refused(format!("{what}: too large to be solved here; `retrograde solve` does it"))
}
