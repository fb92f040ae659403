//! One level: find out which states settle, settle them, and mark the words that the next level must check.
//!
//! ```text
//! for each word marked "may win":            find its open states with a move into a lost state: they win
//! for each word marked "may lose":           find its open states whose moves all lead into won states: they lose
//! for each word in which states settle:      change its bits, log the distance, mark the words with a move into it
//! ```
//!
//! For some games it is [not cheap](BitParallel::CHECKS_WINS) to look at the moves of a word again. For these games,
//! each word also has a mask of states that win. When a state settles, the engine visits its predecessors. If the move
//! from a predecessor wins, the engine adds the predecessor to the mask of the predecessor's word.
//!
//! A check must not depend on states that settle at the same level. There are two ways to ensure this:
//!
//! * If every move passes the turn, most levels bring only wins or only losses. Then the engine settles words right after
//!   their check. This is safe, because a win changes no check for wins, and a loss changes no check for losses.
//! * Any other level first lists all states that settle, and then settles them.
//!
//! Each thread has its own words to check and to settle. A thread may add to the masks and marks of any word. Only the
//! thread of a word clears them.

use std::io;

use super::arrays::Arrays;
use super::distances::{Distances, DistancesPart};
use super::inbox::{Outbox, Run, add_bits};
use super::known::{self, Checks, Known};
use super::log::LogError;
use super::share::Settled;
use crate::memory::bits::{Ones, has};
use crate::rules::{BitParallel, Outcome};
use crate::solve::course::Tally;
use crate::solve::entries::Entries;
use crate::solve::pending::{Day, Event};
use crate::threads;

/// How many words the engine passes to the log in one call.
const NOTED: usize = 1 << 10;

/// The states that settle in a part, as words and sets.
#[derive(Default)]
pub(super) struct Found {
    /// Those that a level lists before it settles any. They are packed, and freed at the end of the level.
    wins: Entries,
    losses: Entries,
    /// Some that have settled, and whose distances are not recorded yet.
    settled: Vec<(usize, u64)>,
    /// Those that other processes must know of, once they have settled.
    pub(super) told: Vec<Settled>,
}

impl Found {
    /// No states, with space for all that a level can list of this number of words.
    pub(super) fn with_room(words: usize) -> Found {
        let [wins, losses] = [0; 2].map(|_| Entries::with_room(words));
        Found { wins, losses, ..Found::default() }
    }

    /// How many bytes the lists take.
    fn bytes(&self) -> u64 {
        self.wins.bytes() + self.losses.bytes()
    }
}

/// The most bytes that the lists of a level take in each of `parts` parts, besides its entries: the last parts of the index,
/// and the distances to the first words of wins, of losses, and of three kinds of events.
const LISTS_BYTES: u64 = 128;

/// The most bytes that the lists of a level take, without events, if its words have no more than `open` open states each.
pub(super) fn list_bytes_most(parts: u64, open: impl Iterator<Item = u32>) -> u64 {
    let (mut words, mut quarters) = (0, 0);
    for open in open {
        // A word has an entry of its wins and an entry of its losses. An entry takes two bytes, a quarter of a byte in the
        // index, and the bytes of its set.
        quarters += u64::from(9 * open.min(2) + 4 * open.min(16));
        words += 1;
    }
    list_bytes(parts, words, quarters)
}

/// The same if all states of `words` words are open.
pub(super) fn list_bytes_of_all(parts: u64, words: u64) -> u64 {
    list_bytes(parts, words, words.saturating_mul(9 * 2 + 4 * 16))
}

fn list_bytes(parts: u64, words: u64, quarters: u64) -> u64 {
    // If a distance to the word before takes more than one byte, it leaves 127 words out for each of them, in two lists.
    quarters.div_ceil(4) + words.div_ceil(63) + parts * LISTS_BYTES
}

