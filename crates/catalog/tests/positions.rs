//! The positions, moves and boards of every game and family, on positions at random. One test for all of them.

use std::collections::BTreeSet;
use std::path::Path;

use retrograde::{Game, Predecessors, Status};
use retrograde_catalog::each_family;
use retrograde_games::{GAMES, Setup, Solvable, Source, TEXT, Visitor};
use retrograde_positions::{Board, Man, Move, Positions, check_position};
use retrograde_regions::{Family, FamilyTexts, SolvedRegion};
use retrograde_testkit::{Rng, seed};

/// Compares the positions of a region with its states. Returns how many moves it has seen.
///
/// A state gives the same one of its equal positions each time. So play goes on from it for a few moves, to others.
fn compare<G>(name: &str, game: &G, region: &G::Region, rules: &impl Game, rng: &mut Rng) -> usize
where
    G: Positions<Region: PartialEq>,
{
    let index = game.index(region);
    let stays =
        |played: &Move<G::Position>| game.region(&played.next).is_ok_and(|of| of == *region);
    let mut seen = 0;
    for _ in 0..400 {
        let mut position = game.position(&index, rng.below(rules.states()));
        for _ in 0..5 {
            let Some(at) = position else { break };
            let state = game.number(&index, &at);
            let mut moves = compare_boards(name, game, &at, rules.status(state));
            let count = moves.len();
            seen += count;
            moves.retain(stays);
            // A state or a position may have a move several times.
            let (mut by_rules, mut by_moves) = (BTreeSet::new(), BTreeSet::new());
            if rules.status(state) == Status::Open {
                rules.each_successor(state, |to| {
                    _ = by_rules.insert((to, rules.keeps_turn(state, to)));
                });
            }
            for played in &moves {
                by_moves.insert((game.number(&index, &played.next), played.keeps_turn));
            }
            // Chess has a number for each of two mirror images if both kings stand on the diagonal. Then an image of the
            // state's own position may have moves to other numbers.
            let own = game.position(&index, state).expect("a state of a position");
            if name != "chess" || own == at {
                assert_eq!(by_moves, by_rules, "{name}: the moves of {}", game.write(&at));
            }
            let mut of_own = 0;
            game.moves(&own, &mut |_| of_own += 1);
            assert_eq!(count, of_own, "{name}: the moves of {}", game.write(&at));
            let some = moves.len().checked_sub(1);
            let some = some.map(|last| rng.below(last as u64 + 1) as usize);
            position = some.map(|some| moves.swap_remove(some).next);
        }
    }
    seen
}

/// Compares a position with its text, with how its state ends, and with its board. Returns its moves.
fn compare_boards<G: Positions>(
    name: &str,
    game: &G,
    position: &G::Position,
    status: Status,
) -> Vec<Move<G::Position>> {
    check_position(game, position).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let (text, player) = (game.write(position), game.player(position));
    let board = game.board(position).unwrap_or_else(|| panic!("{name}: {text} has no board"));
    let same = game.with_board(&board, player);
    // A board of chess does not show that a pawn has just made a double step.
    let passing = name == "chess" && text.split(' ').nth(3).is_some_and(|square| square != "-");
    assert_eq!(
        same.as_ref() == Some(position),
        !passing,
        "{name}: {text} is {same:?} by its board"
    );
    let mut moves = Vec::new();
    let end = game.moves(position, &mut |played| moves.push(played));
    match status {
        Status::Terminal(value) => assert_eq!(end.map(|end| end.value), Some(value), "{text}"),
        Status::Open | Status::Invalid => assert_eq!(end.is_some(), moves.is_empty(), "{text}"),
    }
    for played in &moves {
        let after = game.board(&played.next).expect("every position has a board");
        let men = |board: &Board, point| {
            board.men_on(point).map(|man| (man.kind, man.player)).collect::<Vec<_>>()
        };
        let own = |man: &Man| man.player == Some(player);
        for point in (0..board.points.len()).filter(|&at| men(&board, at) != men(&after, at)) {
            // Cubes of quixo slide along. If several police go at once, the move has no points.
            let is_told = played.points.contains(&point)
                || played.taken.contains(&point)
                || board.men_on(point).any(own)
                || played.points.is_empty()
                || name == "quixo";
            assert!(is_told, "{name}: {} of {text} changes point {point}", played.name);
        }
        for &point in &played.taken {
            let is_taken =
                !board.men_on(point).any(own) && men(&board, point) != men(&after, point);
            assert!(is_taken, "{name}: {} of {text} takes no man on {point}", played.name);
        }
    }
    moves
}

