//! The position that the chess program has sent: any position of chess, also one without a table.

use cozy_chess::util::{display_uci_move, parse_uci_move};
use cozy_chess::{Board, Move};

/// A position, with the count of the fifty moves.
#[derive(Clone, Default)]
pub(crate) struct Game(Board);

impl Game {
    /// Reads what follows the word `position`. The error says what is wrong.
    pub(crate) fn read<'w>(mut words: impl Iterator<Item = &'w str>) -> Result<Game, String> {
        let mut game = match words.next() {
            Some("startpos") => match words.next() {
                None | Some("moves") => Game::default(),
                Some(other) => return Err(format!("`{other}` after startpos: send moves")),
            },
            Some("fen") => {
                let fields: Vec<&str> =
                    words.by_ref().take_while(|word| *word != "moves").collect();
                Game::from_fen(&fields)?
            }
            _ => return Err("send `position startpos` or `position fen FEN`".to_owned()),
        };
        for word in words {
            game.play(word)?;
        }
        Ok(game)
    }

    /// The position of a FEN. The counts at its end may be missing.
    fn from_fen(fields: &[&str]) -> Result<Game, String> {
        let counts = ["0", "1"];
        let missing =
            counts.iter().skip(fields.len().saturating_sub(4)).take(6 - fields.len().min(6));
        let fen: Vec<&str> = fields.iter().chain(missing).copied().collect();
        let fen = fen.join(" ");
        let board = Board::from_fen(&fen, false).or_else(|_| Board::from_fen(&fen, true));
        board.map(Game).map_err(|error| format!("`{fen}` is not a position of chess: {error}"))
    }

    /// Plays a move, as UCI writes it.
    fn play(&mut self, word: &str) -> Result<(), String> {
        let played = parse_uci_move(&self.0, word).ok();
        let played = played.and_then(|played| self.0.try_play(played).ok());
        played.ok_or_else(|| format!("`{word}` is no legal move of {}", self.0))
    }

    /// All legal moves, as UCI writes them.
    pub(crate) fn moves(&self) -> Vec<String> {
        let mut all: Vec<Move> = Vec::new();
        self.0.generate_moves(|moves| {
            all.extend(moves);
            false
        });
        all.into_iter().map(|each| display_uci_move(&self.0, each).to_string()).collect()
    }

    pub(crate) fn in_check(&self) -> bool {
        !self.0.checkers().is_empty()
    }

    /// How many plies ago the last capture or pawn move was.
    pub(crate) fn quiet_plies(&self) -> u32 {
        self.0.halfmove_clock().into()
    }

    pub(crate) fn fen(&self) -> String {
        self.0.to_string()
    }
}
