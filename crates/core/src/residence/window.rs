//! The bit-parallel engine for games whose bits exceed memory. All bits are in the store, shard by shard. A *window* of
//! neighbouring shards is in memory.
//!
//! This works if moves lead to near words: at most `reach` shards before or after. A pass loads all shards in order, and
//! takes each of them through many levels before it leaves the window:
//!
//! ```text
//! wave w:      shard w settles level 1, shard w - (reach + 1) settles level 2, shard w - 2 (reach + 1) level 3, ...
//! meanwhile:   the lowest shard goes to the store once no check needs it, and the shard after the window comes from there
//! ```
//!
//! So when a shard settles a level, all near shards have settled the level before, and none has settled a later one. The
//! shards of a wave are not near each other, and threads share them. If a level brings only wins or only losses, a shard
//! may read near shards that have settled the same level. A level that may bring both has a pass of its own. In this pass,
//! a shard is checked `reach` waves before its states settle.
//!
//! The marks of all words stay in memory. They take a 64th of the memory of the bits.
//!
//! The store has space for three copies of each shard. A pass overwrites no copy that a snapshot on the disk names, or may
//! name. A snapshot is possible at the end of a pass.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::nearby::Nearby;
use super::store::LogStore;
use super::stored::{LogRecord, Stored};
use super::stored_log::StoredLog;
use super::window_bits::{BitsFrom, COPIES, StoredBits, StoredShard, Window};
use super::window_plan::{WindowPlan, levels};
use crate::rules::BitParallel;
use crate::solve::course::{Engine, Kind, Watch};
use crate::solve::error::SolveError;
use crate::solve::histogram::Tally;
use crate::solve::numbers::{read_array, write_numbers};
use crate::solve::pending::PendingEvents;
use crate::solve::solver::Solver;
use crate::threads;
use crate::words::arrays::Found;
use crate::words::blocks::Blocks;
use crate::words::engine::Seeded;
use crate::words::inbox::{Inbox, Outbox};
use crate::words::known::{self, Checks, SharedKnown};
use crate::words::level::{WordPart, tell_settled};
use crate::words::residence::Residence;

/// The engine.
pub(super) struct WindowEngine<'g, G> {
    game: &'g G,
    threads: usize,
    inbox: Inbox,
    /// The store, with the logs of distances.
    pub(super) stored: Stored,
    pub(super) bits: StoredBits,
    /// The bits of some shards.
    window: Window,
    /// A move leads at most this number of shards before or after its own shard.
    reach: usize,
    /// For each shard, the states that its check has found and that have not settled yet.
    found: Vec<Found>,
    /// Whether a step needed a word that is not near.
    missed: AtomicBool,
    /// The level that all shards have settled.
    completed: u32,
    /// What settled at levels that the loop has not asked for.
    ahead: BTreeMap<u32, Tally>,
    plan: WindowPlan,
}

