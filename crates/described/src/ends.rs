//! The ends by which a player wins, in slots, and what they say of a position.

use retrograde::Value;
use retrograde_boards::{Position, singles};

use crate::atoms::OFF;
use crate::board::{Set, bit};
use crate::cells::verdict;
use crate::page::Page;
use crate::rulebook::{Rulebook, value};
use crate::slots::Slots;
use crate::tables::Tables;
use crate::text::{Test, Verdict};

/// The ends by which a player wins.
#[derive(Default)]
pub(crate) struct Ends {
    patterns: Vec<(Set, Set)>,
    /// On a small board, a bit for each set of men of the player: whether it holds a pattern without men of the other player.
    /// Then `patterns` has only those with such men.
    lined: Vec<u64>,
    /// Slot, zone, and whether the man must be safe.
    pub(crate) reaches: Vec<(usize, Set, bool)>,
    pub(crate) out: bool,
    /// The other player has fewer men.
    pub(crate) below: u32,
    /// Slots of which the other player has no man.
    pub(crate) takes: Vec<usize>,
    /// Whether it always wins to take the last man of such a slot.
    pub(crate) takes_win: bool,
    /// Whether any move may lead to a position without a number.
    pub(crate) leads_out: bool,
}

/// The most points of a board on which a table has a bit for each set of men.
const LINED_MAX: u32 = 16;

impl Ends {
    /// The ends of a player.
    pub(crate) fn new(page: &Page, slots: &Slots, player: usize) -> Ends {
        let text = &page.text;
        let mut ends = Ends { takes_win: text.both == Verdict::Loses, ..Ends::default() };
        for end in text.ends.iter().filter(|end| end.player == player) {
            match end.test {
                Test::Pattern { own, other } => ends.patterns.push((own, other)),
                Test::Reach { class, zone, safe } => {
                    ends.reaches.push((slots.of_class[class], zone, safe));
                }
                Test::Out => ends.out = true,
                Test::Below(few) => ends.below = ends.below.max(few),
                Test::Take(class) => ends.takes.push(slots.of_class[class]),
            }
        }
        // A player may also lose such a man by a move of his own.
        let vital = |class: u8| {
            let take = |test: &Test| *test == Test::Take(class.into());
            text.ends.iter().any(|end| take(&end.test))
        };
        let lost = |atom: &crate::atoms::Atom| {
            let change = atom.change;
            vital(change.class) && (change.to == OFF || change.becomes != change.class)
        };
        // Who takes several men may take the last ones of a kind.
        let many = |atom: &crate::atoms::Atom| atom.change.takes.count_ones() > 1;
        let all = &page.atoms.all;
        ends.leads_out = all.iter().any(lost) || !ends.takes.is_empty() && all.iter().any(many);
        ends.tabulate(u32::from(text.board.len()));
        ends
    }

    /// The slot whose last man it wins to take, if there is one.
    #[inline(always)]
    pub(crate) fn wins_by_taking(&self) -> Option<usize> {
        self.takes.first().copied().filter(|_| self.takes_win)
    }

    /// Whether there are patterns.
    pub(crate) fn has_patterns(&self) -> bool {
        !self.patterns.is_empty() || !self.lined.is_empty()
    }

    /// Whether the men of the player, and those of the other one, stand in a pattern.
    #[inline(always)]
    pub(crate) fn has_pattern(&self, own: Set, other: Set) -> bool {
        let holds = |(mine, theirs): &(Set, Set)| own & mine == *mine && other & theirs == *theirs;
        self.lined.get(own as usize / 64).is_some_and(|word| word >> (own % 64) & 1 != 0)
            || self.patterns.iter().any(holds)
    }

    /// Moves the patterns of own men to a table, on a small board.
    fn tabulate(&mut self, points: u32) {
        let (own, mixed): (Vec<_>, Vec<_>) =
            self.patterns.iter().copied().partition(|(_, other)| *other == 0);
        if points > LINED_MAX || own.is_empty() {
            return;
        }
        self.patterns = mixed;
        self.lined = vec![0; (1_usize << points).div_ceil(64)];
        for men in 0..1_usize << points {
            let holds = own.iter().any(|(mine, _)| men as Set & mine == *mine);
            self.lined[men / 64] |= u64::from(holds) << (men % 64);
        }
    }
}

impl Rulebook {
    /// What the ends say of a position.
    #[inline(always)]
    pub(crate) fn verdict<const N: usize>(
        &self,
        page: &Page,
        position: &Position<N>,
    ) -> Option<Value> {
        let side = self.side(position);
        let sets = position.sets();
        let last = self.has_won(sets, 1 - side, true);
        let next = self.has_won(sets, side, false);
        verdict(&page.text, last, next).map(value)
    }

