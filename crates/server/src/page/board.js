// A clickable board of any game. The server sends it as data: points in the plane, lines between them, and men.

import { ahead, counted, el, fill, OPPOSITE, SIGNS, svg, words } from "./common.js";
import { drawing, isPiece } from "./pieces.js";

const UNIT = 60;

/** How a man is drawn: dark, light, or neither if he belongs to no player. */
export const shade = (board, { player }) => (player === null ? "other" : player === board.light ? "light" : "dark");

/** Whether a move may have these points among its own. The squares of a long move can be chosen in any order. */
function fits(points, chosen) {
  if (points.length > 3) return chosen.every((point) => points.includes(point));
  return chosen.length <= points.length && chosen.every((point, at) => points[at] === point);
}

/** The points that may be chosen next for a move. */
function onward(points, chosen) {
  if (points.length > 3) return points.filter((point) => !chosen.includes(point));
  return points.slice(chosen.length, chosen.length + 1);
}

/** How many points all moves share at their beginning. The player need not choose these. */
function shared(moves) {
  if (moves.length === 0) return 0;
  const [{ points: first }] = moves;
  let count = 0;
  while (count + 1 < first.length && moves.every(({ points }) => points.length > count + 1 && points[count] === first[count])) count++;
  return count;
}

export class Board {
  /** Calls `make(move)` when the user has chosen a whole move, and `say(text)` with messages. */
  constructor({ make, say }) {
    Object.assign(this, { make, say });
    this.element = el("div", { class: "drawn" });
    this.choices = el("div");
    this.flipped = false;
    this.mirrored = false;
    this.chosen = [];
  }

