//! What the words engine leaves: two bits a state, and its distance in planes.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::level::{Arrays, Known};
use super::planes::{Planes, shorts};
use crate::memory::pages::Pages;
use crate::rules::{Outcome, Short, Value};
use crate::solve::solution::{Counts, Kept, keep_longest};

/// The values of all states.
pub(crate) struct Sets {
    states: u64,
    /// Open is drawn; also in the second set is void.
    known: Pages<Known>,
    /// Final draws, where there are any.
    drawn: Vec<u64>,
    distances: Option<Distances>,
}

/// The distances: as the solve has left them until somebody asks for more than a few, planes from then on.
struct Distances {
    left: Mutex<Option<Planes>>,
    planes: OnceLock<Planes>,
    /// How many may still be asked for one by one.
    patience: AtomicU32,
}

impl Distances {
    fn new(left: Planes) -> Distances {
        // To look for one in a journal takes some microseconds; to make planes of it, some ten times as many.
        let patience = AtomicU32::new((4 * left.blocks()).clamp(256, 1 << 20) as u32);
        let planes = OnceLock::new();
        let left = if left.is_plain() { planes.set(left).err() } else { Some(left) };
        Distances { left: Mutex::new(left), planes, patience }
    }

    /// The distance of a state.
    fn get(&self, at: usize) -> u32 {
        let patient = |left: u32| left.checked_sub(1);
        if self.planes.get().is_none()
            && self.patience.fetch_update(Relaxed, Relaxed, patient).is_ok()
        {
            let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(left) = &*left {
                return left.get(at);
            }
        }
        self.planes().get(at)
    }

    /// All of them.
    fn planes(&self) -> &Planes {
        self.planes.get_or_init(|| {
            let left = self.left.lock().unwrap_or_else(PoisonError::into_inner).take();
            let mut planes = left.expect("they are taken once");
            planes.make_plain();
            planes
        })
    }
}

impl Sets {
    pub(crate) fn new(states: u64, arrays: Arrays) -> Sets {
        let Arrays { known, planes, fixed: drawn, .. } = arrays;
        Sets { states, known, drawn, distances: planes.map(Distances::new) }
    }

    /// The final draws of a word.
    fn drawn(&self, word: usize) -> u64 {
        self.drawn.get(word).copied().unwrap_or(0)
    }

    fn counts_of_word(&self, word: usize, mask: u64) -> Counts {
        let [open, won] = self.known[word];
        let drawn = self.drawn(word);
        let ones = |set: u64| u64::from((set & mask).count_ones());
        Counts {
            win: ones(won & !open),
            loss: ones(!(won | open | drawn)),
            draw: ones((open & !won) | drawn),
            void: ones(won & open),
        }
    }
}

