//! Several processes solve a game together. Each process settles some blocks of words, its *own* words.
//!
//! The checks of own words also read words of other processes. The process keeps copies of these words, its *ghosts*.
//! Before the first level, and at the end of each level, each process sends what it knows of its own words to the
//! processes that have ghosts of them. These processes change the ghosts, and mark their own words that have a move into
//! the settled states.
//!
//! A process has address space for the bits of all words, but touches only its own words and its ghosts. It marks only its
//! own words (`own.rs`). So the engine is the same as for one process.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use crate::memory::{Bits, HUGE_PAGE, Ones, has, zeros};
use crate::rules::{BitParallel, Outcome};
use crate::solve::course::{Kind, Sums};
use crate::solve::error::SolveError;
use crate::solve::histogram::Tally;
use crate::solve::pending::{Day, PendingEvents};
use crate::threads;
use crate::words::arrays::Arrays;
use crate::words::blocks::Blocks;
use crate::words::inbox::Marks;
use crate::words::known::{self, Known, SharedKnown};
use crate::words::log::SHARD_WORDS_MAX;
use crate::words::residence::{Events, Record, Residence};

/// How many words have bits that fill a huge page.
const HUGE_WORDS: usize = HUGE_PAGE / size_of::<Known>();

/// The words of one process: each process in turn has a block of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// How many words the game has.
    words: usize,
    processes: usize,
    process: usize,
    block_words: usize,
    shard_words: usize,
}

impl Share {
    /// The share of the process with the number `process`, in about `blocks` blocks.
    ///
    /// With more blocks, the processes share each level more evenly, but more moves lead from one block into another.
    ///
    /// # Panics
    ///
    /// If there are no processes or no blocks.
    pub fn new(states: u64, process: usize, processes: usize, blocks: usize) -> Share {
        let words = states.div_ceil(64) as usize;
        let shard_words = Share::shard_words_for(words);
        // The bits of a block fill whole huge pages, if each process has several of them.
        let is_large = words / processes >= 4 * HUGE_WORDS;
        let multiple = if is_large { HUGE_WORDS } else { shard_words };
        let block_words = words.div_ceil(processes * blocks).max(1).next_multiple_of(multiple);
        Share { words, processes, process, block_words, shard_words }
    }

    /// The length of shards, for any number of processes. With short shards, the processes have about as many words each.
    fn shard_words_for(words: usize) -> usize {
        /// About how many shards there are. In a large game, shards have the greatest length.
        const SHARDS: usize = 256;
        1 << (words / SHARDS).clamp(64, SHARD_WORDS_MAX).ilog2()
    }

    /// How many states a block has. The last block may have fewer.
    pub fn block_states(&self) -> u64 {
        self.block_words as u64 * 64
    }

    /// How the snapshots of the processes begin.
    pub fn kind(&self, distances: bool) -> Kind {
        Kind::words(self.shard_words, distances)
    }

    /// The words of the process.
    pub(super) fn blocks(&self) -> Blocks {
        self.blocks_of(self.process)
    }

    fn blocks_of(&self, process: usize) -> Blocks {
        let Share { words, processes, block_words, shard_words, .. } = *self;
        let starts = (process * block_words..words).step_by(block_words * processes);
        let blocks = starts.map(|first| first..words.min(first + block_words));
        Blocks::new(words, blocks.collect(), shard_words)
    }

    /// The arrays of the process.
    pub(super) fn arrays<G: BitParallel>(&self) -> Arrays {
        let blocks = self.blocks();
        let mut arrays = Arrays::new::<G>(blocks.clone());
        if blocks.len() < self.words {
            // Whether the bits of each block fill whole huge pages.
            let fills = self.block_words.is_multiple_of(HUGE_WORDS);
            arrays.known.huge_only_for(blocks.iter().filter(|_| fills));
            arrays.inbox.huge_only_for(blocks.iter().filter(|_| fills));
        }
        arrays
    }

    /// How many bytes the words of other processes take, if the moves of this process lead to `ghosts` of them: their
    /// bits, and sets of words.
    pub(super) fn shared_bytes(&self, ghosts: u64) -> u64 {
        let (all, own) = (self.words as u64, self.blocks().len() as u64);
        let sets = if ghosts > 0 { all.div_ceil(8) + own.div_ceil(8) } else { 0 };
        let own_runs = if own < all { all.div_ceil(512) } else { 0 };
        ghosts * size_of::<Known>() as u64 + sets + own_runs
    }

