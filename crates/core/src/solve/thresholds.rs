//! Where one way of working gives way to another.
//!
//! A path that only large games take is a path that small games do not test: so each threshold is a number that a test
//! can set to its least. Nobody else should; the solution is the same for any.

/// The thresholds of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The longest frontier that is kept as a queue.
    pub queue_max: usize,
    /// How many marked blocks are asked for at once, from 1 to 16.
    pub batch_blocks: usize,
    /// The fewest states of a part, a power of two and at least 4,096, which share a word of marks.
    pub part_states: usize,
    /// The most states whose cells fit in the cache of one thread.
    pub cached_states: u64,
    /// How many visits to other parts a worker collects before it pauses.
    pub outbox_visits: usize,
    /// In the words engine: how many words of the frontier a thread is woken for.
    pub frontier_words: u64,
    /// In the words engine: the fewest words of a part, a multiple of 64, and of 4,096 in earnest.
    pub part_words: usize,
    /// In the words engine: how many words a shard has, a power of two and at most 32,768; parts hold whole shards.
    pub shard_words: usize,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            queue_max: 1 << 13,
            // From 8 to 64 the speed is the same.
            batch_blocks: 16,
            part_states: 1 << 16,
            cached_states: 1 << 20,
            outbox_visits: 1 << 16,
            // A few words are not worth waking threads for.
            frontier_words: 256,
            part_words: 1 << 12,
            // Then the planes of a shard are a big page.
            shard_words: 1 << 15,
        }
    }
}

impl Thresholds {
    /// All at their least: no queue, parts of one word of marks, a pause after every visit, parallel from the first word.
    pub fn least() -> Thresholds {
        Thresholds {
            queue_max: 0,
            batch_blocks: 1,
            part_states: 1 << 12,
            cached_states: 0,
            outbox_visits: 1,
            frontier_words: 0,
            part_words: 64,
            shard_words: 64,
        }
    }
}
