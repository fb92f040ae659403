//! What people see of a described game: positions as texts, named moves, and boards.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use retrograde::adapters::Rules;
use retrograde::{Value, counted};
use retrograde_boards::{Position, squares};
use retrograde_positions::{Board, End, Ground, Hand, Man, Move, Positions};

use crate::DescribedGame;
use crate::atoms::OFF;
use crate::board::{Set, bit};
use crate::game::Described;
use crate::names;
use crate::rulebook::value;
use crate::steps::Step;
use crate::text::Verdict;
use crate::words::{listed, upper};

impl<const N: usize> DescribedGame<N> {
    /// The name of the game.
    pub fn name(&self) -> &'static str {
        names::name(self.page().name())
    }
}

impl<const N: usize> Positions for DescribedGame<N> {
    type Position = Position<N>;
    type Region = ();
    type Index = ();

    fn players(&self) -> &'static [&'static str] {
        let [first, second] = self.page().text.players.each_ref().map(|name| names::name(name));
        names::pair(first, second)
    }

    fn start(&self) -> Option<Position<N>> {
        let rules = &self.0.0;
        let mut sets = [0; N];
        for (class, men) in self.page().text.classes.iter().enumerate() {
            match (men.in_hand, rules.book.slots.hand_of(class)) {
                (true, Some(hand)) => {
                    if let Some(slot) = rules.book.slots.hands[hand].slot {
                        sets[slot] = men.count.into();
                    }
                }
                _ => sets[rules.book.slots.of_class[class]] = men.start,
            }
        }
        Some(rules.cells.with_sets(sets))
    }

    /// The player to move, the rows of the board from the top, and the men in hand, if the game has any:
    /// `first A.a/.../..A Aa`.
    fn read(&self, text: &str) -> Result<Position<N>, String> {
        let rules = &self.0.0;
        if text.trim() == "start" {
            return Ok(self.start().expect("a text has a start"));
        }
        rules.read(text).map_err(|problem| {
            let start = self.start().map(|start| self.write(&start)).unwrap_or_default();
            format!("{text:?} is not a position of this game: {problem}; one is {start:?}")
        })
    }

    fn write(&self, position: &Position<N>) -> String {
        let rules = &self.0.0;
        let player = &self.page().text.players[self.player(position)];
        let row = |row: Vec<u8>| row.into_iter().map(|at| rules.sign_on(position, at)).collect();
        let rows: Vec<String> = rules.rows().into_iter().map(row).collect();
        let mut text = format!("{player} {}", rows.join("/"));
        if !rules.book.slots.hands.is_empty() {
            let hand: String = rules
                .in_hand(position)
                .map(|(class, count)| {
                    self.page().text.classes[class].sign().to_string().repeat(count as usize)
                })
                .collect();
            text.push(' ');
            text.push_str(if hand.is_empty() { "-" } else { &hand });
        }
        text
    }

    fn player(&self, position: &Position<N>) -> usize {
        self.0.0.book.side(position)
    }

    fn moves(
        &self,
        position: &Position<N>,
        visit: &mut dyn FnMut(Move<Position<N>>),
    ) -> Option<End> {
        let rules = &self.0.0;
        if let Some(value) = rules.book.verdict(&rules.page, position) {
            return Some(End::terminal(value));
        }
        let passed = rules.book.passed(&rules.cells, *position);
        let mut stuck = true;
        let mut show = |step: &Step| {
            let next = rules.book.after(&rules.cells, passed, step);
            if rules.book.is_exposed(&next) {
                return;
            }
            stuck = false;
            let on_board = |at: u8| (at != OFF).then(|| rules.place_of(at));
            let points = [step.from, step.to].into_iter().filter_map(on_board);
            let mut played = Move::new(rules.name_of(step), points.collect(), next);
            for at in squares(step.takes).map(|at| at as u8) {
                let taken = rules.place_of(at);
                played.taken.push(taken);
                if at != step.to {
                    played.points.push(taken);
                }
            }
            visit(played);
        };
        let _ = rules.book.moves(position, |moves| {
            moves.each_step(&rules.book.slots, &mut show);
            ControlFlow::Continue(())
        });
        stuck.then(|| match self.page().text.stuck {
            _ if rules.book.is_in_check(position) => End::terminal(Value::Loss(0)),
            Verdict::Loses => End::STUCK,
            verdict => End { value: value(verdict), ..End::STUCK },
        })
    }

    fn board(&self, position: &Position<N>) -> Option<Board> {
        let rules = &self.0.0;
        let mut board = rules.empty_board();
        board.light = rules.light();
        for (slot, at) in rules.men(position) {
            let (kind, player) = rules.kind_of(slot);
            let (sign, point) = (rules.sign(slot), rules.place_of(at));
            board.men.push(Man { kind, sign, player: Some(player), point });
        }
        for (class, count) in rules.in_hand(position) {
            let class = &self.page().text.classes[class];
            let (kind, sign) = (names::name(&class.kind), class.sign());
            board.hands.push(Hand { kind, sign, player: class.player, count });
        }
        Some(board)
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<Position<N>> {
        let rules = &self.0.0;
        let mut sets = [0; N];
        sets[rules.book.slots.side] = player as u64;
        for man in &board.men {
            let at =
                (0..self.page().text.board.len()).find(|&at| rules.place_of(at) == man.point)?;
            sets[rules.slot_of(man.sign)?] |= bit(at);
        }
        let hands = board.hands.iter().map(|hand| (hand.sign, hand.count.into()));
        let position = rules.position_of(sets, hands).ok()?;
        rules.numbered(&position).map(|_| position)
    }

    fn region(&self, position: &Position<N>) -> Result<(), Value> {
        let rules = &self.0.0;
        rules.numbered(position).map(|_| ()).ok_or_else(|| rules.decided(position))
    }

    fn index(&self, (): &()) {}

    fn number(&self, (): &(), position: &Position<N>) -> u64 {
        self.0.0.state(position)
    }

    fn position(&self, (): &(), state: u64) -> Option<Position<N>> {
        (state < self.0.0.states()).then(|| Rules::position(&self.0.0, state)).flatten()
    }
}

