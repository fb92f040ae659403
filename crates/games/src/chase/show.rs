//! A chase for people: its positions, and its board.

use super::names::Names;
use super::{Chase, Position};
use crate::labels::VERTICES_MAX;
use crate::{Numbering, Placement, Remark, SIDES, Solvable, Turns};
use retrograde::{Game, Probe, Status};
use retrograde_positions::{Board, Move, Positions};

impl Positions for Chase {
    crate::positions_are_states!();

    fn name(&self) -> &'static str {
        match self.ground.names {
            Names::Labels(_) => "chase",
            Names::Cells { .. } => "pursuit",
        }
    }

    fn players(&self) -> &'static [&'static str] {
        &SIDES
    }

    fn start(&self) -> Option<u64> {
        self.start
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        let placement =
            Placement::parse(text, self.crowds.size(), |name| self.ground.names.find(name))?;
        let crowd = self.crowds.number(&placement.police);
        Ok(self.state(&Position { thief: placement.thief, side: placement.side as u64, crowd }))
    }

    fn write(&self, state: &u64) -> String {
        let at = self.at(*state);
        let placement =
            Placement { side: at.side as usize, police: self.police(at.crowd), thief: at.thief };
        placement.text(|place| self.ground.names.name(place))
    }

    fn player(&self, state: &u64) -> usize {
        self.at(*state).side as usize
    }

    /// If several police move at once, a move has no points.
    fn moves(&self, &from: &u64, visit: &mut dyn FnMut(Move<u64>)) {
        if self.status(from) != Status::Open {
            return;
        }
        let side = self.player(&from);
        let places_of = |state| {
            let at = self.at(state);
            if side == 0 { self.police(at.crowd) } else { vec![at.thief] }
        };
        let before = places_of(from);
        let has_board = self.board(&from).is_some();
        self.successors(from, |to| {
            let after = places_of(to);
            let points = match (&before[..], &after[..]) {
                (&[left], &[reached]) if has_board => {
                    [left, reached].map(|place| self.point(place)).to_vec()
                }
                _ => Vec::new(),
            };
            let names: Vec<String> =
                after.into_iter().map(|place| self.ground.names.name(place)).collect();
            let spellings = vec![self.write(&to)];
            visit(Move { spellings, ..Move::new(names.join(" "), points, to) });
        });
    }

    fn board(&self, state: &u64) -> Option<Board> {
        let at = self.at(*state);
        let police = self.police(at.crowd);
        if let Names::Cells { board, cell_of } = &self.ground.names {
            let police: Vec<u32> =
                police.into_iter().map(|place| cell_of[place as usize]).collect();
            return board.with_men(&police, cell_of[at.thief as usize]);
        }
        let places = self.ground.exits.len() as u32;
        if places > VERTICES_MAX {
            return None;
        }
        let names = (0..places).map(|place| self.ground.names.name(place));
        let steps = |place: u32| {
            let around = self.ground.thief_steps.around(place).iter();
            around.map(move |&to| (place as usize, to as usize))
        };
        let lines = (0..places).flat_map(steps).filter(|(a, b)| a != b);
        let mut board = Board::circle(names).lined(lines);
        for (point, _) in board.points.iter_mut().zip(&self.ground.exits).filter(|(_, exit)| **exit)
        {
            point.ground = retrograde_positions::Ground::Exit;
        }
        board.put(("police", 'P'), Some(0), police.into_iter().map(|place| place as usize));
        board.put(("thief", 'T'), Some(1), [at.thief as usize]);
        Some(board)
    }

    fn moved(&self, state: &u64, man: usize, point: usize) -> Option<u64> {
        let place = match &self.ground.names {
            Names::Cells { cell_of, .. } => cell_of.binary_search(&(point as u32)).ok()? as u32,
            Names::Labels(_) => point as u32,
        };
        let Position { mut thief, side, mut crowd } = self.at(*state);
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

    fn passed(&self, state: &u64) -> Option<u64> {
        let at = self.at(*state);
        Some(self.state(&Position { side: 1 - at.side, ..at }))
    }
}

impl Solvable for Chase {
    fn numbering(&self) -> Numbering {
        Numbering { turns: Turns::Rows(self.row_len()), states_named: Some(self.states_named) }
    }

    /// Whether this number of police is enough for the graph. The least number that is enough is the cop
    /// number of the graph.
    fn remark<P: Probe>(&self, values: &P) -> Result<Option<Remark>, P::Error> {
        if matches!(self.ground.names, Names::Cells { .. }) {
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
}

impl Chase {
    /// The point of the board where a place lies.
    fn point(&self, place: u32) -> usize {
        match &self.ground.names {
            Names::Cells { cell_of, .. } => cell_of[place as usize] as usize,
            Names::Labels(_) => place as usize,
        }
    }
}
