//! Play on the whole screen of a terminal.

use std::io::{self, Write};

use crate::error::PlayError;
use crate::field::Look;
use crate::layout::{self, Scene};
use crate::lines::Draw;
use crate::order::{self, Order};
use crate::pointer::{Pointed, Pointer};
use crate::session::Session;
use crate::terminal::{Key, StopSignal, Terminal};

/// The state of the screen besides the game.
struct Screen<'s, 'a> {
    session: &'s mut Session<'a>,
    games: Vec<String>,
    pointer: Option<Pointer>,
    /// While the list of moves is open: the moves in it, and the chosen one.
    list: Option<(Vec<usize>, usize)>,
    /// Whether the list shows values. They give the best move away, so a player must ask for them.
    values: bool,
    typed: String,
    message: String,
    /// Lines that a command has printed, until the next key.
    told: Vec<String>,
}

/// Plays until the player leaves. Returns the records of the games.
pub fn play(
    session: &mut Session<'_>,
    colour: bool,
    draw: Draw,
    stop: StopSignal,
    out: &mut dyn Write,
) -> Result<Vec<String>, PlayError> {
    let mut terminal = Terminal::take(stop).map_err(|error| {
        PlayError::Input(format!("the terminal: {error}; --plain plays in lines"))
    })?;
    let mut screen = Screen {
        message: session.verdict(),
        session,
        games: Vec::new(),
        pointer: None,
        list: None,
        values: false,
        typed: String::new(),
        told: Vec::new(),
    };
    screen.reply()?;
    loop {
        let (rows, columns) = terminal.size();
        draw(out, &layout::draw(&screen.scene(), rows, columns, colour).written())?;
        out.flush()?;
        let key = terminal.key().map_err(lost)?;
        if key == Key::Leave || screen.press(key)? {
            break;
        }
    }
    drop(terminal);
    screen.games.extend(screen.session.written());
    Ok(screen.games)
}

fn lost(error: io::Error) -> PlayError {
    PlayError::Input(format!("the terminal: {error}"))
}

impl Screen<'_, '_> {
    /// Lets the program move, and prepares the screen for the player.
    fn reply(&mut self) -> Result<(), PlayError> {
        while let Some(said) = self.session.reply()? {
            self.message = said.trim_start().to_owned();
        }
        if let Some(news) = self.session.news() {
            self.message = news;
        }
        self.list = None;
        let game = self.session.game();
        self.pointer = Pointer::new(game.node(), game.side());
        self.values = false;
        if self.pointer.is_none() {
            self.open_list();
        }
        Ok(())
    }

    /// Handles a key. Returns whether to leave.
    fn press(&mut self, key: Key) -> Result<bool, PlayError> {
        if key == Key::Redraw {
            return Ok(false);
        }
        self.told.clear();
        match key {
            Key::Char('?') if self.typed.is_empty() => {
                self.values = !self.values;
                match self.values || self.pointer.is_none() {
                    true => self.open_list(),
                    false => self.list = None,
                }
            }
            Key::Char(letter) => self.typed.push(letter),
            Key::Backspace if self.typed.is_empty() => return self.obey(Order::Back),
            Key::Backspace => drop(self.typed.pop()),
            Key::Tab => return self.obey(Order::Hint),
            Key::Esc if !self.typed.is_empty() => self.typed.clear(),
            Key::Esc => {
                if self.list.is_some() && self.pointer.is_some() {
                    (self.list, self.values) = (None, false);
                } else if let Some(pointer) = &mut self.pointer {
                    pointer.unsettle();
                }
            }
            Key::Arrow(down, right) => self.step(down, right),
            Key::Page(pages) => self.step(10 * pages, 0),
            Key::Enter if !self.typed.is_empty() => {
                let typed = std::mem::take(&mut self.typed);
                match order::read(&typed, self.session.game().node()) {
                    Ok(order) => return self.obey(order),
                    Err(problem) => self.message = problem,
                }
            }
            Key::Enter => return self.choose(),
            Key::Leave | Key::Redraw => {}
        }
        Ok(false)
    }

