// A clickable board of any game, from its picture as text.

import { ahead, counted, el, fill, OPPOSITE, SIGNS, svg, words } from "./common.js";
import { changes, Lay, letters, readPicture, side, turnsRound } from "./picture.js";

const UNIT = 60;

export class Board {
  /** Calls `make(move)` when the user has clicked a whole move, and `say(text)` with messages. */
  constructor({ make, say }) {
    Object.assign(this, { make, say });
    this.element = el("div", { class: "drawn" });
    this.choices = el("div");
    this.flipped = false;
    this.mirrored = false;
    this.chosen = [];
  }

  /**
   * Shows a view of the server. Without a picture there is no board. If positions stand for all mirror images, `seen` is the
   * board as the player knows it, and `swapped` says whether the second player is to move.
   */
  show(view, { seen = this.text ?? "", swapped = false } = {}) {
    this.view = view;
    this.chosen = [];
    fill(this.choices);
    if (!view.picture) {
      fill(this.element);
      this.board = null;
      return;
    }
    this.numbered = /\d,\d/.test(view.state);
    this.board = readPicture(view.picture, this.numbered);
    const text = letters(this.board);
    this.round = turnsRound(view.side, text);
    // The board stays as the player sees it: it does not jump to a mirror image.
    this.lay = this.round ? Lay.nearest(text, seen || text, swapped) : null;
    this.text = this.lay?.text(text) ?? text;
    this.moves = view.moves.filter(({ picture }) => picture).flatMap((move) => (this.round ? this.ways(move) : [this.way(move)]));
    this.draw();
  }

  way(move) {
    const there = letters(readPicture(move.picture));
    return { move, there, ...changes(this.text, there) };
  }

  /** Each way to make a move on the board as drawn. If a cube slides along the board, its two ends stand for the move. */
  ways(move) {
    return move.ways.map(({ name, picture }) => {
      const there = this.lay.text(letters(readPicture(picture)));
      const called = this.lay.name(name, this.board.places);
      const ends = called.match(/^([a-z]\d)-([a-z]\d)$/)?.slice(1);
      const path = ends?.map((end) => this.board.places.findIndex((place) => place.name === end));
      const touched = path ? { left: path.slice(0, 1), reached: path.slice(1) } : changes(this.text, there);
      return { move, there, name: called, path, ...touched };
    });
  }

  /** The name of a move on the board as drawn, if it differs from the server's name. */
  nameOf(move) {
    return this.moves?.find((each) => each.move === move)?.name ?? null;
  }

