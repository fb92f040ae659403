// Heaps: two players take from one heap at a time, and who takes last wins.

import { announce, ask, chip, el, field, fill, latest, moveList, problem, words } from "./common.js";

function build() {
  const once = latest();
  let worths = new Map();
  let here = "3,5,7";
  const heaps = el("input", { type: "text", value: "3,5,7", spellcheck: "false" });
  const takes = el("input", { type: "text", value: "any", spellcheck: "false" });
  const misere = el("input", { type: "checkbox", onchange: solve });
  const place = el("div", { class: "heaps", role: "group", "aria-label": "Heaps: a button takes that many" });
  const verdict = el("div", { class: "verdict" });
  const message = el("div");
  const list = el("div");

  function solve() {
    const sizes = heaps.value.split(",").map((size) => Number(size.trim()));
    if (sizes.length === 0 || sizes.some((size) => !Number.isInteger(size) || size < 0)) {
      fill(message, problem(new Error("heaps are numbers with commas between, such as 3,5,7")));
      return;
    }
    const parameters = { heaps: sizes, take: takes.value.replace(/\s/g, ""), misere: misere.checked };
    once(() => ask("/solve/take", { parameters, all: true }), (said) => {
      worths = new Map(said.answers.map((answer) => [answer.state, answer]));
      here = said.start;
      fill(message);
      show();
    }, (error) => fill(message, problem(error)));
  }

  function go(state) {
    here = state;
    show();
    place.querySelector("button")?.focus();
  }

  function show() {
    const answer = worths.get(here);
    fill(verdict, `Heaps ${here}`, chip(answer));
    fill(list, moveList(answer.moves, (move) => move.to, (move) => go(move.to)));
    announce(`heaps ${here}, ${words(answer)}`);
    const sizes = here.split(",").map(Number);
    fill(place, sizes.map((size, heap) => el("div", { class: "heap" },
      Array.from({ length: size }, (_, piece) => {
        const left = piece;
        const to = sizes.map((other, place_) => (place_ === heap ? left : other)).join(",");
        const move = answer.moves.find((each) => each.to === to);
        return el("button", {
          type: "button", disabled: !move, class: move ? move.value : "",
          "aria-label": move ? `take ${size - left} from heap ${heap + 1}, ${words(move)}` : `${size - left} cannot be taken from heap ${heap + 1}`,
          onclick: () => go(to),
        }, `−${size - left}`);
      }).reverse(),
      el("span", { class: "count" }, size))));
  }

  solve();
  return el("div", {},
    el("h2", {}, "Take"),
    el("p", { class: "lead" }, "Two players take from one heap at a time; who takes last wins. Click how many to take: each button has the colour of what that is worth."),
    el("div", { class: "two" },
      el("div", {},
        el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); solve(); } },
          field("Heaps", heaps), field("May take (any, or 1,2,3)", takes), el("button", { type: "submit", class: "first" }, "Solve"),
          el("label", { class: "check" }, misere, "who takes last loses")),
        el("div", { class: "card" }, place)),
      el("section", { class: "card", "aria-label": "Value" }, verdict, message, list)));
}

export default { title: "Take", build };
