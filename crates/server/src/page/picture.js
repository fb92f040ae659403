// A board as text, in the form of the server: letters, digits and dots are places; `-`, `|`, `/` and `\` are lines between them.

const LINES = "-|/\\";
/** Men of the first player are dark, those of the second are light, and neutral pieces are neither. */
const DARK = "xXHP>";
const LIGHT = "oORT^●";

/** How a man is drawn. */
export const side = (letter) => (DARK.includes(letter) ? "dark" : LIGHT.includes(letter) ? "light" : "other");

/**
 * The places of a board, each with its letter, its spot and its name, and the lines between spots. On `numbered` boards, row and
 * column name a place.
 */
export function readPicture(text, numbered = false) {
  let rows = text.replace(/\n+$/, "").split("\n");
  // The names of rows stand before them, the names of columns below.
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
  // On a small board, letters name the squares in reading order, as in moves. On other boards, rows and columns do.
  places.forEach((place, number) => {
    place.name ||= numbered || places.length > 26 ? `${place.y},${place.x}` : String.fromCharCode(97 + number);
  });
  const step = (of) => {
    const all = [...new Set(places.map(of))].sort((a, b) => a - b);
    return Math.max(1, Math.min(...all.slice(1).map((value, place) => value - all[place]), 99));
  };
  const [wide, high] = [step(({ x }) => x), step(({ y }) => y)];
  for (const place of places) [place.x, place.y] = [place.x / wide, place.y / high];
  return { places, lines, grid, named };
}

/** The letters of a board in order. Equal boards look equal. */
export const letters = ({ places }) => places.map(({ letter }) => letter).join("");

/** The eight ways to turn a square board. Each gives, for each place, the place that comes there. */
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
const differ = (a, b) => [...a].filter((letter, place) => letter !== b[place]).length;

/**
 * How to turn a board whose positions stand for all mirror images, with `x` always to move: one of eight ways, and whether to
 * exchange the letters because the other player is to move.
 */
export class Lay {
  constructor(edge, turn, swapped) {
    this.map = turns(edge)[turn];
    this.swapped = swapped;
  }

  /** The way to turn `text` that makes it most `like` another board. */
  static nearest(text, like, swapped) {
    const edge = Math.sqrt(text.length);
    const lays = [0, 1, 2, 3, 4, 5, 6, 7].map((turn) => new Lay(edge, turn, swapped));
    return lays.reduce((best, lay) => (differ(lay.text(text), like) < differ(best.text(text), like) ? lay : best));
  }

  /** The letters on the turned board. */
  text(text) {
    const as = this.swapped ? swap(text) : text;
    return this.map.map((place) => as[place]).join("");
  }

  /** The names of squares in the name of a move, on the turned board. */
  name(name, places) {
    const at = new Map(places.map((place, number) => [place.name, number]));
    return name.replace(/[a-z]\d/g, (square) => places[this.map.indexOf(at.get(square))].name);
  }
}

/** Whether positions of a game are written for the player to move: they name no player, and men are `x` and `o`. */
export const turnsRound = (player, text) => player === null && /^[xon.]+$/.test(text) && Number.isInteger(Math.sqrt(text.length));

/** The places that a move changes: first those that men leave, then those that they reach. */
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
