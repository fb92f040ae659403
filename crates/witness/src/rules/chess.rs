//! Chess endgames, by the rules of `cozy-chess`, without castling and without the fifty-move rule. Captures
//! and promotions lead to other tables. Two bare kings are a draw.

use std::ops::Range;

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square};

use serde_json::Value as Json;

use crate::proof::{LOST, Place, Rules, Side};
use crate::table::{DRAW, Number};

/// How many queens, rooks, bishops, knights and pawns white and black have.
pub(crate) type Material = [[u8; 5]; 2];

const ROLES: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
const PAWN: usize = 4;
const COLORS: [Color; 2] = [Color::White, Color::Black];
const NAMES: [&str; 2] = ["white", "black"];

/// The material with that name, such as `KQvKR`. The stronger side comes first.
pub(crate) fn material_named(name: &str) -> Option<Material> {
    let mut material = [[0; 5]; 2];
    for (side, men) in name.split('v').enumerate() {
        for man in men.strip_prefix('K')?.chars() {
            material.get_mut(side)?["QRBNP".find(man)?] += 1;
        }
    }
    let men: u8 = material.iter().flatten().sum();
    ((1..=4).contains(&men) && material_name(&material) == name).then_some(material)
}

/// The name of a material.
pub(crate) fn material_name(material: &Material) -> String {
    let side = |men: &[u8; 5]| {
        let letters = "QRBNP".chars().zip(men);
        letters.fold("K".to_owned(), |name, (man, &count)| {
            name + &man.to_string().repeat(count.into())
        })
    };
    let stronger_first = strength(&material[0]) >= strength(&material[1]);
    let [first, second] = if stronger_first { [0, 1] } else { [1, 0] };
    format!("{}v{}", side(&material[first]), side(&material[second]))
}

/// A side with more men is stronger. With equal numbers, the first difference decides.
fn strength(men: &[u8; 5]) -> (u8, [u8; 5]) {
    (men.iter().sum(), *men)
}

/// The names of the materials that one move leads to, except two bare kings.
pub(crate) fn needs(material: &Material) -> Vec<String> {
    let mut names = Vec::new();
    for (side, captured, promoted) in (0..72).map(|n| (n / 36, n / 6 % 6, n % 6)) {
        let mut after = material.map(|men| men.map(i32::from));
        if captured < 5 {
            after[1 - side][captured] -= 1;
        }
        if promoted < PAWN {
            after[side][PAWN] -= 1;
            after[side][promoted] += 1;
        }
        let moved = captured < 5 || promoted < PAWN;
        if moved && after.iter().flatten().all(|&count| count >= 0) && after != [[0; 5]; 2] {
            names.push(material_name(&after.map(|men| men.map(|count| count as u8))));
        }
    }
    names.sort();
    names.dedup();
    names
}

/// The rules, and the numbers of positions of some materials: first the one to prove, then those that it
/// leads to.
pub(crate) struct Chess {
    numberings: Vec<Numbering>,
    /// The placements of two kings, with pawns and without.
    kings: [Kings; 2],
}

/// The placements of the kings up to symmetry.
struct Kings {
    placements: Vec<[u8; 2]>,
    numbers: Vec<u16>,
}

/// The numbering of a material's positions: see `NUMBERS.md`.
struct Numbering {
    material: Material,
    /// For each kind of men: colour, role and number.
    kinds: Vec<(usize, usize, usize)>,
    /// The kind whose last man has the lowest digits.
    word: usize,
    /// In how many ways the other men can stand.
    rest: u64,
    /// In how many ways the men can stand if an en passant capture is possible between two pawns; 0 if it
    /// never is.
    passing: u64,
}

impl Chess {
    pub(crate) fn new(materials: &[Material]) -> Chess {
        let numberings = materials.iter().map(|material| Numbering::new(*material)).collect();
        Chess { numberings, kings: [false, true].map(Kings::new) }
    }

    fn kings(&self, numbering: &Numbering) -> &Kings {
        &self.kings[usize::from(numbering.pawns())]
    }

    /// How many runs there are of each kind: one for each placement of the kings and each side to move.
    fn half_runs(&self) -> u64 {
        2 * self.kings(&self.numberings[0]).placements.len() as u64
    }

