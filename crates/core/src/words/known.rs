//! What is known of the states of a word: two bits each.
//!
//! | state | unwon | shut |
//! |---|---|---|
//! | open | 1 | 0 |
//! | won | 0 | 0 |
//! | lost | 1 | 1 |
//! | invalid | 0 | 1 |
//!
//! A win clears the first bit and a loss sets the second. So a check for losses reads only bits that wins change, and a check
//! for wins reads, of the open and the lost states, only bits that losses change.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::{FromBytes, IntoBytes};

use crate::memory::pages::Pages;

/// The unwon states of a word and the shut ones, in one line of memory, because they are read together.
pub(crate) type Known = [u64; 2];

/// The same while threads read the words of one another. Each word is written by one thread alone.
pub(super) type SharedKnown = [AtomicU64; 2];

/// What the rules alone say.
#[inline(always)]
pub(super) fn seeded(won: u64, lost: u64, invalid: u64) -> Known {
    [!(won | invalid), lost | invalid]
}

pub(super) fn open([unwon, shut]: Known) -> u64 {
    unwon & !shut
}

pub(super) fn won([unwon, shut]: Known) -> u64 {
    !(unwon | shut)
}

pub(super) fn lost([unwon, shut]: Known) -> u64 {
    unwon & shut
}

pub(super) fn invalid([unwon, shut]: Known) -> u64 {
    !unwon & shut
}

/// Lets threads read and write the words together.
pub(super) fn share(known: &mut Pages<Known>) -> &[SharedKnown] {
    <[SharedKnown]>::mut_from_bytes(known.as_mut_bytes())
        .unwrap_or_else(|_| unreachable!("numbers are as large and as aligned as atomic ones"))
}

#[inline(always)]
pub(super) fn load([unwon, shut]: &SharedKnown) -> Known {
    [unwon.load(Relaxed), shut.load(Relaxed)]
}

/// Open states of a word win, or lose.
#[inline(always)]
pub(super) fn settle([unwon, shut]: &SharedKnown, states: u64, won: bool) {
    if won {
        unwon.store(unwon.load(Relaxed) & !states, Relaxed);
    } else {
        shut.store(shut.load(Relaxed) | states, Relaxed);
    }
}
