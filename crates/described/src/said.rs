//! What ends a game, in words.

use crate::board::Set;
use crate::text::{Test, Text, Verdict};

/// How many patterns are listed. More are counted.
const PATTERNS_MAX: usize = 4;

impl Text {
    /// What ends the game: for each player, and for a player without a move.
    pub(crate) fn said_ends(&self) -> Vec<String> {
        let [first, second] = [0, 1].map(|player| self.ways_to_win(player));
        let both = first.iter().filter(|way| second.contains(way)).map(|way| (None, way));
        let of = |player: usize, own: &'_ [String], other: &'_ [String]| {
            let own = own.iter().filter(|way| !other.contains(way));
            own.map(|way| (Some(player), way.clone())).collect::<Vec<_>>()
        };
        let both = both.map(|(none, way)| (none, way.clone()));
        let all = both.chain(of(0, &first, &second)).chain(of(1, &second, &first));
        let mut said: Vec<String> = all
            .map(|(player, way)| match player {
                Some(player) => format!("{} wins with {way}", self.players[player]),
                None => format!("a player wins with {way}"),
            })
            .collect();
        if self.classes.iter().any(|class| class.royal) {
            said.push("a player loses who has no move, if a royal man is attacked".to_owned());
        }
        let verdict = match self.stuck {
            Verdict::Loses => "loses",
            Verdict::Wins => "wins",
            Verdict::Draws => "draws",
        };
        said.push(format!("a player {verdict} who has no move"));
        said
    }

    fn ways_to_win(&self, player: usize) -> Vec<String> {
        let points = |set: Set| self.board.names(set).join(",");
        let kind = |class: usize| &self.classes[class].kind;
        let own = self.ends.iter().filter(|end| end.player == player);
        let (patterns, others): (Vec<_>, Vec<_>) =
            own.partition(|end| matches!(end.test, Test::Pattern { .. }));
        let mut ways = Vec::new();
        let pattern = |test: &Test| match *test {
            Test::Pattern { own, other: 0 } => format!("own men on {}", points(own)),
            Test::Pattern { own, other } => {
                format!("own men on {} and men of the other on {}", points(own), points(other))
            }
            _ => String::new(),
        };
        match patterns.len() {
            0 => {}
            1..=PATTERNS_MAX => ways.extend(patterns.iter().map(|end| pattern(&end.test))),
            many => {
                let first = pattern(&patterns[0].test);
                ways.push(format!("{first}, or another of {many} such sets"));
            }
        }
        ways.extend(others.iter().map(|end| match end.test {
            Test::Reach { class, zone, safe } => {
                let safe = if safe { " that cannot be taken" } else { "" };
                format!("a {}{safe} on one of {}", kind(class), points(zone))
            }
            Test::Out => "no man left of one's own".to_owned(),
            Test::Below(1) => "no man of the other left".to_owned(),
            Test::Below(few) => format!("fewer than {few} men of the other left"),
            Test::Take(class) => format!("no {} of the other left on the board", kind(class)),
            Test::Pattern { .. } => String::new(),
        }));
        ways
    }
}
