//! Who wins.

use super::{ENDS_MAX, Reader};
use crate::TextError;
use crate::board::{POINTS_MAX, Set};
use crate::text::{End, Test};
use crate::words::{Words, unknown};

impl Reader {
    pub(super) fn win(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        self.wins += 1;
        let place = words.place();
        let board = self.whole_board(place)?;
        let forms = ["line", "block", "own", "reach", "out", "below", "take"];
        // Tests that are the same for both players, and the kind of the others.
        let (mut tests, mut of_kind) = (Vec::new(), None);
        let pattern = |own: Set| Test::Pattern { own, other: 0 };
        match forms[words.one_of(&forms)?] {
            "line" => {
                let length = words.number(2..=POINTS_MAX as u32)? as usize;
                let directions = self.directions(words)?;
                tests.extend(board.lines(length, &directions).into_iter().map(pattern));
            }
            "block" => {
                let (columns, rows) = (words.number(1..=26)?, words.number(1..=64)?);
                tests.extend(board.blocks(columns as i32, rows as i32).into_iter().map(pattern));
            }
            "own" => {
                let own = board.zone(words.next("the points of own men")?)?;
                let other = match words.take("other") {
                    true => board.zone(words.next("the points of the men of the other player")?)?,
                    false => 0,
                };
                if own & other != 0 {
                    return place.error("a point cannot have men of both players");
                }
                tests.push(Test::Pattern { own, other });
            }
            "reach" => {
                let kind = self.kind(words)?;
                let zone = board.zone(words.next("the points")?)?;
                of_kind = Some((kind, Some((zone, words.take("safe")))));
            }
            "out" => tests.push(Test::Out),
            "below" => tests.push(Test::Below(words.number(1..=POINTS_MAX as u32)?)),
            _ => of_kind = Some((self.kind(words)?, None)),
        }
        let none = tests.is_empty() && of_kind.is_none();
        let options = ["for", "other", "safe"];
        let last = words.peek().filter(|word| word.text != "for");
        if let Some(word) = last {
            return unknown(word, &options);
        }
        let mut ends = Vec::new();
        for player in self.only(words)? {
            ends.extend(tests.iter().cloned().map(|test| End { player, test }));
            ends.extend(of_kind.as_ref().and_then(|(kind, reach)| {
                let test = match *reach {
                    Some((zone, safe)) => {
                        Test::Reach { class: self.class(player, kind)?, zone, safe }
                    }
                    None => Test::Take(self.class(1 - player, kind)?),
                };
                Some(End { player, test })
            }));
        }
        if none || ends.is_empty() {
            return place.error("nothing on this board is such an end");
        }
        for end in ends {
            if self.known_ends.insert(end.clone()) {
                self.ends.push(end);
            }
        }
        if self.ends.len() > ENDS_MAX {
            return place.error(format!("more than {ENDS_MAX} ends, counted for each player"));
        }
        Ok(())
    }
}
