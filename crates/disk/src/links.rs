//! Which parts send updates to which. Such parts are neighbours, and their completed levels differ by at most
//! one.
//!
//! Games do not declare neighbours. The solver asks for the predecessors of a sample of states, which finds
//! nearly all. When a part sends an update to an unknown neighbour, the solver notices it, and the pass
//! starts again.

use retrograde::parts::{Parted, Partition};

/// For each part its neighbours: the parts it sends to, and the parts that send to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Links {
    of: Vec<Vec<u32>>,
}

impl Links {
    /// `parts` parts without links.
    pub(crate) fn none(parts: usize) -> Links {
        Links { of: vec![Vec::new(); parts] }
    }

    /// The links in a sample of the states of each part; `None` if there are more than `links_max`.
    pub(crate) fn sampled(
        game: &dyn Parted,
        partition: &Partition,
        states_of_part: u64,
        links_max: usize,
    ) -> Option<Links> {
        // Coprime to the lengths of parts, and far from the lengths of rows.
        const STRIDE: u64 = 0x9E37_79B9;
        let mut links = Links::none(partition.parts());
        let mut count = 0;
        for part in 0..partition.parts() {
            if count > links_max {
                return None;
            }
            let states = partition.states(part);
            let len = states.end - states.start;
            for sample in 0..len.min(states_of_part) {
                let at = if len <= states_of_part { sample } else { sample * STRIDE % len };
                game.backward_moves(states.start + at, &mut |from| {
                    let to = partition.part_of(from);
                    if !links.has(part, to) {
                        links.join(part, to);
                        count += 2;
                    }
                });
            }
        }
        Some(links)
    }

    /// The links between parts that are `by` times as large.
    pub(crate) fn merged(&self, by: usize) -> Links {
        let mut links = Links::none(self.of.len().div_ceil(by));
        for (part, neighbours) in self.of.iter().enumerate() {
            for &to in neighbours {
                links.join(part / by, to as usize / by);
            }
        }
        links
    }

    /// Makes two parts neighbours.
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        for (of, to) in [(a, b), (b, a)] {
            let neighbours = &mut self.of[of];
            if let Err(at) = neighbours.binary_search(&(to as u32)) {
                neighbours.insert(at, to as u32);
            }
        }
    }

    /// Whether two parts are neighbours, or the same part.
    pub(crate) fn has(&self, a: usize, b: usize) -> bool {
        a == b || self.of[a].binary_search(&(b as u32)).is_ok()
    }

    /// The neighbours of a part.
    pub(crate) fn of(&self, part: usize) -> &[u32] {
        &self.of[part]
    }

    /// The parts in an order in which neighbours are near each other: by their distance from a part at the
    /// rim, then by number. Then a pass takes as many levels as the game allows. (After Cuthill and McKee,
    /// Reducing the bandwidth of sparse symmetric matrices, 1969.)
    pub(crate) fn by_layers(&self) -> Ranked {
        let mut part_of: Vec<u32> = Vec::with_capacity(self.parts());
        let mut seen = vec![false; self.parts()];
        for first in 0..self.parts() {
            if !seen[first] {
                let layers = self.layers(first, &mut seen.clone());
                let rim =
                    layers.last().and_then(|layer| layer.last()).map_or(first, |&rim| rim as usize);
                part_of.extend(self.layers(rim, &mut seen).into_iter().flatten());
            }
        }
        self.ranked_as(part_of)
    }

    /// A number of steps in which each part is reached from all parts that links connect to it: at most twice the diameter.
    pub(crate) fn diameter_max(&self) -> u32 {
        let mut seen = vec![false; self.parts()];
        let mut most = 0;
        for first in 0..self.parts() {
            if !seen[first] {
                most = most.max(self.layers(first, &mut seen).len() - 1);
            }
        }
        2 * most as u32
    }

    /// The parts in the order of their numbers.
    pub(crate) fn as_numbered(&self) -> Ranked {
        self.ranked_as((0..self.parts() as u32).collect())
    }

    fn ranked_as(&self, part_of: Vec<u32>) -> Ranked {
        let mut rank_of = vec![0; self.parts()];
        for (rank, &part) in (0..).zip(&part_of) {
            rank_of[part as usize] = rank;
        }
        let neighbours = |&part: &u32| {
            let mut ranks: Vec<u32> =
                self.of[part as usize].iter().map(|&to| rank_of[to as usize]).collect();
            ranks.sort_unstable();
            ranks
        };
        let links = Links { of: part_of.iter().map(neighbours).collect() };
        Ranked { links, part_of, rank_of }
    }

    /// All parts that links connect to one part, by their distance from it.
    fn layers(&self, from: usize, seen: &mut [bool]) -> Vec<Vec<u32>> {
        let mut layers = vec![vec![from as u32]];
        seen[from] = true;
        loop {
            let mut next = Vec::new();
            for &part in layers.last().into_iter().flatten() {
                let new = |&&to: &&u32| !std::mem::replace(&mut seen[to as usize], true);
                next.extend(self.of[part as usize].iter().filter(new));
            }
            if next.is_empty() {
                return layers;
            }
            next.sort_unstable();
            layers.push(next);
        }
    }

    /// How many parts there are.
    pub(crate) fn parts(&self) -> usize {
        self.of.len()
    }

    /// All of them, for the manifest.
    pub(crate) fn lists(&self) -> &[Vec<u32>] {
        &self.of
    }

    /// The links in a manifest; `None` if they make no sense.
    pub(crate) fn from_lists(lists: &[Vec<u32>]) -> Option<Links> {
        let mut links = Links::none(lists.len());
        for (part, &to) in
            lists.iter().enumerate().flat_map(|(part, all)| all.iter().map(move |to| (part, to)))
        {
            if to as usize >= lists.len() {
                return None;
            }
            links.join(part, to as usize);
        }
        Some(links)
    }
}

/// Links between the ranks of parts in an order.
pub(crate) struct Ranked {
    pub(crate) links: Links,
    pub(crate) part_of: Vec<u32>,
    pub(crate) rank_of: Vec<u32>,
}
