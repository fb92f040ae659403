//! Dialogs with a chess program. The referee of the games is `cozy-chess`.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;

use cozy_chess::util::parse_uci_move;
use cozy_chess::{Board, GameStatus};
use retrograde_chess::{Outcome, Tablebase, builder};
use retrograde_testkit::Rng;
use retrograde_uci::talk;

/// A folder with some tables. They are built once.
fn tables() -> &'static PathBuf {
    static TABLES: OnceLock<PathBuf> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("uci");
        builder(&folder).build(&["KPvK", "KRvK", "KBNvK"]).unwrap();
        folder
    })
}

/// What the engine answers to these lines.
fn answers(lines: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    talk(lines.join("\n").as_bytes(), &mut out, Some(tables())).unwrap();
    String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
}

fn asked(lines: &[&str]) -> Vec<String> {
    answers(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
}

/// The word after another.
fn after<'l>(line: &'l str, word: &str) -> &'l str {
    let mut words = line.split_whitespace().skip_while(|each| *each != word);
    words.nth(1).unwrap_or_else(|| panic!("no {word} in {line}"))
}

/// The last line with the score of a line of moves, and the best move.
fn best(answers: &[String]) -> (&str, &str) {
    let score = answers.iter().find(|line| line.contains(" multipv 1 ")).unwrap();
    (score, after(answers.last().unwrap(), "bestmove"))
}

#[test]
fn it_introduces_itself() {
    let said = asked(&["uci", "isready", "quit", "isready"]);
    assert_eq!(said[0], format!("id name Retrograde {}", env!("CARGO_PKG_VERSION")));
    assert!(
        said.iter().any(|line| line.starts_with("option name Tables type string default /")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|line| line == "option name MultiPV type spin default 1 min 1 max 218")
    );
    assert_eq!(said[said.len() - 2..], ["uciok", "readyok"]);
}

#[test]
fn it_mates_in_as_many_moves_as_it_says() {
    let probe = Tablebase::open(tables()).unwrap();
    let mut rng = Rng::new(retrograde_testkit::seed());
    let mut played = 0;
    let mut promoted = false;
    while played < 12 || !promoted {
        let men = [&b"KRk"[..], b"KPk", b"KBNk"][played % 3];
        let mut squares = [0u8; 64];
        for man in men {
            squares[rng.below(64) as usize] = *man;
        }
        let rows = squares.chunks(8).map(|row| {
            row.iter()
                .map(|man| match man {
                    0 => "1".to_owned(),
                    man => char::from(*man).to_string(),
                })
                .collect::<String>()
        });
        let fen =
            format!("{} {} - - 0 1", rows.collect::<Vec<_>>().join("/"), rng.pick(&["w", "b"]));
        let (Ok(mut board), Ok(value)) = (Board::from_str(&fen), probe.value(fen.as_str())) else {
            continue;
        };
        if value.outcome() == Outcome::Draw || value.distance() == Some(0) {
            continue;
        }
        played += 1;
        let (mut moves, mut left) = (String::new(), value.distance().unwrap());
        while left > 0 {
            let said = asked(&[
                &format!(
                    "position fen {fen}{}{moves}",
                    if moves.is_empty() { "" } else { " moves" }
                ),
                "go movetime 1000",
            ]);
            let (score, best) = best(&said);
            let mate: i64 = after(score, "mate").parse().unwrap();
            let signed =
                if left % 2 == 1 { i64::from(left.div_ceil(2)) } else { -i64::from(left / 2) };
            assert_eq!(mate, signed, "{fen}{moves}");
            assert_eq!(
                score.split(" pv ").nth(1).unwrap().split(' ').count(),
                left as usize,
                "{score}"
            );
            promoted |= best.len() == 5;
            board.play(parse_uci_move(&board, best).unwrap());
            moves += &format!(" {best}");
            left -= 1;
        }
        assert_eq!(board.status(), GameStatus::Won, "{fen}{moves}");
    }
}

