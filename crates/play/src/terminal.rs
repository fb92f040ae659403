//! The terminal as a whole screen: it reads single keys, and restores the terminal afterwards, no matter how play ends.
//!
//! The terminal is in raw mode, so keys come one by one; Ctrl-C and Ctrl-Z are keys like others. The terminal is
//! restored when a [`Terminal`] is dropped, before a panic prints its message, and before a signal ends the program.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Mutex, Once, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

/// The signals that stop the program, as the program handles them.
#[derive(Clone, Copy)]
pub struct StopSignal {
    /// Makes the first stop signal ask only. Calls the function before the program ends.
    pub before_end: fn(fn()),
    /// Whether a stop signal has come.
    pub is_asked: fn() -> bool,
}

/// A key, or another event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A character.
    Char(char),
    /// Enter.
    Enter,
    /// Backspace.
    Backspace,
    /// Tab.
    Tab,
    /// Escape.
    Esc,
    /// An arrow: rows down, columns right.
    Arrow(i32, i32),
    /// A page up or down.
    Page(i32),
    /// Leave: Ctrl-C or Ctrl-D, a stop signal, or a closed terminal.
    Leave,
    /// The screen must be drawn again, perhaps in another size.
    Redraw,
}

/// The terminal, while play uses the whole of it.
pub(crate) struct Terminal {
    stop: StopSignal,
    size: (usize, usize),
    /// How often to draw again, with short pauses. A terminal may lose output while it changes its size.
    settling: u32,
    /// Bytes that are not a complete key yet.
    bytes: Vec<u8>,
}

/// The settings of the terminal before play. `None` if they are restored.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Switches to another screen, hides the cursor, and turns line wrapping off.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
const LEAVE: &str = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

