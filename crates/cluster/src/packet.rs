//! Packets: the data of a connection, numbered and with checksums. A byte that is changed, added, lost or
//! repeated on the way is detected before it has any effect.
//!
//! ```text
//! number       u64   how many packets went before this one
//! checksum     u64   XXH3 of the payload
//! length       u32   of the payload; 0 in the last packet
//! head's own   u32   the low half of XXH3 of the 20 bytes above
//! payload
//! ```
//!
//! The head has its own checksum, so a damaged length is detected at once. Otherwise the reader could wait
//! for bytes that never come. All checksums are seeded with the name of the [`Channel`], so bytes of another
//! connection are errors too.

use std::io::{self, Read};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// How long the head of a packet is.
const HEAD: usize = 24;
/// The longest payload of a packet.
pub const PAYLOAD_MAX: usize = 1 << 16;

/// One direction of a connection, as seen from one end.
#[derive(Debug)]
pub struct Channel {
    seed: u64,
    /// The number of the next packet.
    next: u64,
}

impl Channel {
    /// The packets of the channel with this name. Both ends use the same name.
    pub fn new(name: &str) -> Channel {
        Channel { seed: xxh3_64(name.as_bytes()), next: 0 }
    }

    /// How many packets were packed, or received intact.
    pub fn packets(&self) -> u64 {
        self.next
    }

    /// Appends the next packet to `to`. It takes the first [`PAYLOAD_MAX`] bytes of `payload` at most, and returns how many.
    pub fn pack(&mut self, payload: &[u8], to: &mut Vec<u8>) -> usize {
        let payload = &payload[..payload.len().min(PAYLOAD_MAX)];
        let start = to.len();
        to.extend(self.next.to_le_bytes());
        to.extend(xxh3_64_with_seed(payload, self.seed).to_le_bytes());
        to.extend((payload.len() as u32).to_le_bytes());
        let sum = xxh3_64_with_seed(&to[start..], self.seed) as u32;
        to.extend(sum.to_le_bytes());
        to.extend(payload);
        self.next += 1;
        payload.len()
    }

    /// Reads the next packet and puts its payload into `payload`. It reads no byte beyond the packet.
    ///
    /// # Errors
    ///
    /// An error of the reader; or [`Damaged`], as an error of the kind `InvalidData`.
    pub fn read(&mut self, from: &mut impl Read, payload: &mut Vec<u8>) -> io::Result<()> {
        let mut head = [0; HEAD];
        payload.clear();
        from.read_exact(&mut head)?;
        let field = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| head[at + byte]));
        let (number, sum, len, own) = (field(0), field(8), field(16) as u32, field(16) >> 32);
        if u64::from(xxh3_64_with_seed(&head[..HEAD - 4], self.seed) as u32) != own {
            return Err(Damaged::Head.into());
        }
        if number != self.next {
            return Err(Damaged::Number { number, expected: self.next }.into());
        }
        let len = len as usize;
        if len > PAYLOAD_MAX {
            return Err(Damaged::Head.into());
        }
        payload.resize(len, 0);
        from.read_exact(payload)?;
        if xxh3_64_with_seed(payload, self.seed) != sum {
            payload.clear();
            return Err(Damaged::Payload.into());
        }
        self.next += 1;
        Ok(())
    }
}

/// What is wrong with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damaged {
    /// The checksum of the head is wrong: it was changed, or bytes before it were added or lost.
    Head,
    /// The checksum of the payload is wrong.
    Payload,
    /// A packet is missing, or came twice.
    Number {
        /// The number of the packet.
        number: u64,
        /// The expected number.
        expected: u64,
    },
}

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Damaged::Head => write!(f, "the head of a packet has a wrong checksum"),
            Damaged::Payload => write!(f, "a packet has a wrong checksum"),
            Damaged::Number { number, expected } => {
                write!(f, "packet {number} came instead of packet {expected}")
            }
        }
    }
}

