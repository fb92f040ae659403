//! Moves of whole sets of states. A word is a tile of eight by eight places of the inside player.
//!
//! When the outside player steps, the inside player stays. So the set keeps its bits and goes to another row of
//! states. When the inside player steps, the set shifts by one for a column and by eight for a row. A bit that
//! leaves the tile enters one of the eight tiles around it. A diagonal step is two steps: first along a row of the
//! board, then along a column.

use std::ops::Deref;

use retrograde::bit_parallel::{Key, Keys};

use super::tiles::Tiles;
use crate::board::Steps;

/// The columns of a tile at its left and right edge, and its rows at the top and the bottom.
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;
const TOP: u64 = 0xff;
const BOTTOM: u64 = TOP << 56;

/// The places of a tile from which a step may leave the tile: all places of an edge, or none if this is the edge
/// of the board.
#[derive(Clone, Copy, Debug)]
struct Edges {
    left: u64,
    right: u64,
    top: u64,
    bottom: u64,
}

/// The steps of the inside player.
#[derive(Clone, Debug)]
pub(super) struct Shifts {
    /// Whether one step may go along a row and along a column at once.
    diagonal: bool,
    /// How many tiles a row of tiles has.
    across: u64,
    /// The edges of each tile.
    edges: Vec<Edges>,
}

/// A set and all places at most one step away along a row, within the tile.
#[inline(always)]
fn along_row(set: u64) -> u64 {
    set | (set & !RIGHT) << 1 | (set & !LEFT) >> 1
}

/// A set and all places at most one step away along a column, within the tile.
#[inline(always)]
fn along_column(set: u64) -> u64 {
    set | set << 8 | set >> 8
}

/// The positions of the set bits of a word.
pub(super) fn ones(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = u64::from(set.trailing_zeros());
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}

impl Shifts {
    /// The steps for rows of `words` words. The words after the last tile are invalid.
    pub(super) fn new(tiles: &Tiles, steps: Steps, words: u32) -> Shifts {
        let (across, down) = (tiles.across(), tiles.down());
        let edges = (0..words).map(|tile| {
            let (row, column) = (tile / across, tile % across);
            let edge = |set, inner: bool| if inner && row < down { set } else { 0 };
            Edges {
                left: edge(LEFT, column > 0),
                right: edge(RIGHT, column + 1 < across),
                top: edge(TOP, row > 0),
                bottom: edge(BOTTOM, row + 1 < down),
            }
        });
        let diagonal = steps == Steps::King;
        Shifts { diagonal, across: u64::from(across), edges: edges.collect() }
    }

    /// Visits the places at most one step away from a set of places of one word, one word at a time.
    #[inline(always)]
    pub(super) fn spread(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        let edges = &self.edges[word as usize];
        let (row, column) = (along_row(set), along_column(set));
        let across = self.across;
        let (up, down) = (word.wrapping_sub(across), word.wrapping_add(across));
        let (west, east) = (word.wrapping_sub(1), word.wrapping_add(1));
        if self.diagonal {
            let (top, bottom) = (set & edges.top, set & edges.bottom);
            visit(word, along_column(row));
            let around = [
                (up, (row & edges.top) << 56),
                (west, (column & edges.left) << 7),
                (east, (column & edges.right) >> 7),
                (down, (row & edges.bottom) >> 56),
                (up.wrapping_sub(1), (top & edges.left) << 63),
                (up.wrapping_add(1), (top & edges.right) << 49),
                (down.wrapping_sub(1), (bottom & edges.left) >> 49),
                (down.wrapping_add(1), (bottom & edges.right) >> 63),
            ];
            for (word, places) in around {
                if places != 0 {
                    visit(word, places);
                }
            }
        } else {
            visit(word, row | column);
            let around = [
                (up, (set & edges.top) << 56),
                (west, (set & edges.left) << 7),
                (east, (set & edges.right) >> 7),
                (down, (set & edges.bottom) >> 56),
            ];
            for (word, places) in around {
                if places != 0 {
                    visit(word, places);
                }
            }
        }
    }

