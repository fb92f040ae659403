//! The beginning of a solve: asks the rules about every state.
//!
//! States that the rules decide settle at once or later. Open states get their count of moves. If a state has
//! exits, its count is one higher. This one stands for the best exit.

use std::ops::Range;

use super::frontier::{Marked, Note};
use super::part::PartMut;
use crate::memory::Ones;
use crate::rules::{Game, Status, Value};
use crate::solve::pending::{Day, EVENTS, Event, PendingEvents, best_exit};
use crate::threads;

/// Seeds the states of a part. A separate function, so that the compiler inlines the classification into it.
#[inline(never)]
pub(crate) fn seed_part<G: Game>(
    game: &G,
    part: &mut PartMut<'_>,
    degree_max: u32,
    found: &mut Marked,
    pending: &mut PendingEvents,
) {
    let start = part.start();
    let states = start..start + part.len() as u64;
    let stuck = game.stuck();
    let few = degree_max.min(part.cells.count_max());
    game.classify(states, |state, status, degree, exits| {
        // Nearly all states are open and have moves but no exits.
        if status == Status::Open && degree.wrapping_sub(1) < few && exits.is_empty() {
            part.cells.seed_few((state - start) as usize, degree);
        } else if status != Status::Invalid {
            assert!(
                degree <= degree_max,
                "state {state} has {degree} moves, but degree_max() says {degree_max}"
            );
            let status = status.unless_stuck(stuck, degree, exits);
            seed_state(part, state, (status, degree), exits, found, pending);
        }
    });
}

/// Seeds one valid state with its degree and its exits.
#[inline(never)]
fn seed_state(
    part: &mut PartMut<'_>,
    state: u64,
    (status, degree): (Status, u32),
    exits: &[Value],
    found: &mut Marked,
    pending: &mut PendingEvents,
) {
    let at = (state - part.start()) as usize;
    match (status, best_exit(state, exits.iter().copied())) {
        (Status::Invalid, _) => {}
        (Status::Open, None) => part.seed_open(at, degree),
        (Status::Open, Some(exit)) => {
            part.seed_open(at, degree + 1);
            pending.add_exit(state, exit);
        }
        (Status::Terminal(Value::Win(0)), _) => part.settle(at, true, found),
        (Status::Terminal(Value::Loss(0)), _) => part.settle(at, false, found),
        (Status::Terminal(value), _) => {
            part.seed_fixed(at);
            pending.add_terminal(state, value);
        }
    }
}

/// Applies the pending events of the current level to the states of a part.
pub(crate) fn apply_events(part: &mut PartMut<'_>, day: &Day, found: &mut impl Note) {
    let first = part.start() / 64;
    let words = first..first + part.len().div_ceil(64) as u64;
    for event in EVENTS {
        for (word, states) in day.of_words(event, words.clone()) {
            for bit in Ones(states) {
                let at = (word - first) as usize * 64 + bit as usize;
                match event {
                    Event::TerminalLoss => part.settle(at, false, found),
                    Event::TerminalWin => part.settle(at, true, found),
                    Event::ExitLost => _ = part.update(at, false, found),
                    Event::ExitWon => _ = part.update(at, true, found),
                }
            }
        }
    }
}

/// The most moves of any open state.
pub(crate) fn degree_max<G: Game>(game: &G, parallel: bool) -> u32 {
    if let Some(known) = game.degree_max() {
        return known;
    }
    let most = |states: Range<u64>| {
        let mut most = 0;
        game.classify(states, |_, _, degree, _| most = most.max(degree));
        most
    };
    let states = game.states();
    if !parallel {
        return most(0..states);
    }
    const RUN: u64 = 1 << 14;
    let runs = threads::map(states.div_ceil(RUN) as usize, |run| {
        let first = run as u64 * RUN;
        most(first..states.min(first + RUN))
    });
    runs.into_iter().max().unwrap_or(0)
}
