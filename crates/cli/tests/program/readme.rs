//! README.md is true: its game solves as it says, and the program prints what it shows.

use std::fs;
use std::path::Path;

use crate::shown::{folder, root, try_commands};

// README: rules
use retrograde::{Game, Predecessors, Status, Value};

/// A ring of cells. A move takes the token two or three cells further. The player who brings it to cell 0 wins.
struct Ring(u64);

impl Game for Ring {
    fn states(&self) -> u64 {
        self.0
    }
    fn status(&self, cell: u64) -> Status {
        if cell == 0 { Status::Terminal(Value::Loss(0)) } else { Status::Open }
    }
    fn successors(&self, cell: u64, visit: impl FnMut(u64)) {
        [2, 3].map(|step| (cell + step) % self.0).into_iter().for_each(visit);
    }
}

impl Predecessors for Ring {
    fn predecessors(&self, cell: u64, visit: impl FnMut(u64)) {
        [2, 3].map(|step| (cell + self.0 - step) % self.0).into_iter().for_each(visit);
    }
}
// README: end

#[test]
fn the_game_solves_as_the_readme_says() -> Result<(), Box<dyn std::error::Error>> {
    // README: solve
    let game = Ring(18);
    retrograde::audit(&game)?; // do the two lists of moves agree?
    let solution = retrograde::solve(&game);
    assert_eq!(solution.value(1), Some(Value::Win(7)));
    assert_eq!(solution.value(2), Some(Value::Draw));
    let line = retrograde::play::line(&game, &solution, 1)?;
    assert_eq!(line.states, [1, 3, 5, 8, 10, 13, 15, 0]);
    // README: end
    retrograde::verify(&game, &solution)?;
    Ok(())
}

#[test]
fn the_code_in_the_readme_is_the_code_tried_here() {
    let readme = readme();
    let here = include_str!("readme.rs");
    let mut found = 0;
    // Written so that this function does not find itself.
    let (begin, end) = (concat!("// REA", "DME: "), concat!("// REA", "DME: end"));
    let starts = here.match_indices(begin).map(|(at, mark)| &here[at + mark.len()..]);
    for part in starts.filter(|part| !part.starts_with("end")) {
        let lines = part.lines().skip(1).take_while(|line| line.trim() != end);
        let lines: Vec<&str> = lines.collect();
        let indent = lines[0].len() - lines[0].trim_start().len();
        let code: Vec<&str> = lines.iter().map(|line| line.get(indent..).unwrap_or("")).collect();
        assert!(readme.contains(&code.join("\n")), "README.md lacks:\n{}", code.join("\n"));
        found += 1;
    }
    assert_eq!(found, 2);
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
    for picture in pictures {
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
