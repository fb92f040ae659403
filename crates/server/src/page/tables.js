// The tables of the folder, asked by the texts of states: for every game, however large.

import { announce, ask, chip, choice, el, field, fill, latest, lineList, moveList, problem, words } from "./common.js";

function build() {
  const once = latest();
  const names = choice([], { onchange: () => open(names.value) });
  const state = el("input", { type: "text", spellcheck: "false", autocomplete: "off" });
  const verdict = el("div", { class: "verdict" });
  const message = el("div");
  const list = el("div");
  const line = el("div");
  const about = el("div");
  let gone = [];

  const at = (path) => `/tables/${encodeURIComponent(names.value)}${path}`;

  function open(name) {
    if (!name) return;
    once(async () => [await ask(at("")), await ask(at("/stats"))], ([header, stats]) => {
      const cell = (number) => el("td", { class: "number" }, number.toLocaleString("en"));
      const head = ["", "wins", "losses", "draws"].map((text, place) => el("th", { scope: "col", class: place ? "number" : "" }, text));
      const rows = Object.entries(stats.movers).map(([mover, { win, loss, draw }]) =>
        el("tr", {}, el("th", { scope: "row" }, mover), cell(win), cell(loss), cell(draw)));
      fill(about,
        el("p", {}, `${header.game}: ${(header.states ?? header.numbers).toLocaleString("en")} states in ${header.bytes.toLocaleString("en")} bytes`,
          stats.longest_win ? `; the longest win takes ${stats.longest_win} plies.` : "."),
        el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows))),
        header.board && header.board.length < 4000 ? el("pre", { class: "scroll" }, header.board) : null);
      const fens = Object.values(stats.placements ?? {}).map((side) => side?.fen).filter(Boolean);
      state.value = header.start ?? fens[0] ?? "";
      gone = [];
      if (state.value) show();
      else {
        fill(verdict, "Name a state");
        fill(list);
        fill(line);
      }
    }, (error) => fill(message, problem(error)));
  }

  function show() {
    once(() => ask(at(`/probe?state=${encodeURIComponent(state.value)}`)), (answer) => {
      fill(message);
      fill(line, el("button", { type: "button", onclick: best }, "Best line from here"));
      fill(verdict, answer.state, chip(answer));
      announce(`${answer.state}, ${words(answer)}`);
      fill(list, moveList(answer.moves, (move) => move.to ?? "out of the game", (move) => {
        if (move.to === null) return;
        gone.push(state.value);
        go(move.to);
      }, true), gone.length ? el("button", { type: "button", onclick: () => go(gone.pop()) }, "◀ Back") : null);
    }, (error) => {
      fill(verdict);
      fill(list);
      fill(message, problem(error));
    });
  }

  function go(to) {
    state.value = to;
    show();
  }

  async function best() {
    try {
      const said = await ask(at(`/line?state=${encodeURIComponent(state.value)}`));
      fill(line, lineList(said.states.map((step, ply) => `${ply}. ${step.state}`), 0, (ply) => go(said.states[ply].state)));
    } catch (error) {
      fill(message, problem(error));
    }
  }

  ask("/tables").then(({ tables }) => {
    fill(names, tables.map(({ name, game }) => el("option", { value: name }, `${name} (${game})`)));
    if (tables.length === 0) fill(message, el("p", {}, "There is no table in this folder."));
    else open(names.value = (tables.find(({ longest }) => longest) ?? tables[0]).name);
  }, (error) => fill(message, problem(error)));

  return el("div", {},
    el("h2", {}, "Tables"),
    el("p", { class: "lead" }, "Every table of the folder, asked by the name of a state."),
    el("div", { class: "two" },
      el("div", {},
        el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); gone = []; show(); } },
          field("Table", names, "wide"), field("State", state, "wide"), el("button", { type: "submit", class: "first" }, "Ask")),
        el("section", { class: "card", "aria-label": "Value" }, verdict, message, list),
        el("section", { class: "card", "aria-label": "Best play" }, line)),
      el("section", { class: "card", "aria-label": "About the table" }, about)));
}

export default { title: "Tables", build };
