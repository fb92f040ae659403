// A clickable board of any game, from its picture as text.

import { el, fill, OPPOSITE, SIGNS, svg, words } from "./common.js";
import { alike, changes, differ, letters, nearest, readPicture, turnsRound } from "./picture.js";

const UNIT = 60;
/** Men of the first player are dark, those of the second light, neutral pieces are neither. */
const DARK = "xXHP>";
const LIGHT = "oORT^●";

export class Board {
  /** `make(move)` is called with the move that was clicked together, `say(text)` with what to tell. */
  constructor({ make, say }) {
    Object.assign(this, { make, say });
    this.element = el("div", { class: "drawn" });
    this.choices = el("div");
    this.flipped = false;
    this.mirrored = false;
    this.chosen = [];
    this.seen = "";
    this.swapped = false;
  }

  /** Shows a view of the server. Without a picture there is no board. */
  show(view) {
    this.view = view;
    this.chosen = [];
    fill(this.choices);
    if (!view.picture) {
      fill(this.element);
      this.board = null;
      return;
    }
    this.board = readPicture(view.picture);
    const text = letters(this.board);
    this.round = turnsRound(view.side, text);
    if (this.round) {
      const high = Math.max(...this.board.places.map(({ y }) => y));
      for (const place of this.board.places) place.name = "abcdefghijklmnopqrstuvwxyz"[place.x] + (high + 1 - place.y);
      // The board stays as the player sees it: nothing jumps to a mirror image.
      const as = (swapped) => nearest(text, this.seen || text, swapped);
      const [same, other] = [as(false), as(true)];
      this.swapped = this.seen !== "" && differ(other, this.seen) < differ(same, this.seen);
      this.text = this.swapped ? other : same;
    } else this.text = text;
    this.seen = this.text;
    this.moves = view.moves.filter(({ picture }) => picture).flatMap((move) => {
      const after = letters(readPicture(move.picture));
      const ways = this.round ? alike(this.text, nearest(after, this.text, !this.swapped)) : [after];
      return ways.map((there) => ({ move, there, ...changes(this.text, there) }));
    });
    this.draw();
  }

