//! Codes and messages.

use std::any::Any;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::pointers::copy_text;

/// What a function returns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// It did what it says.
    Ok = 0,
    /// An argument makes no sense: a null pointer, a text that is not UTF-8, a state or position that does not exist.
    Argument = 1,
    /// A file cannot be read, or is no table.
    File = 2,
    /// A text or graph has a mistake. The message says where.
    Game = 3,
    /// The memory limit is too small. The message says how much is enough.
    Memory = 4,
    /// The progress callback has stopped the solve.
    Stopped = 5,
    /// Tables or rules contradict each other, or the library has a bug.
    Broken = 6,
}

/// How many bytes a message may have, with the zero at its end.
pub const MESSAGE_BYTES: usize = 512;

/// Why a function failed. The caller owns it, and need not set it before.
#[repr(C)]
pub struct Error {
    /// The returned code.
    pub code: Code,
    /// What is wrong, in UTF-8, with a zero at the end. A longer message is cut.
    pub message: [c_char; MESSAGE_BYTES],
}

/// A failure on its way to the caller. It is boxed, so that an answer without one is small.
pub(crate) struct Failure(Box<(Code, String)>);

impl Failure {
    pub(crate) fn new(code: Code, cause: impl ToString) -> Failure {
        Failure(Box::new((code, cause.to_string())))
    }
}

/// Runs `work`, and tells the caller what went wrong.
///
/// # Safety
///
/// `error` is null, or points to room for an [`Error`].
#[inline(always)]
pub(crate) unsafe fn report(error: *mut Error, work: impl FnOnce() -> Result<(), Failure>) -> Code {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Code::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => panicked(&*panic),
    };
    // SAFETY: the caller promises the same of this pointer.
    unsafe { tell(error, failure) }
}

#[cold]
fn panicked(panic: &(dyn Any + Send)) -> Failure {
    let cause = panic.downcast_ref::<String>().map(String::as_str);
    let cause = cause.or_else(|| panic.downcast_ref::<&str>().copied());
    Failure::new(Code::Broken, cause.unwrap_or("the library has a bug"))
}

/// # Safety
///
/// `error` is null, or points to room for an [`Error`].
#[cold]
unsafe fn tell(error: *mut Error, Failure(failure): Failure) -> Code {
    let (code, message) = *failure;
    if !error.is_null() {
        // SAFETY: the caller gives room for it. Its fields are written without reading them.
        unsafe {
            (&raw mut (*error).code).write(code);
            copy_text(&message, (&raw mut (*error).message).cast(), MESSAGE_BYTES);
        }
    }
    code
}
