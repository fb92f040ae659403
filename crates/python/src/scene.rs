//! What a notebook draws: a position with the values of its moves, and a map of values where one man moves.

use retrograde::Value;
use retrograde_catalog::{Oracle, State, plies, word};
use retrograde_picture::{Arrow, Drawing, Graph, Legend, Node, lettered};
use retrograde_positions::Man;

use crate::failure::Failure;

/// A position as text and as SVG, if the game has a board. The text is the board, or that of the position if
/// letters cannot draw the board. In the SVG, each point that moves go to has the value of the best of them, and an arrow
/// shows the best move.
pub(crate) fn position(oracle: &Oracle, at: &State) -> Result<Option<(String, String)>, Failure> {
    let Some(board) = oracle.board(at) else { return Ok(None) };
    let letters = lettered(&board).unwrap_or_else(|| oracle.text(at));
    let choices = oracle.choices(at)?;
    let mut drawing = Drawing::of(board);
    let mut values = vec![None; drawing.board.points.len()];
    for (number, played) in choices.moves.iter().enumerate() {
        // The moves come best first.
        let path = path(&played.step.points, &played.step.taken);
        if let Some(value) = path.last().and_then(|&point| values.get_mut(point)) {
            value.get_or_insert(played.value);
        }
        if let (0, &[_, _]) = (number, path) {
            let side = oracle.player(at);
            drawing.arrows.push(Arrow { points: path.to_vec(), side, label: String::new() });
        }
    }
    drawing.title = oracle.text(at);
    drawing.notes = vec![verdict(oracle, at, choices.value)];
    if values.iter().any(Option::is_some) {
        drawing.notes.push("Each point: the value of the best move that goes there.".to_owned());
        let names =
            ["win", "loss"].map(|outcome| format!("{outcome} for {}", side_to_move(oracle, at)));
        drawing.legend = Some(legend(oracle, names, &values));
        drawing.values = values;
    }
    Ok(Some((letters, drawing.svg())))
}

/// A board as SVG, on which one man stands on each point in turn: the point has the value of that state. `None` if no
/// player has one man alone that can stand elsewhere, or if lines and many men would hide the values.
pub(crate) fn map(oracle: &Oracle, at: &State, title: &str) -> Result<Option<String>, Failure> {
    const MEN_MAX: usize = 3;
    let Some(board) = oracle.board(at) else { return Ok(None) };
    if !board.lines.is_empty() && board.men.len() > MEN_MAX {
        return Ok(None);
    }
    let player = oracle.player(at);
    let alone = |man: &Man| board.men.iter().filter(|of| of.player == man.player).count() == 1;
    let men = board.men.iter().enumerate().filter(|(_, man)| alone(man));
    // The side that waits first, because its man is where the player to move has to aim.
    let who = men.min_by_key(|(_, man)| man.player == Some(player));
    let Some((who, man)) = who else { return Ok(None) };
    let player = man.player.and_then(|player| oracle.players().get(player));
    let name = match player.filter(|&&player| player != man.kind) {
        Some(player) => format!("{player} {}", man.kind),
        None => man.kind.to_owned(),
    };
    let places = oracle.with_man_on_each_point(at, who);
    let value =
        |state: &Option<State>| state.as_ref().map_or(Ok(None), |state| oracle.value(state));
    let values: Vec<Option<Value>> = places.iter().map(value).collect::<Result<_, _>>()?;
    if values.iter().flatten().count() < 2 {
        return Ok(None);
    }
    let names =
        ["won", "lost"].map(|outcome| format!("{outcome} for {}", side_to_move(oracle, at)));
    let mut drawing = Drawing::of(board);
    drawing.title = title.to_owned();
    drawing.notes = vec![format!(
        "Each point: the value for {}, who is to move, if the {name} stands there.",
        side_to_move(oracle, at)
    )];
    drawing.legend = Some(legend(oracle, names, &values));
    drawing.values = values;
    Ok(Some(drawing.svg()))
}

/// All states and moves of a small graph. Each move has its value for the player who makes it.
pub(crate) fn graph(
    title: String,
    nodes: Vec<Node>,
    moves: Vec<(usize, usize, Value)>,
    distances: bool,
) -> Graph {
    let best = |from: usize, value: Value| value == nodes[from].value && value != Value::Draw;
    let edges = moves.iter().map(|&(from, to, value)| (from, to, best(from, value))).collect();
    let [win, loss] =
        ["won for the player to move", "lost for the player to move"].map(str::to_owned);
    let legend = Legend::of(win, loss, distances, nodes.iter().map(|node| node.value));
    let notes = vec!["Thick arrows: moves to the fastest win, or to the slowest loss.".to_owned()];
    Graph { title, notes, nodes, edges, start: None, legend }
}

/// The points that a man goes over, without those of the men that he takes: these are pointed at last.
fn path<'a>(points: &'a [usize], taken: &[usize]) -> &'a [usize] {
    match points.len() > taken.len() && points.ends_with(taken) {
        true => &points[..points.len() - taken.len()],
        false => points,
    }
}

/// `win in 9 plies for police`.
fn verdict(oracle: &Oracle, at: &State, value: Value) -> String {
    let distance = value.distance().filter(|_| oracle.has_distances());
    let distance = distance.map_or(String::new(), |distance| format!(" in {}", plies(distance)));
    format!("{}{distance} for {}, who is to move.", word(value), side_to_move(oracle, at))
}

/// The side to move, by its name if the players differ.
fn side_to_move(oracle: &Oracle, at: &State) -> &'static str {
    match oracle.players() {
        [_] => "the player",
        players => players[oracle.player(at)],
    }
}

fn legend(oracle: &Oracle, [win, loss]: [String; 2], values: &[Option<Value>]) -> Legend {
    Legend::of(win, loss, oracle.has_distances(), values.iter().flatten().copied())
}
