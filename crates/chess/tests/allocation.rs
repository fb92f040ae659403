//! A value costs no allocation, so that an engine may ask for millions in its search: counted by the allocator
//! itself, in a program of its own because there is one allocator to a program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;

use retrograde_chess::{Builder, Chess, Position, Tablebase, build};
use retrograde_testkit::{Rng, seed};

/// The system's allocator, which counts what each thread asks of it.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: the caller keeps the promises that are asked of it here.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above; the pointer came from there.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations something takes on this thread.
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
    let targets = ["KPvK", "KQvKR"].map(|name| name.parse().unwrap());
    build(Builder::new(&Chess, &folder), &targets).unwrap();
    let tables = Tablebase::open(&folder).unwrap();

    let mut positions: Vec<Position> = Vec::new();
    for material in tables.regions() {
        let index = tables.opened(&material).unwrap().index();
        let found = (0..2000).filter_map(|_| index.position(rng.below(index.states())));
        // As they are in the table, and with the colours changed.
        positions.extend(found.flat_map(|position| [position, position.flipped()]));
    }
    let bitboards: Vec<_> = positions.iter().map(Position::bitboards).collect();
    for (position, sets) in positions.iter().zip(&bitboards) {
        // The block comes into the cache.
        let value = tables.value(position).unwrap();
        let counted = allocations(|| {
            assert_eq!(tables.value(position).unwrap(), value);
            assert_eq!(tables.value(sets).unwrap(), value);
        });
        assert_eq!(counted, 0, "{position}");
    }
    // The counter counts.
    assert!(allocations(|| drop(tables.probe(&positions[0]))) > 0);
}
