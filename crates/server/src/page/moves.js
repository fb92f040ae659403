// The moves of a position in groups: winning, drawing, losing, unknown; each group best first.

import { chip, el, words } from "./common.js";

const GROUPS = [["win", "Winning moves"], ["draw", "Drawing moves"], ["loss", "Losing moves"], ["invalid", "Moves of unknown value"]];

/** The groups. `make` is called with the move that is chosen. A move has a `name`, a `value` and a `distance`. */
export function moveGroups(moves, make) {
  if (moves.length === 0) return el("p", { class: "empty" }, "No move is left.");
  const best = moves[0];
  return GROUPS.map(([value, title]) => {
    const group = moves.filter((move) => move.value === value);
    if (group.length === 0) return null;
    const items = group.map((move) => el("li", {},
      el("button", { type: "button", class: "move", onclick: () => make(move), "aria-label": `${move.name}, ${words(move)}${move === best ? ", best" : ""}` },
        el("b", {}, move.name), chip(move))));
    const wide = group.some((move) => move.name.length > 12);
    return el("section", { class: "group" }, el("h3", {}, title, " ", el("span", { class: "count" }, String(group.length))),
      el("ol", { class: `moves ${wide ? "wide" : ""}`, "aria-label": `${title}, best first` }, items));
  }).filter(Boolean);
}