    /// The block of a word.
    fn block_of(&self, word: usize) -> Range<usize> {
        let first = word - word % self.block_words;
        first..self.words.min(first + self.block_words)
    }

    pub(super) fn owns(&self, word: usize) -> bool {
        word < self.words && word / self.block_words % self.processes == self.process
    }
}

/// How the processes of a solve send each other what has settled.
pub trait WordExchange {
    /// Tells the other processes which of their words this process reads, in ascending order. Returns the words of this
    /// process that others read.
    fn subscribe(&mut self, ghosts: &[Range<u64>]) -> Result<Vec<Range<u64>>, SolveError>;

    /// Sends states that have settled to the processes that read their words, and adds up the sums of all processes.
    /// `take` gets the states that the others have sent, a limited number at a time. All processes call this as often,
    /// and at the end of each level.
    fn exchange(
        &mut self,
        settled: &[Settled],
        own: Sums,
        take: &mut dyn FnMut(Vec<Settled>) -> Result<(), SolveError>,
    ) -> Result<Sums, SolveError>;
}

/// States of a word of which another process must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The word.
    pub word: u64,
    /// The set of states.
    pub states: u64,
    /// Whether they are won or lost. `None` if they are invalid.
    pub outcome: Option<Outcome>,
}

/// A process of several: its distances and events, and the words that it shares with others.
pub(super) struct Shared<'a, G> {
    game: &'a G,
    share: &'a Share,
    exchange: &'a mut dyn WordExchange,
    own: &'a mut dyn Residence,
    /// The words of others that it reads. Empty if there is none.
    ghosts: Bits,
    /// How many ghosts there are.
    ghosts_count: u64,
    /// The own words that others read. Empty if there is none.
    wanted: Bits,
    /// For each part, what others must know at the end of the level.
    told: Vec<Vec<Settled>>,
    /// The most bytes of what this process sent to others and received from them at a time.
    messages_bytes: u64,
}

impl<'a, G: BitParallel> Shared<'a, G> {
    pub(super) fn new(
        game: &'a G,
        share: &'a Share,
        exchange: &'a mut dyn WordExchange,
        own: &'a mut dyn Residence,
    ) -> Shared<'a, G> {
        Shared {
            game,
            share,
            exchange,
            own,
            ghosts: Bits::new(),
            ghosts_count: 0,
            wanted: Bits::new(),
            told: Vec::new(),
            messages_bytes: 0,
        }
    }

    /// The words of others that checks of own words read.
    fn words_read(&self, arrays: &Arrays) -> Marks {
        /// How many words a thread takes at a time.
        const AT_ONCE: usize = 1 << 12;
        let (all, game) = (arrays.words(), self.game);
        let read = Marks::new(all);
        let parts: Vec<_> = arrays.blocks.parts(AT_ONCE).collect();
        threads::each(parts.len(), &|part| {
            let block = self.share.block_of(parts[part].start);
            for word in parts[part].clone() {
                let terminal = arrays.terminal.get(word).unwrap_or(&0);
                let open = known::open(arrays.known[word]) & !terminal;
                if open == 0 {
                    continue;
                }
                game.all_moves_into(word as u64, open, |to, _| {
                    let to = usize::try_from(to).unwrap_or(all);
                    if to < all && !block.contains(&to) && !self.share.owns(to) {
                        read.add::<true>(to);
                    }
                    !0
                });
            }
        });
        read
    }

    /// Notes the ghosts, and the own words that others read.
    fn subscribe(&mut self, arrays: &mut Arrays, ghosts: &[Range<u64>]) -> Result<(), SolveError> {
        for words in ghosts {
            arrays.known[words.start as usize..words.end as usize].fill(known::seeded(0, 0, 0));
        }
        self.ghosts_count = ghosts.iter().map(|words| words.end - words.start).sum();
        let wanted = self.exchange.subscribe(ghosts)?;
        let own = |words: &Range<u64>| words.clone().all(|word| self.share.owns(word as usize));
        if !wanted.iter().all(own) {
            return Err(strange());
        }
        if self.ghosts_count > 0 {
            self.ghosts = set_of(ghosts, arrays.words());
        }
        if !wanted.is_empty() {
            self.wanted = set_of(&wanted, arrays.words());
        }
        Ok(())
    }

    /// What has settled in those of some words that others read.
    fn settled_of(&self, arrays: &Arrays, words: Range<usize>) -> Vec<Settled> {
        let wanted = &self.wanted;
        let settled =
            words.filter(|&word| !wanted.is_empty() && has(wanted, word)).flat_map(|word| {
                let (known, word) = (arrays.known[word], word as u64);
                let sets = [
                    (known::invalid(known), None),
                    (known::won(known), Some(Outcome::Win)),
                    (known::lost(known), Some(Outcome::Loss)),
                ];
                sets.map(|(states, outcome)| Settled { word, states, outcome })
            });
        settled.filter(|settled| settled.states != 0).collect()
    }
}

