//! Tables by number: the fastest way to a value.

use std::ffi::c_char;

use retrograde_table::TableError;

use crate::errors::{Code, Error, Failure, report};
use crate::pointers::{borrow, free, give, put, text};
use crate::value::Value;

/// The table of one game or region. All threads may use it at once.
pub struct Table(retrograde_table::Table);

/// Opens a table of which no value is left out.
///
/// # Safety
///
/// `path` is a text with a zero at its end. `table` points to room for a pointer. `error` is null, or points to room for an error.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_table_open(
    path: *const c_char,
    table: *mut *mut Table,
    error: *mut Error,
) -> Code {
    let open = |path: &str| {
        let opened = retrograde_table::Table::open(path);
        let opened = opened.map_err(|error| Failure::new(Code::File, error))?;
        if !opened.answers_all() {
            let advice =
                "leaves values out, which follow from the rules: open it by retrograde_oracle_open";
            return Err(Failure::new(Code::File, format!("{path}: {advice}")));
        }
        Ok(Table(opened))
    };
    // SAFETY: the caller promises the same of these pointers.
    unsafe { report(error, || give(table, "table", || open(text(path, "path")?))) }
}

/// How many states the table has; 0 for a null pointer.
///
/// # Safety
///
/// `table` is null, or was opened and is not closed.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_table_states(table: *const Table) -> u64 {
    // SAFETY: the caller promises the same of this pointer.
    unsafe { borrow(table, "table") }.map_or(0, |Table(table)| table.states())
}

/// The value of a state.
///
/// # Safety
///
/// `table` is null, or was opened and is not closed. `value` points to room for a value. `error` is null, or points to room for an error.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_table_value(
    table: *const Table,
    state: u64,
    value: *mut Value,
    error: *mut Error,
) -> Code {
    let find = |Table(table): &Table| -> Result<Value, Failure> {
        // The table itself finds out whether it has the state.
        let found = table.probe(state).map_err(|error| match error {
            TableError::State { .. } => Failure::new(Code::Argument, error),
            error => Failure::new(Code::File, error),
        })?;
        Ok(Value::new(found, table.has_distances()))
    };
    // SAFETY: the caller promises the same of these pointers.
    unsafe { report(error, || put(value, find(borrow(table, "table")?)?, "value")) }
}

/// Closes a table. A null pointer is none.
///
/// # Safety
///
/// `table` is null, or was opened, is used by no thread, and never again.
#[unsafe(no_mangle)] // C calls it by this name, which no other library has.
pub unsafe extern "C" fn retrograde_table_free(table: *mut Table) {
    // SAFETY: the caller promises the same of this pointer.
    unsafe { free(table) }
}
