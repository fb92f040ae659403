//! Pictures of a solved game: a board with best play, a map with the value of each cell, all states of a small game,
//! the number of states at each distance.

use retrograde::{Level, Outcome, Value};
use retrograde_catalog::{Ground, Oracle, State, View};
use retrograde_picture::{
    Board, Cell, Figure, Graph, Histogram, Legend, Man, NODES_MAX, Node, Way,
};

use crate::commands::line::{line_moves, movetext};
use crate::report::verdict::{side_to_move, verdict};
use crate::source::wrong::failed;
use crate::term::failure::Failure;
use crate::term::number::grouped;

/// The game or region to draw.
pub(super) struct Scene<'a> {
    pub(super) title: String,
    pub(super) oracle: &'a dyn Oracle,
    /// How many states there are.
    pub(super) states: u64,
}

/// How many plies of best play are drawn. A longer line would be a knot.
const PLIES_MAX: usize = 120;
/// How many moves are drawn as arrows if the text below lists the rest.
const ARROWS: usize = 2;

impl Scene<'_> {
    /// Whether one picture can show all states apart.
    pub(super) fn is_small(&self) -> bool {
        self.states <= NODES_MAX as u64
    }

    /// A state with its best line.
    pub(super) fn position(&self, at: &State, lines: bool) -> Result<Board, Failure> {
        let (oracle, side) = (self.oracle, side_to_move(self.oracle, at));
        let mut board = board(&self.view(at)?);
        let value = self.value(at)?;
        board.title = format!("{}: {side} to move", self.name(at));
        let (distances, text) = (oracle.has_distances(), oracle.text(at));
        board.notes = vec![verdict(value, distances, side, &text)];
        if lines && (distances || value == Value::Draw) {
            let line = oracle.line(at).map_err(failed)?;
            for (number, step) in line.states.windows(2).take(ARROWS).enumerate() {
                let Some(played) = oracle.played(&step[0], &step[1]) else { break };
                let (cells, label) = (played.path, (number + 1).to_string());
                if cells.len() > 1 {
                    board.ways.push(Way { cells, side: number % 2, label });
                }
            }
            board.notes.push(match oracle.style().pgn {
                true => movetext(oracle, &line).join(" "),
                false => line_moves(oracle, &line).join(" "),
            });
        }
        Ok(board)
    }

    /// The board. The colour of each cell is the value of the state with one man there.
    pub(super) fn map(&self, at: &State, of: Option<&str>, lines: bool) -> Result<Board, Failure> {
        let (oracle, view) = (self.oracle, self.view(at)?);
        let value = self.value(at)?;
        let who = self.who(of, &view, at)?;
        let mut board = board(&view);
        for (number, cell) in board.cells.iter_mut().enumerate() {
            cell.value = match oracle.moved(at, who, number) {
                Some(moved) => oracle.value(&moved).map_err(failed)?,
                None => None,
            };
            // The value is shown by colour, and the colours of a board's squares would hide it.
            cell.dark = false;
        }
        let (distances, side) = (oracle.has_distances(), side_to_move(oracle, at));
        let (win, loss) = self.sides(at);
        let values = board.cells.iter().filter_map(|cell| cell.value);
        board.legend = Some(Legend::of(win, loss, distances, values));
        board.notes = vec![verdict(value, distances, side, &oracle.text(at))];
        let players = oracle.players();
        let (man, on) = match view.names {
            Some(_) => (view.men[who].letter.to_string(), "square"),
            None => ((*players.get(view.men[who].side).unwrap_or(&"")).to_owned(), "cell"),
        };
        if players.len() > 1 {
            board.notes.insert(
                0,
                format!("Each {on}: the value for {side} to move, if {man} stands there."),
            );
        }
        if view.names.is_some() {
            board.title = format!("{}: {side} to move, {man} on every square", self.name(at));
            let note = "Squares without a value: the piece cannot stand there.";
            board.notes.splice(1.., [note.to_owned(), oracle.text(at)]);
            return Ok(board);
        }
        if lines && (distances || value == Value::Draw) {
            let (ways, whole) = self.ways(at)?;
            let mut play = match players[..] {
                [one, other] => format!(
                    "Best play: the solid line is the path of {one}, the broken line that of {other}."
                ),
                _ => "The line shows best play.".to_owned(),
            };
            if !whole {
                play.push_str(&format!(" The first {PLIES_MAX} plies are shown."));
            }
            if !ways.is_empty() {
                board.notes.push(play);
            }
            board.ways = ways;
        }
        board.title.clone_from(&self.title);
        Ok(board)
    }

    fn view(&self, at: &State) -> Result<View, Failure> {
        self.oracle.view(at).ok_or_else(|| {
            let game = self.oracle.game();
            let advice =
                format!("{game} has no board to draw a map of; --as histogram shows its distances");
            Failure::Usage(advice)
        })
    }

    fn value(&self, at: &State) -> Result<Value, Failure> {
        let value = self.oracle.value(at).map_err(failed)?;
        value.ok_or_else(|| {
            let text = self.oracle.text(at);
            Failure::Input(format!("{text} is invalid; nothing is played there"))
        })
    }

    /// What a state belongs to: its region, or the game.
    fn name(&self, at: &State) -> String {
        match self.oracle.region_of(at) {
            Some(region) if !region.is_empty() => region,
            Some(_) => self.title.clone(),
            None => self.oracle.game().to_owned(),
        }
    }

    /// The man to move from cell to cell. `of` is a player, a letter (then the first such piece), or a cell with a man.
    /// Without it, the first man of the side that is not to move.
    fn who(&self, of: Option<&str>, view: &View, at: &State) -> Result<usize, Failure> {
        let players = self.oracle.players();
        let first = |side: usize| view.men.iter().position(|man| man.side == side).unwrap_or(0);
        let Some(of) = of else {
            return Ok(if players.len() > 1 { first(1 - self.oracle.player(at)) } else { 0 });
        };
        if let Some(side) = players.iter().position(|player| *player == of) {
            return Ok(first(side));
        }
        let cell = |cell: usize| {
            let (rows, columns) = view.names.as_ref()?;
            Some(format!("{}{}", columns[cell % view.columns], rows[cell / view.columns]))
        };
        if view.names.is_none() {
            let players = players.join(", ");
            return Err(Failure::Usage(format!(
                "--of {of}: there is no such player; the players are {players}"
            )));
        }
        let meant = |(_, man): &(usize, &retrograde_catalog::Man)| {
            man.letter.to_string() == of || cell(man.cell).as_deref() == Some(of)
        };
        let found: Vec<usize> =
            view.men.iter().enumerate().filter(meant).map(|(number, _)| number).collect();
        match found[..] {
            [one] => Ok(one),
            [] => {
                let on = |man: &retrograde_catalog::Man| {
                    format!("{} on {}", man.letter, cell(man.cell).unwrap_or_default())
                };
                let there: Vec<String> = view.men.iter().map(on).collect();
                Err(Failure::Usage(format!(
                    "--of {of}: no such piece; there are {}",
                    there.join(", ")
                )))
            }
            _ => Err(Failure::Usage(format!(
                "--of {of}: there are {} such pieces; name the square of one",
                found.len()
            ))),
        }
    }

    /// Who has won in a state that is won for the side to move, and in a state that is lost for it.
    fn sides(&self, at: &State) -> (String, String) {
        match self.oracle.players()[..] {
            [one, other] => {
                let (side, waits) =
                    if self.oracle.player(at) == 0 { (one, other) } else { (other, one) };
                (format!("won for {side}"), format!("won for {waits}"))
            }
            _ => {
                ("won for the player to move".to_owned(), "lost for the player to move".to_owned())
            }
        }
    }

    /// Where best play leads each man, and whether the lines show all of it.
    fn ways(&self, from: &State) -> Result<(Vec<Way>, bool), Failure> {
        let line = self.oracle.line(from).map_err(failed)?;
        let men = |state| self.oracle.view(state).map_or(Vec::new(), |view| view.men);
        let way = |side| Way { cells: vec![], side, label: String::new() };
        let mut ways: Vec<Way> = men(from).iter().map(|man| way(man.side)).collect();
        for state in line.states.iter().take(PLIES_MAX + 1) {
            for (way, man) in ways.iter_mut().zip(men(state)) {
                way.cells.push(man.cell);
            }
        }
        Ok((ways, line.states.len() <= PLIES_MAX + 1))
    }

    /// All states and moves.
    pub(super) fn graph(&self, region: &str, start: Option<&State>) -> Result<Graph, Failure> {
        let oracle = self.oracle;
        if !self.is_small() {
            return Err(Failure::Input(format!(
                "{} states are too many for one picture, which shows at most {NODES_MAX}; --as histogram \
                 shows how they fall",
                grouped(self.states)
            )));
        }
        let states = oracle.region(region).map_err(failed)?;
        let mut found = vec![None; self.states as usize];
        states.fill(0, &mut found).map_err(failed)?;
        let mut nodes = Vec::new();
        for (state, value) in (0..).zip(found) {
            if let (Some(name), Some(value)) = (states.text(state, value), value) {
                nodes.push(Node { name, value });
            }
        }
        let number_of = |text: &str| nodes.iter().position(|node| node.name == text);
        let mut edges = Vec::new();
        for (from, node) in nodes.iter().enumerate() {
            let state = oracle.parse(&node.name).map_err(failed)?;
            for played in oracle.ask(&state).map_err(failed)?.moves {
                let to = played.to.and_then(|to| number_of(&oracle.text(&to)));
                let best = played.value == node.value && node.value.outcome() != Outcome::Draw;
                edges.extend(to.map(|to| (from, to, best)));
            }
        }
        let start = start.and_then(|start| number_of(&oracle.text(start)));
        let values = nodes.iter().map(|node| node.value);
        let legend = Legend::of(
            "won for the player to move".into(),
            "lost for the player to move".into(),
            oracle.has_distances(),
            values,
        );
        let mut notes =
            vec!["Thick arrows: moves to the fastest win, or to the slowest loss.".to_owned()];
        if start.is_some() {
            notes.push("Thick border: where play begins.".to_owned());
        }
        Ok(Graph { title: self.title.clone(), notes, nodes, edges, start, legend })
    }

    /// How many states are won and lost at each distance.
    pub(super) fn histogram(&self, region: &str, logarithmic: bool) -> Result<Histogram, Failure> {
        if !self.oracle.has_distances() {
            return Err(Failure::Input(
                "this solution has no distances, so it has no histogram; solve again with distances".to_owned(),
            ));
        }
        let levels = self.oracle.region(region).map_err(failed)?.levels().map_err(failed)?;
        let mut notes = vec![totals(&levels)];
        let title = match region {
            "" => self.title.clone(),
            region => {
                notes.push("One state for all placements that symmetry makes equal.".to_owned());
                region.to_owned()
            }
        };
        Ok(Histogram { title, notes, levels, logarithmic })
    }
}

