//! A position or a material from any text. The reader refuses it with an error, or its text is the same after
//! reading. A position has its own number in its material, and its moves lead to positions.
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
        let image = index.position(state).expect("every position has a state");
        assert_eq!(index.state(&image), state);
        assert_eq!(image.in_check(), position.in_check());
        assert_eq!(image.moves().len(), position.moves().len());
    }
});
