//! Reads a text: one statement a line.

mod ends;
mod men;
mod moves;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

use crate::TextError;
use crate::board::{Board, POINTS_MAX, Set};
use crate::text::{Class, End, MoveRule, Promotion, Statement, Taken, Text, Verdict};
use crate::words::{Place, Word, Words};

/// The longest text in bytes.
pub(crate) const TEXT_MAX: usize = 1 << 16;

/// The most statements `move`, `drop` and `win` of a text, ends, and classes of men.
const RULES_MAX: usize = 256;
const ENDS_MAX: usize = 4096;
const CLASSES_MAX: usize = 16;

/// The words that begin a statement.
const STATEMENTS: [&str; 18] = [
    "game", "players", "board", "row", "line", "men", "start", "royal", "move", "drop", "mill",
    "taken", "promote", "demote", "win", "stuck", "held", "both",
];

/// Reads a text.
pub(crate) fn read(text: &str) -> Result<Text, TextError> {
    if text.len() > TEXT_MAX {
        let problem = format!("the text has {} bytes: at most {TEXT_MAX} are read", text.len());
        return Place { line: 1, column: 1 }.error(problem);
    }
    let mut reader = Reader::default();
    let mut last = 1;
    for (line, text) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
        let mut words = Words::new(line, text);
        last = line;
        if !words.is_empty() {
            reader.statement(&mut words)?;
        }
    }
    reader.finish(Place { line: last, column: 1 })
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    name: Option<String>,
    players: Option<[String; 2]>,
    board: Option<Board>,
    /// The place of each statement `men`.
    classes: Vec<(Place, Class)>,
    moves: Vec<MoveRule>,
    promotions: Vec<Promotion>,
    taken: Option<Taken>,
    demotions: Vec<(String, String)>,
    mills: Vec<Set>,
    ends: Vec<End>,
    known_ends: HashSet<End>,
    wins: usize,
    stuck: Option<Verdict>,
    held: Option<Verdict>,
    both: Option<Verdict>,
    /// The lines of statements that may turn out to have no effect.
    statements: Vec<(usize, Statement)>,
    /// The directions that moves, mills and ends name.
    named: RefCell<BTreeSet<usize>>,
}

/// Sets what a text may say once.
fn once<T>(place: Place, field: &mut Option<T>, value: T, what: &str) -> Result<(), TextError> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => place.error(format!("a second `{what}`: a text has one")),
    }
}

impl Reader {
    fn statement(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        let place = words.place();
        let statement = STATEMENTS[words.one_of(&STATEMENTS)?];
        if self.moves.len() + self.wins > RULES_MAX {
            return place
                .error(format!("more than {RULES_MAX} statements `move`, `drop` and `win`"));
        }
        let (promotions, ends) = (self.promotions.len(), self.ends.len());
        match statement {
            "game" => {
                let name = words.name("the name of the game")?.text.to_owned();
                once(place, &mut self.name, name, statement)?;
            }
            "players" => self.players(place, words)?,
            "board" => self.board(place, words)?,
            "row" => self.row(place, words)?,
            "line" => self.line(words)?,
            "men" => self.men(words)?,
            "start" => self.start(words)?,
            "move" => self.moving(words)?,
            "drop" => self.dropping(words)?,
            "royal" => self.royal(words)?,
            "mill" => {
                let board = self.whole_board(place)?;
                let length = words.number(2..=POINTS_MAX as u32)? as usize;
                let lines = board.lines(length, &self.directions(words)?);
                if lines.is_empty() {
                    return place.error("no line on this board is such a mill");
                }
                self.mills.extend(lines);
                let length = length as u32;
                self.statements.push((place.line, Statement::Mill { length }));
                self.mills.sort_unstable();
                self.mills.dedup();
            }
            "taken" => {
                let taken = [Taken::Hand, Taken::Back][words.one_of(&["hand", "back"])?];
                once(place, &mut self.taken, taken, statement)?;
            }
            "promote" => self.promote(words)?,
            "demote" => {
                let [kind, into] = [self.kind(words)?, self.kind(words)?];
                self.demotions.push((kind, into));
            }
            "win" => self.win(words)?,
            _ => {
                let verdict = [Verdict::Loses, Verdict::Wins, Verdict::Draws];
                let verdict = verdict[words.one_of(&["loses", "wins", "draws"])?];
                let field = match statement {
                    "stuck" => &mut self.stuck,
                    "held" => &mut self.held,
                    _ => &mut self.both,
                };
                once(place, field, verdict, statement)?;
            }
        }
        let noted = match statement {
            "move" | "drop" => Some(Statement::Move(self.moves.len() - 1)),
            "promote" => Some(Statement::Promote(promotions..self.promotions.len())),
            "demote" => Some(Statement::Demote(self.demotions.len() - 1)),
            "win" => Some(Statement::Win(ends..self.ends.len())),
            "taken" => Some(Statement::Taken),
            _ => None,
        };
        self.statements.extend(noted.map(|noted| (place.line, noted)));
        words.finish(&[])
    }

