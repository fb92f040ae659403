// Pursuit: the user draws or pastes a board, and the server solves it at once. The page shows the value of every cell while the
// other player stands still, and plays games.

import { announce, ask, chip, choice, el, field, fill, latest, OPPOSITE, plies, problem, rulesOf, sentence, shareButton, words } from "./common.js";
import { Grid } from "./grid.js";
import { Line } from "./line.js";
import { moveGroups } from "./moves.js";
import { address, go } from "./route.js";

const EXAMPLE = "...E..\n.*....\n...**.\nP.....\n..*.*.\n.*..T.\n......";
const LETTERS = { P: "police", T: "thief" };

/** The rows of a board, and the places of the players. */
function read(text) {
  const lines = text.replace(/\r/g, "").split("\n").map((line) => line.trimEnd()).filter((line) => line !== "");
  if (/^\d/.test(lines[0] ?? "")) lines.shift();
  const cells = lines.map((line) => [...line].map((letter) => ("*E".includes(letter) ? letter : ".")));
  const found = { P: null, T: null };
  lines.forEach((line, row) => [...line].forEach((letter, column) => {
    const player = letter === "C" ? "P" : letter;
    if (player in found && found[player] === null) found[player] = [row, column];
  }));
  return { cells, ...found };
}

function build() {
  const once = latest();
  let board = read(EXAMPLE);
  let brush = "move";
  let side = "police";
  let answer = null;
  /** The value of each cell for the shown player, if that player stood there. */
  let shades = new Map();
  let longest = 0;
  let grid = null;

  const text = el("textarea", { rows: 8, spellcheck: "false", "aria-label": "The board as text" });
  const place = el("div");
  const verdict = el("div", { class: "verdict" });
  const told = el("p", { class: "said" });
  const message = el("div");
  const list = el("div");
  const line = new Line({
    show: (to, quietly) => go(at(to), quietly),
    async best(from) {
      plays.value = "both";
      const said = await ask("/solve/pursuit", { board: bare(), state: from, plies: 1000 });
      announce(`${plies(said.line.states.length - 1)} of best play`);
      return said.line.states.slice(1);
    },
    fail: (error) => fill(message, problem(error)),
    name: ({ state: text_ }, place_) => `${place_}. ${text_.replace("police ", "P ").replace("thief ", "T ")}`,
  });
  const shaded = choice([["police", "each place of the police"], ["thief", "each place of the thief"], ["none", "nothing"]], { onchange: solve });
  const plays = choice([["both", "both sides"], ["police", "the police"], ["thief", "the thief"], ["none", "neither side: watch"]], { onchange: () => reply() });
  const turn = choice([["police", "police"], ["thief", "thief"]], { onchange: () => { side = turn.value; restart(); } });
  const rows = el("input", { type: "number", min: 1, max: 40, value: 7 });
  const columns = el("input", { type: "number", min: 1, max: 40, value: 6 });

  const name = ([row, column]) => `${row},${column}`;
  const state = () => (board.P && board.T ? `${side} ${name(board.P)} ${name(board.T)}` : "");
  const at = (to) => address("game", "pursuit", to, { board: bare() });

  function written() {
    return board.cells.map((cells, row) => cells.map((cell, column) => {
      if (board.P && name(board.P) === name([row, column])) return "P";
      if (board.T && name(board.T) === name([row, column])) return "T";
      return cell;
    }).join("")).join("\n");
  }

  /** The cells of the board without players: the cell under a player may be an exit. */
  function bare() {
    return board.cells.map((cells) => cells.join("")).join("\n");
  }

  function rebuild() {
    const [height, width] = [board.cells.length, Math.max(...board.cells.map((cells) => cells.length))];
    rows.value = height;
    columns.value = width;
    grid = new Grid(height, width, { look, press, drag: (row, column) => brush !== "move" && !LETTERS[brush] && paint(row, column, true), label: "Board" });
    fill(place, grid.element);
  }

  function look(row, column) {
    const cell = board.cells[row]?.[column] ?? "*";
    const key = name([row, column]);
    const who = [];
    if (board.P && name(board.P) === key) who.push(["police", "P"]);
    if (board.T && name(board.T) === key) who.push(["thief", "T"]);
    // Where the player to move may go, the value of the move counts.
    const move = brush === "move" ? answer?.moves.find((each) => target(each) === key) : undefined;
    const may = move !== undefined;
    const worth = cell === "*" ? null : move ?? shades.get(key) ?? null;
    const parts = [`row ${row}, column ${column}`, { "*": "wall", E: "exit", ".": "floor" }[cell]];
    for (const [player] of who) parts.push(player);
    if (worth) parts.push(words(worth));
    if (may) parts.push("can be moved to");
    return {
      kind: [cell === "*" ? "wall" : "", cell === "E" ? "exit" : "", may ? "may" : ""].join(" "),
      worth, longest, who, label: parts.join(", "),
    };
  }

  /** The target of a move of the player to move. */
  function target(move) {
    const [, police, thief] = move.to.split(" ");
    return side === "police" ? police : thief;
  }

  function press(row, column) {
    if (brush !== "move") {
      paint(row, column, false);
      return;
    }
    const move = answer?.moves.find((each) => target(each) === name([row, column]));
    if (move) make(move);
    else announce("no move leads there");
  }

  function paint(row, column, dragging) {
    const cell = board.cells[row][column];
    if (LETTERS[brush]) {
      if (cell === "*") board.cells[row][column] = ".";
      board[brush] = [row, column];
    } else {
      const to = !dragging && cell === brush ? "." : brush;
      if (to === cell) return;
      board.cells[row][column] = to;
      for (const player of ["P", "T"]) {
        if (to === "*" && board[player] && name(board[player]) === name([row, column])) board[player] = null;
      }
    }
    restart();
  }

  /** The user has changed the position or the board. */
  function restart() {
    const to = at(state());
    if (to === location.hash) solve();
    else go(to, true);
  }

  function cellsOfFloor() {
    return board.cells.flatMap((cells, row) => cells.flatMap((cell, column) => (cell === "*" ? [] : [[row, column]])));
  }

  function solve() {
    if (!board.P || !board.T) {
      shades = new Map();
      fill(verdict);
      fill(told);
      fill(list);
      fill(message, el("p", {}, `Put the ${board.P ? "thief" : "police"} on the board.`));
      grid.draw();
      return;
    }
    const kind = shaded.value;
    const cells = kind === "none" ? [] : cellsOfFloor();
    const at = (cell) => (kind === "police" ? `${side} ${name(cell)} ${name(board.T)}` : `${side} ${name(board.P)} ${name(cell)}`);
    const asked = { board: bare(), state: state(), states: cells.map(at) };
    once(() => ask("/solve/pursuit", asked), (said) => {
      answer = said.answer;
      // Every shade is the value for the shown player, no matter which player is to move.
      const own = kind === side;
      shades = new Map(said.answers.map((worth, place_) => [name(cells[place_]),
        own ? worth : { ...worth, value: OPPOSITE[worth.value] ?? worth.value }]));
      longest = Math.max(1, ...said.answers.map(({ distance }) => distance ?? 0));
      fill(message);
      const over = answer.moves.length === 0;
      const winner = answer.value === "win" ? side : side === "police" ? "thief" : "police";
      fill(verdict, over ? `The ${winner === "police" ? "police have" : "thief has"} won` : `${side === "police" ? "Police" : "Thief"} to move`, chip(answer));
      fill(told, sentence({ ...answer, over, side, opponent: side === "police" ? "thief" : "police" }));
      announce(`${side} to move: ${told.textContent}`);
      fill(list, over ? null : moveGroups(answer.moves.map((move) => ({ ...move, name: target(move) })), make));
      grid.draw();
      reply();
    }, (error) => {
      answer = null;
      shades = new Map();
      grid.draw();
      fill(verdict);
      fill(told);
      fill(list);
      fill(message, problem(error));
    });
  }

  function make(move) {
    line.play({ state: move.to });
  }

  /** Shows the board and the players of an address. */
  function open({ state: text_, parameters }) {
    if (parameters.board !== undefined && parameters.board !== bare()) {
      board = read(parameters.board);
      if (board.cells.length === 0) board = read(EXAMPLE);
      rebuild();
    }
    const [to, police, thief] = text_.split(" ");
    const cell = (text) => (/^\d+,\d+$/.test(text ?? "") ? text.split(",").map(Number) : null);
    if (cell(police) && cell(thief)) {
      side = to === "thief" ? "thief" : "police";
      board.P = cell(police);
      board.T = cell(thief);
    }
    turn.value = side;
    text.value = written();
    answer = null;
    if (state()) line.stand(state());
    solve();
  }

  /** If the program plays a side, it makes its best move. */
  function reply() {
    const mine = plays.value === "both" || plays.value === side;
    if (mine || !answer || answer.moves.length === 0 || line.here !== line.stops.length - 1 || line.stops.length > 400) return;
    const from = answer.state;
    setTimeout(() => {
      if (answer?.state === from && answer.moves.length > 0 && plays.value !== "both" && plays.value !== side) make(answer.moves[0]);
    }, 450);
  }

  function use(text_) {
    board = read(text_);
    if (board.cells.length === 0) board = read(EXAMPLE);
    side = "police";
    rebuild();
    restart();
  }

  function resize() {
    const bounded = (input) => Math.max(1, Math.min(40, Number(input.value) || 1));
    const [height, width] = [bounded(rows), bounded(columns)];
    board.cells = Array.from({ length: height }, (_, row) => Array.from({ length: width }, (__, column) => board.cells[row]?.[column] ?? "."));
    for (const player of ["P", "T"]) {
      if (board[player] && (board[player][0] >= height || board[player][1] >= width)) board[player] = null;
    }
    rebuild();
    restart();
  }

  const brushes = [["move", "Play"], ["*", "Wall"], ["E", "Exit"], ["P", "Police"], ["T", "Thief"]].map(([value, label]) =>
    el("button", { type: "button", "aria-pressed": String(value === brush), onclick: (event) => {
      brush = value;
      for (const button of event.currentTarget.parentElement.children) button.setAttribute("aria-pressed", String(button === event.currentTarget));
      grid.draw();
    } }, label));

  rebuild();
  const element = el("div", {},
    el("h2", {}, "Pursuit"),
    el("p", { class: "lead" }, "Police (P) step to all eight neighbours, the thief (T) to four; either may stay. The police win where they meet, the thief on an exit (framed)."),
    el("div", { class: "two" },
      el("div", {},
        el("div", { class: "row", role: "group", "aria-label": "What a click does" }, brushes),
        place, line.controls,
        el("div", { class: "row" }, field("Shade", shaded, "wide"), field("To move", turn), field("You play", plays), shareButton())),
      el("div", {},
        el("section", { class: "card", "aria-label": "Value" }, verdict, told, message),
        el("section", { class: "card", "aria-label": "Line" }, el("h3", {}, "Line"), line.element),
        el("section", { class: "card", "aria-label": "Moves" }, list),
        el("section", { class: "card", "aria-label": "The board" }, el("h3", {}, "Board"),
          el("div", { class: "row" }, field("Rows", rows), field("Columns", columns), el("button", { type: "button", onclick: resize }, "Resize")),
          text,
          el("div", { class: "row" }, el("button", { type: "button", class: "first", onclick: () => use(text.value) }, "Solve this text"))))),
    rulesOf("pursuit"));
  return { title: "Pursuit", element, open };
}

export default { build };