impl std::error::Error for Damaged {}

impl From<Damaged> for io::Error {
    fn from(damaged: Damaged) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_testkit::{Rng, seed};

    const NAME: &str = "updates from 0 to 1";

    /// Packets of a few sizes, and their payloads.
    fn packets() -> (Vec<u8>, Vec<Vec<u8>>) {
        let (mut channel, mut bytes) = (Channel::new(NAME), Vec::new());
        let payloads = [5, 1, 40, 1, 0, 17].map(|len| vec![len as u8; len]).to_vec();
        payloads
            .iter()
            .for_each(|payload| assert_eq!(channel.pack(payload, &mut bytes), payload.len()));
        (bytes, payloads)
    }

    /// The intact payloads, and the error that stops the reader.
    fn read(name: &str, mut bytes: &[u8]) -> (Vec<Vec<u8>>, io::ErrorKind) {
        let (mut channel, mut found) = (Channel::new(name), Vec::new());
        loop {
            let mut payload = Vec::new();
            match channel.read(&mut bytes, &mut payload) {
                Ok(()) => found.push(payload),
                Err(error) => return (found, error.kind()),
            }
        }
    }

    /// All data before the damage arrives, and nothing after it.
    #[track_caller]
    fn is_found(damaged: &[u8], bytes: &[u8], payloads: &[Vec<u8>]) {
        let (found, stopped) = read(NAME, damaged);
        let same = damaged.iter().zip(bytes).take_while(|(found, sent)| found == sent).count();
        let (mut whole, mut end) = (0, 0);
        for payload in payloads {
            end += HEAD + payload.len();
            whole += usize::from(end <= same);
        }
        assert_eq!(found, payloads[..whole]);
        // A reader at the end of the bytes waits for more.
        let waits = stopped == io::ErrorKind::UnexpectedEof;
        assert!(stopped == io::ErrorKind::InvalidData || waits, "{stopped}");
    }

    #[test]
    fn packets_are_read_as_they_were_packed() {
        let (bytes, payloads) = packets();
        assert_eq!(read(NAME, &bytes), (payloads, io::ErrorKind::UnexpectedEof));
        assert_eq!(read("updates from 1 to 0", &bytes), (vec![], io::ErrorKind::InvalidData));
        let long = vec![7; PAYLOAD_MAX + 1];
        assert_eq!(Channel::new(NAME).pack(&long, &mut Vec::new()), PAYLOAD_MAX);
    }

    /// A changed bit between two processes used to give a wrong table, because packets had no checksums.
    #[test]
    fn every_changed_bit_is_found() {
        let (bytes, payloads) = packets();
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            is_found(&damaged, &bytes, &payloads);
        }
    }

    /// Packets used to have no numbers, so intact ones could be lost or come twice.
    #[test]
    fn all_runs_of_bytes_that_are_lost_added_or_repeated_are_found() {
        let (bytes, payloads) = packets();
        let mut rng = Rng::new(seed());
        for first in 0..bytes.len() {
            for end in first + 1..=bytes.len() {
                let run = &bytes[first..end];
                is_found(&[&bytes[..first], &bytes[end..]].concat(), &bytes, &payloads);
                is_found(&[&bytes[..end], run, &bytes[end..]].concat(), &bytes, &payloads);
                let added: Vec<u8> = run.iter().map(|_| rng.bits() as u8).collect();
                is_found(&[&bytes[..first], &added, &bytes[first..]].concat(), &bytes, &payloads);
            }
        }
    }

    #[test]
    fn noise_is_never_a_packet() {
        let mut rng = Rng::new(seed());
        for _ in 0..20_000 {
            let noise: Vec<u8> = (0..rng.below(80)).map(|_| rng.bits() as u8).collect();
            assert_eq!(read(NAME, &noise).0, Vec::<Vec<u8>>::new());
        }
    }
}
