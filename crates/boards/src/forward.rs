//! Forwards the numbering of rules to a numbering of this crate.

/// Writes the methods of `retrograde::adapters::Rules` that number positions, with [`Cells`](crate::Cells). What is left to write are the
/// rules themselves: `terminal` and `moves`.
///
/// The positions of the rules must be a [`Position`](crate::Position). If the cells have symmetries, positions that mirror each other
/// share a number, and the rules are folded.
///
/// ```
/// use retrograde::adapters::{BackwardMoves, Numbered, Rules};
/// use retrograde::{Flow, Value, audit, solve};
/// use retrograde_boards::{Cells, Group, Kind, Position, singles};
///
/// /// A man of each side on a row of seven squares. A step to the right ends on a free square. A player who cannot step loses.
/// struct Steps(Cells);
///
/// impl Rules for Steps {
///     type Position = Position<2>; // the man of the side to move, and that of the other side
///     retrograde_boards::forward!(Rules for this => this.0);
///
///     fn moves(&self, position: &Position<2>, mut visit: impl FnMut(&Position<2>) -> Flow) -> Flow {
///         let [mine, theirs] = *position.sets();
///         singles(mine << 1 & 0x7f & !theirs).try_for_each(|to| visit(&self.0.with_sets([theirs, to])))
///     }
/// }
///
/// impl BackwardMoves for Steps {
///     fn backward_moves(&self, position: &Position<2>, mut visit: impl FnMut(&Position<2>)) {
///         let [theirs, mine] = *position.sets();
///         singles(mine >> 1 & !theirs).for_each(|from| visit(&self.0.with_sets([from, theirs])));
///     }
/// }
///
/// let men = [Kind::on(0x7f, 1); 2];
/// let game = Numbered(Steps(Cells::new(Group::trivial(7), &men, |counts| counts == [1, 1])));
/// audit(&game)?;
/// assert_eq!(solve(&game).value(game.0.state(&game.0.0.with_sets([1 << 5, 1 << 0]))), Some(Value::Loss(2)));
/// # Ok::<(), retrograde::checks::AuditError>(())
/// ```
#[macro_export]
macro_rules! forward {
    (Rules for $this:ident => $cells:expr) => {
        fn states(&self) -> u64 {
            let $this = self;
            $cells.states()
        }
        fn position(&self, state: u64) -> Option<Self::Position> {
            let $this = self;
            $cells.position(state)
        }
        #[inline(always)]
        fn positions(
            &self,
            states: ::core::ops::Range<u64>,
            visit: impl FnMut(u64, Option<(&Self::Position, u32)>),
        ) {
            let $this = self;
            $cells.each(states, visit);
        }
        fn state(&self, position: &Self::Position) -> u64 {
            let $this = self;
            $cells.number(position).0
        }
        #[inline(always)]
        fn stabilizer(&self, position: &Self::Position) -> u32 {
            let $this = self;
            $cells.stabilizer(position)
        }
        #[inline(always)]
        fn state_and_stabilizer(&self, position: &Self::Position) -> (u64, u32) {
            let $this = self;
            $cells.number(position)
        }
    };
}
