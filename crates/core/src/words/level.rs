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
use std::sync::atomic::AtomicU64;

use super::marks::{Marks, TOP_WORD, add_bits, take};
use super::planes::{Planes, PlanesPart};
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
    pub(crate) planes: Option<Planes>,
    /// States that some exit keeps from losing, where there are any.
    pub(crate) barred: Vec<u64>,
    /// Final draws, and finals whose level has not come yet, where there are any.
    pub(crate) fixed: Vec<u64>,
    pub(crate) inbox: Inbox,
    /// What settles, for each part.
    found: Vec<Found>,
}

/// What a level has been told by the level before.
pub(crate) struct Inbox {
    /// States with a move that wins, among them some that have settled or never will.
    wins: Pages<AtomicU64>,
    /// The words that hold such.
    winning: Marks,
    /// The words with a state one of whose moves has just become known to lose.
    may_lose: Marks,
}

/// What is being told, by all threads together.
#[derive(Clone, Copy)]
pub(crate) struct Outbox<'a> {
    wins: &'a [AtomicU64],
    winning: &'a Marks,
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
    fn new(words: usize) -> Inbox {
        let (winning, may_lose) = (Marks::new(words), Marks::new(words));
        Inbox { wins: Pages::zeroed(words), winning, may_lose }
    }

    pub(crate) fn share(&mut self) -> Outbox<'_> {
        let Inbox { wins, winning, may_lose } = self;
        Outbox { wins: wins.as_mut(), winning, may_lose }
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
        game.predecessors_of_set(word as u64, states, |word, states, keeps_turn| {
            if keeps_turn == won {
                self.win::<SHARED>(word as usize, states);
            } else {
                self.may_lose::<SHARED>(word as usize);
            }
        });
    }

    /// Tells some states of a word that they win.
    #[inline(always)]
    pub(crate) fn win<const SHARED: bool>(&self, word: usize, states: u64) {
        add_bits::<SHARED>(&self.wins[word], states);
        self.winning.add::<SHARED>(word);
    }

    /// Has the states of a word checked.
    #[inline(always)]
    pub(crate) fn may_lose<const SHARED: bool>(&self, word: usize) {
        self.may_lose.add::<SHARED>(word);
    }
}

impl Arrays {
    /// Arrays for so many words, in which every state is lost.
    pub(crate) fn new(words: usize, distances: bool, journal_words: usize) -> Arrays {
        Arrays {
            known: Pages::zeroed(words),
            planes: distances.then(|| Planes::new(words, journal_words)),
            barred: Vec::new(),
            fixed: Vec::new(),
            inbox: Inbox::new(words),
            found: Vec::new(),
        }
    }

    /// What arrays for so many words take, where there are neither exits nor far finals nor long distances.
    pub(crate) fn bytes(words: u64, distances: bool) -> u64 {
        3 * 8 * words + 2 * Marks::bytes(words) + if distances { 64 * words } else { 0 }
    }

    /// What these arrays take, where states settle at `level`.
    pub(crate) fn bytes_at(&self, level: u32) -> u64 {
        let words = self.words() as u64;
        let high = if self.planes.is_some() { Planes::high_for(level) as u64 * words } else { 0 };
        let sets = (self.fixed.len() + self.barred.len()) as u64;
        Arrays::bytes(words, self.planes.is_some()) + (high + sets) * 8
    }

    /// Makes room for distances as long as `level`.
    pub(crate) fn grow_for(&mut self, level: u32) {
        if let Some(planes) = &mut self.planes {
            planes.grow_for(level);
        }
    }

    pub(crate) fn words(&self) -> usize {
        self.known.len()
    }

