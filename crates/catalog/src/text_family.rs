//! The game of a text as a family of regions, for games that are too large to be solved at once.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use retrograde::{Flow, Game, Predecessors, Prefetch, Probe, Status, Value};
use retrograde_games::{CellRegion, NUMBERING, Setup, SetupError, Source, Spec, TEXT, regions};
use retrograde_positions::{AnyPosition, Arguments, Board, End, Man, Move, Positions};
use retrograde_regions::{AnyFamily, Family, FamilyTexts, Run, Selection, SideFacts, SolvedRegion};
use retrograde_table::{About, SideCounts};
use serde_json::{Value as Json, json};

use crate::compiled_game::CompiledGame;
use crate::setup::{Shared, game};

/// The game of a text in regions. Copies share all.
#[derive(Clone)]
pub struct TextFamily(Arc<Regions>);

/// The regions, and the game whose states they share out.
struct Regions {
    /// The text; none if version 0.2 of the program numbered the states.
    text: Option<String>,
    game: Arc<dyn CompiledGame>,
    regions: Vec<Region>,
    by_name: HashMap<String, usize>,
    /// For each cell, in the order of the game's states: its first state, its region, and its first state there.
    places: Vec<(u64, usize, u64)>,
}

struct Region {
    name: String,
    /// The regions that it needs, in order.
    needs: Vec<usize>,
    /// Its cells: the first state of each here, and its states in the whole game. States between two cells are no positions.
    cells: Vec<(u64, Range<u64>)>,
    /// The player to move in each cell. Empty if tables do not count positions.
    sides: Vec<usize>,
    states: u64,
}

/// The game of a region. A move into another region is an exit.
pub struct RegionOfText<'a> {
    all: Arc<Regions>,
    region: usize,
    /// The solutions of the regions that it needs, in the order of these.
    solved: Vec<SolvedRegion<'a>>,
}

/// The family of version 0.2 whose game is a text now.
const FORMER: &str = "tapatan";

/// The last text that somebody asked for. A folder asks for the same text at each of its tables.
static LAST: Mutex<Option<TextFamily>> = Mutex::new(None);

impl TextFamily {
    /// The game of a text. Fails if the text is wrong.
    pub fn of_text(text: &Source) -> Result<TextFamily, SetupError> {
        let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |family: &&TextFamily| family.0.text.as_ref() == Some(&text.text);
        if let Some(family) = last().as_ref().filter(is_same) {
            return Ok(family.clone());
        }
        // No other thread waits for a text that takes long.
        let (regions, game) = regions(text, Shared)?;
        let region = |CellRegion { name, cells, needs }: CellRegion| {
            let (mut states, mut sides) = (0, Vec::new());
            let cells = cells.into_iter().map(|(cell, side)| {
                let first = states;
                states += cell.end - cell.start;
                sides.push(side);
                (first, cell)
            });
            let cells = cells.collect();
            Region { name, needs, cells, sides, states }
        };
        let regions = regions.into_iter().map(region).collect();
        let family = TextFamily::of_regions(Some(text.text.clone()), game, regions);
        *last() = Some(family.clone());
        Ok(family)
    }

    fn of_regions(
        text: Option<String>,
        game: Arc<dyn CompiledGame>,
        regions: Vec<Region>,
    ) -> TextFamily {
        let mut places = Vec::new();
        for (number, region) in regions.iter().enumerate() {
            places.extend(region.cells.iter().map(|(first, cell)| (cell.start, number, *first)));
        }
        places.sort_unstable();
        let names = regions.iter().enumerate();
        let by_name = names.map(|(number, region)| (region.name.clone(), number)).collect();
        TextFamily(Arc::new(Regions { text, game, regions, by_name, places }))
    }

