//! Text that is safe for a terminal. A file, a table or a name may hold anything, and must not control the
//! terminal.

use std::borrow::Cow;
use std::io::{self, Write};

/// The text with its control characters escaped as `\u001b`, except line breaks and tabs. JSON stays JSON.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match steers(letter) {
            true => plain.push_str(&format!("\\u{:04x}", u32::from(letter))),
            false => plain.push(letter),
        }
    }
    plain.into()
}

fn steers(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\t')
}

/// A writer that passes on [plain] text. Each write must hold complete characters, as those of `write!` do.
pub struct Plain<W>(
    /// The inner writer.
    pub W,
);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(plain(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_escaped() {
        for (text, expected) in [
            ("é\tb\n", "é\tb\n"),
            ("\x1b[2Jx\r\x07", "\\u001b[2Jx\\u000d\\u0007"),
            ("\x7f\u{9b}31m\0", "\\u007f\\u009b31m\\u0000"),
        ] {
            let mut written = Plain(Vec::new());
            write!(written, "{text}").expect("memory takes all");
            assert_eq!(String::from_utf8(written.0).expect("text"), expected);
        }
    }
}
