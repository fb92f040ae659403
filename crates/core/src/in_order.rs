//! Runs numbered tasks on the threads of the current pool, and passes their results on in order. Checks and writers need it,
//! and solves do not.

use crate::threads;

/// For how many numbers a thread, checks keep results at a time.
pub(crate) const AT_ONCE: u64 = 64;

/// Runs a task for the numbers below `count`, and passes the results to `seen`, in order. Ends with the first error in
/// this order, with any number of threads. At any time, there are results for `at_once` numbers a thread.
///
/// ```
/// use retrograde::internal::threads::try_map;
///
/// let mut sum = 0;
/// let half = |number: u64| if number < 10_000 { Ok(number / 2) } else { Err("too much") };
/// try_map(1_000, 64, half, |half| Ok(sum += half))?;
/// assert_eq!(sum, 249_500);
/// # Ok::<(), &str>(())
/// ```
pub fn try_map<R: Send, E: Send>(
    count: u64,
    at_once: u64,
    task: impl Fn(u64) -> Result<R, E> + Sync,
    mut seen: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    try_map_dyn(count, at_once, &task, &mut seen)
}

/// The same, compiled for the types alone.
#[inline(never)]
fn try_map_dyn<R: Send, E: Send>(
    count: u64,
    at_once: u64,
    task: &(dyn Fn(u64) -> Result<R, E> + Sync),
    seen: &mut dyn FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let wave = at_once * threads::count() as u64;
    for first in (0..count).step_by(wave as usize) {
        let here = wave.min(count - first) as usize;
        for result in threads::map(here, |number| task(first + number as u64)) {
            seen(result?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_the_one_told() {
        let mut seen = Vec::new();
        let task = |number: u64| if number % 700 == 699 { Err(number) } else { Ok(number) };
        let tried = try_map(10_000, 64, task, |number| {
            seen.push(number);
            Ok(())
        });
        assert_eq!(tried, Err(699));
        assert_eq!(seen, (0..699).collect::<Vec<_>>());
    }
}