    fn players(&mut self, place: Place, words: &mut Words<'_>) -> Result<(), TextError> {
        if !self.classes.is_empty() {
            return place.error("`players` must stand before `men`");
        }
        let first = words.name("the name of the first player")?;
        let second = words.name("the name of the second player")?;
        if first.text == second.text || [first.text, second.text].contains(&"both") {
            return second.place.error("the players need two names, and neither can be `both`");
        }
        let players = [first, second].map(|word| word.text.to_owned());
        once(place, &mut self.players, players, "players")
    }

    fn board(&mut self, place: Place, words: &mut Words<'_>) -> Result<(), TextError> {
        let board = if words.one_of(&["grid", "points"])? == 0 {
            let (columns, rows) = (words.number(1..=26)?, words.number(1..=64)?);
            let dark = words.take("dark");
            words.finish(&["dark"])?;
            if columns * rows > POINTS_MAX as u32 * (1 + u32::from(dark)) {
                return place.error(format!("a board has at most {POINTS_MAX} points"));
            }
            Board::grid(columns as i32, rows as i32, dark)
        } else {
            Board::default()
        };
        once(place, &mut self.board, board, "board")
    }

    fn row(&mut self, place: Place, words: &mut Words<'_>) -> Result<(), TextError> {
        let board = self.points(place)?;
        if !board.directions.is_empty() {
            return place.error("all rows must stand before the lines");
        }
        let mut row = Vec::new();
        while let Some(word) = words.peek() {
            let word = words.next(word.text)?;
            let mut letters = word.text.chars();
            let letter = match (letters.next(), letters.next()) {
                (Some('.'), None) => None,
                (Some(letter), None) if letter.is_alphanumeric() => Some(letter),
                _ => {
                    return word.place.error(format!(
                        "`{}`: expected one letter or digit for a point, or `.` for none",
                        word.text
                    ));
                }
            };
            let known = letter.is_some_and(|letter| {
                board.point(&letter.to_string()).is_some() || row.contains(&Some(letter))
            });
            if known {
                return word.place.error(format!("a second point `{}`", word.text));
            }
            row.push(letter);
        }
        let points = board.points.len() + row.iter().flatten().count();
        if points > POINTS_MAX || row.len() > POINTS_MAX {
            return place.error(format!("a board has at most {POINTS_MAX} points"));
        }
        board.add_row(row.into_iter());
        Ok(())
    }

