//! Divides numbered tasks among the threads of the current pool of rayon.
//!
//! A task should run for microseconds. Then a dynamic call takes no noticeable time. Parallel iterators would compile a
//! thousand lines for each closure, and the engines have their own closures for each game.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// For how many numbers a thread, checks keep results at a time.
pub(crate) const AT_ONCE: u64 = 64;

/// Runs a task for each number below `count`.
pub(crate) fn each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(task);
}

/// The results of a task for each number below `count`, in order.
pub fn map<R: Send>(count: usize, task: impl Fn(usize) -> R + Sync) -> Vec<R> {
    map_of(&mut vec![(); count], |number, ()| task(number))
}

/// Runs a task on each item, with the item's number.
pub fn each_of<T: Send>(items: &mut [T], task: impl Fn(usize, &mut T) + Sync) {
    map_of(items, task);
}

/// The results of a task for each item, in order.
pub fn map_of<T: Send, R: Send>(
    items: &mut [T],
    task: impl Fn(usize, &mut T) -> R + Sync,
) -> Vec<R> {
    map_of_dyn(items, &task)
}

/// The same, compiled for the types alone.
#[inline(never)]
fn map_of_dyn<T: Send, R: Send>(
    items: &mut [T],
    task: &(dyn Fn(usize, &mut T) -> R + Sync),
) -> Vec<R> {
    // No thread ever waits for a lock, because each number goes to one thread.
    let slots: Vec<_> = items.iter_mut().map(|item| Mutex::new((item, None))).collect();
    each(slots.len(), &|number| {
        let mut slot = slots[number].lock().unwrap_or_else(PoisonError::into_inner);
        slot.1 = Some(task(number, slot.0));
    });
    let made = |slot: Mutex<(_, Option<R>)>| slot.into_inner().ok()?.1;
    slots.into_iter().filter_map(made).collect()
}

/// Runs a task for the numbers below `count`, and passes the results to `seen`, in order. Ends with the first error in
/// this order, with any number of threads. At any time, there are results for `at_once` numbers a thread.
///
/// ```
/// use retrograde::threads::try_map;
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
    let wave = at_once * rayon::current_num_threads() as u64;
    for first in (0..count).step_by(wave as usize) {
        let here = wave.min(count - first) as usize;
        for result in map(here, |number| task(first + number as u64)) {
            seen(result?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_handed_out_once_and_answered_in_order() {
        for count in [0, 1, 2, 63, 1000] {
            assert_eq!(
                map(count, |number| number * number),
                (0..count).map(|n| n * n).collect::<Vec<_>>()
            );
            let mut items: Vec<usize> = (0..count).collect();
            each_of(&mut items, |number, item| *item += number);
            assert_eq!(items, (0..count).map(|number| 2 * number).collect::<Vec<_>>());
        }
    }

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