impl Terminal {
    /// Takes the terminal, if standard input and output are the same one.
    pub(crate) fn take(stop: StopSignal) -> io::Result<Terminal> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let tell = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                release();
                tell(panic);
            }));
        });
        (stop.before_end)(release);
        enter()?;
        Ok(Terminal { stop, size: size(), settling: 0, bytes: Vec::new() })
    }

    /// How many rows and columns there are.
    pub(crate) fn size(&self) -> (usize, usize) {
        self.size
    }

    /// Waits for a key.
    pub(crate) fn key(&mut self) -> io::Result<Key> {
        loop {
            if (self.stop.is_asked)() {
                return Ok(Key::Leave);
            }
            if let Some(key) = self.next_key(false) {
                return self.answer(key);
            }
            // The terminal does not report a new size, so the program asks now and then.
            let quiet = !self.wait(if self.bytes.is_empty() { 200 } else { 40 })?;
            let size = size();
            if size != self.size {
                self.size = size;
                self.settling = 3;
                return Ok(Key::Redraw);
            }
            if quiet && self.settling > 0 {
                self.settling -= 1;
                return Ok(Key::Redraw);
            }
            if quiet {
                if let Some(key) = self.next_key(true) {
                    return self.answer(key);
                }
                continue;
            }
            let mut buffer = [0; 256];
            match io::stdin().lock().read(&mut buffer) {
                Ok(0) => return Ok(Key::Leave),
                Ok(read) => self.bytes.extend_from_slice(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether input arrives within `milliseconds` milliseconds.
    fn wait(&self, milliseconds: i64) -> io::Result<bool> {
        let stdin = io::stdin();
        let mut asked = [PollFd::new(&stdin, PollFlags::IN)];
        let limit = Timespec { tv_sec: 0, tv_nsec: milliseconds * 1_000_000 };
        match poll(&mut asked, Some(&limit)) {
            Ok(found) => Ok(found > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Handles keys that the game does not see: Ctrl-Z stops the program.
    fn answer(&mut self, key: Key) -> io::Result<Key> {
        if key != Key::Char('\x1a') {
            return Ok(key);
        }
        release();
        // Sends the signal to this thread: it would not wait for one that another thread of the process takes.
        signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)?;
        enter()?;
        self.size = size();
        Ok(Key::Redraw)
    }

    /// The first key among the bytes. If `all` bytes have come, an incomplete key counts as what it looks like.
    fn next_key(&mut self, all: bool) -> Option<Key> {
        let (key, length) = decode(&self.bytes, all)?;
        self.bytes.drain(..length);
        // Skips a key that we do not know.
        key.or_else(|| self.next_key(all))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        release();
    }
}

fn enter() -> io::Result<()> {
    let stdin = io::stdin();
    let before = tcgetattr(&stdin)?;
    let mut raw = before.clone();
    raw.make_raw();
    *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
    tcsetattr(&stdin, OptionalActions::Now, &raw)?;
    say(ENTER)
}

/// Restores the terminal, once.
fn release() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(before) = before {
        // If the terminal is gone, there is nothing to restore.
        let _ = say(LEAVE);
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
    }
}

/// Writes to the terminal, bypassing every buffer and lock, because a panic may hold them.
fn say(text: &str) -> io::Result<()> {
    File::options().write(true).open("/dev/tty")?.write_all(text.as_bytes())
}

/// Rows and columns; 24 and 80 if the terminal does not report them.
fn size() -> (usize, usize) {
    match tcgetwinsize(io::stdout()) {
        Ok(size) if size.ws_row > 0 && size.ws_col > 0 => (size.ws_row.into(), size.ws_col.into()),
        _ => (24, 80),
    }
}

/// The key that some bytes begin with, and its length. `Some((None, n))` for an unknown key, `None` if more bytes must
/// come.
fn decode(bytes: &[u8], all: bool) -> Option<(Option<Key>, usize)> {
    let &first = bytes.first()?;
    let key = match first {
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        8 | 127 => Key::Backspace,
        3 | 4 => Key::Leave,
        12 => Key::Redraw,
        26 => Key::Char('\x1a'),
        27 => return decode_escape(bytes, all),
        0..32 => return Some((None, 1)),
        32..128 => Key::Char(first.into()),
        _ => {
            let length = if first < 0xe0 { 2 } else { 3 + usize::from(first >= 0xf0) };
            if bytes.len() < length && !all {
                return None;
            }
            let text = bytes.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
            return Some(match text.and_then(|text| text.chars().next()) {
                Some(letter) => (Some(Key::Char(letter)), length),
                None => (None, 1),
            });
        }
    };
    Some((Some(key), 1))
}

/// The same for bytes that begin with escape: a named key, or the escape key.
fn decode_escape(bytes: &[u8], all: bool) -> Option<(Option<Key>, usize)> {
    let alone = Some((Some(Key::Esc), 1));
    let (Some(b'[' | b'O'), rest) = (bytes.get(1), bytes.get(2..).unwrap_or_default()) else {
        return if bytes.len() == 1 && !all { None } else { alone };
    };
    let Some(end) = rest.iter().position(|byte| (0x40..0x7f).contains(byte)) else {
        return if all { Some((None, bytes.len())) } else { None };
    };
    let key = match (rest[end], &rest[..end]) {
        (b'A', _) => Some(Key::Arrow(-1, 0)),
        (b'B', _) => Some(Key::Arrow(1, 0)),
        (b'C', _) => Some(Key::Arrow(0, 1)),
        (b'D', _) => Some(Key::Arrow(0, -1)),
        (b'~', b"5") => Some(Key::Page(-1)),
        (b'~', b"6") => Some(Key::Page(1)),
        _ => None,
    };
    Some((key, 3 + end))
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use retrograde_testkit::needs;

    use super::*;

    /// No signal stops the test.
    const NO_SIGNAL: StopSignal = StopSignal { before_end: |_| {}, is_asked: || false };

    #[test]
    #[ignore = "run by another test, in a terminal of its own"]
    fn take_the_terminal_and_panic() {
        let _terminal = Terminal::take(NO_SIGNAL).expect("a terminal");
        panic!("on purpose");
    }

    #[test]
    fn a_panic_is_told_on_a_terminal_in_order() {
        if !needs::program("tmux") {
            return;
        }
        let name = format!("retrograde-panic-{}", std::process::id());
        let tmux = |arguments: &[&str]| {
            let output = Command::new("tmux")
                .args(["-L", &name, "-f", "/dev/null"])
                .args(arguments)
                .output();
            let output = output.expect("tmux starts");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let me = std::env::current_exe().expect("a test runs");
        let this = "terminal::tests::take_the_terminal_and_panic";
        let order = "icanon|echo|isig|opost|icrnl";
        let line = format!(
            "RUST_BACKTRACE=0 '{}' --ignored --exact {this} --nocapture; stty -a | tr ' ' '\\n' | grep \
             -cxE '{order}'; sleep 60",
            me.display()
        );
        tmux(&["new-session", "-d", "-x", "100", "-y", "30", &line]);
        let began = Instant::now();
        let seen = loop {
            let seen = tmux(&["capture-pane", "-p"]);
            if seen.lines().any(|line| line == "5") || began.elapsed() > Duration::from_secs(60) {
                break seen;
            }
            sleep(Duration::from_millis(20));
        };
        let flags = tmux(&["display-message", "-p", "#{cursor_flag} #{alternate_on} #{wrap_flag}"]);
        tmux(&["kill-server"]);
        assert!(seen.contains("on purpose"), "the panic is told:\n{seen}");
        assert!(seen.lines().any(|line| line == "5"), "five settings in order:\n{seen}");
        assert_eq!(flags, "1 0 1\n", "a cursor, the first screen, lines that wrap");
    }

    #[test]
    fn keys_come_in_pieces() {
        let up = Some((Some(Key::Arrow(-1, 0)), 3));
        assert_eq!(decode(b"\x1b[A", false), up);
        assert_eq!(decode(b"\x1bOA", false), up);
        for piece in [&b"\x1b"[..], b"\x1b[", b"\x1b[1;5", "é".as_bytes().split_at(1).0] {
            assert_eq!(decode(piece, false), None, "{piece:?}");
        }
        assert_eq!(decode(b"\x1b", true), Some((Some(Key::Esc), 1)));
        assert_eq!(decode(b"\x1b[3~x", false), Some((None, 4)), "a key of no use");
        assert_eq!(decode("é".as_bytes(), false), Some((Some(Key::Char('é')), 2)));
        assert_eq!(decode(b"\xff\xff", true), Some((None, 1)), "no letter at all");
        assert_eq!(decode(b"a", false), Some((Some(Key::Char('a')), 1)));
    }
}
