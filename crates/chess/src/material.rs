//! Materials: the pieces on the board, which are also the regions of chess.
//!
//! White is always the stronger side. The stronger side has more men. If both have the same number, compare
//! their men from the strongest on: the first stronger man decides. So a material and the same material with
//! exchanged colours are one region: `KRvKQ` is `KQvKR`.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::piece::{Color, Piece, Role, Square};

/// The most pieces of a position or a material, including kings.
pub const PIECES_MAX: u32 = 6;

/// The same, to index men. Each man has a slot, in the order of [`Material::slots`].
pub(crate) const SLOTS: usize = PIECES_MAX as usize;

/// The squares of the men, slot by slot.
pub(crate) type Squares = [Square; SLOTS];

/// The pieces of both sides, such as `KQvKR`. At least one of them is not a king.
///
/// Materials have the order in which a build solves them. A material never needs a greater one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Material {
    /// How many of each of [`Role::MEN`], for white and for black.
    men: [[u8; 5]; 2],
}

impl Material {
    /// The material of these pieces, and whether colours had to be exchanged to make white the stronger side.
    /// `None` for two bare kings, which are always a draw and have no region. There must be one king of each
    /// colour and at most [`PIECES_MAX`] pieces.
    pub fn of(pieces: impl IntoIterator<Item = Piece>) -> Option<(Material, bool)> {
        let mut men = [[0; 5]; 2];
        for piece in pieces.into_iter().filter(|piece| piece.role != Role::King) {
            men[piece.color as usize][piece.role as usize - 1] += 1;
        }
        Material::of_men(men)
    }

    fn of_men(mut men: [[u8; 5]; 2]) -> Option<(Material, bool)> {
        let flipped = strength(&men[0]) < strength(&men[1]);
        if flipped {
            men.swap(0, 1);
        }
        (men[0] != [0; 5]).then_some((Material { men }, flipped))
    }

    /// How many pieces there are, including kings.
    pub fn pieces(self) -> u32 {
        2 + self.men.iter().flatten().map(|&count| u32::from(count)).sum::<u32>()
    }

    /// How many of one role a side has.
    pub fn count(self, color: Color, role: Role) -> u32 {
        match role {
            Role::King => 1,
            _ => u32::from(self.men[color as usize][role as usize - 1]),
        }
    }

    /// How many pawns there are, of both sides.
    pub fn pawns(self) -> u32 {
        self.count(Color::White, Role::Pawn) + self.count(Color::Black, Role::Pawn)
    }

    /// Whether an en passant capture is possible.
    pub fn has_en_passant(self) -> bool {
        [Color::White, Color::Black].iter().all(|&color| self.count(color, Role::Pawn) > 0)
    }

    /// The pieces in the order in which positions store them: the white king, the black king, white's men
    /// from the strongest to the weakest, then black's.
    pub fn slots(self) -> impl Iterator<Item = Piece> {
        let kings = [Color::White, Color::Black].map(|color| Piece { color, role: Role::King });
        let men = [Color::White, Color::Black].into_iter().flat_map(move |color| {
            Role::MEN.into_iter().flat_map(move |role| {
                (0..self.count(color, role)).map(move |_| Piece { color, role })
            })
        });
        kings.into_iter().chain(men)
    }

    /// The materials that one capture, one promotion, or both at once lead to, in order of solving, without
    /// two bare kings.
    pub fn needs(self) -> Vec<Material> {
        let mut found = BTreeSet::new();
        for to_move in [0, 1] {
            for captured in std::iter::once(None).chain((0..5).map(Some)) {
                for promoted in std::iter::once(None).chain((0..4).map(Some)) {
                    if let Some(men) = self.men_after(to_move, captured, promoted) {
                        found.extend(Material::of_men(men).map(|(material, _)| material));
                    }
                }
            }
        }
        found.into_iter().collect()
    }

