//! What ends a game, in words.

use crate::text::{Test, Text, Verdict};

/// How many patterns of a player are listed. Of more, only the first.
const PATTERNS_MAX: usize = 4;

impl Text {
    /// What ends the game: for both players, for each, and for a player without a move.
    pub(crate) fn said_ends(&self) -> Vec<String> {
        let [first, second] = [0, 1].map(|player| self.ways_to_win(player));
        let (both, first): (Vec<_>, Vec<_>) =
            first.into_iter().partition(|way| second.contains(way));
        let second = second.into_iter().filter(|way| !both.contains(way)).collect();
        let [one, other] = &self.players;
        let mut said = Vec::new();
        for (player, ways) in [("a player", &both), (one, &first), (other, &second)] {
            said.extend(ways.iter().map(|way| format!("{player} wins with {way}")));
        }
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
        let own = self.ends.iter().filter(|end| end.player == player).map(|end| &end.test);
        let (mut patterns, others): (Vec<&Test>, Vec<&Test>) =
            own.partition(|test| matches!(test, Test::Pattern { .. }));
        let many = patterns.len();
        patterns.truncate(if many > PATTERNS_MAX { 1 } else { many });
        let mut ways: Vec<String> = patterns.into_iter().map(|test| self.said(test)).collect();
        if many > PATTERNS_MAX {
            ways[0] += &format!(", or another of {many} such sets");
        }
        ways.extend(others.into_iter().map(|test| self.said(test)));
        ways
    }

    fn said(&self, test: &Test) -> String {
        let points = |set| self.board.names(set).join(",");
        let kind = |class: usize| &self.classes[class].kind;
        match *test {
            Test::Pattern { own, other: 0 } => format!("own men on {}", points(own)),
            Test::Pattern { own, other } => {
                format!("own men on {} and men of the other on {}", points(own), points(other))
            }
            Test::Reach { class, zone, safe } => {
                let safe = if safe { " that cannot be taken" } else { "" };
                format!("a {}{safe} on one of {}", kind(class), points(zone))
            }
            Test::Out => "no man left of one's own".to_owned(),
            Test::Below(1) => "no man of the other left".to_owned(),
            Test::Below(few) => format!("fewer than {few} men of the other left"),
            Test::Take(class) => format!("no {} of the other left on the board", kind(class)),
        }
    }
}
