// The first view: a board that is solved again with every wall, and the ways into everything else.

import { ask, chip, counted, el, field, fill, latest, OPPOSITE, problem, sentence, titled } from "./common.js";
import { Board } from "./board.js";
import cards from "./cards.js";
import { address } from "./route.js";

const BOARD = [
  "......*...E.",
  "..*...*.....",
  "..*.........",
  "..*..****...",
  "............",
  ".****.......",
  "......*..*..",
  "......*..*..",
  "..E...*..*..",
  ".........*..",
  "..***.......",
  "............",
].map((row) => [...row]);
const POLICE = [6, 3];
/** @type {Record<string, "wall" | "exit" | "floor">} */
const GROUNDS = { "*": "wall", E: "exit", ".": "floor" };

/** The hero: a board that the user paints, and a slider over the plies of the solve. */
function live() {
  const cells = BOARD.map((row) => [...row]);
  const once = latest();
  let worths = new Map();
  let until = Infinity;
  const name = (row, column) => `${row},${column}`;
  const isPolice = (row, column) => row === POLICE[0] && column === POLICE[1];
  const message = el("p", { class: "said", role: "status" });
  const play = el("a", { class: "button", href: address("game", "pursuit") }, "Play this board");
  const ply = el("input", {
    type: "range",
    min: 0,
    max: 1,
    value: 1,
    oninput: () => {
      until = Number(ply.value) < Number(ply.max) ? Number(ply.value) : Infinity;
      tell();
      draw();
    },
  });

  const board = new Board({ label: "Walls: press a square to paint or clear it. Arrow keys walk over the board." });
  board.paint = (point, isDragged) => {
    const [row, column] = [Math.floor(point / BOARD[0].length), point % BOARD[0].length];
    paint(row, column, isDragged || cells[row][column] !== "*" ? "*" : ".");
  };

  /** Shows the board, with the values of the squares that have settled. */
  function draw() {
    const known = [...worths].filter(([, worth]) => until === Infinity || (worth.distance ?? Infinity) <= until);
    board.show({
      board: {
        points: cells.flatMap((line, y) => line.map((cell, x) => ({ x, y, ground: GROUNDS[cell], name: name(y, x) }))),
        lines: [],
        edge: [[], []],
        hands: [],
        light: 0,
        men: [{ kind: "police", sign: "P", player: 1, point: POLICE[0] * BOARD[0].length + POLICE[1] }],
      },
      moves: [],
      shades: { worths: new Map(known), longest: Number(ply.max) },
    });
  }

  function paint(row, column, to) {
    if (isPolice(row, column) || cells[row][column] === "E" || cells[row][column] === to) return;
    cells[row][column] = to;
    draw();
    solve();
  }

  function tell() {
    const all = [...worths.values()].filter(({ distance }) => distance !== null && distance !== undefined);
    const settled = all.filter(({ distance }) => distance <= until).length;
    message.textContent =
      until === Infinity
        ? "Each square: what a thief there can expect, if the police (P) move next. Framed squares are exits."
        : `After ply ${until}, ${counted(settled, "square")} of ${all.length} are known.`;
  }

  function solve() {
    const floor = cells.flatMap((row, r) => row.flatMap((cell, c) => (cell === "*" || isPolice(r, c) ? [] : [[r, c]])));
    const states = floor.map(([r, c]) => `police ${name(...POLICE)} ${name(r, c)}`);
    const text = cells.map((row) => row.join("")).join("\n");
    once(
      () => ask("/solve/pursuit", { board: text, state: states[0], states }),
      (said) => {
        // The police move. A value is for the player to move, and the board is about the thief.
        worths = new Map(
          said.answers.map((worth, place) => [name(...floor[place]), { ...worth, value: OPPOSITE[worth.value] ?? worth.value }]),
        );
        const longest = Math.max(1, ...said.answers.map(({ distance }) => distance ?? 0));
        ply.max = String(longest + 1);
        if (until === Infinity) ply.value = ply.max;
        // Play begins with the thief where it takes longest.
        const [thief] = [...worths].reduce((most, each) => ((each[1].distance ?? 0) > (most[1].distance ?? 0) ? each : most));
        play.href = address("game", "pursuit", `police ${name(...POLICE)} ${thief}`, { board: text });
        tell();
        draw();
      },
      (error) => {
        fill(message, problem(error));
      },
    );
  }

  draw();
  solve();
  return { board: board.element, ply: field("Plies from the end", ply, "wide"), message, play };
}

/**
 * `Hounds win in 23 plies · 5,390 states`.
 *
 * @param {Omit<import("asked").View, "moves"> & { positions: number }} card
 */
function factOf({ positions, ...start }) {
  const count = positions.toLocaleString("en", {
    notation: positions < 1e5 ? "standard" : "compact",
    compactDisplay: "long",
    maximumSignificantDigits: 3,
  });
  const verdict = start.value === "draw" ? "Draw" : sentence(start).slice(0, -1);
  return `${verdict} · ${positions < 1e5 ? positions.toLocaleString("en") : count} states`;
}

/** A card of a game: its first board, its name, and a fact. */
function card({ name, summary }) {
  const known = cards[name];
  const board = new Board({ label: "" });
  if (known?.board) board.show({ board: known.board, moves: [] });
  return el(
    "li",
    {},
    el(
      "a",
      { class: "entry", href: address("game", name) },
      el("span", { class: "thumb", inert: true, "aria-hidden": "true" }, board.element),
      el("b", {}, titled(name)),
      el("span", {}, known ? factOf(known) : summary),
    ),
  );
}

function build(_name, _spec, games) {
  const hero = live();
  const own = games.some((game) => game.name === "text")
    ? el("a", { class: "button first", href: address("game", "text") }, "Write your own game")
    : null;
  const element = el(
    "div",
    { class: "home" },
    el(
      "div",
      { class: "hero" },
      el("div", {}, hero.board),
      el(
        "div",
        {},
        el("h2", {}, "Perfect play for any game"),
        el(
          "p",
          { class: "lead" },
          "Retrograde solves two-player games from the end backwards: for every position, who wins, and in how many plies. Paint walls: this board is solved again at once, all of it.",
        ),
        el(
          "p",
          { class: "legend" },
          chip({ value: "win" }),
          " the thief escapes  ",
          chip({ value: "loss" }),
          " the police catch the thief",
        ),
        hero.ply,
        hero.message,
        el("div", { class: "row" }, own, hero.play),
      ),
    ),
    el("h3", {}, "Games"),
    el("ul", { class: "entries" }, games.filter(({ name: each }) => each !== "text").map(card)),
  );
  return { title: "Perfect play for any game", element, open() {} };
}

export default { build };
