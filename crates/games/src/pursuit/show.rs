//! A pursuit as a person sees it.

use super::{POLICE, Pursuit};
use crate::Show;
use crate::placement::{MOVERS, Placement};

impl Show for Pursuit {
    fn name(&self) -> &'static str {
        "pursuit"
    }

    fn movers(&self) -> &'static [&'static str] {
        &MOVERS
    }

    fn mover(&self, state: u64) -> usize {
        self.split(state).0 as usize % 2
    }

    fn mover_run(&self, state: u64) -> u64 {
        self.width - self.split(state).1
    }

    fn states_named(&self) -> Option<u64> {
        Some(2 * (self.board.cells().len() as u64).pow(2))
    }

    fn start(&self) -> Option<u64> {
        Some(self.index(POLICE, *self.board.police().first()?, self.board.thief()?))
    }

    fn text(&self, state: u64) -> String {
        self.placement(state).text(|cell| self.board.cell_text(cell))
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        let Placement { mover, police, thief } =
            Placement::parse(text, 1, |name| self.board.cell_named(name))?;
        Ok(self.index(mover as u64, police[0], thief))
    }

    fn picture(&self, state: u64) -> Option<String> {
        let Placement { police, thief, .. } = self.placement(state);
        Some(self.board.picture(&police, Some(thief)))
    }
}
