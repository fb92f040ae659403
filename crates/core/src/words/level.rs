//! One level in sets: gather what settles, then settle it.
//!
//! ```text
//! gather: for each word told of wins: those of its open states win
//!         for each word marked as one that may lose: of its open states, those all of whose moves lead to won ones, lose
//! settle: for each word found: change its sets, note the distance; and tell the words with a move into it, for the
//!         next level, of wins (from what has lost) or mark them as ones that may lose (from what has won)
//! ```
//!
//! What has just lost tells the states with a move into it that they win; the masks gather, word by word. What has
//! just won only marks the words with a move into it, and their open states are then checked: a state
//! none of whose moves leads anywhere but into won ones has lost. Gathering writes nothing that a check
//! reads, so neither the order of words matters nor who looks at them. It leaves lists of words and
//! what settles in them; settling goes through the lists, and tells and marks what the next level has to look at.
//!
//! Over threads, each has words of its own to gather and to settle. Only the masks and marks are
//! written by all, and they are sets that only grow.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::atomic::AtomicU64;

use super::log::{LogStore, SHARD_WORDS_MAX, Store};
use super::marks::{Marks, TOP_WORD, add_bits, take};
use super::planes::Planes;
use super::shard::Shard;
use crate::memory::pages::Pages;
use crate::rules::Words;
use crate::solve::course::Tally;
use crate::solve::snapshot::{read_array, read_numbers, write_numbers};
use crate::solve::solver::SolveError;
use crate::threads;

/// What is known of the states of a word, in one line of memory, because both sets change together and are
/// read together: the open states, and those that a move should better not lead to. Void states are in both,
/// won ones in the second, lost ones in neither.
pub(crate) type Known = [u64; 2];

/// What is known of every state, and what the level under way has been told by the one before.
pub(crate) struct Arrays {
    pub(crate) known: Pages<Known>,
    /// The distances, if they are kept.
    pub(crate) distances: Option<Distances>,
    /// States that some exit keeps from losing, where there are any.
    pub(crate) barred: Vec<u64>,
    /// Terminal states that are no win or loss in 0, where there are any. They are open until their level comes, and the draws
    /// among them for good; their moves are never asked for.
    pub(crate) terminal: Vec<u64>,
    pub(crate) inbox: Inbox,
    /// What settles, for each part.
    found: Vec<Found>,
}

/// The distances of all states, by shards.
pub(crate) struct Distances {
    pub(crate) shards: Vec<Shard>,
    /// How many words each shard has, but for the last.
    pub(crate) shard_words: usize,
    /// Where full blocks of logs go, unless they stay in memory.
    pub(crate) store: Option<Store>,
}

/// What a level has been told by the level before.
pub(crate) struct Inbox {
    /// States with a move that wins, among them some that have settled or never will. Empty where the game's words are
    /// [checked for wins](Words::CHECKS_WINS).
    wins: Pages<AtomicU64>,
    /// The words that hold such.
    may_win: Marks,
    /// The words with a state one of whose moves has just become known to lose.
    may_lose: Marks,
}

/// What is being told, by all threads together.
#[derive(Clone, Copy)]
pub(crate) struct Outbox<'a> {
    wins: &'a [AtomicU64],
    may_win: &'a Marks,
    may_lose: &'a Marks,
}

/// What settles in a part: words, and states of theirs.
#[derive(Default)]
struct Found {
    wins: Vec<(usize, u64)>,
    losses: Vec<(usize, u64)>,
}

/// The open states, without the void ones.
#[inline(always)]
fn unsettled([open, won]: Known) -> u64 {
    open & !won
}

impl Inbox {
    fn new(words: usize, checks_wins: bool) -> Inbox {
        let wins = Pages::zeroed(if checks_wins { 0 } else { words });
        Inbox { wins, may_win: Marks::new(words), may_lose: Marks::new(words) }
    }

    pub(crate) fn share(&mut self) -> Outbox<'_> {
        let Inbox { wins, may_win, may_lose } = self;
        Outbox { wins: wins.as_mut(), may_win, may_lose }
    }
}

