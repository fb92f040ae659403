//! Chess as a family of regions. The rules of chess use no regions. This file connects the two.

use std::cell::Cell;
use std::ops::Range;

use retrograde::bit_parallel::{Key, WordsVisitor, recover_words};
use retrograde::{Code, Probe, Value};
use retrograde_positions::Positions;
use retrograde_regions::{ExitCosts, Family, Run, SideFacts, SolvedRegion, recover};
use retrograde_table::{About, Kept, Rows, SideCounts, TableError};
use serde_json::{Value as Json, json};

use crate::endgame::Endgame;
use crate::exits::WORTHS_BYTES;
use crate::material::{Material, MaterialError};
use crate::piece::{Color, squares};

/// Chess. A region is a material, and [`Index`](crate::Index) numbers its states.
pub struct Chess;

impl Family for Chess {
    type Region = Material;
    type Game<'a> = Endgame<'a>;

    const REGION: &'static str = "material";

    /// If a region has few states, most exits have levels of their own. If it has many, most exits share a level, and
    /// each adds at most a byte to the set of its level.
    ///
    /// Most of the exits counted here are draws, which take no memory. Measured and planned peaks of whole builds on two
    /// threads: KQvK 11 and 12 MB, KBNvK 20 and 18, KPvKP 189 and 171, KRBvKR 461 and 450.
    ///
    /// Neighbouring states capture into neighbouring states, and the game reads the values of 64 words at a time.
    const EXITS: ExitCosts = ExitCosts {
        bytes: |states| 5 * states.min(5) + states.saturating_sub(5),
        used_percent: 60,
        cache_bytes_max: WORTHS_BYTES as u64,
        in_order: true,
    };

    fn name(&self) -> &str {
        "chess"
    }

    fn region_named(&self, name: &str) -> Result<Material, String> {
        name.parse().map_err(|error: MaterialError| error.to_string())
    }

    fn needs(&self, material: &Material) -> Vec<Material> {
        material.needs()
    }