#[test]
fn all_moves_are_said_best_first() {
    let fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let said =
        asked(&["setoption name MultiPV value 30", &format!("position fen {fen}"), "go depth 1"]);
    let answer = Tablebase::open(tables()).unwrap().probe(fen).unwrap();
    let lines: Vec<_> = said.iter().filter(|line| line.contains(" multipv ")).collect();
    assert_eq!(lines.len(), answer.moves.len());
    for (line, choice) in lines.iter().zip(&answer.moves) {
        assert_eq!(after(line, "pv"), choice.played.to_string());
        let mate = choice.distance.map(|plies| format!("mate {}", plies.div_ceil(2)));
        assert!(line.contains(&format!("score {} ", mate.unwrap_or("cp 0".into()))), "{line}");
    }
    let only = asked(&[&format!("position fen {fen}"), "go searchmoves b2b8 b2b7"]);
    assert!(["b2b8", "b2b7"].contains(&best(&only).1), "{only:?}");
}

#[test]
fn it_waits_for_stop_and_for_the_hit_of_a_pondered_move() {
    for (go, end) in [("go infinite", "stop"), ("go ponder wtime 1000", "ponderhit")] {
        let said =
            asked(&["position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1", go, "isready", end, "isready"]);
        let place = said.iter().position(|line| line.starts_with("bestmove ")).unwrap();
        assert_eq!(
            (said[place - 1].as_str(), said[place + 1].as_str()),
            ("readyok", "readyok"),
            "{said:?}"
        );
        assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
    }
}

#[test]
fn without_a_table_it_says_so_and_moves() {
    for (position, why) in [
        ("startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1", "castling"),
        ("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "32"),
        ("fen 8/8/8/8/8/2k5/8/KQ1q4 w - - 0 1", "retrograde build chess KQvKQ"),
        ("fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling"),
    ] {
        let said = asked(&[&format!("position {position}"), "go"]);
        assert!(
            said.iter().any(|line| line.starts_with("info string") && line.contains(why)),
            "{why}: {said:?}"
        );
        let best = after(said.last().unwrap(), "bestmove");
        assert!(
            said.iter().any(|line| line.contains(&format!("{best} is any legal move"))),
            "{said:?}"
        );
    }
    let mut out = Vec::new();
    talk(&b"position startpos\ngo\n"[..], &mut out, None).unwrap();
    let said = String::from_utf8(out).unwrap();
    assert!(said.contains("name a folder with the option Tables"), "{said}");
    let open = format!("setoption name Tables value {}", tables().display());
    let lost = asked(&[
        "setoption name Tables value /no/such folder",
        "position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1",
        "go",
        &open,
        "go",
    ]);
    assert!(
        lost[0].contains("/no/such folder: there is no such folder; `retrograde build chess"),
        "{lost:?}"
    );
    assert!(best(&lost).0.contains("mate 16"), "{lost:?}");
}

#[test]
fn a_mate_that_outlasts_the_fifty_moves_is_called_so() {
    for (quiet, outlasts) in [(0, None), (69, None), (70, Some(30)), (99, Some(1))] {
        let fen = format!("8/8/8/8/8/2k5/1R6/K7 w - - {quiet} 80");
        let said = asked(&[&format!("position fen {fen}"), "go"]);
        let note = said.iter().find(|line| line.contains("fifty-move rule"));
        let expected = outlasts.map(|plies| format!("after {plies} plies a draw may be claimed"));
        assert_eq!(note.is_some(), expected.is_some(), "{quiet}: {said:?}");
        assert!(note.is_none_or(|note| note.ends_with(&expected.unwrap())), "{note:?}");
    }
}

#[test]
fn the_end_of_a_game_and_mistakes_have_answers() {
    let mated = asked(&["position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go"]);
    assert_eq!(mated, ["info depth 0 score mate 0", "bestmove (none)"]);
    let stuck = asked(&["position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go"]);
    assert_eq!(stuck, ["info depth 0 score cp 0", "bestmove (none)"]);
    let said = asked(&[
        "position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 moves b2c2 c3c2 e2e4",
        "position fen nonsense",
        "position",
        "setoption name MultiPV value many",
        "setoption name Hash value 16",
        "fly",
        "",
        "ucinewgame",
    ]);
    let parts = [
        "`e2e4` is no legal move",
        "not a position of chess",
        "send `position startpos`",
        "not `many`",
        "no option `hash`",
        "no command `fly`",
    ];
    assert_eq!(said.len(), parts.len(), "{said:?}");
    for (line, part) in said.iter().zip(parts) {
        assert!(line.starts_with("info string") && line.contains(part), "{part}: {line}");
    }
}
