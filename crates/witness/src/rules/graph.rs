//! A directed graph, from its file: a list of moves, or DOT. The vertices are the positions.

use std::collections::HashMap;
use std::ops::Range;

use super::{run, runs, stuck};
use crate::proof::{LOST, Place, Rules, WON};
use crate::table::{DRAW, Number};

/// States are the vertices in the order of first appearance.
#[derive(Default)]
pub(crate) struct Graph {
    names: Vec<String>,
    /// For each vertex, where its moves lead.
    moves: Vec<Vec<u64>>,
    /// The vertices with a value by rule.
    valued: HashMap<u64, Number>,
    misere: bool,
}

impl Graph {
    /// Reads a file.
    pub(crate) fn parse(text: &str, misere: bool) -> Option<Graph> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader =
            Reader { graph: Graph { misere, ..Graph::default() }, known: HashMap::new() };
        match tokens(text).filter(|tokens| is_dot(tokens)) {
            Some(tokens) => reader.dot(&tokens)?,
            None => reader.list(text)?,
        }
        let graph = reader.graph;
        let valued = |vertex: &u64| graph.moves[*vertex as usize].is_empty();
        (!graph.names.is_empty() && graph.valued.keys().all(valued)).then_some(graph)
    }
}

/// A graph, and the numbers of its names so far.
struct Reader {
    graph: Graph,
    known: HashMap<String, u64>,
}

