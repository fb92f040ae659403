//! The beginning of a solve: every state is asked what the rules say of it.
//!
//! What they decide settles; what they leave open gets its count of moves. All exits of a
//! state come to at most two events and a bar: it wins no later than by its shortest winning exit;
//! it does not lose before its longest losing one; and an exit that draws or wins bars the loss for good.

use std::cell::Cell;

use rayon::prelude::*;

use crate::arrays::Part;
use crate::cell::Cell as StateCell;
use crate::frontier::Note;
use crate::game::{Game, Outcome, Status, Value};
use crate::snapshot::{Sink, Source};
use crate::solver::SolveError;

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

    /// Lets the event happen in the part that holds all states.
    pub(crate) fn happen<C: StateCell>(self, part: &mut Part<'_, C>, found: &mut impl Note) {
        let at = self.state() as usize;
        match self.happening() {
            Happening::ExitLost => _ = part.visit(at, false, found),
            Happening::ExitWon => _ = part.visit(at, true, found),
            Happening::FinalWin => part.settle(at, true, found),
            Happening::FinalLoss => part.settle(at, false, found),
        }
    }
}

/// Seeds the states of a part. The events it returns are in no order.
pub(crate) fn seed_part<G: Game, C: StateCell>(
    game: &G,
    part: &mut Part<'_, C>,
    degree_max: u32,
    found: &mut impl Note,
) -> Vec<Event> {
    let mut events = Vec::new();
    // Told of by one closure, taken by the other.
    let (any, exits) = (Cell::new(false), Cell::new(Exits::default()));
    let states = part.start..part.start + part.len() as u64;
    let start = part.start;
    let visit = |state, status, degree: u32| {
        // Nearly all states are open and have moves but no exits.
        if status == Status::Open && degree.wrapping_sub(1) < degree_max && !any.get() {
            part.seed_open((state - start) as usize, degree);
        } else if status != Status::Void {
            assert!(
                degree <= degree_max,
                "state {state} has {degree} moves, but degree_max() says {degree_max}"
            );
            let exits = if any.take() { exits.take() } else { Exits::default() };
            seed_state(part, state, (status, degree), exits, found, &mut events);
        }
    };
    game.survey(states, visit, |state, value| {
        any.set(true);
        exits.set(exits.get().with(state, value));
    });
    events
}

/// Seeds one state, with its degree, which is not void.
#[inline(never)]
fn seed_state<C: StateCell>(
    part: &mut Part<'_, C>,
    state: u64,
    (status, degree): (Status, u32),
    exits: Exits,
    found: &mut impl Note,
    events: &mut Vec<Event>,
) {
    let at = (state - part.start) as usize;
    let count = degree + exits.count();
    match status {
        Status::Void => {}
        Status::Open if count == 0 => part.settle(at, false, found),
        Status::Open => {
            part.seed_open(at, count);
            exits.for_each_event(state, |event| events.push(event));
        }
        Status::Final(Value::Win(0)) => part.settle(at, true, found),
        Status::Final(Value::Loss(0)) => part.settle(at, false, found),
        Status::Final(value) => {
            part.seed_fixed(at);
            match value {
                Value::Draw => {}
                Value::Loss(level) => events.push(Event::new(level, state, Happening::FinalLoss)),
                Value::Win(level) => events.push(Event::new(level, state, Happening::FinalWin)),
            }
        }
    }
}

/// The most moves any open state has.
pub(crate) fn degree_max<G: Game>(game: &G, parallel: bool) -> u32 {
    if let Some(known) = game.degree_max() {
        return known;
    }
    let degree = |state: u64| match game.status(state, |_| {}) {
        Status::Open => game.degree(state),
        _ => 0,
    };
    if parallel {
        (0..game.states()).into_par_iter().map(degree).max()
    } else {
        (0..game.states()).map(degree).max()
    }
    .unwrap_or(0)
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

    fn count(self) -> u32 {
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
