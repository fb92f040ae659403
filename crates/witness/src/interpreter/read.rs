//! Reads a text, statement by statement.

use retrograde::Value;

use super::board::{Board, set};
use super::ends::{Test, Win};
use super::moves::{Move, Travel};
use super::{CLASSES_MAX, Class, Interpreter, Promotion};

/// What the statements say, before they are put together.
#[derive(Default)]
struct Statements {
    demotions: Vec<(String, String)>,
}

impl Interpreter {
    /// Reads a text. The error names the line that makes no sense.
    pub fn new(text: &str) -> Result<Interpreter, String> {
        if text.len() > 1 << 16 {
            return Err("its text is longer than 65,536 bytes".into());
        }
        let mut read = Statements::default();
        let mut game = Interpreter {
            players: ["first".into(), "second".into()],
            board: Board::default(),
            classes: Vec::new(),
            moves: Vec::new(),
            promotions: Vec::new(),
            taken_as: Vec::new(),
            wins: Vec::new(),
            taken: None,
            mills: Vec::new(),
            stuck: Value::Loss(0),
            held: Value::Win(0),
            both: Value::Loss(0),
        };
        for (line, text) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
            let words = text.split('#').next().unwrap_or_default();
            let words: Vec<&str> = words.split_whitespace().collect();
            if !words.is_empty() && read.statement(&mut game, &words).is_none() {
                return Err(format!("line {line} of its text cannot be understood"));
            }
        }
        read.finish(game).ok_or_else(|| "its text describes no game".into())
    }

    /// The players of a word: one, or both.
    fn named(&self, word: &str) -> Option<Vec<usize>> {
        match self.players.iter().position(|name| name == word) {
            Some(player) => Some(vec![player]),
            None => (word == "both").then(|| vec![0, 1]),
        }
    }

    fn class(&self, player: usize, kind: &str) -> Option<usize> {
        self.classes.iter().position(|class| class.player == player && class.kind == kind)
    }

    /// The classes of some kinds, with commas between, of some players. There must be one.
    fn classes_of(&self, players: &[usize], kinds: &str) -> Option<Vec<usize>> {
        let of = |kind: &str| {
            players.iter().filter_map(|&player| self.class(player, kind)).collect::<Vec<_>>()
        };
        let classes: Vec<usize> = kinds.split(',').flat_map(of).collect();
        (!classes.is_empty()).then_some(classes)
    }
}

impl Interpreter {
    /// The classes of some kinds, each with the class of the same player's other kind.
    fn dropped_as(&self, kinds: &str, other: &str) -> Option<Vec<(usize, usize)>> {
        let mut pairs = Vec::new();
        for kind in kinds.split(',') {
            let of = |player| Some((self.class(player, kind)?, self.class(player, other)?));
            pairs.extend([0, 1].into_iter().filter_map(of));
        }
        (!pairs.is_empty() && pairs.iter().all(|(own, other)| own != other)).then_some(pairs)
    }
}

/// A number in a range.
fn number(word: &str, most: i32) -> Option<i32> {
    word.parse().ok().filter(|number| (0..=most).contains(number))
}

