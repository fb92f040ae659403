//! Collects the moves into positions that stand for their mirror images: see `folded.rs` for how often each counts.

/// How many predecessors are collected before they are visited.
pub(super) const FOUND: usize = 64;

/// What takes states with their predecessors, some at a time.
pub(super) type VisitFound<'f> = dyn FnMut(&[(u64, u64)]) + 'f;

/// Collects moves into orbits, and visits their predecessors as often as the engine needs.
pub(super) struct Origins<'f> {
    visit: &'f mut VisitFound<'f>,
    /// States and their predecessors. They are visited together, so the processor waits for many memory accesses at once.
    found: [(u64, u64); FOUND],
    len: usize,
    /// The moves into a state with several symmetries: the states that they come from, with their stabilizers.
    symmetric: Vec<(u64, u32)>,
    /// This state and its stabilizer.
    into: (u64, u32),
}

impl<'f> Origins<'f> {
    #[inline(always)]
    pub(super) fn new(visit: &'f mut VisitFound<'f>) -> Origins<'f> {
        Origins { visit, found: [(0, 0); FOUND], len: 0, symmetric: Vec::new(), into: (0, 1) }
    }

    /// Takes a move: the state that it leads to and the state that it comes from, each with its stabilizer. The moves into a state
    /// come one after another.
    #[inline(always)]
    pub(super) fn push(&mut self, (state, here): (u64, u32), (from, there): (u64, u32)) {
        if here > 1 {
            return self.push_symmetric((state, here), (from, there));
        }
        for _ in 0..there {
            self.found[self.len] = (state, from);
            self.len += 1;
            if self.len == FOUND {
                self.flush();
            }
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        (self.visit)(&self.found[..self.len]);
        self.len = 0;
    }

    #[inline(always)]
    pub(super) fn finish(mut self) {
        self.flush();
        if !self.symmetric.is_empty() {
            self.visit_symmetric();
        }
    }

    #[inline(never)]
    fn push_symmetric(&mut self, into: (u64, u32), from: (u64, u32)) {
        if self.into != into {
            self.visit_symmetric();
            self.into = into;
        }
        self.symmetric.push(from);
    }

    /// Visits the predecessors of a state with several symmetries.
    #[inline(never)]
    fn visit_symmetric(&mut self) {
        let (state, here) = self.into;
        visit_symmetric(&mut self.symmetric, here, |from| (self.visit)(&[(state, from)]));
    }
}

/// Visits the predecessors of a state with the stabilizer `here` as often as the engine needs, and empties the list.
/// `moves` are the states that moves into it come from, with their stabilizers.
pub(super) fn visit_symmetric(moves: &mut Vec<(u64, u32)>, here: u32, mut visit: impl FnMut(u64)) {
    moves.sort_unstable();
    for same in moves.chunk_by(|a, b| a == b) {
        let (from, there) = same[0];
        (0..same.len() as u32 * there / here).for_each(|_| visit(from));
    }
    moves.clear();
}
