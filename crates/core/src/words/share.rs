//! Several processes solve a game together. Each process settles some blocks of words, its *own* words.
//!
//! The checks of own words also read words of other processes. The process keeps copies of these words, its *ghosts*.
//! Before the first level, and at the end of each level, each process sends what it knows of its own words to the
//! processes that have ghosts of them. These processes change the ghosts, and mark their own words that have a move into
//! the settled states.
//!
//! A process has address space for the bits of all words, but touches only its own words and its ghosts. It marks only its
//! own words (`own.rs`). So the engine is the same as for one process.

use std::ops::Range;

use super::arrays::Arrays;
use super::inbox::Marks;
use super::known::{self, Known};
use super::log::SHARD_WORDS_MAX;
use crate::memory::bits::{Bits, Ones, has, zeros};
use crate::memory::pages::HUGE_PAGE;
use crate::rules::{BitParallel, Outcome};
use crate::solve::course::{Sums, Tally};
use crate::solve::snapshot::Kind;
use crate::solve::solver::SolveError;
use crate::threads;

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

    /// All words, for a process that solves alone.
    pub(super) fn whole(words: usize, shard_words: usize) -> Share {
        let block_words = words.max(1).next_multiple_of(shard_words);
        Share { words, processes: 1, process: 0, block_words, shard_words }
    }

    /// How many states a block has. The last block may have fewer.
    pub fn block_states(&self) -> u64 {
        self.block_words as u64 * 64
    }

    /// How the snapshots of the processes begin.
    pub fn kind(&self, distances: bool) -> Kind {
        Kind::words(self.shard_words, distances)
    }

    /// How many words a shard has. The last one may have fewer.
    pub(super) fn shard_words(&self) -> usize {
        self.shard_words
    }

    /// Whether the bits of each block fill whole huge pages.
    pub(super) fn fills_huge_pages(&self) -> bool {
        self.block_words.is_multiple_of(HUGE_WORDS)
    }

    /// How many words a block has. The last one may have fewer.
    pub(super) fn block_words(&self) -> usize {
        self.block_words
    }

    /// How many words the process has.
    pub(super) fn len(&self) -> usize {
        self.blocks().map(|words| words.len()).sum()
    }

    /// How many bytes the words of other processes take, if the moves of this process lead to `ghosts` of them: their
    /// bits, and sets of words.
    pub(super) fn shared_bytes(&self, ghosts: u64) -> u64 {
        let (all, own) = (self.words as u64, self.len() as u64);
        let sets = if ghosts > 0 { all.div_ceil(8) + own.div_ceil(8) } else { 0 };
        let own_runs = if own < all { all.div_ceil(512) } else { 0 };
        ghosts * size_of::<Known>() as u64 + sets + own_runs
    }

    pub(super) fn owns(&self, word: usize) -> bool {
        word < self.words && word / self.block_words % self.processes == self.process
    }

    /// The blocks of the process.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let Share { words, block_words, .. } = *self;
        let starts = (self.process * block_words..words).step_by(block_words * self.processes);
        starts.map(move |first| first..words.min(first + block_words))
    }

    /// The blocks of the process, in parts of `len` words.
    pub(super) fn parts(&self, len: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        self.blocks().flat_map(move |block| {
            block.clone().step_by(len).map(move |first| first..block.end.min(first + len))
        })
    }

    /// The places of each part in an array that has a place for every `words` words of the game. A part is a multiple of
    /// that.
    pub(super) fn split<'a, T>(
        &self,
        mut array: &'a mut [T],
        words: usize,
        len: usize,
    ) -> impl Iterator<Item = (Range<usize>, &'a mut [T])> + use<'a, T> {
        let mut before = 0;
        self.parts(len).map(move |part| {
            let (start, end) = (part.start / words, part.end.div_ceil(words));
            let rest = std::mem::take(&mut array);
            let (_, rest) = rest.split_at_mut(start - before);
            let (own, rest) = rest.split_at_mut(end - start);
            (array, before) = (rest, end);
            (part, own)
        })
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

/// The words that a process shares with others.
#[derive(Default)]
pub(super) struct Borders {
    /// The words of others that it reads.
    ghosts: Bits,
    /// The own words that others read. Empty if there is none.
    wanted: Bits,
    /// How many ghosts there are.
    count: usize,
}

impl Borders {
    /// How many words of other processes this process has.
    pub(super) fn ghosts(&self) -> usize {
        self.count
    }

    /// The own words that others read. Empty if there is none.
    pub(super) fn wanted(&self) -> &[u64] {
        &self.wanted
    }
}

impl Arrays {
    /// Finds the ghosts, and tells other processes what they must know of own words, which are seeded or read already.
    /// Returns the most bytes that it sent and received at a time.
    pub(super) fn open_borders<G: BitParallel>(
        &mut self,
        game: &G,
        exchange: &mut dyn WordExchange,
    ) -> Result<u64, SolveError> {
        /// How many words a process sends in a round.
        const ROUND: usize = 1 << 18;
        let ghosts = ranges(&self.words_read(game), self.words());
        self.subscribe(&ghosts, exchange)?;
        let (mut parts, mut bytes) = (self.own.parts(ROUND), 0);
        // The first process has as many words as any other.
        for _ in Share::parts(&Share { process: 0, ..self.own.clone() }, ROUND) {
            let settled = self.settled_of(parts.next().unwrap_or_default());
            let nothing = Sums { tally: Tally::default(), next: None };
            exchange.exchange(&settled, nothing, &mut |received| {
                bytes = bytes.max((size_of_val(&*settled) + size_of_val(&*received)) as u64);
                self.apply(game, received)
            })?;
        }
        Ok(bytes)
    }

    /// The words of others that checks of own words read.
    fn words_read<G: BitParallel>(&self, game: &G) -> Marks {
        /// How many words a thread takes at a time.
        const AT_ONCE: usize = 1 << 12;
        let all = self.words();
        let read = Marks::new(all);
        let parts: Vec<_> = self.own.parts(AT_ONCE).collect();
        threads::each(parts.len(), &|part| {
            for word in parts[part].clone() {
                let terminal = self.terminal.get(word).unwrap_or(&0);
                let open = known::open(self.known[word]) & !terminal;
                if open == 0 {
                    continue;
                }
                game.all_moves_into(word as u64, open, |to, _| {
                    let to = usize::try_from(to).unwrap_or(all);
                    if to < all && !self.own.owns(to) {
                        read.add::<true>(to);
                    }
                    !0
                });
            }
        });
        read
    }

    /// Notes the ghosts, and the own words that others read.
    fn subscribe(
        &mut self,
        ghosts: &[Range<u64>],
        exchange: &mut dyn WordExchange,
    ) -> Result<(), SolveError> {
        for words in ghosts {
            self.known[words.start as usize..words.end as usize].fill(known::seeded(0, 0, 0));
        }
        self.borders.count = ghosts.iter().map(|words| (words.end - words.start) as usize).sum();
        let wanted = exchange.subscribe(ghosts)?;
        let own = |words: &Range<u64>| words.clone().all(|word| self.own.owns(word as usize));
        if !wanted.iter().all(own) {
            return Err(strange());
        }
        if self.borders.count > 0 {
            self.borders.ghosts = set_of(ghosts, self.words());
        }
        if !wanted.is_empty() {
            self.borders.wanted = set_of(&wanted, self.words());
        }
        Ok(())
    }

    /// What has settled in those of some words that others read.
    fn settled_of(&self, words: Range<usize>) -> Vec<Settled> {
        let wanted = self.borders.wanted();
        let settled =
            words.filter(|&word| !wanted.is_empty() && has(wanted, word)).flat_map(|word| {
                let (known, word) = (self.known[word], word as u64);
                let sets = [
                    (known::invalid(known), None),
                    (known::won(known), Some(Outcome::Win)),
                    (known::lost(known), Some(Outcome::Loss)),
                ];
                sets.map(|(states, outcome)| Settled { word, states, outcome })
            });
        settled.filter(|settled| settled.states != 0).collect()
    }

    /// Changes ghosts in which states have settled, and marks own words with a move into these states.
    pub(super) fn apply<G: BitParallel>(
        &mut self,
        game: &G,
        settled: Vec<Settled>,
    ) -> Result<(), SolveError> {
        /// How many words a thread takes at a time.
        const AT_ONCE: usize = 1 << 10;
        let (ghosts, all) = (&self.borders.ghosts, self.words() as u64);
        let is_ghost = |word: u64| !ghosts.is_empty() && word < all && has(ghosts, word as usize);
        if !settled.iter().all(|settled| is_ghost(settled.word)) {
            return Err(strange());
        }
        let (known, outbox) = (known::share(&mut self.known), self.inbox.share());
        let pieces: Vec<_> = settled.chunks(AT_ONCE).collect();
        let apply = |piece: usize| {
            let together = |a: &Settled, b: &Settled| {
                a.word / 64 == b.word / 64 && a.word < b.word && a.outcome == b.outcome
            };
            for run in pieces[piece].chunk_by(together) {
                let (mut sets, mut words) = ([0; 64], 0);
                for &Settled { word, states, outcome } in run {
                    known::settle_shared(&known[word as usize], states, outcome);
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
            0 => {}
            1 => apply(0),
            _ => threads::each(pieces.len(), &apply),
        }
        Ok(())
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
