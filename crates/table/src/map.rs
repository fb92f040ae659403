//! The memory map, and with it all the unsafe code of this crate.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a file that is not empty into memory, to be read.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a map is sound as long as nobody changes the file underneath it. Tables are written under another
    // name and renamed, never changed in place, so no writer of this crate does; whoever opens a table as a
    // map promises it for all others (see `Access::Map`). What is read is checked against a checksum before
    // it is believed. It gains the copy and the system call of a read: about a microsecond a block.
    unsafe { Mmap::map(file) }
}
