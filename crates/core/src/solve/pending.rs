//! Pending events: events of later levels that do not follow from the level before. Terminal states whose distance is
//! not 0 settle, and exits take effect.
//!
//! The exits of a state cause at most one event. If an exit wins, the state wins by its shortest winning exit, unless a
//! move wins sooner. If no exit wins but one draws, the state never loses. If all exits lose, the state does not lose
//! before its longest losing exit.
//!
//! A game may have as many exits as moves, so an event must be cheap. All events of one kind for the states of a word
//! at a level make one entry of a few bytes. Games report states in about the order of words, so there is little to
//! sort.

use std::cmp::Reverse;
use std::ops::Range;

use super::entries::{Entries, Entry};
use super::histogram::ByLevel;
use crate::rules::Value;
use crate::threads;

/// What can happen to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The rules say that it is lost.
    TerminalLoss,
    /// The rules say that it is won.
    TerminalWin,
    /// Its longest losing exit has lost, so the state may now lose.
    ExitLost,
    /// It wins by its shortest winning exit.
    ExitWon,
}

/// All events, in the order of their numbers.
pub(crate) const EVENTS: [Event; 4] =
    [Event::TerminalLoss, Event::TerminalWin, Event::ExitLost, Event::ExitWon];

impl Event {
    /// A level and an event, by their numbers in a snapshot.
    pub(crate) fn named(level: u64, event: u64) -> Option<(u32, Event)> {
        Some((u32::try_from(level).ok()?, *EVENTS.get(usize::try_from(event).ok()?)?))
    }
}

/// The pending events by level.
#[derive(Debug, Default)]
pub struct PendingEvents {
    pub(crate) days: ByLevel<Day>,
    /// All levels before this one are done.
    from: u32,
    /// How many bytes of memory the entries took when they were sorted.
    pub(super) bytes: u64,
}

/// The events of one level.
#[derive(Debug, Default)]
pub struct Day {
    /// For each [`Event`]: words in order, and sets of their states.
    pub(crate) entries: [Entries; 4],
}

impl PendingEvents {
    /// Adds an event of a state.
    pub fn add(&mut self, level: u32, state: u64, event: Event) {
        self.add_states(level, event, (state / 64, 1 << (state % 64)));
    }

    /// Adds the event that the exits of an open state cause. `best` is the value of the best exit. If the best exit
    /// does not win, the state cannot lose before [`Event::ExitLost`], or ever.
    pub fn add_exit(&mut self, state: u64, best: Value) {
        match best {
            Value::Win(level) => self.add(level, state, Event::ExitWon),
            Value::Draw => {}
            Value::Loss(level) => self.add(level, state, Event::ExitLost),
        }
    }

    /// Adds the event of a terminal state, unless it is a win or loss in 0.
    pub fn add_terminal(&mut self, state: u64, value: Value) {
        match value {
            Value::Win(level) => self.add(level, state, Event::TerminalWin),
            Value::Draw => {}
            Value::Loss(level) => self.add(level, state, Event::TerminalLoss),
        }
    }

    /// The same for some states of a word.
    pub(crate) fn add_terminals(&mut self, word: u64, states: u64, value: Value) {
        match value {
            Value::Win(level) => self.add_states(level, Event::TerminalWin, (word, states)),
            Value::Draw => {}
            Value::Loss(level) => self.add_states(level, Event::TerminalLoss, (word, states)),
        }
    }

    /// Adds the events that the exits of a word's open states cause. `exits` has sets of states, and the value of an
    /// exit of these states, in any order. Only the best exit of a state counts. Returns the states that have exits.
    /// `sorted` is a buffer.
    pub(crate) fn add_exits(
        &mut self,
        word: u64,
        exits: &[(u64, Value)],
        sorted: &mut Vec<(u64, Value)>,
    ) -> u64 {
        sorted.clear();
        sorted.extend_from_slice(exits);
        sorted.sort_unstable_by_key(|&(_, value)| Reverse(value));
        let mut told = 0;
        for &(states, value) in &*sorted {
            let states = states & !told;
            told |= states;
            match (states, value) {
                (0, _) | (_, Value::Draw) => {}
                (_, Value::Win(0) | Value::Loss(0)) => {
                    free_exit(word * 64 + u64::from(states.trailing_zeros()), value)
                }
                (_, Value::Win(level)) => self.add_states(level, Event::ExitWon, (word, states)),
                (_, Value::Loss(level)) => self.add_states(level, Event::ExitLost, (word, states)),
            }
        }
        told
    }

