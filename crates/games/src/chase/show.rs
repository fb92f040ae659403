//! A chase as a person sees it.

use super::names::Names;
use super::{Chase, Position};
use crate::{MOVERS, Placement, Show};

impl Show for Chase {
    fn name(&self) -> &'static str {
        match self.ground.names {
            Names::Labels(_) => "chase",
            Names::Cells { .. } => "pursuit",
        }
    }

    fn movers(&self) -> &'static [&'static str] {
        &MOVERS
    }

    fn mover(&self, state: u64) -> usize {
        self.position(state).mover as usize
    }

    fn mover_run(&self, state: u64) -> u64 {
        self.crowds.count() - self.position(state).crowd
    }

    fn states_named(&self) -> Option<u64> {
        Some(self.states_named)
    }

    fn start(&self) -> Option<u64> {
        self.start
    }

    fn text(&self, state: u64) -> String {
        let at = self.position(state);
        let placement =
            Placement { mover: at.mover as usize, police: self.police(at.crowd), thief: at.thief };
        placement.text(|place| self.ground.names.name(place))
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        let placement =
            Placement::parse(text, self.crowds.size(), |name| self.ground.names.find(name))?;
        let crowd = self.crowds.number(&placement.police);
        Ok(self.state(&Position { thief: placement.thief, mover: placement.mover as u64, crowd }))
    }

    fn picture(&self, state: u64) -> Option<String> {
        let Names::Cells { board, cell_of } = &self.ground.names else { return None };
        let at = self.position(state);
        let police: Vec<u32> =
            self.police(at.crowd).into_iter().map(|place| cell_of[place as usize]).collect();
        Some(board.picture(&police, Some(cell_of[at.thief as usize])))
    }
}
