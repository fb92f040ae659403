//! Positions by text: their values and their moves, of any game.

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Arc;

use retrograde_catalog::{Engine, GameOracle, Known, OracleError, open_family};
use retrograde_games::{Setup, SetupError, Source, TEXT};

use crate::errors::{Code, Error, Failure, report};
use crate::options::{Options, solver};
use crate::pointers::{borrow, copy_text, free, give, put, text};
use crate::value::Value;

/// A solved game: its positions by text. All threads may use it at once.
pub struct Oracle(retrograde_catalog::Oracle);

/// Is told a move: its name, the position after it, and its value for the player who makes it. The texts live until it returns. Ends the
/// list if it returns anything but 0.
pub type MoveVisitor = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        name: *const c_char,
        next: *const c_char,
        value: Value,
    ) -> c_int,
>;

impl From<OracleError> for Failure {
    fn from(error: OracleError) -> Failure {
        let code = match error {
            OracleError::State(_) => Code::Argument,
            OracleError::Wrong(_) => Code::Broken,
            _ => Code::File,
        };
        Failure::new(code, error)
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Failure {
        Failure::new(Code::Game, error)
    }
}

/// Opens what a path names: the table of a game, or a folder of tables of regions, such as chess endgames.
///
/// # Safety
///
/// `path` is a text with a zero at its end. `oracle` points to room for a pointer. `error` is null, or points to room for an error.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_oracle_open(
    path: *const c_char,
    oracle: *mut *mut Oracle,
    error: *mut Error,
) -> Code {
    let open = |path: &str| -> Result<Oracle, Failure> {
        let file = |cause: String| Failure::new(Code::File, cause);
        if Path::new(path).is_dir() {
            let family = open_family(path.as_ref(), retrograde_table::Options::new());
            let family = family.map_err(|error| file(error.to_string()))?;
            let none =
                || file(format!("{path}: this folder has no tables of regions; name a table"));
            return family.map(|(_, tables)| Oracle(tables)).ok_or_else(none);
        }
        let table = retrograde_table::Table::open(path).map_err(|error| file(error.to_string()))?;
        let solved = GameOracle::of_table(Arc::new(table)).map_err(file)?;
        Ok(Oracle(retrograde_catalog::Oracle::new(solved)))
    };
    // SAFETY: the caller promises the same of these pointers.
    unsafe { report(error, || give(oracle, "oracle", || open(text(path, "path")?))) }
}

/// Compiles the text of a game, and solves it.
///
/// # Safety
///
/// `game` is a text with a zero at its end. `options` is null or points to options. `oracle` points to room for a pointer. `error` is
/// null, or points to room for an error.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_oracle_solve_text(
    game: *const c_char,
    options: *const Options,
    oracle: *mut *mut Oracle,
    error: *mut Error,
) -> Code {
    let solve = || -> Result<Oracle, Failure> {
        // SAFETY: the caller promises a text.
        let text = unsafe { text(game, "game") }?;
        let source = Source { name: "the text".to_owned(), text: text.to_owned() };
        let game = retrograde_catalog::game(&Setup::parse(TEXT, &[], Some(source))?)?;
        let engine = if game.has_words() { Engine::BitParallel } else { Engine::Scalar };
        // SAFETY: the caller promises options, or null.
        let solution = game.solve(engine, unsafe { solver(options) })?;
        let solved = GameOracle::new(game, Known::Solution(Arc::new(solution)));
        let solved = solved.map_err(|error| Failure::new(Code::Broken, error))?;
        Ok(Oracle(retrograde_catalog::Oracle::new(solved)))
    };
    // SAFETY: the caller promises the same of these pointers.
    unsafe { report(error, || give(oracle, "oracle", solve)) }
}

