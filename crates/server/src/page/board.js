// A clickable board of any game. The server sends it as data: points in the plane, lines between them, and men.

import { ahead, counted, el, fill, OPPOSITE, patch, SIGNS, svg, words } from "./common.js";
import { drawing, isPiece } from "./pieces.js";

/**
 * @typedef {import("asked").Board} BoardData
 * @typedef {import("asked").View} View
 * @typedef {Partial<View["moves"][number]> & { points: number[], to: string, name?: string }} Move
 * @typedef {BoardData["men"][number]} Man
 * @typedef {import("asked").Worth} Worth
 * @typedef {{ worths: Map<string, Worth>, longest: number, edges?: number[][] }} Shades
 */

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
  /**
   * Calls `make(move)` when the user has chosen a whole move, and `say(text)` with messages. With `paint`, a pressed point, and each one
   * that a pressed pointer enters, is painted instead of chosen.
   *
   * @param {{ make?: (move: Move) => any, say?: (text: string) => any, label?: string }} tools
   */
  constructor({ make = () => {}, say = () => {}, label = "Board. Tab goes to it, arrow keys walk over it, Enter chooses." }) {
    this.make = make;
    this.say = say;
    this.label = label;
    /** @type {((point: number, isDragged: boolean) => any) | null} */
    this.paint = null;
    /** Where a man was dropped that the user has dragged: he is there already. @type {number | null} */
    this.carried = null;
    /** Where a dragged man is dropped, if it is no move. @type {((from: number, to: number | null) => any) | null} */
    this.drop = null;
    this.element = el("div", { class: "drawn" });
    this.choices = el("div");
    this.flipped = false;
    this.mirrored = false;
    /** The points that the user has chosen for a move. @type {number[]} */
    this.chosen = [];
    /** The points of a move that an arrow shows. @type {number[]} */
    this.shown = [];
    /** @type {Move[]} */
    this.moves = [];
    /** @type {number[]} */
    this.begin = [];
    /** @type {BoardData | null} */
    this.board = null;
    this.wide = 0;
    this.high = 0;
    /** @type {Shades | null} */
    this.shades = null;
    this.listen();
    new ResizeObserver(() => this.scale()).observe(this.element);
  }

  /**
   * Shows a view of the server. Without a board, or with one that is too large, nothing is drawn.
   *
   * @param {{ board: BoardData | null, moves: Move[], shades?: Shades | null }} view
   */
  show(view) {
    const before = this.board;
    this.board = view.board;
    this.shades = view.shades ?? null;
    this.moves = view.moves.filter(({ points }) => points.length > 0);
    this.begin = this.moves[0]?.points.slice(0, shared(this.moves)) ?? [];
    this.chosen = [...this.begin];
    this.shown = [];
    fill(this.choices);
    if (!this.board) {
      fill(this.element);
      return;
    }
    this.wide = Math.max(...this.board.points.map(({ x }) => x));
    this.high = Math.max(...this.board.points.map(({ y }) => y));
    this.draw();
    for (const [from, to] of moved(before, this.board)) if (to !== this.carried) this.slide(from, to);
    this.carried = null;
  }

  /** What is drawn of the men of a point. */
  drawnMen(point) {
    return [...this.element.querySelectorAll(`[data-place="${point}"] :is(.man, .letter, .piece)`)];
  }

  /** Copies of them. */
  copies(point) {
    return /** @type {SVGElement[]} */ (this.drawnMen(point).map((part) => part.cloneNode(true)));
  }

  /** Lets the men of a point arrive there from another one. */
  slide(from, to) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [[left, top], [right, low]] = [from, to].map((point) => this.spot(this.points[point]));
    const moving = svg("g", {}, this.copies(to));
    this.element.querySelector("svg")?.append(moving);
    for (const part of this.drawnMen(to)) part.animate({ opacity: [0, 0] }, 120);
    const way = { transform: [`translate(${left - right}px, ${top - low}px)`, "none"] };
    moving.animate(way, { duration: 120, easing: "ease-out" }).onfinish = () => moving.remove();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  mirror() {
    this.mirrored = !this.mirrored;
    this.draw();
  }

  /** The spot at which a point is drawn. @returns {[number, number]} */
  spot({ x, y }) {
    const right = this.flipped !== this.mirrored ? this.wide - x : x;
    const down = this.flipped ? this.high - y : y;
    return [(right + 0.75) * this.unit, (down + 0.75) * this.unit];
  }

  get points() {
    return this.board?.points ?? [];
  }

  /** How far neighbours are apart. Men keep their size, so a small board of points has longer lines. */
  get unit() {
    return this.grid ? UNIT : Math.max(UNIT, Math.min(110, 520 / (Math.max(this.wide, this.high) + 1.5)));
  }

  /** Whether the board has squares, and no lines between points. */
  get grid() {
    return this.board?.lines.length === 0;
  }

  candidates() {
    return this.moves.filter(({ points }) => fits(points, this.chosen));
  }

  draw() {
    if (!this.board) return;
    const { points, lines } = this.board;
    const last = /** @type {HTMLElement | null} */ (this.element.querySelector('[tabindex="0"]'))?.dataset.place;
    // Long names of rows stand left of the board, and letters of columns reach below their line.
    const longest = Math.max(0, ...(this.board.edge?.[0] ?? []).map((name) => name.length));
    const [left, below] = longest > 0 ? [14 * longest - 6, 6] : [0, 0];
    const [width, height] = [(this.wide + 1.5) * this.unit + left, (this.high + 1.5) * this.unit + below];
    const open = this.candidates();
    const ways = this.shades?.edges ?? lines;
    const drawn = ways.map(([a, b]) =>
      this.shades?.edges
        ? svg("path", { d: bent(this.spot(points[a]), this.spot(points[b])), class: "way", "marker-end": "url(#head)" })
        : svg("path", { d: `M${this.spot(points[a])} L${this.spot(points[b])}`, class: "way" }),
    );
    /** @type {Man[][]} */
    const men = points.map(() => []);
    for (const man of this.board.men) men[man.point].push(man);
    const over = [];
    const cells = points.map((point, number) => this.point(point, number, men[number], open, over));
    const picture = svg(
      "svg",
      { viewBox: `${-left} 0 ${width} ${height}`, class: `game ${this.grid ? "grid" : "points"}`, role: "group", "aria-label": this.label },
      [drawn, cells, over, this.names(), svg("path", { class: "arrow", "marker-end": "url(#point)" })].map((layer) => svg("g", {}, layer)),
    );
    picture.style.maxWidth = `max(12rem, min(640px, (100svh - 160px) * ${width / height}))`;
    picture.querySelector(`[data-place="${this.chosen.at(-1) ?? last ?? 0}"]`)?.setAttribute("tabindex", "0");
    const old = this.element.querySelector("svg");
    if (old) patch(old, picture);
    else fill(this.element, picture);
    this.scale();
    this.hint(this.shown);
  }

  /** Signs have the same size on the screen, however large the board is: tells the style how long a pixel is on the board. */
  scale() {
    const picture = this.element.querySelector("svg");
    const wide = picture?.getBoundingClientRect().width;
    if (picture && wide) picture.style.setProperty("--pixel", `${(picture.viewBox.baseVal.width / wide).toFixed(3)}px`);
  }

  /** Shows a move by an arrow; none without points. @param {number[]} points */
  hint(points) {
    this.shown = points;
    if (!this.board) return;
    const spots = points.map((point) => this.spot(this.points[point]));
    const [[x, y]] = [...spots, [0, 0]];
    const way = spots.length > 1 ? `M${spots.join(" L")}` : spots.length === 1 ? `M${x} ${y - 50} L${x} ${y - 22}` : "";
    this.element.querySelector(".arrow")?.setAttribute("d", way);
  }

  /**
   * The contents of a point: its men, and the value of the best move that goes on here, once the choice is between targets. The label of
   * the point says the value in words. The sign that shows it is put into `over`: it is no part of what can be pressed.
   */
  point(point, number, men, open, over) {
    const [x, y] = this.spot(point);
    const chosen = this.chosen.slice(this.begin.length).includes(number);
    const leads = open.filter(({ points }) => onward(points, this.chosen).includes(number));
    const may = leads.length > 0 && !this.paint;
    const direct = leads.every(({ points }) => points.length === this.chosen.length + 1);
    const isChoice = may && !chosen && (direct || this.chosen.length > this.begin.length);
    // The user may have hidden the values.
    const worth = isChoice && leads[0].value ? leads[0] : null;
    const shade = worth || point.ground === "wall" ? null : (this.shades?.worths.get(point.name) ?? null);
    const deep =
      shade?.distance !== null && shade?.distance !== undefined ? 62 * (1 - shade.distance / Math.max(1, this.shades?.longest ?? 1)) : 0;
    const tint = shade ? `shade ${shade.value}` : "";
    const said = worth ?? shade;
    const parts = [];
    if (this.grid) {
      const kind = { wall: "wall", exit: "exit", dark: "cell dark" }[point.ground] ?? "cell";
      parts.push(svg("rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: `${kind} ${tint}` }));
      if (kind === "exit")
        parts.push(svg("rect", { x: x - UNIT / 2 + 3, y: y - UNIT / 2 + 3, width: UNIT - 6, height: UNIT - 6, class: "frame" }));
    } else parts.push(svg("circle", { cx: x, cy: y, r: shade ? 20 : 9, class: `spot ${point.ground} ${tint}` }));
    if (shade) parts[0].style.setProperty("--deep", deep.toFixed(0));
    parts.push(svg("circle", { cx: x, cy: y, r: this.grid ? 27 : 25, class: "mark" }));
    parts.push(...this.men(men, x, y));
    const sign = said ? `${SIGNS[said.value]}${said.distance ?? ""}` : "";
    const text = (at, up, kind) => svg("text", { x: at, y: up, class: kind, "data-length": sign.length, "aria-hidden": "true" }, sign);
    if (worth) {
      const [right, up] = men.length > 0 ? [x + 16, y - 16] : [x, y];
      over.push(svg("circle", { cx: right, cy: up, r: 15, class: `aim ${worth.value}` }), text(right, up, `worth disc ${worth.value}`));
      // Several moves end here, and this is the best of them.
      if (direct && leads.length > 1) over.push(svg("circle", { cx: right, cy: up, r: 4, class: "more" }));
    } else if (shade && men.length === 0) over.push(text(x, y, "worth"));
    else if (point.ground === "exit" && men.length === 0)
      parts.push(svg("text", { x, y: y + 5, class: "ground", "aria-hidden": "true" }, "exit"));
    const holds =
      men.length > 0
        ? [...new Set(men.map(({ kind }) => kind))].map((kind) => holders(men, kind)).join(" and ")
        : ({ wall: "wall", exit: "exit" }[point.ground] ?? "empty");
    const label = [point.name, holds, chosen ? "chosen" : "", said ? words(said) : "", may && !worth ? "can be chosen" : ""]
      .filter(Boolean)
      .join(", ");
    return svg(
      "g",
      {
        class: `place ${may && !worth ? "may open" : may ? "may" : ""} ${chosen ? "chosen" : ""} ${men.length ? "held" : ""}`,
        role: "button",
        tabindex: -1,
        "aria-label": label,
        "data-place": number,
        "data-name": point.name,
      },
      parts,
    );
  }

  /** The men of a point, side by side if there are several. @param {Man[]} men @returns {SVGElement[]} */
  men(men, x, y) {
    return men.flatMap((man, at) => {
      /** @type {[number, number]} */
      const [right, radius] = men.length > 1 ? [(at - (men.length - 1) / 2) * 18, 14] : [0, 20];
      const tone = shade(this.board, man);
      if (isPiece(man.kind))
        return /** @type {SVGElement[]} */ ([drawing(man.kind, tone !== "dark", { x: x + right - 27, y: y - 27, width: 54, height: 54 })]);
      return [
        svg("circle", { cx: x + right, cy: y, r: radius, class: `man ${tone}` }),
        svg("text", { x: x + right, y: y + 6, class: `letter ${tone}`, "aria-hidden": "true" }, man.sign),
      ];
    });
  }

  /** The direction in which no line of a point is near, as a step right and down. Its name stands there. */
  aside(number) {
    const { points, lines } = /** @type {BoardData} */ (this.board);
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
    const { points, edge } = /** @type {BoardData} */ (this.board);
    const name = (x, y, text, anchor = "") => svg("text", { x, y, class: `name ${anchor}`, "aria-hidden": "true" }, text);
    if (!edge) {
      return points.map((point, number) => {
        const [x, y] = this.spot(point);
        if (this.grid) return name(x - 22, y + 26, point.name);
        const [right, down] = this.aside(number);
        const anchor = point.name.length < 2 ? "" : right > 0.5 ? "begin" : right < -0.5 ? "end" : "";
        return name(x + right * (anchor ? 24 : 34), y + down * 34 + 5, point.name, anchor);
      });
    }
    const [rows, columns] = edge;
    const [left] = this.spot({ x: this.flipped !== this.mirrored ? this.wide : 0, y: 0 });
    const [, low] = this.spot({ x: 0, y: this.flipped ? 0 : this.high });
    return [
      ...rows.map((text, y) => name(left - 33, this.spot({ x: 0, y })[1] + 4, text, "end")),
      ...columns.map((text, x) => name(this.spot({ x, y: 0 })[0], low + 45, text)),
    ];
  }

  /** The number of the point at an event. */
  at({ target }) {
    const place = target instanceof Element ? target.closest("[data-place]") : null;
    return place && this.element.contains(place) ? Number(/** @type {SVGElement} */ (place).dataset.place) : null;
  }

  listen() {
    const { element } = this;
    element.addEventListener("click", (event) => {
      const number = this.at(event);
      // The click after a drag must not undo the drag.
      if (number !== null && !this.dragged) this.press(number);
      this.dragged = false;
    });
    element.addEventListener("keydown", (event) => {
      const number = this.at(event);
      if (number === null) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.press(number);
      } else if (event.key === "Escape") {
        this.chosen = [...this.begin];
        fill(this.choices);
        this.draw();
      } else if ((event.key === "Delete" || event.key === "Backspace") && this.drop) {
        event.preventDefault();
        this.drop(number, null);
      } else if (event.key.startsWith("Arrow") && /** @type {Element} */ (event.target).matches(":focus-visible")) {
        event.preventDefault();
        this.walk(number, event.key);
      }
    });
    element.addEventListener("pointerdown", (event) => {
      const from = this.at(event);
      // A finger that moves scrolls the page. It acts by a tap, which is a click.
      if (from === null || event.button !== 0 || event.pointerType === "touch") return;
      this.dragged = false;
      if (this.paint) this.stroke(from);
      else this.grab(from, event);
    });
  }

  /** Paints each point that the pressed pointer enters. */
  stroke(from) {
    let last = from;
    const enter = (event) => {
      const to = this.at({ target: document.elementFromPoint(event.clientX, event.clientY) });
      if (to === null || to === last) return;
      if (last === from && !this.dragged) this.paint?.(from, true);
      this.dragged = true;
      last = to;
      this.paint?.(to, true);
    };
    until(document, "pointermove", enter, () => {});
  }

  /** Drags a man. The drag begins after the pointer has moved a few pixels. */
  grab(from, begun) {
    const man = this.element.querySelector(`[data-place="${from}"].held`);
    if (!man) return;
    /** @type {SVGElement | null} */
    let ghost = null;
    const spot = this.spot(this.points[from]);
    until(
      document,
      "pointermove",
      (event) => {
        if (!ghost) {
          if (Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY) < 6) return;
          if (!this.chosen.includes(from) && !this.drop) this.press(from);
          const size = (man.getBoundingClientRect().width || UNIT) + 8;
          ghost = svg(
            "svg",
            { class: "dragged game", viewBox: `${spot[0] - 32} ${spot[1] - 32} 64 64`, width: size, height: size },
            this.copies(from),
          );
          document.body.append(ghost);
        }
        if (!ghost) return;
        ghost.style.left = `${event.clientX}px`;
        ghost.style.top = `${event.clientY}px`;
      },
      (event) => {
        if (!ghost) return;
        ghost.remove();
        this.dragged = true;
        // A click only follows if the pointer went down and up on one element.
        setTimeout(() => {
          this.dragged = false;
        }, 0);
        const to = this.at({ target: document.elementFromPoint(event.clientX, event.clientY) });
        if (event.type === "pointercancel" || to === from) return;
        this.carried = to;
        if (this.drop) this.drop(from, to);
        else if (to !== null) this.press(to);
      },
    );
  }

  /** The user presses a point. @param {number} number */
  press(number) {
    if (this.paint) {
      this.paint(number, false);
      return;
    }
    const leads = (chosen) => this.moves.some(({ points }) => fits(points, chosen) && onward(points, chosen).includes(number));
    const begin = this.begin;
    if (leads(this.chosen)) this.chosen.push(number);
    else if (this.chosen.slice(begin.length).includes(number)) this.chosen = [...begin];
    else if (leads(begin)) this.chosen = [...begin, number];
    else {
      this.chosen = [...begin];
      this.say(`no move touches ${this.points[number].name}`);
    }
    this.choose(number);
  }

  /** Makes the move if all its points are chosen. If several moves have these points, offers them. */
  choose(number) {
    const open = this.chosen.length > this.begin.length ? this.candidates() : [];
    // A move that may be followed by more ends with its last point twice.
    const whole = ({ points }) =>
      new Set(points).size === new Set(this.chosen).size && points.length <= this.chosen.length + 1 && fits(points, this.chosen);
    const full = open.filter(({ points }) => points.length === this.chosen.length || (points.length > 3 && whole({ points })));
    if (open.length === 1 && full.length === 1) {
      this.make(full[0]);
      return;
    }
    fill(
      this.choices,
      full.length === 0
        ? null
        : el(
            "div",
            { class: "row", role: "group", "aria-label": "Moves chosen" },
            full.map((move) => el("button", { type: "button", onclick: () => this.make(move) }, move.name)),
          ),
    );
    this.draw();
    if (open.length) this.say(`${this.points[number].name} chosen, ${counted(open.length, "move")}`);
  }

  /** The nearest point in a direction, as drawn. */
  walk(from, key) {
    const best = ahead(
      this.points.map((point) => this.spot(point)),
      from,
      key,
    );
    if (best === undefined) return;
    for (const place of this.element.querySelectorAll("[data-place]")) place.setAttribute("tabindex", "-1");
    const to = /** @type {SVGElement | null} */ (this.element.querySelector(`[data-place="${best}"]`));
    to?.setAttribute("tabindex", "0");
    to?.focus();
  }
}

