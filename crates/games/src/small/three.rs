//! Games of three in a row. Players put their men down in turn; once all men are down, they move. A row of
//! three own men wins.

use retrograde::Value;

use super::{Position, Rules, neighbours, square_of, squares};

/// Such a game for three men each.
#[derive(Debug)]
pub(crate) struct Three {
    pub(crate) name: &'static str,
    pub(crate) points: &'static [(u8, u8)],
    pub(crate) start: &'static str,
    /// The lines, three squares each. Men move along them, and a full line is a row.
    pub(crate) lines: &'static [&'static str],
    /// Whether a player who cannot move may jump over an opponent's man, to the free square behind it on a
    /// line.
    pub(crate) jumps: bool,
}

const MEN: u32 = 3;

impl Rules for Three {
    fn name(&self) -> &'static str {
        self.name
    }

    fn points(&self) -> &'static [(u8, u8)] {
        self.points
    }

    fn lines(&self) -> &'static [&'static str] {
        self.lines
    }

    fn start(&self) -> &'static str {
        self.start
    }

    fn hand(&self, position: Position) -> [u32; 2] {
        position.men.map(|men| MEN - men.count_ones())
    }

    fn verdict(&self, position: Position) -> Option<Value> {
        let row = |line: &&str| line.bytes().filter_map(square_of).fold(0, |set, at| set | 1 << at);
        let made = self.lines.iter().map(row).any(|row| position.other() & row == row);
        made.then_some(Value::Loss(0))
    }

    fn moves(&self, position: Position, visit: &mut dyn FnMut(Position)) {
        let own = position.own();
        let all = (1 << self.points.len()) - 1;
        let free = position.free() & all;
        if own.count_ones() < MEN {
            squares(free).for_each(|to| visit(position.after(own | 1 << to)));
            return;
        }
        let mut stuck = true;
        for man in squares(own) {
            for to in squares(neighbours(self.lines, man) & free) {
                stuck = false;
                visit(position.after(own ^ 1 << man | 1 << to));
            }
        }
        if stuck && self.jumps {
            for line in self.lines {
                let [a, over, b] = [0, 1, 2].map(|at| line.as_bytes()[at] - b'a');
                for (from, to) in [(a, b), (b, a)] {
                    let jumps = own >> from & position.other() >> over & free >> to;
                    if jumps & 1 != 0 {
                        visit(position.after(own ^ 1 << from | 1 << to));
                    }
                }
            }
        }
    }
}
