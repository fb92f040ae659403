//! Where the engines switch from one way of working to another.
//!
//! Small test games do not reach the code for large games. So each threshold is a number that a test can set
//! to its least value. Only tests should set them. The solution is always the same.

/// The thresholds of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The longest frontier that is kept as a queue.
    pub queue_max: usize,
    /// How many marked blocks are prefetched at once, from 1 to 16.
    pub batch_blocks: usize,
    /// The fewest states of a part: a power of two and at least 4,096, because they share a word of marks.
    pub part_states: usize,
    /// The most states whose cells fit in the cache of one thread.
    pub cached_states: u64,
    /// How many updates for other parts a thread collects before it pauses.
    pub outbox_updates: usize,
    /// Bit-parallel engine: the fewest words of the frontier for each thread. With fewer, one thread works
    /// alone.
    pub frontier_words: u64,
    /// Bit-parallel engine: the fewest words of a part. It is a multiple of 64 in tests, and of 4,096
    /// otherwise.
    pub part_words: usize,
    /// Bit-parallel engine: how many words a shard has, a power of two and at most 32,768. Parts consist of
    /// whole shards.
    pub shard_words: usize,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            queue_max: 1 << 13,
            // The speed is the same from 8 to 64.
            batch_blocks: 16,
            part_states: 1 << 16,
            cached_states: 1 << 20,
            outbox_updates: 1 << 16,
            // With few words, it takes longer to wake threads than to do the work.
            frontier_words: 256,
            part_words: 1 << 12,
            // The planes of a shard then fit a huge page.
            shard_words: 1 << 15,
        }
    }
}

impl Thresholds {
    /// All thresholds have their least value: no queue, parts of one word of marks, a pause after each
    /// update, and several threads from the first word on.
    pub fn least() -> Thresholds {
        Thresholds {
            queue_max: 0,
            batch_blocks: 1,
            part_states: 1 << 12,
            cached_states: 0,
            outbox_updates: 1,
            frontier_words: 0,
            part_words: 64,
            shard_words: 64,
        }
    }
}
