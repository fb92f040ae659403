//! What a level passes to the next: *masks* of states that win, and *marks* of words to check.
//!
//! Marks have a bit for each word, and in a second array a bit for each 64 words. So the time to visit all
//! marks grows with their number, plus one 262,144th of the game. The arrays are so small that they stay in
//! the cache. Several threads add to the same marks, so the bits are atomic. One thread alone uses no atomic
//! instructions.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::FromZeros;

use crate::memory::{Ones, Pages};
use crate::rules::BitParallel;

/// The sets of 64 neighbouring words.
pub(crate) type Run = [u64; 64];

/// What a level received from the level before.
pub(crate) struct Inbox {
    /// States with a winning move. Some of them have settled already, or will never settle. Empty if the
    /// solver [checks words for wins](BitParallel::CHECKS_WINS).
    wins: Pages<AtomicU64>,
    /// The words with such states.
    pub(crate) may_win: Marks,
    /// The words with a state that has one more move known to lose.
    pub(crate) may_lose: Marks,
}

/// What all threads together pass to the next level.
#[derive(Clone, Copy)]
pub(crate) struct Outbox<'a> {
    pub(crate) wins: &'a [AtomicU64],
    pub(crate) may_win: &'a Marks,
    pub(crate) may_lose: &'a Marks,
}

impl Inbox {
    pub(crate) fn new(words: usize, checks_wins: bool) -> Inbox {
        let wins = Pages::zeroed(if checks_wins { 0 } else { words });
        let (may_win, may_lose) = (Marks::new(words), Marks::new(words));
        Inbox { wins, may_win, may_lose }
    }

    /// Uses huge pages for some words only.
    pub(crate) fn huge_only_for(&mut self, words: impl Iterator<Item = Range<usize>>) {
        self.wins.huge_only_for(words);
    }

    /// Whether all marks of some words are for checks for wins, or for losses: `Some(true)` or `Some(false)`. The runs of
    /// words begin and end at multiples of 64, or at the last word.
    pub(crate) fn brings_alone(&self, words: impl Iterator<Item = Range<usize>>) -> Option<bool> {
        let (mut win, mut lose) = (false, false);
        for words in words {
            win |= !self.may_win.is_empty(&words);
            lose |= !self.may_lose.is_empty(&words);
        }
        match (!win, !lose) {
            (false, true) => Some(true),
            (true, false) => Some(false),
            _ => None,
        }
    }

    pub(crate) fn share(&mut self) -> Outbox<'_> {
        let Inbox { wins, may_win, may_lose } = self;
        Outbox { wins: wins.as_mut(), may_win, may_lose }
    }
}

impl Outbox<'_> {
    /// Marks the words with a move into the states of `sets`, which have just settled: all won, or all lost. If bit
    /// `i` of `words` is set, `sets[i]` holds states of word `first + i`.
    #[inline(always)]
    pub(crate) fn tell<const WON: bool, const SHARED: bool, G: BitParallel>(
        &self,
        game: &G,
        first: usize,
        words: u64,
        sets: &Run,
    ) {
        if G::CHECKS_WINS || (G::PASSES_TURN && WON) {
            let marks = if WON { self.may_lose } else { self.may_win };
            game.words_before(
                first as u64,
                words,
                sets,
                #[inline(always)]
                |first, words| marks.add_run::<SHARED>(first, words),
            );
            return;
        }
        // A move wins if the opponent is then to move and loses, or if it keeps the turn and the side to move wins.
        game.predecessors_of_run(
            first as u64,
            words,
            sets,
            #[inline(always)]
            |word, states, keeps_turn| {
                if keeps_turn == WON {
                    add_bits::<SHARED>(&self.wins[word as usize], states);
                    self.may_win.add::<SHARED>(word as usize);
                } else {
                    self.may_lose.add::<SHARED>(word as usize);
                }
            },
        );
    }

    /// The same for one word.
    #[inline(always)]
    pub(crate) fn tell_word<const WON: bool, const SHARED: bool, G: BitParallel>(
        &self,
        game: &G,
        word: usize,
        set: u64,
    ) {
        if set != 0 {
            let mut sets = [0; 64];
            sets[word % 64] = set;
            self.tell::<WON, SHARED, G>(game, word & !63, 1 << (word % 64), &sets);
        }
    }
}

/// How many words one element of `top` covers. Parts that begin and end at multiples of it share no element.
pub(crate) const TOP_WORD: usize = 64 * 64;

