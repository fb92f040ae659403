//! Certificates: a proof of the value of one position, which anyone can check without a table, a solver or this program.
//!
//! A certificate lists positions. The checker knows the rules of the game, and finds all else in the rows.
//!
//! - *Within* d plies the winner wins: a row of the winner names one move, and a row of the loser stands for all moves. Each
//!   leads to a row with a smaller distance.
//! - The loser lasts *at least* d plies: a row of the loser names one move, a row of the winner stands for all.
//! - *Safe*: in a set of positions, the rows of one player name a move that stays in the set, and no move of the other leads
//!   out of it. So this player never loses. If both players have such a set, the game is drawn.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

use retrograde::{Outcome, Value};

use crate::oracle::{Choices, NO_DISTANCES, Oracle, OracleError, Played, State};
use crate::worth::word;

/// A proof of the value of a position.
pub struct Certificate {
    game: String,
    start: String,
    value: Value,
    parts: Vec<Part>,
}

/// The positions of one statement.
struct Part {
    name: &'static str,
    rows: Vec<Row>,
}

/// A position; its distance, if the statement has distances; and the move, if one is enough.
struct Row {
    position: String,
    distance: Option<u32>,
    played: String,
}

/// Why there is no certificate.
#[derive(Debug)]
#[non_exhaustive]
pub enum CertificateError {
    /// It would have more rows than this.
    TooLarge(usize),
    /// The game gives an end at a distance that the rules of the game alone do not show.
    Ends(String),
    /// A value is unknown or wrong.
    Oracle(OracleError),
}

/// Whether the player whose statement this is moves in a position. In some games the position does not say who moves.
type Moves = bool;

/// Collects the rows of one statement.
struct Rows<'o> {
    oracle: &'o Oracle,
    rows_max: usize,
    /// The positions of the rows.
    seen: HashSet<(State, Moves)>,
    rows: Vec<Row>,
}

impl Certificate {
    /// The proof of the value of a position. Fails if it has more than `rows_max` rows.
    pub fn new(
        oracle: &Oracle,
        start: &State,
        rows_max: usize,
    ) -> Result<Certificate, CertificateError> {
        let value = oracle.choices(start)?.value;
        let mut parts: Vec<Part> = Vec::new();
        let mut add = |name, rows: Rows<'_>| parts.push(Part { name, rows: rows.rows });
        let rows = |parts: usize| Rows {
            oracle,
            rows_max: rows_max - parts,
            seen: HashSet::new(),
            rows: Vec::new(),
        };
        if value == Value::Draw {
            let first = rows(0).safe(start, true)?;
            let used = first.rows.len();
            add("safe for the player to move", first);
            add("safe for the other player", rows(used).safe(start, false)?);
        } else {
            if !oracle.has_distances() {
                return Err(OracleError::Unknown(NO_DISTANCES.to_owned()).into());
            }
            let wins = value.outcome() == Outcome::Win;
            let within = rows(0).within(start, wins)?;
            let used = within.rows.len();
            add("within", within);
            add("at least", rows(used).at_least(start, wins, distance(value))?);
        }
        Ok(Certificate { game: oracle.game().to_owned(), start: oracle.text(start), value, parts })
    }
}

/// The file: a head, then each statement with its rows, then the checksum (CRC-32) of all lines before it.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::from("retrograde certificate\t1\n");
        let of = self.value.distance().map(|plies| format!("\t{plies}")).unwrap_or_default();
        text += &format!(
            "game\t{}\nstart\t{}\nvalue\t{}{of}\n",
            self.game,
            self.start,
            word(self.value)
        );
        for Part { name, rows } in &self.parts {
            text += &format!("rows\t{}\t{name}\n", rows.len());
            for Row { position, distance, played } in rows {
                let distance = distance.map_or("-".to_owned(), |plies| plies.to_string());
                text += &format!("{position}\t{distance}\t{played}\n");
            }
        }
        writeln!(f, "{text}crc32\t{:08x}", crc32fast::hash(text.as_bytes()))
    }
}