/// Writes the text of the start position to `room`, which has `bytes` bytes, with a zero at its end. `needed`, if it is not null, is set
/// to the bytes that the text takes.
///
/// # Safety
///
/// `oracle` is null, or was opened and is not freed. `room` points to `bytes` bytes. `needed` is null, or points to room for a number.
/// `error` is null, or points to room for an error.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_oracle_start(
    oracle: *const Oracle,
    room: *mut c_char,
    bytes: usize,
    needed: *mut usize,
    error: *mut Error,
) -> Code {
    let start = || {
        // SAFETY: the caller promises the same of this pointer.
        let Oracle(oracle) = unsafe { borrow(oracle, "oracle") }?;
        let none = || Failure::new(Code::Argument, "the game has no start: name a position");
        let start = oracle.text(&oracle.start().ok_or_else(none)?);
        if !needed.is_null() {
            // SAFETY: it is no null pointer, and the caller promises the room.
            unsafe { put(needed, start.len() + 1, "needed") }?;
        }
        if room.is_null() || bytes <= start.len() {
            let problem = format!("the start takes {} bytes of room", start.len() + 1);
            return Err(Failure::new(Code::Argument, problem));
        }
        // SAFETY: the caller promises so many bytes, and there are more than the text has.
        unsafe { copy_text(&start, room, bytes) };
        Ok(())
    };
    // SAFETY: the caller promises the same of this pointer.
    unsafe { report(error, start) }
}

/// The value of a position.
///
/// # Safety
///
/// `oracle` is null, or was opened and is not freed. `position` is a text with a zero at its end. `value` points to room for a value.
/// `error` is null, or points to room for an error.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_oracle_value(
    oracle: *const Oracle,
    position: *const c_char,
    value: *mut Value,
    error: *mut Error,
) -> Code {
    let find = || {
        // SAFETY: the caller promises the same of these pointers.
        let (Oracle(oracle), text) =
            unsafe { (borrow(oracle, "oracle")?, text(position, "position")?) };
        let found = oracle.value(&oracle.parse(text)?)?;
        // SAFETY: the caller promises the room.
        unsafe { put(value, Value::new(found, oracle.has_distances()), "value") }
    };
    // SAFETY: the caller promises the same of this pointer.
    unsafe { report(error, find) }
}

/// Tells each move of a position, best first.
///
/// # Safety
///
/// `oracle` is null, or was opened and is not freed. `position` is a text with a zero at its end. `visit` may be called with `context`.
/// `error` is null, or points to room for an error.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_oracle_moves(
    oracle: *const Oracle,
    position: *const c_char,
    visit: MoveVisitor,
    context: *mut c_void,
    error: *mut Error,
) -> Code {
    let tell = || {
        // SAFETY: the caller promises the same of these pointers.
        let (Oracle(oracle), text) =
            unsafe { (borrow(oracle, "oracle")?, text(position, "position")?) };
        let visit = visit.ok_or_else(|| Failure::new(Code::Argument, "visit is a null pointer"))?;
        let state = oracle.parse(text)?;
        if oracle.value(&state)?.is_none() {
            return Err(Failure::new(
                Code::Argument,
                format!("{text}: this is no position of the game"),
            ));
        }
        for played in oracle.choices(&state)?.moves {
            let value = Value::new(Some(played.value), oracle.has_distances());
            let (name, next) = (c_text(played.step.name)?, c_text(oracle.text(&played.step.next))?);
            // SAFETY: the caller gave this function together with this context, and the texts live until it returns.
            if unsafe { visit(context, name.as_ptr(), next.as_ptr(), value) } != 0 {
                break;
            }
        }
        Ok(())
    };
    // SAFETY: the caller promises the same of this pointer.
    unsafe { report(error, tell) }
}

fn c_text(text: String) -> Result<CString, Failure> {
    CString::new(text).map_err(|_| Failure::new(Code::Broken, "a text has a zero inside"))
}

/// Frees an oracle. A null pointer is none.
///
/// # Safety
///
/// `oracle` is null, or was opened, is used by no thread, and never again.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_oracle_free(oracle: *mut Oracle) {
    // SAFETY: the caller promises the same of this pointer.
    unsafe { free(oracle) }
}