impl<'g, G: BitParallel> WindowEngine<'g, G> {
    pub(super) fn new(
        game: &'g G,
        plan: WindowPlan,
        solver: &Solver<'_>,
        threads: usize,
        store: Box<dyn LogStore>,
    ) -> WindowEngine<'g, G> {
        let words = game.states().div_ceil(64) as usize;
        let shard_words = solver.thresholds.shard_words;
        let stored =
            Stored::new(solver.distances, &Blocks::whole(words, shard_words), store, false);
        let engine = WindowEngine {
            game,
            threads,
            inbox: Inbox::new(words, true),
            bits: StoredBits::new(words, shard_words),
            window: Window::new(plan.shards(plan.reach, shard_words) * shard_words),
            reach: plan.reach,
            found: (0..words.div_ceil(shard_words)).map(|_| Found::default()).collect(),
            missed: AtomicBool::new(false),
            completed: 0,
            ahead: BTreeMap::new(),
            stored,
            plan,
        };
        engine.stored.store.reserve(engine.bits.blocks());
        engine
    }

    /// How many levels a pass takes. An error if the window is too small.
    fn levels(&self) -> Result<usize, SolveError> {
        let shards = self.plan.shards(self.reach, self.bits.shard_words);
        let levels = levels(shards, self.bits.shards.len(), self.reach);
        levels.ok_or_else(|| self.refusal())
    }

    /// The error that says that this game must be solved without a window.
    fn refusal(&self) -> SolveError {
        let WindowPlan { whole: needed, limit, .. } = self.plan;
        SolveError::Memory { needed, limit }
    }

    /// Seeds all shards, and writes them to the store. Tells how many states are seeded.
    fn seed_all(
        &mut self,
        tell: &mut dyn FnMut(u64) -> Result<(), SolveError>,
    ) -> Result<Tally, SolveError> {
        let WindowEngine { game, threads, inbox, bits, window, reach, missed, .. } = self;
        let (store, shard_words) = (&self.stored.store, bits.shard_words);
        let at_a_time = (4 * *threads).min(self.plan.shards(*reach, shard_words));
        let reach = *reach * shard_words;
        let outbox = inbox.share();
        let mut tally = Tally::default();
        for first in (0..bits.shards.len()).step_by(at_a_time) {
            let words = bits.words_of(first).start..bits.words_of(first + at_a_time - 1).end;
            let known = &mut window.known.as_mut()[..words.len()];
            let mut shards: Vec<_> = known.chunks_mut(shard_words).collect();
            let seeded = threads::map_of(&mut shards, |i, known| {
                let words = bits.words_of(first + i);
                let game = Nearby::new(*game, words.clone(), 0..0, reach, missed);
                let seeded = Seeded::of(&game, outbox, words.start, known);
                Ok::<_, io::Error>((bits.save(store, first + i, known)?, seeded))
            });
            for (shard, seeded) in (first..).zip(seeded) {
                let (copy, seeded) = seeded?;
                bits.is_saved(shard, copy);
                if seeded.has_special() {
                    return Err(self.refusal());
                }
                tally += seeded.tally;
            }
            tell((words.end as u64 * 64).min(game.states()))?;
        }
        Ok(tally)
    }

    /// Starts again, with a greater reach: a step needed a word that is not near.
    fn start_again(&mut self) -> Result<(), SolveError> {
        self.reach *= 2;
        self.levels()?;
        // The old window goes first.
        self.window = Window::new(0);
        let shard_words = self.bits.shard_words;
        self.window = Window::new(self.plan.shards(self.reach, shard_words) * shard_words);
        self.missed = AtomicBool::new(false);
        self.inbox = Inbox::new(self.bits.words, true);
        self.found.iter_mut().for_each(|found| *found = Found::default());
        self.stored.logs.iter_mut().for_each(|log| *log = StoredLog::default());
        self.ahead.clear();
        self.completed = 0;
        self.bits.shards.iter_mut().for_each(|stored| stored.changed = true);
        // The loop has left the seed behind.
        self.seed_all(&mut |_| Ok(()))?;
        Ok(())
    }

    /// Takes all shards to a later level.
    fn pass(&mut self, watch: &mut Watch<'_>) -> Result<(), SolveError> {
        let alone = self.inbox.brings_alone(std::iter::once(0..self.bits.words));
        let levels = if alone.is_some() { self.levels()? } else { 1 };
        let pass = Pass { alone, levels, reach: self.reach, first: self.completed + 1 };
        let shards = self.bits.shards.len();
        self.bits.pass += 1;
        self.window.clear();
        let mut settled = 0;
        for wave in 0..shards + pass.lag() {
            while self.window.end < shards.min(wave + self.reach + 1) {
                let shard = self.window.end;
                let [.., next] = self.window.split(&self.bits, false, true);
                self.bits.load(&self.stored.store, shard, next)?;
                self.window.end += 1;
            }
            for (level, tally) in self.wave(&pass, wave)? {
                settled += tally.total();
                *self.ahead.entry(level).or_default() += tally;
            }
            if self.missed.load(Relaxed) {
                return self.start_again();
            }
            watch.tell(settled)?;
        }
        for shard in self.window.begin..shards {
            let [known, ..] = self.window.split(&self.bits, true, false);
            let saved = self.bits.save(&self.stored.store, shard, known)?;
            self.bits.is_saved(shard, saved);
            self.window.begin += 1;
        }
        self.completed += levels as u32;
        Ok(())
    }

    /// One wave of a pass. Returns what settled at each level.
    fn wave(&mut self, pass: &Pass, wave: usize) -> Result<Vec<(u32, Tally)>, SolveError> {
        let WindowEngine { game, inbox, stored, bits, window, found, missed, .. } = self;
        let Stored { logs, shard_words, store, .. } = stored;
        let (store, shard_words) = (&*store, *shard_words);
        let mut logs = logs.chunks_mut(1).skip(pass.lowest(wave)).step_by(pass.spacing());
        let found = found.iter_mut().skip(pass.lowest(wave)).step_by(pass.spacing());
        let parts = pass.shards(wave).zip(found).map(|(shard, found)| {
            let (words, logs) = (bits.words_of(shard), logs.next().unwrap_or_default());
            let record = LogRecord { first: shard, logs, shard_words, store };
            (shard, WordPart { words, found, barred: &mut [], states: Cell::new(0) }, record)
        });
        let mut parts: Vec<_> = parts.collect();

        let leaving = (window.begin + pass.stay() < wave).then_some(window.begin);
        let coming = (window.end < bits.shards.len()).then_some(window.end);
        let first = window.begin + usize::from(leaving.is_some());
        let [left, staying, next] = window.split(bits, leaving.is_some(), coming.is_some());
        let known = known::share(staying);
        let shared = self.threads > 1;
        let steps = Steps { game: *game, known, first, outbox: inbox.share(), missed, bits, pass };
        let mut steps = || -> io::Result<Vec<_>> {
            match pass.alone {
                Some(_) if shared => {
                    let settle = |_, part: &mut _| steps.settle_alone::<true>(wave, part);
                    threads::map_of(&mut parts, settle).into_iter().collect()
                }
                Some(_) => {
                    parts.iter_mut().map(|part| steps.settle_alone::<false>(wave, part)).collect()
                }
                None => steps.settle_one(wave, &mut parts),
            }
        };
        let mut moves = || -> Result<Option<u8>, SolveError> {
            let saved = leaving.map(|shard| bits.save(store, shard, left)).transpose()?;
            if let Some(shard) = coming {
                bits.load(store, shard, next)?;
            }
            Ok(saved.flatten())
        };
        let (settled, saved) = if shared { rayon::join(steps, moves) } else { (steps(), moves()) };
        let (settled, saved) = (settled?, saved?);
        leaving.into_iter().for_each(|shard| bits.is_saved(shard, saved));
        window.begin += usize::from(leaving.is_some());
        window.end += usize::from(coming.is_some());
        let tallies = settled.into_iter().map(|Step { shard, level, tally, words }| {
            bits.shards[shard].changed |= words > 0;
            (level, tally)
        });
        Ok(tallies.collect())
    }
}