impl Outbox<'_> {
    /// Tells what follows for the next level from states of a word that have settled. A move wins
    /// that leaves the opponent lost, or keeps the turn and leaves the mover won.
    #[inline(always)]
    pub(crate) fn tell<const SHARED: bool, G: Words>(
        &self,
        game: &G,
        word: usize,
        states: u64,
        won: bool,
    ) {
        game.predecessors_of_set(
            word as u64,
            states,
            #[inline(always)]
            |word, states, keeps_turn| {
                if keeps_turn == won {
                    self.win::<SHARED, G>(word as usize, states);
                } else {
                    self.may_lose::<SHARED>(word as usize);
                }
            },
        );
    }

    /// Tells some states of a word that they win.
    #[inline(always)]
    fn win<const SHARED: bool, G: Words>(&self, word: usize, states: u64) {
        if !G::CHECKS_WINS {
            add_bits::<SHARED>(&self.wins[word], states);
        }
        self.may_win.add::<SHARED>(word);
    }

    /// Has the states of a word checked.
    #[inline(always)]
    pub(crate) fn may_lose<const SHARED: bool>(&self, word: usize) {
        self.may_lose.add::<SHARED>(word);
    }
}

/// How many bytes the arrays for so many words take, but for distances, exits and far finals.
pub(crate) fn bytes_of<G: Words>(words: u64) -> u64 {
    let wins = if G::CHECKS_WINS { 0 } else { 8 * words };
    16 * words + wins + 2 * Marks::bytes(words)
}

impl Distances {
    /// None yet, for so many words, so many of them to a shard.
    pub(crate) fn new(
        words: usize,
        shard_words: usize,
        store: Option<Box<dyn LogStore>>,
    ) -> Distances {
        assert!(shard_words.is_power_of_two() && shard_words <= SHARD_WORDS_MAX, "{shard_words}");
        let shards = (0..words.div_ceil(shard_words)).map(|_| Shard::default()).collect();
        Distances { shards, shard_words, store: store.map(Store::new) }
    }

    /// What they take in memory, up to `level`.
    fn bytes(&self, words: u64, level: u32) -> u64 {
        match self.store {
            None => Planes::bytes(words, level),
            Some(_) => Distances::bytes_beside_store(words, self.shard_words),
        }
    }

    /// What those of so many words take in memory beside a store, so many of them to a shard.
    pub(crate) fn bytes_beside_store(words: u64, shard_words: usize) -> u64 {
        Store::bytes_beside(words.div_ceil(shard_words as u64))
    }
}

impl Arrays {
    /// Arrays for so many words, in which every state is lost.
    pub(crate) fn new<G: Words>(words: usize, distances: Option<Distances>) -> Arrays {
        Arrays {
            known: Pages::zeroed(words),
            distances,
            barred: Vec::new(),
            terminal: Vec::new(),
            inbox: Inbox::new(words, G::CHECKS_WINS),
            found: Vec::new(),
        }
    }

    /// What these arrays take, where states settle at `level`.
    pub(crate) fn bytes<G: Words>(&self, level: u32) -> u64 {
        let words = self.words() as u64;
        let distances = self.distances.as_ref().map_or(0, |kept| kept.bytes(words, level));
        bytes_of::<G>(words) + distances + (self.terminal.len() + self.barred.len()) as u64 * 8
    }

    pub(crate) fn words(&self) -> usize {
        self.known.len()
    }

