//! Numbers for crowds. A crowd is the multiset of the places of the police. No policeman differs from
//! another, and several may stand on one place.
//!
//! Let the places in ascending order be p1 <= p2 <= ... The number of the crowd is the sum of C(p_i + i - 1,
//! i). This is the combinatorial number system, after the usual step from multisets to sets (Knuth, The Art
//! of Computer Programming 4A, 7.2.1.3). The number of one policeman is his place. Crowds that differ only in
//! their lowest place are neighbours.

/// The crowds of `size` police on `places` places.
#[derive(Clone, Debug)]
pub(crate) struct Crowds {
    places: u32,
    size: u32,
    count: u64,
    /// C(p + i - 1, i) for each i from 3 and each place p. For 1 and 2 the formula is as fast.
    terms: Vec<Vec<u64>>,
}

impl Crowds {
    /// [`count`] of these arguments must be `Some`.
    pub(crate) fn new(places: u32, size: u32) -> Crowds {
        let count = count(places, size).expect("the caller has counted the crowds");
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

    /// What place `i` of a crowd adds to the number of the crowd. Place 1 is the lowest.
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

/// How many crowds of `size` police there are on `places` places: C(places + size - 1, size). `None` if that
/// exceeds 64 bits.
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
    // The square root may be off by a few units; the loops below correct it.
    let mut p = (((8.0 * number as f64 + 1.0).sqrt() - 1.0) / 2.0) as u64;
    while pair(p) > number {
        p -= 1;
    }
    while pair(p + 1) <= number {
        p += 1;
    }
    p
}

#[cfg(test)]
mod tests {
    use super::{Crowds, count};

    #[test]
    fn numbers_and_crowds_are_the_same_thing() {
        for (places, size) in
            [(1, 1), (9, 1), (1, 2), (30, 2), (12, 3), (9, 4), (6, 6), (4, 9), (2, 255), (1, 255)]
        {
            let crowds = Crowds::new(places, size);
            let mut last: Option<Vec<u32>> = None;
            for number in 0..crowds.count() {
                let mut members = Vec::new();
                crowds.members(number, |place| members.push(place));
                // With the highest place first, the crowds come in lexical order. So no two are the same.
                assert!(members.is_sorted_by(|a, b| a >= b) && members[0] < places);
                assert!(last.is_none_or(|last| last < members), "{size} on {places}: {number}");
                for place in 0..places {
                    assert_eq!(crowds.stands_on(number, place), members.contains(&place));
                }
                members.reverse();
                assert_eq!(crowds.number(&members), number, "{size} on {places}: {members:?}");
                members.reverse();
                last = Some(members);
            }
            assert_eq!(last, (crowds.count() > 0).then(|| vec![places - 1; size as usize]));
        }
    }

    #[test]
    fn the_largest_numbers_are_right() {
        let crowds = Crowds::new(u32::MAX, 2);
        let last = crowds.count() - 1;
        for (number, expected) in
            [(last, [u32::MAX - 1; 2]), (last - 1, [u32::MAX - 1, u32::MAX - 2])]
        {
            let mut members = Vec::new();
            crowds.members(number, |place| members.push(place));
            assert_eq!(members, expected);
        }
        // The root of 8n + 1 is computed in floating point: test both sides of many steps.
        for p in (1..u64::from(u32::MAX))
            .step_by(1 << 20)
            .chain(u64::from(u32::MAX) - 99..u64::from(u32::MAX))
        {
            assert_eq!(super::unpair(super::pair(p)), p);
            assert_eq!(super::unpair(super::pair(p) - 1), p - 1);
        }
    }

    #[test]
    fn crowds_are_counted_while_they_fit() {
        assert_eq!(count(0, 3), Some(0));
        assert_eq!(count(u32::MAX, 1), Some(u64::from(u32::MAX)));
        assert_eq!(count(67, 34), None);
        assert_eq!(count(34, 34), Some(14_226_520_737_620_288_370));
        assert_eq!(count(u32::MAX, 255), None);
    }
}
