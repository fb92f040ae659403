//! README.md is true: the program prints what it shows. The documentation tests of `testkit` run its game.

use std::fs;
use std::path::Path;

use crate::shown::{folder, root, try_commands};

/// No command ran the tests, and `serve` needed an install that was not named.
#[test]
fn the_readme_says_how_to_solve_to_test_and_to_serve() {
    let readme = readme();
    let set_up =
        "cargo run --release -- solve pursuit examples/board.txt\ncargo test --workspace\n";
    assert!(readme.contains(&format!("```sh\n{set_up}```")), "the two commands stand together");
    assert!(readme.contains("cargo install --path crates/server"));
}

/// Its pictures are those that the program draws.
#[test]
fn the_program_prints_what_the_readme_shows() {
    let folder = folder("readme");
    let tried = try_commands(&readme(), &folder);
    assert!(tried >= 7, "these tests have lost sight of the README's examples");
    let readme = readme();
    let pictures =
        readme.split("](docs/pictures/").skip(1).filter_map(|rest| rest.split(')').next());
    let mut drawn = 0;
    // The program draws SVG. The picture of the page comes from a browser.
    for picture in pictures.filter(|picture| picture.ends_with(".svg")) {
        let path = format!("docs/pictures/{picture}");
        let text = |root: &Path| fs::read_to_string(root.join(&path)).expect("a picture");
        assert!(text(&folder) == text(&root()), "{path} is not what the README's command draws");
        drawn += 1;
    }
    assert_eq!(drawn, 1);
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("there is a README.md")
}
