// The men that the players still have in hand.

import { counted, el, fill, svg } from "./common.js";
import { shade } from "./board.js";

/** Draws the hands of a board. If a game once had some, the space stays, so that nothing below moves up. */
export function hands(place, board) {
  const hands = board?.hands ?? [];
  if (hands.length > 0) place.hidden = false;
  if (place.hidden) return;
  const rows = hands.map((hand) => {
    const { sign, count } = hand;
    const drawn = Array.from({ length: count }, (_, at) =>
      svg("circle", { cx: 12 + at * 22, cy: 12, r: 9, class: `man ${shade(board, hand)}` }),
    );
    const wide = Math.max(1, count) * 22 + 2;
    return el(
      "span",
      { class: "hand" },
      svg(
        "svg",
        {
          viewBox: `0 0 ${wide} 24`,
          width: wide,
          height: 24,
          class: "game in-hand",
          role: "img",
          "aria-label": `${sign}: ${counted(count, "man", "men")} in hand`,
        },
        drawn,
      ),
      el("span", { "aria-hidden": "true" }, `${sign} ${count}`),
    );
  });
  fill(place, el("span", {}, rows.length > 0 ? "In hand" : "No man in hand"), rows);
}