    /// Finds what settles at the level under way.
    pub(crate) fn gather<G: Words>(&mut self, game: &G, part_len: usize) {
        let Arrays { known, barred, fixed, inbox, found, .. } = self;
        let (known, barred, fixed, inbox) = (&**known, &**barred, &**fixed, inbox.share());
        let words = known.len();
        let parts = words.div_ceil(part_len);
        if found.len() < parts {
            found.resize_with(parts, Found::default);
        }
        let gather = |i: usize, found: &mut Found| {
            let first = i * part_len;
            let part = first..words.min(first + part_len);
            inbox.winning.drain(part.clone(), |word| {
                let wins = take(&inbox.wins[word]) & unsettled(known[word]);
                if wins != 0 {
                    found.wins.push((word, wins));
                }
            });
            inbox.may_lose.drain(part, |word| {
                let open = unsettled(known[word]) & !barred.get(word).unwrap_or(&0);
                if open == 0 {
                    return;
                }
                let lost = game.all_moves_into(word as u64, open, |word, keeps_turn| {
                    // Beyond the last word there is nothing but void states.
                    let Some(&[open, won]) = known.get(word as usize) else { return !0 };
                    if keeps_turn {
                        let fixed = fixed.get(word as usize).unwrap_or(&0);
                        !(open | won | fixed) | (open & won)
                    } else {
                        won
                    }
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

    /// Settles one state more at the level under way, once it has been gathered.
    pub(crate) fn settle_also(&mut self, word: usize, states: u64, won: bool, part_len: usize) {
        let found = &mut self.found[word / part_len];
        let list = if won { &mut found.wins } else { &mut found.losses };
        list.push((word, states));
    }

    /// Settles what has been found, at `level`, and tells the next: how many states, and how many words hold them.
    pub(crate) fn settle<G: Words>(
        &mut self,
        game: &G,
        part_len: usize,
        level: u32,
    ) -> (Tally, u64) {
        let Arrays { known, planes, inbox, found, .. } = self;
        let inbox = inbox.share();
        let mut planes = planes.as_mut().map(|planes| planes.parts(part_len, level));
        let parts = known.chunks_mut(part_len).zip(found).enumerate().map(|(i, (known, found))| {
            let planes = planes.as_mut().and_then(Iterator::next);
            Part { first: i * part_len, known, found, planes, inbox }
        });
        let mut parts: Vec<_> = parts.collect();
        let settled: Vec<(Tally, u64)> = if let [part] = &mut parts[..] {
            vec![part.settle::<false, G>(game)]
        } else {
            threads::map_of(&mut parts, |_, part| part.settle::<true, G>(game))
        };
        let (mut tally, mut words) = (Tally::default(), 0);
        for (tally_here, words_here) in settled {
            tally += tally_here;
            words += words_here;
        }
        (tally, words)
    }

    /// Writes what is known of every state.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(to, self.known.as_flattened().iter().copied())?;
        for set in [&self.barred, &self.fixed] {
            write_numbers(to, [u64::from(!set.is_empty())])?;
            write_numbers(to, set.iter().copied())?;
        }
        self.planes.as_ref().map_or(Ok(()), |planes| planes.write(to))
    }

    /// Reads what [`write`](Arrays::write) wrote, where `level` settled last.
    pub(crate) fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        read_numbers(from, self.known.as_flattened_mut())?;
        let words = self.words();
        for set in [&mut self.barred, &mut self.fixed] {
            if read_array(from)? != [0] {
                set.resize(words, 0);
                read_numbers(from, set)?;
            }
        }
        self.planes.as_mut().map_or(Ok(()), |planes| planes.read(level, from))
    }

    /// Tells the next level of everything that has settled.
    pub(crate) fn tell_all<G: Words>(&mut self, game: &G) {
        let Arrays { known, fixed, inbox, .. } = self;
        let (fixed, inbox) = (&**fixed, inbox.share());
        let runs: Vec<_> = known.chunks(TOP_WORD).collect();
        threads::each(runs.len(), &|run| {
            for (word, &[open, won]) in (run * TOP_WORD..).zip(runs[run]) {
                let fixed = fixed.get(word).unwrap_or(&0);
                for (states, won) in [(won & !open, true), (!(open | won | fixed), false)] {
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
    planes: Option<PlanesPart<'a>>,
    inbox: Outbox<'a>,
}

impl Part<'_> {
    fn settle<const SHARED: bool, G: Words>(&mut self, game: &G) -> (Tally, u64) {
        let Part { first, known, found: Found { wins, losses }, planes, inbox } = self;
        for &(word, states) in &*wins {
            let [open, won] = &mut known[word - *first];
            *open &= !states;
            *won |= states;
        }
        for &(word, states) in &*losses {
            let [open, _] = &mut known[word - *first];
            *open &= !states;
        }
        if let Some(planes) = planes {
            planes.set(*first, wins);
            planes.set(*first, losses);
        }
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
        (tally, words)
    }
}
