//! A table on a web server, read in parts. The program `curl` asks for them, so the witness has no code for HTTP, TLS or proxies.
//!
//! A server may change its answers while a proof runs. So a part that is read again must be the same as before: a fingerprint
//! of each part stays in memory. Its key is random, so a server cannot find two parts with one fingerprint.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// How many parts of a table stay in memory.
const PARTS_MAX: usize = 32;
/// The longest heads of answers, those of redirections included.
const HEADS_MAX: u64 = 1 << 16;

/// A file on a web server.
pub(crate) struct Remote {
    url: String,
    len: u64,
    part_bytes: u64,
    parts: BTreeMap<u64, Arc<Vec<u8>>>,
    /// The numbers of these parts, the oldest first.
    order: VecDeque<u64>,
    /// The fingerprints of all parts that have ever arrived.
    fingerprints: HashMap<u64, u64>,
    key: RandomState,
}

/// What a server sends.
struct Answer {
    /// How long the whole file is.
    len: u64,
    part: Vec<u8>,
}

/// The URL that a path is, if it is one.
pub(crate) fn url(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)).then_some(text)
}

impl Remote {
    pub(crate) fn open(url: &str, part_bytes: u64) -> Result<Remote, String> {
        let Answer { len, part } = ask(url, 0, part_bytes)?;
        let mut remote = Remote {
            url: url.to_owned(),
            len,
            part_bytes,
            parts: BTreeMap::new(),
            order: VecDeque::new(),
            fingerprints: HashMap::new(),
            key: RandomState::new(),
        };
        remote.keep(0, part)?;
        Ok(remote)
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Some bytes of the file, which has them.
    pub(crate) fn read(&mut self, at: u64, bytes: &mut [u8]) -> Result<(), String> {
        let mut done = 0;
        while done < bytes.len() {
            let here = at + done as u64;
            let part = self.part(here / self.part_bytes)?;
            let skip = (here % self.part_bytes) as usize;
            let count = (part.len() - skip).min(bytes.len() - done);
            bytes[done..done + count].copy_from_slice(&part[skip..skip + count]);
            done += count;
        }
        Ok(())
    }

    fn part(&mut self, number: u64) -> Result<Arc<Vec<u8>>, String> {
        if let Some(part) = self.parts.get(&number) {
            return Ok(Arc::clone(part));
        }
        let Answer { len, part } = ask(&self.url, number * self.part_bytes, self.part_bytes)?;
        if len != self.len {
            return Err("the file on the server has changed".into());
        }
        self.keep(number, part)
    }

    /// Keeps a part, if it is whole and the same as before.
    fn keep(&mut self, number: u64, part: Vec<u8>) -> Result<Arc<Vec<u8>>, String> {
        let wanted = self.part_bytes.min(self.len - (number * self.part_bytes).min(self.len));
        if part.len() as u64 != wanted {
            return Err("the server sends another part than was asked for".into());
        }
        let fingerprint = self.key.hash_one(&part);
        if *self.fingerprints.entry(number).or_insert(fingerprint) != fingerprint {
            return Err("the file on the server has changed".into());
        }
        if self.order.len() == PARTS_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.parts.remove(&oldest);
        }
        let part = Arc::new(part);
        self.order.push_back(number);
        self.parts.insert(number, Arc::clone(&part));
        Ok(part)
    }
}

/// Asks for a part of a file.
fn ask(url: &str, from: u64, part_bytes: u64) -> Result<Answer, String> {
    let range = format!("{from}-{}", from + part_bytes - 1);
    let curl = Command::new("curl")
        // Options of the user could change what is printed. Proxies are taken from the environment.
        .args(["--disable", "--globoff", "--silent", "--show-error", "--include"])
        .args(["--suppress-connect-headers", "--proto", "=http,https", "--location"])
        .args(["--connect-timeout", "60", "--speed-limit", "1", "--speed-time", "60"])
        .args(["--range", &range, "--url", url])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut curl = curl.map_err(|error| {
        format!("a table by URL is read by the program `curl`, which does not start: {error}")
    })?;
    let failed = |error: std::io::Error| format!("`curl` cannot be read: {error}");
    let (mut bytes, mut complaint) = (Vec::new(), String::new());
    let most = HEADS_MAX + part_bytes;
    let output = curl.stdout.take().expect("its output is a pipe");
    let read = output.take(most).read_to_end(&mut bytes);
    // The pipe is closed. If a server sends more than was asked for, `curl` ends now.
    let errors = curl.stderr.take().expect("its errors are a pipe");
    let told = errors.take(HEADS_MAX).read_to_string(&mut complaint);
    let status = curl.wait().map_err(failed)?;
    read.and(told).map_err(failed)?;
    if !status.success() && (bytes.len() as u64) < most {
        return Err(format!("the server does not answer: {}", complaint.trim()));
    }
    let answer = parse(&bytes)?;
    match answer {
        (206, Some(len), part) => Ok(Answer { len, part: part.to_vec() }),
        // A server may send a small file as a whole.
        (200, _, part) if from == 0 && part.len() as u64 <= part_bytes => {
            Ok(Answer { len: part.len() as u64, part: part.to_vec() })
        }
        (200 | 206, _, _) => Err(
            "the server sends no parts of files (Range); use a server that does, or copy the table"
                .into(),
        ),
        (404 | 410, _, _) => Err("there is no file of this name".into()),
        (status, _, _) => Err(format!("the server answers {status}")),
    }
}

/// The status of the last answer, the length of the whole file that its `Content-Range` tells, and its body. Heads of redirections come first.
fn parse(bytes: &[u8]) -> Result<(u16, Option<u64>, &[u8]), String> {
    let strange = || "the server does not speak HTTP".to_owned();
    let mut rest = bytes;
    loop {
        let end = rest.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(strange)?;
        let head = String::from_utf8_lossy(&rest[..end]);
        rest = &rest[end + 4..];
        let mut lines = head.lines();
        let status = lines.next().and_then(|first| first.strip_prefix("HTTP/")?.split(' ').nth(1));
        let status: u16 = status.and_then(|status| status.parse().ok()).ok_or_else(strange)?;
        let fields = || lines.clone().filter_map(|line| line.split_once(':'));
        let field = |wanted: &str| {
            let mut fields = fields().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
            fields.next().map(|(_, value)| value.trim())
        };
        let redirects = (300..400).contains(&status) && field("location").is_some();
        if status >= 200 && !redirects {
            let range = field("content-range").and_then(|range| range.rsplit_once('/'));
            return Ok((status, range.and_then(|(_, len)| len.parse().ok()), rest));
        }
    }
}
