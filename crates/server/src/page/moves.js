// The moves of a position in groups: winning, drawing, losing, unknown; each group best first.

import { chip, el, fill, problem, words } from "./common.js";

/** Without values, all moves are one group, by name. */
const HIDDEN = [[undefined, "Moves"]];
const GROUPS = [
  ["win", "Winning moves"],
  ["draw", "Drawing moves"],
  ["loss", "Losing moves"],
  ["invalid", "Moves of unknown value"],
];

/**
 * Why each move is worth what it says: the best answer to it. `look(state)` returns the view of a state. It is asked once this comes
 * into sight.
 */
export function reasons(moves, look) {
  const list = el("ol", { class: "reasons", "aria-label": "The best answer to each move" }, el("li", {}, "Reading …"));
  async function show() {
    try {
      const after = await Promise.all(moves.map(({ to }) => look(to)));
      fill(
        list,
        moves.map((move, at) => {
          const [answer] = after[at].moves;
          return el("li", {}, el("b", {}, move.name), answer ? [", then ", el("b", {}, answer.move)] : " ends the game", ": ", chip(move));
        }),
      );
    } catch (error) {
      fill(list, el("li", {}, problem(error)));
    }
  }
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      show();
    },
    { rootMargin: "9999px" },
  );
  seen.observe(list);
  return list;
}

/**
 * The moves in groups. `make` is called with the chosen move, and `point` with the one under the pointer or the focus. A move has a
 * `name`, a `value` and a `distance`. The Tab key stops at one move; the arrow keys up and down move through all of them.
 */
export function moveList(moves, make, point = (/** @type {any} */ _move) => {}) {
  if (moves.length === 0) return el("p", { class: "empty" }, "No move is left.");
  const best = moves[0];
  const place = el("div", { class: "groups" });
  fill(place, groups(moves, best, make));
  const buttons = [...place.querySelectorAll("button")];
  const ordered = shownOrder(moves);
  const rove = (to) =>
    buttons.forEach((button, at) => {
      button.tabIndex = at === to ? 0 : -1;
    });
  const of = (event) => buttons.indexOf(event.target.closest(".move"));
  rove(0);
  for (const name of ["focusin", "pointerover"]) {
    place.addEventListener(name, (event) => {
      if (of(event) < 0) return;
      if (name === "focusin") rove(of(event));
      point(ordered[of(event)]);
    });
  }
  for (const name of ["focusout", "pointerleave"]) place.addEventListener(name, () => point(null));
  place.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
    const to = buttons[of(event) + step];
    if (!to || step === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    to.focus();
  });
  return place;
}

/** The moves in the order of their groups. */
const shownOrder = (moves) => (moves[0].hidden ? HIDDEN : GROUPS).flatMap(([value]) => moves.filter((move) => move.value === value));

function groups(moves, best, make) {
  return (best.hidden ? HIDDEN : GROUPS)
    .map(([value, title]) => {
      const group = moves.filter((move) => move.value === value);
      if (group.length === 0) return null;
      const told = (move) => (best.hidden ? move.name : `${move.name}, ${words(move)}${move === best ? ", best" : ""}`);
      const items = group.map((move) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "move", onclick: () => make(move) },
            el("b", { "aria-hidden": "true" }, move.name),
            best.hidden ? null : chip(move, true),
            el("span", { class: "hidden" }, told(move)),
          ),
        ),
      );
      return el(
        "section",
        { class: "group" },
        el("h3", {}, title, " ", el("span", { class: "count" }, String(group.length))),
        el("ol", { class: "moves", "aria-label": best.hidden ? title : `${title}, best first` }, items),
      );
    })
    .filter(Boolean);
}