    /// Tapatan, as version 0.2 numbered it: a region for each number of men on the board, and a digit for each point.
    fn former() -> TextFamily {
        const REGIONS: [&str; 7] = ["m", "p5", "p4", "p3", "p2", "p1", "p0"];
        const STATES: u64 = 3u64.pow(9);
        let setup = Setup::former_family(FORMER).expect("it was a family");
        let game = game(&setup).expect("its text is right");
        let mut regions: Vec<Region> = REGIONS
            .iter()
            .enumerate()
            .map(|(number, name)| Region {
                name: (*name).to_owned(),
                needs: number.checked_sub(1).into_iter().collect(),
                cells: Vec::new(),
                sides: Vec::new(),
                states: STATES,
            })
            .collect();
        for whole in 0..game.states() {
            let position = game.position(whole).expect("every state is a position");
            let board = game.board(&position).expect("a text has a board");
            let digit = |man: &Man| 1 + u64::from(man.player != Some(game.player(&position)));
            let digits = board.men.iter().map(|man| digit(man) * 3u64.pow(8 - man.point as u32));
            regions[6 - board.men.len()].cells.push((digits.sum(), whole..whole + 1));
        }
        regions.iter_mut().for_each(|region| region.cells.sort_unstable_by_key(|cell| cell.0));
        TextFamily::of_regions(None, game, regions)
    }

    /// The regions of these names. Without names, that of the start, which needs all others.
    pub fn selection(self, names: &[String]) -> Result<Selection, String> {
        for name in names {
            self.region_named(name)?;
        }
        let start = || self.0.regions.last().map(|region| region.name.clone());
        let regions = match names {
            [] => start().into_iter().collect(),
            names => names.to_vec(),
        };
        Ok(Selection { family: Box::new(self), regions })
    }

    /// Whether a region has a position, or the game is over there. The whole game may have states that no play from the start leads to,
    /// and that no region has.
    fn has(&self, position: &AnyPosition) -> bool {
        self.0.game.number(position).map_or(true, |state| {
            let (region, there) = self.0.place(state);
            self.0.regions[region].whole(there) == Some(state)
        })
    }

    fn number_of(&self, name: &str) -> usize {
        *self.0.by_name.get(name).expect("the name of a region of this game")
    }
}

impl Regions {
    /// The region of a state of the game, and the state there.
    fn place(&self, state: u64) -> (usize, u64) {
        let next = self.places.partition_point(|(first, ..)| *first <= state);
        let (first, region, there) = self.places[next - 1];
        (region, there + (state - first))
    }
}

impl Region {
    /// The state of the game that a state of the region is. `None` if it is no position.
    fn whole(&self, state: u64) -> Option<u64> {
        let next = self.cells.partition_point(|(first, _)| *first <= state);
        let (first, cell) = &self.cells[next.checked_sub(1)?];
        let whole = cell.start + (state - first);
        (whole < cell.end).then_some(whole)
    }
}

impl RegionOfText<'_> {
    fn here(&self) -> &Region {
        &self.all.regions[self.region]
    }

    /// The value of a move into a state of another region.
    fn exit(&self, region: usize, state: u64) -> Value {
        let need = self.here().needs.binary_search(&region);
        let Ok(value) =
            self.solved[need.expect("moves lead to regions that it needs")].probe(state);
        value.expect("moves lead to positions").after_move(false)
    }

    /// The values of the moves of a state that lead to other regions.
    fn exits_of(&self, whole: u64, mut visit: impl FnMut(Value)) {
        self.all.game.rules().each_successor(whole, |to| {
            let (region, state) = self.all.place(to);
            if region != self.region {
                visit(self.exit(region, state));
            }
        });
    }
}

