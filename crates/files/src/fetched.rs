//! A folder whose bytes are elsewhere, such as on a web server or behind a browser's file picker. A read that lacks bytes
//! fails, and the folder records what it lacks. The caller fetches that and asks again.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::system::{FileSystem, Found, Mode, Mounted, OpenFile, mount};

/// Bytes are fetched in pieces of this length, each at a multiple of it. Neighbouring blocks of a table share a piece.
pub const PIECE_BYTES: u64 = 128 << 10;

/// A file of at most this length is fetched as a whole: a request costs more time than so many bytes.
pub const WHOLE_BYTES: u64 = 512 << 10;

/// Bytes that a read has lacked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingBytes {
    /// The name of the file in the folder.
    pub file: String,
    /// Where they begin.
    pub from: u64,
    /// Where they end; `None` if the length of the file is unknown. Then fetch [`WHOLE_BYTES`], or what there is.
    pub to: Option<u64>,
    /// Whether this is all of the file.
    pub is_whole: bool,
}

/// A folder whose bytes are elsewhere. Clones share its files.
#[derive(Clone)]
pub struct FetchedFolder {
    path: PathBuf,
    inner: Arc<Mutex<Inner>>,
}

struct Inner {
    files: BTreeMap<String, Contents>,
    /// Whether the folder may have files whose names are unknown.
    open_ended: bool,
    missing: BTreeSet<MissingBytes>,
    /// How many bytes are in memory.
    bytes: u64,
}

/// What is known of a file.
#[derive(Default)]
struct Contents {
    /// `None` if that is unknown.
    len: Option<u64>,
    is_absent: bool,
    /// The pieces that have arrived, by their number.
    pieces: BTreeMap<u64, Vec<u8>>,
}

impl FetchedFolder {
    /// An empty folder. If it is `open_ended`, a file without a known name counts as missing bytes, and not as a
    /// missing file. Paths of the folder begin with `path`, which should be in no use.
    pub fn new(path: impl Into<PathBuf>, open_ended: bool) -> FetchedFolder {
        let (files, missing) = (BTreeMap::new(), BTreeSet::new());
        let inner = Inner { files, open_ended, missing, bytes: 0 };
        FetchedFolder { path: path.into(), inner: Arc::new(Mutex::new(inner)) }
    }

