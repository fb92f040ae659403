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

use std::cell::Cell;
use std::io;
use std::ops::Range;

use super::arrays::{Arrays, Found};
use super::inbox::{Outbox, Run, add_bits};
use super::known::{self, Checks, Known, SharedKnown, Stops, WordBits};
use super::residence::{Events, Record, Residence};
use crate::memory::Ones;
use crate::rules::{BitParallel, Outcome};
use crate::solve::error::SolveError;
use crate::solve::histogram::Tally;
use crate::solve::pending::Event;
use crate::threads;

/// How many words the engine passes to the log in one call.
const NOTED: usize = 1 << 10;

impl Arrays {
    /// The input of the checks, the marks for the next level, and the parts for the threads.
    fn parts<'a, G: BitParallel>(
        &'a mut self,
        game: &'a G,
        Division { part_len, stops, .. }: Division<'a>,
    ) -> (Checks<'a, G, &'a [SharedKnown]>, Outbox<'a>, Vec<WordPart<'a>>) {
        let Arrays { blocks, known, barred, terminal, inbox, found } = self;
        let outbox = inbox.share();
        let checks =
            Checks { game, known: known::share(known), terminal, wins: outbox.wins, stops };
        let mut barred = match &mut barred[..] {
            [] => None,
            barred => Some(blocks.split(barred, 1, part_len)),
        };
        let words: Vec<_> = blocks.parts(part_len).collect();
        if found.len() < words.len() {
            found.resize_with(words.len(), Found::default);
        }
        let part = |(words, found)| {
            let barred = barred.as_mut().and_then(Iterator::next);
            let barred = barred.map(|(_, barred)| barred).unwrap_or_default();
            WordPart { words, found, barred, states: Cell::new(0) }
        };
        (checks, outbox, words.into_iter().zip(found).map(part).collect())
    }

    /// Whether moves bring only wins or only losses at the current level: `Some(true)` for only wins, `Some(false)` for
    /// only losses, `None` if the engine cannot tell.
    pub(crate) fn brings_alone<G: BitParallel>(&self) -> Option<bool> {
        let passes_turn = G::CHECKS_WINS || G::PASSES_TURN;
        self.inbox.brings_alone(self.blocks.iter()).filter(|_| passes_turn)
    }

    /// Settles all states of a level that brings only wins or only losses, and marks the next level. Returns
    /// how many states settled, and in how many words.
    pub(crate) fn settle_alone<G: BitParallel>(
        &mut self,
        game: &G,
        division: Division<'_>,
        (level, wins): (u32, bool),
        residence: &mut dyn Residence,
    ) -> io::Result<(Tally, u64)> {
        let (checks, outbox, parts) = self.parts(game, division);
        each_part(parts, division.shared, residence, |part, record| match (wins, division.shared) {
            (true, false) => part.settle_alone::<true, false, _, _>(&checks, outbox, level, record),
            (true, true) => part.settle_alone::<true, true, _, _>(&checks, outbox, level, record),
            (false, false) => {
                part.settle_alone::<false, false, _, _>(&checks, outbox, level, record)
            }
            (false, true) => part.settle_alone::<false, true, _, _>(&checks, outbox, level, record),
        })
    }

    /// Marks words for the exits that take effect at the current level.
    pub(crate) fn mark_exits<G: BitParallel>(
        &mut self,
        game: &G,
        division: Division<'_>,
        events: &dyn Events,
    ) -> Result<(), SolveError> {
        let (_, inbox, mut parts) = self.parts(game, division);
        try_each_part(&mut parts, division.shared, |part| match division.shared {
            true => part.mark_exits::<true, G>(inbox, events),
            false => part.mark_exits::<false, G>(inbox, events),
        })
    }

    /// Lists the states that settle at the current level: by moves, and by other events.
    pub(crate) fn gather<G: BitParallel>(
        &mut self,
        game: &G,
        division: Division<'_>,
        events: &dyn Events,
    ) -> Result<(), SolveError> {
        let (checks, inbox, mut parts) = self.parts(game, division);
        try_each_part(&mut parts, division.shared, |part| {
            part.gather(&checks, inbox);
            part.add_events::<G>(events)
        })
    }

    /// Settles the listed states at `level`, and marks the next level. Returns how many states settled, and
    /// in how many words.
    pub(crate) fn settle<G: BitParallel>(
        &mut self,
        game: &G,
        division: Division<'_>,
        level: u32,
        residence: &mut dyn Residence,
    ) -> io::Result<(Tally, u64)> {
        let (checks, outbox, parts) = self.parts(game, division);
        each_part(parts, division.shared, residence, |part, record| match division.shared {
            false => part.settle::<false, _, _>(&checks, outbox, level, record),
            true => part.settle::<true, _, _>(&checks, outbox, level, record),
        })
    }

    /// Marks, for the next level, all words with a move into any own state that has settled at any level.
    pub(crate) fn tell_all<G: BitParallel>(&mut self, game: &G) {
        let Arrays { blocks, known, inbox, .. } = self;
        let outbox = inbox.share();
        blocks.iter().for_each(|words| tell_settled(game, outbox, words.start, &known[words]));
    }
}