    /// The number of a position, with colours exchanged or not.
    fn number(&self, numbering: &Numbering, board: &Board, flipped: bool) -> u64 {
        let color = |color: usize| COLORS[color ^ usize::from(flipped)];
        // The symmetry that leads to the numbered board: flips of files and ranks, and a reflection.
        let mut exchange = if flipped { 56 } else { 0 };
        let kings = COLORS.map(|own| board.king(color(own as usize)) as u8);
        if (kings[0] ^ exchange) & 7 > 3 {
            exchange ^= 7;
        }
        let mut reflect = false;
        if !numbering.pawns() {
            if (kings[0] ^ exchange) >> 3 > 3 {
                exchange ^= 56;
            }
            let side = |king: u8| ((king ^ exchange) >> 3).cmp(&((king ^ exchange) & 7));
            reflect = side(kings[0]).then(side(kings[1])).is_gt();
        }
        let brought = |square: u8| match square ^ exchange {
            square if reflect => square >> 3 | (square & 7) << 3,
            square => square,
        };
        let kings = self.kings(numbering).number(kings.map(brought));
        let turn = board.side_to_move() as u64 ^ u64::from(flipped);
        let men = |kind: usize| {
            let (own, role, count) = numbering.kinds[kind];
            let mut squares = [u8::MAX; 4];
            let there = board.colored_pieces(color(own), ROLES[role]);
            squares.iter_mut().zip(there).for_each(|(to, at)| *to = brought(at as u8));
            if count > 1 {
                squares[..count].sort_unstable();
            }
            squares
        };
        let block = kings * 2 + turn;
        if let Some((pushed, captor)) = passing(board) {
            let (pushed, captor) = pair(pushed, captor, exchange);
            let beside = u64::from(pushed & 7) * 2 + u64::from(captor > pushed) - 1;
            let mut others = 0;
            for kind in 0..numbering.kinds.len() {
                let squares = men(kind);
                let left = squares.iter().take(numbering.kinds[kind].2);
                for &square in left.filter(|&&square| square != pushed && square != captor) {
                    others = others * 64 + u64::from(square);
                }
            }
            let first = 2 * self.kings(numbering).placements.len() as u64 * numbering.rest * 64;
            return first + (block * 14 + beside) * numbering.passing + others;
        }
        let (mut others, mut stride, mut word) = (0, 1, 0);
        for (kind, &(_, role, count)) in numbering.kinds.iter().enumerate() {
            let squares = men(kind);
            let numbered = count - usize::from(kind == numbering.word);
            if kind == numbering.word {
                word = u64::from(squares[numbered]);
            }
            let lowest = if role == PAWN { 8 } else { 0 };
            let set = (1..).zip(&squares[..numbered]);
            let set: u64 = set.map(|(i, &square)| choose(u64::from(square - lowest), i)).sum();
            others += stride * set;
            stride *= choose(64 - 2 * u64::from(lowest), numbered as u64);
        }
        (block * numbering.rest + others) * 64 + word
    }

    /// Puts the men from index `from` on the board in every way, and visits each board.
    fn men(
        &self,
        men: &[(Piece, Color)],
        lowest: usize,
        board: &mut BoardBuilder,
        visit: &mut dyn FnMut(&mut BoardBuilder),
    ) {
        let Some((&(piece, color), left)) = men.split_first() else { return visit(board) };
        let squares = if piece == Piece::Pawn { lowest.max(8)..56 } else { lowest..64 };
        for square in squares {
            if board.board[square].is_none() {
                board.board[square] = Some((piece, color));
                // Equal men in any order are the same, so each stands behind the previous one.
                let like = left.first() == Some(&(piece, color));
                self.men(left, if like { square + 1 } else { 0 }, board, visit);
                board.board[square] = None;
            }
        }
    }
}

/// A position, and whether it has the material to prove.
pub(crate) struct Position {
    board: Board,
    home: bool,
}

impl Rules for Chess {
    type Position = Position;

    fn runs(&self) -> u64 {
        self.half_runs() * if self.numberings[0].passing > 0 { 2 } else { 1 }
    }

