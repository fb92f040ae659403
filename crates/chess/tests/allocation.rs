//! A value costs no allocation, so an engine can probe millions in its search. The allocator itself counts. This test
//! is a program of its own, because a program has one allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;

use retrograde_chess::{Position, Tablebase, builder};
use retrograde_testkit::{Rng, seed};

/// The system's allocator, with a counter for each thread.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: the caller must keep the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above, and the pointer comes from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations a closure makes on this thread.
fn allocations(act: impl FnOnce()) -> u64 {
    let before = ASKED.get();
    act();
    ASKED.get() - before
}

#[test]
fn a_value_is_looked_up_without_an_allocation() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endgames-counted");
    let _ = std::fs::remove_dir_all(&folder);
    builder(&folder).build(&["KPvK", "KQvKR"]).unwrap();
    let tables = Tablebase::open(&folder).unwrap();

    let mut positions: Vec<Position> = Vec::new();
    for material in tables.regions() {
        let index = tables.opened(&material).unwrap().index();
        let found = (0..2000).filter_map(|_| index.position(rng.below(index.states())));
        // Positions as in the table, and with exchanged colours.
        positions.extend(found.flat_map(|position| [position, position.flipped()]));
    }
    let bitboards: Vec<_> = positions.iter().map(Position::bitboards).collect();
    for (position, sets) in positions.iter().zip(&bitboards) {
        // This reads the block into the cache.
        let value = tables.value(position).unwrap();
        let counted = allocations(|| {
            assert_eq!(tables.value(position).unwrap(), value);
            assert_eq!(tables.value(sets).unwrap(), value);
        });
        assert_eq!(counted, 0, "{position}");
    }
    // The counter works. A position without moves has nothing to allocate.
    let probe = |position| drop(tables.probe(position));
    assert!(allocations(|| positions[..100].iter().for_each(probe)) > 0);
}