impl Rows<'_> {
    /// Adds a row.
    fn add(
        &mut self,
        (state, moves): (&State, Moves),
        distance: Option<u32>,
        played: &str,
    ) -> Result<(), CertificateError> {
        if self.rows.len() >= self.rows_max {
            return Err(CertificateError::TooLarge(self.rows_max));
        }
        self.seen.insert((state.clone(), moves));
        let position = self.oracle.text(state);
        self.rows.push(Row { position, distance, played: played.to_owned() });
        Ok(())
    }

    /// The choices in a position that is not over.
    fn open(&self, state: &State) -> Result<Option<Choices>, CertificateError> {
        let choices = self.oracle.choices(state)?;
        match (&choices.over, choices.value.distance()) {
            (None, _) => Ok(Some(choices)),
            (Some(_), None | Some(0)) => Ok(None),
            (Some(_), Some(_)) => Err(CertificateError::Ends(self.oracle.text(state))),
        }
    }

    /// The winner wins, in the distances of the solution.
    fn within(mut self, start: &State, wins: Moves) -> Result<Self, CertificateError> {
        let mut left = vec![(start.clone(), wins)];
        while let Some((state, wins)) = left.pop() {
            if self.seen.contains(&(state.clone(), wins)) {
                continue;
            }
            let Some(Choices { value, moves, .. }) = self.open(&state)? else { continue };
            let chosen = if wins { &moves[..1] } else { &moves[..] };
            let name = if wins { &chosen[0].step.name } else { "" };
            self.add((&state, wins), Some(distance(value)), name)?;
            left.extend(chosen.iter().map(|played| after(played, wins)));
        }
        Ok(self)
    }

    /// The loser lasts so many plies. Of several distances that a position needs, it gets the largest.
    fn at_least(
        mut self,
        start: &State,
        wins: Moves,
        plies: u32,
    ) -> Result<Self, CertificateError> {
        let mut left = BTreeMap::from([(Reverse(plies), vec![(start.clone(), wins)])]);
        while let Some((Reverse(plies), states)) = left.pop_first() {
            for (state, wins) in states {
                if plies == 0 || self.seen.contains(&(state.clone(), wins)) {
                    continue;
                }
                let Some(Choices { moves, .. }) = self.open(&state)? else { continue };
                let chosen = if wins { &moves[..] } else { &moves[..1] };
                let name = if wins { "" } else { &chosen[0].step.name };
                self.add((&state, wins), Some(plies), name)?;
                let nearer = left.entry(Reverse(plies - 1)).or_default();
                nearer.extend(chosen.iter().map(|played| after(played, wins)));
            }
        }
        Ok(self)
    }

    /// A player does not lose.
    fn safe(mut self, start: &State, moves_first: Moves) -> Result<Self, CertificateError> {
        let mut left = vec![(start.clone(), moves_first)];
        while let Some((state, is_safe)) = left.pop() {
            if self.seen.contains(&(state.clone(), is_safe)) {
                continue;
            }
            let Some(Choices { moves, .. }) = self.open(&state)? else { continue };
            // A move to a position that is there already adds no rows.
            let known = |played: &&Played| {
                played.value >= Value::Draw && self.seen.contains(&after(played, true))
            };
            let one = moves.iter().find(known).or(moves.first()).filter(|_| is_safe);
            let name = one.map_or("", |one| &one.step.name);
            self.add((&state, is_safe), None, name)?;
            match one {
                Some(one) => left.push(after(one, is_safe)),
                None => left.extend(moves.iter().map(|played| after(played, is_safe))),
            }
        }
        Ok(self)
    }
}

/// The position after a move, and whether the player of the statement moves there.
fn after(played: &Played, moves: Moves) -> (State, Moves) {
    (played.step.next.clone(), moves == played.step.keeps_turn)
}

fn distance(value: Value) -> u32 {
    value.distance().unwrap_or(0)
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateError::TooLarge(rows) => write!(
                f,
                "the certificate would have more than {rows} rows; choose a position nearer to the end"
            ),
            CertificateError::Ends(position) => write!(
                f,
                "{position} ends the game at a distance that is not 0, so a certificate would need the values after it"
            ),
            CertificateError::Oracle(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CertificateError {}

impl From<OracleError> for CertificateError {
    fn from(error: OracleError) -> CertificateError {
        CertificateError::Oracle(error)
    }
}
