//! Pictures of the games of the program: maps, graphs, histograms.

use retrograde::play::{line, moves};
use retrograde::{Level, Outcome, Value};
use retrograde_catalog::{Playable, Rules, Values};
use retrograde_games::{Cell as Made, Man as Placed, Stage};
use retrograde_picture::{
    Board, Cell, Figure, Graph, Histogram, Legend, Man, NODES_MAX, Node, Way,
};

use crate::report::verdict::{mover, verdict};
use crate::source::answers::value_of;
use crate::term::failure::{Failure, input};
use crate::term::number::grouped;

/// A game to be drawn.
pub(super) struct Scene<'a> {
    pub(super) title: String,
    pub(super) game: &'a dyn Playable,
    pub(super) values: &'a dyn Values,
    /// The state meant, where there is one.
    pub(super) from: Option<u64>,
}

/// So many plies of best play are drawn, and no more: a longer line is a knot.
const PLIES_MAX: usize = 120;

impl Scene<'_> {
    /// Whether all states can be told apart in one picture.
    pub(super) fn is_small(&self) -> bool {
        self.game.states() <= NODES_MAX as u64
    }

    /// The board, each cell coloured by what the state is worth with one man on it.
    pub(super) fn map(&self, of: Option<&str>, lines: bool) -> Result<Board, Failure> {
        let game = self.game;
        let Some(stage) = game.stage() else {
            let advice =
                format!("{} has no board to map: --as histogram shows its distances", game.name());
            return Err(Failure::Usage(advice));
        };
        let Some(from) = self.from else {
            let advice = "the board names no start: say with --from STATE who stands where";
            return Err(Failure::Usage(advice.to_owned()));
        };
        let value = value_of(self.values, from)?;
        let men = stage.men(from);
        let who = self.who(of, &men, from)?;
        let mut cells = Vec::new();
        for number in 0..stage.rows() * stage.columns() {
            let made = stage.cell(number);
            let value = match stage.with(from, who, number) {
                Some(state) => self.values.probe(state).map_err(input)?,
                None => None,
            };
            cells.push(Cell {
                wall: made == Made::Wall,
                exit: made == Made::Exit,
                value,
                dark: false,
            });
        }
        let distances = self.values.has_distances();
        let (ways, whole) = match lines && (distances || value == Value::Draw) {
            true => self.ways(stage, from)?,
            false => (vec![], true),
        };
        let (win, loss) = self.sides(from);
        let legend = Legend::of(win, loss, distances, cells.iter().filter_map(|cell| cell.value));
        let figure = |man: &Placed| Man {
            cell: man.cell as usize,
            figure: Figure::Disc { letter: man.letter, light: man.mover == 1 },
        };
        let mut notes = vec![verdict(game, from, value, distances)];
        if game.movers().len() > 1 {
            let name = game.movers()[men[who].mover];
            notes.insert(0, format!(
                "Each cell: what it is worth to {} to move, with {name} on it and all else as drawn.",
                mover(game, from)
            ));
        }
        if !ways.is_empty() {
            let mut play = match game.movers() {
                [one, other] => format!(
                    "Best play: the solid line is the way of {one}, the broken one that of {other}."
                ),
                _ => "Best play: the line.".to_owned(),
            };
            if !whole {
                play.push_str(&format!(" The first {PLIES_MAX} plies of it."));
            }
            notes.push(play);
        }
        Ok(Board {
            title: self.title.clone(),
            notes,
            columns: stage.columns() as usize,
            cells,
            men: men.iter().map(figure).collect(),
            ways,
            names: None,
            legend: Some(legend),
        })
    }

    /// Which man's cells are meant: of a side asked for the first, or else the first of who is not to move.
    fn who(&self, of: Option<&str>, men: &[Placed], from: u64) -> Result<usize, Failure> {
        let movers = self.game.movers();
        let side = match of {
            Some(name) => movers.iter().position(|mover| *mover == name).ok_or_else(|| {
                Failure::Usage(format!(
                    "--of {name}: there is no such player; the players are {}",
                    movers.join(", ")
                ))
            })?,
            None if movers.len() > 1 => 1 - self.game.mover(from),
            None => 0,
        };
        Ok(men.iter().position(|man| man.mover == side).unwrap_or(0))
    }

    /// Who has won where the one to move in a state wins, and where he loses.
    fn sides(&self, state: u64) -> (String, String) {
        match self.game.movers() {
            movers @ [_, _] => {
                let mover = self.game.mover(state);
                (format!("won for {}", movers[mover]), format!("won for {}", movers[1 - mover]))
            }
            _ => ("won for who is to move".to_owned(), "lost for who is to move".to_owned()),
        }
    }

    /// Where best play leads each man, and whether that is drawn to its end.
    fn ways(&self, stage: &dyn Stage, from: u64) -> Result<(Vec<Way>, bool), Failure> {
        let line = line(&Rules(self.game), &self.values, from).map_err(input)?;
        let men = stage.men(from);
        let mut ways: Vec<Way> = men
            .iter()
            .map(|man| Way { cells: vec![], side: man.mover, label: String::new() })
            .collect();
        for &state in line.states.iter().take(PLIES_MAX + 1) {
            for (way, man) in ways.iter_mut().zip(stage.men(state)) {
                way.cells.push(man.cell as usize);
            }
        }
        Ok((ways, line.states.len() <= PLIES_MAX + 1))
    }

    /// All states and moves.
    pub(super) fn graph(&self) -> Result<Graph, Failure> {
        let game = self.game;
        if !self.is_small() {
            return Err(Failure::Input(format!(
                "{} states are too many for a picture of all: up to {NODES_MAX} can be told apart; --as histogram \
                 shows how they fall",
                grouped(game.states())
            )));
        }
        let mut number_of = vec![None; game.states() as usize];
        let (mut states, mut nodes) = (Vec::new(), Vec::new());
        for state in 0..game.states() {
            let Some(value) = self.values.probe(state).map_err(input)? else { continue };
            number_of[state as usize] = Some(nodes.len());
            states.push(state);
            nodes.push(Node { name: game.text(state), value });
        }
        let mut edges = Vec::new();
        for (from, &state) in states.iter().enumerate() {
            let value = nodes[from].value;
            for found in moves(&Rules(game), &self.values, state).map_err(input)? {
                let to = found.to.and_then(|to| number_of[to as usize]);
                let best = found.value == value && value.outcome() != Outcome::Draw;
                edges.extend(to.map(|to| (from, to, best)));
            }
        }
        let distances = self.values.has_distances();
        let values = nodes.iter().map(|node| node.value);
        let legend = Legend::of(
            "won for who is to move".into(),
            "lost for who is to move".into(),
            distances,
            values,
        );
        let mut notes =
            vec!["Thick arrows: moves to the fastest win, or to the slowest loss.".to_owned()];
        let start = self.from.and_then(|from| number_of[from as usize]);
        if start.is_some() {
            notes.push("Thick border: where play begins.".to_owned());
        }
        Ok(Graph { title: self.title.clone(), notes, nodes, edges, start, legend })
    }

    /// How many states are won and lost at each distance.
    pub(super) fn histogram(
        &self,
        levels: Vec<Level>,
        logarithmic: bool,
    ) -> Result<Histogram, Failure> {
        if !self.values.has_distances() {
            return Err(Failure::Input(
                "no distances were kept, so there is no histogram of them; solve again with distances".to_owned(),
            ));
        }
        let notes = vec![totals(&levels)];
        Ok(Histogram { title: self.title.clone(), notes, levels, logarithmic })
    }
}

/// How many states there are in all.
pub(super) fn totals(levels: &[Level]) -> String {
    let wins = levels.iter().map(|level| level.wins).sum();
    let losses = levels.iter().map(|level| level.losses).sum();
    let longest = levels.iter().filter(|level| level.wins > 0).map(|level| level.distance).max();
    let longest =
        longest.map_or(String::new(), |plies| format!("; the longest win takes {plies} plies"));
    format!("{} states won, {} lost{longest}.", grouped(wins), grouped(losses))
}
