//! Lists of states, one for each state, in one array with offsets (compressed sparse rows).
//!
//! First, the edges go into buckets of neighbouring states. A bucket fits a cache, and only one thread uses
//! it. So no step needs atomics.

use std::ops::{ControlFlow, Range};

use crate::threads;

/// A list of states for each state.
#[derive(Clone, Debug)]
pub(crate) struct Csr {
    /// Where each list begins, and the end of the last list.
    offsets: Vec<u64>,
    ids: Ids,
}

/// Ids take four bytes if they fit.
#[derive(Clone, Debug)]
enum Ids {
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

/// Visits each edge of a range of items, as the state that owns the list and the id to add. Dynamic, because a call
/// takes less time than the edge takes to be sorted, and all games share one compiled sort.
pub(crate) type Walk<'a> = &'a (dyn Fn(Range<u64>, &mut dyn FnMut(u64, u64)) + Sync);

impl Csr {
    /// The lists of `states` states, with as many edges as `walk` visits for all items. Ids keep the order of items, and
    /// the order of the walk of an item.
    pub(crate) fn new(states: u64, edges: u64, items: u64, walk: Walk<'_>) -> Csr {
        if states <= 1 << 32 {
            let (offsets, ids) = sort::<u32>(states, edges, items, walk);
            Csr { offsets, ids: Ids::Four(ids) }
        } else {
            let (offsets, ids) = sort::<u64>(states, edges, items, walk);
            Csr { offsets, ids: Ids::Eight(ids) }
        }
    }

