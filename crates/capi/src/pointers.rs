//! What comes from C: texts, handles and room for answers, each checked for null.

use std::ffi::{CStr, c_char};
use std::ptr;

use crate::errors::{Code, Failure};

#[cold]
fn null(what: &str) -> Failure {
    Failure::new(Code::Argument, format!("{what} is a null pointer"))
}

/// A text.
///
/// # Safety
///
/// `text` is null, or points to a text with a zero at its end, which no thread changes during the call.
pub(crate) unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(null(what));
    }
    // SAFETY: it is no null pointer, and the caller promises the zero at its end.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map_err(|_| Failure::new(Code::Argument, format!("{what} is not UTF-8")))
}

/// What a handle stands for.
///
/// # Safety
///
/// `handle` is null, or was made by [`give`] and is not freed during the call.
#[inline]
pub(crate) unsafe fn borrow<'a, T>(handle: *const T, what: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller promises that it points to what `give` has made.
    unsafe { handle.as_ref() }.ok_or_else(|| null(what))
}

/// An array.
///
/// # Safety
///
/// `first` points to `len` values that no thread changes during the call, or `len` is 0.
pub(crate) unsafe fn array<'a, T>(
    first: *const T,
    len: usize,
    what: &str,
) -> Result<&'a [T], Failure> {
    match (len, first.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(null(what)),
        // SAFETY: it is no null pointer, and the caller promises its length.
        (len, false) => Ok(unsafe { std::slice::from_raw_parts(first, len) }),
    }
}

/// Writes an answer.
///
/// # Safety
///
/// `room` is null, or points to room for a `T`.
#[inline]
pub(crate) unsafe fn put<T>(room: *mut T, answer: T, what: &str) -> Result<(), Failure> {
    if room.is_null() {
        return Err(null(what));
    }
    // SAFETY: it is no null pointer, and the caller promises the room.
    unsafe { room.write(answer) };
    Ok(())
}

/// Makes a handle. `room` is set to null first, so that a caller who ignores the code has no wild pointer.
///
/// # Safety
///
/// `room` is null, or points to room for a pointer.
pub(crate) unsafe fn give<T>(
    room: *mut *mut T,
    what: &str,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    // SAFETY: the caller promises the room.
    unsafe { put(room, ptr::null_mut(), what) }?;
    let made = Box::into_raw(Box::new(make()?));
    // SAFETY: the same room.
    unsafe { put(room, made, what) }
}

/// Frees a handle. A null pointer is none.
///
/// # Safety
///
/// `handle` is null, or was made by [`give`], and is used by no thread, and never again.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: `give` made it as a box, and the caller gives it back.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// Copies a text, cut to so many bytes with the zero at its end, between two characters.
///
/// # Safety
///
/// `room` points to room for `bytes` bytes, and `bytes` is above 0.
pub(crate) unsafe fn copy_text(text: &str, room: *mut c_char, bytes: usize) {
    let mut len = text.len().min(bytes - 1);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    // SAFETY: `len + 1` is at most `bytes`, and Rust's text is not in the caller's room.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr().cast(), room, len);
        room.add(len).write(0);
    }
}
