//! What a player may type beside a move, and which move a text means.

use crate::field::Node;
use retrograde_catalog::{Played, nearest};

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The move of that number.
    Move(usize),
    /// Every move with its value and distance.
    Moves,
    /// The best move.
    Hint,
    /// The last move taken back.
    Back,
    /// A draw, where one is offered.
    Draw,
    /// Another game, from a position or from the start.
    New(Option<String>),
    /// What there is to type.
    Help,
    /// An end.
    Quit,
}

/// What there is to type, a line for each.
pub(crate) const HELP: [(&str, &str); 8] = [
    ("MOVE", "make it, written as `?` lists it"),
    ("?", "every move with its value and its distance in plies, best first"),
    ("hint", "the best move"),
    ("back", "take your last move back; `undo` does so too"),
    ("draw", "take a draw that is offered"),
    ("new [STATE]", "another game, from there"),
    ("help", "this list"),
    ("quit", "stop here; so do `exit` and `q`"),
];

/// Reads what was typed. Where a move has the name of an order, it is the move; a colon before the word makes it
/// the order.
pub(crate) fn read(text: &str, node: &Node) -> Result<Order, String> {
    let text = text.trim();
    if let Some(order) = text.strip_prefix(':') {
        return order_named(order.trim())
            .ok_or_else(|| format!("`{text}` is no order; `help` lists what there is"));
    }
    // A sign for check, or a remark on the move, may be there or not.
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let found = find(text, node).or_else(|| if bare.is_empty() { None } else { find(bare, node) });
    if let Some(found) = found {
        return Ok(Order::Move(found));
    }
    if let Some(order) = order_named(text) {
        return Ok(order);
    }
    let labels = node.moves.iter().map(|choice| choice.label.clone());
    let advice = match nearest(text, labels) {
        Some(label) => format!("did you mean {label}? `?` lists all moves"),
        None => "`?` lists all moves, `help` what else there is to type".to_owned(),
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

/// The move that a text means: written as it is, or else in other capitals, if only one is.
fn find(text: &str, node: &Node) -> Option<usize> {
    let written = |choice: &Played| {
        choice.label == text || choice.spellings.iter().any(|spelling| spelling == text)
    };
    if let Some(found) = node.moves.iter().position(written) {
        return Some(found);
    }
    let wanted = text.to_lowercase();
    let same = |(_, choice): &(usize, &Played)| {
        let mut written = std::iter::once(&choice.label).chain(&choice.spellings);
        written.any(|written| written.to_lowercase() == wanted)
    };
    let mut same = node.moves.iter().enumerate().filter(same);
    match (same.next(), same.next()) {
        (Some((found, _)), None) => Some(found),
        _ => None,
    }
}