/// A set of words.
pub(crate) struct Marks {
    bits: Vec<AtomicU64>,
    /// A bit for each word of `bits` that is not zero.
    top: Vec<AtomicU64>,
}

impl Marks {
    /// The empty set, for `words` words. The system gives memory when the engine marks words.
    pub(crate) fn new(words: usize) -> Marks {
        let empty = |count| AtomicU64::new_vec_zeroed(count).expect("there is memory for marks");
        let count = words.div_ceil(64);
        Marks { bits: empty(count), top: empty(count.div_ceil(64)) }
    }

    /// The bytes of a set, for `words` words.
    pub(crate) fn bytes(words: u64) -> u64 {
        let count = words.div_ceil(64);
        (count + count.div_ceil(64)) * 8
    }

    /// Adds a word. `SHARED` if other threads may do so at the same time.
    #[inline(always)]
    pub(crate) fn add<const SHARED: bool>(&self, word: usize) {
        if add_bits::<SHARED>(&self.bits[word / 64], 1 << (word % 64)) == 0 {
            add_bits::<SHARED>(&self.top[word / TOP_WORD], 1 << (word / 64 % 64));
        }
    }

    /// Adds words: bit `n` is word `first + n`. Skips words before the first and after the last.
    #[inline(always)]
    pub(crate) fn add_run<const SHARED: bool>(&self, first: u64, words: u64) {
        if words == 0 {
            return;
        }
        let (at, shift) = (first as i64 >> 6, first % 64);
        self.add_bits::<SHARED>(at as usize, words << shift);
        self.add_bits::<SHARED>((at + 1) as usize, words >> 1 >> (63 - shift));
    }

    #[inline(always)]
    fn add_bits<const SHARED: bool>(&self, at: usize, bits: u64) {
        if bits != 0
            && let Some(word) = self.bits.get(at)
            && add_bits::<SHARED>(word, bits) == 0
        {
            add_bits::<SHARED>(&self.top[at / 64], 1 << (at % 64));
        }
    }

    /// Whether it holds no word of a range, which begins and ends at multiples of 64, or at the last word.
    pub(crate) fn is_empty(&self, words: &Range<usize>) -> bool {
        self.tops(words).all(|(i, bits)| self.top[i].load(Relaxed) & bits == 0)
    }

    /// The elements of `top` for a range of words: the number of each, and its bits for these words.
    #[inline(always)]
    fn tops(&self, words: &Range<usize>) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (first, end) = (words.start / 64, words.end.div_ceil(64));
        let end = if end == self.bits.len() { end.next_multiple_of(64) } else { end };
        (first / 64..end.div_ceil(64)).map(move |i| {
            let below = |bits: usize| match bits.saturating_sub(i * 64) {
                bits @ 0..64 => (1 << bits) - 1,
                _ => !0,
            };
            (i, below(end) & !below(first))
        })
    }

    /// Removes the words of a range, in order, and visits them in runs of 64: the first word of a run, and a
    /// bit for each word. The range begins and ends at multiples of 64, or at the last word.
    #[inline(always)]
    pub(crate) fn drain(&self, words: Range<usize>, mut visit: impl FnMut(usize, u64)) {
        for (i, bits) in self.tops(&words) {
            for bit in Ones(take_some(&self.top[i], bits)) {
                let at = i * 64 + bit as usize;
                visit(at * 64, take(&self.bits[at]));
            }
        }
    }
}

/// Empties a word. Only the owner of a part takes from it, and no thread adds at that time.
#[inline(always)]
pub(crate) fn take(word: &AtomicU64) -> u64 {
    let taken = word.load(Relaxed);
    if taken != 0 {
        word.store(0, Relaxed);
    }
    taken
}

/// Empties some bits of a word. Another thread may take the other bits at the same time.
#[inline(always)]
fn take_some(word: &AtomicU64, bits: u64) -> u64 {
    if bits == !0 { take(word) } else { word.fetch_and(!bits, Relaxed) & bits }
}

/// Adds bits to a word. `SHARED` if other threads may do so at the same time. Returns the old word.
#[inline(always)]
pub(crate) fn add_bits<const SHARED: bool>(word: &AtomicU64, bits: u64) -> u64 {
    let old = word.load(Relaxed);
    if !SHARED {
        word.store(old | bits, Relaxed);
    } else if old & bits != bits {
        word.fetch_or(bits, Relaxed);
    }
    old
}
