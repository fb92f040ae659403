//! Divides numbered tasks among the threads of the current pool of rayon, or runs them all on the calling thread.
//!
//! A task should run for microseconds. Then a dynamic call takes no noticeable time. Parallel iterators would compile a
//! thousand lines for each closure, and the engines have their own closures for each game. With rayon's `collect` in place of
//! the slots of `map_of`, the program is 260 KB larger.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

thread_local! {
    /// Whether the work of this thread stays on it.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Does some work on the calling thread alone. In it, all functions of this crate use no other thread: a solve, an audit
/// or a verification.
///
/// ```
/// # use retrograde::adapters::Explicit;
/// # use retrograde::{on_this_thread, solve, verify};
/// # let game = Explicit::from_edges(3, [(0, 1), (1, 2)]);
/// let solution = solve(&game);
/// on_this_thread(|| verify(&game, &solution))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_this_thread<R>(work: impl FnOnce() -> R) -> R {
    /// Takes back what was before, also if the work panics.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _before = Before(ALONE.replace(true));
    work()
}

/// How many threads share the tasks: those of the current pool, or one.
pub(crate) fn count() -> usize {
    if ALONE.get() { 1 } else { rayon::current_num_threads() }
}

/// Runs a task for each number below `count`.
pub(crate) fn each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    if self::count() == 1 {
        return (0..count).for_each(task);
    }
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
    slots.into_iter().map(result_of).collect()
}

/// The result of a task. Without one, the results of later tasks would take the places of others.
fn result_of<T, R>(slot: Mutex<(T, Option<R>)>) -> R {
    let (_, result) = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    result.expect("each task has run")
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

    /// A task without a result was left out, and all later results moved up by one.
    #[test]
    #[should_panic(expected = "each task has run")]
    fn no_result_is_left_out() {
        result_of(Mutex::new(((), None::<u32>)));
    }

    /// The work of one thread stays on it, and a panic does not change that for later work.
    #[test]
    fn work_stays_on_its_thread() {
        let here = std::thread::current().id();
        let threads = || map(100, |_| std::thread::current().id());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        for _ in 0..2 {
            assert!(on_this_thread(threads).into_iter().all(|thread| thread == here));
            assert!(pool.install(threads).into_iter().all(|thread| thread != here));
            let panicked = std::panic::catch_unwind(|| on_this_thread(|| panic!("as it should")));
            assert!(panicked.is_err() && !ALONE.get());
        }
        assert_eq!(on_this_thread(|| on_this_thread(count)), 1);
    }
}