    pub(super) fn add_states(&mut self, level: u32, event: Event, entry: Entry) {
        self.days.at(level).entries[event as usize].add(entry);
    }

    /// Adds the events of other lists, list after list. Threads share the levels.
    pub fn append(&mut self, others: Vec<PendingEvents>) {
        let mut lists: ByLevel<Vec<Day>> = ByLevel::default();
        for (level, day) in others.into_iter().flat_map(|other| other.days.into_levels()) {
            if !day.is_empty() {
                lists.at(level).push(day);
            }
        }
        let lists = lists.into_levels().filter(|(_, days)| !days.is_empty());
        let mut levels: Vec<_> =
            lists.map(|(level, days)| (level, self.days.take(level), days)).collect();
        threads::each_of(&mut levels, |_, (_, own, days)| {
            for day in days.drain(..) {
                own.entries.iter_mut().zip(day.entries).for_each(|(own, other)| own.append(other));
            }
        });
        for (level, own, _) in levels {
            *self.days.at(level) = own;
        }
    }

    /// Sorts the states of each level, so that the order in which they came does not matter, and adds up the bytes of the
    /// entries. The loop calls this after the seed. Code without the loop must call it too.
    pub fn sort(&mut self) {
        self.days.values_mut().flat_map(|day| &mut day.entries).for_each(Entries::sort);
        self.bytes = self.counted_bytes();
    }

    /// The first level that has events.
    pub fn next(&self) -> Option<u32> {
        self.days.from(self.from).find(|(_, day)| !day.is_empty()).map(|(level, _)| level)
    }

    /// The last level that has events; 0 if there is none.
    pub(crate) fn last(&self) -> u32 {
        let levels = self.days.from(self.from).filter(|(_, day)| !day.is_empty());
        levels.last().map_or(0, |(level, _)| level)
    }

    /// The most bytes that the events of a level take, with the bytes of those that have been taken out.
    pub(crate) fn day_bytes_most(&self, taken: &dyn Fn(u32) -> u64) -> u64 {
        let days = self.days.from(self.from);
        days.map(|(level, day)| day.bytes() + taken(level)).max().unwrap_or(0)
    }

    /// The events of a level.
    pub fn day(&self, level: u32) -> &Day {
        static EMPTY: Day = Day { entries: [const { Entries::new() }; 4] };
        self.days.get(level).unwrap_or(&EMPTY)
    }

    /// Removes the events of a level that is done.
    pub fn remove(&mut self, level: u32) {
        self.days.take(level);
        self.from = level;
    }

    /// How many bytes of memory the entries took when they were sorted. Those of done levels still count, although
    /// their memory is free again.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn counted_bytes(&self) -> u64 {
        self.days.from(self.from).map(|(_, day)| day.bytes()).sum()
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (u32, Event, Entry)> {
        self.days.from(self.from).flat_map(|(level, day)| {
            let events = EVENTS.into_iter().zip(&day.entries);
            events.flat_map(move |(event, all)| all.iter().map(move |entry| (level, event, entry)))
        })
    }
}

impl Day {
    /// The words with this event, in order, and sets of their states.
    pub fn of(&self, event: Event) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.entries[event as usize].iter()
    }

    /// The words of a range with this event, in order, and sets of their states.
    pub fn of_words(
        &self,
        event: Event,
        words: Range<u64>,
    ) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.entries[event as usize].of_words(words)
    }

    fn bytes(&self) -> u64 {
        self.entries.iter().map(Entries::bytes).sum()
    }

    /// Whether there is an event with this property.
    pub(crate) fn has(&self, what: impl Fn(Event) -> bool) -> bool {
        EVENTS.iter().zip(&self.entries).any(|(event, all)| what(*event) && !all.is_empty())
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        !self.has(|_| true)
    }
}

