//! The beginning of a solve: every state is asked what the rules say of it.
//!
//! What they decide settles; what they leave open gets its count of moves, and of its exits.

use std::cell::Cell;

use rayon::prelude::*;

use super::cell::Cell as StateCell;
use super::marks::Note;
use super::part::Part;
use crate::rules::{Game, Status, Value};
use crate::solve::exits::{Event, Exits, Happening};

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

impl Event {
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
