//! A cache of parts, shared by threads. It never has more parts than its limit, even while threads use them.
//!
//! A part that a thread uses keeps its place. If no thread uses a part, another part may take its memory. If
//! there is no such part, the caller waits. A thread reads and unpacks a part outside the lock, while other
//! threads use the cache.

use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Parts by number, a few at a time.
pub(crate) struct AtHand<P> {
    max: usize,
    /// The most recently used parts come last.
    places: Mutex<VecDeque<Place<P>>>,
    /// Signals that a part was read, or could not be read, or that a thread has released one.
    changed: Condvar,
}

struct Place<P> {
    number: usize,
    /// `None` while a thread reads it.
    part: Option<Arc<P>>,
}

/// A part that keeps its place while this exists. A thread that waits for another part must release this one.
pub(crate) struct Held<'a, P> {
    // Dropped before other threads are woken.
    part: Arc<P>,
    _woken: Woken<'a, P>,
}

struct Woken<'a, P>(&'a AtHand<P>);

/// A place for a part that a thread reads. If the read fails, the place is free again.
struct Reading<'a, P> {
    at_hand: &'a AtHand<P>,
    number: usize,
}

impl<P> AtHand<P> {
    /// Space for `max` parts, at least one.
    pub(crate) fn new(max: usize) -> AtHand<P> {
        AtHand { max: max.max(1), places: Mutex::default(), changed: Condvar::new() }
    }

    /// A part. Reads it if it is not in the cache, in the memory of another one if possible.
    pub(crate) fn get<E>(
        &self,
        number: usize,
        read: impl FnOnce(Option<P>) -> Result<P, E>,
    ) -> Result<Held<'_, P>, E> {
        let mut places = self.lock();
        let memory = loop {
            if let Some(at) = places.iter().position(|place| place.number == number) {
                if let Some(part) = places[at].part.clone() {
                    let place = places.remove(at);
                    places.extend(place);
                    return Ok(Held { part, _woken: Woken(self) });
                }
            } else if places.len() < self.max {
                break None;
            } else if let Some(at) = places.iter().position(Place::is_free) {
                break places.remove(at).and_then(|place| Arc::into_inner(place.part?));
            }
            places = self.changed.wait(places).unwrap_or_else(PoisonError::into_inner);
        };
        places.push_back(Place { number, part: None });
        drop(places);
        let reading = Reading { at_hand: self, number };
        let part = Arc::new(read(memory)?);
        let mut places = self.lock();
        let place = places.iter_mut().find(|place| place.number == number);
        place.into_iter().for_each(|place| place.part = Some(Arc::clone(&part)));
        drop(places);
        drop(reading);
        Ok(Held { part, _woken: Woken(self) })
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Place<P>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P> Place<P> {
    /// Whether no thread uses the part. Under the lock, no other thread can begin to.
    fn is_free(&self) -> bool {
        self.part.as_ref().is_some_and(|part| Arc::strong_count(part) == 1)
    }
}

impl<P> Deref for Held<'_, P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.part
    }
}

impl<P> Drop for Woken<'_, P> {
    fn drop(&mut self) {
        // Under the lock, or a thread that has just checked would miss the signal.
        let _places = self.0.lock();
        self.0.changed.notify_all();
    }
}

impl<P> Drop for Reading<'_, P> {
    fn drop(&mut self) {
        let unread = |place: &Place<P>| place.number == self.number && place.part.is_none();
        let mut places = self.at_hand.lock();
        places.retain(|place| !unread(place));
        self.at_hand.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use retrograde_testkit::Rng;

    use super::*;

    static LIVE: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);

    /// Counts how many of its kind exist.
    struct Counted(usize);

    impl Counted {
        fn new(number: usize) -> Counted {
            MOST.fetch_max(LIVE.fetch_add(1, SeqCst) + 1, SeqCst);
            Counted(number)
        }
    }

    impl Drop for Counted {
        fn drop(&mut self) {
            LIVE.fetch_sub(1, SeqCst);
        }
    }

    /// A part that was dropped from the cache while a thread still used it used to count as free memory. With
    /// more threads than places, memory exceeded the limit.
    #[test]
    fn there_are_never_more_parts_than_places_even_while_threads_hold_them() {
        const MAX: usize = 3;
        let at_hand = AtHand::new(MAX);
        let read = |number: usize, fails: bool| {
            at_hand.get(number, |memory: Option<Counted>| match (fails, memory) {
                (true, _) => Err("it cannot be read"),
                (false, Some(mut part)) => {
                    part.0 = number;
                    Ok(part)
                }
                (false, None) => Ok(Counted::new(number)),
            })
        };
        thread::scope(|scope| {
            for seed in 0..8 {
                scope.spawn(move || {
                    let mut rng = Rng::new(seed);
                    for _ in 0..2_000 {
                        let number = rng.below(7) as usize;
                        if let Ok(resident) = read(number, rng.chance(10)) {
                            thread::yield_now();
                            assert_eq!(resident.0, number, "another part");
                        }
                    }
                });
            }
        });
        assert!((1..=MAX).contains(&MOST.load(SeqCst)), "{MOST:?}");
    }

    /// The lock used to cover the read: while one thread read a part, no other could even look at one in
    /// memory.
    #[test]
    fn while_one_part_is_read_others_are_found_and_read() {
        const LONG: Duration = Duration::from_secs(60);
        let at_hand = AtHand::new(3);
        let plain = |number: usize| move |_| Ok::<_, Infallible>(number);
        drop(at_hand.get(0, plain(0)));
        let (begun, has_begun) = mpsc::channel();
        let (go_on, may_go_on) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let slow = scope.spawn(|| {
                let resident = at_hand.get(1, move |_| {
                    begun.send(()).unwrap();
                    may_go_on.recv_timeout(LONG).map(|()| 1)
                });
                resident.map(|resident| *resident)
            });
            has_begun.recv_timeout(LONG).expect("it begins");
            for number in [0, 2] {
                let found = at_hand.get(number, plain(number));
                assert!(found.is_ok_and(|found| *found == number));
            }
            go_on.send(()).unwrap();
            assert_eq!(slow.join().unwrap(), Ok(1), "no thread has let it go on");
        });
    }
}
