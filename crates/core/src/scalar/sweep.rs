//! Sweeps one level: each state of the frontier sends an update to its predecessors.
//!
//! ```text
//! for each state of the frontier, lost or won, for each of its predecessors:
//!     the move wins (it leads to a loss, or keeps the turn and leads to a win), and the predecessor is open:
//!         it settles as won
//!     the move loses, and the predecessor is open:
//!         its count goes down by one; if that was the last, it settles as lost
//! ```
//!
//! Invariant: the count of an open state is the number of its moves that are not yet known to lose, and none
//! is known to win. So a state that settles now settles one level after the frontier. The updates of a level
//! commute, because each is about another move, and a state with a winning move never runs out of moves. So
//! updates may come in any order, from any thread, and the result is the same bit for bit. (Ken Thompson,
//! Retrograde analysis of certain endgames, ICCA Journal 9, 1986.)

use super::cell::Scale;
use super::frontier::{BLOCK, Marked, Note};
use super::part::PartMut;
use crate::rules::Predecessors;

/// Receives the updates for states of other parts.
pub trait UpdateSink {
    /// Takes an update of a state outside the part. The state is a predecessor of `settled`, by a move that
    /// wins or loses.
    fn send(&mut self, settled: u64, predecessor: u64, wins: bool);

    /// Whether the part should pause until the caller has emptied the sink.
    fn is_full(&self) -> bool {
        false
    }

    /// The first state of the part. A sink for a game of one part can return 0.
    fn start(&self, start: u64) -> u64 {
        start
    }
}

/// The sink of a part that holds all states. The part begins at state 0, so its positions need no
/// subtraction.
pub(crate) struct Nowhere;

impl UpdateSink for Nowhere {
    /// Inlined, so that the compiler sees that nothing comes back, and keeps the part in registers.
    #[inline(always)]
    fn send(&mut self, settled: u64, predecessor: u64, _: bool) {
        no_such(settled, predecessor)
    }

    #[inline(always)]
    fn start(&self, start: u64) -> u64 {
        debug_assert_eq!(start, 0);
        0
    }
}

/// Sweeps the states of a queue until all are done or the sink is full. Returns how many are done. With
/// `retire`, a state that is done gets another code.
#[inline(always)]
pub(crate) fn sweep_queue<G: Predecessors>(
    game: &G,
    part: &mut PartMut<'_>,
    queue: &[u64],
    retire: bool,
    found: &mut impl Note,
    updates: &mut impl UpdateSink,
) -> usize {
    for (done, &state) in queue.iter().enumerate() {
        if updates.is_full() {
            return done;
        }
        let at = (state - updates.start(part.start())) as usize;
        if part.is_won(at) {
            visit_predecessors::<true, _>(game, part, state, found, updates);
        } else {
            visit_predecessors::<false, _>(game, part, state, found, updates);
        }
        if retire {
            part.retire(at / BLOCK, 1 << (at % 64));
        }
    }
    queue.len()
}

/// The blocks that a paused sweep has taken from the marks and not finished.
pub(crate) struct Left {
    settled: Vec<FrontierBlock>,
    /// Whether one block may exceed the limit. Then the sweep goes state by state. In some games, millions of
    /// moves lead to one state.
    careful: bool,
}

impl Left {
    /// For a sweep that has not begun.
    pub(crate) fn nothing() -> Left {
        Left { settled: Vec::new(), careful: true }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.settled.is_empty()
    }
}