impl Arrays {
    /// The input of the checks, the marks for the next level, and the parts for the threads.
    fn parts<'a, G: BitParallel>(
        &'a mut self,
        game: &'a G,
        part_len: usize,
    ) -> (Checks<'a, G>, Outbox<'a>, Vec<Part<'a>>) {
        let Arrays { own, known, distances, barred, terminal, inbox, found, borders, .. } = self;
        let known = known::share(known);
        let outbox = inbox.share();
        let checks = Checks { game, known, first: 0, terminal, wins: outbox.wins };
        let (shards, shard_words, store) = match distances {
            None => (&mut [][..], 1, None),
            Some(Distances { shards, shard_words, store }) => {
                (&mut shards[..], *shard_words, store.as_ref())
            }
        };
        let mut shards = match shards {
            [] => None,
            shards => Some(own.split(shards, shard_words, part_len)),
        };
        let mut barred = match &mut barred[..] {
            [] => None,
            barred => Some(own.split(barred, 1, part_len)),
        };
        let words: Vec<_> = own.parts(part_len).collect();
        if found.len() < words.len() {
            found.resize_with(words.len(), Found::default);
        }
        let part = |(words, found)| {
            let shards = shards.as_mut().and_then(Iterator::next);
            let shards = shards.map(|(_, shards)| shards).unwrap_or_default();
            let barred = barred.as_mut().and_then(Iterator::next);
            let barred = barred.map(|(_, barred)| barred).unwrap_or_default();
            let distances = DistancesPart { words, shards, shard_words, store };
            Part { distances, found, barred, wanted: borders.wanted() }
        };
        (checks, outbox, words.into_iter().zip(found).map(part).collect())
    }

    /// Whether moves bring only wins or only losses at the current level: `Some(true)` for only wins, `Some(false)` for
    /// only losses, `None` if the engine cannot tell.
    pub(crate) fn brings_alone<G: BitParallel>(&self) -> Option<bool> {
        let passes_turn = G::CHECKS_WINS || G::PASSES_TURN;
        self.inbox.brings_alone(self.own.blocks()).filter(|_| passes_turn)
    }

    /// Settles all states of a level that brings only wins or only losses, and marks the next level. Returns
    /// how many states settled, and in how many words.
    pub(crate) fn settle_alone<G: BitParallel>(
        &mut self,
        game: &G,
        Division { part_len, shared }: Division,
        level: u32,
        wins: bool,
    ) -> io::Result<(Tally, u64)> {
        let (checks, outbox, mut parts) = self.parts(game, part_len);
        each_part(&mut parts, shared, |part| match (wins, shared) {
            (true, false) => part.settle_alone::<true, false, G>(&checks, outbox, level),
            (true, true) => part.settle_alone::<true, true, G>(&checks, outbox, level),
            (false, false) => part.settle_alone::<false, false, G>(&checks, outbox, level),
            (false, true) => part.settle_alone::<false, true, G>(&checks, outbox, level),
        })
    }

    /// Marks words for the exits that take effect at the current level.
    pub(crate) fn mark_exits<G: BitParallel>(
        &mut self,
        game: &G,
        Division { part_len, shared }: Division,
        day: &Day,
    ) -> Result<(), LogError> {
        let (_, inbox, mut parts) = self.parts(game, part_len);
        try_each_part(&mut parts, shared, |part| match shared {
            true => part.mark_exits::<true, G>(inbox, day),
            false => part.mark_exits::<false, G>(inbox, day),
        })
    }

    /// Lists the states that settle at the current level: by moves, and by the other events of `day`.
    pub(crate) fn gather<G: BitParallel>(
        &mut self,
        game: &G,
        Division { part_len, shared }: Division,
        day: &Day,
    ) -> Result<(), LogError> {
        let (checks, inbox, mut parts) = self.parts(game, part_len);
        try_each_part(&mut parts, shared, |part| {
            part.gather(&checks, inbox);
            part.add_events::<G>(day)
        })
    }

    /// Settles the listed states at `level`, and marks the next level. Returns how many states settled, and
    /// in how many words.
    pub(crate) fn settle<G: BitParallel>(
        &mut self,
        game: &G,
        Division { part_len, shared }: Division,
        level: u32,
    ) -> io::Result<(Tally, u64)> {
        let (checks, outbox, mut parts) = self.parts(game, part_len);
        each_part(&mut parts, shared, |part| match shared {
            false => part.settle::<false, G>(&checks, outbox, level),
            true => part.settle::<true, G>(&checks, outbox, level),
        })
    }

    /// Marks, for the next level, all words with a move into any own state that has settled at any level.
    pub(crate) fn tell_all<G: BitParallel>(&mut self, game: &G) {
        let Arrays { own, known, inbox, .. } = self;
        let outbox = inbox.share();
        own.blocks().for_each(|words| tell_settled(game, outbox, words.start, &known[words]));
    }

    /// How many bytes the lists of the level take.
    pub(super) fn list_bytes(&self) -> u64 {
        self.found.iter().map(Found::bytes).sum()
    }

    /// The most bytes that the lists of a later level take, in `parts` parts.
    pub(super) fn list_bytes_most(&self, parts: u64) -> u64 {
        let open = self.own.blocks().flat_map(|words| &self.known[words]);
        list_bytes_most(parts, open.map(|known| known::open(*known).count_ones()))
    }

    /// Takes what the own words have settled at the last level and other processes must know, in order.
    pub(super) fn take_told(&mut self) -> Vec<Settled> {
        self.found.iter_mut().flat_map(|found| std::mem::take(&mut found.told)).collect()
    }
}