    /// Makes all paths below the path of this folder lead here, until the result is dropped.
    pub fn mount(&self) -> Mounted {
        mount(&self.path, Arc::new(self.clone()))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names a file, and says how long it is if that is known.
    pub fn add(&self, file: &str, len: Option<u64>) {
        let mut inner = self.inner();
        let contents = inner.files.entry(file.to_owned()).or_default();
        contents.len = len.or(contents.len);
    }

    /// The file is not there.
    pub fn set_absent(&self, file: &str) {
        self.inner().files.entry(file.to_owned()).or_default().is_absent = true;
    }

    /// Puts bytes of a file here that has `len` bytes. They begin at a multiple of [`PIECE_BYTES`], and end at one or at
    /// the end of the file; bytes of an incomplete piece are dropped. The error says how the file contradicts what is
    /// known of it.
    pub fn put(&self, file: &str, from: u64, len: u64, bytes: &[u8]) -> Result<(), String> {
        let mut inner = self.inner();
        let contents = inner.files.entry(file.to_owned()).or_default();
        match contents.len {
            Some(known) if known != len => {
                return Err(format!(
                    "{file}: it has {len} bytes where {known} were expected: it has changed; open the folder again"
                ));
            }
            _ => contents.len = Some(len),
        }
        let mut added = 0;
        for (number, piece) in (from / PIECE_BYTES..).zip(bytes.chunks(PIECE_BYTES as usize)) {
            let ends = number * PIECE_BYTES + piece.len() as u64;
            if piece.len() as u64 == PIECE_BYTES || ends == len {
                let old = contents.pieces.insert(number, piece.to_vec());
                added += piece.len() - old.map_or(0, |old| old.len());
            }
        }
        inner.bytes += added as u64;
        Ok(())
    }

    /// How many bytes are in memory.
    pub fn bytes(&self) -> u64 {
        self.inner().bytes
    }

    /// Drops all bytes. Names and lengths stay.
    pub fn forget_bytes(&self) {
        let mut inner = self.inner();
        inner.files.values_mut().for_each(|contents| contents.pieces.clear());
        inner.bytes = 0;
    }

    /// What reads have lacked since the last call. Neighbouring pieces of a file are one entry.
    pub fn take_missing(&self) -> Vec<MissingBytes> {
        let mut joined: Vec<MissingBytes> = Vec::new();
        for next in std::mem::take(&mut self.inner().missing) {
            match joined.last_mut() {
                Some(last)
                    if last.file == next.file && last.to.is_none_or(|to| to >= next.from) =>
                {
                    last.to = last.to.and_then(|to| Some(to.max(next.to?)));
                }
                _ => joined.push(next),
            }
        }
        joined
    }

    /// The name of a file of this folder.
    fn name(&self, path: &Path) -> io::Result<String> {
        let name = path.strip_prefix(&self.path).ok().and_then(Path::to_str);
        name.filter(|name| !name.is_empty()).map(str::to_owned).ok_or_else(not_found)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Records that bytes are missing.
    fn lack(&mut self, file: &str, from: u64, to: Option<u64>) -> io::Error {
        let len = self.files.get(file).and_then(|contents| contents.len);
        let is_whole = from == 0 && to.is_some() && to == len;
        self.missing.insert(MissingBytes { file: file.to_owned(), from, to, is_whole });
        io::Error::new(io::ErrorKind::WouldBlock, "not all of its bytes have arrived")
    }

    fn len(&mut self, file: &str) -> io::Result<u64> {
        match self.files.get(file) {
            Some(Contents { is_absent: true, .. }) => Err(not_found()),
            Some(Contents { len: Some(len), .. }) => Ok(*len),
            None if !self.open_ended => Err(not_found()),
            _ => Err(self.lack(file, 0, None)),
        }
    }

    fn read_at(&mut self, file: &str, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let len = self.len(file)?;
        let end = len.min(at.saturating_add(bytes.len() as u64));
        if at >= end {
            return Ok(0);
        }
        let wanted = at / PIECE_BYTES..end.div_ceil(PIECE_BYTES);
        let pieces = &self.files[file].pieces;
        let lacking: Vec<u64> =
            wanted.clone().filter(|number| !pieces.contains_key(number)).collect();
        if let Some(last) = lacking.last() {
            if len <= WHOLE_BYTES {
                return Err(self.lack(file, 0, Some(len)));
            }
            let piece = |number: &u64| number * PIECE_BYTES..len.min((number + 1) * PIECE_BYTES);
            for piece in lacking.iter().map(piece) {
                self.lack(file, piece.start, Some(piece.end));
            }
            return Err(self.lack(file, piece(last).start, Some(piece(last).end)));
        }
        for (number, piece) in pieces.range(wanted) {
            let begin = number * PIECE_BYTES;
            let (from, to) = (at.max(begin), end.min(begin + piece.len() as u64));
            bytes[(from - at) as usize..(to - at) as usize]
                .copy_from_slice(&piece[(from - begin) as usize..(to - begin) as usize]);
        }
        Ok((end - at) as usize)
    }
}

fn not_found() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl FileSystem for FetchedFolder {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn OpenFile>> {
        let file = match mode {
            Mode::Read => self.name(path)?,
            Mode::Folder if path == self.path => String::new(),
            Mode::Folder => return Err(io::ErrorKind::NotADirectory.into()),
            _ => return Err(io::ErrorKind::ReadOnlyFilesystem.into()),
        };
        if mode == Mode::Read {
            self.inner().len(&file)?;
        }
        Ok(Box::new(FetchedFile { folder: self.clone(), file }))
    }

    fn look(&self, path: &Path) -> io::Result<Found> {
        if path == self.path {
            return Ok(Found::Folder);
        }
        let file = self.name(path)?;
        self.inner().len(&file).map(|_| Found::File)
    }

    /// The files that somebody has named.
    fn list(&self, _: &Path) -> io::Result<Vec<OsString>> {
        let inner = self.inner();
        let there = inner.files.iter().filter(|(_, contents)| !contents.is_absent);
        Ok(there.map(|(name, _)| name.into()).collect())
    }
}

/// An open file of such a folder.
struct FetchedFile {
    folder: FetchedFolder,
    file: String,
}

impl OpenFile for FetchedFile {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        self.folder.inner().read_at(&self.file, bytes, at)
    }

    fn len(&self) -> io::Result<u64> {
        self.folder.inner().len(&self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::File;

    fn missing(file: &str, from: u64, to: Option<u64>) -> MissingBytes {
        let is_whole = to == Some(WHOLE_BYTES);
        MissingBytes { file: file.into(), from, to, is_whole }
    }

    #[test]
    fn a_read_names_the_bytes_that_it_lacks() {
        let folder = FetchedFolder::new("/retrograde-fetched-1", true);
        let _mounted = folder.mount();
        let path = folder.path().join("long");
        // The length of the file is unknown: its beginning tells.
        assert!(File::open(&path).is_err());
        assert_eq!(folder.take_missing(), [missing("long", 0, None)]);
        let whole: Vec<u8> = (0..5 * PIECE_BYTES + 100).map(|at| ((at * at) >> 7) as u8).collect();
        let len = whole.len() as u64;
        let slice = |from: u64, to: u64| &whole[from as usize..to as usize];
        folder.put("long", 0, len, slice(0, WHOLE_BYTES)).unwrap();
        let file = File::open(&path).unwrap();
        let mut bytes = vec![0; 300];
        file.read_exact_at(&mut bytes, PIECE_BYTES - 100).unwrap();
        assert_eq!(bytes, slice(PIECE_BYTES - 100, PIECE_BYTES + 200));
        // Over the edge of two pieces that have not arrived: one range, up to the end of the file.
        let mut bytes = vec![0; 180];
        let at = 5 * PIECE_BYTES - 90;
        assert!(file.read_exact_at(&mut bytes, at).is_err());
        assert_eq!(folder.take_missing(), [missing("long", 4 * PIECE_BYTES, Some(len))]);
        assert!(folder.take_missing().is_empty());
        folder.put("long", 4 * PIECE_BYTES, len, slice(4 * PIECE_BYTES, len)).unwrap();
        file.read_exact_at(&mut bytes, at).unwrap();
        assert_eq!(bytes, slice(at, at + 180));
        assert_eq!(folder.bytes(), len);
        // A file that changes its length is another file.
        let changed = folder.put("long", 0, len - 1, slice(0, PIECE_BYTES)).unwrap_err();
        assert!(changed.contains("changed"), "{changed}");
        folder.forget_bytes();
        assert_eq!(folder.bytes(), 0);
        assert!(file.read_exact_at(&mut bytes, at).is_err());
    }

    #[test]
    fn a_short_file_comes_as_a_whole_and_an_absent_one_is_missing() {
        let folder = FetchedFolder::new("/retrograde-fetched-2", false);
        let _mounted = folder.mount();
        folder.add("short", Some(WHOLE_BYTES));
        let file = File::open(&folder.path().join("short")).unwrap();
        assert!(file.read_exact_at(&mut [0; 1], WHOLE_BYTES - 1).is_err());
        assert_eq!(folder.take_missing(), [missing("short", 0, Some(WHOLE_BYTES))]);
        let absent = File::open(&folder.path().join("other")).unwrap_err();
        assert_eq!(absent.kind(), io::ErrorKind::NotFound);
        assert!(folder.take_missing().is_empty());
        assert_eq!(crate::list(folder.path()).unwrap(), ["short"]);
        folder.set_absent("short");
        assert!(crate::list(folder.path()).unwrap().is_empty());
        assert!(File::open(&folder.path().join("short")).is_err());
        assert!(crate::is_folder(folder.path()));
    }
}
