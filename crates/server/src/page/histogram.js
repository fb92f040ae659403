// How many states are won and lost at each distance, as bars; and the counts of each side.

import { counted, el, plies, svg } from "./common.js";

const number = (count) => count.toLocaleString("en");

/** `950`, `1.2k`, `80k`, `3M`: as long as the space above a bar allows. */
function short(count) {
  /** @type {[number, string]} */
  const [unit, sign] = count >= 999_500 ? [1e6, "M"] : count >= 1000 ? [1e3, "k"] : [1, ""];
  const cut = count / unit;
  return `${cut < 9.95 && unit > 1 ? Number(cut.toFixed(1)) : Math.round(cut)}${sign}`;
}

/** A round number for about so many steps of the axis: 1, 2 or 5 times a power of ten. */
function stepOf(longest, most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, longest / most)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => longest / step <= most) ?? longest;
}

/** Bars of wins above the axis and of losses below it. The height is a logarithm, because counts differ by powers of ten. */
function histogram(levels) {
  if (levels.length === 0) return null;
  // Letters keep their size on a narrow page, so the picture is narrow too.
  const narrow = matchMedia("(max-width: 52rem)").matches;
  const [width, left, tall] = [narrow ? 340 : 640, 40, 180];
  const longest = levels.at(-1)[0];
  // If there are too many distances, neighbouring ones share a bar.
  const each = Math.ceil((longest + 1) / (narrow ? 90 : 160));
  const bars = Array.from({ length: Math.floor(longest / each) + 1 }, () => [0, 0]);
  for (const [distance, wins, losses] of levels) {
    const bar = bars[Math.floor(distance / each)];
    bar[0] += wins;
    bar[1] += losses;
  }
  const size = (count) => Math.log10(1 + count);
  /** @type {number[]} */
  const most = [0, 1].map((side) => Math.max(...bars.map((bar) => bar[side])));
  const [won, lost] = most.map(size);
  // One scale for both sides of the axis. Each side is only as high as its highest bar.
  const unit = tall / Math.max(won + lost, 0.1);
  const axis = 22 + won * unit;
  const step = (width - left - 2) / bars.length;
  const numbered = step >= 30;
  const text = (x, y, anchor, said, kind = "") => svg("text", { x, y, "text-anchor": anchor, class: kind }, said);
  /** The bar of a value, above the axis or below it. */
  const bar = (count, value, side, place) => {
    const high = size(count) * unit;
    if (count === 0) return null;
    const span = each === 1 ? plies(place) : `${place * each} to ${place * each + each - 1} plies`;
    const x = left + 1 + place * step;
    const drawn = svg(
      "rect",
      { class: `bar ${value}`, x, y: side < 0 ? axis - high : axis + 2, width: Math.max(1, step * 0.86), height: high },
      svg("title", {}, `${counted(count, value === "win" ? "win" : "loss", value === "win" ? "wins" : "losses")} in ${span}`),
    );
    return numbered
      ? [drawn, text(x + step * 0.43, side < 0 ? axis - high - 4 : axis + high + 14, "middle", short(count), "number")]
      : drawn;
  };
  const drawn = bars
    .flatMap(([wins, losses], place) => [bar(wins, "win", -1, place), bar(losses, "loss", 1, place)])
    .flat()
    .filter(Boolean);
  // Powers of ten, on both sides of the axis.
  const grid = most
    .flatMap((count, at) =>
      [1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]
        .filter((power) => power <= count)
        .map((power, place, all) => {
          const y = at === 0 ? axis - size(power) * unit : axis + 2 + size(power) * unit;
          const labelled = (place === all.length - 1 || size(10) * unit > 15) && !(power === 1 && size(1) * unit < 9);
          return [
            svg("line", { x1: left, x2: width, y1: y, y2: y, class: "grid" }),
            labelled ? text(left - 4, y + 4, "end", short(power)) : null,
          ];
        }),
    )
    .flat()
    .filter(Boolean);
  const below = axis + 2 + lost * unit + (numbered ? 34 : 18);
  const tick = stepOf(longest, narrow ? 5 : 10);
  const ticks = Array.from({ length: Math.floor(longest / tick) + 1 }, (_, at) => at * tick).map((distance) =>
    text(left + 1 + (distance / each + 0.43) * step, below, distance === 0 ? "start" : "middle", String(distance)),
  );
  const said = `Wins and losses by distance, up to ${plies(longest)}`;
  return el(
    "figure",
    {},
    svg(
      "svg",
      { class: "histogram", viewBox: `0 0 ${width} ${below + 20}`, role: "img", "aria-label": said },
      grid,
      drawn,
      svg("line", { x1: left, x2: width, y1: axis + 1, y2: axis + 1, class: "axis" }),
      ticks,
      text(width - 2, below + 16, "end", "plies to the end"),
    ),
    el("figcaption", { class: "lead" }, "Wins above the line, losses below; heights are logarithms."),
    numbers(levels),
  );
}

/** The same in numbers. */
function numbers(levels) {
  const head = ["plies", "wins", "losses"].map((text) => el("th", { scope: "col", class: "number" }, text));
  const rows = levels.map((level) =>
    el(
      "tr",
      {},
      level.map((count, at) => el(at ? "td" : "th", { class: "number", scope: at ? null : "row" }, number(count))),
    ),
  );
  return el(
    "details",
    { class: "numbers" },
    el("summary", {}, "The numbers of all bars"),
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Numbers of all bars" },
      el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
    ),
  );
}

/** A table of the counts of each side. */
function counts(sides) {
  const entries = Object.entries(sides);
  if (entries.length === 0) return null;
  const cell = (count) => el("td", { class: "number" }, number(count));
  const head = ["to move", "wins", "draws", "losses"].map((text, place) => el("th", { scope: "col", class: place ? "number" : "" }, text));
  const rows = entries.map(([side, { win, draw, loss }]) =>
    el("tr", {}, el("th", { scope: "row" }, side), cell(win), cell(draw), cell(loss)),
  );
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Counts" },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
  );
}

/** Histogram and counts of a game or table. `levels` and `sides` come from the server. */
export function explorer({ levels, sides }) {
  return el("div", { class: "explorer" }, el("div", {}, histogram(levels)), el("div", {}, counts(sides)));
}

/** The longest wins, each a link to its position. */
export function longestWins(states, at) {
  if (states.length === 0) return el("p", { class: "empty" }, "No position is won.");
  return el(
    "ol",
    { class: "longest" },
    states.map(({ state, distance }) => el("li", {}, el("a", { href: at(state) }, state), ` win in ${distance}`)),
  );
}