/// Marks all words with a move into any settled state of some words. The first of them is a multiple of 64.
pub(super) fn tell_settled<G: BitParallel>(
    game: &G,
    outbox: Outbox<'_>,
    first: usize,
    known: &[Known],
) {
    let runs: Vec<_> = known.chunks(64).collect();
    threads::each(runs.len(), &|i| {
        let sets_of = |settled: fn(Known) -> u64| {
            let (mut sets, mut words) = ([0; 64], 0);
            for (bit, &known) in runs[i].iter().enumerate() {
                sets[bit] = settled(known);
                words |= u64::from(sets[bit] != 0) << bit;
            }
            (sets, words)
        };
        let (sets, words) = sets_of(known::won);
        outbox.tell::<true, true, G>(game, first + i * 64, words, &sets);
        let (sets, words) = sets_of(known::lost);
        outbox.tell::<false, true, G>(game, first + i * 64, words, &sets);
    });
}

/// How threads divide the words of a process for a level.
#[derive(Clone, Copy)]
pub(super) struct Division {
    /// How many words a part has.
    pub(super) part_len: usize,
    /// Whether several threads work at the same time.
    pub(super) shared: bool,
}

/// Calls `act` for each part, on several threads or on one.
fn try_each_part<'a, E: Send>(
    parts: &mut [Part<'a>],
    shared: bool,
    act: impl Fn(&mut Part<'a>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    match shared {
        true => threads::map_of(parts, |_, part| act(part)).into_iter().collect(),
        false => parts.iter_mut().try_for_each(act),
    }
}

/// Calls `settle` for each part, on several threads or on one. Returns how many states settled, and in how many words.
fn each_part<'a>(
    parts: &mut [Part<'a>],
    shared: bool,
    settle: impl Fn(&mut Part<'a>) -> io::Result<(Tally, u64)> + Sync,
) -> io::Result<(Tally, u64)> {
    let settled = match shared {
        true => threads::map_of(parts, |_, part| settle(part)),
        false => parts.iter_mut().map(settle).collect(),
    };
    let (mut tally, mut words) = (Tally::default(), 0);
    for settled in settled {
        let (tally_here, words_here) = settled?;
        tally += tally_here;
        words += words_here;
    }
    Ok((tally, words))
}

/// One part of the states.
pub(super) struct Part<'a> {
    pub(super) found: &'a mut Found,
    pub(super) distances: DistancesPart<'a>,
    /// For each word, the states with an exit that is not yet known to lose. Empty if there are none.
    pub(super) barred: &'a mut [u64],
    /// The words that other processes read. Empty if there is none.
    pub(super) wanted: &'a [u64],
}

