//! Solves small games on request, such as a board drawn on the page.
//!
//! A client sends the board again with its next question. The server keeps the games that it has solved last.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use retrograde::{Level, Solution, SolveError, Solver};
use retrograde_catalog::{AnyGame, Engine, Oracle, Values, from_json};
use retrograde_games::{Argument, GameSpec, Setup, SetupError, Source, TEXT};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ask::RegionOracle;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::recent::RecentGame;
use crate::reply::{Keep, Reply};
use crate::server::Shared;
use crate::tables::{self, sides, tell_all};

/// A game, and a question about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asking {
    /// The text of the board or graph, if the game has one.
    board: Option<String>,
    /// The other parameters of the rules.
    #[serde(default)]
    parameters: Value,
    /// The state to answer for [default: the game's start].
    state: Option<String>,
    /// States whose values to return.
    #[serde(default)]
    states: Vec<String>,
    /// Whether to return all states with their moves, if there are not too many.
    #[serde(default)]
    all: bool,
    /// Whether to return how to draw the state, and a summary of the game.
    #[serde(default)]
    view: bool,
    /// How many plies of best play to return.
    #[serde(default)]
    plies: usize,
}

/// `POST /solve/{game}`
pub(crate) async fn solve(
    State(shared): State<Arc<Shared>>,
    game: Result<Path<String>, PathRejection>,
    body: Result<Json<Asking>, JsonRejection>,
) -> Result<Reply, Problem> {
    let Path(game) = game?;
    let game = GameSpec::named(&game).map_err(|error| Problem::missing(error.to_string()))?;
    if game.name == TEXT {
        // The names in a text stay in memory as long as the program runs.
        let advice = "texts are not solved here: serve the table that `retrograde solve` writes";
        return Err(Problem::refused(advice.to_owned()));
    }
    let Json(asking) = body?;
    shared.limits.check_batch(asking.states.len())?;
    let work = Arc::clone(&shared);
    work.solves.run(move || answer(&shared, game, asking)).await
}

/// Sets the game up, solves it and answers.
fn answer(shared: &Shared, spec: &'static GameSpec, mut asking: Asking) -> Result<Reply, Problem> {
    let limits = &shared.limits;
    let solved = solved(shared, spec, &mut asking)?;
    let RecentGame { solved, counts } = &*solved;
    let game = solved.rules();
    let Asking { state, states, all, view, plies, .. } = asking;
    let asked = RegionOracle::game(Oracle::shared(Arc::clone(solved)));
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
        Some(from) if view => Some(json!(asked.view(&from)?)),
        Some(from) => Some(json!(asked.answer(&from)?)),
    };
    let mut said = json!({
            "game": game.name(),
            "sides": sides(counts),
            "longest": longest(|_| true),
            "longest_win": longest(|level| level.wins > 0),
            "start": asked.start(),
            "remark": remark.map(|remark| remark.text),
            "answer": answer,
            "answers": tell_all(&asked, states, all, limits.deadline())?,
            "line": line,
    });
    if view {
        let longest = asked.longest(limits.deadline())?;
        said["levels"] = tables::levels(&levels);
        said["longest_states"] = json!(longest);
    }
    Ok(Reply::json(&said, Keep::Never))
}

/// The game with its solution. It may have been solved for an earlier request.
fn solved(
    shared: &Shared,
    spec: &'static GameSpec,
    asking: &mut Asking,
) -> Result<Arc<RecentGame>, Problem> {
    let key = json!([spec.name, asking.parameters, asking.board]).to_string();
    if let Some(solved) = shared.recent.find(&key) {
        return Ok(solved);
    }
    let game = set_up(&shared.limits, spec, &asking.parameters, asking.board.take())?;
    let solution = solution(&shared.limits, &*game)?;
    shared.metrics.solves.fetch_add(1, Relaxed);
    let solved = Arc::new(RecentGame::new(game, solution)?);
    shared.recent.keep(key, &solved);
    Ok(solved)
}

/// The game, if it is not too large.
fn set_up(
    limits: &Limits,
    spec: &'static GameSpec,
    parameters: &Value,
    board: Option<String>,
) -> Result<Arc<dyn AnyGame>, Problem> {
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
    let board = board.map(|text| Source { name: "board".to_owned(), text });
    let setup = Setup::new(spec, arguments, board).map_err(setup_problem)?;
    let game = retrograde_catalog::game(&setup).map_err(setup_problem)?;
    let degree = game.degree_max().map_or(game.states(), u64::from);
    match game.states().checked_mul(degree) {
        Some(moves) if moves <= limits.solve_moves => Ok(game),
        _ => {
            let states = game.states();
            Err(too_large(format!("a game of {states} states, each with up to {degree} moves")))
        }
    }
}

fn solution(limits: &Limits, game: &dyn AnyGame) -> Result<Solution, Problem> {
    let engine = if game.has_words() { Engine::BitParallel } else { Engine::Scalar };
    let end = Instant::now() + limits.solve_time;
    let solver = Solver::new().threads(1).memory_max(limits.solve_bytes).progress(move |_| {
        if Instant::now() < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    game.solve(engine, solver).map_err(|error| match error {
        SolveError::Memory { .. } => too_large(error.to_string()),
        SolveError::Cancelled => too_large("a solve of this length".to_owned()),
        error => Problem::fault(error),
    })
}

/// The texts of all valid states, if they are few.
fn every_state(
    limits: &Limits,
    game: &dyn AnyGame,
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
