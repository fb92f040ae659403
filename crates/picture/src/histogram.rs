//! How many states are won and lost at each distance: wins above the axis, losses below it.

use retrograde::{Level, Value};

use crate::svg::{Anchor, INK, Svg, fill, wrapped};
use crate::tint::Scale;

/// A histogram of distances.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// The title, one line.
    pub title: String,
    /// Further lines below it.
    pub notes: Vec<String>,
    /// How many states there are at each distance.
    pub levels: Vec<Level>,
    /// Whether heights are logarithms.
    pub logarithmic: bool,
}

/// A range of distances, taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// The first distance.
    pub first: u32,
    /// The last.
    pub last: u32,
    /// How many states are won at these distances.
    pub wins: u64,
    /// How many are lost.
    pub losses: u64,
}

const WIDTH: f64 = 760.0;
/// How high the bars of wins and of losses are together.
const TALL: f64 = 340.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 24.0;

/// The levels in at most `most` bins of equal width.
pub fn bins(levels: &[Level], most: usize) -> Vec<Bin> {
    let longest = levels.iter().map(|level| level.distance).max();
    let Some(longest) = longest else { return Vec::new() };
    let width = (u64::from(longest) + 1).div_ceil(most.max(1) as u64);
    let count = (u64::from(longest) + 1).div_ceil(width);
    let mut bins: Vec<Bin> = (0..count)
        .map(|bin| {
            let (first, last) = (bin * width, (bin + 1) * width - 1);
            Bin {
                first: first as u32,
                last: last.min(u64::from(longest)) as u32,
                wins: 0,
                losses: 0,
            }
        })
        .collect();
    for level in levels {
        let bin = &mut bins[(u64::from(level.distance) / width) as usize];
        bin.wins = bin.wins.saturating_add(level.wins);
        bin.losses = bin.losses.saturating_add(level.losses);
    }
    bins
}

impl Histogram {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let title = wrapped(&self.title, 16.0, WIDTH - 40.0);
        let notes: Vec<String> =
            self.notes.iter().flat_map(|note| wrapped(note, 12.0, WIDTH - 40.0)).collect();
        let top = 44.0 + title.len() as f64 * 22.0;
        let height = top + TALL + 74.0 + notes.len() as f64 * 17.0;
        let mut svg = Svg::new(WIDTH, height);
        let bold = format!("{} font-weight=\"bold\"", fill(INK));
        svg.texts((16.0, 30.0), 16.0, 22.0, &title, &bold);
        let bins = bins(&self.levels, 160);
        let wins = bins.iter().map(|bin| bin.wins).max().unwrap_or(0);
        let losses = bins.iter().map(|bin| bin.losses).max().unwrap_or(0);
        let size = |count: u64| match self.logarithmic {
            true => (count as f64 + 1.0).ln(),
            false => count as f64,
        };
        // One scale for both, and each side of the axis only as high as its highest bar.
        let unit = TALL / (size(wins) + size(losses)).max(0.5);
        let tall = |count: u64| size(count) * unit;
        let axis = top + tall(wins);
        let steps = self.steps(wins.max(losses).max(1));
        for &step in steps.iter().filter(|step| tall(**step) >= 14.0) {
            let sides = [(axis - tall(step), wins), (axis + tall(step), losses)];
            for (y, _) in sides.into_iter().filter(|(_, most)| step <= *most) {
                svg.line((LEFT, y), (WIDTH - RIGHT, y), "stroke=\"#dcdcdc\"");
                svg.text((LEFT - 8.0, y + 4.0), 11.0, Anchor::End, &short_count(step), &fill(INK));
            }
        }
        svg.text((LEFT - 8.0, axis + 4.0), 11.0, Anchor::End, "0", &fill(INK));
        let room = (WIDTH - RIGHT - LEFT) / bins.len().max(1) as f64;
        let bar = (room * 0.8).clamp(0.8, 44.0);
        let scale = Scale { longest: 100 };
        let (win, loss) = (scale.tint(Value::Win(25)), scale.tint(Value::Loss(55)));
        let mut strokes = String::new();
        for (number, bin) in bins.iter().enumerate() {
            let x = LEFT + (number as f64 + 0.5) * room - bar / 2.0;
            let (up, down) = (tall(bin.wins), tall(bin.losses));
            if bin.wins > 0 {
                svg.rect((x, axis - up.max(0.6)), (bar, up.max(0.6)), &fill(&win.hex()));
            }
            if bin.losses > 0 {
                svg.rect((x, axis), (bar, down.max(0.6)), &fill(&loss.hex()));
                hatch(&mut strokes, (x, axis), (bar, down));
            }
        }
        svg.path(
            &strokes,
            "stroke=\"#1b1b1b\" stroke-width=\"0.8\" stroke-opacity=\"0.7\" fill=\"none\"",
        );
        svg.line((LEFT, axis), (WIDTH - RIGHT, axis), "stroke=\"#1b1b1b\" stroke-width=\"1.2\"");
        // The distances, as many as have room.
        let floor = top + TALL;
        let every = (46.0 / room).ceil().max(1.0) as usize;
        for (number, bin) in bins.iter().enumerate().step_by(every) {
            let x = LEFT + (number as f64 + 0.5) * room;
            svg.line((x, floor + 4.0), (x, floor + 8.0), "stroke=\"#1b1b1b\"");
            svg.text((x, floor + 20.0), 11.0, Anchor::Middle, &bin.first.to_string(), &fill(INK));
        }
        let each = match bins.first() {
            Some(bin) if bin.last > bin.first => {
                format!("plies to the end, {} together", bin.last - bin.first + 1)
            }
            _ => "plies to the end".to_owned(),
        };
        svg.text((WIDTH - RIGHT, floor + 38.0), 12.0, Anchor::End, &each, &fill(INK));
        let unit = if self.logarithmic { "states, logarithmic" } else { "states" };
        svg.text((16.0, top - 16.0), 12.0, Anchor::Start, unit, &fill(INK));
        let key = floor + 26.0;
        svg.rect((LEFT, key), (18.0, 14.0), &fill(&win.hex()));
        svg.text(
            (LEFT + 24.0, key + 12.0),
            12.0,
            Anchor::Start,
            "won by the player to move",
            &fill(INK),
        );
        let second = LEFT + 190.0;
        svg.rect((second, key), (18.0, 14.0), &fill(&loss.hex()));
        let mut strokes = String::new();
        hatch(&mut strokes, (second, key), (18.0, 14.0));
        svg.path(
            &strokes,
            "stroke=\"#1b1b1b\" stroke-width=\"0.8\" stroke-opacity=\"0.7\" fill=\"none\"",
        );
        svg.text((second + 24.0, key + 12.0), 12.0, Anchor::Start, "lost", &fill(INK));
        svg.texts((16.0, floor + 66.0), 12.0, 17.0, &notes, &fill(INK));
        svg.finish()
    }

    /// The lines of the vertical axis.
    fn steps(&self, most: u64) -> Vec<u64> {
        if self.logarithmic {
            let decades = (0..20).map(|power| 10u64.saturating_pow(power));
            return decades.take_while(|step| *step <= most).collect();
        }
        let rough = (most as f64 / 4.0).max(1.0);
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|digit| digit * power)
            .find(|step| *step >= rough);
        let step = (step.unwrap_or(rough) as u64).max(1);
        (1..=4)
            .map(|number: u64| number.saturating_mul(step))
            .take_while(|at| *at < most.saturating_add(step))
            .collect()
    }
}