    /// Finds what settles at the level under way.
    pub(crate) fn gather<G: Words>(&mut self, game: &G, part_len: usize) {
        let Arrays { known, barred, terminal, inbox, found, .. } = self;
        let (known, barred, terminal, inbox) = (&**known, &**barred, &**terminal, inbox.share());
        let words = known.len();
        let parts = words.div_ceil(part_len);
        if found.len() < parts {
            found.resize_with(parts, Found::default);
        }
        let gather = |i: usize, found: &mut Found| {
            let first = i * part_len;
            let part = first..words.min(first + part_len);
            inbox.may_win.drain(part.clone(), |word| {
                let open = unsettled(known[word]) & !terminal.get(word).unwrap_or(&0);
                let wins = if !G::CHECKS_WINS {
                    open & take(&inbox.wins[word])
                } else if open == 0 {
                    0
                } else {
                    let passed_by = |word: u64, keeps_turn: bool| {
                        let Some(&[open, won]) = known.get(word as usize) else { return !0 };
                        if keeps_turn { open | !won } else { open | won }
                    };
                    open & !game.all_moves_into(word as u64, open, passed_by)
                };
                if wins != 0 {
                    found.wins.push((word, wins));
                }
            });
            inbox.may_lose.drain(part, |word| {
                let not_lost = barred.get(word).unwrap_or(&0) | terminal.get(word).unwrap_or(&0);
                let open = unsettled(known[word]) & !not_lost;
                if open == 0 {
                    return;
                }
                let lost = game.all_moves_into(word as u64, open, |word, keeps_turn| {
                    // Beyond the last word there is nothing but void states.
                    let Some(&[open, won]) = known.get(word as usize) else { return !0 };
                    if keeps_turn { !(open ^ won) } else { won }
                });
                if lost != 0 {
                    found.losses.push((word, lost));
                }
            });
        };
        match &mut found[..parts] {
            [part] => gather(0, part),
            parts => threads::each_of(parts, gather),
        }
    }

    /// Has states win by exits at the level under way, once it has been gathered: words in order, and states of theirs, of
    /// which some may have settled.
    pub(crate) fn win_by_exits(&mut self, won: impl Iterator<Item = (u64, u64)>, part_len: usize) {
        let (mut part, mut at, mut gathered) = (usize::MAX, 0, 0);
        for (word, states) in won {
            let word = word as usize;
            let states = states & unsettled(self.known[word]);
            if word / part_len != part {
                part = word / part_len;
                (at, gathered) = (0, self.found[part].wins.len());
            }
            let wins = &mut self.found[part].wins;
            at += wins[at..gathered].iter().take_while(|&&(before, _)| before < word).count();
            match wins[..gathered].get_mut(at) {
                Some((same, set)) if *same == word => *set |= states,
                _ if states != 0 => wins.push((word, states)),
                _ => {}
            }
        }
    }

    /// Settles terminal states at the level under way, once it has been gathered: words, and states of theirs.
    pub(crate) fn settle_terminal(
        &mut self,
        settled: impl Iterator<Item = (u64, u64)>,
        won: bool,
        part_len: usize,
    ) {
        for (word, states) in settled {
            let word = word as usize;
            let found = &mut self.found[word / part_len];
            let list = if won { &mut found.wins } else { &mut found.losses };
            list.push((word, states));
        }
    }

    /// Settles what has been found, at `level`, and tells the next: how many states, and how many words hold them.
    pub(crate) fn settle<G: Words>(
        &mut self,
        game: &G,
        part_len: usize,
        level: u32,
    ) -> io::Result<(Tally, u64)> {
        let Arrays { known, distances, inbox, found, .. } = self;
        let inbox = inbox.share();
        let words = known.len();
        let (shards, shard_words, store) = match distances {
            None => (&mut [][..], 1, None),
            Some(Distances { shards, shard_words, store }) => {
                (&mut shards[..], *shard_words, store.as_ref())
            }
        };
        let mut shards = shards.chunks_mut(part_len.div_ceil(shard_words));
        let parts = known.chunks_mut(part_len).zip(found).enumerate().map(|(i, (known, found))| {
            let (first, shards) = (i * part_len, shards.next().unwrap_or_default());
            let words = first..words.min(first + part_len);
            let distances = DistancesPart { words, shards, shard_words, store };
            Part { first, known, found, distances, inbox }
        });
        let mut parts: Vec<_> = parts.collect();
        let settled: Vec<io::Result<(Tally, u64)>> = if let [part] = &mut parts[..] {
            vec![part.settle::<false, G>(game, level)]
        } else {
            threads::map_of(&mut parts, |_, part| part.settle::<true, G>(game, level))
        };
        let (mut tally, mut words) = (Tally::default(), 0);
        for settled in settled {
            let (tally_here, words_here) = settled?;
            tally += tally_here;
            words += words_here;
        }
        Ok((tally, words))
    }