    /// Visits the words that have places at most one step away from the sets. If bit `i` of `words` is set,
    /// `sets[i]` holds places of word `first + i`. All these words belong to one row. Each visit gives a word and
    /// 64 bits: the lowest bit is for this word, and the others are for the words after it.
    #[inline(always)]
    pub(super) fn spread_words(
        &self,
        first: u64,
        words: u64,
        sets: &[u64; 64],
        mut visit: impl FnMut(u64, u64),
    ) {
        // The words with places at an edge that a step can cross.
        let (mut left, mut right, mut top, mut bottom) = (0, 0, 0, 0);
        for bit in ones(words) {
            let (set, edges) = (sets[bit as usize], &self.edges[first.wrapping_add(bit) as usize]);
            left |= u64::from(set & edges.left != 0) << bit;
            right |= u64::from(set & edges.right != 0) << bit;
            top |= u64::from(set & edges.top != 0) << bit;
            bottom |= u64::from(set & edges.bottom != 0) << bit;
        }
        // One row of tiles: the words themselves, and the words to their left and right.
        let mut visit_row = |first: u64, words: u64, left: u64, right: u64| {
            visit(first.wrapping_sub(1), words << 1 | left | right << 2);
            // The last two words, whose bits the shifts above have moved out of the 64 bits.
            visit(first.wrapping_add(63), words >> 63 | right >> 62);
        };
        let (up, down) = (first.wrapping_sub(self.across), first.wrapping_add(self.across));
        let corner = if self.diagonal { !0 } else { 0 };
        visit_row(first, words, left, right);
        if top != 0 {
            visit_row(up, top, top & left & corner, top & right & corner);
        }
        if bottom != 0 {
            visit_row(down, bottom, bottom & left & corner, bottom & right & corner);
        }
    }

    /// The places of one word from which staying or a step leads into a set. `target` gives the words of the set.
    /// `reach` also calls it for words beyond the ends of the row, where its answer does not matter.
    #[inline(always)]
    pub(super) fn reach(&self, word: u64, target: impl Fn(u64) -> u64) -> u64 {
        let edges = &self.edges[word as usize];
        let (above, below) = (word.wrapping_sub(self.across), word.wrapping_add(self.across));
        // The set in a row of three tiles, and the places at most one step along the row from it.
        let set =
            |word: u64| (target(word.wrapping_sub(1)), target(word), target(word.wrapping_add(1)));
        let row = |left: u64, here: u64, right: u64| {
            along_row(here) | left >> 7 & edges.left | right << 7 & edges.right
        };
        let (left, middle, right) = set(word);
        let here = row(left, middle, right);
        if self.diagonal {
            let (left, middle, right) = set(above);
            let top = row(left >> 56, middle >> 56, right >> 56);
            let (left, middle, right) = set(below);
            let bottom = row(left << 56, middle << 56, right << 56);
            along_column(here) | top & edges.top | bottom & edges.bottom
        } else {
            let (top, bottom) = (target(above) >> 56, target(below) << 56);
            here | along_column(target(word)) | top & edges.top | bottom & edges.bottom
        }
    }
    /// For each place of one word, the least key of the place and its neighbours. `least` calls `keys` for the
    /// same words as [`reach`](Shifts::reach) calls `target`.
    #[inline(always)]
    pub(super) fn least<K: Deref<Target = Keys>>(
        &self,
        word: u64,
        keys: impl Fn(u64) -> K,
    ) -> Keys {
        let edges = &self.edges[word as usize];
        let (above, below) = (word.wrapping_sub(self.across), word.wrapping_add(self.across));
        let (left, right) = (edges.left != 0, edges.right != 0);
        // One row of three tiles; places beyond the board are invalid.
        let row = |word: u64, at: usize| {
            let side = |there: bool, word: u64, column: usize| {
                if there { keys(word)[at * 8 + column] } else { Key::INVALID }
            };
            let here = keys(word).as_chunks::<8>().0[at];
            least_along_row(
                here,
                side(left, word.wrapping_sub(1), 7),
                side(right, word.wrapping_add(1), 0),
            )
        };
        // The neighbours one step up or down: in three columns if diagonal steps are allowed, otherwise in one.
        let beside = |word: u64, at: usize| {
            if self.diagonal { row(word, at) } else { keys(word).as_chunks::<8>().0[at] }
        };
        let mut here = [[Key::INVALID; 8]; 8];
        for (at, here) in here.iter_mut().enumerate() {
            *here = row(word, at);
        }
        let mut rows = [[Key::INVALID; 8]; 10];
        let tile = keys(word);
        rows[1..9].copy_from_slice(if self.diagonal { &here } else { tile.as_chunks().0 });
        if edges.top != 0 {
            rows[0] = beside(above, 7);
        }
        if edges.bottom != 0 {
            rows[9] = beside(below, 0);
        }
        let mut least = [Key::INVALID; 64];
        for (i, least) in least.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            *least = least_of(here[i], least_of(rows[i], rows[i + 2]));
        }
        least
    }
}

/// The lesser of two keys, for eight pairs. A loop, because the closures of `array::from_fn` may be compiled in another
/// unit, as calls.
#[inline(always)]
fn least_of(mut a: [Key; 8], b: [Key; 8]) -> [Key; 8] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = (*a).min(b);
    }
    a
}

/// For a row of eight keys, the least of each key and its two neighbours. `left` and `right` are the keys
/// beside the row.
#[inline(always)]
fn least_along_row(row: [Key; 8], left: Key, right: Key) -> [Key; 8] {
    let [a, b, c, d, e, f, g, h] = row;
    least_of(row, least_of([left, a, b, c, d, e, f, g], [b, c, d, e, f, g, h, right]))
}
