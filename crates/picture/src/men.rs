//! The men on a board: a letter in a disc, or a chess piece. Pieces are drawn as shapes, so no font is
//! needed.

use retrograde_positions::Man;

use crate::svg::{Anchor, Svg, fill};

/// How far a man reaches from the middle of a square of that size.
pub(crate) fn radius_of(kind: &str, side: f64) -> f64 {
    match outline(kind) {
        None => (side * 0.36).clamp(7.0, 17.0),
        Some(_) => side * 0.42,
    }
}

/// Draws a man in the middle of a square of that size. The men of no player are yellow.
pub(crate) fn draw_man(svg: &mut Svg, man: &Man, light: bool, (x, y): (f64, f64), side: f64) {
    let Some(outline) = outline(man.kind) else {
        let radius = radius_of(man.kind, side);
        let (ground, ink) = match (man.player, light) {
            (None, _) => ("#d8b13c", "#000000"),
            (_, true) => ("#ffffff", "#000000"),
            (_, false) => ("#0b2545", "#ffffff"),
        };
        let edge = if ink == "#000000" { "#000000" } else { "#ffffff" };
        let look = format!("{} stroke=\"{edge}\" stroke-width=\"1.6\"", fill(ground));
        svg.circle((x, y), radius, &look);
        let size = radius * 1.25;
        let look = format!("{} font-weight=\"bold\"", fill(ink));
        svg.text((x, y + size * 0.36), size, Anchor::Middle, &man.sign.to_string(), &look);
        return;
    };
    let light = light || man.player.is_none();
    let (ground, edge) = if light { ("#ffffff", "#000000") } else { ("#1b1b1b", "#ffffff") };
    let scale = side / 100.0;
    let moved = format!(
        "transform=\"translate({:.1} {:.1}) scale({scale:.3})\"",
        x - side / 2.0,
        y - side / 2.0
    );
    // A dark piece has a light rim, so that each part of it stands out from dark squares, too.
    let outer = if light { "#000000" } else { "#ffffff" };
    let width = if light { 4.0 } else { 2.5 };
    let body = format!(
        "{moved} {} stroke=\"{outer}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"",
        fill(ground)
    );
    svg.path(outline, &body);
    let lines = format!(
        "{moved} fill=\"none\" stroke=\"{edge}\" stroke-width=\"3.5\" stroke-linecap=\"round\""
    );
    svg.path(details(man.kind), &lines);
}

/// The outline of a piece of chess in a square of 100.
fn outline(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "king" => {
            "M26 86V76C22 68 14 62 14 50C14 40 24 35 33 38C40 40 44 44 46 48V30H38V22H46V13H54V22H62V30H54V48C56 44 \
             60 40 67 38C76 35 86 40 86 50C86 62 78 68 74 76V86Z"
        }
        "queen" => "M26 86V76L12 34L29 54L30 24L43 50L50 18L57 50L70 24L71 54L88 34L74 76V86Z",
        "rook" => "M24 86V76H30L34 44H26V20H37V29H45V20H55V29H63V20H74V44H66L70 76H76V86Z",
        "bishop" => {
            "M24 86V77H38C40 72 40 70 39 66C30 61 27 53 30 45C33 36 42 29 46 23A6 6 0 1 1 54 23C58 29 67 36 70 45C73 \
             53 70 61 61 66C60 70 60 72 62 77H76V86Z"
        }
        "knight" => {
            "M28 86C28 70 46 62 47 50L34 56L24 64L15 57L26 36L32 25L30 13L41 21C62 20 76 36 77 62L78 86Z"
        }
        "pawn" => {
            "M27 86V78C27 68 41 64 43 50H36V43H41A15 15 0 1 1 59 43H64V50H57C59 64 73 68 73 78V86Z"
        }
        _ => return None,
    })
}

/// The lines inside the outline.
fn details(kind: &str) -> &'static str {
    match kind {
        "king" | "queen" => "M32 76H68",
        "rook" => "M36 44H64M33 76H67",
        "bishop" => "M42 77H58M41 66H59M50 38V54M43 46H57",
        "knight" => "M36 35L38 36M68 50C70 58 70 66 70 74",
        _ => "M43 50H57M36 78H64",
    }
}