impl Kept for Sets {
    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        self.distances.is_some()
    }

    fn value(&self, at: usize) -> Option<Value> {
        assert!((at as u64) < self.states, "state {at} is none of the {} states", self.states);
        let distance = || self.distances.as_ref().map_or(0, |distances| distances.get(at));
        let counts = self.counts_of_word(at / 64, 1 << (at % 64));
        match counts {
            Counts { void: 1, .. } => None,
            Counts { win: 1, .. } => Some(Value::Win(distance())),
            Counts { loss: 1, .. } => Some(Value::Loss(distance())),
            _ => Some(Value::Draw),
        }
    }

    fn count(&self, range: Range<usize>) -> Counts {
        // Whole words in a loop without masks, and what there is of a word before and after.
        let before = range.start..range.end.min(range.start.next_multiple_of(64));
        let after = before.end.max(range.end / 64 * 64)..range.end;
        let words = before.end / 64..after.start / 64;
        let (mut open, mut won, mut void) = (0, 0, 0);
        for known in &self.known[words.clone()] {
            open += known[0].count_ones() as usize;
            won += known[1].count_ones() as usize;
            void += (known[0] & known[1]).count_ones() as usize;
        }
        let drawn = self.drawn.get(words.clone()).unwrap_or(&[]);
        let drawn: usize = drawn.iter().map(|drawn| drawn.count_ones() as usize).sum();
        let (win, draw) = (won - void, open - void + drawn);
        let loss = words.len() * 64 - void - win - draw;
        let [win, loss, draw, void] = [win, loss, draw, void].map(|count| count as u64);
        let mut counts = Counts { win, loss, draw, void };
        for (word, mask) in masks(before).chain(masks(after)) {
            counts += self.counts_of_word(word, mask);
        }
        counts
    }

    fn fill(&self, at: usize, values: &mut [Option<Value>]) {
        assert!((at + values.len()) as u64 <= self.states, "these states go beyond the last");
        let planes = self.distances.as_ref().map(Distances::planes);
        let mut rest = values;
        for (word, mask) in masks(at..at + rest.len()) {
            let [open, won] = self.known[word];
            let (void, drawn) = (open & won, open & !won | self.drawn(word));
            let decided = mask & !(void | drawn) != 0;
            let distances = planes.filter(|_| decided);
            let distances = distances.map_or([0; 64], |planes| planes.of_word(word));
            let bits = mask.trailing_zeros() as usize..64 - mask.leading_zeros() as usize;
            let (run, after) = rest.split_at_mut(bits.len());
            for (value, bit) in run.iter_mut().zip(bits) {
                let has = |set: u64| set >> bit & 1 != 0;
                *value = match (has(void), has(drawn), has(won)) {
                    (true, _, _) => None,
                    (_, true, _) => Some(Value::Draw),
                    (_, _, true) => Some(Value::Win(distances[bit])),
                    (_, _, false) => Some(Value::Loss(distances[bit])),
                };
            }
            rest = after;
        }
    }

    fn fill_short(&self, at: usize, values: &mut [Short]) {
        assert!((at + values.len()) as u64 <= self.states, "these states go beyond the last");
        let planes = self.distances.as_ref().map(Distances::planes);
        let mut rest = values;
        for (word, mask) in masks(at..at + rest.len()).filter(|&(_, mask)| mask != 0) {
            let [open, won] = self.known[word];
            let drawn = open & !won | self.drawn(word);
            let (settled, odd) = (!(open | drawn), won & !open | drawn);
            let bits = mask.trailing_zeros() as usize..64 - mask.leading_zeros() as usize;
            let (run, after) = rest.split_at_mut(bits.len());
            let shorts = match planes {
                Some(planes) => planes.shorts_of_word(word, settled, odd),
                None => shorts(settled, odd, &[0; 8], std::iter::empty()),
            };
            if let Some(shorts) = shorts {
                run.iter_mut().zip(&shorts[bits]).for_each(|(value, short)| *value = Short(*short));
            } else {
                let found = (word * 64 + bits.start..).map(|at| Short::of(self.value(at)));
                run.iter_mut().zip(found).for_each(|(value, found)| *value = found);
            }
            rest = after;
        }
    }

    fn longest(&self, range: Range<usize>, outcome: Outcome) -> Option<(usize, u32)> {
        let planes = self.distances.as_ref().map(Distances::planes);
        let mut longest = None;
        for (word, mask) in masks(range) {
            let [open, won] = self.known[word];
            let of_outcome = match outcome {
                Outcome::Win => won & !open,
                Outcome::Loss => !(won | open | self.drawn(word)),
                Outcome::Draw => 0,
            };
            let states = mask & of_outcome;
            if states != 0 {
                let (distance, states) =
                    planes.map_or((0, states), |planes| planes.longest(word, states));
                let at = word * 64 + states.trailing_zeros() as usize;
                keep_longest(&mut longest, at, distance);
            }
        }
        longest
    }
}

/// The words of a range of states, each with those of its states that lie inside.
fn masks(range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let words = range.start / 64..range.end.div_ceil(64);
    words.map(move |word| {
        let above = !0 << range.start.saturating_sub(word * 64);
        let beyond = (word * 64 + 64).saturating_sub(range.end);
        (word, above & !0 >> beyond)
    })
}
