//! The page's questions, answered inside a browser.
//!
//! The page asks by paths, as it asks a server: `/games`, `/solve/take`. A question is JSON, `{"path": ..., "query": ..., "body":
//! ...}`, and so is the answer, `{"status": ..., "said": ...}`. A worker of the page writes the question to [`question_at`], calls
//! [`answer`], and reads the answer at [`answer_at`]. While a game is solved, the module calls `progress` of the page.
//!
//! A question about tables may need bytes that the module does not have. Then the answer is `{"missing": [...]}`. The worker
//! fetches them, gives them to [`supply`], and asks again.

mod folder;

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use retrograde::Progress;
use retrograde_answers::{Limits, Problem, ProblemKind, Question, Solves};
use retrograde_catalog::registry_object;
use retrograde_files::{MissingBytes, WHOLE_BYTES};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::folder::{FolderSource, LISTING, OpenFolder, Reply};

/// A question of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    path: String,
    #[serde(default)]
    query: Query,
    #[serde(default)]
    body: Value,
    /// Whether the same question was asked before, and bytes were missing.
    #[serde(default)]
    again: bool,
}

/// What stands after `?` in the path.
#[derive(Default, Deserialize)]
pub(crate) struct Query {
    state: Option<String>,
    fen: Option<String>,
    /// A number at random.
    seed: Option<f64>,
}

/// What answers: the games that were solved last, and the tables that the user has opened.
pub struct Engine {
    solves: Solves,
    opened: Option<OpenFolder>,
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
        Engine { solves: Solves::new(limits), opened: None }
    }

    /// The answer to a question. `hear` is told of the progress of a solve.
    pub fn answer(&mut self, question: &str, hear: &(dyn Fn(&Progress) + Sync)) -> String {
        let reply =
            self.reply(question, hear).unwrap_or_else(|problem| Reply::Answer(Err(problem)));
        let said = match reply {
            Reply::Answer(Ok(said)) => json!({ "status": 200, "said": said }),
            Reply::Answer(Err(problem)) => {
                json!({ "status": problem.kind().status(), "said": { "error": problem.text() } })
            }
            Reply::Missing(missing) => {
                let part = |MissingBytes { file, from, to, is_whole }| json!({ "file": file, "from": from, "to": to.unwrap_or(WHOLE_BYTES), "whole": is_whole, "listing": file == LISTING });
                json!({ "missing": missing.into_iter().map(part).collect::<Vec<_>>() })
            }
        };
        said.to_string()
    }

    fn reply(
        &mut self,
        question: &str,
        hear: &(dyn Fn(&Progress) + Sync),
    ) -> Result<Reply, Problem> {
        let Request { path, query, body, again } = read(serde_json::from_str(question))?;
        if let Some(game) = path.strip_prefix("/solve/") {
            let question: Question = read(serde_json::from_value(body))?;
            let go_on = |progress: &Progress| {
                hear(progress);
                ControlFlow::Continue(())
            };
            let solved = self.solves.answer(game, question, &go_on, &|| Ok(()));
            return Ok(Reply::Answer(solved.map(|solved| json!(solved))));
        }
        match (&*path, &mut self.opened) {
            ("/games", _) => Ok(Reply::Answer(Ok(json!(registry_object())))),
            ("/open", opened) => {
                let source: FolderSource = read(serde_json::from_value(body))?;
                let opened = match opened {
                    Some(opened) if opened.is_of(&source) => opened,
                    // The folder of before ends first: both may have the same path.
                    opened => {
                        *opened = None;
                        opened.insert(OpenFolder::new(source))
                    }
                };
                Ok(opened.answer("/tables", &query, again))
            }
            (path, Some(opened)) => Ok(opened.answer(path, &query, again)),
            ("/tables", None) => Ok(Reply::Answer(Ok(json!({ "tables": [] })))),
            (path, None) => {
                let text = format!("there is no {path} here: open a table first");
                Err(Problem::new(ProblemKind::Missing, text))
            }
        }
    }

    /// Puts bytes of a file here: all that it has from a place on, or as many as were asked for. `len` is the length of the
    /// file; without it, the file is not there. The error says how the bytes contradict what is known of the file.
    pub fn supply(
        &self,
        file: &str,
        from: u64,
        len: Option<u64>,
        bytes: &[u8],
    ) -> Result<(), String> {
        let Some(opened) = &self.opened else { return Ok(()) };
        match len {
            Some(len) => opened.folder().put(file, from, len, bytes),
            None => {
                opened.folder().set_absent(file);
                Ok(())
            }
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

/// Takes bytes of a file that were missing. Before them stands the name of the file, with `name_bytes` bytes. `len` is the
/// length of the file, or less than 0 if there is no such file. Returns how many bytes the message about an error has, which
/// stands where answers do; 0 if there is none.
#[unsafe(no_mangle)] // The page calls it by this name, which no library has.
pub extern "C" fn supply(name_bytes: usize, from: f64, len: f64) -> usize {
    let mut shared = shared();
    let Shared { engine, bytes } = &mut *shared;
    let (name, content) = bytes.split_at(name_bytes.min(bytes.len()));
    let name = String::from_utf8_lossy(name);
    let len = (len >= 0.0).then_some(len as u64);
    let done = engine.get_or_insert_default().supply(&name, from as u64, len, content);
    *bytes = done.err().unwrap_or_default().into_bytes();
    bytes.len()
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
