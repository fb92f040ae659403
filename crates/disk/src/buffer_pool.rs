//! The memory for waiting updates: one array of small pieces, and queues of pieces. So its size is fixed, for any
//! number of parts with updates.

/// How many updates a piece has.
const PIECE: usize = 64;
/// No piece has this number.
const NONE: u32 = u32::MAX;

/// All pieces.
pub(crate) struct BufferPool {
    /// The updates, piece by piece.
    updates: Vec<u32>,
    /// For each piece, the next piece in its queue or in the list of free pieces.
    behind: Vec<u32>,
    /// The first free piece.
    free: u32,
}

/// Updates in order. All pieces are full except the last.
#[derive(Clone, Copy)]
pub(crate) struct Queue {
    first: u32,
    last: u32,
    len: usize,
}

impl Queue {
    /// An empty queue.
    pub(crate) const EMPTY: Queue = Queue { first: NONE, last: NONE, len: 0 };

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl BufferPool {
    /// A pool of `bytes` bytes, with at least one piece.
    pub(crate) fn new(bytes: usize) -> BufferPool {
        let pieces = (bytes / (4 * PIECE + 4)).clamp(1, NONE as usize);
        let behind = (1..pieces as u32).chain([NONE]).collect();
        BufferPool { updates: vec![0; pieces * PIECE], behind, free: 0 }
    }

    /// Adds updates to a queue until there is no space. Returns the other updates.
    pub(crate) fn add<'v>(&mut self, queue: &mut Queue, mut updates: &'v [u32]) -> &'v [u32] {
        while !updates.is_empty() {
            let filled = queue.len % PIECE;
            if filled == 0 && !self.lengthen(queue) {
                break;
            }
            let (now, later) = updates.split_at(updates.len().min(PIECE - filled));
            let at = queue.last as usize * PIECE + filled;
            self.updates[at..at + now.len()].copy_from_slice(now);
            queue.len += now.len();
            updates = later;
        }
        updates
    }

    /// Gives a queue with full pieces another one, if one is free.
    fn lengthen(&mut self, queue: &mut Queue) -> bool {
        let piece = self.free;
        if piece == NONE {
            return false;
        }
        self.free = std::mem::replace(&mut self.behind[piece as usize], NONE);
        match queue.is_empty() {
            true => queue.first = piece,
            false => self.behind[queue.last as usize] = piece,
        }
        queue.last = piece;
        true
    }

    /// Takes updates from the front of a queue: whole pieces, while their sum is below `updates_max`.
    pub(crate) fn take(&mut self, queue: &mut Queue, updates_max: usize, into: &mut Vec<u32>) {
        into.clear();
        while !queue.is_empty() && into.len() < updates_max {
            let (piece, here) = (queue.first, queue.len.min(PIECE));
            let at = piece as usize * PIECE;
            into.extend_from_slice(&self.updates[at..at + here]);
            queue.len -= here;
            queue.first = std::mem::replace(&mut self.behind[piece as usize], self.free);
            self.free = piece;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the order of adding and taking, no update is lost or changed.
    #[test]
    fn queues_give_what_they_were_given() {
        let mut x = 1u64;
        let mut random = |below: usize| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (x >> 33) as usize % below
        };
        for pieces in [1, 3, 40] {
            let mut buffer_pool = BufferPool::new(pieces * (4 * PIECE + 4));
            let mut queues = [Queue::EMPTY; 5];
            let mut expected = [const { Vec::<u32>::new() }; 5];
            let (mut brought, mut full, mut into) = (0, 0, Vec::new());
            for _ in 0..5_000 {
                let which = random(5);
                if random(3) > 0 {
                    let updates: Vec<u32> = (brought..).take(random(100)).collect();
                    let left = buffer_pool.add(&mut queues[which], &updates).len();
                    full += usize::from(left > 0);
                    expected[which].extend(&updates[..updates.len() - left]);
                    brought += updates.len() as u32;
                } else {
                    buffer_pool.take(&mut queues[which], random(300), &mut into);
                    assert_eq!(into, expected[which].drain(..into.len()).collect::<Vec<_>>());
                }
                assert_eq!(queues[which].is_empty(), expected[which].is_empty());
            }
            assert!(full > 0, "the buffer pool was never full");
            for (queue, expected) in queues.iter_mut().zip(&expected) {
                buffer_pool.take(queue, usize::MAX, &mut into);
                assert_eq!(&into, expected);
            }
            let mut all = Queue::EMPTY;
            assert_eq!(buffer_pool.add(&mut all, &vec![7; pieces * PIECE + 1]).len(), 1);
        }
    }
}