    /// The men after `to_move` has captured a man and promoted a pawn.
    fn men_after(
        self,
        to_move: usize,
        captured: Option<usize>,
        promoted: Option<usize>,
    ) -> Option<[[u8; 5]; 2]> {
        if captured.is_none() && promoted.is_none() {
            return None;
        }
        let mut men = self.men;
        if let Some(role) = captured {
            men[1 - to_move][role] = men[1 - to_move][role].checked_sub(1)?;
        }
        if let Some(role) = promoted {
            men[to_move][4] = men[to_move][4].checked_sub(1)?;
            men[to_move][role] += 1;
        }
        Some(men)
    }

    /// Every material of `pieces` pieces, including kings, in the order of solving.
    pub fn all(pieces: u32) -> Vec<Material> {
        assert!((3..=PIECES_MAX).contains(&pieces), "materials have 3 to {PIECES_MAX} pieces");
        let mut found = BTreeSet::new();
        let mut men = [[0; 5]; 2];
        fill(&mut men, 0, pieces - 2, &mut found);
        found.into_iter().collect()
    }

    /// The key of the order of solving: captures leave fewer pieces, promotions fewer pawns.
    fn order(&self) -> impl Ord + use<> {
        (self.pieces(), self.pawns(), Reverse(self.men[0]), Reverse(self.men[1]))
    }
}

/// Distributes `left` men over the kinds from `kind` on, in every way.
fn fill(men: &mut [[u8; 5]; 2], kind: usize, left: u32, found: &mut BTreeSet<Material>) {
    if left == 0 {
        found.extend(Material::of_men(*men).map(|(material, _)| material));
    } else if kind < 10 {
        for count in 0..=left {
            men[kind / 5][kind % 5] = count as u8;
            fill(men, kind + 1, left - count, found);
        }
        men[kind / 5][kind % 5] = 0;
    }
}

/// The key that orders sides by strength.
fn strength(men: &[u8; 5]) -> impl Ord + use<> {
    (men.iter().sum::<u8>(), *men)
}

impl Ord for Material {
    fn cmp(&self, other: &Material) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for Material {
    fn partial_cmp(&self, other: &Material) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (color, king) in [(Color::White, "K"), (Color::Black, "vK")] {
            f.write_str(king)?;
            for piece in self.slots().skip(2).filter(|piece| piece.color == color) {
                write!(f, "{}", piece.role.letter())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let malformed = || MaterialError::Malformed(text.to_owned());
        let (white, black) = text.split_once('v').ok_or_else(malformed)?;
        let mut pieces = Vec::new();
        for (color, side) in [(Color::White, white), (Color::Black, black)] {
            let men = side.strip_prefix('K').ok_or_else(malformed)?;
            for letter in men.chars() {
                let role = Role::from_letter(letter).filter(|&role| role != Role::King);
                pieces.push(Piece { color, role: role.ok_or_else(malformed)? });
            }
        }
        if pieces.len() + 2 > PIECES_MAX as usize {
            return Err(MaterialError::TooMany(text.to_owned(), pieces.len() + 2));
        }
        let (material, _) = Material::of(pieces).ok_or(MaterialError::BareKings)?;
        Ok(material)
    }
}

/// Why a text is not a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MaterialError {
    /// Not of the form `KQvKR`.
    Malformed(String),
    /// It has too many pieces.
    TooMany(String, usize),
    /// It has only the kings.
    BareKings,
}

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaterialError::Malformed(text) => {
                match meant(text).or_else(|| meant_with_kings(text)) {
                    Some(material) => {
                        write!(f, "`{text}` is not a material; did you mean {material}?")
                    }
                    None => write!(
                        f,
                        "`{text}` is no material: write both sides with a `v` between them, each a K and \
                     then any of Q, R, B, N, P, such as KQvKR"
                    ),
                }
            }
            MaterialError::TooMany(text, pieces) => {
                write!(f, "`{text}` has {pieces} pieces; at most {PIECES_MAX} are supported")
            }
            MaterialError::BareKings => {
                f.write_str("KvK needs no table: two bare kings are always a draw")
            }
        }
    }
}

impl std::error::Error for MaterialError {}

