//! Graphs whose moves the caller lists.

use retrograde::adapters::{Edges, EdgesError, Explicit};

use crate::errors::{Code, Error, Failure, report};
use crate::options::{Options, solver};
use crate::pointers::{array, borrow, free, give, put};
use crate::value::{Outcome, Value};

/// A solved graph. All threads may use it at once.
pub struct Graph(retrograde::Solution);

/// A move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The vertex before it.
    pub from: u64,
    /// The vertex after it.
    pub to: u64,
}

/// Solves a graph of so many vertices, whose numbers begin with 0: two players in turn move along its edges. `stuck` is the
/// outcome for a player who cannot move.
///
/// # Safety
///
/// `edges` points to `edge_count` edges. `options` is null or points to options. `graph` points to room for a pointer. `error`
/// is null, or points to room for an error.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_graph_solve(
    vertices: u64,
    edges: *const Edge,
    edge_count: usize,
    stuck: i32,
    options: *const Options,
    graph: *mut *mut Graph,
    error: *mut Error,
) -> Code {
    let solve = || {
        // SAFETY: the caller promises this length.
        let edges = unsafe { array(edges, edge_count, "edges") }?.iter();
        let edges = edges.map(|edge| Ok::<_, EdgesError>((edge.from, edge.to)));
        let edges = Edges::try_new(vertices, edges);
        let edges = edges.map_err(|error| Failure::new(Code::Game, error))?;
        let stuck = match stuck {
            stuck if stuck == Outcome::Loss as i32 => retrograde::Value::Loss(0),
            stuck if stuck == Outcome::Draw as i32 => retrograde::Value::Draw,
            stuck if stuck == Outcome::Win as i32 => retrograde::Value::Win(0),
            other => {
                let problem = format!("stuck is {other}, which is no outcome");
                return Err(Failure::new(Code::Argument, problem));
            }
        };
        let game = Explicit::from_game(edges.with_stuck(stuck));
        // SAFETY: the caller promises options, or null.
        Ok(Graph(unsafe { solver(options) }.solve(&game)?))
    };
    // SAFETY: the caller promises the same of these pointers.
    unsafe { report(error, || give(graph, "graph", solve)) }
}

/// The value of a vertex.
///
/// # Safety
///
/// `graph` is null, or was solved and is not freed. `value` points to room for a value. `error` is null, or points to room for an error.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_graph_value(
    graph: *const Graph,
    state: u64,
    value: *mut Value,
    error: *mut Error,
) -> Code {
    let find = |Graph(solution): &Graph| {
        if state >= solution.states() {
            let states = solution.states();
            let problem = format!("there is no vertex {state}: the graph has {states}");
            return Err(Failure::new(Code::Argument, problem));
        }
        Ok(Value::new(solution.value(state), solution.has_distances()))
    };
    // SAFETY: the caller promises the same of these pointers.
    unsafe { report(error, || put(value, find(borrow(graph, "graph")?)?, "value")) }
}

/// Frees a graph. A null pointer is none.
///
/// # Safety
///
/// `graph` is null, or was solved, is used by no thread, and never again.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_graph_free(graph: *mut Graph) {
    // SAFETY: the caller promises the same of this pointer.
    unsafe { free(graph) }
}
