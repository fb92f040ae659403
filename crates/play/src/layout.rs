//! The layout of a screen of any size: the board as large as possible, with the moves beside it.

use crate::field::{Grid, Look, Paint};
use crate::frame::{BOLD, FAINT, Frame, REVERSED};
use crate::paint::colours;

/// The contents of the screen.
pub(crate) struct Scene<'a> {
    /// The game and its players.
    pub(crate) title: String,
    /// How to draw the position.
    pub(crate) look: &'a Look,
    /// The cell of the pointer, and the cells that it may go to.
    pub(crate) pointer: Option<(usize, Vec<usize>)>,
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
        Look::Grid(grid) => draw_grid(&mut frame, grid, scene, body, room),
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
fn draw_grid(frame: &mut Frame, grid: &Grid, scene: &Scene<'_>, body: usize, room: usize) -> usize {
    let rows = grid.cells.len() / grid.columns;
    let names = if grid.names.is_some() { (1, 2) } else { (0, 0) };
    let below = usize::from(grid.below.is_some());
    let (body, room) = (body.saturating_sub(names.0 + below), room.saturating_sub(names.1));
    let fits = |height: &usize| rows * height <= body && grid.columns * 2 * height <= room;
    let height = (1..=3).rev().find(fits).unwrap_or(1);
    let width = if grid.columns * 2 * height <= room { 2 * height } else { 1 };
    // If the board does not fit, a window around the pointer or a man shows part of it.
    let men = || grid.cells.iter().position(|tile| matches!(tile.paint, Paint::Man(..)));
    let focus = scene.pointer.as_ref().map(|(cell, _)| *cell).or_else(men).unwrap_or(0);
    let (seen_rows, seen_columns) = ((body / height).min(rows), (room / width).min(grid.columns));
    let window = |at: usize, seen: usize, all: usize| at.saturating_sub(seen / 2).min(all - seen);
    let top = window(focus / grid.columns, seen_rows, rows);
    let left = window(focus % grid.columns, seen_columns, grid.columns);
    // A sign for the cells that the pointer may go to. No man has this sign.
    let target = if grid.cells.iter().any(|tile| tile.sign == 'o') { '+' } else { 'o' };
    for r in 0..seen_rows {
        for c in 0..seen_columns {
            let cell = (top + r) * grid.columns + left + c;
            let tile = grid.cells[cell];
            let (style, mark) = match &scene.pointer {
                Some((at, _)) if *at == cell => (REVERSED, None),
                Some((_, targets)) if targets.contains(&cell) => (TARGET, Some(target)),
                _ => (colours(tile.paint), None),
            };
            let sign = match (tile.sign, mark) {
                ('.', Some(mark)) => mark,
                (sign, _) => sign,
            };
            for line in 0..height {
                let text =
                    if line == height / 2 { format!("{sign:^width$}") } else { " ".repeat(width) };
                frame.put(2 + r * height + line, 1 + names.1 + c * width, width, &text, style);
            }
        }
    }
    if let Some((ranks, files)) = &grid.names {
        for (r, rank) in ranks.iter().skip(top).take(seen_rows).enumerate() {
            frame.put(2 + r * height + height / 2, 1, 1, rank, FAINT);
        }
        for (c, file) in files.iter().skip(left).take(seen_columns).enumerate() {
            frame.put(
                2 + seen_rows * height,
                1 + names.1 + c * width + (width - 1) / 2,
                1,
                file,
                FAINT,
            );
        }
    }
    let width = names.1 + seen_columns * width;
    match &grid.below {
        None => width,
        Some(below) => {
            frame.put(2 + seen_rows * height + names.0, 1, room, below, FAINT);
            width.max(below.chars().count().min(room))
        }
    }
}

/// A cell that the pointer may go to.
const TARGET: &str = "\x1b[38;5;231;48;5;24m";
