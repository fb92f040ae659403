// How many states are won and lost at each distance, as bars; and the counts of each side.

import { el, svg } from "./common.js";

const number = (count) => count.toLocaleString("en");

/** Bars of wins above the axis and of losses below it; the height is the logarithm, for counts differ by powers of ten. */
function histogram(levels) {
  if (levels.length === 0) return null;
  const [width, tall] = [640, 180];
  const longest = levels.at(-1)[0];
  // Neighbouring distances share a bar where there are more than fit.
  const each = Math.ceil((longest + 1) / 160);
  const bars = Array.from({ length: Math.floor(longest / each) + 1 }, () => [0, 0]);
  for (const [distance, wins, losses] of levels) {
    const bar = bars[Math.floor(distance / each)];
    bar[0] += wins;
    bar[1] += losses;
  }
  const size = (count) => Math.log10(1 + count);
  const [won, lost] = [0, 1].map((side) => size(Math.max(...bars.map((bar) => bar[side]))));
  // One scale for both; each side of the axis is only as high as its highest bar.
  const unit = tall / Math.max(won + lost, 0.1);
  const axis = 10 + won * unit;
  const step = (width - 2) / bars.length;
  const drawn = bars.flatMap(([wins, losses], place) => [[wins, "win", -1], [losses, "loss", 1]].map(([count, value, side]) => {
    const high = size(count) * unit;
    const distance = each === 1 ? `${place}` : `${place * each} to ${place * each + each - 1}`;
    return count === 0 ? null : svg("rect", { class: `bar ${value}`, x: 1 + place * step, y: side < 0 ? axis - high : axis + 2,
      width: Math.max(1, step * 0.86), height: high }, svg("title", {}, `${number(count)} ${value === "win" ? "wins" : "losses"} in ${distance} plies`));
  })).filter(Boolean);
  const label = (x, text, anchor) => svg("text", { x, y: tall + 36, "text-anchor": anchor }, text);
  const said = `Wins and losses by distance, up to ${longest} plies`;
  return el("figure", {},
    svg("svg", { class: "histogram", viewBox: `0 0 ${width} ${tall + 42}`, role: "img", "aria-label": said },
      drawn, svg("line", { x1: 0, x2: width, y1: axis + 1, y2: axis + 1, class: "axis" }),
      label(2, "0", "start"), label(width / 2, "plies to the end", "middle"), label(width - 2, String(longest), "end")),
    el("figcaption", { class: "lead" }, "Wins above the line, losses below; heights are logarithms."));
}

/** A table of the counts of each side. */
function counts(sides) {
  const sides = Object.entries(sides);
  if (sides.length === 0) return null;
  const cell = (count) => el("td", { class: "number" }, number(count));
  const head = ["to move", "wins", "draws", "losses"].map((text, place) => el("th", { scope: "col", class: place ? "number" : "" }, text));
  const rows = sides.map(([side, { win, draw, loss }]) => el("tr", {}, el("th", { scope: "row" }, side), cell(win), cell(draw), cell(loss)));
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Counts" },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
}

/** Histogram, counts and longest wins of a game or table. `levels`, `sides` and `states` are as the server says them. */
export function explorer({ levels, sides, states, at }) {
  return el("div", { class: "explorer" }, el("div", {}, histogram(levels), counts(sides)), el("div", {}, longestWins(states, at)));
}

/** The longest wins, each a link to its position. */
function longestWins(states, at) {
  if (states.length === 0) return null;
  return [el("h3", {}, "Longest wins"),
    el("ol", { class: "longest" }, states.map(({ state, distance }) => el("li", {}, el("a", { href: at(state) }, state), ` win in ${distance}`)))];
}