/// The schedule of a pass.
struct Pass {
    /// Whether its levels bring only wins or only losses, and whether the first one brings wins.
    alone: Option<bool>,
    levels: usize,
    reach: usize,
    /// The first level.
    first: u32,
}

impl Pass {
    /// The shards of a wave are this number of shards apart.
    fn spacing(&self) -> usize {
        if self.alone.is_some() { self.reach + 1 } else { self.reach }
    }

    /// How many waves there are from the first step of a shard to its last step.
    fn lag(&self) -> usize {
        if self.alone.is_some() { (self.levels - 1) * self.spacing() } else { self.reach }
    }

    /// How many waves a shard stays in the window after its first step, because checks read it.
    fn stay(&self) -> usize {
        if self.alone.is_some() { self.lag() + self.reach } else { self.lag() }
    }

    /// The lowest shard that takes a step in a wave.
    fn lowest(&self, wave: usize) -> usize {
        wave - (wave / self.spacing()).min(self.lag() / self.spacing()) * self.spacing()
    }

    /// The shards that take a step in a wave, in ascending order. Some of them may be beyond the last shard.
    fn shards(&self, wave: usize) -> impl Iterator<Item = usize> + use<> {
        (self.lowest(wave)..=wave).step_by(self.spacing())
    }

    /// The level that a shard settles in a wave, and whether it brings wins.
    fn level(&self, wave: usize, shard: usize) -> (u32, bool) {
        let after = (wave - shard) / self.spacing();
        let wins = self.alone == Some(after.is_multiple_of(2));
        (self.first + after as u32, wins)
    }
}

/// The result of a step.
struct Step {
    shard: usize,
    level: u32,
    tally: Tally,
    /// How many words have changed.
    words: u64,
}

/// What the steps of a wave need.
struct Steps<'a, G> {
    game: &'a G,
    /// The window, from shard `first` on.
    known: &'a [SharedKnown],
    first: usize,
    outbox: Outbox<'a>,
    missed: &'a AtomicBool,
    bits: &'a StoredBits,
    pass: &'a Pass,
}

