//! The numbering and the moves of regions.

use retrograde::adapters::{Folded, Symmetric};
use retrograde::{Game, Status, audit};
use retrograde_boards::binomial;
use retrograde_morris::{Index, Men, Mill, Position, Region};
use retrograde_regions::SolvedRegion;
use retrograde_testkit::{Rng, seed};

use crate::plain::Board;

/// The game of a region without solutions of others. It can list moves.
fn blank(men: Men, region: Region) -> Folded<Mill<'static>> {
    let needs = region.needs(men).into_iter();
    let blanks = needs.map(|need| SolvedRegion::blank(Index::new(men, need).states())).collect();
    Folded(Mill::new(men, region, blanks))
}

#[test]
fn regions_pass_the_audit() {
    for (men, name) in [
        (Men::Three, "3-3"),
        (Men::Three, "p4-2-2"),
        (Men::Six, "3-3"),
        (Men::Six, "4-3"),
        (Men::Six, "6-3"),
        (Men::Six, "p9-3-4"),
    ] {
        audit(&blank(men, Region::named(men, name).unwrap())).unwrap();
    }
}

#[test]
fn each_position_has_a_number_and_all_its_images_the_same() {
    for (men, name) in [(Men::Three, "3-3"), (Men::Six, "5-3"), (Men::Six, "p8-4-3")] {
        let index = Index::new(men, Region::named(men, name).unwrap());
        let mut found = 0;
        for state in 0..index.states() {
            let Some(position) = index.position(state) else { continue };
            assert_eq!(index.state(&position), state);
            let text = position.to_string();
            assert_eq!(Position::read(men, &text), Ok(position), "{text}");
            found += 1;
        }
        assert!(found > 50, "{name}: {found} of {}", index.states());
    }
}

/// Each position stands for several placements: the order of the group divided by the number of symmetries that keep
/// the position.
#[test]
fn the_positions_of_a_region_are_all_placements_of_its_stones() {
    for (men, name, placements) in [
        (Men::Six, "4-3", 2 * binomial(16, 4) * binomial(12, 3)),
        (Men::Nine, "3-3", binomial(24, 3) * binomial(21, 3)),
        // White has no three in a row.
        (Men::Three, "p5-2-3", (binomial(9, 3) - 8) * binomial(6, 2)),
    ] {
        let game = blank(men, Region::named(men, name).unwrap()).0;
        let order = men.board().group().order() as u64;
        let states = (0..game.states()).filter(|&state| game.status(state) != Status::Invalid);
        let found: u64 = states.map(|state| order / u64::from(game.stabilizer(state))).sum();
        assert_eq!(found, placements, "{men:?} {name}");
    }
}

/// Positions that the rule for captures excludes never occur: random games by the plain rules. The players close a mill
/// whenever they can, because these games have captures.
#[test]
fn whatever_comes_about_has_a_number() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    for round in 0..600 {
        let men = Men::ALL[round % 3];
        let board = Board::new(men);
        let mut raw = board.start();
        for _ in 0..60 {
            let text = board.text(&raw);
            let position = Position::read(men, &text);
            assert!(position.is_ok(), "seed {seed}: {text}: {position:?}");
            let mut moves = board.moves(&raw);
            let stones = |raw: &crate::plain::Raw| raw.at.iter().filter(|&&at| at != '.').count();
            let least = moves.iter().map(stones).min().unwrap_or(0);
            if round % 2 == 0 {
                moves.retain(|to| stones(to) == least);
            }
            let Some(next) =
                (!moves.is_empty()).then(|| moves[rng.below(moves.len() as u64) as usize].clone())
            else {
                break;
            };
            raw = next;
        }
    }
}
