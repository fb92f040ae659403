//! Values, moves and errors of a folder, judged by another move generator.

use std::thread;

use cozy_chess::{Board, Color, GameStatus, Piece};
use retrograde_chess::{
    Answer, Bitboards, Illegal, Index, Material, Outcome, Position, Square, Tablebase, Value,
    builder,
};
use retrograde_testkit::{Rng, seed};

use crate::{FOLDER, fresh, play};

pub(crate) fn tables() -> Tablebase {
    Tablebase::open(&*FOLDER).unwrap()
}

/// The sets of squares of the other program's board.
pub(crate) fn bitboards(board: &Board) -> Bitboards {
    let white = board.side_to_move() == Color::White;
    let turn = if white { retrograde_chess::Color::White } else { retrograde_chess::Color::Black };
    Bitboards {
        white: board.colors(Color::White).0,
        black: board.colors(Color::Black).0,
        kings: board.pieces(Piece::King).0,
        queens: board.pieces(Piece::Queen).0,
        rooks: board.pieces(Piece::Rook).0,
        bishops: board.pieces(Piece::Bishop).0,
        knights: board.pieces(Piece::Knight).0,
        pawns: board.pieces(Piece::Pawn).0,
        turn,
        en_passant: board
            .en_passant()
            .map(|file| Square::at(file as u8, if white { 5 } else { 2 })),
    }
}

/// A random position of one of the materials in the folder.
pub(crate) fn position(rng: &mut Rng, tables: &Tablebase) -> Position {
    let material = rng.pick(&tables.regions());
    let index = tables.opened(&material).unwrap().index();
    loop {
        if let Some(position) = index.position(rng.below(index.states())) {
            // The colours as in the table, or exchanged.
            return if rng.chance(50) { position } else { position.flipped() };
        }
    }
}

/// The other program plays best moves from the table, and the game ends as the table says, and when it says so.
#[test]
fn play_comes_to_the_end_that_was_foretold() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let tables = tables();
    for _ in 0..300 {
        let start = position(&mut rng, &tables);
        let mut board: Board = start.to_string().parse().unwrap();
        let Answer { value, distance, .. } = tables.probe(&bitboards(&board)).unwrap();
        assert_eq!(tables.value(&start).unwrap(), value, "{start}");
        assert_eq!(tables.value(&start.to_string()).unwrap(), value, "{start}");
        assert_eq!(distance, value.distance(), "{start}");
        if value == Value::Draw {
            continue;
        }
        for left in (1..=distance.unwrap()).rev() {
            let answer = tables.probe(&bitboards(&board)).unwrap();
            assert_eq!(answer.distance, Some(left), "{start}: {board}");
            let best = answer.best().unwrap();
            board.play(best.played.to_string().parse().unwrap());
            assert_eq!(bitboards(&board).position(), Ok(best.after), "{start}: {board}");
        }
        assert_eq!(board.status(), GameStatus::Won, "{start}: {board}");
    }
}

#[test]
fn the_best_move_is_worth_what_the_position_is() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let tables = tables();
    for _ in 0..2000 {
        let start = position(&mut rng, &tables);
        let answer = tables.probe(&start).unwrap();
        assert_eq!(answer.position, start);
        let board: Board = start.to_string().parse().unwrap();
        let mut legal = 0;
        board.generate_moves(|moves| {
            legal += moves.len();
            false
        });
        assert_eq!(answer.moves.len(), legal, "{start}");
        assert!(answer.moves.is_sorted_by_key(|choice| std::cmp::Reverse(choice.value)));
        for choice in &answer.moves {
            let after = tables.value(&choice.after).unwrap();
            assert_eq!(choice.value, after.after_move(false), "{start} {}", choice.played);
        }
        match answer.best() {
            Some(best) => assert_eq!(best.value, answer.value, "{start}"),
            None if start.in_check() => assert_eq!(answer.value, Value::Loss(0), "{start}"),
            None => assert_eq!(answer.value, Value::Draw, "{start}"),
        }
    }
}

#[test]
fn all_threads_are_told_the_same() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    // The first thread opens each table, and the others share it.
    let (shared, own) = (tables(), tables());
    let mut rng = Rng::new(seed);
    let positions: Vec<_> = (0..3000).map(|_| position(&mut rng, &own)).collect();
    let values: Vec<_> = positions.iter().map(|position| own.value(position).unwrap()).collect();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (position, value) in positions.iter().zip(&values) {
                    assert_eq!(shared.value(position).unwrap(), *value, "{position}");
                }
            });
        }
    });
}

#[test]
fn bitboards_come_back_as_the_position_they_were() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    // Half of them have an en passant capture.
    let index = Index::new("KPPvKP".parse().unwrap());
    let (placements, states) = (index.placements(), index.states());
    for number in 0..4000 {
        let state = rng.within(if number % 2 == 0 { 0..placements } else { placements..states });
        let Some(position) = index.position(state) else { continue };
        assert_eq!(position.bitboards().position(), Ok(position));
        let board: Board = position.to_string().parse().unwrap();
        assert_eq!(bitboards(&board).position(), Ok(position));
    }
}