    fn game<'a>(&self, material: &Material, solved: Vec<SolvedRegion<'a>>) -> Endgame<'a> {
        Endgame::new(*material, solved)
    }

    fn visit_words<V: WordsVisitor>(game: &Self::Game<'_>, visitor: V) -> Result<V::Output, V> {
        Ok(visitor.visit(game))
    }

    /// Symmetric placements count separately, and equal pieces have no order. Positions with an en passant capture are
    /// no placements.
    fn runs(game: &Self::Game<'_>) -> Vec<Run> {
        let index = game.index();
        let run = |turn: Color, states, positions| Run { states, side: turn as usize, positions };
        let blocks = index.blocks().map(|block| run(block.turn, block.states, block.multiplicity));
        blocks.chain(index.passing().map(|(turn, states)| run(turn, states, 0))).collect()
    }

    fn about(&self, material: &Material, game: &Self::Game<'_>, sides: &[SideFacts]) -> About {
        let mut parameters = json!({ (Chess::REGION): material.to_string() });
        let fen = |state| game.index().position(state).map(|position| position.to_string());
        for (name, side) in self.players().iter().zip(sides) {
            parameters[*name] = Json::Object(side.entries("fen", fen));
        }
        let counts = self.players().iter().zip(sides);
        let counts = counts.map(|(name, side)| SideCounts::new(name, side.states)).collect();
        About { game: self.name().into(), parameters, counts, ..About::default() }
    }

    fn grids(&self, game: &Self::Game<'_>) -> Vec<Rows> {
        let index = game.index();
        let run = |states: Range<u64>| states.end - states.start;
        let placed = index.blocks().next().map(|block| run(block.states));
        let passing = index.passing().next().map(|(_, states)| run(states));
        let rows = |states, columns: Option<u64>| {
            columns.filter(|_| states > 0).map(|columns| Rows { states, columns, sides: 2 })
        };
        let placements = index.placements();
        let rest = index.states() - placements;
        rows(placements, placed).into_iter().chain(rows(rest, passing)).collect()
    }

    fn best_exits(game: &Self::Game<'_>, first: u64, exits: &mut [Code]) {
        // It is faster to handle states one by one if there are few, or if the states of a word have different
        // exits.
        let end = first + exits.len() as u64;
        let words = first.div_ceil(64)..end / 64;
        let by_words = !words.is_empty() && game.index().frame(words.end - 1).is_some();
        let words = if by_words { words } else { 0..0 };
        let (begin, stop) = match by_words {
            true => (words.start * 64, words.end * 64),
            false => (end, end),
        };
        for state in (first..begin).chain(stop..end) {
            exits[(state - first) as usize] = Code::of(game.best_exit(state));
        }
        exits[(begin - first) as usize..(stop - first) as usize].fill(Code::INVALID);
        game.exits_of_words(words, |word, told| {
            let exits = &mut exits[(word * 64 - first) as usize..][..64];
            for &(states, value) in told {
                let code = Code::of(Some(value));
                for bit in squares(states) {
                    let exit = &mut exits[bit.index()];
                    if exit.rank() < code.rank() {
                        *exit = code;
                    }
                }
            }
        });
    }

    fn recover(
        game: &Self::Game<'_>,
        kept: &Kept<'_>,
        first: u64,
        values: &mut [Option<Value>],
    ) -> Result<(), TableError> {
        let end = first + values.len() as u64;
        // It is faster to handle states one by one if there are few, or if the states of a word have unrelated
        // moves. A word of en passant states has states of both sides.
        let by_words = values.len() >= 64 && first.is_multiple_of(64);
        let by_words = by_words && game.index().frame(first / 64).is_some();
        if !by_words || end > game.index().placements() {
            return recover(game, kept, first, values);
        }
        let failed = Cell::new(None);
        let keys = |word: u64| {
            let mut codes = [Code::INVALID; 64];
            let first = word.saturating_mul(64);
            let filled = if first < game.index().placements() {
                // The table does not mark invalid states. But `least_of_moves` may ask for them.
                let invalid_states = game.index().invalid_states(word);
                let filled = kept.fill_codes(first, &mut codes);
                let each = codes.iter_mut().enumerate();
                each.filter(|(bit, _)| invalid_states >> bit & 1 != 0)
                    .for_each(|(_, code)| *code = Code::INVALID);
                filled
            } else {
                // Some of these states belong to the side that the table does not keep. No move leads to them.
                let states = (first..kept.states()).zip(&mut codes);
                let is_position = |state| game.index().position(state).is_some();
                let mut states =
                    states.filter(|&(state, _)| kept.table().keeps(state) && is_position(state));
                states.try_for_each(|(state, code)| {
                    *code = Code::of(kept.probe(state)?);
                    Ok(())
                })
            };
            if let Err(error) = filled {
                failed.set(Some(error));
            }
            Box::new(codes.map(Key::from))
        };
        let put = |word: u64, codes: &[Code; 64]| {
            let at = (word * 64 - first) as usize;
            let values = values[at..].iter_mut();
            values.zip(codes).for_each(|(value, code)| *value = code.value());
        };
        let words = first / 64..end.div_ceil(64);
        let found = recover_words(game, words, kept.has_distances(), keys, put);
        match (failed.into_inner(), found) {
            (Some(error), _) => Err(error),
            (None, Some(())) => Ok(()),
            (None, None) => recover(game, kept, first, values),
        }
    }
}

#[cfg(test)]
mod tests {
    use retrograde::{Game, Value};
    use retrograde_testkit::broken::Computed;

    use super::*;
    use crate::index::Index;

    #[test]
    fn every_state_is_counted_for_who_is_to_move() {
        for name in ["KQvK", "KPvK", "KPvKP"] {
            let material: Material = name.parse().unwrap();
            let needs = material.needs().into_iter();
            let blanks = needs.map(|need| SolvedRegion::blank(Index::new(need).states())).collect();
            let game = Endgame::new(material, blanks);
            let runs = Chess::runs(&game);
            let mut next = 0;
            for Run { states, side, .. } in &runs {
                assert_eq!(states.start, next, "{name}");
                next = states.end;
                for state in [states.start, states.end - 1] {
                    let turn = game.index().decode(state).position.turn;
                    assert_eq!(turn as usize, *side, "{name} {state}");
                }
            }
            assert_eq!(next, game.states(), "{name}");
            let drawn = Computed { states: next, first: 0, value: |_| Value::Draw };
            let Ok(sides) = SideFacts::of(&runs, &drawn);
            assert_eq!(sides.iter().map(|side| side.states.draw).sum::<u64>(), next, "{name}");
        }
    }
}