    fn open_list(&mut self) {
        let moves = &self.session.game().node().moves;
        let mut order: Vec<usize> = (0..moves.len()).collect();
        if !self.values {
            order.sort_by_key(|&number| &moves[number].step.name);
        }
        self.list = (!order.is_empty()).then_some((order, 0));
    }

    fn step(&mut self, down: i32, right: i32) {
        if let Some((moves, chosen)) = &mut self.list {
            let last = moves.len() - 1;
            *chosen = chosen.saturating_add_signed((down + right) as isize).min(last);
            return;
        }
        let node = self.session.game().node();
        if let (Some(pointer), Look::Board(board, _)) = (&mut self.pointer, &node.look) {
            pointer.step(node, board, down.signum(), right.signum());
        }
    }

    /// Plays the move that is chosen in the list or with the pointer.
    fn choose(&mut self) -> Result<bool, PlayError> {
        if let Some((moves, chosen)) = &self.list {
            return self.obey(Order::Move(moves[*chosen]));
        }
        let Some(pointer) = &mut self.pointer else { return Ok(false) };
        match pointer.settle(self.session.game().node()) {
            Pointed::Nothing => {
                self.message =
                    "no move leads there; the arrow keys go to points with a move".to_owned();
            }
            Pointed::On => {}
            Pointed::Moves(moves) => match moves[..] {
                [only] => return self.obey(Order::Move(only)),
                _ => self.list = Some((moves, 0)),
            },
        }
        Ok(false)
    }

    fn obey(&mut self, order: Order) -> Result<bool, PlayError> {
        if order == Order::Moves {
            self.values = true;
            self.open_list();
            return Ok(false);
        }
        let said = match self.session.obey(order) {
            Ok(said) => said,
            Err(PlayError::Input(problem)) => {
                self.message = problem;
                return Ok(false);
            }
            Err(failure) => return Err(failure),
        };
        self.games.extend(said.written);
        match &said.lines[..] {
            [] => {}
            [line] => self.message = line.trim_start().to_owned(),
            lines => self.told = lines.to_vec(),
        }
        if said.moved {
            if said.lines.is_empty() {
                self.message = self.session.verdict();
            }
            self.reply()?;
        }
        Ok(said.quit)
    }

    fn scene(&self) -> Scene<'_> {
        let game = self.session.game();
        let node = game.node();
        let (beside, chosen) = match &self.list {
            _ if !self.told.is_empty() => (self.told.clone(), None),
            Some((moves, chosen)) => {
                let all = match self.values {
                    true => self.session.moves(),
                    false => {
                        node.moves.iter().map(|choice| format!("  {}", choice.step.name)).collect()
                    }
                };
                (moves.iter().map(|&number| all[number].clone()).collect(), Some(*chosen))
            }
            None => (self.session.played(100), None),
        };
        let turn = match game.over() {
            Some(_) => "over".to_owned(),
            None => format!("{} to move", self.session.name(game.side())),
        };
        let title = format!("{turn}   {}   {}", self.session.field().title(), self.session.who());
        let keys = match (game.over(), self.values) {
            (Some(_), _) => "new: another game  ^C: leave",
            (None, false) => "arrows Enter  ?: values  Tab: hint  ^C: leave",
            (None, true) => "arrows Enter  ?: no values  Tab: hint  ^C: leave",
        };
        Scene {
            title,
            look: &node.look,
            pointer: self.pointer.as_ref().map(|pointer| {
                let targets = pointer.valued_targets(node).into_iter();
                let shown = |(point, value)| (point, self.values.then_some(value));
                (pointer.point, targets.map(shown).collect())
            }),
            beside,
            chosen,
            message: self.message.clone(),
            typed: self.typed.clone(),
            keys,
        }
    }
}
