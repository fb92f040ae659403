//! The few SVG elements that pictures need. A picture uses no style sheet, pattern or font, so every viewer
//! and printer shows the same.

use std::fmt::Write;

/// An unfinished picture.
#[derive(Clone, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    marks: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins at the point.
    Start,
    /// Its middle is at the point.
    Middle,
    /// It ends at the point.
    End,
}

/// The largest average width of a letter, as a share of its size. Fonts differ, and no text may be cut off.
pub const LETTER: f64 = 0.6;

/// The colour of lines and letters.
pub const INK: &str = "#1b1b1b";

impl Svg {
    /// An empty sheet.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, marks: String::new() }
    }

    /// A rectangle.
    pub fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), look: &str) {
        let [x, y, width, height] = [x, y, width, height].map(short);
        let _ = writeln!(
            self.marks,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {look}/>"
        );
    }

    /// A circle.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, look: &str) {
        let [x, y, radius] = [x, y, radius].map(short);
        let _ = writeln!(self.marks, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>");
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), look: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(short);
        let _ =
            writeln!(self.marks, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {look}/>");
    }

    /// A path; `steps` is in SVG syntax.
    pub fn path(&mut self, steps: &str, look: &str) {
        if !steps.is_empty() {
            let _ = writeln!(self.marks, "<path d=\"{steps}\" {look}/>");
        }
    }

    /// One line of text, `size` high, with its base at the point.
    pub fn text(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, words: &str, look: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let [x, y, size] = [x, y, size].map(short);
        let words = escaped(words);
        let _ = writeln!(
            self.marks,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor} {look}>{words}</text>"
        );
    }

    /// Lines of text, the first with its base at the point, and the others below it.
    pub fn texts(
        &mut self,
        (x, y): (f64, f64),
        size: f64,
        step: f64,
        lines: &[String],
        look: &str,
    ) {
        for (line, words) in lines.iter().enumerate() {
            self.text((x, y + line as f64 * step), size, Anchor::Start, words, look);
        }
    }

    /// The text of the SVG file.
    pub fn finish(self) -> String {
        let [width, height] = [self.width, self.height].map(|size| short(size.ceil()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.marks
        )
    }
}

/// A number with at most one digit after the point.
pub fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Filled with a colour.
pub fn fill(colour: &str) -> String {
    format!("fill=\"{colour}\"")
}

/// The largest width of a text.
pub fn width_of(words: &str, size: f64) -> f64 {
    words.chars().count() as f64 * size * LETTER
}

/// Splits a text into lines of at most this width. A word that is wider gets its own line, cut to fit.
pub fn wrapped(words: &str, size: f64, width: f64) -> Vec<String> {
    let most = ((width / (size * LETTER)) as usize).max(8);
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        let word = match word.chars().count() > most {
            true => word.chars().take(most - 1).chain(['…']).collect(),
            false => word.to_owned(),
        };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            control if control.is_control() => text.push('\u{fffd}'),
            letter => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_words_are_safe() {
        assert_eq!([1.0, 0.25, -0.01, 12.34].map(short), ["1", "0.2", "0", "12.3"]);
        assert_eq!(escaped("a<b & \"c\"\u{7}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
        assert_eq!(wrapped("one two three", 10.0, 54.0), ["one two", "three"]);
        assert_eq!(wrapped("a_very_long_word", 10.0, 54.0), ["a_very_l…"]);
    }
}