impl Game for RegionOfText<'_> {
    fn states(&self) -> u64 {
        self.here().states
    }

    fn status(&self, state: u64) -> Status {
        let whole = self.here().whole(state);
        whole.map_or(Status::Invalid, |whole| self.all.game.rules().status(whole))
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64) -> Flow) -> Flow {
        let Some(whole) = self.here().whole(state) else { return Flow::Continue(()) };
        self.all.game.rules().successors(whole, |to| match self.all.place(to) {
            (region, state) if region == self.region => visit(state),
            _ => Flow::Continue(()),
        })
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        let Some(whole) = self.here().whole(state) else { return };
        self.all.game.rules().exits(whole, &mut visit);
        self.exits_of(whole, visit);
    }

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        let mut exits = Vec::new();
        let Region { cells, needs, .. } = self.here();
        let mut next = states.start;
        let cell = cells.partition_point(|(first, _)| *first <= states.start).saturating_sub(1);
        for (begin, cell) in &cells[cell..] {
            let end = states.end.min(begin + (cell.end - cell.start));
            let gap = next..states.end.min(*begin);
            gap.for_each(|state| visit(state, Status::Invalid, 0, &[]));
            let first = next.max(*begin);
            if first >= end {
                continue;
            }
            let whole = cell.start + (first - begin)..cell.start + (end - begin);
            self.all.game.rules().classify(whole, |whole, status, degree, told| {
                let state = begin + (whole - cell.start);
                if status != Status::Open || needs.is_empty() {
                    return visit(state, status, degree, told);
                }
                exits.clear();
                self.exits_of(whole, |value| exits.push(value));
                let degree = degree - exits.len() as u32;
                exits.extend_from_slice(told);
                visit(state, status, degree, &exits);
            });
            next = end;
        }
        (next..states.end).for_each(|state| visit(state, Status::Invalid, 0, &[]));
    }

    fn degree_max(&self) -> Option<u32> {
        self.all.game.rules().degree_max()
    }

    fn stuck(&self) -> Value {
        self.all.game.rules().stuck()
    }
}

impl Predecessors for RegionOfText<'_> {
    fn prefetch(&self) -> Prefetch {
        self.all.game.rules().prefetch()
    }

    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let Some(whole) = self.here().whole(state) else { return };
        self.all.game.rules().predecessors(whole, |from| {
            if let (region, state) = self.all.place(from)
                && region == self.region
            {
                visit(state);
            }
        });
    }
}

impl Family for TextFamily {
    type Region = String;
    type Game<'a> = RegionOfText<'a>;

    fn name(&self) -> &str {
        self.0.game.name()
    }

    fn rules(&self) -> Option<About> {
        let (game, board) = (TEXT.to_owned(), Some(self.0.text.clone()?));
        let parameters = json!({ "numbering": NUMBERING });
        Some(About { game, parameters, board, ..About::default() })
    }

    fn region_named(&self, name: &str) -> Result<String, String> {
        if self.0.by_name.contains_key(name) {
            return Ok(name.to_owned());
        }
        let known = self.0.regions.last().map_or("", |start| &start.name);
        Err(format!("`{name}` is not a region of {}: the start is in {known}", self.0.game.name()))
    }

    fn needs(&self, region: &String) -> Vec<String> {
        let needs = &self.0.regions[self.number_of(region)].needs;
        needs.iter().map(|&need| self.0.regions[need].name.clone()).collect()
    }

    fn game<'a>(&self, region: &String, solved: Vec<SolvedRegion<'a>>) -> RegionOfText<'a> {
        let (all, region) = (Arc::clone(&self.0), self.number_of(region));
        RegionOfText { all, region, solved }
    }

    fn runs(game: &RegionOfText<'_>) -> Vec<Run> {
        let Region { cells, sides, .. } = game.here();
        let run = |((first, cell), side): (&(u64, Range<u64>), &usize)| Run {
            states: *first..first + (cell.end - cell.start),
            side: *side,
            positions: 1,
        };
        cells.iter().zip(sides).map(run).collect()
    }

    fn about(&self, region: &String, _: &RegionOfText<'_>, sides: &[SideFacts]) -> About {
        let mut about = self.rules().unwrap_or_else(|| About {
            game: FORMER.to_owned(),
            parameters: json!({}),
            ..About::default()
        });
        about.parameters[Self::REGION] = region.as_str().into();
        let index = self.number_of(region);
        let text = |state| Some(self.write(&self.position(&index, state)?));
        let mut told = Vec::new();
        for (player, side) in self.players().iter().zip(sides) {
            let mut entries = side.entries("position", text);
            entries.insert("side".to_owned(), (*player).into());
            told.push(Json::Object(entries));
            about.counts.push(SideCounts::new(player, side.states));
        }
        if !told.is_empty() {
            about.parameters["sides"] = told.into();
        }
        about
    }

    fn command(&self, region: &String, folder: &Path) -> String {
        format!("retrograde build TEXT.game {region} --out {}", folder.display())
    }
}