impl<G: BitParallel> Steps<'_, G> {
    /// Calls `work` with everything that the checks of a shard read.
    fn with<R>(
        &self,
        shard: usize,
        work: impl FnOnce(&Checks<'_, Nearby<'_, G>, BitsFrom<'_>>) -> R,
    ) -> R {
        let Steps { bits, known, first, .. } = self;
        let (shard_words, reach) = (bits.shard_words, self.pass.reach);
        let begin = shard.saturating_sub(reach).max(*first);
        let end = ((shard + reach + 1 - first) * shard_words).min(known.len());
        let known = &known[(begin - first) * shard_words..end];
        let first = begin * shard_words;
        let (words, readable) = (bits.words_of(shard), first..first + known.len());
        let game = Nearby::new(self.game, words, readable, reach * shard_words, self.missed);
        let known = BitsFrom { first, known };
        work(&Checks { game: &game, known, terminal: &[], wins: &[], stops: None })
    }

    /// Settles a level of a shard that brings only wins or only losses.
    fn settle_alone<const SHARED: bool>(
        &self,
        wave: usize,
        (shard, part, record): &mut (usize, WordPart<'_>, LogRecord<'_>),
    ) -> io::Result<Step> {
        let (shard, (level, wins)) = (*shard, self.pass.level(wave, *shard));
        let settled = self.with(shard, |checks| match wins {
            true => part.settle_alone::<true, SHARED, _, _>(checks, self.outbox, level, record),
            false => part.settle_alone::<false, SHARED, _, _>(checks, self.outbox, level, record),
        });
        *part.found = Found::default();
        settled.map(|(tally, words)| Step { shard, level, tally, words })
    }

    /// Checks the last shard of a wave. After that, no check needs the old bits of the first shard of the wave. So the
    /// states found in the first shard settle now.
    fn settle_one(
        &self,
        wave: usize,
        parts: &mut [(usize, WordPart<'_>, LogRecord<'_>)],
    ) -> io::Result<Vec<Step>> {
        if let Some((shard, part, _)) = parts.last_mut().filter(|part| part.0 == wave) {
            // Lists that grow would move, and take more memory than they need.
            *part.found = Found::with_room(part.words.len());
            self.with(*shard, |checks| part.gather(checks, self.outbox));
        }
        let ready = parts.first_mut().filter(|part| part.0 + self.pass.reach == wave);
        let settled = ready.map(|(shard, part, record)| {
            let (shard, level) = (*shard, self.pass.first);
            let (tally, words) = self.with(shard, |checks| {
                part.settle::<true, _, _>(checks, self.outbox, level, record)
            })?;
            *part.found = Found::default();
            Ok(Step { shard, level, tally, words })
        });
        settled.into_iter().collect()
    }
}

impl<G: BitParallel> Engine for WindowEngine<'_, G> {
    fn kind(&self) -> Kind {
        let layout = self.bits.shard_words as u64;
        Kind { engine: *b"window 2", layout, distances: self.stored.has_distances() }
    }

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn bytes(&self, _: u32) -> u64 {
        self.plan.memory
    }

    fn seed(&mut self, _: &mut PendingEvents, watch: &mut Watch<'_>) -> Result<Tally, SolveError> {
        self.levels()?;
        self.seed_all(&mut |seeded| watch.tell(seeded))
    }

    fn settle(
        &mut self,
        level: u32,
        _: &PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        while self.completed < level {
            self.pass(watch)?;
        }
        // After a new start, `ahead` also has levels that the loop has already asked for. They are dropped.
        self.ahead = self.ahead.split_off(&level);
        Ok(self.ahead.remove(&level).unwrap_or_default())
    }

    fn can_write(&self) -> bool {
        self.ahead.is_empty() && self.bits.can_be_named()
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.stored.sync()?;
        let stored =
            self.bits.shards.iter().map(|stored| [u64::from(stored.pass), u64::from(stored.copy)]);
        write_numbers(to, [u64::from(self.bits.pass)])?;
        write_numbers(to, stored.flatten())?;
        self.stored.logs.iter().try_for_each(|log| log.write(to))
    }

    fn published(&mut self, certain: bool) {
        self.bits.are_named(certain);
    }

    /// Marks the predecessors of all settled states. This includes all marks that the last level made. The other marks
    /// only lead to checks that find nothing.
    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
        self.levels()?;
        let small = |number: u64| u32::try_from(number).map_err(|_| SolveError::Snapshot);
        let [pass] = read_array(from)?;
        self.bits.pass = small(pass)?;
        for stored in &mut self.bits.shards {
            let [pass, copy] = read_array(from)?;
            let copy = u8::try_from(copy).ok().filter(|copy| *copy < COPIES);
            let copy = copy.ok_or(SolveError::Snapshot)?;
            *stored = StoredShard { pass: small(pass)?, copy, named: 1 << copy, changed: false };
        }
        let WindowEngine { game, inbox, stored, bits, window, .. } = self;
        let Stored { logs, shard_words, store, .. } = stored;
        for (i, log) in logs.iter_mut().enumerate() {
            *log = StoredLog::read(level, bits.words_of(i).len(), store, from)?;
        }
        let (outbox, reach) = (inbox.share(), self.reach * *shard_words);
        for shard in 0..bits.shards.len() {
            let words = bits.words_of(shard);
            let known = &mut window.known[..words.len()];
            bits.load(store, shard, known)?;
            let game = Nearby::new(*game, words.clone(), 0..0, reach, &self.missed);
            tell_settled(&game, outbox, words.start, known);
        }
        self.completed = level;
        Ok(None)
    }
}