/// Marks all words with a move into any settled state of some words. The first of them is a multiple of 64.
pub(crate) fn tell_settled<G: BitParallel>(
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
pub(crate) struct Division<'a> {
    /// How many words a part has.
    pub(crate) part_len: usize,
    /// Whether several threads work at the same time.
    pub(crate) shared: bool,
    /// Whether the caller stops the solve within the level.
    pub(crate) stops: Option<&'a Stops<'a>>,
}

/// Calls `act` for each part, on several threads or on one.
fn try_each_part<'a, E: Send>(
    parts: &mut [WordPart<'a>],
    shared: bool,
    act: impl Fn(&mut WordPart<'a>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    match shared {
        true => threads::map_of(parts, |_, part| act(part)).into_iter().collect(),
        false => parts.iter_mut().try_for_each(act),
    }
}

/// Calls `settle` for each part and its record, on several threads or on one. Returns how many states settled, and in how
/// many words.
fn each_part<'a>(
    parts: Vec<WordPart<'a>>,
    shared: bool,
    residence: &mut dyn Residence,
    settle: impl Fn(&mut WordPart<'a>, &mut dyn Record) -> io::Result<(Tally, u64)> + Sync,
) -> io::Result<(Tally, u64)> {
    let words: Vec<_> = parts.iter().map(|part| part.words.clone()).collect();
    let mut parts: Vec<_> = parts.into_iter().zip(residence.records(&words)).collect();
    let settled = match shared {
        true => threads::map_of(&mut parts, |_, (part, record)| settle(part, &mut **record)),
        false => parts.iter_mut().map(|(part, record)| settle(part, &mut **record)).collect(),
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
pub(crate) struct WordPart<'a> {
    pub(crate) words: Range<usize>,
    pub(crate) found: &'a mut Found,
    /// For each word, the states with an exit that is not yet known to lose. Empty if there are none.
    pub(crate) barred: &'a mut [u64],
    /// How many states the game was asked for since the caller was last asked.
    pub(crate) states: Cell<u32>,
}

/// After how many states to ask the caller of a game [state by state](BitParallel::BY_STATE). Each may have a million moves.
const STATES_AT_ONCE: u32 = 64;

impl WordPart<'_> {
    /// Calls `work` for some words at once, or for one after the other until the caller stops the solve.
    #[inline(always)]
    fn in_turn<G: BitParallel, W: WordBits>(
        &self,
        checks: &Checks<'_, G, W>,
        words: u64,
        sets: &mut Run,
        mut work: impl FnMut(u64, &mut Run),
    ) {
        let Some(stops) = checks.stops.filter(|_| G::BY_STATE) else { return work(words, sets) };
        for bit in Ones(words) {
            let states = self.states.get() + sets[bit as usize].count_ones();
            if states >= STATES_AT_ONCE && stops() {
                return self.states.set(STATES_AT_ONCE);
            }
            self.states.set(states % STATES_AT_ONCE);
            work(1 << bit, sets);
        }
    }

    /// For some states, the best exit is now known to lose. They are no longer barred, and are checked for losses. Others
    /// win by an exit.
    fn mark_exits<const SHARED: bool, G: BitParallel>(
        &mut self,
        inbox: Outbox<'_>,
        events: &dyn Events,
    ) -> Result<(), SolveError> {
        let WordPart { words, barred, .. } = self;
        let (begin, words) = (words.start, words.start as u64..words.end as u64);
        events.each(Event::ExitLost, words.clone(), &mut |word, states| {
            if let Some(barred) = barred.get_mut(word - begin) {
                *barred &= !states;
            }
            inbox.may_lose.add::<SHARED>(word);
        })?;
        if G::CHECKS_WINS {
            return Ok(());
        }
        events.each(Event::ExitWon, words, &mut |word, states| {
            add_bits::<SHARED>(&inbox.wins[word], states);
            inbox.may_win.add::<SHARED>(word);
        })
    }

    /// Adds to the lists what settles by other events. Some of the states that win by an exit may have settled already.
    /// Terminal states settle after the rest of the level is listed, because no check may ask for their moves.
    fn add_events<G: BitParallel>(&mut self, events: &dyn Events) -> Result<(), SolveError> {
        let WordPart { words, found: Found { wins, losses, .. }, .. } = self;
        let words = words.start as u64..words.end as u64;
        if G::CHECKS_WINS {
            let add = &mut |word, states| wins.add((word as u64, states));
            events.each(Event::ExitWon, words.clone(), add)?;
        }
        for (event, list) in [(Event::TerminalWin, wins), (Event::TerminalLoss, losses)] {
            let add = &mut |word, states| list.add((word as u64, states));
            events.each(event, words.clone(), add)?;
        }
        Ok(())
    }

    /// Finds the states that settle by moves, among some of 64 words from `first` on. Returns the words that have such
    /// states, and puts the states into `sets`.
    #[inline(always)]
    fn check<const WINS: bool, G: BitParallel, W: WordBits>(
        &self,
        checks: &Checks<'_, G, W>,
        (first, marked): (usize, u64),
        sets: &mut Run,
    ) -> u64 {
        let begin = self.words.start;
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
        self.in_turn(checks, found, sets, |words, sets| checks.losses_of_run(first, words, sets));
        Ones(found).fold(0, |words, bit| words | u64::from(sets[bit as usize] != 0) << bit)
    }

    /// Lists the states that settle by moves.
    pub(crate) fn gather<G: BitParallel, W: WordBits>(
        &mut self,
        checks: &Checks<'_, G, W>,
        inbox: Outbox<'_>,
    ) {
        let words = self.words.clone();
        let mut sets = [0; 64];
        inbox.may_win.drain(words.clone(), |first, marked| {
            let won = self.check::<true, G, W>(checks, (first, marked), &mut sets);
            Ones(won).for_each(|bit| self.found.wins.add((first as u64 + bit, sets[bit as usize])));
        });
        inbox.may_lose.drain(words, |first, marked| {
            let lost = self.check::<false, G, W>(checks, (first, marked), &mut sets);
            let losses = &mut self.found.losses;
            Ones(lost).for_each(|bit| losses.add((first as u64 + bit, sets[bit as usize])));
        });
    }

    /// Settles the listed states.
    pub(crate) fn settle<const SHARED: bool, G: BitParallel, W: WordBits>(
        &mut self,
        checks: &Checks<'_, G, W>,
        outbox: Outbox<'_>,
        level: u32,
        record: &mut dyn Record,
    ) -> io::Result<(Tally, u64)> {
        let (wins, won_words) =
            self.settle_list::<true, SHARED, G, W>(checks, outbox, level, record)?;
        let (losses, lost_words) =
            self.settle_list::<false, SHARED, G, W>(checks, outbox, level, record)?;
        Ok((Tally { wins, losses }, won_words + lost_words))
    }

    /// Settles the listed wins, or the listed losses. Returns how many states settled, and in how many words.
    fn settle_list<const WON: bool, const SHARED: bool, G: BitParallel, W: WordBits>(
        &mut self,
        checks: &Checks<'_, G, W>,
        outbox: Outbox<'_>,
        level: u32,
        record: &mut dyn Record,
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
                self.in_turn(checks, marked, &mut sets, |words, sets| {
                    outbox.tell::<WON, SHARED, G>(checks.game, first, words, sets);
                });
                marked = 0;
                if self.found.settled.len() >= NOTED {
                    self.note::<WON>(level, record)?;
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
            self.in_turn(checks, marked, &mut sets, |words, sets| {
                outbox.tell::<WON, SHARED, G>(checks.game, first, words, sets);
            });
        }
        self.note::<WON>(level, record)?;
        Ok((settled, words))
    }

    /// Records the states that have settled.
    fn note<const WON: bool>(&mut self, level: u32, record: &mut dyn Record) -> io::Result<()> {
        let list = &mut self.found.settled;
        let noted = record.note(level, if WON { Outcome::Win } else { Outcome::Loss }, list);
        list.clear();
        noted
    }

    /// Settles the states of a level that brings only wins or only losses, as it finds them.
    pub(crate) fn settle_alone<
        const WINS: bool,
        const SHARED: bool,
        G: BitParallel,
        W: WordBits,
    >(
        &mut self,
        checks: &Checks<'_, G, W>,
        outbox: Outbox<'_>,
        level: u32,
        record: &mut dyn Record,
    ) -> io::Result<(Tally, u64)> {
        let keeps = record.is_needed();
        let (mut settled, mut words, mut noted) = (0, 0, Ok(()));
        let mut sets = [0; 64];
        let inbox = if WINS { outbox.may_win } else { outbox.may_lose };
        inbox.drain(self.words.clone(), |first, marked| {
            let found = self.check::<WINS, G, W>(checks, (first, marked), &mut sets);
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
            self.in_turn(checks, found, &mut sets, |words, sets| {
                outbox.tell::<WINS, SHARED, G>(checks.game, first, words, sets);
            });
            if self.found.settled.len() >= NOTED && noted.is_ok() {
                noted = self.note::<WINS>(level, record);
            }
        });
        noted.and_then(|()| self.note::<WINS>(level, record))?;
        let (wins, losses) = if WINS { (settled, 0) } else { (0, settled) };
        Ok((Tally { wins, losses }, words))
    }
}