/// Strokes from the lower left to the upper right over a rectangle.
fn hatch(steps: &mut String, (x, y): (f64, f64), (width, height): (f64, f64)) {
    const GAP: f64 = 5.0;
    let mut at = GAP;
    while at < width + height {
        // The points where right plus down equals `at`.
        let (x0, y0) = if at <= height { (0.0, at) } else { (at - height, height) };
        let (x1, y1) = if at <= width { (at, 0.0) } else { (width, at - width) };
        steps.push_str(&format!("M{:.1} {:.1}L{:.1} {:.1}", x + x0, y + y0, x + x1, y + y1));
        at += GAP;
    }
}

/// `12 k`, `3.5 M`.
fn short_count(count: u64) -> String {
    for (unit, size) in [("G", 1_000_000_000u64), ("M", 1_000_000), ("k", 1_000)] {
        if count >= 10 * size || count >= size && count.is_multiple_of(size / 10) {
            let number = count as f64 / size as f64;
            return match count.is_multiple_of(size) {
                true => format!("{number:.0} {unit}"),
                false => format!("{number:.1} {unit}"),
            };
        }
    }
    count.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_every_state_once() {
        let levels = [(0, 5, 5), (1, 3, 0), (7, 0, 2), (1000, 1, 1)]
            .map(|(distance, wins, losses)| Level { distance, wins, losses });
        for most in [1, 2, 3, 7, 160, 2000] {
            let bins = bins(&levels, most);
            assert!(bins.len() <= most, "{most}");
            assert_eq!(bins.iter().map(|bin| bin.wins).sum::<u64>(), 9, "{most}");
            assert_eq!(bins.iter().map(|bin| bin.losses).sum::<u64>(), 8, "{most}");
            assert_eq!((bins[0].first, bins[bins.len() - 1].last), (0, 1000), "{most}");
        }
        assert_eq!(bins(&[], 5), []);
    }

    /// Half of the picture used to stay empty where there were few losses.
    #[test]
    fn bars_fill_the_height() {
        for logarithmic in [false, true] {
            for (wins, losses) in [(1000, 3), (3, 1000), (5, 0), (0, 5), (7, 7)] {
                let levels = vec![Level { distance: 1, wins, losses }];
                let of = Histogram { title: String::new(), notes: vec![], levels, logarithmic };
                let svg = of.svg();
                let bars = svg
                    .lines()
                    .filter(|line| line.starts_with("<rect x=") && !line.contains("width=\"18\""));
                let height = |line: &str| {
                    let text = line.split("height=\"").nth(1)?.split('"').next()?;
                    text.parse::<f64>().ok()
                };
                let sum: f64 = bars.filter_map(height).sum();
                assert!((sum - TALL).abs() < 2.0, "{wins} {losses}: {sum}\n{svg}");
            }
        }
    }

    /// Levels in another order used to panic, and so did sums beyond the largest number.
    #[test]
    fn levels_of_any_kind_are_drawn() {
        let levels =
            [(u32::MAX, u64::MAX, 1), (7, u64::MAX, u64::MAX), (7, 1, 0), (0, 0, u64::MAX)]
                .map(|(distance, wins, losses)| Level { distance, wins, losses });
        for most in [0, 1, 40] {
            let losses = bins(&levels, most).iter().map(|bin| bin.losses).max();
            assert_eq!(losses, Some(u64::MAX), "{most}");
        }
        assert!(crate::bars(&levels, true).lines().count() > 40);
        for logarithmic in [false, true] {
            let (title, notes, levels) = (String::new(), Vec::new(), levels.to_vec());
            assert!(Histogram { title, notes, levels, logarithmic }.svg().ends_with("</svg>\n"));
        }
    }
}
