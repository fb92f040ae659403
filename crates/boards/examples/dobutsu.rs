//! Dobutsu shogi: each side has a lion, a giraffe, an elephant and a chick on three by four squares. A player who takes the lion wins.
//! A lion that reaches the far row wins as well, unless it is taken at once. Men taken change sides, and are dropped instead of a move. A
//! chick that walks to the far row becomes a hen, and is a chick again when it is taken.
//!
//! Of two mirror images only one has a number. `cargo run --release -p retrograde-boards --example dobutsu` solves the game without
//! elephants; `-- all` solves the whole game, in 0.8 GB and some minutes.
use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::{Flow, Value, audit, solve};
use retrograde_boards::{Cells, Group, Kind, Position, singles, squares};

/// For each kind, first the men of the side to move, then those of the other side; then the men in hand of the side to move.
type Men = Position<13>;
const LION: usize = 0;
const CHICK: usize = 2;
const HEN: usize = 4;
const GIRAFFE: usize = 6;
const ELEPHANT: usize = 8;
/// The kinds of a side, where its men in hand are counted, and as what they come back when they are taken.
const KINDS: [usize; 5] = [LION, CHICK, HEN, GIRAFFE, ELEPHANT];
const HANDS: [(usize, usize); 3] = [(10, CHICK), (11, GIRAFFE), (12, ELEPHANT)];
/// The kinds of the other side that can be taken, and the hand that they come to.
const TAKEN: [(usize, usize); 4] =
    [(CHICK + 1, 10), (HEN + 1, 10), (GIRAFFE + 1, 11), (ELEPHANT + 1, 12)];
const BOARD: u64 = 0xfff;
const HOME_ROW: u64 = 0x7;
const FAR_ROW: u64 = 0xe00;
const STEPS: [&[(i32, i32)]; 5] = [
    &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)],
    &[(0, 1)],
    &[(0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1)],
    &[(0, 1), (1, 0), (0, -1), (-1, 0)],
    &[(1, 1), (1, -1), (-1, -1), (-1, 1)],
];

pub(crate) struct Dobutsu {
    cells: Cells,
    /// For each kind and square, where a man steps to, and where he comes from.
    to: [[u64; 12]; 5],
    from: [[u64; 12]; 5],
    /// How many men of each kind there are, with those in hand.
    men: [u64; 3],
    /// Turns the board round.
    turn: Group,
}

impl Dobutsu {
    pub(crate) fn new(men: [u32; 3]) -> Dobutsu {
        let side = |most| [Kind::on(BOARD, most); 2];
        // After a move, the lion of the side that moved is not on the far row, or the game is over.
        let lions = [Kind::on(BOARD & !FAR_ROW, 1), Kind::on(BOARD, 1)];
        let [chicks, giraffes, elephants] = men;
        let on_board = [lions, side(chicks), side(chicks), side(giraffes), side(elephants)];
        let kinds = [on_board.as_flattened(), &men.map(Kind::counter)].concat();
        let exist = |n: &[u32]| {
            n[..2] == [1, 1]
                && n[2..6].iter().sum::<u32>() + n[10] <= chicks
                && n[6] + n[7] + n[11] <= giraffes
                && n[8] + n[9] + n[12] <= elephants
        };
        let mirror = (0..12).map(|square| square / 3 * 3 + 2 - square % 3).collect();
        let reach = |forward: i32| {
            STEPS.map(|steps| {
                std::array::from_fn(|square| {
                    let (x, y) = (square as i32 % 3, square as i32 / 3);
                    let ends = steps.iter().map(|(right, up)| (x + right, y + forward * up));
                    let inside = ends.filter(|(x, y)| (0..3).contains(x) && (0..4).contains(y));
                    inside.fold(0, |set, (x, y)| set | 1 << (3 * y + x))
                })
            })
        };
        Dobutsu {
            cells: Cells::new(Group::generated(12, &[mirror]), &kinds, exist),
            to: reach(1),
            from: reach(-1),
            men: men.map(u64::from),
            turn: Group::generated(12, &[(0..12).rev().collect()]),
        }
    }

