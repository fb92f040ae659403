//! Statements of a text that can never have an effect. Such a text is a game, but perhaps not the one that was meant.

use crate::atoms::{Atom, OFF, changes_of};
use crate::board::{Set, bit};
use crate::cells::Cell;
use crate::page::Page;
use crate::text::{Statement, Test};

/// What men there can be, by the cells that moves may lead to.
struct Men<'p> {
    page: &'p Page,
    cells: &'p [Cell],
    /// For each class, the most men on the board and in hand.
    on_board: Vec<u8>,
    in_hand: Vec<u8>,
    /// For each player, the most men on the board.
    of_player: [u32; 2],
}

impl Page {
    /// The statements that can never have an effect, with their lines.
    pub(crate) fn idle(&self, cells: &[Cell]) -> Vec<String> {
        let classes = 0..self.text.classes.len();
        let most = |of: &dyn Fn(&Cell) -> u8| cells.iter().map(of).max().unwrap_or(0);
        let men_of = |cell: &Cell, player: usize| -> u32 {
            let own = classes.clone().filter(|&at| self.text.classes[at].player == player);
            own.map(|at| u32::from(cell.board[at])).sum()
        };
        let of_player = |player| cells.iter().map(|cell| men_of(cell, player)).max().unwrap_or(0);
        let men = Men {
            page: self,
            cells,
            on_board: classes.clone().map(|at| most(&|cell| cell.board[at])).collect(),
            in_hand: classes.clone().map(|at| most(&|cell| cell.hand[at])).collect(),
            of_player: [of_player(0), of_player(1)],
        };
        let statements = self.text.statements.iter();
        let idle =
            statements.filter_map(|(line, statement)| Some((line, men.why_idle(statement)?)));
        let mut idle: Vec<String> = idle.map(|(line, why)| format!("line {line}: {why}")).collect();
        idle.dedup();
        idle
    }
}

impl Men<'_> {
    /// Whether there is ever such a man on a point, or in hand.
    fn is_at(&self, class: u8, from: u8) -> bool {
        let class = usize::from(class);
        match from {
            OFF => self.in_hand[class] > 0,
            from => self.on_board[class] > 0 && self.page.atoms.fates[class].zone & bit(from) != 0,
        }
    }

    /// The moves of men that there are.
    fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.page.atoms.all.iter().filter(|atom| self.is_at(atom.change.class, atom.change.from))
    }

    /// Why a statement can have no effect, if it cannot.
    fn why_idle(&self, statement: &Statement) -> Option<String> {
        let text = &self.page.text;
        let (has_effect, why) = match statement {
            Statement::Line(name) => {
                let named = |name: &str| {
                    text.named.iter().any(|&at| text.board.directions[at].name == name)
                };
                let used = named(name) || named(&format!("-{name}"));
                (used, format!("nothing goes along `{name}`"))
            }
            &Statement::Men(class) => {
                let appears = self.on_board[class] > 0 || self.in_hand[class] > 0;
                let (kind, player) = (&text.classes[class].kind, text.classes[class].player);
                (appears, format!("{} never has a `{kind}`", text.players[player]))
            }
            &Statement::Move(rule) => {
                let changes = changes_of(text, &text.moves[rule]);
                let possible = changes.iter().any(|change| self.is_at(change.class, change.from));
                (possible, "no man can ever move like this".to_owned())
            }
            &Statement::Mill { length } => {
                let most = self.of_player[0].max(self.of_player[1]);
                (most >= length, format!("no player ever has {length} men on the board"))
            }
            Statement::Taken => {
                let takes = self.atoms().any(|atom| atom.change.takes != 0);
                (takes, "no man is ever taken".to_owned())
            }
            Statement::Promote(rules) => {
                let promotes = text.promotions[rules.clone()].iter().any(|rule| {
                    self.atoms().map(|atom| atom.change).any(|change| {
                        usize::from(change.becomes) == rule.into && rule.promotes(&change)
                    })
                });
                (promotes, "no man ever comes there to become another".to_owned())
            }
            &Statement::Demote(at) => {
                let (kind, into) = &text.demotions[at];
                let comes = (0..text.classes.len()).any(|class| {
                    text.classes[class].kind == *kind
                        && self.on_board[class] > 0
                        && self.page.atoms.fates[class].taken_as.is_some()
                });
                (comes, format!("no `{kind}` ever comes to a hand, to be a `{into}` there"))
            }
            Statement::Win(ends) if ends.is_empty() => {
                (false, "the lines before say the same".to_owned())
            }
            Statement::Win(ends) => {
                let mut ends = text.ends[ends.clone()].iter();
                let holds = ends.any(|end| self.can_hold(end.player, &end.test));
                (holds, "no player can ever hold this end".to_owned())
            }
        };
        (!has_effect).then_some(why)
    }

    /// Whether an end may hold for a player, as far as the numbers of men say, and where each can come.
    fn can_hold(&self, player: usize, test: &Test) -> bool {
        let text = &self.page.text;
        let enough = |player: usize, points: Set| self.of_player[player] >= points.count_ones();
        match *test {
            Test::Pattern { own, other } => enough(player, own) && enough(1 - player, other),
            Test::Reach { class, zone, .. } => {
                let comes = self
                    .atoms()
                    .map(|atom| atom.change)
                    .filter(|change| usize::from(change.becomes) == class && change.to != OFF);
                let comes =
                    comes.fold(text.classes[class].start, |all, change| all | bit(change.to));
                self.on_board[class] > 0 && comes & zone != 0
            }
            Test::Out => self.cells.iter().any(|cell| cell.men(text, player) == 0),
            Test::Below(few) => self.cells.iter().any(|cell| cell.men(text, 1 - player) < few),
            Test::Take(class) => self.cells.iter().any(|cell| cell.board[class] == 0),
        }
    }
}
