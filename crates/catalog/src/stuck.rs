//! A game in which who cannot move loses or, misère, wins.
//!
//! [`Misere`](retrograde::Misere) is a type of its own, and so are the engines compiled for it. Here one type stands for
//! both ways to play, at the price of a comparison for each state when a solve begins.

use std::ops::Range;

use retrograde::{Game, Misere, Retrograde, Status, Value, forward};
use retrograde_games::{Show, Stage};

use crate::compiled::Compiled;
use crate::playable::Remark;
use crate::values::Values;
use retrograde_table::TableError;

/// A game, and who wins where nobody can move.
pub(crate) struct Stuck<G> {
    game: Misere<G>,
    /// Whether who cannot move wins.
    wins: bool,
}

impl<G> Stuck<G> {
    /// A game in which who cannot move loses, or wins.
    pub(crate) fn new(game: G, wins: bool) -> Stuck<G> {
        Stuck { game: Misere(game), wins }
    }

    fn plain(&self) -> &G {
        &self.game.0
    }
}

impl<G: Game> Game for Stuck<G> {
    forward!(stuck => stuck.plain(); states successors degree degree_max keeps_turn);

    fn status(&self, state: u64, exit: impl FnMut(Value)) -> Status {
        if self.wins { self.game.status(state, exit) } else { self.plain().status(state, exit) }
    }

    fn survey(&self, states: Range<u64>, visit: impl FnMut(u64, Status, u32, &[Value])) {
        if self.wins {
            self.game.survey(states, visit);
        } else {
            self.plain().survey(states, visit);
        }
    }
}

impl<G: Retrograde> Retrograde for Stuck<G> {
    forward!(stuck => stuck.plain(); SCOUTS<G> predecessors predecessors_of_each);
}

impl<G: Show> Show for Stuck<G> {
    fn name(&self) -> &'static str {
        self.plain().name()
    }

    fn movers(&self) -> &'static [&'static str] {
        self.plain().movers()
    }

    fn mover(&self, state: u64) -> usize {
        self.plain().mover(state)
    }

    fn mover_run(&self, state: u64) -> u64 {
        self.plain().mover_run(state)
    }

    fn states_named(&self) -> Option<u64> {
        self.plain().states_named()
    }

    fn start(&self) -> Option<u64> {
        self.plain().start()
    }

    fn text(&self, state: u64) -> String {
        self.plain().text(state)
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        self.plain().parse(text)
    }

    fn picture(&self, state: u64) -> Option<String> {
        self.plain().picture(state)
    }

    fn step(&self, from: u64, to: u64) -> String {
        self.plain().step(from, to)
    }

    fn passed(&self, state: u64) -> Option<u64> {
        self.plain().passed(state)
    }

    fn stage(&self) -> Option<&dyn Stage> {
        self.plain().stage()
    }
}

impl<G: Compiled> Compiled for Stuck<G> {
    fn row_len(&self) -> Option<u64> {
        Compiled::row_len(self.plain())
    }

    fn remark(&self, values: &dyn Values) -> Result<Option<Remark>, TableError> {
        Compiled::remark(self.plain(), values)
    }
}
