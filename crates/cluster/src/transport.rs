//! Supersteps keep the ranks of a solve in step, over any transport.
//!
//! A *rank* is one process of a solve, and its number. In a superstep, each rank sends a buffer to each other rank, and
//! gets one from each. So no buffer waits anywhere: what all ranks hold is what they exchange now. A rank that has more to
//! send than a superstep may carry sends the rest in the next one.
//!
//! Each buffer ends with a checksum. It also covers the sender, the receiver and the number of the superstep.

use retrograde::SolveError;
use xxhash_rust::xxh3::Xxh3;

/// How buffers get from rank to rank.
pub trait Transport: Send {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn ranks(&self) -> usize;

    /// Begins an exchange: sends each other rank its buffer. The place of this rank may hold anything. All ranks call this
    /// equally often, and [end](Transport::finish) each exchange before the next.
    fn begin(&mut self, buffers: Vec<Vec<u8>>) -> Result<(), SolveError>;

    /// Ends the exchange: returns what each other rank has sent, by sender.
    fn finish(&mut self) -> Result<Vec<Vec<u8>>, SolveError>;
}

/// The supersteps of one rank.
pub struct Supersteps<'t> {
    transport: &'t mut dyn Transport,
    superstep: u64,
    /// What each rank gets in this superstep.
    buffers: Vec<Vec<u8>>,
    /// What this rank says to all in the superstep that has [begun to end](Supersteps::begin_end).
    said: Vec<u8>,
    /// About how many bytes a rank may send to another one in a superstep.
    buffer_bytes: usize,
    /// How many bytes this rank has sent.
    sent_bytes: u64,
}

impl<'t> Supersteps<'t> {
    /// Before the first superstep. In each, a rank may send about `bytes` bytes, and receive as many.
    pub fn new(transport: &'t mut dyn Transport, bytes: usize) -> Supersteps<'t> {
        let ranks = transport.ranks();
        let buffer_bytes = (bytes / ranks).max(1);
        let buffers = vec![Vec::new(); ranks];
        let said = Vec::new();
        Supersteps { transport, superstep: 0, buffers, said, buffer_bytes, sent_bytes: 0 }
    }

    /// The number of this rank.
    pub fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    /// How many bytes this rank has sent.
    pub fn sent_bytes(&self) -> u64 {
        self.sent_bytes
    }

    /// What a rank gets in this superstep. The caller adds to it while there [is room](Supersteps::has_room).
    pub fn buffer(&mut self, to: usize) -> &mut Vec<u8> {
        &mut self.buffers[to]
    }

    /// Whether the buffer of a rank may grow.
    pub fn has_room(&self, to: usize) -> bool {
        self.buffers[to].len() < self.buffer_bytes
    }

    /// Whether all buffers may grow.
    pub fn has_room_for_all(&self) -> bool {
        (0..self.ranks()).all(|to| self.has_room(to))
    }

    /// Ends the superstep: sends the buffers, and `said` to all. `take` gets the buffer of each other rank. Returns what all
    /// ranks have said, this one too.
    pub fn end(
        &mut self,
        said: &[u8],
        take: impl FnMut(&[u8]),
    ) -> Result<Vec<Vec<u8>>, SolveError> {
        self.begin_end(said)?;
        self.finish_end(take)
    }

    /// The first half of [`end`](Supersteps::end): sends the buffers. Until the second half, this rank can compute, and write
    /// the buffers of the next superstep. So it waits for a slower rank only if that is a whole superstep behind.
    pub fn begin_end(&mut self, said: &[u8]) -> Result<(), SolveError> {
        let (own, ranks, superstep) = (self.rank(), self.ranks(), self.superstep);
        let mut buffers = std::mem::replace(&mut self.buffers, vec![Vec::new(); ranks]);
        for (to, buffer) in buffers.iter_mut().enumerate().filter(|(to, _)| *to != own) {
            self.sent_bytes += buffer.len() as u64;
            buffer.extend_from_slice(said);
            buffer.extend((said.len() as u64).to_le_bytes());
            buffer.extend(checksum(buffer, (own, to, superstep)).to_le_bytes());
        }
        self.said = said.to_vec();
        self.transport.begin(buffers)
    }

    /// The second half of [`end`](Supersteps::end).
    pub fn finish_end(&mut self, mut take: impl FnMut(&[u8])) -> Result<Vec<Vec<u8>>, SolveError> {
        let (own, ranks, superstep) = (self.rank(), self.ranks(), self.superstep);
        self.superstep += 1;
        let mut received = self.transport.finish()?;
        if received.len() != ranks {
            return Err(outside("the transport lost a rank".to_owned()));
        }
        let mut all = Vec::with_capacity(ranks);
        for (from, buffer) in received.iter().enumerate() {
            if from == own {
                all.push(std::mem::take(&mut self.said));
                continue;
            }
            let (contents, said) = opened(buffer, (from, own, superstep)).ok_or_else(|| {
                outside(format!(
                    "{} bytes from rank {from} arrived damaged at rank {own}; check the network and the memory of both, \
                     then repeat the command",
                    buffer.len()
                ))
            })?;
            if !contents.is_empty() {
                take(contents);
            }
            all.push(said.to_vec());
        }
        // The next superstep uses the memory again, unless it is more than it needs.
        for (buffer, next) in received.iter_mut().zip(&mut self.buffers) {
            buffer.clear();
            if next.capacity() == 0 && buffer.capacity() <= 2 * self.buffer_bytes {
                std::mem::swap(buffer, next);
            }
        }
        Ok(all)
    }
}

/// The contents of a buffer, and what its sender says to all.
fn opened(buffer: &[u8], way: (usize, usize, u64)) -> Option<(&[u8], &[u8])> {
    let (bytes, sum) = buffer.split_last_chunk::<8>()?;
    if u64::from_le_bytes(*sum) != checksum(bytes, way) {
        return None;
    }
    let (bytes, said) = bytes.split_last_chunk::<8>()?;
    let said = usize::try_from(u64::from_le_bytes(*said)).ok()?;
    bytes.split_at_checked(bytes.len().checked_sub(said)?)
}

/// The checksum of a buffer on its way from one rank to another, in a superstep.
fn checksum(bytes: &[u8], (from, to, superstep): (usize, usize, u64)) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(bytes);
    for number in [from as u64, to as u64, superstep] {
        hash.update(&number.to_le_bytes());
    }
    hash.digest()
}

/// An error that the solver did not cause.
pub(crate) fn outside(problem: String) -> SolveError {
    SolveError::Outside(problem.into())
}
