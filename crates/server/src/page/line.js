// A line of play: what has been played, and best play from there. Buttons and arrow keys step through it.

import { el, fill, iconButton } from "./common.js";

export class Line {
  /**
   * `show(state, quietly)` is called for the stop that one steps to, `best(state)` answers the stops of best play after a
   * state, and `fail(error)` says why it cannot. `name(stop, place, stops)` is what a stop is called in the list.
   */
  constructor({ show, best, fail, name }) {
    Object.assign(this, { show, best, fail, name });
    this.stops = [];
    this.here = 0;
    this.element = el("div");
    this.keys = (event) => this.press(event);
    document.addEventListener("keydown", this.keys);
  }

  /** Where one stands now. Stands there already, or was there, or begins a new line. */
  stand(state) {
    if (this.stops[this.here]?.state !== state) {
      const near = [...this.stops.keys()].filter((at) => this.stops[at].state === state);
      near.sort((a, b) => Math.abs(a - this.here) - Math.abs(b - this.here));
      if (near.length > 0) [this.here] = near;
      else [this.stops, this.here] = [[{ state }], 0];
    }
    this.draw();
  }

  /** The state is known by another text. */
  rename(state) {
    if (this.stops[this.here]) this.stops[this.here].state = state;
  }

  /** A move was made. One that is next on the line keeps what follows. */
  play(stop) {
    if (this.stops[this.here + 1]?.state !== stop.state) this.stops = [...this.stops.slice(0, this.here + 1), stop];
    this.here += 1;
    this.show(stop.state, false);
  }

  go(to) {
    const place = Math.max(0, Math.min(this.stops.length - 1, to));
    if (place === this.here) return;
    this.here = place;
    this.show(this.stops[place].state, true);
  }

  /** Best play from here to the end. */
  async extend() {
    const from = this.stops[this.here].state;
    try {
      const stops = await this.best(from);
      if (this.stops[this.here].state !== from) return;
      this.stops = [...this.stops.slice(0, this.here + 1), ...stops];
      this.draw();
    } catch (error) {
      this.fail(error);
    }
  }

  press(event) {
    if (!this.element.isConnected || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea")) return;
    if (event.target.matches("[data-row], [data-place]") && event.target.matches(":focus-visible")) return;
    const to = { ArrowLeft: this.here - 1, ArrowRight: this.here + 1, Home: 0, End: this.stops.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  draw() {
    const { stops, here } = this;
    const button = (icon, label, to, off) => iconButton(icon, label, () => this.step(label, to), { quiet: true, disabled: off });
    const items = stops.map((stop, place) => el("li", {},
      el("button", { type: "button", "aria-current": place === here ? "step" : null, onclick: () => this.go(place) }, this.name(stop, place, stops))));
    const list = el("ol", { class: "line", "aria-label": "Line" }, items);
    fill(this.element,
      el("div", { class: "row", role: "group", "aria-label": "Step through the line" },
        button("first", "To the beginning", 0, here === 0),
        button("back", "One ply back", here - 1, here === 0),
        button("next", "One ply on", here + 1, here >= stops.length - 1),
        button("last", "To the end", stops.length - 1, here >= stops.length - 1),
        iconButton("best", "Best line", () => this.extend())),
      stops.length > 1 ? list : null);
    const current = list.querySelector("[aria-current]");
    if (current && list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.offsetTop - 40;
  }

  /** The button is drawn anew; who works by keys stays on it, or on its neighbour at an end. */
  step(label, to) {
    this.go(to);
    const same = this.element.querySelector(`[aria-label="${label}"]:not(:disabled)`);
    (same ?? this.element.querySelector(".row button:not(:disabled)"))?.focus();
  }
}
