//! How men move, are dropped, and become other men.

use super::{OPTIONS, RULES_MAX, Reader};
use crate::TextError;
use crate::board::Set;
use crate::text::{MoveRule, Promotion, Takes, Travel};
use crate::words::{Place, Words, unknown};

impl Reader {
    /// The directions that follow. There must be one.
    pub(super) fn directions(&self, words: &mut Words<'_>) -> Result<Vec<usize>, TextError> {
        let board = self.whole_board(words.place())?;
        let mut all = Vec::new();
        while let Some(more) = words.peek().and_then(|word| board.direction(word.text)) {
            let word = words.next("a direction")?;
            if more.iter().all(|direction| all.contains(direction)) {
                return word
                    .place
                    .error(format!("`{}` is among the directions before it", word.text));
            }
            all.extend(more);
        }
        all.sort_unstable();
        all.dedup();
        self.named.borrow_mut().extend(&all);
        match words.peek() {
            Some(word) if all.is_empty() => board.no_direction(word, &[]),
            Some(word) if !OPTIONS.contains(&word.text) => board.no_direction(word, &OPTIONS),
            None if all.is_empty() => words.next("a direction").map(|_| all),
            _ => Ok(all),
        }
    }

    pub(super) fn moving(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        let kinds = self.kinds(words)?;
        if words.peek().is_some_and(|word| OPTIONS.contains(&word.text)) {
            return words.place().error(
                "options follow the directions: first write how the men move, like `step all`",
            );
        }
        let travel = match words.one_of(&["step", "slide", "run", "jump", "leave"])? {
            0 => Travel::Step,
            1 => Travel::Slide,
            2 => Travel::Run,
            3 => Travel::Jump,
            _ => Travel::Leave,
        };
        let place = words.place();
        let directions = self.directions(words)?;
        let mut rule = MoveRule {
            classes: Vec::new(),
            travel,
            directions,
            takes: Takes::Never,
            again: false,
            onto: Set::MAX,
            dropped_as: Vec::new(),
            beside: None,
            upon: Vec::new(),
            placed: false,
            otherwise: false,
        };
        let players = self.options(&mut rule, &kinds, words)?;
        if rule.again && (travel, rule.takes) != (Travel::Jump, Takes::Also) {
            return place.error("only a `jump` with `takes` goes on with `again`");
        }
        if !rule.upon.is_empty() || !rule.dropped_as.is_empty() {
            return place.error("`upon` and `as` are options of `drop` alone");
        }
        match (travel, rule.takes) {
            (_, Takes::Never) => {}
            (Travel::Run | Travel::Leave, _) => {
                return place.error("a man that runs or leaves takes nothing");
            }
            (Travel::Jump, Takes::Only) => {
                return place.error("a jump takes the man that it goes over: write `takes`");
            }
            _ => {}
        }
        self.add_rule(place, rule, &kinds, &players)
    }

    pub(super) fn dropping(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        let place = words.place();
        let kinds = self.kinds(words)?;
        let onto = self.whole_board(place)?.zone(words.next("the points to drop on")?)?;
        let mut rule = MoveRule {
            classes: Vec::new(),
            travel: Travel::Drop,
            directions: Vec::new(),
            takes: Takes::Never,
            again: false,
            onto,
            dropped_as: Vec::new(),
            beside: None,
            upon: Vec::new(),
            placed: false,
            otherwise: false,
        };
        let before = words.place();
        let players = self.options(&mut rule, &kinds, words)?;
        let fits =
            rule.takes == Takes::Never && rule.beside.is_none() && !rule.placed && !rule.again;
        if !fits {
            return before.error("`drop` has only the options as, upon, for and else");
        }
        self.add_rule(place, rule, &kinds, &players)
    }

    /// Reads the options of a move. Gives the players that it is for.
    pub(super) fn options(
        &self,
        rule: &mut MoveRule,
        kinds: &[String],
        words: &mut Words<'_>,
    ) -> Result<Vec<usize>, TextError> {
        let mut players = vec![0, 1];
        while let Some(word) = words.peek() {
            if word.text == "for" {
                players = self.only(words)?;
                continue;
            }
            match OPTIONS[words.one_of(&OPTIONS)?] {
                "takes" => rule.takes = Takes::Also,
                "only-takes" => rule.takes = Takes::Only,
                "again" => rule.again = true,
                "upon" => rule.upon = self.directions(words)?,
                "beside" => rule.beside = Some(self.directions(words)?),
                "placed" => rule.placed = true,
                "as" => rule.dropped_as = self.dropped_as(kinds, words)?,
                _ => rule.otherwise = true,
            }
        }
        Ok(players)
    }

    /// The classes of men that are dropped as another kind, each with its class then.
    fn dropped_as(
        &self,
        kinds: &[String],
        words: &mut Words<'_>,
    ) -> Result<Vec<(usize, usize)>, TextError> {
        let place = words.place();
        let into = self.kind(words)?;
        let pair = |player, kind| Some((self.class(player, kind)?, self.class(player, &into)?));
        let pairs = kinds.iter().flat_map(|kind| [0, 1].map(|player| pair(player, kind)));
        let pairs: Vec<(usize, usize)> = pairs.flatten().collect();
        match pairs.is_empty() || kinds.contains(&into) {
            true => place.error(format!(
                "no player has a `{}` that could be dropped as a `{into}`",
                kinds.join(",")
            )),
            false => Ok(pairs),
        }
    }

    pub(super) fn add_rule(
        &mut self,
        place: Place,
        mut rule: MoveRule,
        kinds: &[String],
        players: &[usize],
    ) -> Result<(), TextError> {
        for kind in kinds {
            rule.classes.extend(players.iter().filter_map(|&player| self.class(player, kind)));
        }
        rule.classes.sort_unstable();
        rule.classes.dedup();
        // A player who has no such other kind does not have the drop.
        let other = |class: &usize| rule.dropped_as.iter().any(|(own, _)| own == class);
        rule.classes.retain(|class| rule.dropped_as.is_empty() || other(class));
        if rule.classes.is_empty() {
            return place.error(format!("no player of this move has a `{}`", kinds.join(",")));
        }
        self.moves.push(rule);
        Ok(())
    }

    pub(super) fn promote(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        let place = words.place();
        let [kind, into] = [self.kind(words)?, self.kind(words)?];
        let zone = self.whole_board(place)?.zone(words.next("the points")?)?;
        let (mut takes, mut dropped, mut players) = (false, false, vec![0, 1]);
        while let Some(word) = words.peek() {
            match word.text {
                "takes" => takes = words.take("takes"),
                "dropped" => dropped = words.take("dropped"),
                "for" => players = self.only(words)?,
                _ => return unknown(word, &["takes", "dropped", "for"]),
            }
        }
        let classes =
            |player: &usize| Some((self.class(*player, &kind)?, self.class(*player, &into)?));
        let classes: Vec<(usize, usize)> = players.iter().filter_map(classes).collect();
        if classes.is_empty() || kind == into {
            return place.error(format!("no player has a `{kind}` that could become a `{into}`"));
        }
        let rule = |(class, into)| Promotion { class, into, zone, takes, dropped };
        self.promotions.extend(classes.into_iter().map(rule));
        if self.promotions.len() > RULES_MAX {
            return place.error(format!("more than {RULES_MAX} promotions"));
        }
        Ok(())
    }
}