impl Statements {
    /// Reads a statement. `None` if it makes no sense.
    fn statement(&mut self, game: &mut Interpreter, words: &[&str]) -> Option<()> {
        match *words {
            ["game", _] => {}
            ["players", first, second] if first != second => {
                game.players = [first.to_owned(), second.to_owned()];
            }
            ["board", "grid", columns, rows] => {
                game.board = Board::grid(number(columns, 26)?, number(rows, 64)?, false)?;
            }
            ["board", "grid", columns, rows, "dark"] => {
                game.board = Board::grid(number(columns, 26)?, number(rows, 64)?, true)?;
            }
            ["board", "points"] => game.board = Board::default(),
            ["row", ref names @ ..] => game.board.add_row(names)?,
            ["line", name, ref lines @ ..] if !lines.is_empty() => {
                lines.iter().try_for_each(|line| game.board.add_line(name, line))?;
            }
            ["men", who, kind, count] => men(game, who, kind, count, false)?,
            ["men", who, kind, count, "hand"] => men(game, who, kind, count, true)?,
            ["start", who, kind, zone] => {
                let [player] = game.named(who)?[..] else { return None };
                let (class, zone) = (game.class(player, kind)?, game.board.zone(zone)?);
                let taken = game.classes.iter().fold(0, |all, class| all | class.start);
                let class = &mut game.classes[class];
                let fits = zone.count_ones() == u32::from(class.count) && !class.in_hand;
                class.start = (fits && zone & taken == 0).then_some(zone)?;
            }
            ["move", kinds, travel, ref rest @ ..] => moves(game, kinds, travel, rest)?,
            ["drop", kinds, zone, ref rest @ ..] => {
                let zone = game.board.zone(zone)?;
                let mut rule = Move::new(Travel::Drop, zone);
                options(game, &mut rule, kinds, rest)?;
            }
            ["royal", kinds] => royal(game, kinds, &[0, 1])?,
            ["royal", kinds, "for", player] => royal(game, kinds, &game.named(player)?)?,
            ["mill", length, ref rest @ ..] => {
                let (Move { rays, .. }, []) = directions(&game.board, rest)? else { return None };
                let lines = lines(&rays, number(length, 64)?.max(1) as usize);
                game.mills.extend(lines);
            }
            ["taken", to @ ("hand" | "back")] => game.taken = Some(to == "hand"),
            ["promote", kind, into, zone, ref rest @ ..] => {
                let zone = game.board.zone(zone)?;
                let (mut players, mut takes, mut dropped) = (vec![0, 1], false, false);
                let mut rest = rest.iter();
                while let Some(word) = rest.next() {
                    match *word {
                        "takes" => takes = true,
                        "dropped" => dropped = true,
                        "for" => players = game.named(rest.next()?)?,
                        _ => return None,
                    }
                }
                for player in players {
                    if let Some(class) = game.class(player, kind)
                        && let Some(into) = game.class(player, into)
                    {
                        game.promotions.push(Promotion { class, into, zone, takes, dropped });
                    }
                }
            }
            ["demote", kind, into] => self.demotions.push((kind.to_owned(), into.to_owned())),
            ["win", ref rest @ ..] => win(game, rest)?,
            [about @ ("stuck" | "held" | "both"), verdict] => {
                let value = match verdict {
                    "loses" => Value::Loss(0),
                    "wins" => Value::Win(0),
                    "draws" => Value::Draw,
                    _ => return None,
                };
                match about {
                    "stuck" => game.stuck = value,
                    "held" => game.held = value,
                    _ => game.both = value,
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Puts the statements together.
    fn finish(self, mut game: Interpreter) -> Option<Interpreter> {
        let has_men = |player: usize| {
            game.classes.iter().any(|class| class.player == player && class.count > 0)
        };
        let all_start = game
            .classes
            .iter()
            .all(|class| class.in_hand || class.start.count_ones() == u32::from(class.count));
        let is_royal = game.classes.iter().any(|class| class.royal);
        if is_royal && game.moves.iter().any(|rule| rule.otherwise) {
            return None;
        }
        if game.moves.is_empty() || !has_men(0) || !has_men(1) || !all_start {
            return None;
        }
        for class in 0..game.classes.len() {
            // A man whose loss ends the game comes to no hand.
            let vital = game.wins.iter().any(|win| win.test == Test::Take { class });
            let Class { player, kind, .. } = &game.classes[class];
            let demoted = self.demotions.iter().find(|(from, _)| from == kind);
            let as_kind = demoted.map_or(kind, |(_, into)| into);
            let taken_as = match game.taken.filter(|_| !vital) {
                None => None,
                Some(by_taker) => {
                    let owner = if by_taker { 1 - player } else { *player };
                    Some(game.class(owner, as_kind)?)
                }
            };
            game.taken_as.push(taken_as);
        }
        Some(game)
    }
}

fn men(game: &mut Interpreter, who: &str, kind: &str, count: &str, in_hand: bool) -> Option<()> {
    if !game.moves.is_empty() || !game.wins.is_empty() || game.board.len() == 0 {
        return None;
    }
    let count = number(count, 24)? as u16;
    game.board.complete();
    for player in game.named(who)? {
        let class = Class { player, kind: kind.to_owned(), count, in_hand, start: 0, royal: false };
        let other = |other: &Class| other.sign() == class.sign();
        if game.classes.iter().any(other) {
            return None;
        }
        game.classes.push(class);
    }
    game.classes.sort_by_key(|class| class.player);
    (game.classes.len() <= CLASSES_MAX).then_some(())
}

fn royal(game: &mut Interpreter, kinds: &str, players: &[usize]) -> Option<()> {
    for class in game.classes_of(players, kinds)? {
        game.classes[class].royal = true;
    }
    Some(())
}

/// The lines of so many points along some rays.
fn lines(rays: &[Vec<Vec<usize>>], length: usize) -> Vec<u64> {
    let of = |(from, rays): (usize, &Vec<Vec<usize>>)| {
        let long = rays.iter().filter(|ray| ray.len() + 1 >= length);
        let line = |ray: &Vec<usize>| 1 << from | set(ray[..length - 1].to_vec());
        long.map(line).collect::<Vec<u64>>()
    };
    rays.iter().enumerate().flat_map(of).collect()
}

/// The directions at the beginning of some words, and the other words.
fn directions<'w>(board: &Board, words: &'w [&'w str]) -> Option<(Move, &'w [&'w str])> {
    let mut rule = Move::new(Travel::Step, 0);
    rule.rays = vec![Vec::new(); board.len()];
    let mut count = 0;
    while let Some(these) = words.get(count).and_then(|word| board.directions(word)) {
        for rays in these {
            for (from, rays) in rays.iter().enumerate() {
                rule.edge |= u64::from(rays.is_empty()) << from;
                for ray in rays {
                    if !rule.rays[from].contains(ray) {
                        rule.rays[from].push(ray.clone());
                    }
                }
            }
        }
        count += 1;
    }
    (count > 0).then(|| (rule, &words[count..]))
}

impl Move {
    fn new(travel: Travel, zone: u64) -> Move {
        Move {
            classes: Vec::new(),
            travel,
            rays: Vec::new(),
            edge: 0,
            again: false,
            zone,
            dropped_as: Vec::new(),
            upon: None,
            quiet: true,
            takes: false,
            beside: None,
            placed: false,
            otherwise: false,
        }
    }
}

fn moves(game: &mut Interpreter, kinds: &str, travel: &str, rest: &[&str]) -> Option<()> {
    let (mut rule, rest) = directions(&game.board, rest)?;
    rule.travel = match travel {
        "step" => Travel::Step,
        "slide" => Travel::Slide,
        "run" => Travel::Run,
        "jump" => Travel::Jump,
        "leave" => Travel::Leave,
        _ => return None,
    };
    options(game, &mut rule, kinds, rest)
}

/// Reads the options of a move, and adds it to the game.
fn options<'w>(
    game: &mut Interpreter,
    rule: &mut Move,
    kinds: &str,
    mut words: &'w [&'w str],
) -> Option<()> {
    let mut players = vec![0, 1];
    while let Some((word, rest)) = words.split_first() {
        words = rest;
        match *word {
            "takes" => rule.takes = true,
            "only-takes" => (rule.takes, rule.quiet) = (true, false),
            "placed" => rule.placed = true,
            "else" => rule.otherwise = true,
            "again" => rule.again = true,
            about @ ("beside" | "upon") => {
                let (near, rest) = directions(&game.board, words)?;
                words = rest;
                let next = near.rays.iter().map(|rays| set(rays.iter().map(|ray| ray[0])));
                let field = if about == "upon" { &mut rule.upon } else { &mut rule.beside };
                *field = Some(next.collect());
            }
            "for" => {
                let (player, rest) = words.split_first()?;
                words = rest;
                players = game.named(player)?;
            }
            "as" if rule.travel == Travel::Drop => {
                let (other, rest) = words.split_first()?;
                words = rest;
                rule.dropped_as = game.dropped_as(kinds, other)?;
            }
            _ => return None,
        }
    }
    rule.classes = game.classes_of(&players, kinds)?;
    if !rule.dropped_as.is_empty() {
        rule.classes.retain(|class| rule.dropped_as.iter().any(|(own, _)| own == class));
    }
    game.moves.push(std::mem::replace(rule, Move::new(Travel::Drop, 0)));
    (game.moves.len() <= 257).then_some(())
}

fn win(game: &mut Interpreter, words: &[&str]) -> Option<()> {
    let (words, players) = match *words {
        [ref before @ .., "for", player] => (before, game.named(player)?),
        _ => (words, vec![0, 1]),
    };
    let board = &game.board;
    let stands = |own: Vec<u64>| own.into_iter().map(|own| Test::Stand { own, other: 0 }).collect();
    let tests = |player: usize| -> Option<Vec<Test>> {
        Some(match *words {
            ["line", length, ref rest @ ..] => {
                let length = number(length, 64)?.max(1) as usize;
                let (Move { rays, .. }, []) = directions(board, rest)? else { return None };
                stands(lines(&rays, length))
            }
            ["block", columns, rows] => {
                let (columns, rows) = (number(columns, 26)?, number(rows, 64)?);
                let fits = columns > 0 && rows > 0;
                stands(if fits { board.blocks(columns, rows) } else { Vec::new() })
            }
            ["own", own] => vec![Test::Stand { own: board.zone(own)?, other: 0 }],
            ["own", own, "other", other] => {
                vec![Test::Stand { own: board.zone(own)?, other: board.zone(other)? }]
            }
            ["reach", kind, zone] | ["reach", kind, zone, "safe"] => {
                let (zone, safe) = (board.zone(zone)?, words.len() == 4);
                let class = game.class(player, kind);
                class.into_iter().map(|class| Test::Reach { class, zone, safe }).collect()
            }
            ["out"] => vec![Test::Out],
            ["below", men] => vec![Test::Below { men: number(men, 64)? as u32 }],
            ["take", kind] => {
                let class = game.class(1 - player, kind);
                class.into_iter().map(|class| Test::Take { class }).collect()
            }
            _ => return None,
        })
    };
    let mut wins = Vec::new();
    for player in players {
        wins.extend(tests(player)?.into_iter().map(|test| Win { player, test }));
    }
    game.wins.extend(wins);
    (game.wins.len() <= 1 << 16).then_some(())
}
