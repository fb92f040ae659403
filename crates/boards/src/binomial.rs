//! Binomial coefficients from a table. Every ranking of sets is a sum of them.

/// Pascal's triangle up to 64. Beyond that, some entries exceed 64 bits.
static TRIANGLE: [[u64; 65]; 65] = triangle();

/// How many sets of `k` squares there are among `n`.
///
/// ```
/// assert_eq!(retrograde_boards::binomial(24, 9), 1_307_504);
/// assert_eq!(retrograde_boards::binomial(3, 5), 0);
/// ```
///
/// # Panics
///
/// If `n` or `k` is more than 64.
#[inline]
pub fn binomial(n: u32, k: u32) -> u64 {
    TRIANGLE[n as usize][k as usize]
}

const fn triangle() -> [[u64; 65]; 65] {
    let mut rows = [[0; 65]; 65];
    let mut n = 0;
    while n <= 64 {
        rows[n][0] = 1;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
}
