//! Board games from one page of text. The file holds the rules, so one entry of the registry stands for all of them.

use std::sync::Arc;

use retrograde::bit_parallel::WordsVisitor;
use retrograde::{Counts, Probe, Solution, SolveError, Solver};
use retrograde_described::{
    CellRegion, DescribedGame, NUMBERING, Numbers, Page, PageVisitor, Report, ReportPosition,
    TextError,
};

use crate::reached::{FormerGame, ReachedPositions};
use crate::{
    Argument, Arguments, Facts, FileSpec, Graph, Kind, Parameter, ReadError, Setup, SetupError,
    Solvable, Source, Spec, Visitor,
};

/// The name of the game that a text describes.
pub const TEXT: &str = "text";

pub(crate) static SPEC: Spec = Spec {
    name: TEXT,
    summary: "your own board game, from one page of text",
    rules: "The text says what the board is, where the men stand, how they move and who wins. A path that ends in `.game` is \
            such a text, and needs no name before it. Some texts have names: `retrograde solve dao`. The value of a state is that of every position which is equal to it by \
            a symmetry of the game.",
    file: Some(FileSpec {
        reference: include_str!("../texts/reference.txt"),
        ..FileSpec::small("text", is_like)
    }),
    parameters: &[Parameter {
        name: "numbering",
        kind: Kind::Number { min: NUMBERING, max: NUMBERING },
        default: Some(NUMBERING),
        help: "the version of the rule that numbers the positions; a table keeps it",
    }],
    example: "examples/games/dao.game",
    ..Spec::EMPTY
};

/// The games that version 0.2 of the program numbered by the positions that play reaches.
const FORMER: [FormerGame; 7] = [
    FormerGame {
        order: None,
        players: Some(&["x", "o"]),
        ..FormerGame::of("achi", include_str!("../texts/achi.game"))
    },
    FormerGame::of("dodgem", include_str!("../texts/dodgem.game")),
    FormerGame::of("hare", include_str!("../texts/hare-and-hounds.game")),
    FormerGame {
        order: Some("abchidgfe"),
        players: Some(&["x", "o"]),
        ..FormerGame::of("mu-torere", include_str!("../texts/mu-torere.game"))
    },
    FormerGame {
        players: Some(&["x", "o"]),
        ..FormerGame::of("pong-hau-ki", include_str!("../texts/pong-hau-ki.game"))
    },
    FormerGame {
        players: Some(&["x", "o"]),
        ..FormerGame::of("tsoro", include_str!("../texts/tsoro-yematatu.game"))
    },
    FormerGame {
        players: Some(&["x", "o"]),
        men_alike: Some(6),
        ..FormerGame::of("tapatan", include_str!("../texts/tapatan.game"))
    },
];

impl FormerGame {
    const fn of(name: &'static str, text: &'static str) -> FormerGame {
        FormerGame { name, text, order: None, players: None, men_alike: None }
    }
}

impl Setup {
    /// The game of a table that version 0.2 of the program wrote, if that is a text now.
    pub fn former(name: &str) -> Option<Setup> {
        Setup::former_of(name, |former| former.men_alike.is_none())
    }

    /// The same for a game that was solved in regions, by the number of men on the board.
    pub fn former_family(name: &str) -> Option<Setup> {
        Setup::former_of(name, |former| former.men_alike.is_some())
    }

    fn former_of(name: &str, wanted: impl Fn(&FormerGame) -> bool) -> Option<Setup> {
        let former = FORMER.iter().find(|former| former.name == name && wanted(former))?;
        let mut arguments = Arguments::default();
        arguments.give(&SPEC.parameters[0], Argument::Number(FORMER_NUMBERING)).ok()?;
        let text = Source { name: name.to_owned(), text: former.text.to_owned() };
        Some(Setup::of(&SPEC, &arguments, Some(text)))
    }
}

/// The numbering of these tables.
const FORMER_NUMBERING: u32 = 0;

/// Whether the first statement of a text is that of a game.
fn is_like(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.split_whitespace().next() == Some("game"))
}