#[test]
fn bitboards_that_contradict_themselves_are_refused() {
    let fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let sets = fen.parse::<Position>().unwrap().bitboards();
    let [a1, b2, h8] = [0, 9, 63].map(Square::new);
    let refused = |sets: Bitboards| sets.position().unwrap_err();
    assert_eq!(refused(Bitboards { queens: b2.bit(), ..sets }), Illegal::Shared(b2));
    assert_eq!(refused(Bitboards { black: sets.black | b2.bit(), ..sets }), Illegal::Shared(b2));
    assert_eq!(refused(Bitboards { pawns: h8.bit(), ..sets }), Illegal::Half(h8));
    assert_eq!(refused(Bitboards { white: sets.white | h8.bit(), ..sets }), Illegal::Half(h8));
    assert_eq!(refused(Bitboards { white: b2.bit(), ..sets }), Illegal::Half(a1));
    assert_eq!(refused(Bitboards { white: !sets.black, ..sets }), Illegal::TooMany(64));
    let all = u64::MAX;
    let everything =
        Bitboards { kings: all, queens: all, rooks: all, bishops: all, knights: all, ..sets };
    assert!(matches!(refused(everything), Illegal::Half(_)));
    let own = sets.white | sets.black;
    let crowded = Bitboards {
        white: own,
        black: own,
        kings: own,
        queens: own,
        rooks: own,
        bishops: own,
        knights: own,
        ..sets
    };
    assert!(matches!(refused(crowded), Illegal::Kings(..) | Illegal::Shared(_)));
    let empty = Bitboards { white: 0, black: 0, kings: 0, rooks: 0, ..sets };
    assert!(matches!(refused(empty), Illegal::Kings(..)));
}

#[test]
fn what_cannot_be_answered_says_why() {
    let tables = tables();
    for (fen, said) in [
        ("nonsense", "a FEN has 4 to 6 fields"),
        ("8/8/8/8/3k4/8/8/K2Q4 w - -", "black is in check"),
        ("8/8/8/8/3k4/8/5N2/K6R w - -", "retrograde build chess KRNvK --out"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "castling rights `Q`"),
    ] {
        let error = tables.value(fen).unwrap_err().to_string();
        assert!(error.contains(said), "{fen}: {error}");
        assert_eq!(tables.probe(fen).unwrap_err().to_string(), error);
    }
    let missing = fresh("endgames-nowhere");
    let error = Tablebase::open(&missing).err().unwrap().to_string();
    assert!(error.contains("no such folder; `retrograde build chess"), "{error}");
    std::fs::create_dir_all(&missing).unwrap();
    assert!(!Tablebase::is_at(&missing).unwrap() && Tablebase::is_at(&*FOLDER).unwrap());
    assert_eq!(Tablebase::open(&missing).unwrap().regions(), []);
    std::fs::write(missing.join("manifest.json"), "{").unwrap();
    let error = Tablebase::open(&missing).err().unwrap().to_string();
    assert!(error.contains("manifest.json"), "{error}");
}

#[test]
fn a_folder_knows_what_it_holds() {
    let tables = tables();
    let names: Vec<_> = tables.regions().iter().map(Material::to_string).collect();
    assert_eq!(names[..5], ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
    assert_eq!((names.len(), &*names[6], &*names[19]), (20, "KQvKR", "KPvKP"));
    for material in tables.regions().iter().take(5) {
        tables.check(material).unwrap();
        assert!(tables.verify(material).unwrap().states > 0);
    }
}

#[test]
fn without_distances_there_are_outcomes_alone() {
    let folder = fresh("endgames-plain");
    builder(&folder).distances(false).build(&["KRvK"]).unwrap();
    let plain = Tablebase::open(&folder).unwrap();
    let answer = plain.probe("8/8/8/8/8/2k5/1R6/K7 w - - 0 1").unwrap();
    assert_eq!((answer.value.outcome(), answer.distance), (Outcome::Win, None));
    assert!(answer.moves.iter().all(|choice| choice.distance.is_none()));
    assert_eq!(answer.best().unwrap().value.outcome(), Outcome::Win);
}

/// What lichess's server says about such material. A mate with this material needs no mistake of the opponent.
#[test]
fn material_that_no_mate_can_come_of() {
    for (fen, insufficient) in [
        ("8/8/8/8/8/2k5/8/K7 w - -", true),
        ("8/8/8/8/8/2k5/8/K1N5 w - -", true),
        ("8/8/8/8/8/2k5/8/K1B5 w - -", true),
        ("8/8/8/8/2b5/2k5/8/K1B5 w - -", false),
        ("8/8/8/8/3b4/2k5/8/1KB5 w - -", true),
        ("8/8/8/8/3n4/2k5/8/1KB5 w - -", false),
        ("8/8/8/8/8/2k5/8/K1N3N1 w - -", false),
        ("8/8/8/8/8/2k5/8/K1B3N1 w - -", false),
        ("8/8/8/8/8/2k5/P7/K7 w - -", false),
        ("8/8/8/8/8/2k5/8/K3R3 w - -", false),
    ] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(position.insufficient_material(), insufficient, "{fen}");
    }
}

#[test]
fn the_example_plays_to_mate() {
    let played = play::play(&FOLDER, "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1").unwrap();
    let mut lines = played.lines();
    let moves: Vec<_> = lines.by_ref().take_while(|line| line.contains("mate in")).collect();
    assert_eq!(moves.len(), 69, "{played}");
    assert!(moves[0].contains("mate in  69 plies"), "{played}");
    assert!(moves[68].contains("# ") && moves[68].contains("mate in   1 plies"), "{played}");
    assert!(played.ends_with("  a b c d e f g h\n"), "{played}");
    let drawn = play::play(&FOLDER, "8/8/8/8/3k4/8/3P4/K7 b - - 0 1").unwrap_err();
    assert!(drawn.to_string().contains("is a draw"), "{drawn}");
}
