//! Properties of every game: moves and backward moves agree, the text of every state names that state, and the start is
//! a state.

use crate::registered::{REACHED, example, reached};
use retrograde::adapters::{Folded, Symmetric};
use retrograde::{Game, Predecessors, Status, audit, forward};
use retrograde_games::{
    Board, Chase, Corner, Cubes, Facts, GAMES, Graph, Kind, Parameter, Piece, Placement, Pursuit,
    Quixo, SIDES, Solvable, Spec, Take, Takes, Turns, Visitor, parameter_named,
};
use retrograde_positions::{self as positions, AnyPositions, AnyStates, check_position};
use retrograde_testkit::{Rng, seed};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

#[track_caller]
fn obeys(game: &(impl Solvable + Predecessors)) {
    audit(game).unwrap();
    let Facts { turns, states_named, .. } = game.facts();
    let mut texts = HashSet::new();
    for state in 0..game.states() {
        let side = turns.side(state);
        assert_eq!(turns.side(turns.run_end(state).min(game.states()) - 1), side);
        let position = positions::Positions::position(game, &(), state);
        assert_eq!(position.is_some(), game.status(state) != Status::Invalid, "{state}");
        let Some(position) = position else { continue };
        check_position(game, &position).unwrap();
        assert_eq!(positions::Positions::number(game, &(), &position), state);
        assert!(turns == Turns::Alike || positions::Positions::player(game, &position) == side);
        // The men and the player to move are all that a position is.
        let board = positions::Positions::board(game, &position);
        let player = positions::Positions::player(game, &position);
        let same = board.and_then(|board| positions::Positions::with_board(game, &board, player));
        assert!(same.is_none_or(|same| same == position));
        let text = positions::Positions::write(game, &position);
        assert!(texts.insert(text), "state {state} has the text of another");
        // The moves of a position are those of its state.
        let (mut by_rules, mut seen) = (Vec::new(), Vec::new());
        if game.status(state) == Status::Open {
            game.each_successor(state, |to| by_rules.push(to));
        }
        let end = positions::Positions::moves(game, &position, &mut |played| {
            seen.push(positions::Positions::number(game, &(), &played.next));
        });
        // A graph may have a move twice, and players see it once.
        for moves in [&mut by_rules, &mut seen] {
            moves.sort_unstable();
            moves.dedup();
        }
        assert_eq!(seen, by_rules, "{state}");
        let end = end.map(|end| end.value);
        let by_rules = match game.status(state) {
            Status::Terminal(value) => Some(value),
            _ if by_rules.is_empty() => Some(game.stuck()),
            _ => None,
        };
        assert_eq!(end, by_rules, "{state}");
    }
    let start = positions::Positions::start(game);
    let start = start.map(|start| positions::Positions::number(game, &(), &start));
    assert!(start.is_none_or(|start| start < game.states()));
    assert!(texts.len() as u64 <= states_named.unwrap_or(game.states()));
}

#[test]
fn heaps_obey() {
    for heaps in [&[0][..], &[30], &[3, 5, 7], &[0, 4, 0], &[2, 2, 2, 2]] {
        for takes in [Takes::Any, Takes::Set(vec![3, 1, 3]), Takes::Set(vec![2, 5, 100])] {
            let game = Take::new(heaps, takes).unwrap();
            obeys(&game);
            obeys(&game.misere(true));
        }
    }
    let game = Take::new(&[3, 5, 7], Takes::Any).unwrap();
    assert_eq!(game.write(&game.start().unwrap()), "3,5,7");
}

#[test]
fn corners_obey() {
    for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::King] {
        for (rows, columns) in [(1, 1), (1, 9), (9, 1), (2, 2), (7, 5), (5, 12)] {
            obeys(&Corner::new(piece, rows, columns).unwrap());
        }
    }
    let game = Corner::new(Piece::Bishop, 2, 3).unwrap();
    let board = positions::Positions::board(&game, &3).unwrap();
    assert_eq!(
        (board.men[0].kind, board.points[board.men[0].point].name.as_str()),
        ("bishop", "1,0")
    );
}