    fn run(&self, run: u64) -> Range<u64> {
        let Numbering { rest, passing, .. } = self.numberings[0];
        match run.checked_sub(self.half_runs()) {
            None => run * rest * 64..(run + 1) * rest * 64,
            Some(run) => {
                let first = self.half_runs() * rest * 64;
                first + run * 14 * passing..first + (run + 1) * 14 * passing
            }
        }
    }

    fn each(&self, run: u64, mut visit: impl FnMut(&Position)) {
        let mut visit = |board: Board| visit(&Position { board, home: true });
        let numbering = &self.numberings[0];
        let (pairs, number) = (run >= self.half_runs(), run % self.half_runs());
        let kings = self.kings(numbering).placements[number as usize / 2];
        let mut board = BoardBuilder::empty();
        board.side_to_move = COLORS[number as usize % 2];
        for (king, color) in kings.into_iter().zip(COLORS) {
            board.board[usize::from(king)] = Some((Piece::King, color));
        }
        let kinds = numbering.kinds.iter();
        let men: Vec<(Piece, Color)> = kinds
            .flat_map(|&(color, role, count)| vec![(ROLES[role], COLORS[color]); count])
            .collect();
        self.men(&men, 0, &mut board, &mut |board| match pairs {
            false => board.build().into_iter().for_each(&mut visit),
            true => each_passing(board, &mut visit),
        });
    }

    fn place(&self, Position { board, home }: &Position) -> Place {
        if *home {
            return Place::Table(0, self.number(&self.numberings[0], board, false));
        }
        let mut material =
            COLORS.map(|color| ROLES.map(|role| board.colored_pieces(color, role).len() as u8));
        let flipped = strength(&material[0]) < strength(&material[1]);
        if flipped {
            material.swap(0, 1);
        }
        if material == [[0; 5]; 2] {
            return Place::Known(DRAW);
        }
        let at = self.numberings.iter().position(|numbering| numbering.material == material);
        let at = at.expect("the tables that moves lead to are open");
        Place::Table(at, self.number(&self.numberings[at], board, flipped))
    }

    fn moves(&self, Position { board, home }: &Position, mut visit: impl FnMut(&Position)) {
        let men = board.occupied().len();
        board.generate_moves(|moves| {
            for chosen in moves {
                let mut board = board.clone();
                board.play_unchecked(chosen);
                let same = chosen.promotion.is_none() && board.occupied().len() == men;
                visit(&Position { board, home: *home && same });
            }
            false
        });
    }

    fn stuck(&self, position: &Position) -> Number {
        if position.board.checkers().is_empty() { DRAW } else { LOST }
    }

    fn sides(&self) -> Vec<Side> {
        Side::named(NAMES)
    }

    fn side_to_move(&self, position: &Position) -> usize {
        position.board.side_to_move() as usize
    }

    /// As many as there are symmetries, or half of them if one maps both kings to themselves: then positions
    /// with exchanged men have two numbers. Positions with an en passant capture are not counted.
    fn placements(&self, Position { board, .. }: &Position) -> Option<u64> {
        if board.en_passant().is_some() {
            return None;
        }
        let diagonal =
            |color| board.king(color).rank() as usize == board.king(color).file() as usize;
        Some(match (self.numberings[0].pawns(), COLORS.into_iter().all(diagonal)) {
            (true, _) => 2,
            (false, true) => 4,
            (false, false) => 8,
        })
    }

    fn said<'h>(&self, header: &'h Json, side: usize) -> (&'h Json, &'static str) {
        (&header["parameters"][NAMES[side]], "fen")
    }

    fn text(&self, Position { board, .. }: &Position) -> String {
        let mut shown = BoardBuilder::from_board(board);
        shown.en_passant = shown.en_passant.filter(|_| passing(board).is_some());
        (shown.halfmove_clock, shown.fullmove_number) = (0, 1);
        shown.build().map_or_else(|_| board.to_string(), |board| board.to_string())
    }
}

