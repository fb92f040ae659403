//! What a text means, before anything is solved: a wrong text is easier to see here than in its values.

use std::fmt;

use retrograde::internal::SplitMix64;
use retrograde::{Game, counted, grouped};
use retrograde_positions::Positions;
use serde::{Serialize, Serializer};

use crate::TextError;
use crate::cells::reachable;
use crate::game::DescribedGame;
use crate::page::{Numbers, Page, PageVisitor};
use crate::text::Text;

/// How many positions a report shows.
const SAMPLES: usize = 10;
/// How often it looks for them. Some numbers stand for no position.
const TRIES: usize = 1000;

/// What a text means: see [`Page::report`]. Its text form is for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The name of the game.
    pub name: String,
    /// The players. The first one begins.
    pub players: [String; 2],
    /// The rows of the board from the top. A point has its name, and an empty place has none.
    pub rows: Vec<Vec<Option<String>>>,
    /// On a board of points, each point with the next points of its lines.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, Vec<String>>")
    )]
    pub next: Vec<(String, Vec<String>)>,
    /// The men of each player at the start.
    pub men: Vec<ReportMen>,
    /// What ends the game, in words.
    pub ends: Vec<String>,
    /// The statements that can never have an effect, in words.
    pub no_effect: Vec<String>,
    /// How many cells there are: numbers of men of each kind on the board and in hand, with the player to move.
    pub cells: u64,
    /// How many positions are valid. If `exact` is false, there are at most so many.
    pub positions: u64,
    /// Whether `positions` is exact.
    pub exact: bool,
    /// How many symmetries the board has, with its moves and ends.
    pub symmetries: usize,
    /// Whether they are not used, because there are too many or their search takes too long.
    #[serde(skip)]
    pub leaves_symmetries: bool,
    /// Whether the players can change roles.
    pub exchange: bool,
    /// How many numbers positions have, if symmetric positions share one. Some numbers may stand for no position.
    pub states: u64,
    /// How many bytes of memory a solve of these needs.
    pub memory_bytes: u64,
    /// The position that play begins with.
    pub start: ReportPosition,
    /// Some random positions, the same in every run.
    pub random: Vec<ReportPosition>,
}

/// Men of one kind of one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportMen {
    /// The player.
    pub player: String,
    /// The kind.
    pub kind: String,
    /// The sign in texts of positions.
    pub sign: char,
    /// How many there are.
    pub count: u32,
    /// Whether they are in hand.
    pub in_hand: bool,
}

/// A position and its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportPosition {
    /// The text of the position.
    pub state: String,
    /// The rows of the board from the top. A point has the sign of its man or `.`, and an empty place has none.
    #[serde(skip)]
    pub rows: Vec<Vec<Option<char>>>,
    /// Its moves, in alphabetical order.
    pub moves: Vec<String>,
    /// If the game has ended: the value for the player to move, and the reason.
    pub end: Option<String>,
}

impl Page {
    /// What the text means. `memory` is how many bytes a solve needs. The caller knows the solver.
    pub fn report(&self, memory: u64) -> Result<Report, TextError> {
        let mut report = self.clone().visit(Numbers::Plain, Describe)?;
        let slots = self.slots()?;
        let states = slots.cells(self, true).states();
        (report.exact, report.states, report.memory_bytes) =
            (slots.are_exact(&self.text), states, memory);
        report.no_effect = self.idle(&reachable(&self.text, &self.atoms)?);
        Ok(report)
    }

    /// A position and its moves. The error says which part of the text of the position is wrong.
    pub fn report_position(&self, position: &str) -> Result<ReportPosition, String> {
        let page = self.clone().visit(Numbers::Plain, Show(position));
        page.map_err(|error| error.to_string())?
    }
}

/// Reads and shows a position.
struct Show<'p>(&'p str);

impl PageVisitor for Show<'_> {
    type Output = Result<ReportPosition, String>;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Result<ReportPosition, String> {
        game.read(self.0).map(|position| shown(&game, &position))
    }
}

/// Describes a game whose positions have numbers of their own.
struct Describe;

