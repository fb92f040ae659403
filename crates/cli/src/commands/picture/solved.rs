//! Pictures of a solved game: a board with best play, a map with the value of each cell, all states of a small game,
//! the number of states at each distance.

use retrograde::{Level, Outcome, Value};
use retrograde_catalog::{Oracle, State};
use retrograde_picture::{Arrow, Drawing, Graph, Histogram, Legend, NODES_MAX, Node};
use retrograde_positions::{Board, Man};

use crate::commands::line::{line_moves, movetext};
use crate::report::verdict::{side_to_move, verdict};
use crate::source::wrong::failed;
use crate::term::failure::Failure;
use crate::term::number::{counted, grouped};

/// The game or region to draw.
pub(super) struct Scene<'a> {
    pub(super) title: String,
    pub(super) oracle: &'a Oracle,
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
    pub(super) fn position(&self, at: &State, lines: bool) -> Result<Drawing, Failure> {
        let (oracle, side) = (self.oracle, side_to_move(self.oracle, at));
        let mut drawing = Drawing::of(self.board(at)?);
        let value = self.value(at)?;
        drawing.title = match oracle.players().len() {
            1 => self.name(at),
            _ => format!("{}: {side} to move", self.name(at)),
        };
        let (distances, text) = (oracle.has_distances(), oracle.text(at));
        drawing.notes = vec![verdict(value, distances, side, &text)];
        if lines && (distances || value == Value::Draw) {
            let line = oracle.line(at).map_err(failed)?;
            let first = oracle.player(at);
            for (number, played) in line.moves.iter().take(ARROWS).enumerate() {
                // What a move takes is pointed at, too, but nothing goes there.
                let taken = &played.step.taken;
                let points = played.step.points.iter().copied();
                let mut points: Vec<usize> = points.collect();
                if points.len() > taken.len() && points.ends_with(taken) {
                    points.truncate(points.len() - taken.len());
                }
                let label = (number + 1).to_string();
                if points.len() <= 2 {
                    drawing.arrows.push(Arrow { points, side: (first + number) % 2, label });
                }
            }
            let moves = match oracle.style().pgn {
                true => movetext(oracle, &line),
                false => line_moves(&line),
            };
            drawing.notes.push(shortened(moves));
        }
        Ok(drawing)
    }

    /// The board. The colour of each point is the value of the state with one man there.
    pub(super) fn map(
        &self,
        at: &State,
        of: Option<&str>,
        lines: bool,
    ) -> Result<Drawing, Failure> {
        let (oracle, board) = (self.oracle, self.board(at)?);
        let value = self.value(at)?;
        let who = self.who(of, &board, at)?;
        let moved = oracle.with_man_on_each_point(at, who);
        let value_of = |moved: &Option<State>| {
            moved.as_ref().map_or(Ok(None), |moved| oracle.value(moved).map_err(failed))
        };
        let mut drawing = Drawing::of(board);
        drawing.values = moved.iter().map(value_of).collect::<Result<_, _>>()?;
        if drawing.values.iter().flatten().count() < 2 {
            let game = oracle.game();
            return Err(Failure::Usage(format!(
                "{game} has no man that can stand elsewhere, so there is no map; --as position draws the board, and --as \
                 histogram the distances"
            )));
        }
        let (distances, side) = (oracle.has_distances(), side_to_move(oracle, at));
        let (win, loss) = self.sides(at);
        let values = drawing.values.iter().flatten().copied();
        drawing.legend = Some(Legend::of(win, loss, distances, values));
        drawing.notes = vec![verdict(value, distances, side, &oracle.text(at))];
        let players = oracle.players();
        let whole = oracle.style().map;
        let (man, on) = match whole {
            false => (self.named(&drawing.board, who), "point"),
            true => {
                let player = drawing.board.men[who].player.unwrap_or(0);
                ((*players.get(player).unwrap_or(&"")).to_owned(), "cell")
            }
        };
        if players.len() > 1 {
            drawing.notes.insert(
                0,
                format!("Each {on}: the value for {side} to move, if {man} stands there."),
            );
        }
        if !whole {
            drawing.title = format!("{}: {side} to move, {man} on every {on}", self.name(at));
            let note = "Points without a value: this man cannot stand there.";
            drawing.notes.splice(1.., [note.to_owned(), oracle.text(at)]);
            return Ok(drawing);
        }
        if lines && (distances || value == Value::Draw) {
            let (arrows, whole) = self.arrows(at)?;
            let mut play = match players[..] {
                [one, other] => format!(
                    "Best play: the solid line is the path of {one}, the broken line that of {other}."
                ),
                _ => "The line shows best play.".to_owned(),
            };
            if !whole {
                play.push_str(&format!(" The first {PLIES_MAX} plies are shown."));
            }
            if arrows.iter().any(|arrow| arrow.points.len() > 1) {
                drawing.key = Some(play);
            }
            drawing.arrows = arrows;
        }
        drawing.title.clone_from(&self.title);
        Ok(drawing)
    }

    /// Whether to draw a map by default: a player has one man, and he can stand elsewhere. But with lines between the points,
    /// the paths of many men are a knot.
    pub(super) fn has_map(&self, at: &State) -> bool {
        /// The most men on a board with lines.
        const MEN_MAX: usize = 3;
        let Some(board) = self.oracle.board(at) else { return false };
        if !board.lines.is_empty() && board.men.len() > MEN_MAX {
            return false;
        }
        let alone = |man: &Man| board.men.iter().filter(|of| of.player == man.player).count() == 1;
        let who = board.men.iter().position(alone);
        let places =
            |who| self.oracle.with_man_on_each_point(at, who).into_iter().flatten().count();
        who.is_some_and(|who| places(who) > 1)
    }

    fn board(&self, at: &State) -> Result<Board, Failure> {
        self.oracle.board(at).ok_or_else(|| {
            let game = self.oracle.game();
            let advice =
                format!("{game} has no board to draw a map of; --as histogram shows its distances");
            Failure::Usage(advice)
        })
    }

    /// A man as people name him: `the black king`.
    fn named(&self, board: &Board, man: usize) -> String {
        let man = &board.men[man];
        let players = self.oracle.players();
        match man.player.and_then(|player| players.get(player)) {
            Some(player) => format!("the {player} {}", man.kind),
            None => format!("the {}", man.kind),
        }
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

    /// The man to move from point to point. `of` is a player, a letter (then the first such piece), or a point with a man.
    /// Without it, the first man of the side that is not to move.
    fn who(&self, of: Option<&str>, board: &Board, at: &State) -> Result<usize, Failure> {
        let players = self.oracle.players();
        let of_side = |side: usize| board.men.iter().position(|man| man.player == Some(side));
        let first = |side: usize| of_side(side).unwrap_or(0);
        let Some(of) = of else {
            return Ok(if players.len() > 1 { first(1 - self.oracle.player(at)) } else { 0 });
        };
        if let Some(side) = players.iter().position(|player| *player == of) {
            return Ok(first(side));
        }
        if self.oracle.style().map {
            let players = players.join(", ");
            return Err(Failure::Usage(format!(
                "--of {of}: there is no such player; the players are {players}"
            )));
        }
        let point = |man: &Man| board.points[man.point].name.as_str();
        let meant = |man: &Man| man.sign.to_string() == of || point(man) == of;
        let men = board.men.iter().enumerate();
        let found: Vec<usize> =
            men.filter(|(_, man)| meant(man)).map(|(number, _)| number).collect();
        match found[..] {
            [one] => Ok(one),
            [] => {
                let on = |man: &Man| format!("{} on {}", man.sign, point(man));
                let there: Vec<String> = board.men.iter().map(on).collect();
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

    /// Where best play leads each man, and whether the arrows show all of it.
    fn arrows(&self, from: &State) -> Result<(Vec<Arrow>, bool), Failure> {
        let line = self.oracle.line(from).map_err(failed)?;
        let men = |state| self.oracle.board(state).map_or(Vec::new(), |board| board.men);
        let arrow = |man: &Man| Arrow {
            points: vec![],
            side: man.player.unwrap_or(0),
            label: String::new(),
        };
        let mut arrows: Vec<Arrow> = men(from).iter().map(arrow).collect();
        for state in line.states.iter().take(PLIES_MAX + 1) {
            for (arrow, man) in arrows.iter_mut().zip(men(state)) {
                arrow.points.push(man.point);
            }
        }
        Ok((arrows, line.states.len() <= PLIES_MAX + 1))
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
            for played in oracle.choices(&state).map_err(failed)?.moves {
                let to = number_of(&oracle.text(&played.step.next));
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
    let wins: u64 = levels.iter().map(|level| level.wins).sum();
    let losses = levels.iter().map(|level| level.losses).sum();
    let longest = levels.iter().filter(|level| level.wins > 0).map(|level| level.distance).max();
    let longest = longest.map_or(String::new(), |plies| {
        format!("; the longest win takes {}", counted(plies, "ply"))
    });
    format!("{} won, {} lost{longest}.", counted(wins, "state"), grouped(losses))
}

/// The moves of a line. Of a long one, only the first.
fn shortened(moves: Vec<String>) -> String {
    match moves.len() > PLIES_MAX {
        true => format!("{} … ({} plies)", moves[..PLIES_MAX].join(" "), moves.len()),
        false => moves.join(" "),
    }
}
