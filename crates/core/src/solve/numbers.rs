//! Numbers in snapshots: eight bytes each, the least first.

use std::io::{self, Read, Write};

use super::error::SolveError;

/// How many bytes are written or read at a time.
const PIECE: usize = 1 << 16;

/// Writes numbers in little-endian order.
pub(crate) fn write_numbers(
    to: &mut dyn Write,
    numbers: impl IntoIterator<Item = u64>,
) -> io::Result<()> {
    let mut numbers = numbers.into_iter().peekable();
    let mut bytes = Vec::with_capacity(PIECE.min(8 * (numbers.size_hint().0 + 1)));
    while numbers.peek().is_some() {
        bytes.clear();
        numbers.by_ref().take(PIECE / 8).for_each(|number| bytes.extend(number.to_le_bytes()));
        to.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads as many numbers as fit.
pub(crate) fn read_numbers(from: &mut dyn Read, numbers: &mut [u64]) -> Result<(), SolveError> {
    let mut bytes = vec![0; PIECE.min(8 * numbers.len())];
    for numbers in numbers.chunks_mut(PIECE / 8) {
        let bytes = &mut bytes[..8 * numbers.len()];
        read_exact(from, bytes)?;
        for (bytes, number) in bytes.as_chunks::<8>().0.iter().zip(numbers) {
            *number = u64::from_le_bytes(*bytes);
        }
    }
    Ok(())
}

/// Reads `N` numbers.
pub(crate) fn read_array<const N: usize>(from: &mut dyn Read) -> Result<[u64; N], SolveError> {
    let mut numbers = [0; N];
    read_numbers(from, &mut numbers)?;
    Ok(numbers)
}

/// Reads as many bytes as fit. If bytes are missing, the snapshot is invalid. An error of the reader stays an
/// error of the reader.
pub(crate) fn read_exact(from: &mut dyn Read, mut bytes: &mut [u8]) -> Result<(), SolveError> {
    while !bytes.is_empty() {
        match from.read(bytes) {
            Ok(0) => return Err(SolveError::Snapshot),
            Ok(len) => bytes = &mut bytes[len..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
