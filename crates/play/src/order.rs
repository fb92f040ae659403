//! The commands that a player may type besides moves, and the move that a text means.

use crate::field::Node;
use retrograde_catalog::{Played, nearest};

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The move with this number.
    Move(usize),
    /// Show every move with its value and distance.
    Moves,
    /// Show the best move.
    Hint,
    /// Take the last move back.
    Back,
    /// Take the draw that is offered.
    Draw,
    /// Begin another game, from a position or from the start.
    New(Option<String>),
    /// List the commands.
    Help,
    /// End play.
    Quit,
}

/// The list of commands: one line each.
pub(crate) const HELP: [(&str, &str); 8] = [
    ("MOVE", "make this move, written as `?` lists it"),
    ("?", "list every move with its value and its distance in plies, best first"),
    ("hint", "show the best move"),
    ("back", "take your last move back (also `undo`)"),
    ("draw", "take the draw that is offered"),
    ("new [STATE]", "begin another game, from STATE or from the start"),
    ("help", "show this list"),
    ("quit", "stop (also `exit` and `q`)"),
];

/// Reads a line. If a move has the name of a command, the word means the move. A colon before the word makes it the
/// command.
pub(crate) fn read(text: &str, node: &Node) -> Result<Order, String> {
    let text = text.trim();
    if let Some(order) = text.strip_prefix(':') {
        return order_named(order.trim())
            .ok_or_else(|| format!("`{text}` is not a command; `help` lists the commands"));
    }
    // Signs for a check or a comment on the move are optional.
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let found = find(text, node).or_else(|| if bare.is_empty() { None } else { find(bare, node) });
    if let Some(found) = found {
        return Ok(Order::Move(found));
    }
    if let Some(order) = order_named(text) {
        return Ok(order);
    }
    let labels = node.moves.iter().map(|choice| choice.step.name.clone());
    let advice = match nearest(text, labels) {
        Some(label) => format!("did you mean {label}? `?` lists all moves"),
        None => "`?` lists all moves, and `help` lists the commands".to_owned(),
    };
    Err(format!("`{text}` is no move here; {advice}"))
}

fn order_named(text: &str) -> Option<Order> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    if word == "new" {
        return Some(Order::New((!rest.is_empty()).then(|| rest.to_owned())));
    }
    if !rest.is_empty() {
        return None;
    }
    Some(match word {
        "?" => Order::Moves,
        "hint" => Order::Hint,
        "back" | "undo" => Order::Back,
        "draw" => Order::Draw,
        "help" => Order::Help,
        "quit" | "exit" | "q" => Order::Quit,
        _ => return None,
    })
}

/// The move that a text means: written exactly so, or in other capitals if only one move matches.
fn find(text: &str, node: &Node) -> Option<usize> {
    let written = |choice: &Played| {
        choice.step.name == text || choice.step.spellings.iter().any(|spelling| spelling == text)
    };
    if let Some(found) = node.moves.iter().position(written) {
        return Some(found);
    }
    let wanted = text.to_lowercase();
    let same = |(_, choice): &(usize, &Played)| {
        let mut written = std::iter::once(&choice.step.name).chain(&choice.step.spellings);
        written.any(|written| written.to_lowercase() == wanted)
    };
    let mut same = node.moves.iter().enumerate().filter(same);
    match (same.next(), same.next()) {
        (Some((found, _)), None) => Some(found),
        _ => None,
    }
}
