//! The players of both sides, and the effect of each input. Play in lines and play on the screen share it.

use retrograde::Value;

use retrograde_catalog::{Played, State, word};

use crate::error::PlayError;
use crate::field::Field;
use crate::game::Game;
use crate::order::{HELP, Order};
use crate::player::Player;
use crate::record::result;
use retrograde_catalog::plies;

/// A game between two players, and the games after it.
pub struct Session<'a> {
    field: Field<'a>,
    /// Where each game begins.
    start: State,
    /// The program, for each side that it plays; `None` for a side that a person plays.
    players: [Option<Player>; 2],
    /// The name of the program as a player.
    program: String,
    game: Game<'a>,
}

/// The result of a command.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// The lines to show.
    pub(crate) lines: Vec<String>,
    /// The record of a game that has ended or was abandoned.
    pub(crate) written: Option<String>,
    /// Whether the position has changed.
    pub(crate) moved: bool,
    /// Whether to stop.
    pub(crate) quit: bool,
}

impl<'a> Session<'a> {
    /// A session with a first game from this state.
    pub fn new(
        field: Field<'a>,
        start: State,
        players: [Option<Player>; 2],
        errs: Option<u32>,
    ) -> Result<Session<'a>, PlayError> {
        let game = Game::new(field, &start)?;
        let program = match errs {
            None => "retrograde".to_owned(),
            Some(errs) => format!("retrograde, one in {errs} moves at random"),
        };
        Ok(Session { field, start, players, program, game })
    }

    /// The current game.
    pub(crate) fn game(&self) -> &Game<'a> {
        &self.game
    }

    /// The game and its values.
    pub(crate) fn field(&self) -> Field<'a> {
        self.field
    }

    /// Whether a person is to move.
    pub(crate) fn by_hand(&self) -> bool {
        self.players[self.game.side()].is_none()
    }

    /// The name of a side.
    pub(crate) fn name(&self, side: usize) -> String {
        self.field.sides()[side].to_owned()
    }

    /// The players: `police by hand, thief by retrograde`.
    pub(crate) fn who(&self) -> String {
        let [one, other] = [0, 1].map(|side| format!("{} {}", self.name(side), self.by(side)));
        format!("{one}, {other}")
    }

    fn by(&self, side: usize) -> String {
        match self.players[side] {
            None => "by hand".to_owned(),
            Some(_) => format!("by {}", self.program),
        }
    }

    /// The value of the position: `WIN in 13 plies for police`.
    pub(crate) fn verdict(&self) -> String {
        let (node, name) = (self.game.node(), self.name(self.game.side()));
        match node.value {
            Value::Draw => "DRAW: neither side can force the end".to_owned(),
            Value::Win(distance) => format!("WIN in {} for {name}", plies(distance)),
            Value::Loss(distance) => {
                format!("LOSS in {} for {name}", plies(distance))
            }
        }
    }

    /// If the program is to move, lets it move. Returns the line to show.
    pub(crate) fn reply(&mut self) -> Result<Option<String>, PlayError> {
        let game = &mut self.game;
        if game.over().is_some() {
            return Ok(None);
        }
        if game.draw_offered() && self.players.iter().all(Option::is_some) {
            game.agree();
            return Ok(Some("both agree to a draw".to_owned()));
        }
        let Some(player) = &mut self.players[game.side()] else { return Ok(None) };
        let choice = player.choose(game.node());
        game.play(choice)?;
        Ok(Some(self.last_move()))
    }

    /// The last move: `  3  thief: 5,4  (loss in 10)`.
    fn last_move(&self) -> String {
        let last = self.game.moves().next_back();
        last.map_or(String::new(), |(side, choice)| self.line(self.game.len(), side, choice))
    }

    /// The last moves, one per line.
    #[cfg(unix)]
    pub(crate) fn played(&self, most: usize) -> Vec<String> {
        let numbered = self.game.moves().rev().zip((0..=self.game.len()).rev()).take(most);
        let mut lines: Vec<String> =
            numbered.map(|((side, choice), number)| self.line(number, side, choice)).collect();
        lines.reverse();
        lines
    }

    fn line(&self, number: usize, side: usize, choice: &Played) -> String {
        let value = brief(choice.value);
        format!("{number:>4}  {}: {}  ({value})", self.name(side), choice.step.name)
    }

    /// The message at the end of a game, or when a draw is offered.
    pub(crate) fn news(&self) -> Option<String> {
        if let Some(end) = self.game.over() {
            return Some(result(&self.field.sides(), Some(end), self.game.len()));
        }
        self.game.draw_offered().then(|| {
            "a draw is offered: this position has been before, and neither side can force the end; \
             `draw` takes it"
                .to_owned()
        })
    }

    /// Carries out a command.
    pub(crate) fn obey(&mut self, order: Order) -> Result<Said, PlayError> {
        let mut said = Said::default();
        match order {
            Order::Move(choice) => {
                self.game.play(choice)?;
                said.lines.push(self.last_move());
                said.moved = true;
            }
            Order::Moves => said.lines = self.moves(),
            Order::Hint => said.lines.push(self.hint()),
            Order::Back => match self.back()? {
                true => said.moved = true,
                false => said.lines.push("you have no move to take back".to_owned()),
            },
            Order::Draw if self.game.draw_offered() => {
                self.game.agree();
                said.moved = true;
            }
            Order::Draw => {
                let why =
                    "no draw is offered: a draw needs a position that is drawn and has been before";
                said.lines.push(why.to_owned());
            }
            Order::New(start) => {
                let start = match start {
                    Some(text) => self.field.parse(&text)?,
                    None => self.start.clone(),
                };
                let game = Game::new(self.field, &start)?;
                said.written = self.written();
                self.game = game;
                said.moved = true;
            }
            Order::Help => {
                let line = |(name, what)| format!("{name:<12} {what}");
                said.lines = HELP.map(line).into();
                said.lines.push(
                    "if a move has the name of a command, put a colon before the command"
                        .to_owned(),
                );
            }
            Order::Quit => said.quit = true,
        }
        Ok(said)
    }

    /// Every move with its value and distance.
    pub(crate) fn moves(&self) -> Vec<String> {
        let moves = &self.game.node().moves;
        let width = moves.iter().map(|choice| choice.step.name.chars().count()).max().unwrap_or(0);
        let line = |choice: &Played| {
            let value = brief(choice.value);
            format!("  {:<width$}  {value}", choice.step.name)
        };
        match moves.is_empty() {
            true => vec!["  play is over: no move is left".to_owned()],
            false => moves.iter().map(line).collect(),
        }
    }

    fn hint(&self) -> String {
        match self.game.node().moves.first() {
            Some(best) => format!("best: {}  ({})", best.step.name, brief(best.value)),
            None => "play is over: no move is left".to_owned(),
        }
    }

    /// Takes moves back, up to the last one that a person made.
    fn back(&mut self) -> Result<bool, PlayError> {
        let by_hand = |(side, _): (usize, &Played)| self.players[side].is_none();
        if !self.game.moves().any(by_hand) {
            return Ok(false);
        }
        while self.game.back()? {
            if self.by_hand() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The record of the game, if any move was played.
    pub(crate) fn written(&self) -> Option<String> {
        let players = [0, 1].map(|side| match self.players[side] {
            None => "by hand".to_owned(),
            Some(_) => self.program.clone(),
        });
        (self.game.len() > 0).then(|| self.field.written(&self.game.record(players)))
    }
}

/// `win in 9`, `draw`: a value in a few words.
fn brief(value: Value) -> String {
    match value.distance() {
        Some(distance) => format!("{} in {distance}", word(value)),
        None => word(value).to_owned(),
    }
}
