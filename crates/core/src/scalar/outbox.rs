//! The updates from one part for other parts.

use super::sweep::{UpdateSink, no_such};

/// The updates from one part for other parts. No two share a cache line, because each update is counted here.
#[repr(align(128))]
pub struct Outboxes {
    /// For each part its updates: the position in the part, and in the lowest bit whether the move wins.
    boxes: Vec<Vec<u32>>,
    /// The boxes that hold updates, and the boxes that have memory. Most moves lead to few parts, so no loop looks
    /// at all boxes.
    pub(super) filled: Vec<u32>,
    grown: Vec<u32>,
    /// How many updates wait, and how many may wait before the part pauses.
    len: usize,
    len_max: usize,
    /// The binary logarithm of the length of parts.
    shift: u32,
}

impl Outboxes {
    /// Outboxes for `parts` parts of `part_states` states, a power of two of at most 2^31.
    pub(crate) fn new(parts: usize, part_states: u64, len_max: usize) -> Outboxes {
        let shift = part_states.trailing_zeros();
        let boxes = vec![Vec::new(); parts];
        Outboxes { boxes, filled: Vec::new(), grown: Vec::new(), len: 0, len_max, shift }
    }

    /// How many updates wait.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no update waits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The updates that wait for a part.
    pub fn of(&self, part: usize) -> &[u32] {
        &self.boxes[part]
    }

    /// Passes the waiting updates to `take`, part by part in ascending order. The boxes keep their memory.
    pub fn drain(&mut self, mut take: impl FnMut(usize, &[u32])) {
        self.len = 0;
        self.filled.sort_unstable();
        for part in self.filled.drain(..) {
            let outbox = &mut self.boxes[part as usize];
            take(part as usize, outbox);
            outbox.clear();
        }
    }

    /// Frees the memory of the boxes if it exceeds that of `updates_max` updates. Call it when no update waits.
    /// Otherwise one box could hold this memory at one level, and another box as much at the next level.
    pub fn trim(&mut self, updates_max: usize) {
        let Outboxes { boxes, grown, .. } = self;
        if grown.iter().map(|&part| boxes[part as usize].capacity()).sum::<usize>() > updates_max {
            grown.drain(..).for_each(|part| boxes[part as usize] = Vec::new());
        }
    }
}

impl UpdateSink for Outboxes {
    #[inline(always)]
    fn send(&mut self, settled: u64, predecessor: u64, wins: bool) {
        let part = (predecessor >> self.shift) as usize;
        let Some(outbox) = self.boxes.get_mut(part) else { no_such(settled, predecessor) };
        if outbox.is_empty() {
            fill(&mut self.filled, (outbox.capacity() == 0).then_some(&mut self.grown), part);
        }
        let at = predecessor & ((1 << self.shift) - 1);
        outbox.push((at as u32) << 1 | u32::from(wins));
        self.len += 1;
    }

    fn is_full(&self) -> bool {
        self.len >= self.len_max
    }
}

/// Records that a box will hold updates. A separate function, so that the loop of updates stays short.
#[cold]
fn fill(filled: &mut Vec<u32>, grown: Option<&mut Vec<u32>>, part: usize) {
    filled.push(part as u32);
    grown.into_iter().for_each(|grown| grown.push(part as u32));
}
