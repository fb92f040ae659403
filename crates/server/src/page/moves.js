// The moves of a position in groups: winning, drawing, losing, unknown; each group best first.

import { chip, el, fill, problem, words } from "./common.js";

/** Without values, all moves are one group, by name. */
const HIDDEN = [[undefined, "Moves"]];
const GROUPS = [["win", "Winning moves"], ["draw", "Drawing moves"], ["loss", "Losing moves"], ["invalid", "Moves of unknown value"]];

/**
 * Why each move is worth what it says: the best answer to it. `look(state)` returns the view of a state. It is asked once the user wants
 * to know.
 */
export function reasons(moves, look) {
  const list = el("ol", { class: "reasons", "aria-label": "The best answer to each move" });
  let asked = false;
  async function show(event) {
    if (asked || !event.currentTarget.open) return;
    asked = true;
    fill(list, el("li", {}, "Reading …"));
    try {
      const after = await Promise.all(moves.map(({ to }) => look(to)));
      fill(list, moves.map((move, at) => {
        const [answer] = after[at].moves;
        return el("li", {}, el("b", {}, move.name), answer ? [", then ", el("b", {}, answer.move)] : " ends the game", ": ", chip(move));
      }));
    } catch (error) {
      asked = false;
      fill(list, el("li", {}, problem(error)));
    }
  }
  return el("details", { class: "why", ontoggle: show }, el("summary", {}, "Why?"), list);
}

/**
 * The groups. `make` is called with the chosen move. A move has a `name`, a `value` and a `distance`. The Tab key stops at one
 * move; the arrow keys up and down move through all of them.
 */
export function moveGroups(moves, make) {
  if (moves.length === 0) return el("p", { class: "empty" }, "No move is left.");
  const best = moves[0];
  const place = el("div", { class: "groups" });
  fill(place, groups(moves, best, make));
  const buttons = [...place.querySelectorAll(".move")];
  const rove = (to) => buttons.forEach((button, at) => { button.tabIndex = at === to ? 0 : -1; });
  rove(0);
  place.addEventListener("focusin", (event) => rove(buttons.indexOf(event.target)));
  place.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const to = buttons[buttons.indexOf(event.target) + step];
    if (!to || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    to.focus();
  });
  return place;
}

function groups(moves, best, make) {
  return (best.hidden ? HIDDEN : GROUPS).map(([value, title]) => {
    const group = moves.filter((move) => move.value === value);
    if (group.length === 0) return null;
    const told = (move) => (best.hidden ? move.name : `${move.name}, ${words(move)}${move === best ? ", best" : ""}`);
    const items = group.map((move) => el("li", {},
      el("button", { type: "button", class: "move", onclick: () => make(move) },
        el("b", { "aria-hidden": "true" }, move.name), best.hidden ? null : chip(move, true), el("span", { class: "hidden" }, told(move)))));
    const wide = group.some((move) => move.name.length > 9);
    return el("section", { class: "group" }, el("h3", {}, title, " ", el("span", { class: "count" }, String(group.length))),
      el("ol", { class: `moves ${wide ? "wide" : ""}`, "aria-label": best.hidden ? title : `${title}, best first` }, items));
  }).filter(Boolean);
}