/// What a text means, before it is solved. `memory` is how many bytes a solve needs.
pub fn report(source: &Source, memory: u64) -> Result<Report, SetupError> {
    let report = Page::read(&source.text).and_then(|page| page.report(memory));
    report.map_err(|error| SetupError::File { name: source.name.clone(), error: error.into() })
}

/// The regions of the game of a text, each behind those that it needs, and what a visitor makes of the game.
pub fn regions<V: Visitor>(
    source: &Source,
    visitor: V,
) -> Result<(Vec<CellRegion>, V::Output), SetupError> {
    struct Regions<V>(V);
    impl<V: Visitor> PageVisitor for Regions<V> {
        type Output = (Vec<CellRegion>, V::Output);

        fn visit<const N: usize>(self, game: DescribedGame<N>) -> Self::Output {
            (game.regions(), self.0.visit(game))
        }
    }
    let page = Page::read(&source.text);
    let found = page.and_then(|page| page.visit(Numbers::Folded, Regions(visitor)));
    found.map_err(|error| SetupError::File { name: source.name.clone(), error: error.into() })
}

/// A position of a text, and its moves.
pub fn report_position(source: &Source, position: &str) -> Result<ReportPosition, SetupError> {
    let page = Page::read(&source.text);
    let page =
        page.map_err(|error| SetupError::File { name: source.name.clone(), error: error.into() })?;
    page.report_position(position).map_err(SetupError::Input)
}

impl From<TextError> for ReadError {
    fn from(TextError { line, column, problem }: TextError) -> ReadError {
        ReadError::at(line as u64, problem).column(column as u64)
    }
}

/// Plays all moves of a text.
struct Play(&'static FormerGame);

impl PageVisitor for Play {
    type Output = Graph;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Graph {
        ReachedPositions::explore(Arc::new(game), self.0)
    }
}

/// Compiles the text.
pub(crate) fn build<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    struct Game<V>(V);
    impl<V: Visitor> PageVisitor for Game<V> {
        type Output = V::Output;

        fn visit<const N: usize>(self, game: DescribedGame<N>) -> V::Output {
            self.0.visit(game)
        }
    }
    let number = setup.number("numbering");
    let is_text =
        |former: &&FormerGame| setup.file().is_some_and(|source| source.text == former.text);
    if let (FORMER_NUMBERING, Some(former)) = (number, FORMER.iter().find(is_text)) {
        let page = |text: &str| Page::read(text)?.visit(Numbers::Plain, Play(former));
        return Ok(visitor.visit(setup.read(|text| page(text).map_err(ReadError::from))?));
    }
    if number != NUMBERING {
        let problem = format!(
            "numbering {number} is not known: this program numbers positions by numbering {NUMBERING}"
        );
        return setup.made(Err(ReadError::whole(problem)));
    }
    setup.read(|text| {
        let compiled = Page::read(text).and_then(|page| page.visit(Numbers::Folded, Game(visitor)));
        compiled.map_err(ReadError::from)
    })
}

impl<const N: usize> Solvable for DescribedGame<N> {
    fn facts(&self) -> Facts {
        Facts::of(self.name())
    }

    fn position_counts<P: Probe>(&self, values: &P) -> Result<Option<Counts>, P::Error> {
        self.count_positions(values).map(Some)
    }

    fn visit_rows<V: WordsVisitor>(&self, visitor: V) -> Result<V::Output, V> {
        match self.in_rows() {
            Some(rows) => Ok(visitor.visit(&rows)),
            None => Err(visitor),
        }
    }

    fn bytes_beside_rows(&self) -> u64 {
        self.in_rows().map_or(0, |rows| rows.bytes_beside())
    }

    fn solve_in_rows<'s>(
        &self,
        solver: Solver<'s>,
    ) -> Result<Result<Solution, SolveError>, Box<Solver<'s>>> {
        match self.in_rows() {
            Some(rows) => Ok(self.solve_rows(&rows, solver)),
            None => Err(Box::new(solver)),
        }
    }
}
