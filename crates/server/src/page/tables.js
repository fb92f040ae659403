// The tables of the folder.

import { ask, el, fill, problem } from "./common.js";
import { address } from "./route.js";

function build() {
  const list = el("div");
  const filter = el("input", { type: "search", placeholder: "Find a table", "aria-label": "Find a table", oninput: draw });
  let tables = null;

  function draw() {
    const wanted = filter.value.trim().toLowerCase();
    const found = tables.filter(({ name, game, title }) => `${name} ${game} ${title ?? ""}`.toLowerCase().includes(wanted));
    if (tables.length === 0) {
      fill(list, el("p", {}, "This folder holds no table. ", el("code", {}, "retrograde build chess KQvKR --out DIR"), " makes some."));
      return;
    }
    const head = [["Table", ""], ["Game", ""], ["States", "number"], ["Longest win", "number"]].map(([text, kind]) => el("th", { scope: "col", class: kind }, text));
    const rows = found.slice(0, 500).map(({ name, game, title, states, numbers, longest_win: longest }) => el("tr", {},
      el("th", { scope: "row" }, el("a", { href: address("table", name) }, name), title ? el("div", { class: "title" }, title) : null), el("td", {}, game),
      el("td", { class: "number" }, (states ?? numbers).toLocaleString("en")), el("td", { class: "number" }, longest ?? "–")));
    fill(list, el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows))),
      found.length > 500 ? el("p", { class: "lead" }, `${found.length - 500} more: name what you look for.`) : null);
  }

  function open({ name }) {
    if (name !== undefined) filter.value = name;
    if (tables) {
      draw();
      return;
    }
    ask("/tables").then((said) => {
      ({ tables } = said);
      draw();
    }, (error) => fill(list, problem(error)));
  }

  const element = el("div", {}, el("h2", {}, "Tables"),
    el("p", { class: "lead" }, "Solved games in the folder of this server. Choose one, or set up a game above."),
    el("div", { class: "row" }, filter), list);
  return { title: "Tables", element, open };
}

export default { build };