/// The best exit of a state, if it has exits.
pub(crate) fn best_exit(state: u64, exits: impl IntoIterator<Item = Value>) -> Option<Value> {
    let exits = exits.into_iter().inspect(|exit| {
        if exit.distance() == Some(0) {
            free_exit(state, *exit);
        }
    });
    exits.max()
}

/// Refuses an exit in 0 plies. The value of an exit must count the move itself.
#[cold]
fn free_exit(state: u64, exit: Value) -> ! {
    panic!("an exit of state {state} is worth {exit:?}: the move itself must be counted")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pending: &PendingEvents) -> Vec<u8> {
        let mut bytes = Vec::new();
        pending.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn in_whichever_order_states_come_they_are_put_down_alike() {
        let put_down = |states: [u64; 5]| {
            let mut pending = PendingEvents::default();
            for state in states {
                pending.add(7, state, Event::ExitWon);
                pending.add(2_000, state, Event::TerminalLoss);
            }
            pending.sort();
            pending
        };
        let ordered = put_down([3, 5, 70, 71, 200]);
        // Three words at two levels.
        assert_eq!(ordered.entries().count(), 6);
        for states in [[200, 71, 70, 5, 3], [200, 71, 5, 70, 3], [70, 3, 71, 200, 5]] {
            let other = put_down(states);
            assert_eq!(written(&other), written(&ordered), "{states:?}");
            assert_eq!(other.bytes(), ordered.bytes(), "{states:?}");
        }
    }

    /// Memory of done levels still counts, also in a solve that resumes. A snapshot that says less than its events take
    /// is not believed.
    #[test]
    fn bytes_are_those_of_all_events() {
        let mut pending = PendingEvents::default();
        (0..1_000).for_each(|word| pending.add(7 + word % 2, u64::from(word) * 64, Event::ExitWon));
        pending.sort();
        let bytes = pending.bytes();
        assert!(bytes >= 3_000, "an entry takes at least three bytes: {bytes}");
        pending.remove(7);
        assert_eq!(pending.bytes(), bytes);
        let mut snapshot = written(&pending);
        let read = |snapshot: &[u8]| PendingEvents::read(64_000, &mut &*snapshot).unwrap().bytes();
        assert_eq!(read(&snapshot), bytes);
        snapshot[..8].fill(0);
        assert!(read(&snapshot) >= 1_500);
    }

    #[test]
    fn a_state_is_put_down_with_its_best_exit() {
        let exits = [
            (0b00_0011, Value::Loss(4)),
            (0b00_0110, Value::Win(9)),
            (0b00_1100, Value::Win(3)),
            (0b11_0001, Value::Draw),
        ];
        let (mut found, mut expected) = (PendingEvents::default(), PendingEvents::default());
        assert_eq!(found.add_exits(2, &exits, &mut Vec::new()), 0b11_1111);
        for (level, state) in [(3, 130), (3, 131), (9, 129)] {
            expected.add(level, state, Event::ExitWon);
        }
        assert_eq!(written(&found), written(&expected));
    }

    #[test]
    #[should_panic(expected = "an exit of state 130 is worth Win(0)")]
    fn an_exit_that_counts_no_move_is_named() {
        PendingEvents::default().add_exits(2, &[(0b1100, Value::Win(0))], &mut Vec::new());
    }

    #[test]
    fn states_beyond_the_last_are_refused() {
        for (states, word, set, fit) in [
            (64, 0, !0, true),
            (63, 0, !0, false),
            (63, 0, !0 >> 1, true),
            (64, 1, 1, false),
            (65, 1, 1, true),
            (65, 1, 2, false),
            (0, 0, 1, false),
        ] {
            let mut pending = PendingEvents::default();
            pending.add_states(3, Event::ExitWon, (word, set));
            let read = PendingEvents::read(states, &mut &written(&pending)[..]);
            assert_eq!(read.is_ok(), fit, "{states} states: {word} {set:x}");
        }
    }
}
