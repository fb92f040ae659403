//! Colours that also work for colour-blind readers and for grey printers: blue for a win, orange for a loss,
//! grey for a draw. Lightness alone shows the distance: nearer is darker. A sign or hatching tells a loss
//! from a win where both are equally light.

use retrograde::{Outcome, Value};

/// A colour of the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tint {
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// How light it looks, from 0 to 1.
    pub lightness: f64,
}

/// The colours of values up to a distance.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// The longest distance.
    pub longest: u32,
}

const DARKEST: f64 = 0.45;
const LIGHTEST: f64 = 0.94;

impl Scale {
    /// The colour of a value.
    pub fn tint(self, value: Value) -> Tint {
        let share = |distance: u32| f64::from(distance) / f64::from(self.longest.max(1));
        let lightness = |distance| DARKEST + (LIGHTEST - DARKEST) * share(distance).min(1.0);
        match value {
            Value::Win(distance) => tint(lightness(distance), 0.13, 255.0),
            Value::Loss(distance) => tint(lightness(distance), 0.13, 62.0),
            Value::Draw => tint(0.86, 0.0, 0.0),
        }
    }
}

impl Tint {
    /// The colour in SVG syntax.
    pub fn hex(self) -> String {
        let [red, green, blue] = self.rgb;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// A text colour that is readable on it.
    pub fn ink(self) -> &'static str {
        if self.lightness < 0.66 { "#ffffff" } else { "#1b1b1b" }
    }

    /// The nearest of the 216 colours in the colour cube of terminals.
    pub fn cube(self) -> u8 {
        let step = |channel: u8| match channel {
            0..=47 => 0,
            48..=114 => 1,
            channel => (channel - 35) / 40,
        };
        let [red, green, blue] = self.rgb.map(step);
        16 + 36 * red + 6 * green + blue
    }
}

/// `+`, `−` or `=`: a value without colour.
pub fn sign(value: Value) -> char {
    match value.outcome() {
        Outcome::Win => '+',
        Outcome::Loss => '−',
        Outcome::Draw => '=',
    }
}

/// A value without colour: `+12`, or `+` without distances.
pub(crate) fn words(value: Value, distances: bool) -> String {
    let distance = value.distance().filter(|_| distances);
    format!("{}{}", sign(value), distance.map_or(String::new(), |distance| distance.to_string()))
}

/// The colour of this lightness and hue in OKLCH (Ottosson 2020), with as much chroma as exists, up to
/// `chroma`.
fn tint(lightness: f64, chroma: f64, hue: f64) -> Tint {
    let mut chroma = chroma;
    loop {
        let linear = linear(lightness, chroma, hue);
        if chroma <= 0.0 || linear.iter().all(|channel| (-0.0005..=1.0005).contains(channel)) {
            let rgb =
                linear.map(|channel| (encoded(channel.clamp(0.0, 1.0)) * 255.0).round() as u8);
            return Tint { rgb, lightness };
        }
        chroma -= 0.005;
    }
}

/// Light of red, green and blue.
fn linear(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    let (sine, cosine) = hue.to_radians().sin_cos();
    let (a, b) = (chroma * cosine, chroma * sine);
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
    ]
}

fn encoded(light: f64) -> f64 {
    if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a grey printer prints a colour.
    fn grey(tint: Tint) -> f64 {
        let [red, green, blue] = tint.rgb.map(f64::from);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    #[test]
    fn grey_keeps_the_order_of_distances() {
        for longest in [5, 40, 200] {
            let scale = Scale { longest };
            for kind in [Value::Win, Value::Loss] {
                let grey = |distance| grey(scale.tint(kind(distance)));
                for distance in 1..=longest {
                    // Channels are whole numbers, so the finest steps may be off by one in 256.
                    assert!(grey(distance - 1) <= grey(distance) + 1.0, "{distance} of {longest}");
                }
                let tenth = (longest / 10).max(1);
                for distance in tenth..=longest {
                    assert!(
                        grey(distance - tenth) + 5.0 < grey(distance),
                        "{distance} of {longest}"
                    );
                }
            }
            // Equal distances are about equally dark, so hatching must tell wins from losses, and it does.
            let [win, loss] =
                [Value::Win, Value::Loss].map(|kind| grey(scale.tint(kind(longest / 2))));
            assert!((win - loss).abs() < 40.0, "{win} {loss}");
        }
    }

    /// Blue and orange also differ for readers who do not see red or green: in the blue that both of them
    /// see.
    #[test]
    fn colours_differ_in_blue() {
        let scale = Scale { longest: 10 };
        for distance in 0..=8 {
            let [win, loss] = [Value::Win, Value::Loss].map(|kind| scale.tint(kind(distance)).rgb);
            assert!(win[2] > loss[2] + 40, "{distance}: {win:?} {loss:?}");
        }
    }
}
