//! The places that a player can reach with one move: his place, because he may stay, and its neighbours. Each
//! place has a row of these, in ascending order. All rows are in one array (CSR).

/// The closed neighbourhoods of an undirected graph.
#[derive(Clone, Debug)]
pub(crate) struct Adjacency {
    /// Where the row of each place starts, and where the last one ends.
    starts: Vec<usize>,
    places: Vec<u32>,
}

impl Adjacency {
    /// Takes rows that are ascending and hold their own place.
    pub(crate) fn from_rows(places: u32, row: impl Fn(u32, &mut Vec<u32>)) -> Adjacency {
        let mut adjacency =
            Adjacency { starts: Vec::with_capacity(places as usize + 1), places: Vec::new() };
        adjacency.starts.push(0);
        for place in 0..places {
            row(place, &mut adjacency.places);
            adjacency.starts.push(adjacency.places.len());
        }
        adjacency.places.shrink_to_fit();
        adjacency
    }

    /// Takes edges in any order. Loops and repeated edges add nothing.
    pub(crate) fn from_edges(places: u32, edges: &[(u32, u32)]) -> Adjacency {
        let mut pairs = Vec::with_capacity(places as usize + 2 * edges.len());
        pairs.extend((0..places).map(|place| (place, place)));
        pairs.extend(edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]));
        pairs.sort_unstable();
        pairs.dedup();
        let starts =
            (0..=places).map(|place| pairs.partition_point(|&(from, _)| from < place)).collect();
        Adjacency { starts, places: pairs.into_iter().map(|(_, to)| to).collect() }
    }

    /// The places that a move from `place` reaches, in ascending order, including `place`.
    pub(crate) fn around(&self, place: u32) -> &[u32] {
        let place = place as usize;
        &self.places[self.starts[place]..self.starts[place + 1]]
    }

    /// The longest row.
    pub(crate) fn degree_max(&self) -> u32 {
        self.starts.windows(2).map(|ends| (ends[1] - ends[0]) as u32).max().unwrap_or(0)
    }
}