    /// Whether an end holds for a player, who has just moved or is to move.
    #[inline(always)]
    fn has_won<const N: usize>(&self, sets: &[Set; N], player: usize, moved: bool) -> bool {
        let ends = &self.ends[player];
        ends.has_patterns()
            && ends.has_pattern(self.union(sets, player), self.union(sets, 1 - player))
            || ends.reaches.iter().any(|&(slot, zone, safe)| {
                let there = sets[slot] & zone;
                there != 0 && (!(safe && moved) || self.has_safe(sets, player, there))
            })
            || ends.takes.iter().any(|&slot| sets[slot] == 0)
            || ends.out && self.count(sets, player) == 0
            || ends.below > 0 && self.count(sets, 1 - player) < ends.below
    }

    /// Whether one of some men of a player cannot be taken. Few texts ask, and the others would wait for so much code.
    #[inline(never)]
    fn has_safe<const N: usize>(&self, sets: &[Set; N], player: usize, men: Set) -> bool {
        singles(men).any(|at| !self.is_attacked(sets, 1 - player, at, true))
    }

    /// How many men a player has, on the board and in hand.
    fn count<const N: usize>(&self, sets: &[Set; N], player: usize) -> u32 {
        let in_hand: u64 = self.in_hand(sets, player).sum();
        self.union(sets, player).count_ones() + in_hand as u32
    }

    /// Whether a player could take a man on a point, if it were his turn. `otherwise`: also by moves for a player without others.
    #[inline(always)]
    pub(super) fn is_attacked<const N: usize>(
        &self,
        sets: &[Set; N],
        by: usize,
        at: Set,
        otherwise: bool,
    ) -> bool {
        let point = at.trailing_zeros();
        if self.is_attacked_by_tables(sets, by, point, || self.union(sets, 0) | self.union(sets, 1))
        {
            return true;
        }
        let steps = &self.taking[by][point as usize];
        !steps.is_empty() && {
            let men = self.men(sets, by);
            steps.iter().any(|step| {
                let stands = match step.hand {
                    Some(hand) => self.slots.hands[hand].count(sets) > 0,
                    None => sets[step.before] & bit(step.from) != 0,
                };
                stands && (step.is_possible(men, false) || otherwise && step.is_possible(men, true))
            })
        }
    }

    /// The same by the moves that have tables, if men stand between as some points say.
    #[inline(always)]
    pub(super) fn is_attacked_by_tables<const N: usize>(
        &self,
        sets: &[Set; N],
        by: usize,
        point: u32,
        all: impl Fn() -> Set,
    ) -> bool {
        let Tables { moves, threats, far, .. } = &self.tables[by];
        let own = self.slots.men[by].iter();
        let threat = own.fold(0, |all, &slot| all | sets[slot] & threats[slot][point as usize]);
        if threat != 0 || !far {
            return threat != 0;
        }
        let all = all();
        let mut moves = moves.iter().filter(|table| table.attacks.has_lookups());
        moves.any(|table| {
            let men = sets[table.before];
            men != 0 && table.attacks.onto(point, all, men) != 0
        })
    }

    /// Whether the player to move can take a man whose loss ends the game, and wins by that.
    #[inline(always)]
    pub(crate) fn wins_by_taking<const N: usize>(&self, position: &Position<N>) -> bool {
        let side = self.side(position);
        self.ends[side].takes_win && self.takes_last(position, side, false)
    }

    #[inline(always)]
    fn takes_last<const N: usize>(
        &self,
        position: &Position<N>,
        side: usize,
        otherwise: bool,
    ) -> bool {
        let sets = position.sets();
        self.ends[side].takes.iter().any(|&slot| {
            let men = sets[slot];
            men != 0
                && men & men.wrapping_sub(1) == 0
                && self.is_attacked(sets, side, men, otherwise)
        })
    }

    /// Whether a move may lead to a position without a number. If not, none does.
    #[inline(always)]
    pub(crate) fn may_leave<const N: usize>(&self, position: &Position<N>) -> bool {
        let (side, sets) = (self.side(position), position.sets());
        let ended = &self.slots.ended[1 - side];
        let ends = &self.ends[side];
        // If taking wins and needs no other move to be missing, the game is over for the solver.
        ends.leads_out
            || ended.iter().any(|&(slot, zone)| sets[slot] & zone != 0)
            || (!ends.takes_win || self.otherwise[side]) && self.takes_last(position, side, true)
    }
}