    /// The position as the other side sees it.
    #[inline(always)]
    fn turned(&self, position: &Men) -> Men {
        let sets = position.sets();
        let at_most_two =
            |set: u64| u64::from(set != 0) + u64::from(set & set.wrapping_sub(1) != 0);
        let [chicks, giraffes, elephants] = self.men;
        let theirs = [
            chicks - at_most_two(sets[2] | sets[3] | sets[4] | sets[5]) - sets[10],
            giraffes - at_most_two(sets[6] | sets[7]) - sets[11],
            elephants - at_most_two(sets[8] | sets[9]) - sets[12],
        ];
        let mut turned = [0; 13];
        for (at, set) in turned[..10].iter_mut().enumerate() {
            *set = self.turn.image(1, sets[at ^ 1]);
        }
        turned[10..].copy_from_slice(&theirs);
        self.cells.with_sets(turned)
    }

    /// The men of the side to move that attack a square.
    #[inline(always)]
    fn attackers(&self, sets: &[u64; 13], square: u64) -> u64 {
        let at = square.trailing_zeros() as usize;
        let of = |kind: usize| sets[KINDS[kind]] & self.from[kind][at];
        of(0) | of(1) | of(2) | of(3) | of(4)
    }
}

#[inline]
fn own(sets: &[u64; 13]) -> u64 {
    KINDS.iter().fold(0, |all, &kind| all | sets[kind])
}

#[inline]
fn free(sets: &[u64; 13]) -> u64 {
    sets[..10].iter().fold(BOARD, |free, set| free & !set)
}

impl Rules for Dobutsu {
    type Position = Men;
    retrograde_boards::forward!(Rules for this => this.cells);
    #[inline(always)]
    fn terminal(&self, position: &Men) -> Option<Value> {
        let sets = position.sets();
        if self.attackers(sets, sets[LION + 1]) != 0 {
            return Some(Value::Win(1));
        }
        (sets[LION + 1] & HOME_ROW != 0).then_some(Value::Loss(0))
    }
    /// The published counts have four such positions.
    fn stuck(&self) -> Value {
        Value::Draw
    }
    fn moves(&self, position: &Men, mut visit: impl FnMut(&Men) -> Flow) -> Flow {
        let sets = position.sets();
        let (own, free) = (own(sets), free(sets));
        for (kind, to) in KINDS.into_iter().zip(&self.to) {
            for from in squares(sets[kind]) {
                let lifted = self.cells.without(*position, kind, 1 << from);
                for to in singles(to[from as usize] & !own) {
                    let becomes = if kind == CHICK && to & FAR_ROW != 0 { HEN } else { kind };
                    let mut moved = self.cells.with(lifted, becomes, to);
                    for (taken, hand) in TAKEN {
                        if sets[taken] & to != 0 {
                            moved = self.cells.with(self.cells.without(moved, taken, to), hand, 1);
                        }
                    }
                    visit(&self.turned(&moved))?;
                }
            }
        }
        for (hand, kind) in HANDS.into_iter().filter(|(hand, _)| sets[*hand] > 0) {
            let taken_up = self.cells.without(*position, hand, 1);
            singles(free)
                .try_for_each(|to| visit(&self.turned(&self.cells.with(taken_up, kind, to))))?;
        }
        Flow::Continue(())
    }
    #[inline(always)]
    fn degree(&self, position: &Men) -> Option<u32> {
        let sets = position.sets();
        let (own, free) = (own(sets), free(sets));
        let mut degree = 0;
        for (kind, to) in KINDS.into_iter().zip(&self.to) {
            for from in squares(sets[kind]) {
                degree += (to[from as usize] & !own).count_ones();
            }
        }
        let hands = HANDS.iter().filter(|(hand, _)| sets[*hand] > 0).count() as u32;
        Some(degree + hands * free.count_ones())
    }
    fn degree_max(&self) -> Option<u32> {
        Some(64)
    }
}