#[test]
fn graphs_obey() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    for _ in 0..100 {
        let vertices = rng.within(1..12);
        let mut text = String::new();
        for vertex in 0..vertices {
            match rng.below(4) {
                0 => text += &format!("= v{vertex} {}\n", rng.pick(&["win", "loss", "draw"])),
                _ => (0..rng.within(1..4)).for_each(|_| {
                    text += &format!("v{vertex} v{}\n", rng.below(vertices));
                }),
            }
        }
        obeys(&Graph::parse(&text).unwrap());
    }
}

#[test]
fn small_games_obey() {
    for name in REACHED {
        obeys(&reached(name));
    }
}

#[test]
fn chases_obey() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    for police in [1, 1, 1, 2, 2, 2, 3, 3, 4, 7] {
        let places = if police > 3 { 3 } else { 9 - police };
        let mut text = String::from("0 0\n! 1\n");
        for _ in 0..rng.within(1..20) {
            text += &format!("{} {}\n", rng.below(places), rng.below(places));
        }
        obeys(&Chase::parse(&text, police as u32).unwrap());
    }
    // So many neighbours that the moves of a crowd exceed the fixed buffer.
    let star: String = (0..18).map(|leaf| format!("hub {leaf}\n")).collect();
    obeys(&Chase::parse(&star, 2).unwrap());
}

#[test]
fn boards_obey() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    for police in [1, 1, 1, 1, 2, 2, 2, 3] {
        let rows = rng.within(1..6) as u32;
        let columns = ([0, 30, 18, 9][police as usize] / rows).max(1);
        let board = Board::random(rows, columns, rng.below(40) as u32, 0, 0, rng.bits()).unwrap();
        obeys(&Chase::on_board(&board, police).unwrap());
        obeys(&Pursuit::new(board).unwrap());
    }
    obeys(&Chase::on_board(&Board::parse("*").unwrap(), 2).unwrap());
    obeys(&Chase::on_board(&Board::parse("E").unwrap(), 3).unwrap());
}

#[test]
fn boards_count_their_walls_among_what_is_named() {
    let board = Board::parse("**.\n...").unwrap();
    let chase = Chase::on_board(&board, 1).unwrap();
    let named = chase.facts().states_named;
    assert_eq!((chase.states(), named), (2 * 4 * 4, Some(2 * 6 * 6)));
    let chase = Chase::on_board(&board, 2).unwrap();
    let named = chase.facts().states_named;
    assert_eq!((chase.states(), named), (2 * 4 * 10, Some(2 * 6 * 21)));
}

#[test]
fn boards_survive_writing_and_reading() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    let mut made = 0;
    for _ in 0..200 {
        let (rows, columns) = (rng.within(1..20) as u32, rng.within(1..20) as u32);
        let police = rng.below(2) as u32;
        if let Ok(board) =
            Board::random(rows, columns, rng.below(101) as u32, 1, police, rng.bits())
        {
            assert_eq!(Board::parse(&board.to_string()), Ok(board));
            made += 1;
        }
    }
    assert!(made > 100, "only {made} boards could be made");
}

#[test]
fn pictures_show_who_stands_where() {
    let board = Board::parse(".E*\n...\n").unwrap();
    let picture = |police: &[u32], thief| board.picture(police, thief);
    assert_eq!(picture(&[], None), ".E*\n...");
    assert_eq!(picture(&[1], Some(3)), ".P*\nT..");
    assert_eq!(picture(&[3, 3, 5], Some(1)), ".T*\n2.P");
    assert_eq!(picture(&[4; 9], Some(0)), "TE*\n.9.");
    assert_eq!(picture(&[4; 12], Some(4)), ".E*\n.X.");
    assert_eq!(picture(&[4; 12], None), ".E*\n.#.");
    let chase = Chase::on_board(&board, 2).unwrap();
    let state = chase.state("thief 1,1 0,1 1,2").unwrap();
    let men = positions::Positions::board(&chase, &state).unwrap().men;
    let men: Vec<_> = men.iter().map(|man| (man.kind, man.point)).collect();
    assert_eq!(men, [("police", 1), ("police", 4), ("thief", 5)]);
}

