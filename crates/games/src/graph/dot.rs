//! A directed graph in DOT, the language of Graphviz: edges `a -> b -> c`, with plain or quoted names. The
//! reader skips attributes, ports and subgraph frames. It refuses edges to and from whole subgraphs, because
//! they stand for edges that the file does not show.

use super::Parts;
use super::tokens::{Token, Tokens};
use crate::ReadError;
use std::borrow::Cow;

/// Whether a text begins like DOT: `digraph`, an optional name, and a brace. The rest may still be wrong.
pub(super) fn is_dot(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    let mut next = || tokens.read().unwrap_or(Token::End);
    let mut first = next();
    if is_keyword(&first, "strict") {
        first = next();
    }
    let graph = is_keyword(&first, "digraph") || is_keyword(&first, "graph");
    graph && (0..3).any(|_| next() == Token::Mark('{'))
}

/// Reads a graph.
pub(super) fn read(text: &str) -> Result<Parts, ReadError> {
    let mut reader =
        Reader { tokens: Tokens::new(text), ahead: Token::End, parts: Parts::default() };
    reader.next()?;
    let strict = reader.skip_keyword("strict")?;
    if !reader.skip_keyword("digraph")? {
        return Err(
            reader.error("an undirected graph has no moves: write `digraph` and edges with `->`")
        );
    }
    if reader.ahead != Token::Mark('{') {
        reader.name()?;
    }
    reader.expect('{')?;
    reader.statements()?;
    if strict {
        // By definition, a strict graph has no parallel edges, even if the file repeats an edge.
        reader.parts.edges.sort_unstable();
        reader.parts.edges.dedup();
    }
    Ok(reader.parts)
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    /// The next token to process.
    ahead: Token<'a>,
    parts: Parts,
}

impl<'a> Reader<'a> {
    /// Everything up to the brace that closes the graph.
    fn statements(&mut self) -> Result<(), ReadError> {
        let mut depth = 1;
        while depth > 0 {
            match &self.ahead {
                Token::Mark('{') => depth += 1,
                Token::Mark('}') => depth -= 1,
                Token::Mark(';') => {}
                token if is_keyword(token, "subgraph") => {
                    self.next()?;
                    if self.ahead != Token::Mark('{') {
                        self.name()?;
                    }
                    continue;
                }
                token if begins_defaults(token) => {
                    let keyword = describe(token);
                    self.next()?;
                    if self.ahead != Token::Mark('[') {
                        return Err(self.no_name(&keyword));
                    }
                    self.attributes()?;
                    continue;
                }
                Token::Arrow => return Err(self.error(WHOLE_SUBGRAPH)),
                Token::End => return Err(self.error("the graph is not closed: end it with }")),
                _ => {
                    self.vertices()?;
                    continue;
                }
            }
            self.next()?;
        }
        match self.ahead {
            Token::End => Ok(()),
            _ => Err(self.error("something follows the graph: leave one graph in the file")),
        }
    }

    /// A vertex, a path of edges, or an attribute of the graph.
    fn vertices(&mut self) -> Result<(), ReadError> {
        let line = self.tokens.line();
        let name = self.name()?;
        if self.ahead == Token::Mark('=') {
            self.next()?;
            return self.value();
        }
        let mut from = self.vertex(&name, line)?;
        while self.ahead == Token::Arrow {
            self.next()?;
            if self.ahead == Token::Mark('{') || is_keyword(&self.ahead, "subgraph") {
                return Err(self.error(WHOLE_SUBGRAPH));
            }
            let line = self.tokens.line();
            let name = self.name()?;
            let to = self.vertex(&name, line)?;
            self.parts.edges.push((from, to));
            from = to;
        }
        if self.ahead == Token::Line {
            return Err(self.error("`--` has no direction: write `->`"));
        }
        self.attributes()
    }

    /// The vertex with that name. Skips the port that may follow.
    fn vertex(&mut self, name: &str, line: u64) -> Result<u64, ReadError> {
        if name.is_empty() || name.contains(char::is_control) {
            let what = "a name is empty, or holds a tab or a line break: rename that vertex";
            return Err(ReadError::at(line, what));
        }
        while self.ahead == Token::Mark(':') {
            self.next()?;
            self.name()?;
        }
        Ok(u64::from(self.parts.labels.number(name)))
    }

    fn attributes(&mut self) -> Result<(), ReadError> {
        while self.ahead == Token::Mark('[') {
            while self.ahead != Token::Mark(']') {
                if self.ahead == Token::End {
                    return Err(self.error("attributes are not closed: end them with ]"));
                }
                self.next()?;
            }
            self.next()?;
        }
        Ok(())
    }

    /// The value of an attribute, which may be markup.
    fn value(&mut self) -> Result<(), ReadError> {
        match self.ahead {
            Token::Markup => self.next(),
            _ => self.name().map(drop),
        }
    }

    fn name(&mut self) -> Result<Cow<'a, str>, ReadError> {
        let name = match &self.ahead {
            keyword if is_any_keyword(keyword) => return Err(self.no_name(&describe(keyword))),
            Token::Word(name) => Cow::Borrowed(*name),
            Token::Quoted(name) => name.clone(),
            Token::Markup => {
                let what =
                    "markup cannot be a name: give the vertex a plain name, or one in quotes";
                return Err(self.error(what));
            }
            other => {
                let other = describe(other);
                let what = format!("found {other} instead of a name: write edges as `a -> b`");
                return Err(self.error(what));
            }
        };
        self.next()?;
        Ok(name)
    }

    /// Moves on to the next token.
    fn next(&mut self) -> Result<(), ReadError> {
        self.ahead = self.tokens.read()?;
        Ok(())
    }

    fn skip_keyword(&mut self, keyword: &str) -> Result<bool, ReadError> {
        let there = is_keyword(&self.ahead, keyword);
        if there {
            self.next()?;
        }
        Ok(there)
    }

    fn expect(&mut self, mark: char) -> Result<(), ReadError> {
        if self.ahead != Token::Mark(mark) {
            let what = format!(
                "found {} instead of {mark}: begin with `digraph {{`",
                describe(&self.ahead)
            );
            return Err(self.error(what));
        }
        self.next()
    }

    /// The error for a keyword in place of a name.
    fn no_name(&self, keyword: &str) -> ReadError {
        self.error(format!(
            "{} is a keyword of DOT: put it in quotes to use it as a name",
            keyword.replace('"', "`")
        ))
    }

    fn error(&self, what: impl Into<String>) -> ReadError {
        ReadError::at(self.tokens.line(), what)
    }
}

const WHOLE_SUBGRAPH: &str = "an edge to or from a whole subgraph: write its edges one by one";

/// Keywords are plain words, in any case.
fn is_keyword(token: &Token, keyword: &str) -> bool {
    matches!(token, Token::Word(word) if word.eq_ignore_ascii_case(keyword))
}

fn is_any_keyword(token: &Token) -> bool {
    begins_defaults(token)
        || ["strict", "digraph", "subgraph"].iter().any(|keyword| is_keyword(token, keyword))
}

/// Whether a token begins a statement that has only attributes.
fn begins_defaults(token: &Token) -> bool {
    ["graph", "node", "edge"].iter().any(|keyword| is_keyword(token, keyword))
}

fn describe(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("{word:?}"),
        Token::Quoted(name) => format!("{name:?}"),
        Token::Markup => "markup".to_string(),
        Token::Arrow => "`->`".to_string(),
        Token::Line => "`--`".to_string(),
        Token::Mark(mark) => format!("`{mark}`"),
        Token::End => "the end of the file".to_string(),
    }
}
