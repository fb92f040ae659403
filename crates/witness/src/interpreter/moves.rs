//! Moves: all that the statements `move` and `drop` allow.

use super::board::Ray;
use super::{Interpreter, Placement, points};

/// A statement `move` or `drop`.
#[derive(Debug)]
pub(crate) struct Move {
    pub(crate) classes: Vec<usize>,
    pub(crate) travel: Travel,
    /// For each point, the rays in the directions of the statement.
    pub(crate) rays: Vec<Vec<Ray>>,
    /// The points from which some direction leads nowhere.
    pub(crate) edge: u64,
    /// After a jump, the man jumps on as long as it can.
    pub(crate) again: bool,
    /// Where a man is dropped.
    pub(crate) zone: u64,
    /// The classes of men that are dropped as others, and those others.
    pub(crate) dropped_as: Vec<(usize, usize)>,
    /// For each point, the points that must have men if a man is dropped there.
    pub(crate) upon: Option<Vec<u64>>,
    /// Whether it may end without taking, and whether it may take.
    pub(crate) quiet: bool,
    pub(crate) takes: bool,
    /// For each point, the points of which one must have a man of the other player.
    pub(crate) beside: Option<Vec<u64>>,
    /// The player has no man in hand.
    pub(crate) placed: bool,
    /// The player has no other move.
    pub(crate) otherwise: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Travel {
    Step,
    Slide,
    Run,
    Jump,
    Leave,
    Drop,
}

/// A move that is played.
pub(crate) struct Played {
    otherwise: bool,
    /// The points of the men that it takes.
    pub(crate) taken: u64,
    /// The man's class, its point before the move and after it, and its class then.
    change: (usize, Option<usize>, Option<usize>, usize),
    next: Placement,
}

impl Interpreter {
    /// Visits the position after each move, once. The game is not over.
    pub(crate) fn each_next(&self, position: &Placement, mut visit: impl FnMut(&Placement)) {
        let mut all: Vec<Played> = Vec::new();
        self.each_move(position, position.side, |played| all.push(played));
        let otherwise = all.iter().all(|played| played.otherwise);
        for (at, played) in all.iter().enumerate().filter(|(_, it)| it.otherwise == otherwise) {
            let same =
                |other: &Played| (other.change, other.taken) == (played.change, played.taken);
            let known = all[..at].iter().any(|other| other.otherwise == otherwise && same(other));
            if !known && !self.loses_royal(&played.next, position.side) {
                visit(&played.next);
            }
        }
    }

    /// Visits all moves that the statements allow a player, also one that they allow twice.
    pub(super) fn each_move(
        &self,
        position: &Placement,
        player: usize,
        mut visit: impl FnMut(Played),
    ) {
        let [own, theirs] = [player, 1 - player].map(|player| self.men(position, player));
        let placed = self.in_hand(position, player) == 0;
        for rule in self.moves.iter().filter(|rule| placed || !rule.placed) {
            let classes = rule.classes.iter();
            for &class in classes.filter(|&&class| self.classes[class].player == player) {
                let mut play = |from: Option<usize>, to: Option<usize>, taken: u64| {
                    for becomes in self.becomes(rule, class, (from, to), taken) {
                        let change = (class, from, to, becomes);
                        let next = self.after(position, change, taken);
                        let milled = to.filter(|_| taken == 0);
                        let milled =
                            milled.map_or(0, |to| self.taken_by_mill(&next, player, from, to));
                        if milled == 0 {
                            visit(Played { otherwise: rule.otherwise, taken, change, next });
                        }
                        for taken in points(milled).map(|point| 1 << point) {
                            let next = self.after(position, change, taken);
                            visit(Played { otherwise: rule.otherwise, taken, change, next });
                        }
                    }
                };
                if rule.travel == Travel::Drop {
                    if position.hand[class] > 0 {
                        let men = own | theirs;
                        let falls = |to: &usize| {
                            rule.upon.as_ref().is_none_or(|upon| upon[*to] & !men == 0)
                        };
                        let free = points(rule.zone & !men).filter(falls);
                        free.for_each(|to| play(None, Some(to), 0));
                    }
                    continue;
                }
                for from in points(position.men[class]) {
                    let near = rule.beside.as_ref().map_or(u64::MAX, |beside| beside[from]);
                    if rule.beside.is_some() && near & theirs == 0 {
                        continue;
                    }
                    if rule.again {
                        let men = (own | theirs) & !(1 << from);
                        let mut end = |to: usize, taken: u64| play(Some(from), Some(to), taken);
                        self.each_chain(rule, (class, from), (men, theirs), 0, &mut end);
                    } else {
                        rule.each_end(from, own | theirs, theirs, |to, taken| {
                            play(Some(from), to, taken);
                        });
                    }
                }
            }
        }
    }

    /// The points where a man of a class becomes another one, whatever move leads there.
    pub(crate) fn must_become(&self, class: usize) -> u64 {
        let must =
            self.promotions.iter().filter(|promotion| promotion.class == class && !promotion.takes);
        must.fold(0, |all, promotion| all | promotion.zone)
    }

