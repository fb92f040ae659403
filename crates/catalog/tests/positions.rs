//! The positions, moves and boards of every game and family, on positions at random. One test for all of them.

use std::collections::HashSet;
use std::path::Path;

use retrograde::{Game, Status};
use retrograde_catalog::{FamilyVisitor, game, visit_family};
use retrograde_games::{GAMES, Setup, Source};
use retrograde_positions::{Positions, check_position};
use retrograde_regions::{Built, Family, Solved};
use retrograde_testkit::{Rng, seed};

/// Plays at random from a position, and checks every position on the way. Returns how many moves it has seen.
fn play<G: Positions>(game: &G, start: G::Position, rng: &mut Rng) -> usize {
    let (mut position, mut seen) = (start, 0);
    for _ in 0..60 {
        check_position(game, &position).unwrap();
        let mut next = Vec::new();
        game.moves(&position, &mut |played| next.push(played.next));
        seen += next.len();
        if next.is_empty() {
            break;
        }
        position = next.swap_remove(rng.below(next.len() as u64) as usize);
    }
    seen
}

/// The game of a region, which knows nothing of the regions that it needs.
fn rules<'a, F: Family>(family: &F, region: &F::Region) -> F::Game<'a> {
    let needs = family.needs(region);
    let blanks = needs.iter().map(|need| Solved::blank(rules(family, need).states()));
    family.game(region, blanks.collect())
}

struct Checks(Rng);

impl FamilyVisitor for Checks {
    type Output = usize;

    /// Regions at random: the moves of a position that stay in the region are those of its state.
    fn visit<F: Built>(mut self, family: F) -> usize {
        let start = family.start();
        let mut all = start.map_or(0, |start| play(&family, start, &mut self.0));
        let names = ["KQvK", "KPvK", "KBNvK", "3-3", "p1", "p4", "m"];
        for region in names.iter().filter_map(|name| family.region_named(name).ok()) {
            let index = family.index(&region);
            let rules = rules(&family, &region);
            for _ in 0..2000 {
                let state = self.0.below(rules.states());
                let Some(position) = family.position(&index, state) else { continue };
                if rules.status(state) != Status::Open {
                    continue;
                }
                check_position(&family, &position).unwrap();
                let (mut by_rules, mut seen) = (Vec::new(), Vec::new());
                rules.successors(state, |to| by_rules.push(to));
                family.moves(&position, &mut |played| {
                    if family.region(&played.next).ok().as_ref() == Some(&region) {
                        seen.push(family.number(&index, &played.next));
                    }
                });
                // A state may stand for several positions, and its moves may be listed once for each.
                let set = |states: &[u64]| states.iter().copied().collect::<HashSet<_>>();
                assert_eq!(set(&seen), set(&by_rules), "{}", family.write(&position));
                all += seen.len();
            }
        }
        all
    }
}

#[test]
fn every_family_shows_the_moves_of_its_states() {
    for name in ["chess", "morris3", "morris6", "morris9", "tapatan"] {
        let seed = seed();
        let checked = visit_family(name, Checks(Rng::new(seed)));
        assert!(checked.is_some_and(|moves| moves > 300), "{name}: {checked:?}, seed {seed}");
    }
}

/// Every game of the registry has a board, and one board of men belongs to one position.
#[test]
fn every_game_has_a_board_for_each_position() {
    for spec in GAMES {
        let words: Vec<&str> = spec.example.split_whitespace().collect();
        let (file, options) = match words.split_first() {
            Some((file, rest)) if spec.file.is_some() => (Some(*file), rest),
            _ => (None, &words[..]),
        };
        let file = file.map(|name| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
            Source { name: name.to_owned(), text: std::fs::read_to_string(path).unwrap() }
        });
        let options: Vec<(&str, &str)> =
            options.chunks(2).map(|two| (two[0].trim_start_matches('-'), two[1])).collect();
        let game = game(&Setup::parse(spec.name, &options, file).unwrap()).unwrap();
        let step = (game.states() / 5000).max(1) as usize;
        let mut boards = HashSet::new();
        for state in (0..game.states()).step_by(step) {
            let Some(position) = game.position(state) else { continue };
            let board =
                game.board(&position).unwrap_or_else(|| panic!("{} has no board", spec.name));
            let men: Vec<_> = board.men.iter().map(|man| (man.sign, man.point)).collect();
            let key = (game.player(&position), men);
            assert!(boards.insert(key), "{}: {}", spec.name, game.write(&position));
        }
    }
}
