//! Mistakes of a new user. The message says what is wrong and what to do next, and each command that it suggests is run.

use std::fs;

use crate::{Ran, home, results, run, shell, write_file};

/// The command fails with this exit code and without results. The message has all of these texts.
fn refused(ran: &Ran, status: i32, holds: &[&str]) {
    assert_eq!((ran.status, &*ran.out), (status, ""), "{}", ran.err);
    for part in holds {
        assert!(ran.err.contains(part), "`{part}` is missing: {}", ran.err);
    }
}

/// The first command in backquotes in a message.
fn suggestion(message: &str) -> &str {
    let commands = message.split('`').skip(1).step_by(2);
    let mut commands = commands.filter(|text| text.starts_with("retrograde "));
    commands.next().unwrap_or_else(|| panic!("no command is suggested: {message}"))
}

/// A file in place of a folder ended in a raw "Not a directory" or "File exists", or in "there is no such folder".
#[test]
fn a_file_in_place_of_a_folder_is_told() {
    write_file("a-file", "P.T\n");
    let board = "solve corner --piece king --rows 3 --columns 3";
    for (command, holds) in [
        ("build chess KQvK --out a-file", "a-file is not a folder"),
        ("build chess KQvK --out a-file/below", "a-file is not a folder"),
        ("build chess KQvK --plan --out a-file", "a-file is not a folder"),
        ("build chess --repack --out a-file", "a-file: this is not a folder"),
        (&format!("{board} --out a-file/table"), "a-file is not a folder"),
        (&format!("{board} --out table --disk a-file"), "this is not a folder"),
        (&format!("{board} --out table --disk a-file/below"), "a-file is not a folder"),
        (&format!("{board} --checkpoint a-file"), "a-file: this is not a folder"),
        ("solve pursuit a-file/board", "a-file is not a folder"),
        ("picture pursuit a-file --out a-file/picture.svg", "a-file is not a folder"),
        ("probe a-file/table x", "a-file is not a folder"),
        ("info a-file/table", "a-file is not a folder"),
        ("verify a-file/table --checksums", "a-file is not a folder"),
    ] {
        let ran = run(command);
        refused(&ran, 3, &[holds]);
        assert!(!ran.err.contains("os error"), "{command}: {}", ran.err);
    }
}

/// A file in a folder that does not exist ended in "No such file or directory", which may mean either.
#[test]
fn a_folder_that_is_missing_is_named() {
    for command in [
        "solve corner --piece king --rows 3 --columns 3 --out missing-folder/table",
        "board --rows 3 --columns 3 --out missing-folder/board.txt",
        "solve pursuit missing-folder/board.txt",
    ] {
        refused(&run(command), 3, &["there is no folder missing-folder"]);
    }
}

/// `take` asked for `--heaps`, and when that was given, for `--take`.
#[test]
fn all_missing_options_are_told_together_with_a_command_that_runs() {
    for (game, missing) in [
        ("take", "--heaps and --take"),
        ("take --heaps 3,5", "take needs --take,"),
        ("corner --piece king", "--rows and --columns"),
        ("corner", "--piece, --rows and --columns"),
        ("quixo", "quixo needs --size,"),
        ("pursuit", "pursuit needs FILE"),
    ] {
        for command in ["solve", "line", "verify", "list", "picture"] {
            let ran = run(&format!("{command} {game}"));
            refused(&ran, 2, &[missing]);
            results(shell(suggestion(&ran.err)));
        }
    }
}

/// `probe pursuit board.txt` answered "pursuit: there is no such table", and so did every game and family.
#[test]
fn a_game_in_place_of_a_table_leads_to_a_table() {
    for (command, holds) in [
        ("probe pursuit examples/board.txt", "pursuit is a game and not a table"),
        ("probe take 3,5", "take is a game and not a table"),
        ("probe quixo x", "quixo is a game and not a table"),
        ("info corner", "corner is a game and not a table"),
        ("verify --checksums dodgem", "dodgem is a game and not a table"),
    ] {
        let ran = run(command);
        refused(&ran, 2, &[holds]);
        let command = suggestion(&ran.err).replace(" FILE", " made.table");
        let _ = fs::remove_file(home().join("shell/made.table"));
        results(shell(&command));
    }
    for command in ["probe chess x", "solve chess", "list chess", "probe morris x", "info morris"] {
        let ran = run(command);
        refused(&ran, 2, &["are built in a folder"]);
        let command = format!("{} --plan", suggestion(&ran.err).replace(" DIR", " unbuilt"));
        assert_eq!(shell(&command).status, 0, "{command}");
    }
    refused(&run("probe pursiut x"), 2, &["did you mean pursuit?"]);
}

