// The first view: a board that is solved again with every wall, and the ways into everything else.

import { ask, chip, counted, el, field, fill, latest, OPPOSITE, problem, titled, words } from "./common.js";
import { Grid } from "./grid.js";
import { address } from "./route.js";

const BOARD = [
  "......*...E.", "..*...*.....", "..*.........", "..*..****...", "............", ".****.......",
  "......*..*..", "......*..*..", "..E...*..*..", ".........*..", "..***.......", "............",
].map((row) => [...row]);
const POLICE = [6, 3];

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
  const ply = el("input", { type: "range", min: 0, max: 1, value: 1, oninput: () => {
    until = Number(ply.value) < Number(ply.max) ? Number(ply.value) : Infinity;
    tell();
    grid.draw();
  } });

  const grid = new Grid(cells.length, cells[0].length, {
    label: "Walls: press a square to paint or clear it",
    look(row, column) {
      const cell = cells[row][column];
      const worth = worths.get(name(row, column)) ?? null;
      const shown = cell !== "*" && worth && (until === Infinity || (worth.distance ?? Infinity) <= until) ? worth : null;
      const what = isPolice(row, column) ? "police" : { "*": "wall", E: "exit", ".": "floor" }[cell];
      const value = shown ? `, ${words(shown)} for a thief here` : "";
      return {
        kind: { "*": "wall", E: "exit" }[cell] ?? "", worth: shown, longest: Number(ply.max),
        who: isPolice(row, column) ? [["police", "P"]] : [], label: `row ${row}, column ${column}, ${what}${value}`,
      };
    },
    press: (row, column) => paint(row, column, cells[row][column] === "*" ? "." : "*"),
    drag: (row, column) => paint(row, column, "*"),
  });

  function paint(row, column, to) {
    if (isPolice(row, column) || cells[row][column] === "E" || cells[row][column] === to) return;
    cells[row][column] = to;
    solve();
  }

  function tell() {
    const all = [...worths.values()].filter(({ distance }) => distance !== null && distance !== undefined);
    const settled = all.filter(({ distance }) => distance <= until).length;
    message.textContent = until === Infinity
      ? "Each square: what a thief there can expect, if the police (P) move next. Framed squares are exits."
      : `After ply ${until}, ${counted(settled, "square")} of ${all.length} are known.`;
  }

  function solve() {
    const floor = cells.flatMap((row, r) => row.flatMap((cell, c) => (cell === "*" || isPolice(r, c) ? [] : [[r, c]])));
    const states = floor.map(([r, c]) => `police ${name(...POLICE)} ${name(r, c)}`);
    const board = cells.map((row) => row.join("")).join("\n");
    once(() => ask("/solve/pursuit", { board, state: states[0], states }), (said) => {
      // The police move. A value is for the player to move, and the board is about the thief.
      worths = new Map(said.answers.map((worth, place) => [name(...floor[place]), { ...worth, value: OPPOSITE[worth.value] ?? worth.value }]));
      const longest = Math.max(1, ...said.answers.map(({ distance }) => distance ?? 0));
      ply.max = longest + 1;
      if (until === Infinity) ply.value = ply.max;
      // Play begins with the thief where it takes longest.
      const [thief] = [...worths].reduce((most, each) => ((each[1].distance ?? 0) > (most[1].distance ?? 0) ? each : most));
      play.href = address("game", "pursuit", `police ${name(...POLICE)} ${thief}`, { board });
      tell();
      grid.draw();
    }, (error) => { fill(message, problem(error)); });
  }

  solve();
  return { board: grid.element, ply: field("Plies from the end", ply, "wide"), message, play };
}

/** A card of a game. */
function card({ name, summary }) {
  return el("li", {}, el("a", { class: "entry", href: address("game", name) }, el("b", {}, titled(name)), el("span", {}, summary)));
}

function build(name, spec, games) {
  const hero = live();
  const own = games.some((game) => game.name === "text") ? el("a", { class: "button first", href: address("game", "text") }, "Write your own game") : null;
  const element = el("div", { class: "home" },
    el("div", { class: "hero" },
      el("div", {}, hero.board),
      el("div", {},
        el("h2", {}, "Perfect play for any game"),
        el("p", { class: "lead" }, "Retrograde solves two-player games from the end backwards: for every position, who wins, and in how many plies. Paint walls: this board is solved again at once, all of it."),
        el("p", { class: "legend" }, chip({ value: "win" }), " the thief escapes  ", chip({ value: "loss" }), " the police catch the thief"),
        hero.ply, hero.message,
        el("div", { class: "row" }, own, hero.play))),
    el("h3", {}, "Games"),
    el("ul", { class: "entries" }, games.filter(({ name: each }) => each !== "text").map(card)));
  return { title: "Perfect play for any game", element, open() {} };
}

export default { build };