    /// Writes what is known of every state.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, self.known.as_flattened().iter().copied())?;
        for set in [&self.barred, &self.terminal] {
            write_numbers(to, [u64::from(!set.is_empty())])?;
            write_numbers(to, set.iter().copied())?;
        }
        let shards = self.distances.iter().flat_map(|distances| &distances.shards);
        shards.into_iter().try_for_each(|shard| shard.write(to))
    }

    /// Reads what [`write`](Arrays::write) wrote, where `level` settled last.
    pub(crate) fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        read_numbers(from, self.known.as_flattened_mut())?;
        let words = self.words();
        for set in [&mut self.barred, &mut self.terminal] {
            if read_array(from)? != [0] {
                set.resize(words, 0);
                read_numbers(from, set)?;
            }
        }
        if let Some(Distances { shards, shard_words, store }) = &mut self.distances {
            for (i, shard) in shards.iter_mut().enumerate() {
                let words = words.min((i + 1) * *shard_words) - i * *shard_words;
                *shard = Shard::read(level, words, store.as_ref(), from)?;
            }
        }
        Ok(())
    }

    /// Tells the next level of everything that has settled.
    pub(crate) fn tell_all<G: Words>(&mut self, game: &G) {
        let Arrays { known, inbox, .. } = self;
        let inbox = inbox.share();
        let runs: Vec<_> = known.chunks(TOP_WORD).collect();
        threads::each(runs.len(), &|run| {
            for (word, &[open, won]) in (run * TOP_WORD..).zip(runs[run]) {
                for (states, won) in [(won & !open, true), (!(open | won), false)] {
                    if states != 0 {
                        inbox.tell::<true, G>(game, word, states, won);
                    }
                }
            }
        });
    }
}

/// One part of the states, while what was found in it settles.
struct Part<'a> {
    first: usize,
    known: &'a mut [Known],
    found: &'a mut Found,
    distances: DistancesPart<'a>,
    inbox: Outbox<'a>,
}

/// The distances of a part, where they are kept.
struct DistancesPart<'a> {
    /// The words of the part.
    words: Range<usize>,
    shards: &'a mut [Shard],
    shard_words: usize,
    store: Option<&'a Store>,
}

impl Part<'_> {
    fn settle<const SHARED: bool, G: Words>(
        &mut self,
        game: &G,
        level: u32,
    ) -> io::Result<(Tally, u64)> {
        let Part { first, known, found: Found { wins, losses }, distances, inbox } = self;
        for &(word, states) in &*wins {
            let [open, won] = &mut known[word - *first];
            *open &= !states;
            *won |= states;
        }
        for &(word, states) in &*losses {
            let [open, _] = &mut known[word - *first];
            *open &= !states;
        }
        distances.note(level, wins)?;
        distances.note(level, losses)?;
        for &(word, states) in &*wins {
            inbox.tell::<SHARED, G>(game, word, states, true);
        }
        for &(word, states) in &*losses {
            inbox.tell::<SHARED, G>(game, word, states, false);
        }
        let count = |list: &[(usize, u64)]| {
            list.iter().map(|&(_, states)| u64::from(states.count_ones())).sum()
        };
        let words = (wins.len() + losses.len()) as u64;
        let tally = Tally { wins: count(wins), losses: count(losses) };
        wins.clear();
        losses.clear();
        Ok((tally, words))
    }
}

impl DistancesPart<'_> {
    fn note(&mut self, level: u32, settled: &[(usize, u64)]) -> io::Result<()> {
        if self.shards.is_empty() {
            return Ok(());
        }
        let shift = self.shard_words.trailing_zeros();
        for run in settled.chunk_by(|(a, _), (b, _)| a >> shift == b >> shift) {
            let shard = run[0].0 >> shift;
            let first = shard << shift;
            let words = self.shard_words.min(self.words.end - first);
            let kept = &mut self.shards[shard - (self.words.start >> shift)];
            kept.note(level, (first, words), run, shard as u32, self.store)?;
        }
        Ok(())
    }
}