  /** Shows a view of the server. Without a board, or with one that is too large, nothing is drawn. */
  show(view) {
    this.board = view.board;
    this.moves = view.moves.filter(({ points }) => points.length > 0);
    this.begin = this.moves[0]?.points.slice(0, shared(this.moves)) ?? [];
    this.chosen = [...this.begin];
    fill(this.choices);
    if (!this.board) {
      fill(this.element);
      return;
    }
    this.wide = Math.max(...this.board.points.map(({ x }) => x));
    this.high = Math.max(...this.board.points.map(({ y }) => y));
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  mirror() {
    this.mirrored = !this.mirrored;
    this.draw();
  }

  /** The spot at which a point is drawn. */
  spot({ x, y }) {
    const right = this.flipped !== this.mirrored ? this.wide - x : x;
    const down = this.flipped ? this.high - y : y;
    return [(right + 0.75) * UNIT, (down + 0.75) * UNIT];
  }

  /** Whether the board has squares, and no lines between points. */
  get grid() {
    return this.board.lines.length === 0;
  }

  candidates() {
    return this.moves.filter(({ points }) => fits(points, this.chosen));
  }

  draw() {
    if (!this.board) return;
    const focused = this.element.querySelector("[data-place]:focus")?.dataset.place;
    const { points, lines } = this.board;
    const [width, height] = [(this.wide + 1.5) * UNIT, (this.high + 1.5) * UNIT];
    const open = this.candidates();
    const drawn = lines.map(([a, b]) => {
      const [[x1, y1], [x2, y2]] = [this.spot(points[a]), this.spot(points[b])];
      return svg("line", { x1, y1, x2, y2, class: "way" });
    });
    const men = points.map(() => []);
    for (const man of this.board.men) men[man.point].push(man);
    const over = [];
    const cells = points.map((point, number) => this.point(point, number, men[number], open, over));
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: `game ${this.grid ? "grid" : "points"}`, role: "group",
      "aria-label": "Board. Tab goes to it, arrow keys walk over it, Enter chooses." }, drawn, cells, over, this.names());
    picture.style.maxWidth = `max(12rem, min(${Math.min(34, Math.max(12, (width / UNIT) * 5.6))}rem, (100svh - 16rem) * ${width / height}))`;
    fill(this.element, picture);
    this.listen(picture);
    const first = picture.querySelector(`[data-place="${focused ?? this.chosen.at(-1) ?? 0}"]`);
    if (first) first.setAttribute("tabindex", 0);
    if (focused !== undefined) first?.focus();
  }

  /**
   * The contents of a point: its men, and the value of the best move that goes on here, once the choice is between targets. The label of
   * the point says the value in words. The sign that shows it is put into `over`: it is no part of what can be pressed.
   */
  point(point, number, men, open, over) {
    const [x, y] = this.spot(point);
    const chosen = this.chosen.slice(this.begin.length).includes(number);
    const leads = open.filter(({ points }) => onward(points, this.chosen).includes(number));
    const may = leads.length > 0;
    const direct = leads.every(({ points }) => points.length === this.chosen.length + 1);
    const isChoice = may && !chosen && (direct || this.chosen.length > this.begin.length);
    // The user may have hidden the values.
    const worth = isChoice && leads[0].value ? leads[0] : null;
    const parts = [];
    if (this.grid) parts.push(svg("rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: { wall: "wall", exit: "exit", dark: "cell dark" }[point.ground] ?? "cell" }));
    else parts.push(svg("circle", { cx: x, cy: y, r: 9, class: `spot ${point.ground}` }));
    parts.push(svg("circle", { cx: x, cy: y, r: this.grid ? 27 : 25, class: "mark" }));
    parts.push(...this.men(men, x, y));
    if (worth && men.length > 0) {
      over.push(svg("text", { x: x + 27, y: y - 18, class: `worth badge ${worth.value}`, "aria-hidden": "true" }, `${SIGNS[worth.value]}${worth.distance ?? ""}`));
    } else if (worth) {
      parts.push(svg("circle", { cx: x, cy: y, r: 19, class: `aim ${worth.value}` }));
      over.push(svg("text", { x, y: y + 5, class: `worth ${worth.value}`, "aria-hidden": "true" }, `${SIGNS[worth.value]}${worth.distance ?? ""}`));
    } else if (point.ground === "exit" && men.length === 0) parts.push(svg("text", { x, y: y + 5, class: "worth", "aria-hidden": "true" }, "exit"));
    const holds = men.length > 0 ? men.map(({ sign, kind }) => (kind === sign ? kind : `${sign} ${kind}`)).join(" and ") : { wall: "wall", exit: "exit" }[point.ground] ?? "empty";
    const said = [point.name, holds, chosen ? "chosen" : "", worth ? words(worth) : may ? "can be chosen" : ""].filter(Boolean).join(", ");
    return svg("g", { class: `place ${may ? "may" : ""} ${chosen ? "chosen" : ""}`, role: "button", tabindex: -1, "aria-label": said,
      "data-place": number, "data-name": point.name }, parts);
  }

  /** The men of a point, side by side if there are several. */
  men(men, x, y) {
    return men.flatMap((man, at) => {
      const [right, radius] = men.length > 1 ? [(at - (men.length - 1) / 2) * 18, 14] : [0, 20];
      const tone = shade(this.board, man);
      if (isPiece(man.kind)) return [drawing(man.kind, tone !== "dark", { x: x + right - 24, y: y - 24, width: 48, height: 48 })];
      return [svg("circle", { cx: x + right, cy: y, r: radius, class: `man ${tone}` }),
        svg("text", { x: x + right, y: y + 6, class: `letter ${tone}`, "aria-hidden": "true" }, man.sign)];
    });
  }

  /** The direction in which no line of a point is near, as a step right and down. Its name stands there. */
  aside(number) {
    const { points, lines } = this.board;
    const [x, y] = this.spot(points[number]);
    const ends = lines.flatMap(([a, b]) => (a === number ? [b] : b === number ? [a] : [])).map((end) => this.spot(points[end]));
    const angles = ends.map(([right, down]) => Math.atan2(down - y, right - x));
    const apart = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));
    const free = (angle) => Math.min(Math.PI, ...angles.map((other) => apart(angle, other)));
    // Down to the right is best, then the other corners. A long name at one side would leave the picture.
    const sides = points[number].name.length > 1 ? [2, 6] : [2, 0, 6, 4];
    const eighths = [1, 3, 7, 5, ...sides].map((eighth) => (eighth * Math.PI) / 4);
    const best = eighths.reduce((found, angle) => (free(angle) > free(found) + 0.01 ? angle : found));
    return [Math.cos(best), Math.sin(best)];
  }

  /** The names of rows and columns at the edge, or that of each point beside it. */
  names() {
    const { points, edge } = this.board;
    const name = (x, y, text) => svg("text", { x, y, class: "name", "aria-hidden": "true" }, text);
    if (!edge) {
      return points.map((point, number) => {
        const [x, y] = this.spot(point);
        if (this.grid) return name(x - 22, y + 26, point.name);
        const [right, down] = this.aside(number);
        return name(x + right * 34, y + down * 34 + 5, point.name);
      });
    }
    const [rows, columns] = edge;
    const [left] = this.spot({ x: this.flipped !== this.mirrored ? this.wide : 0, y: 0 });
    const [, low] = this.spot({ x: 0, y: this.flipped ? 0 : this.high });
    return [
      ...rows.map((text, y) => name(left - 38, this.spot({ x: 0, y })[1] + 4, text)),
      ...columns.map((text, x) => name(this.spot({ x, y: 0 })[0], low + 43, text)),
    ];
  }

  listen(picture) {
    const of = (target) => target.closest?.("[data-place]");
    picture.addEventListener("click", (event) => {
      const place = of(event.target);
      if (place) this.press(Number(place.dataset.place));
    });
    picture.addEventListener("keydown", (event) => {
      const place = of(event.target);
      if (!place) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.press(Number(place.dataset.place));
      } else if (event.key === "Escape") {
        this.chosen = [...this.begin];
        fill(this.choices);
        this.draw();
      } else if (event.key.startsWith("Arrow") && event.target.matches(":focus-visible")) {
        event.preventDefault();
        this.walk(Number(place.dataset.place), event.key);
      }
    });
  }

  press(number) {
    const leads = (chosen) => this.moves.some(({ points }) => fits(points, chosen) && onward(points, chosen).includes(number));
    const begin = this.begin;
    if (leads(this.chosen)) this.chosen.push(number);
    else if (this.chosen.slice(begin.length).includes(number)) this.chosen = [...begin];
    else if (leads(begin)) this.chosen = [...begin, number];
    else {
      this.chosen = [...begin];
      this.say(`no move touches ${this.board.points[number].name}`);
    }
    this.choose(number);
  }

  /** Makes the move if all its points are chosen. If several moves have these points, offers them. */
  choose(number) {
    const open = this.chosen.length > this.begin.length ? this.candidates() : [];
    // A move that may be followed by more ends with its last point twice.
    const whole = ({ points }) => new Set(points).size === new Set(this.chosen).size && points.length <= this.chosen.length + 1 && fits(points, this.chosen);
    const full = open.filter(({ points }) => (points.length === this.chosen.length) || (points.length > 3 && whole({ points })));
    if (open.length === 1 && full.length === 1) {
      this.make(full[0]);
      return;
    }
    fill(this.choices, full.length === 0 ? null : el("div", { class: "row", role: "group", "aria-label": "Moves chosen" },
      full.map((move) => el("button", { type: "button", onclick: () => this.make(move) }, move.name))));
    this.draw();
    if (open.length) this.say(`${this.board.points[number].name} chosen, ${counted(open.length, "move")}`);
  }

  /** The nearest point in a direction, as drawn. */
  walk(from, key) {
    const best = ahead(this.board.points.map((point) => this.spot(point)), from, key);
    if (best === undefined) return;
    for (const place of this.element.querySelectorAll("[data-place]")) place.setAttribute("tabindex", -1);
    const to = this.element.querySelector(`[data-place="${best}"]`);
    to.setAttribute("tabindex", 0);
    to.focus();
  }
}

/** A move of a view: its name, its value for the player who makes it, and the state after it. */
export function stopOf(move) {
  return { state: move.to, name: move.name, value: OPPOSITE[move.value], distance: move.distance ? move.distance - 1 : null };
}