    fn line(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        self.points(words.place())?;
        let name = words.name("the name of the direction")?;
        self.statements.push((name.place.line, Statement::Line(name.text.to_owned())));
        let board = self.points(name.place)?;
        if OPTIONS.contains(&name.text) || ["all", "orthogonal", "diagonal"].contains(&name.text) {
            return name.place.error(format!("`{}` cannot be the name of a direction", name.text));
        }
        loop {
            let word = words.next("the points of the line, behind its name")?;
            // A line that ends where it begins goes round.
            let round = word.text.chars().count() > 2
                && word.text.chars().next() == word.text.chars().last();
            let end = word.text.len() - word.text.chars().last().map_or(0, char::len_utf8);
            let text = if round { &word.text[..end] } else { word.text };
            let line = board.letters(Word { text, ..word })?;
            if line.len() < 2 {
                return word.place.error(format!(
                    "`{}`: a line has two points or more, written together, like `abc`",
                    word.text
                ));
            }
            board.add_line(name.text, &line, round);
            if words.peek().is_none() {
                return Ok(());
            }
        }
    }

    /// The board of points, which `row`, `line` and `ring` describe before there are men.
    fn points(&mut self, place: Place) -> Result<&mut Board, TextError> {
        match &mut self.board {
            _ if !self.classes.is_empty() => place.error("the board must stand before `men`"),
            Some(board) if board.grid.is_none() => Ok(board),
            Some(_) => place.error("a grid has its points and directions already: leave this out"),
            None => place.error("write `board points` first"),
        }
    }

    /// The board, once it is complete.
    fn whole_board(&self, place: Place) -> Result<&Board, TextError> {
        match &self.board {
            Some(board) if board.len() > 0 => Ok(board),
            Some(_) => place.error("the board has no points: write them with `row`"),
            None => place.error("no board yet: write `board` before this"),
        }
    }

    fn player_names(&self) -> [&str; 2] {
        self.players
            .as_ref()
            .map_or(["first", "second"], |players| players.each_ref().map(|name| &**name))
    }

    fn finish(self, end: Place) -> Result<Text, TextError> {
        let Some(name) = self.name.clone() else {
            return end.error("the text has no name: write `game` and a name first");
        };
        let board = self.whole_board(end)?.clone();
        for player in 0..2 {
            let mut own = self.classes.iter().filter(|(_, class)| class.player == player);
            if !own.any(|(_, class)| class.count > 0) {
                return end.error(format!("{} has no men", self.player_names()[player]));
            }
        }
        for (place, class) in &self.classes {
            if class.count > 0 && !class.in_hand && class.start == 0 {
                return place.error(format!(
                    "nothing says where `{}` of {} starts: write `start`, or `hand` behind the number",
                    class.kind,
                    self.player_names()[class.player]
                ));
            }
        }
        if self.moves.is_empty() {
            return end.error("no man can move: write `move` or `drop`");
        }
        let is_royal = self.classes.iter().any(|(_, class)| class.royal);
        if is_royal && self.moves.iter().any(|rule| rule.otherwise) {
            return end.error("`royal` and `else` do not go together: a text has one of them");
        }
        let players = self.player_names().map(str::to_owned);
        let men = self.classes.iter().enumerate();
        let men = men.map(|(class, (place, _))| (place.line, Statement::Men(class)));
        let mut statements: Vec<(usize, Statement)> = men.chain(self.statements).collect();
        statements.sort_by_key(|(line, _)| *line);
        Ok(Text {
            name,
            players,
            board,
            statements,
            named: self.named.into_inner(),
            classes: self.classes.into_iter().map(|(_, class)| class).collect(),
            moves: self.moves,
            promotions: self.promotions,
            taken: self.taken.unwrap_or(Taken::Away),
            demotions: self.demotions,
            ends: self.ends,
            mills: self.mills,
            stuck: self.stuck.unwrap_or(Verdict::Loses),
            held: self.held.unwrap_or(Verdict::Wins),
            both: self.both.unwrap_or(Verdict::Loses),
        })
    }
}

/// The words of options of a move.
const OPTIONS: [&str; 9] =
    ["takes", "only-takes", "again", "beside", "upon", "placed", "else", "for", "as"];
