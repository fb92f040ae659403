//! The page's questions, answered inside a browser.
//!
//! The page asks by paths, as it asks a server: `/games`, `/solve/take`. A question is JSON, `{"path": ..., "body": ...}`, and so
//! is the answer, `{"status": ..., "said": ...}`. A worker of the page writes the question to [`question_at`], calls
//! [`answer`], and reads the answer at [`answer_at`]. While a game is solved, the module calls `progress` of the page.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use retrograde::Progress;
use retrograde_answers::{Limits, Problem, ProblemKind, Question, Solves};
use retrograde_catalog::registry_object;
use serde::Deserialize;
use serde_json::{Value, json};

/// A question of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    path: String,
    #[serde(default)]
    body: Value,
}

/// What answers: the games that were solved last.
pub struct Engine {
    solves: Solves,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// Nothing is solved yet. A browser gives a page about four GiB; a quarter of that is for one solve.
    pub fn new() -> Engine {
        let limits = Limits {
            board_bytes: 256 << 10,
            solve_moves: 1 << 32,
            solve_bytes: 1 << 30,
            solved_bytes: 512 << 20,
            ..Limits::default()
        };
        Engine { solves: Solves::new(limits) }
    }

    /// The answer to a question. `hear` is told of the progress of a solve.
    pub fn answer(&self, question: &str, hear: &(dyn Fn(&Progress) + Sync)) -> String {
        let (status, said) = match self.said(question, hear) {
            Ok(said) => (200, said),
            Err(problem) => (problem.kind().status(), json!({ "error": problem.text() })),
        };
        json!({ "status": status, "said": said }).to_string()
    }

    fn said(&self, question: &str, hear: &(dyn Fn(&Progress) + Sync)) -> Result<Value, Problem> {
        let Asked { path, body } = read(serde_json::from_str(question))?;
        match path.strip_prefix("/solve/") {
            Some(game) => {
                let question: Question = read(serde_json::from_value(body))?;
                let go_on = |progress: &Progress| {
                    hear(progress);
                    ControlFlow::Continue(())
                };
                self.solves.answer(game, question, &go_on, &|| Ok(()))
            }
            None if path == "/games" => Ok(registry_object()),
            None if path == "/tables" => Ok(json!({ "tables": [] })),
            None => Err(Problem::new(ProblemKind::Missing, format!("there is no {path} here"))),
        }
    }
}

fn read<T>(read: serde_json::Result<T>) -> Result<T, Problem> {
    let bad = |error| format!("the question has another shape: {error}");
    read.map_err(|error| Problem::new(ProblemKind::Bad, bad(error)))
}

/// What the page and the module share: the bytes of the question, then those of the answer.
struct Shared {
    engine: Option<Engine>,
    bytes: Vec<u8>,
}

static SHARED: Mutex<Shared> = Mutex::new(Shared { engine: None, bytes: Vec::new() });

fn shared() -> MutexGuard<'static, Shared> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a question of so many bytes, and says where the page must write them.
#[unsafe(no_mangle)] // The page calls it by this name, which no library has.
pub extern "C" fn question_at(bytes: usize) -> *mut u8 {
    let mut shared = shared();
    shared.bytes = vec![0; bytes];
    shared.bytes.as_mut_ptr()
}

/// Answers the question; returns how many bytes the answer has.
#[unsafe(no_mangle)] // The page calls it by this name, which no library has.
pub extern "C" fn answer() -> usize {
    let mut shared = shared();
    let Shared { engine, bytes } = &mut *shared;
    let question = String::from_utf8_lossy(bytes).into_owned();
    let engine = engine.get_or_insert_default();
    let hear = |told: &Progress| page::progress(told.done as f64, told.states as f64);
    *bytes = engine.answer(&question, &hear).into_bytes();
    bytes.len()
}

/// Where the answer stands.
#[unsafe(no_mangle)] // The page calls it by this name, which no library has.
pub extern "C" fn answer_at() -> *const u8 {
    shared().bytes.as_ptr()
}

#[cfg(target_family = "wasm")]
mod page {
    #[link(wasm_import_module = "page")]
    // SAFETY: the worker of the page defines it with these types.
    unsafe extern "C" {
        /// Tells the page how many states are done, and how many there are to do.
        pub(crate) safe fn progress(done: f64, states: f64);
    }
}

/// Outside a browser, nobody listens.
#[cfg(not(target_family = "wasm"))]
mod page {
    pub(crate) fn progress(_: f64, _: f64) {}
}
