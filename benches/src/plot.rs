//! A plot of two quantities on logarithmic axes, as SVG: the ladder's times against its states.

use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 64.0;

/// One point, with its name.
#[derive(Clone, Debug)]
pub struct Point {
    /// Along the horizontal axis; positive.
    pub x: f64,
    /// Along the vertical axis; positive.
    pub y: f64,
    /// Written beside the point.
    pub name: String,
}

/// Draws points joined by lines. The dashed line through the first point is what linear growth would be.
pub fn svg(title: &str, x_title: &str, y_title: &str, points: &[Point]) -> String {
    let x_axis = Axis::new(points.iter().map(|point| point.x), MARGIN, WIDTH - MARGIN);
    let y_axis = Axis::new(points.iter().map(|point| point.y), HEIGHT - MARGIN, MARGIN);
    let mut drawn = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    text(&mut drawn, (WIDTH / 2.0, 28.0), "middle", title);
    text(&mut drawn, (WIDTH / 2.0, HEIGHT - 16.0), "middle", x_title);
    text(&mut drawn, (12.0, MARGIN - 20.0), "start", y_title);
    for decade in x_axis.decades() {
        let x = x_axis.place(10f64.powi(decade));
        line(&mut drawn, (x, MARGIN), (x, HEIGHT - MARGIN), "#ddd");
        text(&mut drawn, (x, HEIGHT - MARGIN + 18.0), "middle", &power(decade));
    }
    for decade in y_axis.decades() {
        let y = y_axis.place(10f64.powi(decade));
        line(&mut drawn, (MARGIN, y), (WIDTH - MARGIN, y), "#ddd");
        text(&mut drawn, (MARGIN - 8.0, y + 4.0), "end", &power(decade));
    }
    if let [first, .., last] = points {
        let linear = first.y * last.x / first.x;
        let at = |x: f64, y: f64| (x_axis.place(x), y_axis.place(y));
        line(&mut drawn, at(first.x, first.y), at(last.x, linear), "#999\" stroke-dasharray=\"5 4");
    }
    for pair in points.windows(2) {
        let ends = [&pair[0], &pair[1]].map(|point| (x_axis.place(point.x), y_axis.place(point.y)));
        line(&mut drawn, ends[0], ends[1], "#1a5fb4\" stroke-width=\"2");
    }
    for point in points {
        let (x, y) = (x_axis.place(point.x), y_axis.place(point.y));
        let _ = writeln!(drawn, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#1a5fb4\"/>");
        text(&mut drawn, (x - 8.0, y - 8.0), "end", &point.name);
    }
    drawn.push_str("</svg>\n");
    drawn
}

/// A logarithmic axis over whole decades.
struct Axis {
    decade_min: i32,
    decade_max: i32,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Axis {
        let least = values.clone().fold(f64::MAX, f64::min).log10().floor() as i32;
        let greatest = values.fold(f64::MIN_POSITIVE, f64::max).log10().ceil() as i32;
        Axis { decade_min: least, decade_max: greatest.max(least + 1), from, to }
    }

    fn decades(&self) -> std::ops::RangeInclusive<i32> {
        self.decade_min..=self.decade_max
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.decade_min))
            / f64::from(self.decade_max - self.decade_min);
        self.from + (self.to - self.from) * share
    }
}

fn line(drawn: &mut String, from: (f64, f64), to: (f64, f64), stroke: &str) {
    let _ = writeln!(
        drawn,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{stroke}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(drawn: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let _ =
        writeln!(drawn, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>");
}

fn power(decade: i32) -> String {
    match decade {
        -3..=3 => format!("{}", 10f64.powi(decade)),
        _ => format!("10<tspan dy=\"-5\" font-size=\"9\">{decade}</tspan>"),
    }
}
