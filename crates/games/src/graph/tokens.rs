//! The tokens of a DOT file, by the lexical rules of Graphviz (graphviz.org/doc/info/lang.html).

use crate::ReadError;
use std::borrow::Cow;

/// One word or sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Letters and digits, or a number. May be a keyword.
    Word(&'a str),
    /// A name in quotes, without them. Never a keyword.
    Quoted(Cow<'a, str>),
    /// Markup between angle brackets, which only attributes hold.
    Markup,
    /// `->`
    Arrow,
    /// `--`
    Line,
    /// `{`, `}`, `[`, `]`, `;`, `,`, `=` or `:`.
    Mark(char),
    /// The end of the file.
    End,
}

/// Splits a text into tokens.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    /// The line that `rest` begins in.
    here: u64,
    /// The line that the last token begins in.
    line: u64,
    /// Whether only blanks come before `rest` in its line. If so, `#` begins a comment.
    fresh: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text, here: 1, line: 1, fresh: true }
    }

    /// The line in which the last token begins.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The next token.
    pub(super) fn read(&mut self) -> Result<Token<'a>, ReadError> {
        self.skip_blanks()?;
        self.fresh = false;
        self.line = self.here;
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        match first {
            '"' => self.quoted(),
            '<' => self.markup(),
            '-' if self.rest.starts_with("->") => Ok(self.mark(2, Token::Arrow)),
            '-' if self.rest.starts_with("--") => Ok(self.mark(2, Token::Line)),
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => Ok(self.mark(1, Token::Mark(first))),
            _ => self.word(first),
        }
    }

    /// Takes `bytes` bytes off the text and counts their lines.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.here += taken.bytes().filter(|&byte| byte == b'\n').count() as u64;
        taken
    }

    fn mark(&mut self, bytes: usize, token: Token<'a>) -> Token<'a> {
        self.take(bytes);
        token
    }

    fn skip_blanks(&mut self) -> Result<(), ReadError> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.fresh |= self.take(blank).contains('\n');
            if self.rest.starts_with("//") || (self.fresh && self.rest.starts_with('#')) {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest[2..].find("*/") else {
                    return Err(ReadError::at(
                        self.here,
                        "a comment is not closed: end it with */",
                    ));
                };
                self.take(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    fn word(&mut self, first: char) -> Result<Token<'a>, ReadError> {
        let signs = usize::from(first == '-');
        let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || !c.is_ascii();
        let length =
            self.rest[signs..].find(|c| !inside(c)).map_or(self.rest.len(), |end| end + signs);
        if length == signs {
            let what = format!("{first:?} cannot be in a plain name: put quotes around the name");
            return Err(ReadError::at(self.here, what));
        }
        Ok(Token::Word(self.take(length)))
    }

    /// A name in quotes, or several joined by `+`.
    fn quoted(&mut self) -> Result<Token<'a>, ReadError> {
        let mut name = self.between_quotes()?;
        loop {
            self.skip_blanks()?;
            if !self.rest.starts_with('+') {
                return Ok(Token::Quoted(name));
            }
            self.take(1);
            self.skip_blanks()?;
            if !self.rest.starts_with('"') {
                return Err(ReadError::at(
                    self.here,
                    "`+` joins two names in quotes: add the second, or remove it",
                ));
            }
            let more = self.between_quotes()?;
            name.to_mut().push_str(&more);
        }
    }

    fn between_quotes(&mut self) -> Result<Cow<'a, str>, ReadError> {
        let line = self.here;
        let mut end = 1;
        while let Some(at) = self.rest[end..].find(['"', '\\']) {
            end += at;
            if self.rest[end..].starts_with('"') {
                let name = &self.take(end + 1)[1..end];
                // `\"` is a quote, and a line break after `\\` is skipped. All other characters are plain.
                return Ok(if name.contains('\\') {
                    name.replace("\\\"", "\"").replace("\\\r\n", "").replace("\\\n", "").into()
                } else {
                    name.into()
                });
            }
            end += 1 + self.rest[end + 1..].chars().next().map_or(0, char::len_utf8);
        }
        Err(ReadError::at(line, "a name in quotes is not closed: end it with a quote"))
    }

    fn markup(&mut self) -> Result<Token<'a>, ReadError> {
        let mut depth = 0;
        for (at, c) in self.rest.char_indices() {
            depth += i32::from(c == '<') - i32::from(c == '>');
            if depth == 0 {
                return Ok(self.mark(at + 1, Token::Markup));
            }
        }
        Err(ReadError::at(self.here, "a `<` is not closed: end the markup with `>`"))
    }
}
