//! Division by a number that stays the same, by a multiplication.
//!
//! Finding a state's place takes four divisions, which would be half the cost of looking a value up in memory. With
//! m = ⌈2⁶⁴ / d⌉, the quotient n / d is the upper half of n · m as long as n · d < 2⁶⁴ (Granlund and Montgomery
//! 1994): m exceeds 2⁶⁴ / d by less than 1, so n · m / 2⁶⁴ exceeds n / d by less than n / 2⁶⁴ < 1 / d.

/// A divisor for numbers below a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divisor {
    divisor: u64,
    /// ⌈2⁶⁴ / d⌉, or 0 where it will not do: for 1 and for large numbers, which are divided as usual.
    factor: u64,
}

impl Divisor {
    /// Divides numbers up to `most` by `divisor`, which must not be 0.
    pub(crate) fn new(divisor: u64, most: u64) -> Divisor {
        let exact = divisor > 1 && most.checked_mul(divisor).is_some();
        let factor = if exact { u64::MAX / divisor + 1 } else { 0 };
        Divisor { divisor, factor }
    }

    /// The quotient and the remainder.
    #[inline]
    pub(crate) fn divide(self, number: u64) -> (u64, u64) {
        let quotient = match self.factor {
            0 => number / self.divisor,
            factor => ((u128::from(number) * u128::from(factor)) >> 64) as u64,
        };
        (quotient, number - quotient * self.divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_testkit::Rng;

    #[test]
    fn quotients_and_remainders_are_exact() {
        let mut rng = Rng::new(1);
        for _ in 0..100_000 {
            let bits = rng.below(64);
            let divisor = (rng.bits() >> bits).max(1);
            let most = rng.bits() >> rng.below(64);
            let by = Divisor::new(divisor, most);
            // Where it could go wrong: at the bound, and around multiples.
            let multiple = (most / divisor).max(1) * divisor;
            for number in
                [0, 1, divisor - 1, divisor, most, multiple - 1, multiple, rng.below(most.max(1))]
            {
                if number <= most {
                    assert_eq!(by.divide(number), (number / divisor, number % divisor));
                }
            }
        }
    }
}
