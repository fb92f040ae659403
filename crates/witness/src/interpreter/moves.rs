//! Moves: all that the statements `move` and `drop` allow.

use std::collections::BTreeSet;

use super::{Interpreter, Man, Placement, Played, has};

impl Interpreter {
    /// All moves of a player, as if it were his turn.
    pub(super) fn moves(&self, position: &Placement, player: usize) -> Vec<Played> {
        let mut all = Vec::new();
        for words in &self.statements {
            if (words[0] != "move" && words[0] != "drop") || !self.is_for(words, player) {
                continue;
            }
            let in_hand: usize = position
                .hand
                .iter()
                .filter(|(man, _)| man.0 == player)
                .map(|(_, count)| count)
                .sum();
            if has(words, "placed") && in_hand > 0 {
                continue;
            }
            for kind in words[1].split(',') {
                if words[0] == "drop" {
                    self.drops(position, (player, kind), words, &mut all);
                    continue;
                }
                let own = position.men.iter().filter(|(_, man)| **man == (player, kind.to_owned()));
                for (&from, man) in own {
                    self.moves_of(position, from, man, words, &mut all);
                }
            }
        }
        all
    }

    pub(super) fn drops(
        &self,
        position: &Placement,
        (player, kind): (usize, &str),
        words: &[String],
        all: &mut Vec<Played>,
    ) {
        let man = (player, kind.to_owned());
        if position.hand.get(&man).is_none_or(|count| *count == 0) {
            return;
        }
        for to in self.zone(&words[2]) {
            if position.men.contains_key(&to) {
                continue;
            }
            for kind in self.becomes(&man, to, true) {
                let mut next = position.clone();
                *next.hand.get_mut(&man).expect("it is in hand") -= 1;
                next.hand.retain(|_, count| *count > 0);
                next.men.insert(to, (player, kind));
                next.side = 1 - player;
                all.push(Played { otherwise: has(words, "else"), taken: None, next });
            }
        }
    }

    pub(super) fn moves_of(
        &self,
        position: &Placement,
        from: usize,
        man: &Man,
        words: &[String],
        all: &mut Vec<Played>,
    ) {
        let player = man.0;
        if let Some(place) = words.iter().position(|word| word == "beside") {
            let directions = self.directions(&words[place + 1..]);
            let neighbours = directions.iter().flat_map(|direction| self.rays(from, direction));
            let is_other =
                |ray: Vec<usize>| position.men.get(&ray[0]).is_some_and(|man| man.0 != player);
            if !neighbours.into_iter().any(is_other) {
                return;
            }
        }
        let free = |point: &usize| *point == from || !position.men.contains_key(point);
        let other = |point: &usize| position.men.get(point).is_some_and(|man| man.0 != player);
        let (quiet, takes) =
            (!has(words, "only-takes"), has(words, "takes") || has(words, "only-takes"));
        let mut ends: BTreeSet<(Option<usize>, Option<usize>)> = BTreeSet::new();
        for direction in self.directions(&words[3..]) {
            let rays = self.rays(from, &direction);
            if words[2] == "leave" {
                // A group of directions leaves where one of them does.
                let parts: Vec<&str> = match (&*direction, self.is_grid()) {
                    ("all", true) => vec!["n", "e", "s", "w", "ne", "se", "sw", "nw"],
                    ("orthogonal", _) => vec!["n", "e", "s", "w"],
                    ("diagonal", _) => vec!["ne", "se", "sw", "nw"],
                    ("all", false) => {
                        let lines = self.statements.iter().filter(|words| words[0] == "line");
                        if lines
                            .flat_map(|words| [words[1].clone(), format!("-{}", words[1])])
                            .any(|name| self.rays(from, &name).is_empty())
                        {
                            ends.insert((None, None));
                        }
                        continue;
                    }
                    (one, _) => vec![one],
                };
                if parts.iter().any(|part| self.rays(from, part).is_empty()) {
                    ends.insert((None, None));
                }
                continue;
            }
            for ray in rays {
                let open = ray.iter().take_while(|point| free(point)).count();
                match &*words[2] {
                    "step" => {
                        if quiet && open > 0 {
                            ends.insert((Some(ray[0]), None));
                        }
                        if takes && other(&ray[0]) {
                            ends.insert((Some(ray[0]), Some(ray[0])));
                        }
                    }
                    "slide" => {
                        if quiet {
                            ends.extend(ray[..open].iter().map(|to| (Some(*to), None)));
                        }
                        if let Some(to) = ray.get(open).filter(|to| takes && other(to)) {
                            ends.insert((Some(*to), Some(*to)));
                        }
                    }
                    "run" => {
                        if open > 0 {
                            ends.insert((Some(ray[open - 1]), None));
                        }
                    }
                    "jump" => {
                        let [over, to, ..] = ray[..] else { continue };
                        if other(&over) && over != from && free(&to) {
                            ends.insert((Some(to), takes.then_some(over)));
                        }
                    }
                    verb => panic!("no move {verb}"),
                }
            }
        }
        for (to, taken) in ends {
            if to == Some(from) {
                continue;
            }
            let kinds = to.map_or(vec![man.1.clone()], |to| self.becomes(man, to, false));
            for kind in kinds {
                let mut next = position.clone();
                next.men.remove(&from);
                if let Some(taken) = taken {
                    let man = next.men.remove(&taken).expect("a man is taken");
                    self.put_away(&mut next, player, &man);
                }
                if let Some(to) = to {
                    next.men.insert(to, (player, kind));
                }
                next.side = 1 - player;
                all.push(Played { otherwise: has(words, "else"), taken, next });
            }
        }
    }

    /// The kinds that a man can become on a point.
    pub(super) fn becomes(&self, man: &Man, to: usize, dropped: bool) -> Vec<String> {
        let mut kinds = vec![man.1.clone()];
        for words in self.all("promote") {
            let fits = words[1] == man.1
                && self.is_for(&words, man.0)
                && self.men.contains(&(man.0, words[2].clone()))
                && self.zone(&words[3]).contains(&to)
                && (!dropped || has(&words, "dropped"));
            if fits {
                kinds.retain(|kind| *kind != man.1);
                kinds.push(words[2].clone());
            }
        }
        kinds.sort();
        kinds.dedup();
        kinds
    }

    /// Does with a taken man what the text says.
    pub(super) fn put_away(&self, position: &mut Placement, by: usize, man: &Man) {
        let is_vital = self
            .all("win")
            .iter()
            .any(|words| words[1] == "take" && words[2] == man.1 && self.is_for(words, 1 - man.0));
        let taken = self.all("taken");
        let Some(words) = taken.first().filter(|_| !is_vital) else { return };
        let player = if words[1] == "hand" { by } else { man.0 };
        let demotion = self.all("demote").into_iter().find(|words| words[1] == man.1);
        let kind = demotion.map_or(man.1.clone(), |words| words[2].clone());
        *position.hand.entry((player, kind)).or_default() += 1;
    }
}
