//! The numbering and the moves of regions.

use retrograde::{Folded, audit};
use retrograde_morris::{Index, Men, Mill, Position, Region};
use retrograde_regions::Solved;

/// The game of a region that knows no other: enough to be asked for moves.
fn blank(men: Men, region: Region) -> Folded<Mill<Solved<'static>>> {
    let needs = region.needs(men).into_iter();
    let blanks = needs.map(|need| Solved::blank(Index::new(men, need).states())).collect();
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