impl BackwardMoves for Dobutsu {
    #[inline(always)]
    fn backward_moves(&self, position: &Men, mut visit: impl FnMut(&Men)) {
        let turned = self.turned(position);
        let on_far_row = turned.sets()[LION] & FAR_ROW != 0;
        let position = if on_far_row { turned } else { self.cells.oriented(turned) };
        let sets = position.sets();
        // Before the move, the game was not over: no man attacked their lion, which was not on this side's home row.
        let lion = sets[LION + 1].trailing_zeros() as usize;
        let attackers = self.attackers(sets, sets[LION + 1]);
        if sets[LION + 1] & HOME_ROW != 0 || attackers & attackers.wrapping_sub(1) != 0 {
            return;
        }
        let free = free(sets);
        for (index, kind) in KINDS.into_iter().enumerate() {
            let has_moved = if attackers != 0 { sets[kind] & attackers } else { sets[kind] };
            for to in squares(has_moved) {
                let lifted = self.cells.without(position, kind, 1 << to);
                let far = FAR_ROW >> to & 1 != 0;
                // A man of the other side that it took, if any, goes back from the hand to the board.
                let mut step_back = |lifted: Men, index: usize| {
                    let from = self.from[index][to as usize] & free & !self.from[index][lion];
                    let from = if index == 0 { from & !FAR_ROW } else { from };
                    singles(from)
                        .for_each(|from| visit(&self.cells.with(lifted, KINDS[index], from)));
                };
                let mut step_back_as_any = |lifted: Men| {
                    if kind != CHICK || !far {
                        step_back(lifted, index);
                    }
                    if kind == HEN && far {
                        step_back(lifted, 1);
                    }
                };
                step_back_as_any(lifted);
                for (taken, hand) in TAKEN.into_iter().filter(|(_, hand)| sets[*hand] > 0) {
                    let taken = self.cells.with(lifted, taken, 1 << to);
                    step_back_as_any(self.cells.without(taken, hand, 1));
                }
                let drop = HANDS.iter().find(|(_, dropped)| *dropped == kind);
                if let Some((hand, _)) = drop {
                    visit(&self.cells.with(lifted, *hand, 1));
                }
            }
            if on_far_row {
                return; // only the lion can have moved
            }
        }
    }
}

/// Solves the game with these men: the counts with mirror images, the longest win and, with all men, the value of the start.
fn solve_with(men: [u32; 3]) -> ([u64; 3], u32, Option<Value>) {
    let game = Numbered(Dobutsu::new(men));
    let solution = solve(&game);
    let counts = game.count_positions(2, &solution).expect("it is in memory");
    let start = [1 << 1, 1 << 10, 1 << 4, 1 << 7, 0, 0, 1 << 2, 1 << 9, 1 << 0, 1 << 11, 0, 0, 0];
    let start = (men == [2, 2, 2]).then(|| game.0.state(&game.0.cells.with_sets(start)));
    let wins = solution.histogram().levels().filter(|level| level.wins > 0);
    let longest = wins.last().map_or(0, |level| level.distance);
    ([counts.win, counts.loss, counts.draw], longest, start.and_then(|start| solution.value(start)))
}

/// Audits some small sets of men, and solves one.
pub(crate) fn solve_small() {
    audit(&Numbered(Dobutsu::new([2, 0, 0]))).expect("forward and backward moves agree");
    audit(&Numbered(Dobutsu::new([1, 1, 1]))).expect("forward and backward moves agree");
    assert_eq!(solve_with([2, 1, 0]), ([1_117_613, 310_287, 20_074], 37, None));
}

fn main() {
    solve_small();
    assert_eq!(solve_with([2, 2, 0]), ([9_490_661, 2_252_387, 250_703], 63, None));
    if std::env::args().nth(1).as_deref() == Some("all") {
        let counts = [960_361_246, 209_460_776, 6_122_451];
        assert_eq!(solve_with([2, 2, 2]), (counts, 173, Some(Value::Loss(78))));
    }
}