impl Positions for TextFamily {
    type Position = AnyPosition;
    type Region = String;
    type Index = usize;

    fn players(&self) -> &'static [&'static str] {
        self.0.game.players()
    }

    fn start(&self) -> Option<AnyPosition> {
        self.0.game.start()
    }

    fn read(&self, text: &str) -> Result<AnyPosition, String> {
        let position = self.0.game.read(text)?;
        match self.has(&position) {
            true => Ok(position),
            false => Err("no play from the start leads to these men".to_owned()),
        }
    }

    fn write(&self, position: &AnyPosition) -> String {
        self.0.game.write(position)
    }

    fn player(&self, position: &AnyPosition) -> usize {
        self.0.game.player(position)
    }

    fn moves(
        &self,
        position: &AnyPosition,
        visit: &mut dyn FnMut(Move<AnyPosition>),
    ) -> Option<End> {
        self.0.game.moves(position, visit)
    }

    fn board(&self, position: &AnyPosition) -> Option<Board> {
        self.0.game.board(position)
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<AnyPosition> {
        self.0.game.with_board(board, player).filter(|position| self.has(position))
    }

    fn region(&self, position: &AnyPosition) -> Result<String, Value> {
        let state = self.0.game.number(position)?;
        Ok(self.0.regions[self.0.place(state).0].name.clone())
    }

    fn index(&self, region: &String) -> usize {
        self.number_of(region)
    }

    fn number(&self, index: &usize, position: &AnyPosition) -> u64 {
        let state = self.0.game.number(position).expect("a position of a region has a state");
        let (region, state) = self.0.place(state);
        assert_eq!(region, *index, "a position of another region");
        state
    }

    fn position(&self, index: &usize, state: u64) -> Option<AnyPosition> {
        self.0.game.position(self.0.regions[*index].whole(state)?)
    }
}

impl FamilyTexts for TextFamily {
    const SPEC: &'static Spec = &Spec {
        name: TEXT,
        summary: "your own board game, from one page of text",
        rules: "The regions of a game that a text describes are the men on the board and in hand; men that come and go belong together.",
        regions: Some("the men of both players, like KQvKR [default: the whole game]"),
        example: "examples/games/tapatan.game",
        ..Spec::EMPTY
    };

    fn of(name: Option<&str>, about: Option<&About>) -> Option<TextFamily> {
        let Some(about) = about.filter(|about| about.game == TEXT) else {
            let name = name.or(about.map(|about| &*about.game));
            return (name == Some(FORMER)).then(TextFamily::former);
        };
        let text = about.board.clone()?;
        let known = about.parameters["numbering"] == NUMBERING;
        known.then(|| TextFamily::of_text(&Source { name: TEXT.to_owned(), text }).ok())?
    }

    fn chosen(_: &Arguments, _: &[String]) -> Result<(TextFamily, Vec<String>), String> {
        Err("name the file with the text: `retrograde build my.game --out DIR`".to_owned())
    }

    fn title(&self, region: &String) -> String {
        format!("{} {region}", self.0.game.name())
    }
}

/// The games of texts, for programs that know several families.
pub static TEXTS: AnyFamily = AnyFamily::new::<TextFamily>();