    /// How many bytes the lists take.
    pub(crate) fn bytes(&self) -> u64 {
        let ids = match &self.ids {
            Ids::Four(ids) => ids.len() as u64,
            Ids::Eight(ids) => ids.len() as u64,
        };
        bytes(self.offsets.len() as u64 - 1, ids).1
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

    /// The same until `visit` breaks.
    #[inline(always)]
    pub(crate) fn try_for_each(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &self.ids {
            Ids::Four(ids) => ids[self.range(state)].iter().try_for_each(|&id| visit(id.into())),
            Ids::Eight(ids) => ids[self.range(state)].iter().try_for_each(|&id| visit(id)),
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

/// The sum over chunks of items, on several threads.
pub(crate) fn sum(items: u64, of_chunk: impl Fn(Range<u64>) -> u64 + Sync) -> u64 {
    threads::map(items.div_ceil(CHUNK) as usize, |chunk| of_chunk(items_of(chunk, items)))
        .iter()
        .sum()
}

/// How many items a chunk has, which a thread takes at a time.
const CHUNK: u64 = 1 << 18;

fn items_of(chunk: usize, items: u64) -> Range<u64> {
    let first = chunk as u64 * CHUNK;
    first..items.min(first + CHUNK)
}

/// How many states share a bucket. Their offsets fill a quarter of a second-level cache.
const BUCKET_SHIFT: u32 = 15;
/// The most edges in buckets at a time. The other edges wait for another round, which visits all edges again.
/// With two rounds, this takes a third less memory, and visits all edges once more.
const ROUND_EDGES: u64 = 1 << 27;
/// Up to this number of edges, one round is enough.
const FEW_EDGES: u64 = 1 << 20;

/// How many edges are in buckets at a time.
fn round_edges(edges: u64) -> u64 {
    if edges <= FEW_EDGES { FEW_EDGES } else { edges.div_ceil(2).min(ROUND_EDGES) }
}

/// How many bytes it takes to build the lists, and how many bytes the lists take. Buckets grow by doubling,
/// so they count twice.
pub(crate) fn bytes(states: u64, edges: u64) -> (u64, u64) {
    let id = if states <= 1 << 32 { size_of::<u32>() } else { size_of::<u64>() } as u64;
    let kept = states.saturating_add(1).saturating_mul(8).saturating_add(edges.saturating_mul(id));
    (kept.saturating_add(edges.min(round_edges(edges)).saturating_mul(2 * (2 + id))), kept)
}

/// Edges of one bucket.
#[derive(Clone, Default)]
struct Bucket<T> {
    /// The states inside the bucket.
    states: Vec<u16>,
    /// For each state, the id to add to its list.
    ids: Vec<T>,
}

impl<T: Id> Bucket<T> {
    fn push(&mut self, state: u16, id: T) {
        self.states.push(state);
        self.ids.push(id);
    }

    fn edges(&self) -> impl Iterator<Item = (u16, T)> {
        self.states.iter().copied().zip(self.ids.iter().copied())
    }
}

fn sort<T: Id>(states: u64, edges: u64, items: u64, walk: Walk<'_>) -> (Vec<u64>, Vec<T>) {
    let mut offsets = vec![0; states as usize + 1];
    let mut ids = vec![T::default(); edges as usize];
    let buckets = (states >> BUCKET_SHIFT) + 1;
    let round_buckets = buckets.div_ceil(edges.div_ceil(round_edges(edges)).max(1)).max(1);
    let (mut begun, mut ids_rest) = (0u64, &mut ids[..]);
    let mut offsets_rest = &mut offsets[1..];
    for first in (0..buckets).step_by(round_buckets as usize) {
        let last = buckets.min(first + round_buckets);
        let chunks = threads::map(items.div_ceil(CHUNK) as usize, |chunk| {
            let mut filled = vec![Bucket::<T>::default(); (last - first) as usize];
            walk(items_of(chunk, items), &mut |state, id| {
                assert!(
                    state < states,
                    "the move from {id} leads to {state}, which is not a state of the game: audit it forwards"
                );
                let bucket = state >> BUCKET_SHIFT;
                if (first..last).contains(&bucket) {
                    let inside = (state & ((1 << BUCKET_SHIFT) - 1)) as u16;
                    filled[(bucket - first) as usize].push(inside, T::new(id));
                }
            });
            filled
        });
        let mut places = Vec::new();
        for bucket in 0..(last - first) as usize {
            let count: usize = chunks.iter().map(|filled| filled[bucket].ids.len()).sum();
            let (ids, rest) = ids_rest.split_at_mut(count);
            ids_rest = rest;
            let len = offsets_rest.len().min(1 << BUCKET_SHIFT);
            let (offsets, rest) = offsets_rest.split_at_mut(len);
            offsets_rest = rest;
            places.push((offsets, ids, begun));
            begun += count as u64;
        }
        threads::each_of(&mut places, |bucket, (offsets, ids, begun)| {
            let edges = || chunks.iter().flat_map(|filled| filled[bucket].edges());
            for (inside, _) in edges() {
                offsets[inside as usize] += 1;
            }
            // Turns counts into the start of each list. The next loop moves each start to the end of its
            // list.
            let mut end = 0;
            for offset in offsets.iter_mut() {
                end += std::mem::replace(offset, end);
            }
            for (inside, id) in edges() {
                let at = &mut offsets[inside as usize];
                ids[*at as usize] = id;
                *at += 1;
            }
            offsets.iter_mut().for_each(|offset| *offset += *begun);
        });
    }
    assert_eq!(begun, edges, "degree() and successors() disagree about the number of moves");
    (offsets, ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_the_order_of_edges_in_one_round_and_in_two() {
        for edges in [0, 5, FEW_EDGES, FEW_EDGES + 1, 2 * FEW_EDGES + 7] {
            let states = 100_003;
            // Neighbouring edges lead to different buckets.
            let owner = |edge: u64| edge.wrapping_mul(0x9e37_79b9_7f4a_7c15) % states;
            let mut right = vec![Vec::new(); states as usize];
            (0..edges).for_each(|edge| right[owner(edge) as usize].push(edge));
            let lists = Csr::new(states, edges, edges, &|items, visit| {
                items.for_each(|edge| visit(owner(edge), edge));
            });
            for (state, right) in (0..).zip(right) {
                let mut found = Vec::new();
                lists.for_each(state, |id| found.push(id));
                assert_eq!(found, right, "{edges} edges, state {state}");
                assert_eq!(lists.len(state), right.len() as u64);
            }
            let (peak, kept) = bytes(states, edges);
            assert_eq!(lists.bytes(), kept);
            assert!(peak >= kept + 6 * round_edges(edges).min(edges));
        }
    }
}