impl Part<'_> {
    /// For some states, the best exit is now known to lose. They are no longer barred, and are checked for losses. Others
    /// win by an exit.
    fn mark_exits<const SHARED: bool, G: BitParallel>(
        &mut self,
        inbox: Outbox<'_>,
        day: &Day,
    ) -> Result<(), LogError> {
        let Part { distances: DistancesPart { words, store, .. }, barred, .. } = self;
        let (begin, words) = (words.start, words.start as u64..words.end as u64);
        day.each(Event::ExitLost, words.clone(), *store, |word, states| {
            if let Some(barred) = barred.get_mut(word - begin) {
                *barred &= !states;
            }
            inbox.may_lose.add::<SHARED>(word);
        })?;
        if G::CHECKS_WINS {
            return Ok(());
        }
        day.each(Event::ExitWon, words, *store, |word, states| {
            add_bits::<SHARED>(&inbox.wins[word], states);
            inbox.may_win.add::<SHARED>(word);
        })
    }

    /// Adds to the lists what settles by other events. Some of the states that win by an exit may have settled already.
    /// Terminal states settle after the rest of the level is listed, because no check may ask for their moves.
    fn add_events<G: BitParallel>(&mut self, day: &Day) -> Result<(), LogError> {
        let Part { found: Found { wins, losses, .. }, distances, .. } = self;
        let DistancesPart { words, store, .. } = distances;
        let words = words.start as u64..words.end as u64;
        if G::CHECKS_WINS {
            let add = |word, states| wins.add((word as u64, states));
            day.each(Event::ExitWon, words.clone(), *store, add)?;
        }
        for (event, list) in [(Event::TerminalWin, wins), (Event::TerminalLoss, losses)] {
            day.each(event, words.clone(), *store, |word, states| list.add((word as u64, states)))?;
        }
        Ok(())
    }

    /// Finds the states that settle by moves, among some of 64 words from `first` on. Returns the words that have such
    /// states, and puts the states into `sets`.
    #[inline(always)]
    fn check<const WINS: bool, G: BitParallel>(
        &self,
        checks: &Checks<'_, G>,
        (first, marked): (usize, u64),
        sets: &mut Run,
    ) -> u64 {
        let begin = self.distances.words.start;
        let mut found = 0;
        for bit in Ones(marked) {
            let word = first + bit as usize;
            let terminal = checks.terminal.get(word).unwrap_or(&0);
            let open = checks.open(word) & !terminal;
            let states = match WINS {
                true => checks.wins(word, open),
                false => open & !self.barred.get(word - begin).unwrap_or(&0),
            };
            // Where moves are cheap to look at, it takes longer to pass sets on in memory.
            let states = if G::CHECKS_WINS && !WINS { checks.losses(word, states) } else { states };
            sets[bit as usize] = states;
            found |= u64::from(states != 0) << bit;
        }
        if WINS || G::CHECKS_WINS {
            return found;
        }
        checks.losses_of_run(first, found, sets);
        Ones(found).fold(0, |words, bit| words | u64::from(sets[bit as usize] != 0) << bit)
    }

    /// Lists the states that settle by moves.
    pub(super) fn gather<G: BitParallel>(&mut self, checks: &Checks<'_, G>, inbox: Outbox<'_>) {
        let words = self.distances.words.clone();
        let mut sets = [0; 64];
        inbox.may_win.drain(words.clone(), |first, marked| {
            let won = self.check::<true, G>(checks, (first, marked), &mut sets);
            Ones(won).for_each(|bit| self.found.wins.add((first as u64 + bit, sets[bit as usize])));
        });
        inbox.may_lose.drain(words, |first, marked| {
            let lost = self.check::<false, G>(checks, (first, marked), &mut sets);
            let losses = &mut self.found.losses;
            Ones(lost).for_each(|bit| losses.add((first as u64 + bit, sets[bit as usize])));
        });
    }

    /// Settles the listed states.
    pub(super) fn settle<const SHARED: bool, G: BitParallel>(
        &mut self,
        checks: &Checks<'_, G>,
        outbox: Outbox<'_>,
        level: u32,
    ) -> io::Result<(Tally, u64)> {
        let (wins, won_words) = self.settle_list::<true, SHARED, G>(checks, outbox, level)?;
        let (losses, lost_words) = self.settle_list::<false, SHARED, G>(checks, outbox, level)?;
        Ok((Tally { wins, losses }, won_words + lost_words))
    }

    /// Settles the listed wins, or the listed losses. Returns how many states settled, and in how many words.
    fn settle_list<const WON: bool, const SHARED: bool, G: BitParallel>(
        &mut self,
        checks: &Checks<'_, G>,
        outbox: Outbox<'_>,
        level: u32,
    ) -> io::Result<(u64, u64)> {
        let Found { wins, losses, .. } = &mut *self.found;
        let list = std::mem::take(if WON { wins } else { losses });
        let (mut settled, mut words) = (0, 0);
        // Words in ascending order, out of 64.
        let (mut first, mut marked, mut sets) = (0, 0_u64, [0; 64]);
        // Keep the order of the list, so that a log has the same bytes on any number of threads.
        for (word, states) in list.iter() {
            let word = word as usize;
            if marked != 0 && (word & !63 != first || marked >> (word % 64) != 0) {
                outbox.tell::<WON, SHARED, G>(checks.game, first, marked, &sets);
                marked = 0;
                if self.found.settled.len() >= NOTED {
                    self.note::<WON>(level)?;
                }
            }
            first = word & !63;
            let states = states & checks.open(word);
            known::settle(checks.known_of(word), states, WON);
            settled += u64::from(states.count_ones());
            words += 1;
            sets[word % 64] = states;
            marked |= 1 << (word % 64);
            self.found.settled.push((word, states));
        }
        if marked != 0 {
            outbox.tell::<WON, SHARED, G>(checks.game, first, marked, &sets);
        }
        self.note::<WON>(level)?;
        Ok((settled, words))
    }

    /// Records the distances of the states that have settled, and what other processes must know.
    fn note<const WON: bool>(&mut self, level: u32) -> io::Result<()> {
        let Part { found: Found { settled: list, told, .. }, distances, wanted, .. } = self;
        if !wanted.is_empty() {
            let outcome = Some(if WON { Outcome::Win } else { Outcome::Loss });
            let wanted = list.iter().filter(|(word, _)| has(wanted, *word));
            told.extend(wanted.map(|&(word, states)| Settled {
                word: word as u64,
                states,
                outcome,
            }));
        }
        let noted = distances.note(level, list);
        list.clear();
        noted
    }

    /// Settles the states of a level that brings only wins or only losses, as it finds them.
    pub(super) fn settle_alone<const WINS: bool, const SHARED: bool, G: BitParallel>(
        &mut self,
        checks: &Checks<'_, G>,
        outbox: Outbox<'_>,
        level: u32,
    ) -> io::Result<(Tally, u64)> {
        let keeps = self.distances.are_kept() || !self.wanted.is_empty();
        let (mut settled, mut words, mut noted) = (0, 0, Ok(()));
        let mut sets = [0; 64];
        let inbox = if WINS { outbox.may_win } else { outbox.may_lose };
        inbox.drain(self.distances.words.clone(), |first, marked| {
            let found = self.check::<WINS, G>(checks, (first, marked), &mut sets);
            if found == 0 {
                return;
            }
            let list = &mut self.found.settled;
            for bit in Ones(found) {
                let (word, states) = (first + bit as usize, sets[bit as usize]);
                known::settle(checks.known_of(word), states, WINS);
                settled += u64::from(states.count_ones());
                words += 1;
                if keeps {
                    list.push((word, states));
                }
            }
            outbox.tell::<WINS, SHARED, G>(checks.game, first, found, &sets);
            if list.len() >= NOTED && noted.is_ok() {
                noted = self.note::<WINS>(level);
            }
        });
        noted.and_then(|()| self.note::<WINS>(level))?;
        let (wins, losses) = if WINS { (settled, 0) } else { (0, settled) };
        Ok((Tally { wins, losses }, words))
    }
}