/// `solve board.txt` suggested `graph or chase` for a board of pursuit, also for a picture. With the words in the wrong
/// order it took the board for a table.
#[test]
fn a_board_without_its_game_leads_to_its_game() {
    let _ = results(shell("true"));
    for (file, games) in [
        ("examples/board.txt", "pursuit"),
        ("examples/graph.txt", "graph or chase"),
        ("examples/cycle.txt", "graph or chase"),
        ("examples/petersen.txt", "graph or chase"),
    ] {
        let named = format!(
            "{file}: this is not a retrograde table; if it is the board, graph or text of a game, name the game first"
        );
        let ran = shell(&format!("retrograde solve {file}"));
        refused(&ran, 3, &[&named, &format!("first: {games} {file}")]);
    }
    let ran = shell("retrograde solve examples/board.txt pursuit");
    refused(&ran, 2, &["pursuit is a game"]);
    results(shell(suggestion(&ran.err)));
    write_file("picture.png", b"\x89PNG\r\n");
    let ran = run("solve picture.png");
    refused(&ran, 3, &["this is not a retrograde table"]);
    assert!(!ran.err.contains("name the game"), "{}", ran.err);
}

/// An option of one game was looked for among those of all games and commands: `--piece` of another game for `--pieces`.
#[test]
fn an_unknown_option_leads_to_one_of_the_same_game() {
    for (command, holds) in [
        ("solve take --heap 3,5 --take any", "'--heaps'"),
        ("solve take --take any --heap=3,5", "'--heaps'"),
        ("solve dodgem --thread 1", "'--threads'"),
        ("solve --thread 1 dodgem", "'--threads'"),
        ("build chess --piece 3 --out x", "'--pieces'"),
        ("solv dodgem", "'solve'"),
    ] {
        refused(&run(command), 2, &[holds]);
    }
    for (command, holds) in [
        ("solve dodgem --size 3", "unexpected argument '--size'"),
        ("solve take 3,5", "unexpected argument '3,5'"),
        ("pursuit examples/board.txt", "unrecognized subcommand 'pursuit'"),
    ] {
        let ran = run(command);
        refused(&ran, 2, &[holds]);
        assert!(!ran.err.contains("similar"), "{}", ran.err);
    }
}

/// `solve --json take` must mean what `solve take --json` means. The other order was refused by parsers that know only the options
/// of the name.
#[test]
fn options_stand_before_or_behind_the_name_of_a_game() {
    let value = |command: &str| {
        let told: serde_json::Value =
            serde_json::from_str(&results(run(command))).expect("an object");
        (told["start"]["state"].clone(), told["threads"].clone(), told["win"].clone())
    };
    let expected = value("solve take --heaps 3,5 --take any --from 1,2 -j 2 --json");
    assert_eq!((&expected.0, &expected.1), (&"1,2".into(), &2.into()));
    for command in [
        "solve --from 1,2 -j 2 --json take --heaps 3,5 --take any",
        "solve -j2 --quiet take --heaps 3,5 --take any --json --from 1,2",
        "--color never solve -j 2 take --heaps 3,5 --from 1,2 --format json --take any",
    ] {
        assert_eq!(value(command), expected, "{command}");
    }
    results(run("build --plan --out unbuilt chess KQvK"));
    // A value is not the name of a game, and what follows a path is not.
    let ran = run("solve --from dodgem take --heaps 3,5 --take any");
    refused(&ran, 3, &["--from dodgem"]);
    write_file("board-first.txt", "P.T\n");
    let ran = run("solve board-first.txt -j 2 pursuit");
    refused(&ran, 2, &["`retrograde solve pursuit board-first.txt`"]);
}

/// A state whose name is a negative number was an unknown option.
#[test]
fn a_negative_number_is_a_state() {
    write_file("signs.txt", "-1 2\n");
    results(run("solve graph signs.txt --from -1 --out signs.table --force --quiet"));
    assert!(results(run("probe signs.table -1")).starts_with("-1\twin\t1"));
    assert!(results(run("line signs.table -1")).contains("WIN in 1 ply"));
}

