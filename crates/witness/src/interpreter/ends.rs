//! Ends: who has won.

use retrograde::Value;

use super::{Interpreter, Placement, points};

/// A statement `win`, for one player.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Win {
    pub(crate) player: usize,
    pub(crate) test: Test,
}

/// When a player holds an end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Test {
    /// Own men on all points of a set, and men of the other player on all points of another.
    Stand { own: u64, other: u64 },
    /// A man of a class in a zone. `safe`: the other player, who is to move, cannot take it.
    Reach { class: usize, zone: u64, safe: bool },
    /// No man left.
    Out,
    /// The other player has fewer men, on the board and in hand.
    Below { men: u32 },
    /// No man of a class of the other player on the board.
    Take { class: usize },
}

impl Interpreter {
    /// The value of a position for the player to move, if the ends decide it.
    pub(crate) fn verdict(&self, position: &Placement) -> Option<Value> {
        let [last, next] =
            [1 - position.side, position.side].map(|player| self.has_won(position, player));
        match (last, next) {
            (false, false) => None,
            (true, false) => Some(Value::Loss(0)),
            (false, true) => Some(self.held),
            (true, true) => Some(self.both),
        }
    }

    fn has_won(&self, position: &Placement, player: usize) -> bool {
        let [own, theirs] = [player, 1 - player].map(|player| self.men(position, player));
        self.wins.iter().filter(|win| win.player == player).any(|win| match win.test {
            Test::Stand { own: mine, other } => own & mine == mine && theirs & other == other,
            Test::Reach { class, zone, safe } => points(position.men[class] & zone)
                .any(|point| !(safe && position.side != player && self.can_take(position, point))),
            Test::Out => own == 0 && self.in_hand(position, player) == 0,
            Test::Below { men } => {
                theirs.count_ones() + u32::from(self.in_hand(position, 1 - player)) < men
            }
            Test::Take { class } => position.men[class] == 0,
        })
    }

    /// Whether the player to move can take the man on a point, if the game goes on.
    fn can_take(&self, position: &Placement, point: usize) -> bool {
        let mut can = false;
        self.each_move(position, position.side, |played| can |= played.taken >> point & 1 != 0);
        can
    }

    /// Whether the other player could take a royal man of a player.
    pub(crate) fn loses_royal(&self, position: &Placement, player: usize) -> bool {
        let royal = self.own(player).filter(|&class| self.classes[class].royal);
        let royal = royal.fold(0, |all, class| all | position.men[class]);
        let mut loses = false;
        if royal != 0 {
            self.each_move(position, 1 - player, |played| loses |= played.taken & royal != 0);
        }
        loses
    }
}