#[test]
fn placements_name_the_police_in_any_order() {
    let find = |name: &str| name.parse::<u32>().map_err(|_| format!("{name} is nothing"));
    let placement = Placement::parse("  thief 7 2   5 ", 2, find).unwrap();
    assert_eq!(placement, Placement { side: 1, police: vec![2, 7], thief: 5 });
    assert_eq!(placement.text(|place| place.to_string()), "thief 2 7 5");
    assert_eq!(SIDES[placement.side], "thief");
    assert_eq!(Placement::parse("thief 1 x 2", 2, find), Err("x is nothing".to_string()));
}

#[test]
fn quixo_obeys() {
    let game = Quixo::new(3).unwrap();
    obeys(&game);
    assert_eq!(game.state("..x/.../o.."), game.state("o../.../..x"));
    assert_eq!(game.state("x ..x/.../o.."), game.state("o ..o/.../x.."));
    assert_eq!(game.write(&game.start().unwrap()), "x .../.../...");
    for text in ["", ".../...", "x .../.../..", ".../.../..z", "..../.../..."] {
        assert!(game.state(text).unwrap_err().contains("the rows"), "{text}");
    }
    assert!(Quixo::new(2).is_err() && Quixo::new(5).is_err());
}

/// Quixo by an author who forgets that orbits differ in size.
struct Alike(Cubes);

impl Game for Alike {
    forward!(Game for this => this.0);
}

impl Symmetric for Alike {
    fn stabilizer(&self, state: u64) -> u32 {
        self.0.stabilizer(state).min(1)
    }

    fn moves_into(&self, state: u64, mut visit: impl FnMut(u64, u32)) {
        self.0.moves_into(state, |from, stabilizer| visit(from, stabilizer.min(1)));
    }
}

#[test]
fn an_audit_notices_orbits_taken_to_be_alike() {
    let Quixo(Folded(quixo)) = Quixo::new(3).unwrap();
    assert!(audit(&Folded(Alike(quixo))).is_err());
}

struct Obeys;

impl Visitor for Obeys {
    type Output = &'static str;

    fn visit<G: Solvable + Predecessors + 'static>(self, game: G) -> &'static str {
        obeys(&game);
        game.facts().name
    }
}

#[test]
fn every_game_of_the_registry_obeys_and_has_the_name_it_is_listed_by() {
    // The example of a text is Dao. Fox and hounds has a million states; tests of `described` judge it.
    let others = |game: &&&Spec| !["dao", "fox-and-hounds"].contains(&game.name);
    for game in GAMES.iter().filter(others) {
        // A text has a name of its own.
        let name = if game.name == "text" { "dao" } else { game.name };
        assert_eq!(example(game, &[]).visit(Obeys).unwrap(), name);
    }
}

/// Help and server show the same limits for a number as the game.
#[test]
fn games_refuse_numbers_out_of_the_ranges_they_name() {
    struct Nothing;
    impl Visitor for Nothing {
        type Output = ();
        fn visit<G: Solvable + Predecessors + 'static>(self, _: G) {}
    }
    let mut tried = 0;
    for game in GAMES {
        for Parameter { name, kind, .. } in game.parameters {
            let &Kind::Number { min, max } = kind else { continue };
            for wrong in [min.checked_sub(1), max.checked_add(1)].into_iter().flatten() {
                let setup = example(game, &[(name, &wrong.to_string())]);
                assert!(setup.visit(Nothing).is_err(), "{} --{name} {wrong}", game.name);
                tried += 1;
            }
            let setup = example(game, &[(name, &min.to_string())]);
            // If so many police may stand on the board, the board is wrong.
            let refused = setup.visit(Nothing).err().map(|error| error.to_string());
            assert!(
                refused.is_none_or(|why| why.contains("placed")),
                "{} --{name} {min}",
                game.name
            );
        }
    }
    assert!(tried > 5, "the registry has lost its numbers");
}

/// An option has one meaning on the command line, for all games.
#[test]
fn a_parameter_is_the_same_in_all_games_that_have_it() {
    for parameter in GAMES.iter().flat_map(|game| game.parameters) {
        assert_eq!(parameter_named(parameter.name), Ok(parameter));
    }
}

#[test]
fn the_book_names_every_game() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/games.md");
    let page = fs::read_to_string(path).unwrap();
    for game in GAMES {
        let name = format!("`{}`", game.name);
        let of_game = |line: &str| line.starts_with("| ") && line.contains(&name);
        assert!(page.lines().any(of_game), "no table of docs/games.md names {name}");
    }
}
