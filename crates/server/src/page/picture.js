// A board as text, as the server draws it: letters, digits and dots are places; `-`, `|`, `/` and `\` are lines between them.

const LINES = "-|/\\";

/** The places of a board, each with its letter, its spot and its name; and the lines, each between two spots. */
export function readPicture(text) {
  let rows = text.replace(/\n+$/, "").split("\n");
  // The names of rows stand before them, those of columns below.
  const named = rows.length > 1 && /^\s*[a-z](\s+[a-z])*\s*$/.test(rows.at(-1)) && rows.slice(0, -1).every((row) => /^(\d |\s{2}|$)/.test(row));
  const heads = named ? rows.map((row) => row[0]) : [];
  const feet = named ? rows.at(-1).slice(2) : "";
  if (named) rows = rows.slice(0, -1).map((row) => row.slice(2));
  const at = (row, column) => rows[row]?.[column] ?? " ";
  const places = [];
  const index = new Map();
  rows.forEach((row, y) => [...row].forEach((letter, x) => {
    if (letter === " " || LINES.includes(letter)) return;
    index.set(`${y},${x}`, places.length);
    places.push({ letter, y, x, name: named ? feet[x] + heads[y] : "" });
  }));
  const lines = [];
  const join = (y, x, down, right, sign) => {
    let [row, column] = [y + down, x + right];
    while (at(row, column) === sign) [row, column] = [row + down, column + right];
    const steps = Math.max(Math.abs(row - y), Math.abs(column - x));
    const to = index.get(`${row},${column}`);
    if (steps > 1 && to !== undefined) lines.push([index.get(`${y},${x}`), to]);
  };
  for (const { y, x } of places) {
    join(y, x, 0, 1, "-");
    join(y, x, 1, 0, "|");
    join(y, x, 1, 1, "\\");
    join(y, x, 1, -1, "/");
  }
  const grid = lines.length === 0;
  // In reading order the squares of a board with lines are the alphabet, as moves name them; cells are rows and columns.
  places.forEach((place, number) => {
    place.name ||= grid || places.length > 26 ? `${place.y},${place.x}` : String.fromCharCode(97 + number);
  });
  const step = (of) => {
    const all = [...new Set(places.map(of))].sort((a, b) => a - b);
    return Math.max(1, Math.min(...all.slice(1).map((value, place) => value - all[place]), 99));
  };
  const [wide, high] = grid ? [1, 1] : [step(({ x }) => x), step(({ y }) => y)];
  for (const place of places) [place.x, place.y] = [place.x / wide, place.y / high];
  return { places, lines, grid };
}

/** The letters of a board one after the other: the same board looks the same. */
export const letters = ({ places }) => places.map(({ letter }) => letter).join("");

/** The eight ways to lay a square board, each as the place that comes to each place. */
function turns(side) {
  const maps = [
    (y, x) => [y, x], (y, x) => [x, y], (y, x) => [side - 1 - y, x], (y, x) => [y, side - 1 - x],
    (y, x) => [side - 1 - y, side - 1 - x], (y, x) => [side - 1 - x, side - 1 - y], (y, x) => [x, side - 1 - y], (y, x) => [side - 1 - x, y],
  ];
  return maps.map((map) => Array.from({ length: side * side }, (_, place) => {
    const [y, x] = map(Math.floor(place / side), place % side);
    return y * side + x;
  }));
}

const swap = (text) => text.replace(/[xo]/g, (letter) => (letter === "x" ? "o" : "x"));

/** On how many places two boards differ. */
export const differ = (a, b) => [...a].filter((letter, place) => letter !== b[place]).length;

/**
 * Games whose positions stand for all mirror images, `x` always to move: of all images of `text` the one nearest to `like`, its
 * letters swapped where the other player is to move.
 */
export function nearest(text, like, swapped) {
  return images(swapped ? swap(text) : text).reduce((best, image) => (differ(image, like) < differ(best, like) ? image : best));
}

function images(text) {
  const side = Math.sqrt(text.length);
  return Number.isInteger(side) ? turns(side).map((turn) => turn.map((place) => text[place]).join("")) : [text];
}

/** The boards that look like `after` where those that look like `before` are one: a move, and its mirror images. */
export function alike(before, after) {
  const [same, there] = [images(before), images(after)];
  return [...new Set(there.filter((_, turn) => same[turn] === before))];
}

/** Whether a game's positions are written for the player to move: no player is named, and men are `x` and `o`. */
export const turnsRound = (side, text) => side === null && /^[xon.]+$/.test(text);

/** The places that a move changes: those left, and those reached. */
export function changes(before, after) {
  const left = [];
  const reached = [];
  [...before].forEach((letter, place) => {
    if (letter === after[place]) return;
    if (".E".includes(after[place])) left.push(place);
    else reached.push(place);
  });
  return { left, reached };
}