/// A negative number was an unexpected argument, with the advice to write `-- -3`. Other wrong numbers quoted the
/// standard library: "invalid digit found in string", "number too large to fit in target type".
#[test]
fn a_wrong_number_says_which_numbers_are_right() {
    for (command, holds) in [
        ("solve take --heaps -3,5 --take any", "'-3,5' for '--heaps <N,..>'"),
        ("solve take --heaps 3,,5 --take any", "write whole numbers with commas between"),
        ("solve take --heaps 3.5 --take any", "write whole numbers with commas between"),
        ("solve take --heaps 99999999999 --take any", "99999999999 is too large"),
        ("solve take --heaps 3 --take some", "write whole numbers with commas between, or any"),
        ("solve take --heaps 3 5 7 --take any", "unexpected argument '5'"),
        ("solve corner --piece king --rows -8 --columns 8", "write a whole number"),
        ("solve corner --piece king --rows eight --columns 8", "write a whole number"),
        ("solve dodgem --threads -1", "write a whole number from 1 to 1024"),
        ("solve dodgem --threads 0", "write a whole number from 1 to 1024"),
        ("solve dodgem --threads all", "write a whole number from 1 to 1024"),
        ("solve dodgem --memory -1", "'-1' for '--memory <SIZE>'"),
        ("build chess --pieces three --out x", "write a whole number from 3 to 6"),
        ("build chess --pieces -3 --out x", "write a whole number from 3 to 6"),
        ("build chess --pieces 9 --out x", "write a whole number from 3 to 6"),
        ("play dodgem --blunder-rate -1", "write a whole number"),
        ("board --rows 3 --columns -3", "write a whole number"),
        ("solve take --heaps 3,5 --take any --from -1,2", "-1"),
    ] {
        let ran = run(command);
        assert!(matches!(ran.status, 2 | 3), "{command}: {}", ran.err);
        refused(&ran, ran.status, &[holds]);
        for raw in ["-- -", "digit", "target type", "empty string", "..="] {
            assert!(!ran.err.contains(raw), "{command}: {}", ran.err);
        }
    }
}

/// A board of 3,755,329 TiB was promised to fit with `--disk`.
#[test]
fn a_solve_on_disk_is_promised_only_where_it_fits() {
    let ran = run("solve corner --piece queen --rows 1000000000 --columns 1000000000");
    refused(&ran, 3, &["TiB", "a smaller game takes less"]);
    assert!(!ran.err.contains("--disk"), "{}", ran.err);
    let fits = run("solve corner --piece queen --rows 100 --columns 100 --memory 12k");
    refused(&fits, 3, &["`solve --disk DIR --out FILE`"]);
}

/// A word after a table was called FILE, as was a second table: "leave FILE out".
#[test]
fn what_stands_beside_a_table_is_quoted() {
    results(run("solve dodgem --out beside.table --quiet --force"));
    for command in ["info beside.table other", "verify beside.table other"] {
        refused(&run(command), 2, &["beside.table is a table", "leave `other` out"]);
    }
    refused(&run("info beside.table --size 3"), 2, &["unexpected argument '--size'"]);
    refused(&run("solve pursuit beside.table"), 3, &["this is a table", "leave pursuit out"]);
    refused(&run("probe beside x"), 3, &["did you mean beside.table?"]);
}

/// Counts disagreed with their nouns: "1 blocks", "1 heaps", "1 states". A graph of four states had "32775.00 bytes a
/// state", and `info` said "what exits tell forgotten".
#[test]
fn counts_and_remarks_read_well() {
    write_file("one.txt", "a b\n");
    let solved = results(run("solve graph one.txt --out one.table --force"));
    assert!(!solved.contains("bytes a state"), "{solved}");
    results(run("build chess KQvK --out one-endgame --quiet"));
    let shown: String = [
        "verify one.table --checksums",
        "verify one.table",
        "info one.table",
        "verify graph one.txt --rules",
        "info one-endgame/KQvK.table",
        "verify one-endgame",
    ]
    .map(|command| results(run(command)))
    .concat();
    for wrong in ["1 blocks", "1 moves", "1 states", "1 levels", "forgotten"] {
        let at = shown.find(&format!(" {wrong}"));
        assert_eq!(at, None, "{wrong}: {shown}");
    }
    assert!(shown.contains("in 1 block, every checksum holds"), "{shown}");
    assert!(shown.contains("2 states, 1 move, each found again"), "{shown}");
}