struct Checks<'a>(&'a str, Rng);

impl Visitor for Checks<'_> {
    type Output = usize;

    fn visit<G: Solvable + Predecessors + 'static>(mut self, game: G) -> usize {
        // A text says the name of its game.
        assert!(self.0 == TEXT || game.facts().name == self.0);
        let start = game.start().map(|start| game.number(&(), &start));
        assert!(start.is_none_or(|start| start < game.states()));
        compare(self.0, &game, &(), &game, &mut self.1)
    }
}

/// The game of a region, which knows nothing of the regions that it needs.
fn rules<'a, F: Family>(family: &F, region: &F::Region) -> F::Game<'a> {
    let needs = family.needs(region);
    let blanks = needs.iter().map(|need| SolvedRegion::blank(rules(family, need).states()));
    family.game(region, blanks.collect())
}

/// Compares some regions of a family.
fn compare_regions<F: FamilyTexts>(name: &str, family: &F, rng: &mut Rng) -> usize {
    let names = ["KQvK", "KPvK", "KBNvK", "KPvKP", "3-3"];
    let named = names.iter().filter_map(|name| family.region_named(name).ok());
    let compare = |region| compare(name, family, &region, &rules(family, &region), rng);
    named.map(compare).sum()
}

#[test]
fn every_family_shows_the_moves_and_boards_of_its_states() {
    for name in ["chess", "morris3", "morris6", "morris9"] {
        let seed = seed();
        let (mut rng, mut checked) = (Rng::new(seed), None);
        macro_rules! check {
            ($($family:ty),*) => {
                $(if let Some(family) = <$family>::of(Some(name), None) {
                    checked = Some(compare_regions(name, &family, &mut rng));
                })*
            };
        }
        each_family!(check);
        assert!(checked.is_some_and(|moves| moves > 300), "{name}: {checked:?}, seed {seed}");
    }
}

#[test]
fn every_game_shows_the_moves_and_boards_of_its_states() {
    let examples = GAMES.iter().map(|game| (game.name, game.example));
    let others = [
        ("pursuit", "examples/board-two-police.txt --police 2"),
        ("chase", "examples/tree.txt --police 1"),
        ("corner", "--piece king --rows 5 --columns 9"),
        ("take", "--heaps 4,4 --take 1,3 --misere"),
        ("graph", "examples/graph.txt --misere"),
        ("quixo", "--size 4"),
        ("text", "examples/games/dodgem.game"),
        ("text", "examples/games/fox-and-hounds.game"),
        ("text", "examples/games/tic-tac-chec-3.game"),
        ("text", "examples/games/tsoro-yematatu.game"),
    ];
    for (name, arguments) in examples.chain(others) {
        let mut words = arguments.split_whitespace().peekable();
        let file = words.next_if(|word| !word.starts_with("--")).map(|name| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
            Source { name: name.to_owned(), text: std::fs::read_to_string(path).unwrap() }
        });
        let mut options = Vec::new();
        while let Some(option) = words.next() {
            let value = words.next_if(|word| !word.starts_with("--")).unwrap_or("true");
            options.push((option.trim_start_matches('-'), value));
        }
        let seed = seed();
        let setup = Setup::parse(name, &options, file).unwrap();
        let moves = setup.visit(Checks(name, Rng::new(seed))).unwrap();
        assert!(moves > 50, "{name} {arguments}: {moves} moves, seed {seed}");
    }
}
