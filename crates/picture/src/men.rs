//! The men on a board: a letter in a disc, or a chess piece. Pieces are drawn as shapes, so no font is
//! needed.

use crate::legend::fill;
use crate::svg::{Anchor, Svg};

/// The look of a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A letter in a disc: dark for the first side, light for the second.
    Disc {
        /// The letter.
        letter: char,
        /// Whether he belongs to the second side.
        light: bool,
    },
    /// A piece of chess.
    Piece {
        /// Its letter in English, upper case.
        role: char,
        /// Whether it is white.
        white: bool,
    },
}

/// How far a man reaches from the middle of a cell of that size.
pub(crate) fn radius_of(figure: Figure, side: f64) -> f64 {
    match figure {
        Figure::Disc { .. } => (side * 0.36).clamp(7.0, 17.0),
        Figure::Piece { .. } => side * 0.42,
    }
}

/// Draws a man in the middle of a cell of that size.
pub(crate) fn draw_figure(svg: &mut Svg, figure: Figure, (x, y): (f64, f64), side: f64) {
    match figure {
        Figure::Disc { letter, light } => {
            let radius = radius_of(figure, side);
            let (ground, ink) = if light { ("#ffffff", "#000000") } else { ("#0b2545", "#ffffff") };
            let edge = if light { "#000000" } else { "#ffffff" };
            let look = format!("{} stroke=\"{edge}\" stroke-width=\"1.6\"", fill(ground));
            svg.circle((x, y), radius, &look);
            let size = radius * 1.25;
            let look = format!("{} font-weight=\"bold\"", fill(ink));
            svg.text((x, y + size * 0.36), size, Anchor::Middle, &letter.to_string(), &look);
        }
        Figure::Piece { role, white } => {
            let (ground, edge) =
                if white { ("#ffffff", "#000000") } else { ("#1b1b1b", "#ffffff") };
            let scale = side / 100.0;
            let moved = format!(
                "transform=\"translate({:.1} {:.1}) scale({scale:.3})\"",
                x - side / 2.0,
                y - side / 2.0
            );
            let outer = if white { "#000000" } else { "#1b1b1b" };
            let body = format!(
                "{moved} {} stroke=\"{outer}\" stroke-width=\"4\" stroke-linejoin=\"round\"",
                fill(ground)
            );
            svg.path(outline(role), &body);
            let lines = format!(
                "{moved} fill=\"none\" stroke=\"{edge}\" stroke-width=\"3.5\" stroke-linecap=\"round\""
            );
            svg.path(details(role), &lines);
        }
    }
}

/// The outline of a piece in a square of 100.
fn outline(role: char) -> &'static str {
    match role {
        'K' => {
            "M26 86V76C22 68 14 62 14 50C14 40 24 35 33 38C40 40 44 44 46 48V30H38V22H46V13H54V22H62V30H54V48C56 44 \
             60 40 67 38C76 35 86 40 86 50C86 62 78 68 74 76V86Z"
        }
        'Q' => "M26 86V76L12 34L29 54L30 24L43 50L50 18L57 50L70 24L71 54L88 34L74 76V86Z",
        'R' => "M24 86V76H30L34 44H26V20H37V29H45V20H55V29H63V20H74V44H66L70 76H76V86Z",
        'B' => {
            "M24 86V77H38C40 72 40 70 39 66C30 61 27 53 30 45C33 36 42 29 46 23A6 6 0 1 1 54 23C58 29 67 36 70 45C73 \
             53 70 61 61 66C60 70 60 72 62 77H76V86Z"
        }
        'N' => {
            "M28 86C28 70 46 62 47 50L34 56L24 64L15 57L26 36L32 25L30 13L41 21C62 20 76 36 77 62L78 86Z"
        }
        _ => {
            "M27 86V78C27 68 41 64 43 50H36V43H41A15 15 0 1 1 59 43H64V50H57C59 64 73 68 73 78V86Z"
        }
    }
}

/// The lines inside the outline.
fn details(role: char) -> &'static str {
    match role {
        'K' | 'Q' => "M32 76H68",
        'R' => "M36 44H64M33 76H67",
        'B' => "M42 77H58M41 66H59M50 38V54M43 46H57",
        'N' => "M36 35L38 36M68 50C70 58 70 66 70 74",
        _ => "M43 50H57M36 78H64",
    }
}
