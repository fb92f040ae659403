//! Division by a fixed number, as a multiplication.
//!
//! It takes four divisions to find the place of a state. They would take half the time of a lookup in memory.
//! With m = ⌈2⁶⁴ / d⌉, the quotient n / d is the upper half of n · m as long as n · d < 2⁶⁴ (Granlund and
//! Montgomery 1994). Reason: m exceeds 2⁶⁴ / d by less than 1. So n · m / 2⁶⁴ exceeds n / d by less than n /
//! 2⁶⁴ < 1 / d.

/// A divisor for numbers up to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divisor {
    divisor: u64,
    /// ⌈2⁶⁴ / d⌉, or 0 if a multiplication is not exact: for d = 1, and if n · d can reach 2⁶⁴.
    factor: u64,
}

impl Divisor {
    /// Divides numbers up to `most` by `divisor`.
    ///
    /// # Panics
    ///
    /// If `divisor` is 0.
    pub(crate) const fn new(divisor: u64, most: u64) -> Divisor {
        assert!(divisor > 0, "division by 0");
        let exact = divisor > 1 && most.checked_mul(divisor).is_some();
        let factor = if exact { u64::MAX / divisor + 1 } else { 0 };
        Divisor { divisor, factor }
    }

    /// The quotient and the remainder. Above the bound, the quotient may be one too large, and then the
    /// remainder is wrong.
    #[inline(always)]
    pub(crate) const fn divide(self, number: u64) -> (u64, u64) {
        let quotient = match self.factor {
            // The alternative, a division instruction, costs a dozen cycles or more.
            0 if self.divisor == 1 => number,
            0 => number / self.divisor,
            factor => ((number as u128 * factor as u128) >> 64) as u64,
        };
        (quotient, number.wrapping_sub(quotient.wrapping_mul(self.divisor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_testkit::Rng;

    /// The cluster had its own divisor, which did not check its bound. It divided 1,865,059,441,471 by a
    /// block length of 13,870,016 and got 134,467.
    #[test]
    fn large_numbers_are_divided_exactly() {
        let (number, divisor) = (1_865_059_441_471, 13_870_016);
        assert_eq!(Divisor::new(divisor, number).divide(number), (134_466, divisor - 1));
    }

    #[test]
    fn quotients_and_remainders_are_exact() {
        let mut rng = Rng::new(1);
        for _ in 0..100_000 {
            let bits = rng.below(64);
            let divisor = (rng.bits() >> bits).max(1);
            let most = rng.bits() >> rng.below(64);
            let by = Divisor::new(divisor, most);
            // The risky numbers: at the bound, and around multiples.
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