/// The material that a text probably means, if only case, order or the separator is wrong: `kqkr`, `KQ-KR`,
/// `krvkq`.
fn meant(text: &str) -> Option<Material> {
    let plain: String = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let plain = plain.to_ascii_uppercase().replace('V', "");
    let mut sides = plain.split('K').skip(1);
    let [white, black] = [sides.next()?, sides.next()?];
    let text = format!("K{white}vK{black}");
    text.parse().ok().filter(|_| plain.starts_with('K') && sides.next().is_none())
}

/// The same if a king is missing: `KQvQ`, `QvR`.
fn meant_with_kings(text: &str) -> Option<Material> {
    let text = text.to_ascii_uppercase();
    let (white, black) =
        text.split_once(|letter: char| letter == 'V' || !letter.is_alphanumeric())?;
    let [white, black] = [white, black].map(|side| side.strip_prefix('K').unwrap_or(side));
    format!("K{white}vK{black}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(text: &str) -> Material {
        text.parse().unwrap()
    }

    #[test]
    fn the_stronger_side_is_white() {
        for (text, named) in [
            ("KQvKR", "KQvKR"),
            ("KRvKQ", "KQvKR"),
            ("KvKP", "KPvK"),
            ("KPvKNN", "KNNvKP"),
            ("KNBvK", "KBNvK"),
            ("KRvKRB", "KRBvKR"),
            ("KPPvKP", "KPPvKP"),
            ("KQPvKRR", "KQPvKRR"),
        ] {
            assert_eq!(material(text).to_string(), named);
        }
    }

    #[test]
    fn what_is_no_material_is_refused() {
        for text in ["", "KQKR", "QvK", "KQvR", "KQvKKR", "KqvK", "KQvKRv", "KXvK"] {
            assert_eq!(text.parse::<Material>(), Err(MaterialError::Malformed(text.into())));
        }
        assert_eq!("KvK".parse::<Material>(), Err(MaterialError::BareKings));
        assert_eq!(
            "KQQQvKQQ".parse::<Material>(),
            Err(MaterialError::TooMany("KQQQvKQQ".into(), 7))
        );
    }

    #[test]
    fn what_was_meant_is_suggested() {
        for (text, meant) in [
            ("kqvkr", Some("KQvKR")),
            ("KQKR", Some("KQvKR")),
            ("krkq", Some("KQvKR")),
            ("KQ-KR", Some("KQvKR")),
            ("KQVK", Some("KQvK")),
            ("kpp_kp", Some("KPPvKP")),
            ("KQR", None),
            ("QKvK", None),
            ("KQvKvK", None),
            ("KXvK", None),
            ("kvk", None),
            ("kqqqqqk", None),
            ("", None),
            ("\u{17f}\u{212a}", None),
        ] {
            let said = text.parse::<Material>().unwrap_err().to_string();
            match meant {
                Some(meant) => assert!(said.ends_with(&format!("did you mean {meant}?")), "{said}"),
                None => assert!(!said.contains("did you mean"), "{said}"),
            }
        }
    }

    /// There are 5 kinds of men. Two sides choose a and b men, with repetition. If a = b, a pair of sides and
    /// the exchanged pair count once.
    #[test]
    fn there_are_as_many_materials_as_combinations() {
        assert_eq!(Material::all(3).len(), 5);
        assert_eq!(Material::all(4).len(), 15 + 15);
        assert_eq!(Material::all(5).len(), 35 + 15 * 5);
        assert_eq!(Material::all(6).len(), 70 + 35 * 5 + 120);
    }

    #[test]
    fn captures_and_promotions_lead_to_smaller_materials_only() {
        for pieces in 3..=PIECES_MAX {
            for whole in Material::all(pieces) {
                assert_eq!(whole.to_string().parse(), Ok(whole));
                assert!(whole.needs().iter().all(|&part| part < whole), "{whole}");
            }
        }
        let names =
            |text| material(text).needs().iter().map(Material::to_string).collect::<Vec<_>>();
        assert_eq!(names("KQvK"), [""; 0]);
        assert_eq!(names("KPvK"), ["KQvK", "KRvK", "KBvK", "KNvK"]);
        assert_eq!(names("KQvKR"), ["KQvK", "KRvK"]);
        assert_eq!(
            names("KPvKP"),
            ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQvKP", "KRvKP", "KBvKP", "KNvKP"]
        );
    }
}
