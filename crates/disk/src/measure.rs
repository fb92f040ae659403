//! Measures the speed of a pass: writes some parts of the unsolved game to files and reads them back.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use retrograde::parts::{Parted, Partition, PendingEvents};

use crate::error::DiskError;
use crate::on_disk::{Files, OnDisk};
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
        let on_disk = OnDisk { pass: 1, level: 1, ..OnDisk::default() };
        let mut turn = || -> io::Result<()> {
            let mut file = nameless(&folder)?;
            let begun = Instant::now();
            pace.packed +=
                files.pack(&mut packer, file.try_clone()?, (number, 1), (&part, &pending))?;
            file.sync_data()?;
            pace.written += begun.elapsed();
            forget(&file)?;
            file.rewind()?;
            let begun = Instant::now();
            files.unpack(&mut packer, file, (number, on_disk), &mut part)?;
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

/// A file that the system removes when it is closed, even if the process is killed.
pub(crate) fn nameless(folder: &Path) -> io::Result<File> {
    let name = format!(".retrograde-{:016x}", RandomState::new().build_hasher().finish());
    let path = folder.join(name);
    let mut options = OpenOptions::new();
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        const DELETE_ON_CLOSE: u32 = 0x0400_0000;
        options.custom_flags(DELETE_ON_CLOSE);
    }
    let file = options.read(true).write(true).create_new(true).open(&path)?;
    #[cfg(unix)]
    std::fs::remove_file(&path)?;
    Ok(file)
}

/// Makes the system drop its cache of a file, so that the next read comes from the disk.
#[cfg(target_os = "linux")]
fn forget(file: &File) -> io::Result<()> {
    Ok(rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed)?)
}

#[cfg(not(target_os = "linux"))]
fn forget(_: &File) -> io::Result<()> {
    Ok(())
}
