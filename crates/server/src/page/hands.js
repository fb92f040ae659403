// The men that the players still have in hand.

import { counted, el, fill, svg } from "./common.js";
import { side } from "./picture.js";

/** Draws them. If a game once had some, the space stays, so that nothing below moves up. */
export function hands(place, hand) {
  if (hand?.length > 0) place.hidden = false;
  if (place.hidden) return;
  const rows = (hand ?? []).map(([letter, men]) => {
    const drawn = Array.from({ length: men }, (_, at) => svg("circle", { cx: 12 + at * 22, cy: 12, r: 9, class: `man ${side(letter)}` }));
    const wide = Math.max(1, men) * 22 + 2;
    return el("span", { class: "hand" },
      svg("svg", { viewBox: `0 0 ${wide} 24`, width: wide, height: 24, class: "game in-hand", role: "img", "aria-label": `${letter}: ${counted(men, "man", "men")} in hand` }, drawn),
      el("span", { "aria-hidden": "true" }, `${letter} ${men}`));
  });
  fill(place, el("span", {}, rows.length > 0 ? "In hand" : "No man in hand"), rows);
}
