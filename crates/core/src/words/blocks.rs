//! The words that an engine settles: blocks of neighbouring words. If it has all words, they are one block.

use std::ops::Range;

use crate::rules::Game;
use crate::solve::solver::Solver;

/// The words. Their blocks are in ascending order, and no two touch each other's.
#[derive(Clone)]
pub(crate) struct Blocks {
    /// How many words the game has.
    pub(crate) words: usize,
    blocks: Vec<Range<usize>>,
    /// How many words a shard has, which has its distances together. The last one may have fewer. Each block but the last
    /// consists of whole shards.
    pub(crate) shard_words: usize,
}

impl Blocks {
    /// All words of a game.
    pub(crate) fn whole_game(game: &impl Game, solver: &Solver<'_>) -> Blocks {
        Blocks::whole(game.states().div_ceil(64) as usize, solver.thresholds.shard_words)
    }

    /// All words of a game of some words.
    pub(crate) fn whole(words: usize, shard_words: usize) -> Blocks {
        Blocks::new(words, (words > 0).then_some(0..words).into_iter().collect(), shard_words)
    }

    /// Some of the words.
    pub(crate) fn new(words: usize, blocks: Vec<Range<usize>>, shard_words: usize) -> Blocks {
        Blocks { words, blocks, shard_words }
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.iter().map(|words| words.len()).sum()
    }

    /// How many words the longest block has.
    pub(crate) fn longest(&self) -> usize {
        self.iter().map(|words| words.len()).max().unwrap_or(0)
    }

    /// Whether the last word of the game is one of them.
    pub(crate) fn has_last(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.end == self.words)
    }

    /// How many blocks there are.
    pub(crate) fn count(&self) -> usize {
        self.blocks.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.blocks.iter().cloned()
    }

    /// The blocks, in parts of `len` words.
    pub(crate) fn parts(&self, len: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        self.iter().flat_map(move |block| {
            block.clone().step_by(len).map(move |first| first..block.end.min(first + len))
        })
    }

    /// The shards, each with its number.
    pub(crate) fn shards(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        self.parts(self.shard_words).map(|words| (words.start / self.shard_words, words))
    }

    /// The places of each part in an array that has a place for every `words` words of the game. A part is a multiple of
    /// that.
    pub(crate) fn split<'a, T>(
        &'a self,
        array: &'a mut [T],
        words: usize,
        len: usize,
    ) -> impl Iterator<Item = (Range<usize>, &'a mut [T])> {
        split(array, words, self.parts(len))
    }
}

/// The places of each of some parts, as in [`Blocks::split`].
pub(crate) fn split<T>(
    mut array: &mut [T],
    words: usize,
    parts: impl Iterator<Item = Range<usize>>,
) -> impl Iterator<Item = (Range<usize>, &mut [T])> {
    let mut before = 0;
    parts.map(move |part| {
        let (start, end) = (part.start / words, part.end.div_ceil(words));
        let rest = std::mem::take(&mut array);
        let (_, rest) = rest.split_at_mut(start - before);
        let (own, rest) = rest.split_at_mut(end - start);
        (array, before) = (rest, end);
        (part, own)
    })
}
