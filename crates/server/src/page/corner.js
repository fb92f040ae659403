// The walk to the corner: a piece goes right, down or diagonally, and who brings it to the corner wins.

import { announce, ask, chip, choice, el, field, fill, latest, moveList, problem, words } from "./common.js";
import { Grid } from "./grid.js";

function build() {
  const once = latest();
  let worths = new Map();
  let longest = 1;
  let here = "0,0";
  let grid = null;
  let built = "";
  const piece = choice([["queen", "queen"], ["rook", "rook"], ["bishop", "bishop"], ["king", "king"]], { onchange: restart });
  const rows = el("input", { type: "number", min: 1, max: 40, value: 10, onchange: restart });
  const columns = el("input", { type: "number", min: 1, max: 40, value: 14, onchange: restart });
  const misere = el("input", { type: "checkbox", onchange: restart });
  const place = el("div");
  const verdict = el("div", { class: "verdict" });
  const message = el("div");
  const list = el("div");

  const bounded = (input) => Math.max(1, Math.min(40, Math.floor(Number(input.value)) || 1));

  function restart() {
    here = "0,0";
    solve();
  }

  function solve() {
    const [height, width] = [bounded(rows), bounded(columns)];
    const parameters = { piece: piece.value, rows: height, columns: width, misere: misere.checked };
    once(() => ask("/solve/corner", { parameters, all: true }), (said) => {
      worths = new Map(said.answers.map((answer) => [answer.state, answer]));
      longest = said.longest ?? 1;
      fill(message);
      const size = `${height} ${width}`;
      if (built !== size) {
        built = size;
        grid = new Grid(height, width, { look, press: (row, column) => go(`${row},${column}`), label: "Board" });
        fill(place, grid.element);
      }
      show();
    }, (error) => fill(message, problem(error)));
  }

  function look(row, column) {
    const key = `${row},${column}`;
    const worth = worths.get(key) ?? null;
    const may = worths.get(here)?.moves.some((move) => move.to === key);
    const who = key === here ? [["police", { queen: "♛", rook: "♜", bishop: "♝", king: "♚" }[piece.value]]] : [];
    const label = [`row ${row}, column ${column}`, worth ? words(worth) : "", key === here ? `the ${piece.value} is here` : "", may ? "can be moved to" : ""];
    return { kind: may ? "may" : "", worth, longest, who, label: label.filter(Boolean).join(", ") };
  }

  function go(state) {
    here = state;
    show();
  }

  function show() {
    const answer = worths.get(here);
    fill(verdict, `${piece.value} on ${here}`, chip(answer));
    fill(list, moveList(answer.moves, (move) => move.to, (move) => go(move.to)));
    announce(`${piece.value} on ${here}, ${words(answer)}`);
    grid.draw();
  }

  solve();
  return el("div", {},
    el("h2", {}, "Corner"),
    el("p", { class: "lead" }, "Two players move one piece by turns: right, down or diagonally down. Who brings it to the corner wins. Click a cell to stand there."),
    el("div", { class: "two" },
      el("div", {},
        el("div", { class: "row" }, field("Piece", piece), field("Rows", rows), field("Columns", columns),
          el("label", { class: "check" }, misere, "who cannot move wins")),
        place),
      el("section", { class: "card", "aria-label": "Value" }, verdict, message, list)));
}

export default { title: "Corner", build };
