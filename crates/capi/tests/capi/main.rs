//! The interface as C and C++ programs use it: compiled, linked and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use retrograde::Solver;
use retrograde_catalog::{Engine, about};
use retrograde_chess::{Position, Tablebase, Value, builder};
use retrograde_games::Setup;
use retrograde_table::Writer;
use retrograde_testkit::needs;

/// A folder of this test with the table of a game and chess endgames.
fn tables() -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("capi");
    let _ = fs::remove_dir_all(&folder);
    let chess = folder.join("chess");
    fs::create_dir_all(&chess).expect("the tests' folder can be written to");
    builder(&chess).build(&["KRvK"]).expect("an endgame is built");
    let setup = Setup::parse("take", &[("heaps", "3,5"), ("take", "any")], None).expect("a game");
    let game = retrograde_catalog::game(&setup).expect("a game");
    let solution = game.solve(Engine::Scalar, Solver::new()).expect("a small game");
    let table = folder.join("take.table");
    Writer::new(about(&setup)).write(&table, &solution).expect("a table is written");
    (table, chess)
}

/// Compiles a source against the header and the static library.
fn compiled(compiler: &str, language: &str, source: &str, name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = std::env::current_exe().expect("this test");
    let library = library.with_file_name("libretrograde_c.a");
    assert!(library.exists(), "{} is not built", library.display());
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = Command::new(compiler);
    command.args(["-x", language, "-Wall", "-Wextra", "-Werror", "-O1"]);
    command.arg("-I").arg(root.join("include")).arg(root.join(source));
    command.args(["-x", "none"]).arg(library).arg("-o").arg(&program);
    command.args(["-lpthread", "-ldl", "-lm"]);
    let output = command.output().expect("a compiler of C runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn run(program: &Path, table: &Path, folder: &Path) {
    let text =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games/three-mens-morris.game");
    let text = fs::read_to_string(text).expect("an example");
    let output = Command::new(program).arg(text).args([table, folder]).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    assert_eq!(output.stdout, b"OK\n");
}

#[test]
fn programs_in_c_and_in_cpp_use_all_of_it() {
    let (table, chess) = tables();
    let source = "tests/capi/use.c";
    run(&compiled("cc", "c", source, "use_c"), &table, &chess);
    if needs::program("c++") {
        run(&compiled("c++", "c++", source, "use_cpp"), &table, &chess);
    }
}

/// How many lines of so many plies a position has.
fn lines(position: &Position, plies: u32) -> u64 {
    match plies {
        0 => 1,
        _ => position.moves().iter().map(|one| lines(&position.play(one), plies - 1)).sum(),
    }
}

/// The toy engine knows the rules, and finds in the tables what it does not see itself.
#[test]
fn the_engine_of_the_examples_looks_endgames_up() {
    let engine = compiled("cc", "c", "examples/engine.c", "engine");
    let run = |arguments: [&str; 3]| {
        let output = Command::new(&engine).args(arguments).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("a text")
    };
    for fen in [
        "8/1P6/8/3k4/2pP4/8/8/K7 b - d3 0 1",
        "8/P7/1k6/8/8/8/5p2/K5N1 b - - 0 1",
        "r7/1P4k1/8/8/8/8/6B1/K7 w - - 0 1",
        "8/8/8/q1P1K3/3p4/6k1/4P3/8 w - - 0 1",
    ] {
        let position: Position = fen.parse().expect("a position");
        assert_eq!(run(["count", fen, "4"]), format!("{}\n", lines(&position, 4)), "{fen}");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine-tables");
    let _ = fs::remove_dir_all(&folder);
    builder(&folder).build(&["KRvK", "KPvK"]).expect("endgames are built");
    let tables = Tablebase::open(&folder).expect("they open");
    let folder = folder.to_str().expect("a path");
    for fen in [
        "8/8/8/8/8/2k5/1R6/K7 w - - 0 1",
        "8/8/8/8/3k4/8/1R6/K7 b - - 0 1",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "8/5P2/7k/8/8/8/8/K7 w - - 0 1",
        "k7/8/8/8/8/8/P7/K7 w - - 0 1",
    ] {
        let answer = tables.probe(fen).expect("a position of the tables");
        let expected = match answer.value {
            Value::Win(plies) => format!("mates in {plies} plies"),
            Value::Loss(plies) => format!("is mated in {plies} plies"),
            Value::Draw => "worth 0".to_owned(),
        };
        let said = run([folder, fen, "1"]);
        let told: Vec<&str> = said.split('\t').collect();
        assert_eq!(told[1], expected, "{fen}");
        let best = answer.moves.iter().find(|one| one.played.to_string() == told[0]);
        assert_eq!(best.expect("a legal move").value, answer.value, "{fen}");
    }
    // There is no table of these men, but one of those after the capture.
    let fen = "8/8/8/8/6k1/8/5n2/K4R2 w - - 0 1";
    assert!(run(["-", fen, "2"]).starts_with("f1f2\tworth 500\t"));
    let after = tables.probe("8/8/8/8/6k1/8/5R2/K7 b - - 0 1").expect("a position of the tables");
    let plies = after.value.distance().expect("a loss") + 1;
    assert!(run([folder, fen, "2"]).starts_with(&format!("f1f2\tmates in {plies} plies\t")));
}

/// What the book shows compiles, too.
#[test]
fn the_program_of_the_book_compiles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("../../docs/c.md")).expect("the page");
    let (_, program) = page.split_once("```c\n").expect("the page has a program");
    let (program, _) = program.split_once("```").expect("it ends");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book.c");
    fs::write(&file, program).expect("the tests' folder can be written to");
    let mut command = Command::new("cc");
    command.args(["-fsyntax-only", "-Wall", "-Werror", "-I"]).arg(root.join("include")).arg(file);
    assert!(command.status().expect("a compiler of C runs").success());
}

/// The header is written by a tool, which this machine may lack. So its functions are compared with those of the source.
#[test]
fn the_header_has_every_function_with_as_many_arguments() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = fs::read_to_string(root.join("include/retrograde.h")).expect("the header");
    let count = |arguments: &str| arguments.split(',').filter(|one| !one.trim().is_empty()).count();
    let mut functions = 0;
    for file in fs::read_dir(root.join("src")).expect("the sources") {
        let source = fs::read_to_string(file.expect("a file").path()).expect("a source");
        for function in source.split("extern \"C\" fn ").skip(1) {
            let Some((name, rest)) = function.split_once('(') else { continue };
            if !name.starts_with("retrograde_") {
                continue;
            }
            let ours = count(rest.split_once(')').expect("its arguments end").0);
            let declared = header
                .split_once(&format!(" {name}("))
                .or_else(|| header.split_once(&format!("*{name}(")));
            let (_, declared) = declared.unwrap_or_else(|| panic!("the header lacks {name}"));
            let theirs = count(declared.split_once(')').expect("its arguments end").0);
            assert_eq!(ours, theirs, "{name}: run scripts/capi --header");
            functions += 1;
        }
    }
    assert_eq!(
        functions,
        header.matches("\nretrograde_code retrograde_").count()
            + header.matches("\nvoid retrograde_").count()
            + header.matches("\nuint64_t retrograde_").count()
    );
}
