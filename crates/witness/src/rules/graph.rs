//! A directed graph. Its file gives the moves, so these are the only rules that are not written again.

use std::ops::Range;

use retrograde::{Game, Status, Value};
use retrograde_positions::AnyStates;

use super::{run, runs, stuck};
use crate::proof::{LOST, Place, Rules, WON};
use crate::table::{DRAW, Number};

/// States are the vertices in the order of first appearance.
pub(crate) struct Graph {
    pub(crate) graph: retrograde_games::Graph,
    pub(crate) misere: bool,
}

impl Rules for Graph {
    type Position = u64;

    fn runs(&self) -> u64 {
        runs(self.graph.states())
    }

    fn run(&self, number: u64) -> Range<u64> {
        run(number, self.graph.states())
    }

    fn each(&self, number: u64, mut visit: impl FnMut(&u64)) {
        self.run(number).for_each(|state| visit(&state));
    }

    fn place(&self, &position: &u64) -> Place {
        Place::Table(0, position)
    }

    fn moves(&self, &position: &u64, mut visit: impl FnMut(&u64)) {
        self.graph.each_successor(position, |to| visit(&to));
    }

    fn decided(&self, &position: &u64) -> Option<Number> {
        match self.graph.status(position) {
            Status::Terminal(Value::Win(_)) => Some(WON),
            Status::Terminal(Value::Loss(_)) => Some(LOST),
            Status::Terminal(Value::Draw) => Some(DRAW),
            _ => None,
        }
    }

    fn stuck(&self, _: &u64) -> Number {
        stuck(self.misere)
    }

    fn text(&self, &position: &u64) -> String {
        self.graph.text(position).unwrap_or_default()
    }
}
