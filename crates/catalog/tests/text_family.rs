//! Games of texts that are built in regions: every position has the value that the game has when it is solved at once.

use std::collections::BTreeSet;

use retrograde::{Game, Solver, audit};
use retrograde_catalog::families::Chess;
use retrograde_catalog::{Engine, Known, TEXTS, TextFamily, game, open_family};
use retrograde_games::{CellRegion, Setup, Solvable, Source, Visitor};
use retrograde_regions::{Builder, Family, Manifest, SolvedRegion, Tablebase};
use retrograde_table::Options;
use retrograde_testkit::{Rng, random_text, seed};

/// The text of an example of the repository.
fn example(name: &str) -> Source {
    let path = format!("{}/../../examples/games/{name}.game", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("an example");
    Source { name: path, text }
}

fn regions(text: &Source) -> Vec<CellRegion> {
    struct Nothing;
    impl Visitor for Nothing {
        type Output = ();

        fn visit<G: Solvable>(self, _: G) {}
    }
    retrograde_games::regions(text, Nothing).unwrap().0
}

fn fresh(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("retrograde-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Builds a game in regions, and compares all values with those of the whole game. Returns the names of the regions.
fn compare(text: &Source) -> Vec<String> {
    println!("{}", text.text); // A failure shows it.
    let whole = game(&Setup::parse("text", &[], Some(text.clone())).unwrap()).unwrap();
    let known = whole.solve(Engine::Scalar, Solver::new()).unwrap();
    let known = Known::Solution(known.into());
    let values = whole.values(&known).unwrap();
    let family = TextFamily::of_text(text).unwrap();
    let all: Vec<String> = regions(text).into_iter().map(|region| region.name).collect();
    let folder = fresh(whole.name());
    Builder::new(&family, &folder).verify(true).build(&[all[all.len() - 1].clone()]).unwrap();
    let (known_as, tables) = open_family(&folder, Options::new()).unwrap().expect("it was built");
    assert!(std::ptr::eq(known_as, &raw const TEXTS));
    assert_eq!(tables.game(), whole.name());
    let built: BTreeSet<String> = tables.regions().into_iter().collect();
    assert_eq!(built, all.iter().cloned().collect(), "the start needs every region");
    let cells: Vec<_> = regions(text).into_iter().flat_map(|region| region.cells).collect();
    let mut states = 0;
    for state in 0..whole.states() {
        let Some(position) = whole.position(state) else { continue };
        let Some(value) = values.probe(state).unwrap() else { continue };
        let text = whole.write(&position);
        let men = cells.iter().find(|(cell, _)| cell.contains(&state));
        match tables.parse(&text) {
            Ok(position) => {
                assert_eq!(tables.value(&position).unwrap(), Some(value), "{text}");
                assert!(men.is_some(), "{text}");
                states += 1;
            }
            Err(error) => {
                assert!(error.to_string().contains("no play from the start"), "{error}");
                assert!(men.is_none(), "{text}");
            }
        }
    }
    assert!(states > 0);
    for name in &all {
        tables.verify(name, retrograde::checks::Verifier::new()).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
    all
}

#[test]
fn regions_have_the_values_of_the_whole_game() {
    let last = |name: &str| compare(&example(name)).pop().expect("a region");
    // Men are placed, one region after the other. Then they move.
    let tapatan = compare(&example("tapatan"));
    assert_eq!((tapatan.len(), &*tapatan[0], &*tapatan[7]), (8, "3Mv3M", "+3Mv+3M"));
    // Captures; the players change roles.
    assert_eq!(last("hexapawn"), "3Pv3P");
    assert_eq!(last("clobber"), "6Sv6S");
    assert_eq!(last("dodgem"), "2Cv2C");
    // Men without numbers once the king is taken, and a mate.
    assert_eq!(last("antichess"), "RvK");
    assert_eq!(compare(&example("king-and-rook")), ["KvK", "KRvK"]);
    // Men come back: all that follows the first drop is one region.
    assert_eq!(compare(&example("tic-tac-chec-3")), ["+UBRvR+UB", "+UBRv+UBR"]);
    assert_eq!(compare(&example("mu-torere")), ["4Mv4M"]);
}

/// The numbering of the whole game has more positions than play leads to. Here the first player, who is to move, has put down two
/// kings, and the second only a man, who does not move: he has moved too seldom.
#[test]
fn a_position_that_no_play_leads_to_is_in_no_region() {
    let text = include_str!("unreached.game").to_owned();
    compare(&Source { name: "unreached.game".to_owned(), text });
}

#[test]
fn random_texts_have_the_same_values_in_regions() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    let (mut compared, mut built) = (0, 0);
    while compared < 40 {
        let text = Source { name: "random.game".to_owned(), text: random_text(&mut rng) };
        let Ok(setup) = Setup::parse("text", &[], Some(text.clone())) else { continue };
        let Ok(game) = game(&setup) else { continue };
        if game.states() > 3000 || !(2..=30).contains(&regions(&text).len()) {
            continue;
        }
        built += compare(&text).len();
        compared += 1;
    }
    assert!(built > 3 * compared, "{built} regions of {compared} texts, seed {seed}");
}

#[test]
fn moves_of_each_region_agree_with_its_backward_moves() {
    for name in ["tapatan", "hexapawn", "king-and-rook", "jeson-mor", "tic-tac-chec-3"] {
        let family = TextFamily::of_text(&example(name)).unwrap();
        for region in regions(&example(name)) {
            let needs = family.needs(&region.name);
            let blank = |need: &String| SolvedRegion::blank(family.game(need, Vec::new()).states());
            let solved = needs.iter().map(blank).collect();
            audit(&family.game(&region.name, solved)).unwrap();
        }
    }
}

/// A text may have the name of a family. Its folder is never taken for one of the family.
#[test]
fn a_text_may_be_called_chess() {
    let folder = fresh("text-called-chess");
    let hexapawn = example("hexapawn");
    let text = Source { text: hexapawn.text.replace("game hexapawn", "game chess"), ..hexapawn };
    let family = TextFamily::of_text(&text).unwrap();
    Builder::new(&family, &folder).build(&["vP".to_owned()]).map(drop).unwrap();
    let (family, tables) = open_family(&folder, Options::new()).unwrap().expect("it was built");
    assert!(std::ptr::eq(family, &raw const TEXTS));
    assert_eq!((tables.game(), tables.regions()), ("chess", vec!["vP".to_owned()]));
    assert!(Tablebase::<Chess>::open(&folder).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_belongs_to_one_text() {
    let folder = fresh("folder-of-text");
    let hexapawn = example("hexapawn");
    let build = |text: &Source| {
        let family = TextFamily::of_text(text).unwrap();
        Builder::new(&family, &folder).build(&["vP".to_owned()]).map(drop)
    };
    build(&hexapawn).unwrap();
    let other = Source { text: hexapawn.text.replace("win", "# win"), ..hexapawn.clone() };
    let error = build(&other).unwrap_err().to_string();
    assert!(error.contains("with the rules of another text"), "{error}");
    // A folder of a numbering that this program does not know has no tables for it.
    let mut manifest = Manifest::read(&folder).unwrap().expect("it was built");
    let rules = manifest.rules.as_mut().expect("a text");
    assert_eq!(rules.text, hexapawn.text);
    rules.parameters["numbering"] = 99.into();
    manifest.write(&folder).unwrap();
    let error = open_family(&folder, Options::new()).map(drop).unwrap_err().to_string();
    assert!(error.contains("\"numbering\":99"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