impl<G: BitParallel> Residence for Shared<'_, G> {
    fn has_distances(&self) -> bool {
        self.own.has_distances()
    }

    fn bytes(&self, level: u32) -> u64 {
        let words = self.share.shared_bytes(self.ghosts_count);
        self.own.bytes(level) + words + self.messages_bytes
    }

    fn bytes_more(&self) -> u64 {
        self.own.bytes_more() + self.messages_bytes
    }

    fn records(&mut self, parts: &[Range<usize>]) -> Vec<Box<dyn Record + '_>> {
        let Shared { own, wanted, told, .. } = self;
        let records = own.records(parts);
        if wanted.is_empty() {
            return records;
        }
        told.resize_with(told.len().max(parts.len()), Vec::new);
        let shared = records.into_iter().zip(told);
        shared.map(|(own, told)| Box::new(SharedRecord { own, wanted, told }) as _).collect()
    }

    fn take_events(&mut self, pending: &mut PendingEvents) -> io::Result<()> {
        self.own.take_events(pending)
    }

    fn events<'a>(&'a self, level: u32, day: &'a Day) -> Box<dyn Events + 'a> {
        self.own.events(level, day)
    }

    fn taken_bytes(&self, level: u32) -> u64 {
        self.own.taken_bytes(level)
    }

    fn taken(&self, level: u32) -> Vec<[u64; 4]> {
        self.own.taken(level)
    }

    fn find_taken(&mut self, rows: &[[u64; 4]], pending: &PendingEvents) -> bool {
        self.own.find_taken(rows, pending)
    }

    /// Finds the ghosts, and tells other processes what they must know of own words.
    fn begin(&mut self, arrays: &mut Arrays) -> Result<(), SolveError> {
        /// How many words a process sends in a round.
        const ROUND: usize = 1 << 18;
        let ghosts = ranges(&self.words_read(arrays), arrays.words());
        self.subscribe(arrays, &ghosts)?;
        let own = self.share.blocks();
        let mut parts = own.parts(ROUND);
        // The first process has as many words as any other.
        for _ in self.share.blocks_of(0).parts(ROUND) {
            let settled = self.settled_of(arrays, parts.next().unwrap_or_default());
            let nothing = Sums { tally: Tally::default(), next: None };
            let Shared { game, exchange, ghosts, messages_bytes, .. } = self;
            exchange.exchange(&settled, nothing, &mut |received| {
                let bytes = (size_of_val(&*settled) + size_of_val(&*received)) as u64;
                *messages_bytes = bytes.max(*messages_bytes);
                apply(arrays, *game, ghosts, received)
            })?;
        }
        Ok(())
    }

    fn add_up(&mut self, arrays: &mut Arrays, own: Sums) -> Result<(Sums, u64), SolveError> {
        let Shared { game, exchange, ghosts, told, messages_bytes, .. } = self;
        let sent: Vec<_> = told.iter_mut().flat_map(std::mem::take).collect();
        let mut words = 0;
        let sums = exchange.exchange(&sent, own, &mut |received| {
            let bytes = (size_of_val(&*sent) + size_of_val(&*received)) as u64;
            *messages_bytes = bytes.max(*messages_bytes);
            words += received.len() as u64;
            apply(arrays, *game, ghosts, received)
        })?;
        Ok((sums, words))
    }

    fn sync(&self) -> io::Result<()> {
        self.own.sync()
    }

    fn write_shard(&self, shard: usize, to: &mut dyn Write) -> io::Result<()> {
        self.own.write_shard(shard, to)
    }

    fn read_shard(
        &mut self,
        shard: (usize, usize, bool),
        level: u32,
        from: &mut dyn Read,
    ) -> Result<(), SolveError> {
        self.own.read_shard(shard, level, from)
    }
}

