//! Described games, by the interpreter of texts and by the numbering that docs/texts.md specifies.

mod cells;
mod numbers;
mod symmetry;
mod ways;

use std::ops::Range;

use retrograde::Value;

use super::{run, runs};
use crate::interpreter::{Interpreter, Placement};
use crate::proof::{LOST, Place, Rules, WON};
use crate::table::{DRAW, Number};
use numbers::Numbers;

/// The version of the numbering.
pub(crate) const NUMBERING: u64 = 1;

pub(crate) struct Text {
    game: Interpreter,
    numbers: Numbers,
}

impl Text {
    pub(crate) fn new(text: &str) -> Result<Text, String> {
        let game = Interpreter::new(text)?;
        let numbers = Numbers::new(&game)?;
        Ok(Text { game, numbers })
    }
}

fn number(value: Value) -> Number {
    match value {
        Value::Win(_) => WON,
        Value::Loss(_) => LOST,
        Value::Draw => DRAW,
    }
}

impl Rules for Text {
    type Position = Placement;

    fn runs(&self) -> u64 {
        runs(self.numbers.states())
    }

    fn run(&self, number: u64) -> Range<u64> {
        run(number, self.numbers.states())
    }

    fn each(&self, number: u64, mut visit: impl FnMut(&Placement)) {
        for state in self.run(number) {
            let position = self.numbers.position(state);
            // No move leaves a royal man where it can be taken, so such a position is not valid.
            if let Some(position) = position.filter(|it| !self.game.loses_royal(it, 1 - it.side)) {
                visit(&position);
            }
        }
    }

    fn place(&self, position: &Placement) -> Place {
        match self.numbers.number(position) {
            Some(state) => Place::Table(0, state),
            // Only positions that the ends decide have no number.
            None => match self.decided(position) {
                Some(value) => Place::Known(value),
                None => Place::Nowhere,
            },
        }
    }

    fn moves(&self, position: &Placement, visit: impl FnMut(&Placement)) {
        self.game.each_next(position, visit);
    }

    fn each_like(&self, position: &Placement, visit: impl FnMut(&Placement)) {
        self.numbers.each_like(position, visit);
    }

    fn decided(&self, position: &Placement) -> Option<Number> {
        self.game.verdict(position).map(number)
    }

    fn stuck(&self, position: &Placement) -> Number {
        number(self.game.stuck(position))
    }

    fn text(&self, position: &Placement) -> String {
        self.game.write(position)
    }
}