  /** How to draw the boards of a line that begins with the current one, and the names of its moves on these boards. */
  along(stops) {
    let { lay } = this;
    for (const stop of this.round ? stops : []) {
      const { name, picture } = stop.ways[0];
      stop.seen = lay.text(letters(readPicture(picture)));
      stop.name = lay.name(name, this.board.places);
      lay = Lay.nearest(stop.state.replaceAll("/", ""), stop.seen, !lay.swapped);
    }
    return stops;
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  mirror() {
    this.mirrored = !this.mirrored;
    this.draw();
  }

  /** The point at which a place is drawn. */
  spot({ x, y }) {
    const { places } = this.board;
    const [wide, high] = [Math.max(...places.map((place) => place.x)), Math.max(...places.map((place) => place.y))];
    const right = this.flipped !== this.mirrored ? wide - x : x;
    const down = this.flipped ? high - y : y;
    return [(right + 0.75) * UNIT, (down + 0.75) * UNIT, (wide + 1.5) * UNIT, (high + 1.5) * UNIT];
  }

  candidates() {
    const touches = ({ path, left, reached }, place, at) => (path ? path[at] === place : left.includes(place) || reached.includes(place));
    return this.moves.filter((one) => this.chosen.every((place, at) => touches(one, place, at)));
  }

  draw() {
    if (!this.board) return;
    const focused = this.element.querySelector("[data-place]:focus")?.dataset.place;
    const { places, lines, grid } = this.board;
    const [, , width, height] = this.spot(places[0]);
    const open = this.candidates();
    const drawn = lines.map(([a, b]) => {
      const [[x1, y1], [x2, y2]] = [this.spot(places[a]), this.spot(places[b])];
      return svg("line", { x1, y1, x2, y2, class: "way" });
    });
    const cells = places.map((place, number) => this.place(place, number, open, grid));
    const names = this.names();
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: `game ${grid ? "grid" : "points"}`, role: "group",
      "aria-label": "Board. Tab goes to it, arrow keys walk over it, Enter chooses." }, drawn, cells, names);
    picture.style.maxWidth = `max(12rem, min(${Math.min(34, Math.max(12, (width / UNIT) * 5.6))}rem, (100svh - 16rem) * ${width / height}))`;
    fill(this.element, picture);
    this.listen(picture);
    const first = picture.querySelector(`[data-place="${focused ?? this.chosen.at(-1) ?? 0}"]`);
    if (first) first.setAttribute("tabindex", 0);
    if (focused !== undefined) first?.focus();
  }

  /** The contents of a place: its man, and the value of moving there, once a man is chosen or if there is one way only. */
  place(place, number, open, grid) {
    const [x, y] = this.spot(place);
    const letter = this.text[number];
    const chosen = this.chosen.includes(number);
    const leads = open.filter(({ reached }) => reached.includes(number));
    const may = open.some((one) => this.touches(one, number));
    const hinted = this.chosen.length > 0 || this.moves.every(({ left }) => left.length === 0);
    const worth = hinted && !chosen && leads.length > 0 ? leads[0].move : null;
    const parts = [];
    if (grid) parts.push(svg("rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: letter === "*" ? "wall" : letter === "E" ? "exit" : "cell" }));
    else parts.push(svg("circle", { cx: x, cy: y, r: 9, class: "spot" }));
    parts.push(svg("circle", { cx: x, cy: y, r: grid ? 27 : 25, class: "mark" }));
    if (!".*E".includes(letter)) {
      const kind = side(letter);
      parts.push(svg("circle", { cx: x, cy: y, r: 20, class: `man ${kind}` }), svg("text", { x, y: y + 6, class: `letter ${kind}`, "aria-hidden": "true" }, letter === "●" ? "" : letter));
    } else if (worth) {
      parts.push(svg("circle", { cx: x, cy: y, r: 19, class: `aim ${worth.value}` }),
        svg("text", { x, y: y + 5, class: `worth ${worth.value}`, "aria-hidden": "true" }, `${SIGNS[worth.value]}${worth.distance ?? ""}`));
    } else if (letter === "E") parts.push(svg("text", { x, y: y + 5, class: "worth", "aria-hidden": "true" }, "exit"));
    const holds = { ".": "empty", "*": "wall", E: "exit", "●": "taken from here on" }[letter] ?? letter;
    const said = [place.name, holds, chosen ? "chosen" : "", worth ? words(worth) : may ? "can be chosen" : ""].filter(Boolean).join(", ");
    return svg("g", { class: `place ${may ? "may" : ""} ${chosen ? "chosen" : ""}`, role: "button", tabindex: -1, "aria-label": said,
      "data-place": number, "data-name": place.name }, parts);
  }

  names() {
    const { places, grid } = this.board;
    if (grid && (this.board.named || this.numbered)) return this.edge();
    if (grid) return places.map((place) => this.inner(place));
    return places.map((place) => {
      const [x, y] = this.spot(place);
      return svg("text", { x: x + 26, y: y + 30, class: "name", "aria-hidden": "true" }, place.name);
    });
  }

  /** The name of a cell, in its corner. */
  inner(place) {
    const [x, y] = this.spot(place);
    return svg("text", { x: x - 22, y: y + 26, class: "name", "aria-hidden": "true" }, place.name);
  }

  /** The names of rows and columns at the edge of a board. */
  edge() {
    const spots = this.board.places.map((place) => [place, this.spot(place)]);
    const [left, low] = [Math.min(...spots.map(([, [x]]) => x)), Math.max(...spots.map(([, [, y]]) => y))];
    const parts = ({ name }) => (this.numbered ? name.split(",") : [name.slice(1), name[0]]);
    return spots.flatMap(([place, [x, y]]) => {
      const [row, column] = parts(place);
      return [
        x === left ? svg("text", { x: x - 38, y: y + 4, class: "name", "aria-hidden": "true" }, row) : null,
        y === low ? svg("text", { x, y: y + 43, class: "name", "aria-hidden": "true" }, column) : null,
      ].filter(Boolean);
    });
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
        this.chosen = [];
        fill(this.choices);
        this.draw();
      } else if (event.key.startsWith("Arrow") && event.target.matches(":focus-visible")) {
        event.preventDefault();
        this.walk(Number(place.dataset.place), event.key);
      }
    });
  }

  /** The nearest place in a direction, as drawn. */
  walk(from, key) {
    const best = ahead(this.board.places.map((place) => this.spot(place)), from, key);
    if (best === undefined) return;
    for (const place of this.element.querySelectorAll("[data-place]")) place.setAttribute("tabindex", -1);
    const to = this.element.querySelector(`[data-place="${best}"]`);
    to.setAttribute("tabindex", 0);
    to.focus();
  }

  /** Whether a move continues with this place, after the chosen places. */
  touches({ path, left, reached }, place) {
    return path ? path[this.chosen.length] === place : left.includes(place) || reached.includes(place);
  }

  press(number) {
    const begins = ({ path, left, reached }) => (path ? path[0] === number : left.includes(number) || reached.includes(number));
    if (this.chosen.includes(number)) this.chosen = [];
    else if (this.candidates().some((one) => this.touches(one, number))) this.chosen.push(number);
    else if (this.moves.some(begins)) this.chosen = [number];
    else {
      this.chosen = [];
      this.say(`no move touches ${this.board.places[number].name}`);
    }
    this.choose(number);
  }

  /** Makes the move if only one is left. Offers the moves whose places are all chosen. */
  choose(number) {
    const open = this.chosen.length ? this.candidates() : [];
    const reaches = open.filter(({ reached }) => reached.includes(number));
    const size = ({ left, reached }) => left.length + reached.length;
    const takes = open.every(({ reached }) => reached.length === 0);
    const least = open.length && open.reduce((a, b) => (size(b) < size(a) ? b : a));
    if (open.length > 0 && open.every(({ move }) => move === open[0].move) && (reaches.length === open.length || takes)) {
      this.play(open[0]);
      return;
    }
    // A click on a stone of a heap takes this stone and all after it.
    if (open.length > 1 && takes) {
      this.play(least);
      return;
    }
    const full = open.filter((one) => size(one) === this.chosen.length);
    fill(this.choices, full.length === 0 ? null : el("div", { class: "row", role: "group", "aria-label": "Moves chosen" },
      full.map((one) => el("button", { type: "button", onclick: () => this.play(one) }, one.move.name))));
    this.draw();
    if (this.chosen.length) this.say(`${this.board.places[number].name} chosen, ${counted(open.length, "move")}`);
  }

  play({ move, there, name }) {
    this.make(move, { there, name });
  }
}

/** A move of a view: its name, its value for the player who makes it, and the state after it. */
export function stopOf(move) {
  return { state: move.to, name: move.name, value: OPPOSITE[move.value], distance: move.distance ? move.distance - 1 : null, seen: move.seen };
}