/// Records what settles in a part, and what other processes must know of it.
struct SharedRecord<'a> {
    own: Box<dyn Record + 'a>,
    wanted: &'a [u64],
    told: &'a mut Vec<Settled>,
}

impl Record for SharedRecord<'_> {
    fn is_needed(&self) -> bool {
        true
    }

    fn note(&mut self, level: u32, outcome: Outcome, settled: &[(usize, u64)]) -> io::Result<()> {
        let wanted = settled.iter().filter(|(word, _)| has(self.wanted, *word));
        let outcome_of = Some(outcome);
        self.told.extend(wanted.map(|&(word, states)| Settled {
            word: word as u64,
            states,
            outcome: outcome_of,
        }));
        self.own.note(level, outcome, settled)
    }
}

/// Changes ghosts in which states have settled, and marks own words with a move into these states.
fn apply<G: BitParallel>(
    arrays: &mut Arrays,
    game: &G,
    ghosts: &[u64],
    settled: Vec<Settled>,
) -> Result<(), SolveError> {
    /// How many words a thread takes at a time.
    const AT_ONCE: usize = 1 << 10;
    let all = arrays.words() as u64;
    let is_ghost = |word: u64| !ghosts.is_empty() && word < all && has(ghosts, word as usize);
    if !settled.iter().all(|settled| is_ghost(settled.word)) {
        return Err(strange());
    }
    let (known, outbox) = (known::share(&mut arrays.known), arrays.inbox.share());
    let pieces: Vec<_> = settled.chunks(AT_ONCE).collect();
    let apply = |piece: usize| {
        let together = |a: &Settled, b: &Settled| {
            a.word / 64 == b.word / 64 && a.word < b.word && a.outcome == b.outcome
        };
        for run in pieces[piece].chunk_by(together) {
            let (mut sets, mut words) = ([0; 64], 0);
            for &Settled { word, states, outcome } in run {
                settle_shared(&known[word as usize], states, outcome);
                sets[word as usize % 64] = states;
                words |= 1 << (word % 64);
            }
            let first = run[0].word as usize & !63;
            match run[0].outcome {
                Some(Outcome::Win) => outbox.tell::<true, true, G>(game, first, words, &sets),
                Some(Outcome::Loss) => outbox.tell::<false, true, G>(game, first, words, &sets),
                Some(Outcome::Draw) | None => {}
            }
        }
    };
    match pieces.len() {
        1 => apply(0),
        count => threads::each(count, &apply),
    }
    Ok(())
}

/// Changes states of a word whose bits another thread may change at the same time.
fn settle_shared([unwon, shut]: &SharedKnown, states: u64, outcome: Option<Outcome>) {
    if matches!(outcome, Some(Outcome::Win) | None) {
        unwon.fetch_and(!states, Relaxed);
    }
    if matches!(outcome, Some(Outcome::Loss) | None) {
        shut.fetch_or(states, Relaxed);
    }
}

/// The marked words, as ranges in ascending order.
fn ranges(marks: &Marks, all: usize) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    marks.drain(0..all, |first, words| {
        for word in Ones(words).map(|bit| first as u64 + bit) {
            match ranges.last_mut() {
                Some(last) if last.end == word => last.end += 1,
                _ => ranges.push(word..word + 1),
            }
        }
    });
    ranges
}

/// The set of some words, of all words.
fn set_of(ranges: &[Range<u64>], words: usize) -> Bits {
    let mut set = zeros(words);
    for word in ranges.iter().cloned().flatten() {
        set[(word / 64) as usize] |= 1 << (word % 64);
    }
    set
}

/// The error for words that are not shared.
fn strange() -> SolveError {
    SolveError::Outside("another process names words that are not shared".into())
}
