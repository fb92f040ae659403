// The first view: a board that is solved again with every wall, and the ways into everything else.

import { ask, chip, counted, el, field, fill, latest, OPPOSITE, problem, sentence, titled } from "./common.js";
import { Board } from "./board.js";
import cards from "./cards.js";
import { located, markLine } from "./game.js";
import { address, go } from "./route.js";

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
  const play = el("a", { class: "button first", href: address("game", "pursuit") }, "Play this board");
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

/** A card of a game: its first board, its name, a fact, and the ways to it. */
function card({ name, summary }) {
  const title = titled(name);
  const way = (text, parameters) => el("a", { href: address("game", name, "", parameters), "aria-label": `${text} ${title}` }, text);
  return el(
    "li",
    { class: "entry" },
    el("img", { src: `page/cards.svg#${name}`, alt: "", width: 160, height: 160, loading: "lazy" }),
    el("b", {}, title),
    el("span", {}, cards[name] ? factOf(cards[name]) : summary),
    el("p", {}, way("Play", {}), way("Explore", { explore: true })),
  );
}

/** A game that the user writes, beside its board. A move leads to the view of the game. */
function editor({ file, files }) {
  const once = latest();
  const text = el("textarea", { rows: 13, spellcheck: "false" });
  text.value = files[0].text;
  const verdict = el("p", { class: "said", role: "status" });
  const message = el("div");
  const play = (state) => go(address("game", "text", state, { board: text.value }));
  const board = new Board({ make: ({ to }) => play(to) });
  const solve = () =>
    once(
      () => ask("/solve/text", { board: text.value, parameters: {}, view: true }),
      ({ answer }) => {
        fill(message);
        fill(verdict, answer ? sentence(answer) : "This game has no start.");
        board.element.inert = false;
        board.show(answer ?? { board: null, moves: [] });
      },
      (error) => {
        board.element.inert = true;
        fill(verdict);
        fill(message, problem(located(error, file, (line) => markLine(text, line))));
      },
    );
  solve();
  const submit = (event) => {
    event.preventDefault();
    solve();
  };
  return el(
    "section",
    { class: "editor", "aria-label": "A game on a page of text" },
    el(
      "form",
      { class: "row", onsubmit: submit },
      field("A game is a page of text", text, "whole"),
      el("button", { type: "submit", class: "first" }, "Solve"),
      el("button", { type: "button", onclick: () => play("") }, "Play this game"),
    ),
    el("div", {}, board.element, board.choices, verdict, message),
  );
}

function build(_name, _spec, games) {
  const hero = live();
  const text = games.find((game) => game.name === "text");
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
        el("div", { class: "row" }, hero.play),
      ),
    ),
    text ? editor(text) : null,
    el("h3", {}, "Games"),
    el("ul", { class: "entries" }, games.filter(({ name: each }) => each !== "text").map(card)),
  );
  return { title: "Perfect play for any game", element, open() {} };
}

export default { build };