impl<const N: usize> Described<N> {
    /// The class of a slot of men.
    fn class_of(&self, slot: usize) -> usize {
        let mut slots = self.book.slots.of_class.iter();
        slots.position(|&other| other == slot).unwrap_or_default()
    }

    /// The slot of the men with a sign.
    fn slot_of(&self, sign: char) -> Option<usize> {
        let class = self.page.text.classes.iter().position(|class| class.sign() == sign)?;
        Some(self.book.slots.of_class[class])
    }

    fn kind_of(&self, slot: usize) -> (&'static str, usize) {
        let class = &self.page.text.classes[self.class_of(slot)];
        (names::name(&class.kind), class.player)
    }

    fn sign(&self, slot: usize) -> char {
        self.page.text.classes[self.class_of(slot)].sign()
    }

    pub(crate) fn sign_on(&self, position: &Position<N>, at: u8) -> char {
        let here = |slot: &usize| position.sets()[*slot] & bit(at) != 0;
        (0..self.book.slots.classes()).find(here).map_or('.', |slot| self.sign(slot))
    }

    /// The men on the board: slot and point.
    fn men(&self, position: &Position<N>) -> impl Iterator<Item = (usize, u8)> {
        let slots = (0..self.book.slots.classes()).map(|slot| (slot, position.sets()[slot]));
        slots
            .collect::<Vec<_>>()
            .into_iter()
            .flat_map(|(slot, set)| squares(set).map(move |at| (slot, at as u8)))
    }

    /// The men in hand: class and number.
    fn in_hand(&self, position: &Position<N>) -> impl Iterator<Item = (usize, u32)> {
        let hands = self.book.slots.hands.iter();
        hands
            .map(|hand| (hand.class, hand.count(position.sets()) as u32))
            .filter(|(_, count)| *count > 0)
    }

    /// The points of each row, from the top.
    fn rows(&self) -> Vec<Vec<u8>> {
        let points = &self.page.text.board.points;
        let rows: BTreeSet<i32> = points.iter().map(|point| point.row).collect();
        let of = |row: i32| {
            (0..).zip(points).filter(move |(_, point)| point.row == row).map(|(at, _)| at).collect()
        };
        rows.into_iter().rev().map(of).collect()
    }

