//! Random numbers, the same on every machine and in every version.

/// The generator of Steele, Lea and Flood ("Fast splittable pseudorandom number generators", OOPSLA 2014). It
/// is short, and every seed is good.
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0. The probabilities of numbers differ by less than one in 2³².
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    /// The first numbers from the seed 1234567, as Rosetta Code's "Pseudo-random numbers/Splitmix64"
    /// lists them.
    #[test]
    fn splitmix64_gives_the_published_numbers() {
        let mut numbers = SplitMix64(1_234_567);
        assert_eq!(numbers.next(), 6_457_827_717_110_365_317);
        assert_eq!(numbers.next(), 3_203_168_211_198_807_973);
        assert_eq!(numbers.next(), 9_817_491_932_198_370_423);
        assert_eq!(numbers.next(), 4_593_380_528_125_082_431);
        assert_eq!(numbers.next(), 16_408_922_859_458_223_821);
    }
}