    /// The classes that a man may have after a move. What a mill takes is not counted.
    pub(crate) fn becomes(
        &self,
        rule: &Move,
        class: usize,
        (from, to): (Option<usize>, Option<usize>),
        taken: u64,
    ) -> Vec<usize> {
        if let Some((_, other)) = rule.dropped_as.iter().find(|(own, _)| *own == class) {
            return vec![*other];
        }
        let mut all = vec![class];
        for promotion in self.promotions.iter().filter(|promotion| promotion.class == class) {
            let arrives = match from {
                None => promotion.dropped,
                Some(_) => !promotion.takes || taken != 0,
            };
            if arrives && to.is_some_and(|to| promotion.zone >> to & 1 != 0) {
                all.retain(|&other| other != class && other != promotion.into);
                all.push(promotion.into);
            }
        }
        all
    }

    /// The position after a move.
    fn after(
        &self,
        position: &Placement,
        (class, from, to, becomes): (usize, Option<usize>, Option<usize>, usize),
        taken: u64,
    ) -> Placement {
        let mut next = *position;
        match from {
            Some(from) => next.men[class] &= !(1 << from),
            None => next.hand[class] -= 1,
        }
        for taken in points(taken) {
            let class = (0..self.classes.len()).find(|&class| next.men[class] >> taken & 1 != 0);
            let class = class.expect("a man is taken");
            next.men[class] &= !(1 << taken);
            if let Some(hand) = self.taken_as[class] {
                next.hand[hand] += 1;
            }
        }
        if let Some(to) = to {
            next.men[becomes] |= 1 << to;
        }
        next.side = 1 - self.classes[class].player;
        next
    }
}

impl Interpreter {
    /// Visits where a man ends that jumps on as long as it can, from the point where it stands now. The men that it takes leave the
    /// board at the end.
    fn each_chain(
        &self,
        rule: &Move,
        (class, at): (usize, usize),
        (men, theirs): (u64, u64),
        taken: u64,
        visit: &mut dyn FnMut(usize, u64),
    ) {
        let stops = taken != 0 && self.becomes(rule, class, (Some(at), Some(at)), taken) != [class];
        let mut goes_on = false;
        for ray in &rule.rays[at] {
            let [over, to, ..] = ray[..] else { continue };
            let jumps = (theirs & !taken) >> over & 1 != 0 && men >> to & 1 == 0;
            if jumps && !stops {
                goes_on = true;
                self.each_chain(rule, (class, to), (men, theirs), taken | 1 << over, visit);
            }
        }
        if taken != 0 && !goes_on {
            visit(at, taken);
        }
    }

    /// The men of which a player takes one, after a man has come to a point and completes a line of a mill there.
    fn taken_by_mill(
        &self,
        next: &Placement,
        player: usize,
        from: Option<usize>,
        to: usize,
    ) -> u64 {
        let [own, theirs] = [player, 1 - player].map(|player| self.men(next, player));
        let from = from.map_or(0, |from| 1 << from);
        let completes = |line: &&u64| {
            let line = **line;
            line >> to & 1 != 0 && line & from == 0 && own & line == line
        };
        if self.mills.iter().find(completes).is_none() {
            return 0;
        }
        let full = self.mills.iter().filter(|&&line| theirs & line == line);
        let milled = full.fold(0, |all, line| all | line);
        if theirs & !milled == 0 { theirs } else { theirs & !milled }
    }
}

impl Move {
    /// Visits where a man can end that goes from a point, and the points of the men that it takes.
    fn each_end(
        &self,
        from: usize,
        men: u64,
        theirs: u64,
        mut visit: impl FnMut(Option<usize>, u64),
    ) {
        let has = |set: u64, point: usize| set >> point & 1 != 0;
        let one = |point: Option<usize>| point.map_or(0, |point| 1 << point);
        if self.travel == Travel::Leave {
            if has(self.edge, from) {
                visit(None, 0);
            }
            return;
        }
        for ray in &self.rays[from] {
            let open = ray.iter().take_while(|point| !has(men, **point)).count();
            let met = ray.get(open).copied().filter(|&point| has(theirs, point));
            match self.travel {
                Travel::Step if open > 0 && self.quiet => visit(Some(ray[0]), 0),
                Travel::Step if open == 0 && self.takes && met.is_some() => visit(met, one(met)),
                Travel::Slide => {
                    if self.quiet {
                        ray[..open].iter().for_each(|to| visit(Some(*to), 0));
                    }
                    if self.takes && met.is_some() {
                        visit(met, one(met));
                    }
                }
                Travel::Run if open > 0 => visit(Some(ray[open - 1]), 0),
                Travel::Jump if open == 0 && met.is_some() => {
                    if let Some(&to) = ray.get(1).filter(|to| !has(men, **to)) {
                        visit(Some(to), one(met.filter(|_| self.takes)));
                    }
                }
                _ => {}
            }
        }
    }
}
