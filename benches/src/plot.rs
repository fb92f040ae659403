//! A plot of two quantities on logarithmic axes, such as seconds against states.

use retrograde_picture::svg::{Anchor, INK, Svg, fill, short, width_of, wrapped};

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The title, one line.
    pub title: String,
    /// What the horizontal axis shows, with its unit.
    pub across: String,
    /// What the vertical axis shows, with its unit.
    pub up: String,
    /// The series to compare.
    pub series: Vec<Series>,
    /// Further lines below it.
    pub notes: Vec<String>,
}

/// The points of one series.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<Point>,
}

/// A point with its name.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its place along the horizontal axis; positive.
    pub x: f64,
    /// Its place along the vertical axis; positive.
    pub y: f64,
    /// The text beside the point.
    pub name: String,
}

const WIDTH: f64 = 700.0;
const PLOT: f64 = 330.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 34.0;

/// Series differ in colour, in lightness and in their marks.
const LOOKS: [(&str, &str, Mark); 4] = [
    ("#0b5394", "", Mark::Disc),
    ("#d97a1f", "6 4", Mark::Square),
    ("#1b1b1b", "2 3", Mark::Ring),
    ("#7a7a7a", "9 3 2 3", Mark::Cross),
];

#[derive(Clone, Copy)]
enum Mark {
    Disc,
    Square,
    Ring,
    Cross,
}

impl Plot {
    /// The picture as SVG. A thin dashed line through each first point shows linear growth.
    pub fn svg(&self) -> String {
        let title = wrapped(&self.title, 16.0, WIDTH - 40.0);
        let mut notes = vec!["thin dashed line: in proportion to the first point".to_owned()];
        notes.extend(self.notes.iter().flat_map(|note| wrapped(note, 12.0, WIDTH - 40.0)));
        let top = 44.0 + title.len() as f64 * 22.0;
        let floor = top + PLOT;
        let key = floor + 54.0;
        let height = key + self.series.len() as f64 * 20.0 + notes.len() as f64 * 17.0 + 20.0;
        let mut svg = Svg::new(WIDTH, height);
        for (line, words) in title.iter().enumerate() {
            let look = format!("{} font-weight=\"bold\"", fill(INK));
            svg.text((16.0, 30.0 + line as f64 * 22.0), 16.0, Anchor::Start, words, &look);
        }
        let points = || self.series.iter().flat_map(|series| &series.points);
        let across = Axis::new(points().map(|point| point.x), LEFT, WIDTH - RIGHT);
        let up = Axis::new(points().map(|point| point.y), floor, top);
        svg.text((16.0, top - 14.0), 12.0, Anchor::Start, &self.up, &fill(INK));
        svg.text((WIDTH - RIGHT, floor + 38.0), 12.0, Anchor::End, &self.across, &fill(INK));
        for decade in across.decades() {
            let x = across.place(10f64.powi(decade));
            svg.line((x, top), (x, floor), "stroke=\"#dcdcdc\"");
            svg.text((x, floor + 18.0), 11.0, Anchor::Middle, &power(decade), &fill(INK));
        }
        for decade in up.decades() {
            let y = up.place(10f64.powi(decade));
            svg.line((LEFT, y), (WIDTH - RIGHT, y), "stroke=\"#dcdcdc\"");
            svg.text((LEFT - 8.0, y + 4.0), 11.0, Anchor::End, &power(decade), &fill(INK));
        }
        for (number, series) in self.series.iter().enumerate() {
            let (colour, dashes, mark) = LOOKS[number % LOOKS.len()];
            let place = |x: f64, y: f64| (across.place(x), up.place(y));
            if let [first, .., last] = &series.points[..] {
                let linear = first.y * last.x / first.x;
                let look =
                    format!("stroke=\"{colour}\" stroke-width=\"0.8\" stroke-dasharray=\"2 4\"");
                svg.line(place(first.x, first.y), place(last.x, linear), &look);
            }
            let mut steps = String::new();
            for (at, point) in series.points.iter().enumerate() {
                let (x, y) = place(point.x, point.y);
                steps.push_str(&format!(
                    "{}{} {}",
                    if at == 0 { 'M' } else { 'L' },
                    short(x),
                    short(y)
                ));
            }
            svg.path(&steps, &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\""));
            for point in &series.points {
                let (x, y) = place(point.x, point.y);
                draw_mark(&mut svg, mark, (x, y), colour);
                // If several series have a point of the same name at one place, the name is written once.
                let same = |other: &Point| other.x == point.x && other.name == point.name;
                if self.series[..number].iter().any(|before| before.points.iter().any(same)) {
                    continue;
                }
                let inside = x + 8.0 + width_of(&point.name, 11.0) < WIDTH - 4.0;
                let (x, anchor) =
                    if inside { (x + 8.0, Anchor::Start) } else { (x + 4.0, Anchor::End) };
                svg.text((x, y + 18.0), 11.0, anchor, &point.name, &fill(INK));
            }
            let y = key + number as f64 * 20.0;
            svg.line(
                (LEFT, y),
                (LEFT + 40.0, y),
                &format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\""),
            );
            draw_mark(&mut svg, mark, (LEFT + 20.0, y), colour);
            svg.text((LEFT + 50.0, y + 4.0), 12.0, Anchor::Start, &series.name, &fill(INK));
        }
        let below = key + self.series.len() as f64 * 20.0;
        for (line, words) in notes.iter().enumerate() {
            svg.text(
                (16.0, below + 10.0 + line as f64 * 17.0),
                12.0,
                Anchor::Start,
                words,
                &fill(INK),
            );
        }
        svg.finish()
    }
}

fn draw_mark(svg: &mut Svg, mark: Mark, (x, y): (f64, f64), colour: &str) {
    match mark {
        Mark::Disc => svg.circle((x, y), 4.0, &fill(colour)),
        Mark::Square => svg.rect((x - 4.0, y - 4.0), (8.0, 8.0), &fill(colour)),
        Mark::Ring => {
            svg.circle(
                (x, y),
                4.0,
                &format!("fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"1.5\""),
            );
        }
        Mark::Cross => {
            let look = format!("stroke=\"{colour}\" stroke-width=\"1.8\"");
            svg.line((x - 4.0, y - 4.0), (x + 4.0, y + 4.0), &look);
            svg.line((x - 4.0, y + 4.0), (x + 4.0, y - 4.0), &look);
        }
    }
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

/// `0.01`, `1000`, `10⁶`.
fn power(decade: i32) -> String {
    if (-3..=3).contains(&decade) {
        return format!("{}", 10f64.powi(decade));
    }
    let raised = |letter: char| match letter {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    format!("10{}", decade.to_string().chars().map(raised).collect::<String>())
}
