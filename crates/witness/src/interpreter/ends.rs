//! Ends: who has won.

use std::collections::BTreeSet;

use retrograde::Value;

use super::{Interpreter, Placement, after, has, number};

impl Interpreter {
    pub(super) fn verdict(&self, position: &Placement) -> Option<Value> {
        let [last, next] =
            [1 - position.side, position.side].map(|player| self.has_won(position, player));
        let text = match (last, next) {
            (false, false) => "open",
            (true, false) => "loses",
            (false, true) => self.word("held", "wins"),
            (true, true) => self.word("both", "loses"),
        };
        match text {
            "loses" => Some(Value::Loss(0)),
            "wins" => Some(Value::Win(0)),
            "draws" => Some(Value::Draw),
            _ => None,
        }
    }

    pub(super) fn has_won(&self, position: &Placement, player: usize) -> bool {
        self.all("win")
            .iter()
            .any(|words| self.is_for(words, player) && self.holds(position, player, words))
    }

    pub(super) fn holds(&self, position: &Placement, player: usize, words: &[String]) -> bool {
        let owner = |point: &usize| position.men.get(point).map(|man| man.0);
        let is_own = |point: &usize| owner(point) == Some(player);
        let is_other = |point: &usize| owner(point) == Some(1 - player);
        let men = |player: usize| {
            let on_board = position.men.values().filter(|man| man.0 == player).count();
            on_board
                + position
                    .hand
                    .iter()
                    .filter(|(man, _)| man.0 == player)
                    .map(|(_, count)| count)
                    .sum::<usize>()
        };
        match &*words[1] {
            "line" => {
                let more = number(&words[2]) as usize - 1;
                let directions = self.directions(&words[3..]);
                let lined = |from: usize| {
                    let mut rays =
                        directions.iter().flat_map(|direction| self.rays(from, direction));
                    rays.any(|ray| ray.len() >= more && ray[..more].iter().all(is_own))
                };
                (0..self.points.len()).any(|from| is_own(&from) && lined(from))
            }
            "block" => {
                let (columns, rows) = (number(&words[2]), number(&words[3]));
                let full = |(_, x, y): &(String, i32, i32)| {
                    (0..columns * rows).all(|at| {
                        let place = (x + at % columns, y + at / columns);
                        let here = self.points.iter().position(|(_, x, y)| (*x, *y) == place);
                        here.is_some_and(|point| is_own(&point))
                    })
                };
                self.points.iter().any(full)
            }
            "own" => {
                let own = self.zone(&words[2]);
                let other = after(words, "other").map_or(BTreeSet::new(), |zone| self.zone(zone));
                own.iter().all(is_own) && other.iter().all(is_other)
            }
            "reach" => {
                let stands =
                    |point: &usize| position.men.get(point) == Some(&(player, words[2].clone()));
                let attacked = |point: &usize| {
                    position.side != player
                        && has(words, "safe")
                        && self
                            .moves(position, 1 - player)
                            .iter()
                            .any(|played| played.taken == Some(*point))
                };
                self.zone(&words[3]).iter().any(|point| stands(point) && !attacked(point))
            }
            "out" => men(player) == 0,
            _ => {
                let man = (1 - player, words[2].clone());
                self.men.contains(&man) && !position.men.values().any(|other| *other == man)
            }
        }
    }
}