/// Sweeps marked blocks until all are done, the sink is full, or the limit for words of marks is reached. Out of line,
/// because the parts of threads, of files and of processes share it.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "all of a sweep")]
pub(crate) fn sweep_marks<G: Predecessors>(
    game: &G,
    part: &mut PartMut<'_>,
    prefetcher: &mut Prefetcher<'_>,
    left: &mut Left,
    (search, retire): (Search, bool),
    words: usize,
    found: &mut Marked,
    updates: &mut impl UpdateSink,
) {
    let end = prefetcher.words_done().saturating_add(words);
    let mut first = true;
    while let Some(settled) = left.settled.pop() {
        sweep_block(game, part, settled, left, first, retire, found, updates);
        if updates.is_full() {
            return;
        }
        first = false;
    }
    loop {
        let more = prefetcher.words_done() < end && !updates.is_full();
        let batch = prefetcher.next(game, part, search, more);
        for (at, &settled) in batch.settled().iter().enumerate() {
            sweep_block(game, part, settled, left, first, retire, found, updates);
            if updates.is_full() {
                left.settled.extend(&batch.settled()[at + 1..]);
                break;
            }
            first = false;
        }
        if !more || prefetcher.is_done() {
            return;
        }
    }
}

/// Visits every predecessor of the settled states of one block, or of some of them, until the sink is full.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "all of a sweep")]
fn sweep_block<G: Predecessors>(
    game: &G,
    part: &mut PartMut<'_>,
    mut settled: FrontierBlock,
    left: &mut Left,
    first_of_sweep: bool,
    retire: bool,
    found: &mut impl Note,
    updates: &mut impl UpdateSink,
) {
    let first = part.start() + (settled.block * BLOCK) as u64;
    if !left.careful {
        let FrontierBlock { block, lost, won } = settled;
        if lost != 0 {
            visit_block::<false, _>(game, part, first, lost, found, updates);
        }
        if won != 0 {
            visit_block::<true, _>(game, part, first, won, found, updates);
        }
        if retire {
            part.retire(block, lost | won);
        }
        left.careful = first_of_sweep && updates.is_full();
        return;
    }
    while settled.lost | settled.won != 0 {
        if updates.is_full() {
            left.settled.push(settled);
            return;
        }
        let state = (settled.lost | settled.won) & (settled.lost | settled.won).wrapping_neg();
        match settled.lost & state != 0 {
            true => visit_block::<false, _>(game, part, first, state, found, updates),
            false => visit_block::<true, _>(game, part, first, state, found, updates),
        }
        if retire {
            part.retire(settled.block, state);
        }
        settled.lost &= !state;
        settled.won &= !state;
    }
    left.careful = updates.is_full();
}

/// Visits every predecessor of the settled states of one block. A separate function, so that the loop keeps
/// its data in registers.
#[inline(never)]
fn visit_block<const WON: bool, G: Predecessors>(
    game: &G,
    part: &mut PartMut<'_>,
    first: u64,
    states: u64,
    found: &mut impl Note,
    updates: &mut impl UpdateSink,
) {
    let PartMut { cells, beside } = part;
    let (start, mut cells) = (updates.start(cells.start), cells.reborrow());
    game.predecessors_of_each(
        first,
        states,
        #[inline(always)]
        |state, from| {
            let winning = wins::<WON>(game, from, state);
            if !cells.update(from.wrapping_sub(start) as usize, winning, beside, found) {
                updates.send(state, from, winning);
            }
        },
    );
}

/// Visits every predecessor of `state`, which has just settled.
#[inline(always)]
fn visit_predecessors<const WON: bool, G: Predecessors>(
    game: &G,
    part: &mut PartMut<'_>,
    state: u64,
    found: &mut impl Note,
    updates: &mut impl UpdateSink,
) {
    let start = updates.start(part.start());
    game.predecessors(
        state,
        #[inline(always)]
        |from| {
            let winning = wins::<WON>(game, from, state);
            if !part.update(from.wrapping_sub(start) as usize, winning, found) {
                updates.send(state, from, winning);
            }
        },
    );
}

/// Whether a move into a settled state wins. It wins if the opponent is then to move and loses, or if it
/// keeps the turn and the state is won.
#[inline(always)]
fn wins<const WON: bool>(game: &impl Predecessors, from: u64, to: u64) -> bool {
    WON == game.keeps_turn(from, to)
}

