//! The layout of a screen of any size: the board as large as possible, with the moves beside it.

use retrograde::Value;
use retrograde_picture::{Paint, Tiles, sign};
use retrograde_positions::Board;

use crate::field::Look;
use crate::frame::{BOLD, FAINT, Frame, REVERSED};
use crate::paint::colours;

/// The contents of the screen.
pub(crate) struct Scene<'a> {
    /// The game and its players.
    pub(crate) title: String,
    /// How to draw the position.
    pub(crate) look: &'a Look,
    /// The point of the pointer, and the points that it may go to, each with the value to show there.
    pub(crate) pointer: Option<(usize, Vec<Target>)>,
    /// The lines beside the board.
    pub(crate) beside: Vec<String>,
    /// The number of the chosen line.
    pub(crate) chosen: Option<usize>,
    /// The last event.
    pub(crate) message: String,
    /// The text typed so far.
    pub(crate) typed: String,
    /// The keys that work now.
    pub(crate) keys: &'static str,
}

/// A point that the pointer may go to, and the value to show there.
pub(crate) type Target = (usize, Option<Value>);

/// The least width of the lines beside the board, if there is room for more.
const BESIDE: usize = 27;

/// Draws the screen.
pub(crate) fn draw(scene: &Scene<'_>, rows: usize, columns: usize, colour: bool) -> Frame {
    let mut frame = Frame::new(rows, columns, colour);
    frame.put(0, 0, columns, &" ".repeat(columns), REVERSED);
    frame.put(0, 1, columns.saturating_sub(2), &scene.title, REVERSED);
    let body = rows.saturating_sub(4);
    let beside = BESIDE.min(columns / 2);
    let room = columns.saturating_sub(beside + 2);
    let width = match scene.look {
        Look::Board(board, tiles) => draw_board(&mut frame, (board, tiles), scene, body, room),
        Look::Text(text) => {
            for (row, line) in text.lines().take(body).enumerate() {
                frame.put(2 + row, 1, room, line, BOLD);
            }
            text.lines().map(|line| line.chars().count()).max().unwrap_or(0).min(room)
        }
    };
    let left = width + 3;
    // Shows the last lines. If a line is chosen, shows that line in the middle.
    let count = scene.beside.len();
    let first = match scene.chosen {
        Some(chosen) => chosen.saturating_sub(body / 2).min(count.saturating_sub(body)),
        None => count.saturating_sub(body),
    };
    for (row, (number, line)) in scene.beside.iter().enumerate().skip(first).take(body).enumerate()
    {
        let style = if scene.chosen == Some(number) { REVERSED } else { "" };
        frame.put(1 + row + 1, left, columns.saturating_sub(left), line, style);
    }
    if rows >= 3 {
        frame.put(rows - 2, 1, columns.saturating_sub(2), &scene.message, BOLD);
    }
    if rows >= 2 {
        let typed = format!("> {}", scene.typed);
        let length = typed.chars().count();
        frame.put(rows - 1, 1, columns.saturating_sub(2), &typed, "");
        frame.put(rows - 1, 1 + length, 1, " ", REVERSED);
        let keys = scene.keys.chars().count();
        if 4 + length + keys < columns {
            frame.put(rows - 1, columns - keys - 1, keys, scene.keys, FAINT);
        }
    }
    frame
}

/// Draws the board into `body` rows and `room` columns. Returns how many columns it takes.
fn draw_board(
    frame: &mut Frame,
    (board, tiles): (&Board, &Tiles),
    scene: &Scene<'_>,
    body: usize,
    room: usize,
) -> usize {
    let (rows, columns) = (tiles.rows(), tiles.columns);
    let names = if tiles.names.is_some() { (1, 2) } else { (0, 0) };
    let below = scene.look.below();
    let (body, room) =
        (body.saturating_sub(names.0 + usize::from(below.is_some())), room.saturating_sub(names.1));
    // Squares grow. Lines between points would come apart.
    let fits = |height: &usize| {
        (tiles.squares || *height == 1) && rows * height <= body && columns * 2 * height <= room
    };
    let height = (1..=3).rev().find(fits).unwrap_or(1);
    let wide = tiles.squares && columns * 2 * height <= room;
    let width = if wide { 2 * height } else { 1 };
    // If the board does not fit, a window around the pointer or a man shows part of it.
    let man = || board.men.first().map(|man| man.point);
    let focus = scene.pointer.as_ref().map(|(point, _)| *point).or_else(man);
    let focus = focus.map_or(0, |point| tiles.places[point]);
    let (seen_rows, seen_columns) = ((body / height).min(rows), (room / width).min(columns));
    let window = |at: usize, seen: usize, all: usize| at.saturating_sub(seen / 2).min(all - seen);
    let top = window(focus / columns, seen_rows, rows);
    let left = window(focus % columns, seen_columns, columns);
    for r in 0..seen_rows {
        for c in 0..seen_columns {
            let tile = &tiles.tiles[(top + r) * columns + left + c];
            let target = |point| {
                let (at, targets) = scene.pointer.as_ref()?;
                let value = targets.iter().find(|(target, _)| *target == point);
                match (*at == point, value) {
                    (true, value) => Some((REVERSED, value.and_then(|(_, value)| *value))),
                    (false, Some((_, value))) => Some((TARGET, *value)),
                    (false, None) => None,
                }
            };
            let free = !matches!(tile.paint, Paint::Man(_));
            let (style, sign) = match tile.point.and_then(target) {
                Some((style, Some(value))) if free => (style, sign(value)),
                Some((TARGET, None)) if free => (TARGET, MARK),
                Some((style, _)) => (style, tile.sign),
                None => (colours(tile.paint), tile.sign),
            };
            for line in 0..height {
                let text =
                    if line == height / 2 { format!("{sign:^width$}") } else { " ".repeat(width) };
                frame.put(2 + r * height + line, 1 + names.1 + c * width, width, &text, style);
            }
        }
    }
    if let Some((ranks, files)) = &tiles.names {
        for (r, rank) in ranks.iter().skip(top).take(seen_rows).enumerate() {
            frame.put(2 + r * height + height / 2, 1, 1, rank, FAINT);
        }
        for (c, file) in files.iter().skip(left).take(seen_columns).enumerate() {
            let at = 1 + names.1 + c * width + (width - 1) / 2;
            frame.put(2 + seen_rows * height, at, 1, file, FAINT);
        }
    }
    let width = names.1 + seen_columns * width;
    match &below {
        None => width,
        Some(below) => {
            frame.put(2 + seen_rows * height + names.0, 1, room, below, FAINT);
            width.max(below.chars().count().min(room))
        }
    }
}

/// The sign of a free point that the pointer may go to. No man looks like this.
const MARK: char = ':';

/// The colours of a point that the pointer may go to.
const TARGET: &str = "\x1b[38;5;231;48;5;24m";
