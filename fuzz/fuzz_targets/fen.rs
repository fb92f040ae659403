//! A position or a material from any text: it is refused with an error, or it is written and read as the same; and a
//! position has a number of its own among those of its material, and moves that lead to positions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_chess::{Index, Material, Position};

fuzz_target!(|text: &str| {
    if let Ok(material) = text.parse::<Material>() {
        assert_eq!(material.to_string().parse(), Ok(material));
        assert!(material.needs().iter().all(|need| *need < material));
    }
    let Ok(position) = text.parse::<Position>() else { return };
    assert_eq!(position.to_string().parse().as_ref(), Ok(&position));
    assert_eq!(position.flipped().flipped(), position);
    position.picture();
    for played in position.moves() {
        let after = position.play(&played);
        assert_eq!(after.to_string().parse().as_ref(), Ok(&after), "after {played}");
    }
    if let Some((material, _)) = position.material()
        && material.pieces() <= 5
    {
        let index = Index::new(material);
        let state = index.state(&position);
        assert!(state < index.states());
        let image = index.position(state).expect("no position is void");
        assert_eq!(index.state(&image), state);
        assert_eq!(image.in_check(), position.in_check());
        assert_eq!(image.moves().len(), position.moves().len());
    }
});