impl PageVisitor for Describe {
    type Output = Report;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Report {
        let page = game.page();
        let text = &page.text;
        let men = text.classes.iter().map(|class| ReportMen {
            player: text.players[class.player].clone(),
            kind: class.kind.clone(),
            sign: class.sign(),
            count: class.count,
            in_hand: class.in_hand,
        });
        let start = game.start().expect("every text has a start");
        let (mut random, mut samples) = (SplitMix64(0), Vec::new());
        for _ in 0..TRIES {
            if samples.len() == SAMPLES {
                break;
            }
            let position = game.position(&(), random.below(game.states()));
            let sample = position.map(|position| shown(&game, &position));
            if !sample.as_ref().is_none_or(|new| samples.contains(new)) {
                samples.extend(sample);
            }
        }
        Report {
            name: text.name.clone(),
            players: text.players.clone(),
            rows: each_point(text, |at| text.board.points[usize::from(at)].name.clone()),
            next: text.board.next(),
            men: men.collect(),
            ends: text.said_ends(),
            no_effect: Vec::new(),
            cells: game.cells(),
            positions: game.states(),
            exact: false,
            symmetries: page.symmetries(),
            leaves_symmetries: page.leaves_symmetries(),
            exchange: page.is_even(),
            states: 0,
            memory_bytes: 0,
            start: shown(&game, &start),
            random: samples,
        }
    }
}

fn shown<const N: usize>(
    game: &DescribedGame<N>,
    position: &<DescribedGame<N> as Positions>::Position,
) -> ReportPosition {
    let mut moves = Vec::new();
    let end = game.moves(position, &mut |played| moves.push(played.name));
    moves.sort_unstable();
    let end = end.map(|end| format!("{}: {}", end.value, end.why));
    let rows = each_point(&game.page().text, |at| game.0.0.sign_on(position, at));
    ReportPosition { state: game.write(position), rows, moves, end }
}

fn by_name<S: Serializer>(
    next: &[(String, Vec<String>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(next.iter().map(|(point, next)| (point, next)))
}

/// What `of` says of each point, in the rows of the board from the top.
fn each_point<T>(text: &Text, of: impl Fn(u8) -> T) -> Vec<Vec<Option<T>>> {
    let rows = text.board.rows().into_iter();
    rows.map(|row| row.into_iter().map(|point| point.map(&of)).collect()).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.players;
        writeln!(f, "{}: {first} and {second}, {first} begins\n", self.name)?;
        let name = |point: &Option<String>| point.clone().unwrap_or_default();
        let wide = self.rows.iter().flatten().map(|point| name(point).chars().count()).max();
        for row in &self.rows {
            let row: Vec<String> = row
                .iter()
                .map(|point| format!("{:wide$}", name(point), wide = wide.unwrap_or(0)))
                .collect();
            writeln!(f, "    {}", row.join(" ").trim_end())?;
        }
        writeln!(f)?;
        let next = |(point, next): &(String, Vec<String>)| format!("{point}: {}", next.join(" "));
        let next: Vec<String> = self.next.iter().map(next).collect();
        list(f, "next", next.chunks(6).map(|some| some.join(", ")))?;
        for player in &self.players {
            let men = self.men.iter().filter(|men| men.player == *player);
            let men: Vec<String> = men.map(ToString::to_string).collect();
            writeln!(f, "men        {player}: {}", men.join(", "))?;
        }
        list(f, "ends", self.ends.iter().cloned())?;
        list(f, "no effect", self.no_effect.iter().cloned())?;
        let (cells, most) = (counted(self.cells, "cell"), if self.exact { "" } else { "at most " });
        writeln!(f, "positions  {most}{} in {cells}", grouped(self.positions))?;
        let even = if self.exchange { ", and the players can change roles" } else { "" };
        let symmetries = match self.symmetries {
            _ if self.leaves_symmetries => {
                "symmetries are not used, there are too many or their search takes too long".into()
            }
            1 => "no symmetry of the board".to_owned(),
            more => counted(more as u64, "symmetry") + " of the board",
        };
        writeln!(f, "states     {}: {symmetries}{even}", grouped(self.states))?;
        writeln!(
            f,
            "memory     {} MB to solve it",
            grouped(self.memory_bytes.div_ceil(1_000_000))
        )?;
        writeln!(f, "start      {}", self.start)?;
        writeln!(f, "\n{}:", counted(self.random.len() as u64, "random position"))?;
        self.random.iter().try_for_each(|sample| writeln!(f, "  {sample}"))
    }
}

/// Lines with a name before the first.
fn list(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    mut lines: impl Iterator<Item = String>,
) -> fmt::Result {
    if let Some(first) = lines.next() {
        writeln!(f, "{name:10} {first}")?;
    }
    lines.try_for_each(|line| writeln!(f, "{:10} {line}", ""))
}

impl fmt::Display for ReportMen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = if self.in_hand && self.count > 0 { " in hand" } else { "" };
        write!(f, "{} {} ({}){hand}", self.count, self.kind, self.sign)
    }
}

impl fmt::Display for ReportPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.end {
            Some(end) => write!(f, "{}  {end}", self.state),
            None => write!(f, "{}  {}", self.state, self.moves.join(" ")),
        }
    }
}