impl Reader {
    fn vertex(&mut self, name: &str) -> u64 {
        let next = self.graph.names.len() as u64;
        let number = *self.known.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.graph.names.push(name.to_owned());
            self.graph.moves.push(Vec::new());
        }
        number
    }

    fn edge(&mut self, from: u64, to: u64) {
        self.graph.moves[from as usize].push(to);
    }

    /// A list of moves: `a b` is a move, `= c draw` a value.
    fn list(&mut self, text: &str) -> Option<()> {
        for line in text.lines() {
            let words = line.split('#').next().unwrap_or_default().split_whitespace();
            match *words.collect::<Vec<_>>() {
                [] => {}
                ["=", name, value] => {
                    let vertex = self.vertex(name);
                    let value = match value {
                        "win" => WON,
                        "loss" => LOST,
                        "draw" => DRAW,
                        _ => return None,
                    };
                    self.graph.valued.insert(vertex, value);
                }
                [from, to] if from != "=" => {
                    let from = self.vertex(from);
                    let to = self.vertex(to);
                    self.edge(from, to);
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// DOT: paths of edges between names. Attributes, ports and the frames of subgraphs do not count.
    fn dot(&mut self, tokens: &[Token]) -> Option<()> {
        let strict = tokens.first()?.is("strict");
        let open = tokens.iter().position(|token| *token == Token::Mark('{'))?;
        let mut at = open + 1;
        let mut depth = 1;
        // The vertex before an arrow.
        let mut from = None;
        while depth > 0 {
            let arrow = from.is_some() && tokens.get(at) == Some(&Token::Arrow);
            at += usize::from(arrow);
            let token = tokens.get(at)?;
            at += 1;
            let is_keyword = ["graph", "node", "edge"].iter().any(|word| token.is(word));
            match token {
                // An edge to a whole subgraph stands for edges that the file does not show.
                _ if arrow && (token.name().is_none() || is_keyword || token.is("subgraph")) => {
                    return None;
                }
                Token::Mark('{') => depth += 1,
                Token::Mark('}') => depth -= 1,
                Token::Mark('[') => {
                    at += tokens[at..].iter().position(|token| *token == Token::Mark(']'))? + 1;
                    from = None;
                    continue;
                }
                Token::Mark(';') => {}
                _ if token.is("subgraph") => {
                    at += usize::from(tokens.get(at)? != &Token::Mark('{'));
                }
                _ if is_keyword => {}
                _ if tokens.get(at) == Some(&Token::Mark('=')) => at += 2,
                _ => {
                    let to = self.vertex(token.name()?);
                    while tokens.get(at) == Some(&Token::Mark(':')) {
                        at += 2;
                    }
                    if let Some(from) = from.filter(|_| arrow) {
                        self.edge(from, to);
                    }
                    from = Some(to);
                    continue;
                }
            }
            from = None;
        }
        if strict {
            for moves in &mut self.graph.moves {
                moves.sort_unstable();
                moves.dedup();
            }
        }
        (at == tokens.len()).then_some(())
    }
}

/// A word or sign of DOT.
#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    Quoted(String),
    Markup,
    Arrow,
    Mark(char),
}

impl Token {
    /// Whether it is a keyword, which stands without quotes, in any case.
    fn is(&self, keyword: &str) -> bool {
        matches!(self, Token::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    fn name(&self) -> Option<&str> {
        match self {
            Token::Word(name) | Token::Quoted(name) => Some(name),
            _ => None,
        }
    }
}

/// Whether a text begins like DOT: `digraph`, a name if there is one, and a brace.
fn is_dot(tokens: &[Token]) -> bool {
    let tokens = match tokens.first() {
        Some(first) if first.is("strict") => &tokens[1..],
        _ => tokens,
    };
    tokens.first().is_some_and(|first| first.is("digraph"))
        && tokens.iter().take(4).any(|token| *token == Token::Mark('{'))
}

/// The tokens of DOT. `None` if the text has others.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let (mut tokens, mut rest, mut fresh) = (Vec::new(), text, true);
    let mut joins = false;
    loop {
        let blank = rest.len() - rest.trim_start().len();
        fresh |= rest[..blank].contains('\n');
        rest = &rest[blank..];
        let Some(first) = rest.chars().next() else { return Some(tokens) };
        // How many bytes the next token takes, or a comment.
        let comment = rest.starts_with("//") || fresh && first == '#';
        if comment {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        }
        if let Some(inside) = rest.strip_prefix("/*") {
            rest = &inside[inside.find("*/")? + 2..];
            continue;
        }
        fresh = false;
        let taken = match first {
            '"' => {
                let (name, bytes) = quoted(rest)?;
                match tokens.last_mut() {
                    Some(Token::Quoted(before)) if joins => before.push_str(&name),
                    _ => tokens.push(Token::Quoted(name)),
                }
                bytes
            }
            '+' => 1,
            '<' => {
                tokens.push(Token::Markup);
                let mut depth = 0;
                let closes = |(_, letter): &(usize, char)| {
                    depth += i32::from(*letter == '<') - i32::from(*letter == '>');
                    depth == 0
                };
                rest.char_indices().find(closes)?.0 + 1
            }
            '-' if rest.starts_with("->") => {
                tokens.push(Token::Arrow);
                2
            }
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => {
                tokens.push(Token::Mark(first));
                1
            }
            _ => {
                let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || !c.is_ascii();
                let sign = usize::from(first == '-');
                let length = rest[sign..].find(|c| !inside(c)).map_or(rest.len(), |end| end + sign);
                if length == sign {
                    return None;
                }
                tokens.push(Token::Word(rest[..length].to_owned()));
                length
            }
        };
        joins = first == '+';
        rest = &rest[taken..];
    }
}

/// The name in quotes at the beginning of a text, and how many bytes it takes with its quotes.
fn quoted(text: &str) -> Option<(String, usize)> {
    let (mut name, mut letters) = (String::new(), text.char_indices().skip(1).peekable());
    while let Some((at, letter)) = letters.next() {
        match (letter, letters.peek().map(|(_, next)| *next)) {
            ('"', _) => return Some((name.replace("\\\r\n", "").replace("\\\n", ""), at + 1)),
            ('\\', Some('"')) => {
                letters.next();
                name.push('"');
            }
            // What follows a backslash never ends the name.
            ('\\', Some(next)) => {
                letters.next();
                name.extend(['\\', next]);
            }
            _ => name.push(letter),
        }
    }
    None
}

impl Rules for Graph {
    type Position = u64;

    fn runs(&self) -> u64 {
        runs(self.names.len() as u64)
    }

    fn run(&self, number: u64) -> Range<u64> {
        run(number, self.names.len() as u64)
    }

    fn each(&self, number: u64, mut visit: impl FnMut(&u64)) {
        self.run(number).for_each(|state| visit(&state));
    }

    fn place(&self, &position: &u64) -> Place {
        Place::Table(0, position)
    }

    fn moves(&self, &position: &u64, visit: impl FnMut(&u64)) {
        self.moves[position as usize].iter().for_each(visit);
    }

    fn decided(&self, position: &u64) -> Option<Number> {
        self.valued.get(position).copied()
    }

    fn stuck(&self, _: &u64) -> Number {
        stuck(self.misere)
    }

    fn text(&self, &position: &u64) -> String {
        self.names[position as usize].clone()
    }
}
