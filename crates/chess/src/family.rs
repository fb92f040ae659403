//! Chess as a family of regions. The rules of chess use no regions. This file connects the two.

use crate::piece::squares;
use crate::{Endgame, Index, Material, Stats};
use std::cell::Cell;
use std::ops::Range;

use retrograde::bit_parallel::{
    ByWords, Key, LogStore, LoggedSolution, Share, WordExchange, recover_words,
};
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Code, Probe, Solution, SolveError, Solver, Value};
use retrograde_regions::{Family, Solved, recover};
use retrograde_table::{About, Kept, Rows, SideCounts, TableError};
use serde_json::json;

/// Chess. A region is a material, and [`Index`](crate::Index) numbers its states.
pub struct Chess;

impl Family for Chess {
    type Region = Material;
    type Game<'a> = Endgame<'a>;

    fn name(&self) -> &str {
        "chess"
    }

    fn needs(&self, material: &Material) -> Vec<Material> {
        material.needs()
    }

    fn game<'a>(&self, material: &Material, solved: Vec<Solved<'a>>) -> Endgame<'a> {
        Endgame::new(*material, solved)
    }

    fn solve(&self, game: &Self::Game<'_>, solver: Solver<'_>) -> Result<Solution, SolveError> {
        solver.solve(ByWords(game))
    }

    fn solve_logged(
        &self,
        game: &Self::Game<'_>,
        solver: Solver<'_>,
        log: Box<dyn LogStore>,
    ) -> Result<LoggedSolution, SolveError> {
        ByWords(game).solve_logged(solver, log)
    }

    fn memory_needed_logged(&self, game: &Self::Game<'_>, solver: &Solver<'_>) -> Option<u64> {
        Some(ByWords(game).memory_needed_logged(solver) + game.exits.worths_bytes())
    }

    // Only programs that solve on several processes compile it.
    #[inline]
    fn solve_share(
        &self,
        game: &Self::Game<'_>,
        solver: Solver<'_>,
        share: &Share,
        exchange: &mut dyn WordExchange,
    ) -> Result<Solution, SolveError> {
        ByWords(game).solve_share(solver, share, exchange)
    }

    fn memory_needed_share(
        &self,
        game: &Self::Game<'_>,
        solver: &Solver<'_>,
        (share, ghosts): (&Share, u64),
    ) -> Option<u64> {
        let needed = ByWords(game).memory_needed_share(solver, share, (ghosts, false));
        Some(needed + game.exits.worths_bytes())
    }

    fn verify<P: Probe<Error: Send>>(
        &self,
        game: &Self::Game<'_>,
        values: &P,
        verifier: Verifier<'_>,
    ) -> Result<Verified, VerifyError<P::Error>> {
        verifier.verify(ByWords(game), values)
    }

    fn memory_needed(&self, game: &Self::Game<'_>, solver: &Solver<'_>) -> u64 {
        solver.memory_needed(ByWords(game)) + game.exits.worths_bytes()
    }

    /// If a region has few states, most exits have levels of their own. If it has many, most exits share a level, and
    /// each adds at most a byte to the set of its level.
    fn exit_bytes(&self, states: u64) -> u64 {
        5 * states.min(5) + states.saturating_sub(5)
    }

    /// The planned memory. Most of the exits counted here are draws, which take no memory. Measured and planned peaks
    /// of whole builds on two threads: KQvK 11 and 12 MB, KBNvK 20 and 18, KPvKP 189 and 171, KRBvKR 461 and 450.
    fn memory_used(&self, arrays: u64, exits: u64) -> u64 {
        arrays + exits / 5 * 3
    }

    fn about<P: Probe>(
        &self,
        material: &Material,
        game: &Self::Game<'_>,
        values: &P,
    ) -> Result<About, P::Error> {
        let stats = Stats::of(game.index(), values)?;
        Ok(about(material, game.index(), stats, values.has_distances()))
    }

    fn about_solved(
        &self,
        material: &Material,
        game: &Self::Game<'_>,
        solution: &Solution,
    ) -> About {
        let stats = Stats::of_solution(game.index(), solution);
        about(material, game.index(), stats, solution.has_distances())
    }

    fn named(about: &About) -> Option<&str> {
        about.parameters["material"].as_str()
    }

    fn judge<P: Probe>(
        &self,
        material: &Material,
        said: &About,
        game: &Self::Game<'_>,
        values: &P,
    ) -> Result<Option<String>, P::Error> {
        let found = self.about(material, game, values)?;
        for side in ["white", "black"] {
            let (said_of, found_of) = (&said.parameters[side], &found.parameters[side]);
            if said_of != found_of {
                return Ok(Some(format!("for {side} it says {said_of}, but there is {found_of}")));
            }
        }
        if said.parameters != found.parameters {
            let (said, found) = (&said.parameters, &found.parameters);
            return Ok(Some(format!("it says {said}, but there is {found}")));
        }
        let counted = said.counts.is_empty() || said.counts == found.counts;
        Ok((!counted).then(|| "its counts of states are wrong".into()))
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

    /// Neighbouring states capture into neighbouring states, and the game reads the values of 64 words at a time.
    fn reads_exits_in_order(&self) -> bool {
        true
    }

    fn best_exit(game: &Self::Game<'_>, state: u64) -> Option<Value> {
        game.best_exit(state)
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

/// The header of a table.
fn about(material: &Material, index: &Index, [white, black]: [Stats; 2], distances: bool) -> About {
    let side = |stats: &Stats| {
        let longest = stats.longest_win.filter(|_| distances);
        let fen = longest.and_then(|longest| index.position(longest.state));
        let longest = longest.map(|longest| longest.plies);
        json!({
            "win": stats.win, "draw": stats.draw, "loss": stats.loss,
            "longest": longest, "fen": fen.map(|position| position.to_string()),
        })
    };
    About {
        game: "chess".into(),
        parameters: json!({
            "material": material.to_string(), "white": side(&white), "black": side(&black),
        }),
        counts: vec![
            SideCounts::new("white", white.states),
            SideCounts::new("black", black.states),
        ],
        ..About::default()
    }
}
