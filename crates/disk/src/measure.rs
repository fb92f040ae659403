//! Measures the speed of a pass: writes some parts of the unsolved game to files and reads them back.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use retrograde::parts::{Parted, Partition, PendingEvents};
use retrograde_files::File;

use crate::error::DiskError;
use crate::on_disk::Files;
use crate::packed::Packer;

/// The least cost of a pass over the files, as they are at the beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// How many bytes all parts have, packed.
    pub packed: u64,
    /// How long it takes to read and unpack them.
    pub read: Duration,
    /// How long it takes to pack and write them, while others are read.
    pub written: Duration,
}

/// Measures parts that are spread over the game, one after the other.
pub(crate) fn measure(
    game: &dyn Parted,
    partition: &Partition,
    folder: &Path,
) -> Result<Pace, DiskError> {
    /// Packs at least this number of bytes, and at least one part.
    const PLAIN: u64 = 1 << 27;
    let of_all: u64 = (0..partition.parts()).map(|part| partition.bytes(part, 0)).sum();
    let count =
        (PLAIN / partition.bytes(0, 0).max(1)).clamp(1, partition.parts().max(1) as u64) as usize;
    let folder =
        folder.ancestors().find(|folder| folder.is_dir()).map_or_else(PathBuf::new, Path::to_owned);
    let failed = |source| DiskError::io(&folder, "a part", "write and read", source);
    let mut packer = Packer::new().map_err(failed)?;
    let files = Files { folder: folder.clone(), seed: 0, states: partition.all() };
    let mut pace = Pace { packed: 0, read: Duration::ZERO, written: Duration::ZERO };
    let (mut plain, mut memory) = (0, None);
    for number in (0..count).map(|turn| turn * partition.parts() / count) {
        let mut part = match memory.take() {
            Some(mut part) => {
                partition.reuse(&mut part, number);
                part
            }
            None => partition.part(number),
        };
        let mut pending = PendingEvents::default();
        game.seed(&mut part, &mut pending);
        pending.sort();
        part.begin(1);
        let mut outboxes = partition.outboxes(1 << 14);
        while !game.sweep(&mut part, &mut outboxes) {
            outboxes.drain(|_, _| {});
        }
        plain += partition.bytes(number, 0);
        let mut turn = || -> io::Result<()> {
            let file = File::nameless(&folder)?;
            let begun = Instant::now();
            pace.packed += files.pack(&mut packer, &file, number, (&part, &pending))?;
            file.sync()?;
            pace.written += begun.elapsed();
            file.drop_cache()?;
            let begun = Instant::now();
            files.unpack(&mut packer, &file, (number, 1), &mut part)?;
            pace.read += begun.elapsed();
            Ok(())
        };
        turn().map_err(failed)?;
        memory = Some(part);
    }
    let share = of_all as f64 / plain.max(1) as f64;
    Ok(Pace {
        packed: (pace.packed as f64 * share) as u64,
        read: pace.read.mul_f64(share),
        written: pace.written.mul_f64(share),
    })
}
