//! What a person sees of a game: names, texts of states, pictures. The program needs nothing else to
//! solve, list, draw and question any game.

use retrograde::Misere;

use crate::Stage;

/// A game that can be talked about.
pub trait Show: Sync {
    /// The name of the game in one lower-case word: `pursuit`.
    fn name(&self) -> &'static str;

    /// Who plays: `["police", "thief"]`, or `["player"]` where both are alike.
    fn movers(&self) -> &'static [&'static str] {
        &["player"]
    }

    /// Which of [`movers`](Show::movers) is to move in `state`.
    fn mover(&self, state: u64) -> usize {
        let _ = state;
        0
    }

    /// For how many states from this one on the mover is the same. Saying less is allowed, and slower.
    fn mover_run(&self, state: u64) -> u64 {
        let _ = state;
        1
    }

    /// How many states a person would count, holes included, where those are not the states of the
    /// numbering, which is laid out for speed.
    fn states_named(&self) -> Option<u64> {
        None
    }

    /// The state the game begins in, where it has one.
    fn start(&self) -> Option<u64>;

    /// The state in words: `police 0,0 3,4`. Only asked of states that are not void.
    fn text(&self, state: u64) -> String;

    /// The state that `text` names, or what is wrong with it.
    fn parse(&self, text: &str) -> Result<u64, String>;

    /// The state drawn, where the game has a board. Ends without a line break.
    fn picture(&self, state: u64) -> Option<String> {
        let _ = state;
        None
    }

    /// A move in as few words as tell it from the others of its state, as a player types it.
    fn step(&self, from: u64, to: u64) -> String {
        let _ = from;
        self.text(to)
    }

    /// The same placement with the other mover to move, where both may be. Only asked of states that are not void.
    fn passed(&self, state: u64) -> Option<u64> {
        let _ = state;
        None
    }

    /// The board it is played on, where that is a grid of cells.
    fn stage(&self) -> Option<&dyn Stage> {
        None
    }
}

/// The game keeps its name and its looks: only what being stuck is worth changes.
impl<G: Show> Show for Misere<G> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn movers(&self) -> &'static [&'static str] {
        self.0.movers()
    }

    fn mover(&self, state: u64) -> usize {
        self.0.mover(state)
    }

    fn mover_run(&self, state: u64) -> u64 {
        self.0.mover_run(state)
    }

    fn states_named(&self) -> Option<u64> {
        self.0.states_named()
    }

    fn start(&self) -> Option<u64> {
        self.0.start()
    }

    fn text(&self, state: u64) -> String {
        self.0.text(state)
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        self.0.parse(text)
    }

    fn picture(&self, state: u64) -> Option<String> {
        self.0.picture(state)
    }

    fn step(&self, from: u64, to: u64) -> String {
        self.0.step(from, to)
    }

    fn passed(&self, state: u64) -> Option<u64> {
        self.0.passed(state)
    }

    fn stage(&self) -> Option<&dyn Stage> {
        self.0.stage()
    }
}