/** From where to where men have moved between two boards with the same points: one man, or two, as in a swap. */
function moved(before, after) {
  if (before?.points.length !== after.points.length) return [];
  const key = ({ kind, player, point }) => `${point} ${player} ${kind}`;
  const rest = (men, others) => {
    const same = new Set(others.map(key));
    return men.filter((man) => !same.has(key(man)));
  };
  const [gone, come] = [rest(before.men, after.men), rest(after.men, before.men)];
  if (come.length > 2) return [];
  return come.flatMap((man) => {
    const from = gone.find(({ kind, player }) => kind === man.kind && player === man.player);
    return from ? [[from.point, man.point]] : [];
  });
}

/** The men of a kind on one point: `PP police`. Their signs come first, as they are seen. @param {Man[]} men */
function holders(men, kind) {
  const signs = men.flatMap((man) => (man.kind === kind ? [man.sign] : [])).join("");
  return signs === kind ? kind : `${signs} ${kind}`;
}

/** Calls `hear` with events of a pointer until it is up, and then `end`. */
function until(target, name, hear, end) {
  const stop = (event) => {
    target.removeEventListener(name, hear);
    target.removeEventListener("pointerup", stop);
    target.removeEventListener("pointercancel", stop);
    end(event);
  };
  target.addEventListener(name, hear);
  target.addEventListener("pointerup", stop);
  target.addEventListener("pointercancel", stop);
}

/** A bent arrow from the rim of one circle to that of another, or a loop. */
function bent([ax, ay], [bx, by]) {
  const radius = 22;
  if (ax === bx && ay === by) return `M${ax - 6} ${ay - radius} C ${ax - 26} ${ay - 56} ${ax + 26} ${ay - 56} ${ax + 6} ${ay - radius - 1}`;
  const far = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / far, (by - ay) / far];
  const bend = Math.min(18, far / 6);
  const [mx, my] = [(ax + bx) / 2 - uy * bend, (ay + by) / 2 + ux * bend];
  const rim = (x, y, gap) => {
    const length = Math.hypot(mx - x, my - y);
    return `${x + ((mx - x) / length) * gap} ${y + ((my - y) / length) * gap}`;
  };
  return `M${rim(ax, ay, radius)} Q ${mx} ${my} ${rim(bx, by, radius + 2)}`;
}

/** A move of a view: its name, its value for the player who makes it, and the state after it. */
export function stopOf(move) {
  return { state: move.to, name: move.name, value: OPPOSITE[move.value], distance: move.distance ? move.distance - 1 : null };
}
