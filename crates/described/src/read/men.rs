//! Men: their kinds, and where they start.

use super::{CLASSES_MAX, Reader};
use crate::TextError;
use crate::board::Board;
use crate::text::Class;
use crate::words::{Word, Words, unknown, upper};

impl Reader {
    pub(super) fn men(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        let place = words.place();
        let points = u32::from(self.whole_board(place)?.len());
        self.board.iter_mut().for_each(Board::complete);
        if !self.moves.is_empty() || !self.promotions.is_empty() || !self.ends.is_empty() {
            return place.error("all `men` must stand before the moves and ends");
        }
        let [first, second] = self.player_names();
        let player = self.player(words, &[first, second, "both"])?;
        let kind = words.name("the kind of the men")?;
        if upper(first_letter(kind.text)) == first_letter(kind.text) {
            return kind.place.error(format!(
                "`{}`: the first letter of a kind is its sign, and needs an upper case",
                kind.text
            ));
        }
        let count = words.number(0..=points.min(24))?;
        let in_hand = words.take("hand");
        words.finish(&["hand"])?;
        for player in if player == 2 { 0..2 } else { player..player + 1 } {
            let mut own = self.classes.iter().filter(|(_, class)| class.player == player);
            if let Some((there, other)) =
                own.find(|(_, other)| first_letter(&other.kind) == first_letter(kind.text))
            {
                if other.kind == kind.text {
                    let (player, line) = (self.player_names()[player], there.line);
                    return kind.place.error(format!(
                        "line {line} says already how many `{}` {player} has",
                        kind.text
                    ));
                }
                return kind.place.error(format!(
                    "`{}` begins like `{}`: the first letter is its sign in positions, so choose another name",
                    kind.text, other.kind
                ));
            }
            let class = Class {
                player,
                kind: kind.text.to_owned(),
                count,
                in_hand,
                start: 0,
                royal: false,
            };
            self.classes.push((place, class));
        }
        if self.classes.len() > CLASSES_MAX {
            return place
                .error(format!("more than {CLASSES_MAX} kinds of men, counted for each player"));
        }
        self.classes.sort_by_key(|(_, class)| class.player);
        Ok(())
    }

    /// The place of a player's name among some. A player without a name is told where names come from.
    fn player(&self, words: &mut Words<'_>, names: &[&str]) -> Result<usize, TextError> {
        words.one_of(names).map_err(|error| match self.players {
            Some(_) => error,
            None => {
                let problem =
                    format!("{}; for other names, write `players` before `men`", error.problem);
                TextError { problem, ..error }
            }
        })
    }

    /// The name of a kind that some player has.
    pub(super) fn kind(&self, words: &mut Words<'_>) -> Result<String, TextError> {
        let mut kinds: Vec<&str> = self.classes.iter().map(|(_, class)| &*class.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() {
            return words.place().error("no men yet: write `men` before this");
        }
        Ok(kinds[words.one_of(&kinds)?].to_owned())
    }

    /// Kinds with commas between.
    pub(super) fn kinds(&self, words: &mut Words<'_>) -> Result<Vec<String>, TextError> {
        let word = words.next("a kind of men")?;
        let mut names: Vec<&str> = self.classes.iter().map(|(_, class)| &*class.kind).collect();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() {
            return word.place.error("no men yet: write `men` before this");
        }
        let kinds = word.text.split(',');
        let kinds = kinds.map(|text| match names.contains(&text) {
            true => Ok(text.to_owned()),
            false => unknown(Word { text, ..word }, &names),
        });
        kinds.collect()
    }

    /// The class of a kind of a player.
    pub(super) fn class(&self, player: usize, kind: &str) -> Option<usize> {
        self.classes.iter().position(|(_, class)| class.player == player && class.kind == kind)
    }

    /// The players of an option `for PLAYER`, or both.
    pub(super) fn only(&self, words: &mut Words<'_>) -> Result<Vec<usize>, TextError> {
        if !words.take("for") {
            return Ok(vec![0, 1]);
        }
        Ok(vec![words.one_of(&self.player_names())?])
    }

    /// Men that no move may leave where they can be taken.
    pub(super) fn royal(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        let place = words.place();
        let kinds = self.kinds(words)?;
        let players = self.only(words)?;
        let own = self.classes.iter_mut().map(|(_, class)| class);
        let mut own =
            own.filter(|class| kinds.contains(&class.kind) && players.contains(&class.player));
        let mut none = true;
        own.by_ref().for_each(|class| (class.royal, none) = (true, false));
        if none {
            return place.error(format!("no player of this line has a `{}`", kinds.join(",")));
        }
        Ok(())
    }

    pub(super) fn start(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        let player = self.player(words, &self.player_names())?;
        let at = words.place();
        let kind = self.kind(words)?;
        let Some(class) = self.class(player, &kind) else {
            return at.error(format!("{} has no `{kind}`", self.player_names()[player]));
        };
        let place = words.place();
        let zone = self.whole_board(place)?.zone(words.next("the points")?)?;
        let taken = self.classes.iter().fold(0, |all, (_, class)| all | class.start);
        let class = &mut self.classes[class].1;
        if class.in_hand || zone.count_ones() != class.count {
            let (count, points) = (class.count, zone.count_ones());
            if class.in_hand {
                return place
                    .error(format!("`{kind}` starts in hand: leave `start` out, or `hand`"));
            }
            let points = retrograde::counted(points, "point");
            let how = match words.peek() {
                Some(_) => "write all points in one word, with commas between",
                None => "name as many points as the player has men",
            };
            return place.error(format!("{points} for {count} `{kind}`: {how}"));
        }
        if zone & taken != 0 {
            let both = (zone & taken).trailing_zeros() as usize;
            let point = &self.whole_board(place)?.points[both].name;
            return place.error(format!("two men cannot start on one point: `{point}` has one"));
        }
        class.start = zone;
        Ok(())
    }
}

fn first_letter(kind: &str) -> char {
    kind.chars().next().unwrap_or('?')
}
