//! Quixo for people: the cubes of the player to move are `x`, and those of the opponent are `o`. Of positions that
//! are mirror images, it shows one. A square is a letter for the column and a number for the row, as in chess.

use retrograde::adapters::Folded;

use super::{Quixo, Slide};
use crate::square::{self, with_edge};
use crate::{Show, Way};

impl Quixo {
    fn rows(&self, state: u64) -> Vec<String> {
        self.rows_of(self.patterns.position(state))
    }

    fn rows_of(&self, [mine, theirs]: [u64; 2]) -> Vec<String> {
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
        Some(with_edge(&self.0.rows(state)))
    }

    /// Where the cube is taken, and where it is pushed in: `a3-c3`.
    fn step(&self, from: u64, to: u64) -> String {
        let first = self.ways(from, to).into_iter().next();
        first.map_or_else(|| self.text(to), |way| way.name)
    }

    fn ways(&self, from: u64, to: u64) -> Vec<Way> {
        let (game, [mine, theirs]) = (&self.0, self.0.patterns.position(from));
        let slides = game.into.iter().flatten().filter(|slide| theirs >> slide.from & 1 == 0);
        let way = |slide: &Slide| {
            let [mine, theirs] = [slide.push(mine) | 1 << slide.to, slide.push(theirs)];
            let [taken, end] = [slide.from, slide.to].map(|at| square::name(game.side, at));
            let name = format!("{taken}-{end}");
            let picture = with_edge(&game.rows_of([mine, theirs]));
            (game.patterns.state([theirs, mine]) == to).then_some(Way { name, picture })
        };
        slides.filter_map(way).collect()
    }
}
