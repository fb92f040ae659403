//! A chase for people: its positions, and its board.

use std::ops::Range;

use super::names::Names;
use super::{Chase, Position};
use crate::labels::VERTICES_MAX;
use crate::{Facts, Placement, Remark, SIDES, Solvable, Turns, successors_or_end};
use retrograde::{Game, Probe, Status};
use retrograde_positions::{Board, End, Man, Move, Positions};

impl Positions for Chase {
    crate::positions_are_states!();

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
    fn moves(&self, &from: &u64, visit: &mut dyn FnMut(Move<u64>)) -> Option<End> {
        let side = self.player(&from);
        let places_of = |state| {
            let at = self.at(state);
            if side == 0 { self.police(at.crowd) } else { vec![at.thief] }
        };
        let before = places_of(from);
        let has_board = self.board(&from).is_some();
        successors_or_end(self, from, |to| {
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
        })
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

    fn with_board(&self, board: &Board, player: usize) -> Option<u64> {
        let place = |man: &Man| match &self.ground.names {
            Names::Cells { cell_of, .. } => {
                cell_of.binary_search(&(man.point as u32)).ok().map(|place| place as u32)
            }
            Names::Labels(_) => Some(man.point as u32),
        };
        let mut police: Vec<u32> = board.men.iter().map(place).collect::<Option<_>>()?;
        let thief = police.pop()?;
        police.sort_unstable();
        let (side, crowd) = (player as u64, self.crowds.number(&police));
        Some(self.state(&Position { thief, side, crowd }))
    }

    fn passed_run(&self, _: &(), states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        for state in states.filter(|state| self.status(*state) != Status::Invalid) {
            let at = self.at(state);
            if at.side == 0 {
                visit(state, self.state(&Position { side: 1, ..at }));
            }
        }
    }
}

impl Solvable for Chase {
    const QUICK_MOVES: bool = true;

    fn facts(&self) -> Facts {
        let name = match self.ground.names {
            Names::Labels(_) => "chase",
            Names::Cells { .. } => "pursuit",
        };
        Facts { name, turns: Turns::Rows(self.row_len()), states_named: Some(self.states_named) }
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
