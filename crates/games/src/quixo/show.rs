//! Quixo as a person sees it: the cubes of who is to move are `x`, the opponent's `o`, in any of the positions that are mirror images.

use retrograde::adapters::Folded;

use super::Quixo;
use crate::Show;

impl Quixo {
    fn rows(&self, state: u64) -> Vec<String> {
        let [mine, theirs] = self.patterns.position(state);
        let sign = |square: u32| match (mine >> square & 1, theirs >> square & 1) {
            (0, 0) => '.',
            (0, _) => 'o',
            _ => 'x',
        };
        let row = |row: u32| (0..self.side).map(|column| sign(row * self.side + column)).collect();
        (0..self.side).map(row).collect()
    }
}

impl Show for Folded<Quixo> {
    fn name(&self) -> &'static str {
        "quixo"
    }

    fn start(&self) -> Option<u64> {
        Some(self.0.patterns.state([0, 0]))
    }

    fn text(&self, state: u64) -> String {
        self.0.rows(state).join("/")
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        let side = self.0.side as usize;
        let rows: Vec<&str> = text.trim().split('/').collect();
        let signs: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
        let known = |sign: &char| matches!(sign, 'x' | 'o' | '.');
        let even = rows.len() == side && rows.iter().all(|row| row.chars().count() == side);
        if !even || !signs.iter().all(known) {
            let start = self.text(self.start().unwrap_or_default());
            return Err(format!(
                "{text:?} is no position: write the rows like {start}, x for the cubes of who is to move, o for the others"
            ));
        }
        let set = |wanted: char| {
            let squares = (0..).zip(&signs).filter(|(_, sign)| **sign == wanted);
            squares.fold(0u64, |set, (square, _): (u32, _)| set | 1 << square)
        };
        Ok(self.0.patterns.state([set('x'), set('o')]))
    }

    fn picture(&self, state: u64) -> Option<String> {
        Some(self.0.rows(state).join("\n"))
    }
}
