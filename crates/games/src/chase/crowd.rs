//! Numbers for crowds: the ways in which some alike police stand on some places, several on one if they
//! like.
//!
//! With the places in ascending order p1 <= p2 <= ... the number of a crowd is the sum of
//! C(p_i + i - 1, i): the combinatorial number system, after the usual step from multisets to sets
//! (Knuth, The Art of Computer Programming 4A, 7.2.1.3). One policeman's number is his place; crowds
//! that differ only in their lowest place are neighbours.

/// The crowds of `size` police on `places` places.
#[derive(Clone, Debug)]
pub(crate) struct Crowds {
    places: u32,
    size: u32,
    count: u64,
    /// C(p + i - 1, i) for each i from 3 and each place p; the first two are as fast from the formula.
    terms: Vec<Vec<u64>>,
}

impl Crowds {
    /// There must be few enough crowds to [`count`].
    pub(crate) fn new(places: u32, size: u32) -> Crowds {
        let count = count(places, size).expect("whoever asks for crowds has counted them");
        let mut terms: Vec<Vec<u64>> = Vec::new();
        for _ in 3..=size {
            // Pascal's rule: C(p + i - 1, i) adds up C(q + i - 2, i - 1) over all q up to p.
            let mut sum = 0;
            let row = (0..places).map(|p| {
                sum += terms.last().map_or(pair(u64::from(p)), |above| above[p as usize]);
                sum
            });
            let row = row.collect();
            terms.push(row);
        }
        Crowds { places, size, count, terms }
    }

    /// How many police there are.
    pub(crate) fn size(&self) -> u32 {
        self.size
    }

    /// How many crowds there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// What the `i`-th place of a crowd, from 1 at its lowest, adds to the crowd's number.
    pub(crate) fn term(&self, i: u32, place: u32) -> u64 {
        match i {
            1 => u64::from(place),
            2 => pair(u64::from(place)),
            _ => self.terms[i as usize - 3][place as usize],
        }
    }

    /// The number of a crowd, its places in ascending order.
    pub(crate) fn number(&self, places: &[u32]) -> u64 {
        (1..).zip(places).map(|(i, &place)| self.term(i, place)).sum()
    }

    /// Visits the places of a crowd, the highest first.
    pub(crate) fn members(&self, number: u64, mut visit: impl FnMut(u32)) {
        let mut rest = number;
        let mut bound = self.places as usize;
        for row in self.terms.iter().rev() {
            bound = row[..bound].partition_point(|&term| term <= rest);
            rest -= row[bound - 1];
            visit(bound as u32 - 1);
        }
        if self.size >= 2 {
            let high = unpair(rest);
            rest -= pair(high);
            visit(high as u32);
        }
        visit(rest as u32);
    }

    /// Whether a policeman of this crowd stands on `place`.
    pub(crate) fn stands_on(&self, number: u64, place: u32) -> bool {
        let mut found = false;
        self.members(number, |member| found |= member == place);
        found
    }
}

/// How many crowds of `size` police there are on `places` places, C(places + size - 1, size), where that
/// fits 64 bits.
pub(crate) fn count(places: u32, size: u32) -> Option<u64> {
    if places == 0 {
        return Some(u64::from(size == 0));
    }
    let chosen = size.min(places - 1);
    let from = u128::from(places) + u128::from(size) - 1;
    let mut count: u128 = 1;
    for i in 0..u128::from(chosen) {
        count = count * (from - i) / (i + 1);
        if count > u128::from(u64::MAX) {
            return None;
        }
    }
    Some(count as u64)
}

/// C(p + 1, 2), exact for every p below 2³².
fn pair(p: u64) -> u64 {
    p * (p + 1) / 2
}

/// The greatest p with `pair(p) <= number`, for every number that `pair` can reach.
fn unpair(number: u64) -> u64 {
    // The root is right to within a few units; then it is put right.
    let mut p = (((8.0 * number as f64 + 1.0).sqrt() - 1.0) / 2.0) as u64;
    while pair(p) > number {
        p -= 1;
    }
    while pair(p + 1) <= number {
        p += 1;
    }
    p
}
