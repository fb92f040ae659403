//! Lists of states, one for each state, behind one array of offsets (compressed sparse rows).
//!
//! They are made by sorting edges into buckets of neighbouring states first: a bucket fits a cache
//! and belongs to one thread, so counting and filling need neither atomics nor luck.

use std::ops::Range;

use rayon::prelude::*;

/// A list of states for each state.
#[derive(Clone, Debug)]
pub(crate) struct Csr {
    /// Where each list begins; one more than there are lists.
    offsets: Vec<u64>,
    ids: Ids,
}

/// Ids take four bytes while they fit.
#[derive(Clone, Debug)]
enum Ids {
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

/// Edges to be sorted, in chunks that threads can walk side by side.
pub(crate) trait Source: Sync {
    /// How many chunks there are.
    fn chunks(&self) -> usize;
    /// How many edges there are.
    fn edges(&self) -> u64;
    /// Visits each edge of a chunk as the state whose list it joins, and the id that joins it.
    fn walk(&self, chunk: usize, visit: impl FnMut(u64, u64));
}

impl Csr {
    /// The lists of `states` states. Ids keep the order of chunks, and inside each that of the walk.
    pub(crate) fn new(states: u64, source: &impl Source) -> Csr {
        if states <= 1 << 32 {
            let (offsets, ids) = sort::<u32>(states, source);
            Csr { offsets, ids: Ids::Four(ids) }
        } else {
            let (offsets, ids) = sort::<u64>(states, source);
            Csr { offsets, ids: Ids::Eight(ids) }
        }
    }

    /// How many ids a list has.
    pub(crate) fn len(&self, state: u64) -> u64 {
        let range = self.range(state);
        (range.end - range.start) as u64
    }

    #[inline(always)]
    pub(crate) fn for_each(&self, state: u64, mut visit: impl FnMut(u64)) {
        match &self.ids {
            Ids::Four(ids) => ids[self.range(state)].iter().for_each(|&id| visit(u64::from(id))),
            Ids::Eight(ids) => ids[self.range(state)].iter().for_each(|&id| visit(id)),
        }
    }

    #[inline(always)]
    fn range(&self, state: u64) -> Range<usize> {
        self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize
    }
}

/// An id as it is stored.
trait Id: Copy + Default + Send + Sync {
    fn new(id: u64) -> Self;
}

impl Id for u32 {
    fn new(id: u64) -> u32 {
        id as u32
    }
}

impl Id for u64 {
    fn new(id: u64) -> u64 {
        id
    }
}

/// How many states share a bucket: their offsets fill a quarter of a second-level cache.
const BUCKET_SHIFT: u32 = 15;
/// How many edges are in buckets at a time: more than that are sorted in several rounds.
const ROUND_EDGES: u64 = 1 << 27;

/// Edges of one bucket: the state inside the bucket, and the id.
type Bucket<T> = Vec<(u16, T)>;

fn sort<T: Id>(states: u64, source: &impl Source) -> (Vec<u64>, Vec<T>) {
    let edges = source.edges();
    let mut offsets = vec![0; states as usize + 1];
    let mut ids = vec![T::default(); edges as usize];
    let buckets = (states >> BUCKET_SHIFT) + 1;
    let round_buckets = buckets.div_ceil(edges.div_ceil(ROUND_EDGES).max(1)).max(1);
    let (mut begun, mut ids_rest) = (0u64, &mut ids[..]);
    let mut offsets_rest = &mut offsets[1..];
    for first in (0..buckets).step_by(round_buckets as usize) {
        let last = buckets.min(first + round_buckets);
        let chunks: Vec<Vec<Bucket<T>>> = (0..source.chunks())
            .into_par_iter()
            .map(|chunk| {
                let mut filled = vec![Bucket::new(); (last - first) as usize];
                source.walk(chunk, |state, id| {
                    assert!(
                        state < states,
                        "a move leads to {state}, which is no state of the game"
                    );
                    let bucket = state >> BUCKET_SHIFT;
                    if (first..last).contains(&bucket) {
                        let inside = (state & ((1 << BUCKET_SHIFT) - 1)) as u16;
                        filled[(bucket - first) as usize].push((inside, T::new(id)));
                    }
                });
                filled
            })
            .collect();
        let mut places = Vec::new();
        for bucket in 0..(last - first) as usize {
            let count: usize = chunks.iter().map(|filled| filled[bucket].len()).sum();
            let (ids, rest) = ids_rest.split_at_mut(count);
            ids_rest = rest;
            let len = offsets_rest.len().min(1 << BUCKET_SHIFT);
            let (offsets, rest) = offsets_rest.split_at_mut(len);
            offsets_rest = rest;
            places.push((offsets, ids, begun));
            begun += count as u64;
        }
        places.into_par_iter().enumerate().for_each(|(bucket, (offsets, ids, begun))| {
            let edges = || chunks.iter().flat_map(|filled| &filled[bucket]);
            for &(inside, _) in edges() {
                offsets[inside as usize] += 1;
            }
            // From how many there are to where each list begins, and by filling to where it ends.
            let mut end = 0;
            for offset in &mut *offsets {
                end += std::mem::replace(offset, end);
            }
            for &(inside, id) in edges() {
                let at = &mut offsets[inside as usize];
                ids[*at as usize] = id;
                *at += 1;
            }
            offsets.iter_mut().for_each(|offset| *offset += begun);
        });
    }
    assert_eq!(begun, edges, "degree() and successors() disagree about the number of moves");
    (offsets, ids)
}