  /** What a move is called where the game has no short name for it: the squares left and reached. */
  nameOf(move) {
    const one = this.round && this.moves?.find((each) => each.move === move);
    if (!one) return null;
    const names = (places) => places.map((place) => this.board.places[place].name).join(" ");
    return [names(one.left), names(one.reached)].filter(Boolean).join(" → ");
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  mirror() {
    this.mirrored = !this.mirrored;
    this.draw();
  }

  /** Where a place is drawn. */
  spot({ x, y }) {
    const { places } = this.board;
    const [wide, high] = [Math.max(...places.map((place) => place.x)), Math.max(...places.map((place) => place.y))];
    const right = this.flipped !== this.mirrored ? wide - x : x;
    const down = this.flipped ? high - y : y;
    return [(right + 0.75) * UNIT, (down + 0.75) * UNIT, (wide + 1.5) * UNIT, (high + 1.5) * UNIT];
  }

  candidates() {
    return this.moves.filter(({ left, reached }) => this.chosen.every((place) => left.includes(place) || reached.includes(place)));
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
    picture.style.maxWidth = `${Math.min(34, Math.max(12, (width / UNIT) * 5.6))}rem`;
    fill(this.element, picture);
    this.listen(picture);
    const first = picture.querySelector(`[data-place="${focused ?? this.chosen.at(-1) ?? 0}"]`);
    if (first) first.setAttribute("tabindex", 0);
    if (focused !== undefined) first?.focus();
  }

  /** What a place shows: the man on it, and what moving there is worth once a man is chosen, or where there is one way only. */
  place(place, number, open, grid) {
    const [x, y] = this.spot(place);
    const letter = this.text[number];
    const chosen = this.chosen.includes(number);
    const leads = open.filter(({ reached }) => reached.includes(number));
    const may = open.some(({ left, reached }) => left.includes(number) || reached.includes(number));
    const hinted = this.chosen.length > 0 || this.moves.every(({ left }) => left.length === 0);
    const worth = hinted && !chosen && leads.length > 0 ? leads[0].move : null;
    const parts = [];
    if (grid) parts.push(svg("rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: letter === "*" ? "wall" : letter === "E" ? "exit" : "cell" }));
    else parts.push(svg("circle", { cx: x, cy: y, r: 9, class: "spot" }));
    parts.push(svg("circle", { cx: x, cy: y, r: grid ? 27 : 25, class: "mark" }));
    if (!".*E".includes(letter)) {
      const side = DARK.includes(letter) ? "dark" : LIGHT.includes(letter) ? "light" : "other";
      parts.push(svg("circle", { cx: x, cy: y, r: 20, class: `man ${side}` }), svg("text", { x, y: y + 6, class: `letter ${side}`, "aria-hidden": "true" }, letter === "●" ? "" : letter));
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
    if (grid && !this.round) return [];
    if (grid) return this.edge();
    return places.map((place) => {
      const [x, y] = this.spot(place);
      return svg("text", { x: x + 26, y: y + 30, class: "name", "aria-hidden": "true" }, place.name);
    });
  }

  /** The names of rows and columns at the edge of a board. */
  edge() {
    const spots = this.board.places.map((place) => [place, this.spot(place)]);
    const [left, low] = [Math.min(...spots.map(([, [x]]) => x)), Math.max(...spots.map(([, [, y]]) => y))];
    return spots.flatMap(([{ name }, [x, y]]) => [
      x === left ? svg("text", { x: x - 38, y: y + 4, class: "name", "aria-hidden": "true" }, name[1]) : null,
      y === low ? svg("text", { x, y: y + 43, class: "name", "aria-hidden": "true" }, name[0]) : null,
    ]).filter(Boolean);
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

  /** To the nearest place in a direction, as drawn. */
  walk(from, key) {
    const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const [x, y] = this.spot(this.board.places[from]);
    let best = null;
    this.board.places.forEach((place, number) => {
      const [px, py] = this.spot(place);
      const ahead = (px - x) * right + (py - y) * down;
      if (ahead <= 1) return;
      const aside = Math.abs((px - x) * down) + Math.abs((py - y) * right);
      const far = ahead + 2.5 * aside;
      if (!best || far < best.far) best = { far, number };
    });
    if (!best) return;
    for (const place of this.element.querySelectorAll("[data-place]")) place.setAttribute("tabindex", -1);
    const to = this.element.querySelector(`[data-place="${best.number}"]`);
    to.setAttribute("tabindex", 0);
    to.focus();
  }

  press(number) {
    const touches = ({ left, reached }) => left.includes(number) || reached.includes(number);
    if (this.chosen.includes(number)) this.chosen = [];
    else if (this.candidates().some(touches)) this.chosen.push(number);
    else if (this.moves.some(touches)) this.chosen = [number];
    else {
      this.chosen = [];
      this.say(`no move touches ${this.board.places[number].name}`);
    }
    this.choose(number);
  }

  /** Makes the move where there is only one left; offers those that are chosen in full. */
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
    // Things taken away from one heap: as many as from this one on.
    if (open.length > 1 && takes) {
      this.play(least);
      return;
    }
    const full = open.filter((one) => size(one) === this.chosen.length);
    fill(this.choices, full.length === 0 ? null : el("div", { class: "row", role: "group", "aria-label": "Moves chosen" },
      full.map((one) => el("button", { type: "button", onclick: () => this.play(one) }, one.move.name))));
    this.draw();
    if (this.chosen.length) this.say(`${this.board.places[number].name} chosen, ${open.length} moves`);
  }

  /** The board after a move is known before the server says so, in the way it lies now. */
  play({ move, there }) {
    this.expect(there);
    this.make(move);
  }

  expect(text) {
    this.seen = text;
  }

  /** A move was made beside the board. */
  made(move) {
    const one = this.moves?.find((each) => each.move === move);
    if (one) this.expect(one.there);
  }
}

/** A move of a view, named and worth what it is to who makes it; and the state after it. */
export function stopOf(move) {
  return { state: move.to, name: move.name, value: OPPOSITE[move.value], distance: move.distance ? move.distance - 1 : null };
}