    /// The place of a point among those of the drawn board.
    fn place_of(&self, at: u8) -> usize {
        let board = &self.page.text.board;
        let point = &board.points[usize::from(at)];
        match board.grid {
            Some((columns, rows)) => ((rows - 1 - point.row) * columns + point.column) as usize,
            None => usize::from(at),
        }
    }

    /// The player whose men are drawn light: white, or the one who is not black; if neither has such a name, the second.
    fn light(&self) -> usize {
        let named = |names: [&str; 2]| {
            self.page.text.players.iter().position(|name| names.contains(&&**name))
        };
        named(["white", "light"]).or_else(|| Some(1 - named(["black", "dark"])?)).unwrap_or(1)
    }

    fn empty_board(&self) -> Board {
        let board = &self.page.text.board;
        let Some((columns, rows)) = board.grid else {
            let top = board.points.iter().map(|point| point.row).max().unwrap_or(0);
            let point = |point: &crate::board::Point| {
                (point.name.clone(), point.column as f32, (top - point.row) as f32)
            };
            let lines = (0..).zip(&board.directions).filter(|(at, _)| Some(*at) != board.any);
            let rays = lines.flat_map(|(_, direction)| (0..).zip(&direction.rays));
            let steps = rays
                .flat_map(|(from, rays)| rays.iter().map(move |ray| (from, usize::from(ray[0]))));
            return Board::points(board.points.iter().map(point)).lined(steps.collect::<Vec<_>>());
        };
        let exits = self.page.atoms.all.iter().filter(|atom| atom.change.to == OFF);
        let exits: Set = exits.fold(0, |all, atom| all | bit(atom.change.from));
        let column = |column: i32| char::from(b'a' + column as u8).to_string();
        let mut drawn = Board::squares(rows as u32, columns as u32, |row, at| {
            let name = format!("{}{}", column(at as i32), rows - row as i32);
            let ground = match board.point(&name) {
                Some(point) if exits & bit(point) != 0 => Ground::Exit,
                Some(_) if board.dark => Ground::Dark,
                _ => Ground::Floor,
            };
            (ground, name)
        });
        drawn.edge = Some((
            (1..=rows).rev().map(|row| row.to_string()).collect(),
            (0..columns).map(column).collect(),
        ));
        drawn
    }

    /// The name of a move: `a1-b2`, `a1xb2`, `a1xb2-c3` if it takes elsewhere, `a1-off`, `C*b2` from the hand, `C*b2xa1` if that takes,
    /// and `=H` at the end if the man is promoted.
    fn name_of(&self, step: &Step) -> String {
        let point = |at: u8| match at {
            OFF => "off",
            at => self.point(at),
        };
        let taken = squares(step.takes).map(|at| format!("x{}", point(at as u8)));
        let taken: String = taken.collect();
        let mut name = match (step.from, step.to) {
            (OFF, to) => format!("{}*{}{taken}", upper(self.sign(step.before)), point(to)),
            (from, to) if to != OFF && step.takes == bit(to) => format!("{}{taken}", point(from)),
            (from, to) => format!("{}{taken}-{}", point(from), point(to)),
        };
        if step.to != OFF && self.class_of(step.before) != self.class_of(step.after) {
            name.push('=');
            name.push(upper(self.sign(step.after)));
        }
        name
    }

