//! A chase as text and pictures.

use super::names::Names;
use super::{Chase, Position};
use crate::{Board, Cell, Man, Placement, Remark, SIDES, Show, Stage};
use retrograde::Probe;

impl Show for Chase {
    fn name(&self) -> &'static str {
        match self.ground.names {
            Names::Labels(_) => "chase",
            Names::Cells { .. } => "pursuit",
        }
    }

    fn sides(&self) -> &'static [&'static str] {
        &SIDES
    }

    fn side_to_move(&self, state: u64) -> usize {
        self.position(state).side as usize
    }

    fn side_run(&self, state: u64) -> u64 {
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
            Placement { side: at.side as usize, police: self.police(at.crowd), thief: at.thief };
        placement.text(|place| self.ground.names.name(place))
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        let placement =
            Placement::parse(text, self.crowds.size(), |name| self.ground.names.find(name))?;
        let crowd = self.crowds.number(&placement.police);
        Ok(self.state(&Position { thief: placement.thief, side: placement.side as u64, crowd }))
    }

    fn picture(&self, state: u64) -> Option<String> {
        let Names::Cells { board, cell_of } = &self.ground.names else { return None };
        let at = self.position(state);
        let police: Vec<u32> =
            self.police(at.crowd).into_iter().map(|place| cell_of[place as usize]).collect();
        Some(board.picture(&police, Some(cell_of[at.thief as usize])))
    }

    fn step(&self, from: u64, to: u64) -> String {
        let at = self.position(to);
        let sides =
            if self.side_to_move(from) == 0 { self.police(at.crowd) } else { vec![at.thief] };
        let names: Vec<String> =
            sides.into_iter().map(|place| self.ground.names.name(place)).collect();
        names.join(" ")
    }

    fn passed(&self, state: u64) -> Option<u64> {
        let at = self.position(state);
        Some(self.state(&Position { side: 1 - at.side, ..at }))
    }

    fn row_len(&self) -> Option<u64> {
        Some(self.row_len())
    }

    /// Whether this number of police is enough for the graph. The least number that is enough is the cop
    /// number of the graph.
    fn remark<P: Probe>(&self, values: &P) -> Result<Option<Remark>, P::Error> {
        if self.grid().is_some() {
            return Ok(None);
        }
        let places = self.cop_win(values)?;
        let text = match &places {
            Some(places) => format!(
                "If the police choose their places first, they always catch the thief: {}",
                places.join(" ")
            ),
            None => "If the police choose their places first, the thief can escape".to_owned(),
        };
        Ok(Some(Remark { text, words: Some(("police_first", places)) }))
    }

    fn stage(&self) -> Option<&dyn Stage> {
        self.grid().map(|_| self as &dyn Stage)
    }
}

impl Chase {
    /// The board and the cell of each place, if the game has a board.
    fn grid(&self) -> Option<(&Board, &[u32])> {
        match &self.ground.names {
            Names::Cells { board, cell_of } => Some((board, cell_of)),
            Names::Labels(_) => None,
        }
    }

    fn on_grid(&self) -> (&Board, &[u32]) {
        self.grid().expect("only a chase on a board has a stage")
    }
}

impl Stage for Chase {
    fn rows(&self) -> u32 {
        self.on_grid().0.rows()
    }

    fn columns(&self) -> u32 {
        self.on_grid().0.columns()
    }

    fn cell(&self, cell: u32) -> Cell {
        self.on_grid().0.cells()[cell as usize]
    }

    fn men(&self, state: u64) -> Vec<Man> {
        let (at, (_, cell_of)) = (self.position(state), self.on_grid());
        let man = |side, place: u32, letter| Man { side, cell: cell_of[place as usize], letter };
        let police = self.police(at.crowd).into_iter().map(|place| man(0, place, 'P'));
        police.chain([man(1, at.thief, 'T')]).collect()
    }

    fn with(&self, state: u64, man: usize, cell: u32) -> Option<u64> {
        let place = self.on_grid().1.binary_search(&cell).ok()? as u32;
        let Position { mut thief, side, mut crowd } = self.position(state);
        let mut police = self.police(crowd);
        match police.get_mut(man) {
            Some(moved) => {
                *moved = place;
                police.sort_unstable();
                crowd = self.crowds.number(&police);
            }
            None => thief = place,
        }
        Some(self.state(&Position { thief, side, crowd }))
    }
}
