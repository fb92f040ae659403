//! The meaning of the colours of a picture, with their unit.

use retrograde::Value;

use crate::svg::{Anchor, INK, Svg, fill, width_of};
use crate::tint::{Scale, sign};

/// The names of values in a picture.
#[derive(Clone, Debug)]
pub struct Legend {
    /// The name of a win for the player to move: `police win`.
    pub win: String,
    /// The name of a loss.
    pub loss: String,
    /// The longest distance in the picture; `None` if distances are not known.
    pub longest: Option<u32>,
    /// Whether the picture has wins, losses and draws.
    pub found: [bool; 3],
}

const SIZE: f64 = 12.0;
const ROW: f64 = 22.0;
const STEPS: u32 = 8;
const STEP: f64 = 18.0;

impl Legend {
    /// A legend with these names, for some values.
    pub fn of(
        win: String,
        loss: String,
        distances: bool,
        values: impl IntoIterator<Item = Value>,
    ) -> Legend {
        let (mut longest, mut found) = (0, [false; 3]);
        for value in values {
            let kind = match value {
                Value::Win(_) => 0,
                Value::Loss(_) => 1,
                Value::Draw => 2,
            };
            found[kind] = true;
            longest = longest.max(value.distance().unwrap_or(0));
        }
        Legend { win, loss, longest: distances.then_some(longest), found }
    }

    /// The colours that it explains.
    pub fn scale(&self) -> Scale {
        Scale { longest: self.longest.unwrap_or(0) }
    }

    /// Its width and height.
    pub(crate) fn size(&self) -> (f64, f64) {
        let rows = self.found.iter().filter(|found| **found).count();
        let ramp = if self.longest.is_some() { f64::from(STEPS) * STEP } else { STEP };
        let words = [&*self.win, &*self.loss, "draw"].map(|words| width_of(words, SIZE));
        let widest = words.into_iter().fold(0.0, f64::max);
        let axis = if self.longest.is_some() { ROW } else { 0.0 };
        (ramp + 10.0 + widest, rows as f64 * ROW + axis)
    }

    /// Draws it with its top left corner at the point. With `signs`, samples look like cells with signs;
    /// otherwise they are hatched.
    pub(crate) fn draw(&self, svg: &mut Svg, (x, y): (f64, f64), signs: bool) {
        let scale = self.scale();
        let steps = if self.longest.is_some() { STEPS } else { 1 };
        let distance = |step: u32| match self.longest {
            Some(longest) => (u64::from(longest) * u64::from(step) / u64::from(STEPS - 1)) as u32,
            None => 0,
        };
        let mut top = y;
        for (kind, words) in [&self.win, &self.loss].into_iter().enumerate() {
            if !self.found[kind] {
                continue;
            }
            let value =
                |distance| if kind == 0 { Value::Win(distance) } else { Value::Loss(distance) };
            for step in 0..steps {
                let at = (x + f64::from(step) * STEP, top);
                swatch(svg, at, scale, value(distance(step)), signs);
            }
            let right = x + f64::from(steps) * STEP + 10.0;
            svg.text((right, top + 12.0), SIZE, Anchor::Start, words, &fill(INK));
            top += ROW;
        }
        if self.longest.is_some() && (self.found[0] || self.found[1]) {
            let last = distance(STEPS - 1);
            svg.text((x, top + 9.0), 10.0, Anchor::Start, "0", &fill(INK));
            let end = (x + f64::from(STEPS) * STEP, top + 9.0);
            svg.text(
                end,
                10.0,
                Anchor::End,
                &format!("{last} {}", if last == 1 { "ply" } else { "plies" }),
                &fill(INK),
            );
            top += ROW;
        }
        if self.found[2] {
            swatch(svg, (x, top), scale, Value::Draw, signs);
            svg.text((x + STEP + 10.0, top + 12.0), SIZE, Anchor::Start, "draw", &fill(INK));
        }
    }
}

fn swatch(svg: &mut Svg, (x, y): (f64, f64), scale: Scale, value: Value, signs: bool) {
    let tint = scale.tint(value);
    svg.rect((x, y), (STEP, 15.0), &fill(&tint.hex()));
    if signs {
        let at = (x + STEP / 2.0, y + 12.0);
        svg.text(at, 12.0, Anchor::Middle, &sign(value).to_string(), &fill(tint.ink()));
        return;
    }
    match value {
        Value::Win(_) => {}
        Value::Loss(_) => {
            for line in 0..2 {
                let left = x + f64::from(line) * STEP / 2.0;
                let look = format!("stroke=\"{}\" stroke-width=\"1\"", tint.ink());
                svg.line((left, y + 15.0), (left + STEP / 2.0, y), &look);
            }
        }
        Value::Draw => svg.circle((x + STEP / 2.0, y + 7.5), 2.0, &fill(tint.ink())),
    }
}