    /// Reads a position. The error says which part is wrong.
    fn read(&self, text: &str) -> Result<Position<N>, String> {
        let slots = &self.book.slots;
        let players = &self.page.text.players;
        let [first, second] = players;
        let mut words = text.split_whitespace();
        let player = words.next().unwrap_or_default();
        let Some(side) = players.iter().position(|name| name == player) else {
            return Err(format!("it begins with the player to move, {first} or {second}"));
        };
        let mut sets = [0; N];
        sets[slots.side] = side as u64;
        let board = words.next().ok_or_else(|| format!("the board is missing behind {player}"))?;
        let (rows, texts) = (self.rows(), board.split('/').collect::<Vec<&str>>());
        if texts.len() != rows.len() {
            let rows = counted(rows.len() as u64, "row");
            return Err(format!(
                "`{board}` has {} with `/` between, and the board {rows}",
                texts.len()
            ));
        }
        for (number, (row, text)) in (1..).zip(rows.iter().zip(texts)) {
            let (count, points) = (text.chars().count(), counted(row.len() as u64, "point"));
            if count != row.len() {
                return Err(format!(
                    "`{text}`, row {number} from the top, has {count} of {points}"
                ));
            }
            for (&at, sign) in row.iter().zip(text.chars()).filter(|(_, sign)| *sign != '.') {
                let slot = self.slot_of(sign).ok_or_else(|| {
                    let place = format!("on {} in row {number} from the top", self.point(at));
                    self.no_man(sign, &place)
                })?;
                sets[slot] |= bit(at);
            }
        }
        let hand = match slots.hands.is_empty() {
            true => "-",
            false => {
                words.next().ok_or("the men in hand are missing behind the board: `-` for none")?
            }
        };
        if let Some(word) = words.next() {
            return Err(format!("nothing stands for `{word}` at its end"));
        }
        let signs = hand.chars().filter(|_| hand != "-");
        self.position_of(sets, signs.map(|sign| (sign, 1)))
    }

    fn point(&self, at: u8) -> &str {
        &self.page.text.board.points[usize::from(at)].name
    }

    /// What to say of a sign that no man has.
    fn no_man(&self, sign: char, place: &str) -> String {
        let classes = self.page.text.classes.iter();
        let signs: Vec<String> = classes.map(|class| class.sign().to_string()).collect();
        let signs: Vec<&str> = signs.iter().map(|sign| &**sign).collect();
        format!("`{sign}` {place} is no man: expected {}", listed(&signs))
    }

    /// A kind and its player, for messages.
    fn man(&self, class: usize) -> String {
        let class = &self.page.text.classes[class];
        format!("`{}` of {}", class.kind, self.page.text.players[class.player])
    }

    /// The position with these men on the board and in hand, if all can stand there and some cell has so many.
    fn position_of(
        &self,
        mut sets: [Set; N],
        in_hand: impl Iterator<Item = (char, u64)>,
    ) -> Result<Position<N>, String> {
        let slots = &self.book.slots;
        let mut held = vec![0; slots.hands.len()];
        for (sign, count) in in_hand {
            let classes = &mut self.page.text.classes.iter();
            let class = classes.position(|class| class.sign() == sign);
            let class = class.ok_or_else(|| self.no_man(sign, "in hand"))?;
            let hand = slots.hand_of(class);
            held[hand.ok_or_else(|| format!("no {} is ever in hand", self.man(class)))?] += count;
        }
        for (hand, &count) in slots.hands.iter().zip(&held) {
            hand.slot.into_iter().for_each(|slot| sets[slot] = count);
        }
        for (hand, &count) in slots.hands.iter().zip(&held) {
            let follows = hand.count(&sets);
            if follows != count {
                let man = self.man(hand.class);
                return Err(format!(
                    "{count} {man} in hand: by the men on the board it is {follows}"
                ));
            }
        }
        let (mut all, mut counts) = (0, Vec::new());
        for (slot, &set) in sets.iter().enumerate().take(slots.side) {
            let men = match slots.zones.get(slot) {
                Some(zone) if set & (!zone | all) != 0 => {
                    let at = (set & (!zone | all)).trailing_zeros() as u8;
                    let man = self.man(self.class_of(slot));
                    return Err(format!("no {man} can stand on {}", self.point(at)));
                }
                Some(_) => set.count_ones(),
                None => set as u32,
            };
            if slot < slots.classes() && u64::from(men) > slots.most[slot] {
                let (man, most) = (self.man(self.class_of(slot)), slots.most[slot]);
                return Err(format!("{men} {man} on the board: there are at most {most}"));
            }
            all |= if slot < slots.classes() { set } else { 0 };
            counts.push(men);
        }
        counts.push(sets[slots.side] as u32);
        if !slots.has_cell(&counts) {
            return Err(
                "no moves lead to these numbers of men, with this player to move".to_owned()
            );
        }
        let position = self.cells.with_sets(sets);
        if self.book.is_exposed(&position) {
            return Err("the player to move could take a royal man".to_owned());
        }
        Ok(position)
    }
}