/// How many states there are in all.
fn totals(levels: &[Level]) -> String {
    let wins = levels.iter().map(|level| level.wins).sum();
    let losses = levels.iter().map(|level| level.losses).sum();
    let longest = levels.iter().filter(|level| level.wins > 0).map(|level| level.distance).max();
    let longest =
        longest.map_or(String::new(), |plies| format!("; the longest win takes {plies} plies"));
    format!("{} states won, {} lost{longest}.", grouped(wins), grouped(losses))
}

/// A board without values.
fn board(view: &View) -> Board {
    let cell = |ground: &Ground| Cell {
        wall: *ground == Ground::Wall,
        exit: *ground == Ground::Exit,
        dark: *ground == Ground::Dark,
        line: match ground {
            Ground::Line(line) => Some(*line),
            _ => None,
        },
        value: None,
    };
    let man = |man: &retrograde_catalog::Man| Man {
        cell: man.cell,
        figure: match view.pieces {
            true => Figure::Piece { role: man.letter.to_ascii_uppercase(), white: man.side == 0 },
            false => Figure::Disc { letter: man.letter, light: man.side == 1 },
        },
    };
    Board {
        title: String::new(),
        notes: Vec::new(),
        columns: view.columns,
        cells: view.cells.iter().map(cell).collect(),
        men: view.men.iter().map(man).collect(),
        ways: Vec::new(),
        names: view.names.clone(),
        legend: None,
    }
}
