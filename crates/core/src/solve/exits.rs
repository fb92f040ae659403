//! What exits and far finals bring: events at the level at which they come.
//!
//! All exits of a state come to at most two events and a bar: it wins no later than by its shortest winning exit;
//! it does not lose before its longest losing one; and an exit that draws or wins bars the loss for good.

use rayon::prelude::*;

use super::snapshot::{Sink, Source};
use super::solver::SolveError;
use crate::rules::{Outcome, Value};

/// The most that exits add to a state's count of moves: the longest losing one, and the bar.
pub(crate) const EXIT_COUNT_MAX: u64 = 2;

/// Something that happens to a state when its level comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    pub(crate) level: u32,
    /// The state, and in the lowest two bits what happens.
    what: u64,
}

/// What can happen to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happening {
    /// The rules say that it is lost.
    FinalLoss,
    /// The rules say that it is won.
    FinalWin,
    /// Its longest losing exit no longer keeps it from losing.
    ExitLost,
    /// It wins by its shortest winning exit.
    ExitWon,
}

/// By their numbers.
pub(crate) const HAPPENINGS: [Happening; 4] =
    [Happening::FinalLoss, Happening::FinalWin, Happening::ExitLost, Happening::ExitWon];

impl Event {
    pub(crate) fn new(level: u32, state: u64, happening: Happening) -> Event {
        Event { level, what: state << 2 | happening as u64 }
    }

    pub(crate) fn state(self) -> u64 {
        self.what >> 2
    }

    pub(crate) fn happening(self) -> Happening {
        HAPPENINGS[(self.what & 3) as usize]
    }
}

/// Sorts events so that those of the next level stand last, each level in order of states.
pub(crate) fn sort(events: &mut [Event]) {
    events.par_sort_unstable_by(|a, b| b.cmp(a));
}

/// Writes what is still to happen.
pub(crate) fn write_events(events: &[Event], sink: &mut Sink<'_>) {
    sink.number(events.len() as u64);
    for event in events {
        sink.numbers([u64::from(event.level), event.what]);
    }
}

/// Reads what [`write_events`] wrote, for so many states.
pub(crate) fn read_events(states: u64, source: &mut Source<'_>) -> Result<Vec<Event>, SolveError> {
    let mut events = Vec::new();
    for _ in 0..source.number()? {
        let level = u32::try_from(source.number()?).map_err(|_| SolveError::Snapshot)?;
        let event = Event { level, what: source.number()? };
        if event.state() >= states {
            return Err(SolveError::Snapshot);
        }
        events.push(event);
    }
    Ok(events)
}

/// What the exits of one state come to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Exits {
    win_shortest: Option<u32>,
    loss_longest: Option<u32>,
    draw: bool,
}

impl Exits {
    pub(crate) fn with(mut self, state: u64, value: Value) -> Exits {
        assert!(
            value.distance() != Some(0),
            "an exit of state {state} is worth {value:?}: the move itself must be counted"
        );
        match value.outcome() {
            Outcome::Draw => self.draw = true,
            Outcome::Loss => self.loss_longest = self.loss_longest.max(value.distance()),
            Outcome::Win => {
                let shortest = self.win_shortest.into_iter().chain(value.distance()).min();
                self.win_shortest = shortest;
            }
        }
        self
    }

    /// Whether some exit keeps the state from ever losing.
    pub(crate) fn bars(self) -> bool {
        self.draw || self.win_shortest.is_some()
    }

    pub(crate) fn count(self) -> u32 {
        u32::from(self.bars()) + u32::from(self.loss_longest.is_some())
    }

    pub(crate) fn for_each_event(self, state: u64, mut visit: impl FnMut(Event)) {
        if let Some(level) = self.win_shortest {
            visit(Event::new(level, state, Happening::ExitWon));
        }
        if let Some(level) = self.loss_longest {
            visit(Event::new(level, state, Happening::ExitLost));
        }
    }
}
