//! Handing the methods of a game on to a game inside it.

/// Writes the methods of [`Game`](crate::Game) or [`Retrograde`](crate::Retrograde) that are
/// named, each handed on to a game inside: for adapters, which write the others themselves.
///
/// ```
/// use retrograde::{Game, Retrograde, forward};
///
/// /// A game that is announced under a name.
/// struct Named<G>(&'static str, G);
///
/// impl<G: Game> Game for Named<G> {
///     forward!(named => named.1; states status successors degree survey degree_max keeps_turn);
/// }
///
/// impl<G: Retrograde> Retrograde for Named<G> {
///     forward!(named => named.1; SCOUTS<G> predecessors predecessors_of_each);
/// }
/// ```
#[macro_export]
macro_rules! forward {
    ($this:ident => $game:expr; $($method:ident $(<$type:ty>)?)*) => {
        $($crate::forward! { @ $this $game, $method $(<$type>)? })*
    };
    (@ $this:ident $game:expr, states) => {
        fn states(&self) -> u64 {
            let $this = self;
            $game.states()
        }
    };
    (@ $this:ident $game:expr, status) => {
        fn status(&self, state: u64, exit: impl FnMut($crate::Value)) -> $crate::Status {
            let $this = self;
            $game.status(state, exit)
        }
    };
    (@ $this:ident $game:expr, successors) => {
        fn successors(&self, state: u64, visit: impl FnMut(u64)) {
            let $this = self;
            $game.successors(state, visit);
        }
    };
    (@ $this:ident $game:expr, degree) => {
        fn degree(&self, state: u64) -> u32 {
            let $this = self;
            $game.degree(state)
        }
    };
    (@ $this:ident $game:expr, survey) => {
        fn survey(
            &self,
            states: ::std::ops::Range<u64>,
            visit: impl FnMut(u64, $crate::Status, u32, &[$crate::Value]),
        ) {
            let $this = self;
            $game.survey(states, visit);
        }
    };
    (@ $this:ident $game:expr, voids) => {
        fn voids(&self, word: u64) -> u64 {
            let $this = self;
            $game.voids(word)
        }
    };
    (@ $this:ident $game:expr, degree_max) => {
        fn degree_max(&self) -> Option<u32> {
            let $this = self;
            $game.degree_max()
        }
    };
    (@ $this:ident $game:expr, keeps_turn) => {
        fn keeps_turn(&self, from: u64, to: u64) -> bool {
            let $this = self;
            $game.keeps_turn(from, to)
        }
    };
    (@ $this:ident $game:expr, SCOUTS<$type:ty>) => {
        const SCOUTS: $crate::Scouts = <$type as $crate::Retrograde>::SCOUTS;
    };
    (@ $this:ident $game:expr, predecessors) => {
        fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
            let $this = self;
            $game.predecessors(state, visit);
        }
    };
    (@ $this:ident $game:expr, predecessors_of_each) => {
        #[inline(always)]
        fn predecessors_of_each(&self, first: u64, set: u64, visit: impl FnMut(u64, u64)) {
            let $this = self;
            $game.predecessors_of_each(first, set, visit);
        }
    };
}