#[cold]
pub(crate) fn no_such(state: u64, from: u64) -> ! {
    panic!("predecessors({state}) visits {from}, which is not a state of the game")
}

/// How many blocks a batch has at most.
const BATCH_MAX: usize = 16;

/// The states of the frontier in one block.
#[derive(Clone, Copy, Default)]
pub(crate) struct FrontierBlock {
    /// The block.
    pub(crate) block: usize,
    /// Its lost states.
    pub(crate) lost: u64,
    /// Its won states.
    pub(crate) won: u64,
}

/// How to recognize the states of the frontier.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    code: u8,
    high: u32,
}

impl Search {
    pub(crate) fn new(scale: Scale, level: u32) -> Search {
        let (code, high) = scale.encode(level);
        Search { code, high }
    }
}

/// The marked blocks of a part that have not been swept. It prefetches each cache line one step before the
/// sweep reads it:
///
/// ```text
/// for each batch of marked blocks:
///     take the next batch out of the marks, and prefetch its cells
///     search this batch's cells for the frontier, and prefetch the cells of the predecessors
///     apply the updates of this batch
/// ```
pub(crate) struct Prefetcher<'a> {
    marks: &'a mut [u64],
    /// The word of the next mark.
    at: usize,
    /// The blocks taken from the marks whose cells were prefetched.
    asked: [usize; BATCH_MAX],
    asked_len: usize,
    /// How many blocks a batch has.
    batch: usize,
}

impl<'a> Prefetcher<'a> {
    /// Begins at a word of marks.
    pub(crate) fn new(marks: &'a mut [u64], at: usize, batch: usize) -> Prefetcher<'a> {
        let batch = batch.clamp(1, BATCH_MAX);
        Prefetcher { marks, at, asked: [0; BATCH_MAX], asked_len: 0, batch }
    }

    /// How many words of marks are complete.
    pub(crate) fn words_done(&self) -> usize {
        self.at
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at == self.marks.len() && self.asked_len == 0
    }

    /// The frontier of the blocks that it prefetched last; empty at first. With `more`, it also prefetches
    /// the next blocks.
    #[inline(always)]
    pub(crate) fn next<G: Predecessors>(
        &mut self,
        game: &G,
        part: &PartMut<'_>,
        search: Search,
        more: bool,
    ) -> Batch {
        let (blocks, len) = (self.asked, std::mem::take(&mut self.asked_len));
        if more {
            self.ask(part);
        }
        let mut batch = Batch { settled: [FrontierBlock::default(); BATCH_MAX], len };
        for (settled, &block) in batch.settled.iter_mut().zip(&blocks[..len]) {
            let (lost, won) = part.frontier(block, search.code, search.high);
            *settled = FrontierBlock { block, lost, won };
            let first = part.start() + (block * BLOCK) as u64;
            let hints = game.prefetch().of(lost | won);
            game.predecessors_of_each(first, hints, |_, from| part.prefetch(from));
        }
        batch
    }

    /// Takes blocks from the marks and prefetches their cells.
    #[inline(always)]
    fn ask(&mut self, part: &PartMut<'_>) {
        while let Some(word) = self.marks.get_mut(self.at) {
            while *word != 0 {
                if self.asked_len == self.batch {
                    return;
                }
                let block = self.at * 64 + word.trailing_zeros() as usize;
                part.prefetch_block(block);
                self.asked[self.asked_len] = block;
                self.asked_len += 1;
                *word &= *word - 1;
            }
            self.at += 1;
        }
    }
}

/// The frontier of some blocks.
pub(crate) struct Batch {
    settled: [FrontierBlock; BATCH_MAX],
    len: usize,
}

impl Batch {
    /// A slice, because `copied()` stays a call for each block if it lands in another unit of the compiler.
    fn settled(&self) -> &[FrontierBlock] {
        &self.settled[..self.len]
    }
}