impl Numbering {
    fn new(material: Material) -> Numbering {
        let kinds = (0..10).map(|n| (n / 5, n % 5, usize::from(material[n / 5][n % 5])));
        let kinds: Vec<_> = kinds.filter(|(.., count)| *count > 0).collect();
        let alone = (0..kinds.len()).filter(|&kind| kinds[kind].2 == 1);
        let word = alone.min_by_key(|&kind| kinds[kind].1).unwrap_or(0);
        let ways = |(kind, &(_, role, count)): (usize, &(usize, usize, usize))| {
            let squares = if role == PAWN { 48 } else { 64 };
            choose(squares, (count - usize::from(kind == word)) as u64)
        };
        let rest = kinds.iter().enumerate().map(ways).product();
        let men: u8 = material.iter().flatten().sum();
        let both = material.iter().all(|men| men[PAWN] > 0);
        let passing = if both { 64u64.pow(u32::from(men) - 2) } else { 0 };
        Numbering { material, kinds, word, rest, passing }
    }

    fn pawns(&self) -> bool {
        self.material.iter().any(|men| men[PAWN] > 0)
    }
}

impl Kings {
    /// Without pawns the white king is in the triangle a1, d1, d4. If he is on the diagonal, the black king
    /// is on it or below. With pawns the white king is on the files a to d.
    fn new(pawns: bool) -> Kings {
        let mut kings = Kings { placements: Vec::new(), numbers: vec![u16::MAX; 64 * 64] };
        for (white, black) in (0..64 * 64).map(|pair: u16| ((pair / 64) as u8, (pair % 64) as u8)) {
            let [(wr, wf), (br, bf)] = [(white >> 3, white & 7), (black >> 3, black & 7)];
            let apart = wr.abs_diff(br) > 1 || wf.abs_diff(bf) > 1;
            let normal = wf < 4 && (pawns || (wr < wf || wr == wf && br <= bf));
            if apart && normal {
                kings.numbers[usize::from(white) * 64 + usize::from(black)] =
                    kings.placements.len() as u16;
                kings.placements.push([white, black]);
            }
        }
        kings
    }

    fn number(&self, [white, black]: [u8; 2]) -> u64 {
        self.numbers[usize::from(white) * 64 + usize::from(black)].into()
    }
}

/// The pawn that has just made a double step, and the pawns beside it that can capture it en passant, if any.
fn passing(board: &Board) -> Option<(Square, [Option<Square>; 2])> {
    let color = board.side_to_move();
    let pushed = Square::new(board.en_passant()?, Rank::Fourth.relative_to(!color));
    let beside = [-1, 1].map(|right| {
        let captor = pushed.try_offset(right, 0)?;
        board.colored_pieces(color, Piece::Pawn).has(captor).then_some(captor)
    });
    beside.iter().any(Option::is_some).then_some((pushed, beside))
}

/// The pushed pawn and the capturing pawn, on the numbered board. Of two capturing pawns, the one on the
/// lower file.
fn pair(pushed: Square, beside: [Option<Square>; 2], exchange: u8) -> (u8, u8) {
    let captors = beside.into_iter().flatten().map(|captor| captor as u8 ^ exchange);
    (pushed as u8 ^ exchange, captors.min().expect("one captures at least"))
}

/// Visits the positions that differ from a board by an en passant square: a pawn has just made a double step
/// past an enemy pawn.
fn each_passing(board: &mut BoardBuilder, visit: &mut dyn FnMut(Board)) {
    let (own, pushed) = (board.side_to_move, (Piece::Pawn, !board.side_to_move));
    let ranks = [Rank::Second, Rank::Third, Rank::Fourth].map(|rank| rank.relative_to(!own));
    for file in File::ALL {
        let [from, over, to] = ranks.map(|rank| Square::new(file, rank));
        let free = board.square(from).is_none() && board.square(over).is_none();
        if !free || board.square(to) != Some(pushed) {
            continue;
        }
        // Before the step, the position was legal with the other side to move.
        let mut before = board.clone();
        before.board.swap(from as usize, to as usize);
        before.side_to_move = !own;
        let mut after = board.clone();
        after.en_passant = Some(over);
        if let (Ok(_), Ok(after)) = (before.build(), after.build())
            && passing(&after).is_some()
        {
            visit(after);
        }
    }
}

/// How many subsets of `some` elements a set of `of` has.
fn choose(of: u64, some: u64) -> u64 {
    (0..some).fold(1, |ways, i| ways * of.saturating_sub(i) / (i + 1))
}
